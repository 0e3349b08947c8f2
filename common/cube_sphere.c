// SPDX-License-Identifier: MIT
#include "common/cube_sphere.h"

#include <assert.h>
#include <math.h>

#include "common/stable_math.h"

const struct cube_face_frame cube_face_frames[CUBE_FACE_COUNT] = {
    {{0, 1}, {1, 1}, {2, 1}},    {{1, 1}, {0, -1}, {2, 1}},  {{2, 1}, {0, -1}, {1, -1}},
    {{0, -1}, {2, -1}, {1, -1}}, {{1, -1}, {2, -1}, {0, 1}}, {{2, -1}, {1, 1}, {0, 1}},
};

static inline double warp(double x)
{
    // tan(pi/8 x) by an odd polynomial (relative error 2e-18 before rounding), then the double angle.
    static const double c[10] = {0x1.921fb54442d18p-2,  0x1.4abbce625be7fp-6,  0x1.466bc677550a3p-10,
                                 0x1.45fff9b90e4d3p-14, 0x1.45f4711201a96p-18, 0x1.45f39b08ec267p-22,
                                 0x1.45e3e1d8f5d71p-26, 0x1.474294ad94afdp-30, 0x1.34a0de1ac3076p-34,
                                 0x1.c0e9fd2b4ced9p-38};
    double y = x * x, p = c[9];
    for (int k = 8; k >= 0; k--)
        p = p * y + c[k];
    double t = x * p, u = 2.0 * t / (1.0 - t * t);
    return x == 1.0 || x == -1.0 ? x : u;
}

double cube_warp(double x)
{
    return warp(x);
}

double cube_unwarp(double u)
{
    double x = stable_atan(u) * (4.0 / STABLE_PI);
    double snapped = floor(x * 0x1p32 + 0.5) * 0x1p-32;
    if (fabs(cube_warp(snapped) - u) <= 4 * 0x1p-52)
        return snapped;
    return x;
}

static struct double3 dir_of_uv(int face, double u, double v)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    double p[3];
    p[frame->out.axis] = frame->out.sign;
    // + 0.0 makes -0 of the middle lines +0, so that all faces give the same bits there as well.
    p[frame->s.axis] = frame->s.sign * u + 0.0;
    p[frame->t.axis] = frame->t.sign * v + 0.0;
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return (struct double3){p[0] / length, p[1] / length, p[2] / length};
}

struct double3 cube_sphere_dir(int face, double s, double t)
{
    assert(face >= 0 && face < CUBE_FACE_COUNT);
    return dir_of_uv(face, cube_warp(2.0 * s - 1.0), cube_warp(2.0 * t - 1.0));
}

struct double3 cube_sphere_lattice_dir(int face, int64_t i, int64_t j, int64_t n)
{
    assert(n > 0 && n <= INT64_C(1) << 33 && (n & (n - 1)) == 0);
    assert(i >= 0 && i <= n && j >= 0 && j <= n);
    // 2i - n and the division by a power of two are exact: the value does not depend on the level.
    return dir_of_uv(face, cube_warp((double)(2 * i - n) / (double)n), cube_warp((double)(2 * j - n) / (double)n));
}

void cube_lattice_lines(double *lines, int count, int sign, int64_t first, int64_t step, int64_t n)
{
    assert(n > 0 && n <= INT64_C(1) << 33 && (n & (n - 1)) == 0);
    assert(first >= -n / 3 && first <= n + n / 3);
    assert(first + (count - 1) * step >= -n / 3 && first + (count - 1) * step <= n + n / 3);
    double at = (double)(2 * first - n), apart = (double)(2 * step), size = (double)n;
    // + 0.0 as above.
    for (int k = 0; k < count; k++)
        lines[k] = sign * warp((at + k * apart) / size) + 0.0;
}

double cube_lattice_line(int sign, int64_t k, int64_t n)
{
    double line;
    cube_lattice_lines(&line, 1, sign, k, 1, n);
    return line;
}

struct cube_place cube_sphere_locate_on_face(int face, struct double3 dir)
{
    assert(face >= 0 && face < CUBE_FACE_COUNT);
    const struct cube_face_frame *frame = &cube_face_frames[face];
    const double p[3] = {dir.x, dir.y, dir.z};
    double out = frame->out.sign * p[frame->out.axis];
    double x = cube_unwarp(frame->s.sign * p[frame->s.axis] / out);
    double y = cube_unwarp(frame->t.sign * p[frame->t.axis] / out);
    return (struct cube_place){face, (x + 1.0) * 0.5, (y + 1.0) * 0.5};
}

struct cube_place cube_sphere_locate(struct double3 dir)
{
    double ax = fabs(dir.x), ay = fabs(dir.y), az = fabs(dir.z);
    int face;
    if (ax >= ay && ax >= az)
        face = dir.x > 0 ? 0 : 3;
    else if (ay >= az)
        face = dir.y > 0 ? 1 : 4;
    else
        face = dir.z > 0 ? 2 : 5;
    return cube_sphere_locate_on_face(face, dir);
}

struct tangent_frame cube_tangent_frame(int face, struct double3 dir)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    double p[3] = {0, 0, 0};
    p[frame->s.axis] = frame->s.sign;
    struct double3 s = {p[0], p[1], p[2]};
    struct double3 x = double3_normalise(double3_sub(s, double3_scale(dir, double3_dot(s, dir))));
    return (struct tangent_frame){x, double3_cross(dir, x), dir};
}

struct double3 geographic_dir(double latitude_deg, double longitude_deg)
{
    double sin_lat, cos_lat, sin_lon, cos_lon;
    stable_sincos_deg(latitude_deg, &sin_lat, &cos_lat);
    stable_sincos_deg(longitude_deg, &sin_lon, &cos_lon);
    return (struct double3){cos_lat * cos_lon, cos_lat * sin_lon, sin_lat};
}

void geographic_of(struct double3 dir, double *latitude_deg, double *longitude_deg)
{
    double across = sqrt(dir.x * dir.x + dir.y * dir.y);
    *latitude_deg = stable_atan2(dir.z, across) * (180.0 / STABLE_PI);
    double longitude = across > 0 ? stable_atan2(dir.y, dir.x) * (180.0 / STABLE_PI) : 0.0;
    *longitude_deg = longitude >= 180.0 ? longitude - 360.0 : longitude;
}
