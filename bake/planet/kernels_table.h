// SPDX-License-Identifier: MIT
// Curves, colour ramps and colour arithmetic. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_TABLE_H
#define TERRANE_BAKE_PLANET_KERNELS_TABLE_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"

// below[i] = how many knots are at or below x[i], 0..count. Asking every knot is branch-free, and quick for the few
// that there are.
static void count_knots(int64_t *restrict below, const double *x, const double *knots, int count)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        below[i] = 0;
    for (int k = 0; k < count; k++) {
        double knot = knots[k];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            below[i] += x[i] >= knot ? INT64_C(1) : INT64_C(0);
    }
}

static void evaluate_curve(struct field out, struct field a, const struct curve *curve)
{
    SCRATCH int64_t below[PLANET_BLOCK];
    SCRATCH double slope[PLANET_BLOCK];
    count_knots(below, a.v, curve->x, curve->count);
    double *v = out.v;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        int64_t cubic = below[i], knot = cubic > 0 ? cubic - 1 : 0;
        double t = a.v[i] - curve->x[knot], c1 = curve->slope[knot];
        double c2 = curve->quadratic[cubic], c3 = curve->cubic[cubic];
        slope[i] = c1 + t * (2.0 * c2 + 3.0 * c3 * t);
        v[i] = curve->y[knot] + t * (c1 + t * (c2 + c3 * t));
    }
    chain(out, a, slope);
}

// A place on a ramp: between which knots, and how far from the left one to the right one.
struct ramp_place {
    int left, right;
    double t;
};

INLINE struct ramp_place ramp_place_of(const struct ramp *ramp, double x, int64_t below)
{
    int count = ramp->count;
    struct ramp_place place = {.left = below > 0 ? (int)below - 1 : 0, .right = below < count ? (int)below : count - 1};
    place.t = clamp_to((x - ramp->x[place.left]) * ramp->density[below], 0.0, 1.0);
    return place;
}

INLINE double ramp_value(const double *channel, struct ramp_place place)
{
    return channel[place.left] + place.t * (channel[place.right] - channel[place.left]);
}

// The mean of a channel from low to high, which lie between different knots: the pieces at both ends by the trapezoid,
// what lies between from the integral. No piece is the difference of two long ones, so nothing cancels where the
// footprint is short.
INLINE double ramp_mean(const struct ramp *ramp, const double *channel, const double *integral, double low,
                        struct ramp_place from, double high, struct ramp_place to)
{
    double first = (ramp->x[from.right] - low) * (0.5 * (ramp_value(channel, from) + channel[from.right]));
    double last = (high - ramp->x[to.left]) * (0.5 * (channel[to.left] + ramp_value(channel, to)));
    return (first + (integral[to.left] - integral[from.right]) + last) / (high - low);
}

static void ramp_color(double *const out[3], const struct ramp *ramp, const double *low, const double *high)
{
    SCRATCH int64_t below_low[PLANET_BLOCK], below_high[PLANET_BLOCK];
    count_knots(below_low, low, ramp->x, ramp->count);
    count_knots(below_high, high, ramp->x, ramp->count);
    const double *channels[3] = {ramp->red, ramp->green, ramp->blue};
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct ramp_place from = ramp_place_of(ramp, low[i], below_low[i]);
        struct ramp_place to = ramp_place_of(ramp, high[i], below_high[i]);
        for (int c = 0; c < 3; c++)
            if (below_low[i] == below_high[i]) // one straight piece: its mean is its middle
                out[c][i] = 0.5 * (ramp_value(channels[c], from) + ramp_value(channels[c], to));
            else
                out[c][i] = ramp_mean(ramp, channels[c], ramp->integral[c], low[i], from, high[i], to);
    }
}

static void color_ramp(double *const out[3], struct field a, const double *x, const double *y, const double *z,
                       const struct ramp *ramp, double spacing)
{
    SCRATCH double low[PLANET_BLOCK], high[PLANET_BLOCK];
    if (!a.gx) {
        ramp_color(out, ramp, a.v, a.v);
        return;
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double width = spacing * tangential_length(a.gx[i], a.gy[i], a.gz[i], x[i], y[i], z[i]);
        // Finite, so that the colour of what overflowed or is not a number is one of the ramp's.
        double half = clamp_to(0.5 * width, 0.0, 1e30), middle = clamp_to(a.v[i], -1e30, 1e30);
        low[i] = middle - half;
        high[i] = middle + half;
    }
    ramp_color(out, ramp, low, high);
}

static void color_mix(double *const out[3], double *const a[3], double *const b[3], const double *t)
{
    for (int c = 0; c < 3; c++) {
        double *mixed = out[c];
        const double *from = a[c], *to = b[c];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            mixed[i] = mix_of(from[i], to[i], clamp_to(t[i], 0.0, 1.0));
    }
}

static void color_scale(double *const out[3], double *const a[3], const double *factor)
{
    for (int c = 0; c < 3; c++) {
        double *scaled = out[c];
        const double *color = a[c];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            scaled[i] = product_of(color[i], factor[i]);
    }
}

#endif
