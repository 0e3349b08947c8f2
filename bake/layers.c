// SPDX-License-Identifier: MIT
#include "bake/layers.h"

#include <math.h>
#include <stddef.h>

#include "common/cube_sphere.h"

bool layer_heights(int32_t *heights, const struct sample_run *run, double units_per_m, double lowest_m)
{
    const double *height_m = run->values.height_m;
    int bad = 0;
    for (int k = 0; k < run->count; k++) {
        double units = floor(height_m[k] * units_per_m + 0.5);
        // Also false for what is not a number.
        int good = (height_m[k] >= lowest_m) & (units >= -2147483648.0) & (units <= 2147483647.0);
        heights[k] = (int32_t)(good ? units : 0.0);
        bad |= !good;
    }
    return !bad;
}

// Samples whose normals are worked out together, so that the arithmetic has a plain loop that vectorises.
#define NORMAL_BLOCK 256

// Into [-1, 1], also what is not a number.
static inline double cut(double x)
{
    return x > -1.0 ? (x < 1.0 ? x : 1.0) : -1.0;
}

// Normals as they are stored. Directions and gradients are along s, t and outward, with those
// axes' signs. False if one is no unit vector: a gradient that is not finite, or too long to be squared.
static bool round_normals(int32_t *const q[3], int count, const double *const dir[3], const double *const gradient[3],
                          const double sign[3], const double *height_m, double radius_m, double scale)
{
    const double *dt = dir[1], *dout = dir[2];
    const double *gs = gradient[0], *gt = gradient[1], *gout = gradient[2];
    int32_t *qx = q[0], *qy = q[1], *qz = q[2];
    double ss = sign[0], st = sign[1], so = sign[2], length2[NORMAL_BLOCK];
    for (int k = 0; k < count; k++) {
        double b = st * dt[k], c = so * dout[k];
        double ga = ss * gs[k], gb = st * gt[k], gc = so * gout[k];
        // With dir = (a,b,c) the frame's x is (1,0,0) - a dir and its y (0,c,-b), both over the length of the latter;
        // the gradient has no part along dir.
        double over_across = 1.0 / sqrt(b * b + c * c);
        double x = -ga * over_across, y = (b * gc - c * gb) * over_across, z = radius_m + height_m[k];
        double over_length = 1.0 / sqrt(x * x + y * y + z * z);
        x *= over_length;
        y *= over_length;
        z *= over_length;
        length2[k] = x * x + y * y + z * z;
        // round(scale n) + scale + 1: positive before it is cut to an integer, so cutting is rounding down.
        qx[k] = (int32_t)(scale * cut(x) + (scale + 1.5));
        qy[k] = (int32_t)(scale * cut(y) + (scale + 1.5));
        qz[k] = (int32_t)(scale * cut(z) + (scale + 1.5));
    }
    int bad = 0;
    for (int k = 0; k < count; k++)
        bad |= !(length2[k] > 0.99) | !(length2[k] < 1.01);
    return !bad;
}

static void put_normals(uint8_t *samples, int32_t *const q[3], int count, int bits)
{
    for (int k = 0; k < count; k++) {
        for (int part = 0; part < 3; part++) {
            if (bits == 8) {
                samples[3 * k + part] = (uint8_t)q[part][k];
            } else {
                samples[6 * k + 2 * part] = (uint8_t)(q[part][k] >> 8);
                samples[6 * k + 2 * part + 1] = (uint8_t)q[part][k];
            }
        }
    }
}

bool layer_normals(uint8_t *samples, const struct sample_run *run, int face, double radius_m, int bits)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    const struct cube_axis axes[3] = {frame->s, frame->t, frame->out};
    const double *const dir[3] = {run->x, run->y, run->z};
    const double *const gradient[3] = {run->values.gradient_x, run->values.gradient_y, run->values.gradient_z};
    const double sign[3] = {axes[0].sign, axes[1].sign, axes[2].sign};
    int32_t x[NORMAL_BLOCK], y[NORMAL_BLOCK], z[NORMAL_BLOCK];
    int32_t *const q[3] = {x, y, z};
    bool good = true;
    for (int first = 0; first < run->count; first += NORMAL_BLOCK) {
        int count = run->count - first < NORMAL_BLOCK ? run->count - first : NORMAL_BLOCK;
        const double *dir_here[3], *gradient_here[3];
        for (int k = 0; k < 3; k++) {
            dir_here[k] = dir[axes[k].axis] + first;
            gradient_here[k] = gradient[axes[k].axis] + first;
        }
        good = round_normals(q, count, dir_here, gradient_here, sign, run->values.height_m + first, radius_m,
                             bits == 16 ? 32767 : 127) &&
               good;
        put_normals(samples + (size_t)first * 3 * (size_t)(bits / 8), q, count, bits);
    }
    return good;
}

bool layer_colors(uint8_t *samples, const struct sample_run *run, const struct srgb_table *table)
{
    const double *const channels[3] = {run->values.red, run->values.green, run->values.blue};
    int bad = 0;
    for (int channel = 0; channel < 3; channel++) {
        const double *linear = channels[channel];
        for (int k = 0; k < run->count; k++) {
            bad |= linear[k] != linear[k];
            samples[3 * k + channel] = srgb_encode(table, linear[k]);
        }
    }
    return !bad;
}
