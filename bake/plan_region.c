// SPDX-License-Identifier: MIT
// Discs on the sphere against nodes. Distances are squared chords of differences of unit vectors, which keep their
// digits where arc cosines of dot products lose them: a disc of 1 m is as exact as one of 1,000 km.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bake/plan.h"
#include "common/cube_sphere.h"
#include "common/text_number.h"

// A node's borders after the warp and the disc's centre, both in the face's own axes: s, t, outward.
struct quad {
    double u[2], v[2];
    double cs, ct, co;
};

static struct quad quad_of(struct double3 center, struct node node)
{
    const struct cube_face_frame *frame = &cube_face_frames[node.face];
    const double c[3] = {center.x, center.y, center.z};
    struct quad quad = {.cs = frame->s.sign * c[frame->s.axis],
                        .ct = frame->t.sign * c[frame->t.axis],
                        .co = frame->out.sign * c[frame->out.axis]};
    double n = (double)(UINT32_C(1) << node.level);
    for (int k = 0; k < 2; k++) {
        quad.u[k] = cube_warp((2.0 * ((double)node.x + k) - n) / n);
        quad.v[k] = cube_warp((n - 2.0 * ((double)node.y + 1 - k)) / n);
    }
    return quad;
}

static double corner_chord2(const struct quad *quad, double u, double v)
{
    double length = sqrt(1.0 + u * u + v * v);
    double ds = quad->cs - u / length, dt = quad->ct - v / length, dout = quad->co - 1.0 / length;
    return ds * ds + dt * dt + dout * dout;
}

// Squared chord to the inner part of a side that lies on the great circle of constant a, from b0 to b1; ca is the
// centre's component along a, cb along b. Over 4 where the nearest point is an end, which the corners take care of.
static double side_chord2(double ca, double cb, double co, double a, double b0, double b1)
{
    double k = 1.0 + a * a;
    double forward = co + a * ca;
    if (forward <= 0 || cb * k < b0 * forward || cb * k > b1 * forward)
        return 8.0;
    double d = (ca - a * co) / sqrt(k); // sine of the distance to the plane
    return 2.0 * d * d / (1.0 + sqrt(fmax(1.0 - d * d, 0.0)));
}

static double nearest_chord2(struct double3 center, struct node node)
{
    struct quad q = quad_of(center, node);
    if (q.co > 0 && q.cs >= q.u[0] * q.co && q.cs <= q.u[1] * q.co && q.ct >= q.v[0] * q.co && q.ct <= q.v[1] * q.co)
        return 0;
    double least = 8.0;
    for (int k = 0; k < 2; k++) {
        least = fmin(least, side_chord2(q.cs, q.ct, q.co, q.u[k], q.v[0], q.v[1]));
        least = fmin(least, side_chord2(q.ct, q.cs, q.co, q.v[k], q.u[0], q.u[1]));
        least = fmin(least, corner_chord2(&q, q.u[k], q.v[0]));
        least = fmin(least, corner_chord2(&q, q.u[k], q.v[1]));
    }
    return least;
}

bool plan_region_touches(const struct plan_region *region, struct node node)
{
    return nearest_chord2(region->center, node) <= region->chord2;
}

bool plan_region_covers(const struct plan_region *region, struct node node)
{
    if (region->chord2 > 2.0) {
        // The rest of the sphere is a disc around the opposite point: covered is what does not come near it.
        struct double3 opposite = double3_scale(region->center, -1.0);
        return nearest_chord2(opposite, node) > 4.0 - region->chord2 + 1e-15;
    }
    // Up to a hemisphere discs are convex, so the corners decide.
    struct quad q = quad_of(region->center, node);
    double most = 0;
    for (int k = 0; k < 4; k++)
        most = fmax(most, corner_chord2(&q, q.u[k & 1], q.v[k >> 1]));
    return most <= region->chord2;
}

static bool parse_part(const char **text, double low, double high, double *value)
{
    size_t used = parse_real_prefix(*text, strlen(*text), value);
    *text += used;
    return used > 0 && *value >= low && *value <= high;
}

enum status_code plan_parse_region(struct plan_region *region, const char *text, struct status *status)
{
    static const char form[] = "must be LAT,LON,RADIUS_KM,LEVEL";
    struct plan_region made = {0};
    double level;
    if (!parse_part(&text, -90, 90, &made.latitude_deg))
        return status_fail(status, STATUS_USAGE, "%s with a latitude of -90 to 90", form);
    if (*text++ != ',' || !parse_part(&text, -180, 360, &made.longitude_deg))
        return status_fail(status, STATUS_USAGE, "%s with a longitude of -180 to 360", form);
    if (*text++ != ',' || !parse_part(&text, 0, HUGE_VAL, &made.radius_km) || made.radius_km <= 0)
        return status_fail(status, STATUS_USAGE, "%s with a radius over 0 km", form);
    if (*text++ != ',' || !parse_part(&text, 0, TILE_LEVEL_MAX, &level) || level != floor(level) || *text)
        return status_fail(status, STATUS_USAGE, "%s with a level of 0 to %d at the end", form, TILE_LEVEL_MAX);
    made.level = (int)level;
    *region = made;
    return STATUS_OK;
}

void plan_format_region(char text[PLAN_REGION_TEXT_MAX], const struct plan_region *region)
{
    // The subtraction is exact (Sterbenz), and adding 0 makes -0 plain.
    double longitude = region->longitude_deg >= 180 ? region->longitude_deg - 360 : region->longitude_deg;
    char part[3][REAL_TEXT_MAX];
    format_real(part[0], region->latitude_deg + 0.0);
    format_real(part[1], longitude + 0.0);
    format_real(part[2], region->radius_km);
    int length = snprintf(text, PLAN_REGION_TEXT_MAX, "%s,%s,%s,%d", part[0], part[1], part[2], region->level);
    assert(length > 0 && length < PLAN_REGION_TEXT_MAX);
    (void)length;
}
