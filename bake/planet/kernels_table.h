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

// One piece of a curve: the cubic from a knot.
struct curve_piece {
    double x, y, c1, c2, c3;
};

// below: how many knots are at or below where it is asked for.
INLINE struct curve_piece curve_piece_of(const struct curve *curve, int64_t below)
{
    int64_t knot = below > 0 ? below - 1 : 0;
    return (struct curve_piece){curve->x[knot], curve->y[knot], curve->slope[knot], curve->quadratic[below],
                                curve->cubic[below]};
}

INLINE double curve_value(struct curve_piece p, double x)
{
    double t = x - p.x;
    return p.y + t * (p.c1 + t * (p.c2 + p.c3 * t));
}

INLINE double curve_slope(struct curve_piece p, double x)
{
    double t = x - p.x;
    return p.c1 + t * (2.0 * p.c2 + 3.0 * p.c3 * t);
}

// How many knots are at or below the lowest and the highest of a block: 0 and 0 where none is a number.
static void find_pieces(int below[2], const double *x, const double *knots, int count)
{
    double low = INFINITY, high = -INFINITY;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int i = 0; i < PLANET_BLOCK; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    below[0] = below[1] = 0;
    for (int k = 0; k < count && low <= high; k++) {
        below[0] += low >= knots[k];
        below[1] += high >= knots[k];
    }
}

// Pieces up to which it is quicker to evaluate each for all samples than to look up each sample's own.
#define CURVE_PIECES_FEW 5

// The samples from where the piece begins on, which is one more knot than those before have.
STAGE void add_curve_piece(double *restrict v, double *restrict slope, const double *restrict x,
                           struct curve_piece piece)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        v[i] = x[i] >= piece.x ? curve_value(piece, x[i]) : v[i];
        slope[i] = x[i] >= piece.x ? curve_slope(piece, x[i]) : slope[i];
    }
}

static void evaluate_few_pieces(double *restrict v, double *restrict slope, const double *restrict x,
                                const struct curve *curve, const int below[2])
{
    struct curve_piece first = curve_piece_of(curve, below[0]);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        v[i] = curve_value(first, x[i]);
        slope[i] = curve_slope(first, x[i]);
    }
    for (int k = below[0] + 1; k <= below[1]; k++)
        add_curve_piece(v, slope, x, curve_piece_of(curve, k));
}

static void evaluate_many_pieces(double *restrict v, double *restrict slope, const double *restrict x,
                                 const struct curve *curve)
{
    SCRATCH int64_t below[PLANET_BLOCK];
    count_knots(below, x, curve->x, curve->count);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct curve_piece piece = curve_piece_of(curve, below[i]);
        v[i] = curve_value(piece, x[i]);
        slope[i] = curve_slope(piece, x[i]);
    }
}

static void evaluate_curve(struct field out, struct field a, const struct curve *curve)
{
    SCRATCH double v[PLANET_BLOCK], slope[PLANET_BLOCK];
    int below[2];
    find_pieces(below, a.v, curve->x, curve->count);
    if (below[1] - below[0] < CURVE_PIECES_FEW)
        evaluate_few_pieces(v, slope, a.v, curve, below);
    else
        evaluate_many_pieces(v, slope, a.v, curve);
    memcpy(out.v, v, sizeof v);
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
