// SPDX-License-Identifier: MIT
#include "bake/layers.h"

#include <math.h>

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

// One sample's normal; a, b, c are the parts of the direction along s, t and outward, ga.. those of the gradient.
struct normal {
    double x, y, z;
};

static inline struct normal normal_of(double a, double b, double c, double ga, double gb, double gc, double reach)
{
    // The frame's x is (1,0,0) - a dir, its y is (0,c,-b), both over this length.
    double across = sqrt(b * b + c * c);
    double along = a * ga + b * gb + c * gc;
    double x = -(ga - a * along) / across, y = -(c * gb - b * gc) / across;
    double length = sqrt(x * x + y * y + reach * reach);
    return (struct normal){x / length, y / length, reach / length};
}

bool layer_normals(uint8_t *samples, const struct sample_run *run, int face, double radius_m, int bits)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    const double *const dir[3] = {run->x, run->y, run->z};
    const double *const gradient[3] = {run->values.gradient_x, run->values.gradient_y, run->values.gradient_z};
    const double *ds = dir[frame->s.axis], *dt = dir[frame->t.axis], *dout = dir[frame->out.axis];
    const double *gs = gradient[frame->s.axis], *gt = gradient[frame->t.axis], *gout = gradient[frame->out.axis];
    double ss = frame->s.sign, st = frame->t.sign, so = frame->out.sign;
    double scale = bits == 16 ? 32767 : 127;
    int bad = 0;
    for (int k = 0; k < run->count; k++) {
        struct normal n = normal_of(ss * ds[k], st * dt[k], so * dout[k], ss * gs[k], st * gt[k], so * gout[k],
                                    radius_m + run->values.height_m[k]);
        // A gradient that is not finite, or too long to be squared, gives something else than a unit vector here.
        double length2 = n.x * n.x + n.y * n.y + n.z * n.z;
        int good = length2 > 0.99 && length2 < 1.01;
        bad |= !good;
        int x = (int)floor(scale * (good ? n.x : 0.0) + 0.5), y = (int)floor(scale * (good ? n.y : 0.0) + 0.5),
            z = (int)floor(scale * (good ? n.z : 0.0) + 0.5);
        if (bits == 8) {
            samples[3 * k] = (uint8_t)(x + 128);
            samples[3 * k + 1] = (uint8_t)(y + 128);
            samples[3 * k + 2] = (uint8_t)(z + 128);
        } else {
            const int q[3] = {x + 32768, y + 32768, z + 32768};
            for (int part = 0; part < 3; part++) {
                samples[6 * k + 2 * part] = (uint8_t)(q[part] >> 8);
                samples[6 * k + 2 * part + 1] = (uint8_t)q[part];
            }
        }
    }
    return !bad;
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
