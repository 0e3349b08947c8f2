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

// One straight piece of a ramp: from..to, the colour at t = (x - start) * density. Those outside of the knots are
// flat.
struct ramp_piece {
    double from, to, start, density;
    double left[3], rise[3];
};

static struct ramp_piece ramp_piece_of(const struct ramp *ramp, int below)
{
    int left = below > 0 ? below - 1 : 0, right = below < ramp->count ? below : ramp->count - 1;
    struct ramp_piece piece = {.from = below > 0 ? ramp->x[left] : -INFINITY,
                               .to = below < ramp->count ? ramp->x[right] : INFINITY,
                               .start = ramp->x[left],
                               .density = ramp->density[below]};
    const double *channels[3] = {ramp->red, ramp->green, ramp->blue};
    for (int c = 0; c < 3; c++) {
        piece.left[c] = channels[c][left];
        piece.rise[c] = channels[c][right] - channels[c][left];
    }
    return piece;
}

// Adds a piece's share of the footprints from low to high around middle: how much of each lies on it, times the colour
// in the middle of that part. A footprint on one piece alone, also one without width, has the colour of its middle.
STAGE void add_ramp_piece(double *const out[3], const double *restrict low, const double *restrict middle,
                          const double *restrict high, const double *restrict inverse_width,
                          const struct ramp_piece *piece)
{
    double *red = out[0], *green = out[1], *blue = out[2];
    const double *left = piece->left, *rise = piece->rise;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double from = low[i] > piece->from ? low[i] : piece->from, to = high[i] < piece->to ? high[i] : piece->to;
        double share = to > from ? (to - from) * inverse_width[i] : 0.0, at = 0.5 * (from + to);
        bool alone = (low[i] >= piece->from) & (high[i] < piece->to);
        share = alone ? 1.0 : share;
        at = alone ? middle[i] : at;
        double t = clamp_to((at - piece->start) * piece->density, 0.0, 1.0);
        red[i] += share * (left[0] + t * rise[0]);
        green[i] += share * (left[1] + t * rise[1]);
        blue[i] += share * (left[2] + t * rise[2]);
    }
}

// What add_ramp_piece makes of black where all footprints are on one piece.
STAGE void fill_ramp_piece(double *const out[3], const double *restrict middle, const struct ramp_piece *piece)
{
    double *red = out[0], *green = out[1], *blue = out[2];
    const double *left = piece->left, *rise = piece->rise;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double t = clamp_to((middle[i] - piece->start) * piece->density, 0.0, 1.0);
        red[i] = 0.0 + (left[0] + t * rise[0]);
        green[i] = 0.0 + (left[1] + t * rise[1]);
        blue[i] = 0.0 + (left[2] + t * rise[2]);
    }
}

static void ramp_color(double *const out[3], const struct ramp *ramp, const double *low, const double *middle,
                       const double *high)
{
    SCRATCH double inverse_width[PLANET_BLOCK];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        inverse_width[i] = 1.0 / (high[i] - low[i]);
    int lowest[2], highest[2];
    find_pieces(lowest, low, ramp->x, ramp->count);
    find_pieces(highest, high, ramp->x, ramp->count);
    for (int c = 0; c < 3; c++)
        fill_row(out[c], 0.0);
    for (int below = lowest[0]; below <= highest[1]; below++) {
        struct ramp_piece piece = ramp_piece_of(ramp, below);
        add_ramp_piece(out, low, middle, high, inverse_width, &piece);
    }
}

static int knots_below(const struct ramp *ramp, double x)
{
    int below = 0;
    for (int k = 0; k < ramp->count; k++)
        below += x >= ramp->x[k];
    return below;
}

// The piece that has all footprints that reach out so far from middle, by how many knots are below them; -1 where one
// may touch a knot.
static int only_ramp_piece(const struct ramp *ramp, const double *middle, double reach)
{
    double low = INFINITY, high = -INFINITY;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int i = 0; i < PLANET_BLOCK; i++) {
        low = middle[i] < low ? middle[i] : low;
        high = middle[i] > high ? middle[i] : high;
    }
    int below = knots_below(ramp, low - reach);
    return knots_below(ramp, high + reach) == below ? below : -1;
}

// How far footprints reach out at most: by half of spacing times the part of the gradient that is tangential, at most
// all of it.
static double ramp_reach(struct field a, double spacing, double width_most)
{
    double square = 0;
    if (a.gx) {
#pragma omp simd reduction(max : square)
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double here = a.gx[i] * a.gx[i] + a.gy[i] * a.gy[i] + a.gz[i] * a.gz[i];
            square = here > square ? here : square;
        }
    }
    double reach = 0.5001 * (spacing * sqrt(square)); // more than rounding may add
    return reach < 0.5 * width_most ? reach : 0.5 * width_most;
}

// Finite, so that the colour of what overflowed or is not a number is one of the ramp's.
static void finite_middles(double *restrict middle, const double *restrict a)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        middle[i] = clamp_to(a[i], -1e30, 1e30);
}

// False, and no colours, where not all footprints are on one piece.
static bool ramp_of_one_piece(double *const out[3], const double *middle, const struct ramp *ramp, double reach)
{
    int only = only_ramp_piece(ramp, middle, reach);
    if (only < 0)
        return false;
    struct ramp_piece piece = ramp_piece_of(ramp, only);
    fill_ramp_piece(out, middle, &piece);
    return true;
}

static bool color_ramp_by_value(double *const out[3], const double *a, const struct ramp *ramp, double width_most)
{
    SCRATCH double middle[PLANET_BLOCK];
    finite_middles(middle, a);
    return ramp_of_one_piece(out, middle, ramp, 0.5 * width_most);
}

static void color_ramp(double *const out[3], struct field a, const double *x, const double *y, const double *z,
                       const struct ramp *ramp, double spacing, double width_most)
{
    SCRATCH double low[PLANET_BLOCK], middle[PLANET_BLOCK], high[PLANET_BLOCK];
    finite_middles(middle, a.v);
    if (ramp_of_one_piece(out, middle, ramp, ramp_reach(a, spacing, width_most)))
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        low[i] = high[i] = middle[i];
    if (a.gx) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double width = spacing * tangential_length(a.gx[i], a.gy[i], a.gz[i], x[i], y[i], z[i]);
            double half = clamp_to(0.5 * (width > width_most ? width_most : width), 0.0, 1e30);
            low[i] -= half;
            high[i] += half;
        }
    }
    ramp_color(out, ramp, low, middle, high);
}

static void color_mix(double *const out[3], double *const a[3], double *const b[3], const double *t)
{
    double *red = out[0], *green = out[1], *blue = out[2];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double share = clamp_to(t[i], 0.0, 1.0);
        red[i] = mix_of(a[0][i], b[0][i], share);
        green[i] = mix_of(a[1][i], b[1][i], share);
        blue[i] = mix_of(a[2][i], b[2][i], share);
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
