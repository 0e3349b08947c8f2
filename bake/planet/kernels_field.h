// SPDX-License-Identifier: MIT
// Arithmetic on fields, value and gradient. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_FIELD_H
#define TERRANE_BAKE_PLANET_KERNELS_FIELD_H

#include "bake/planet/kernels_common.h"

static void fill_row(double *out, double value)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = value;
}

static void fill(struct field out, double value)
{
    fill_row(out.v, value);
    if (!out.gx)
        return;
    fill_row(out.gx, 0.0);
    fill_row(out.gy, 0.0);
    fill_row(out.gz, 0.0);
}

// Chain rule: the gradient of a function of a that has this slope. Where the slope is 0 the result is 0 whatever a's
// gradient is, so that what a mask cuts off cannot spoil it.
INLINE double chain_of(double g, double slope)
{
    return slope == 0.0 ? 0.0 : slope * g;
}

INLINE void chain_at(struct field out, struct field a, int i, double slope)
{
    out.gx[i] = chain_of(a.gx[i], slope);
    out.gy[i] = chain_of(a.gy[i], slope);
    out.gz[i] = chain_of(a.gz[i], slope);
}

static void chain(struct field out, struct field a, const double *slope)
{
    if (!out.gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        chain_at(out, a, i, slope[i]);
}

static void scale_row(double *out, const double *a, double scale, double offset)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = scale * a[i] + offset;
}

static void affine(struct field out, struct field a, double scale, double offset)
{
    if (scale == 0.0) { // a factor like any other: see product_of
        fill(out, 0.0 + offset);
        return;
    }
    scale_row(out.v, a.v, scale, offset);
    if (!out.gx)
        return;
    scale_row(out.gx, a.gx, scale, 0.0);
    scale_row(out.gy, a.gy, scale, 0.0);
    scale_row(out.gz, a.gz, scale, 0.0);
}

static void add_row(double *out, const double *a, const double *b)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = a[i] + b[i];
}

static void add(struct field out, struct field a, struct field b)
{
    add_row(out.v, a.v, b.v);
    if (!out.gx)
        return;
    add_row(out.gx, a.gx, b.gx);
    add_row(out.gy, a.gy, b.gy);
    add_row(out.gz, a.gz, b.gz);
}

static void subtract_row(double *out, const double *a, const double *b)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = a[i] - b[i];
}

static void subtract(struct field out, struct field a, struct field b)
{
    subtract_row(out.v, a.v, b.v);
    if (!out.gx)
        return;
    subtract_row(out.gx, a.gx, b.gx);
    subtract_row(out.gy, a.gy, b.gy);
    subtract_row(out.gz, a.gz, b.gz);
}

// Nothing times anything is nothing: +0 where a or b is 0.
INLINE double product_of(double a, double b)
{
    return ((a == 0.0) | (b == 0.0)) ? 0.0 : a * b;
}

static void multiply(struct field out, struct field a, struct field b)
{
    if (!out.gx) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            out.v[i] = product_of(a.v[i], b.v[i]);
        return;
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double av = a.v[i], bv = b.v[i];
        out.gx[i] = product_of(av, b.gx[i]) + product_of(bv, a.gx[i]);
        out.gy[i] = product_of(av, b.gy[i]) + product_of(bv, a.gy[i]);
        out.gz[i] = product_of(av, b.gz[i]) + product_of(bv, a.gz[i]);
        out.v[i] = product_of(av, bv);
    }
}

static void divide_row(double *out, const double *ga, const double *gb, const double *quotient, const double *inverse)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = (ga[i] - quotient[i] * gb[i]) * inverse[i];
}

static void divide(struct field out, struct field a, struct field b)
{
    SCRATCH double quotient[PLANET_BLOCK], inverse[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        quotient[i] = a.v[i] / b.v[i];
        inverse[i] = 1.0 / b.v[i];
    }
    if (out.gx) {
        divide_row(out.gx, a.gx, b.gx, quotient, inverse);
        divide_row(out.gy, a.gy, b.gy, quotient, inverse);
        divide_row(out.gz, a.gz, b.gz, quotient, inverse);
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] = quotient[i];
}

// In what follows gradients come first: out may be a or b, whose values they need.
static void choose_lower_row(double *out, const double *a, const double *ga, const double *b, const double *gb)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = a[i] <= b[i] ? ga[i] : gb[i];
}

static void minimum(struct field out, struct field a, struct field b)
{
    if (out.gx) {
        choose_lower_row(out.gx, a.v, a.gx, b.v, b.gx);
        choose_lower_row(out.gy, a.v, a.gy, b.v, b.gy);
        choose_lower_row(out.gz, a.v, a.gz, b.v, b.gz);
    }
    choose_lower_row(out.v, a.v, a.v, b.v, b.v);
}

static void choose_higher_row(double *out, const double *a, const double *ga, const double *b, const double *gb)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = a[i] >= b[i] ? ga[i] : gb[i];
}

static void maximum(struct field out, struct field a, struct field b)
{
    if (out.gx) {
        choose_higher_row(out.gx, a.v, a.gx, b.v, b.gx);
        choose_higher_row(out.gy, a.v, a.gy, b.v, b.gy);
        choose_higher_row(out.gz, a.v, a.gz, b.v, b.gz);
    }
    choose_higher_row(out.v, a.v, a.v, b.v, b.v);
}

static void absolute(struct field out, struct field a)
{
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        slope[i] = a.v[i] < 0.0 ? -1.0 : 1.0;
        v[i] = fabs(a.v[i]);
    }
    chain(out, a, slope);
}

static void square_root(struct field out, struct field a)
{
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double root = sqrt(a.v[i] > 0.0 ? a.v[i] : 0.0);
        slope[i] = root > 0.0 ? 0.5 / root : 0.0;
        v[i] = root;
    }
    chain(out, a, slope);
}

static void clamp(struct field out, struct field a, double low, double high)
{
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double clamped = clamp_to(a.v[i], low, high);
        slope[i] = clamped == a.v[i] ? 1.0 : 0.0;
        v[i] = clamped;
    }
    chain(out, a, slope);
}

INLINE double step_of(double x, double low, double width)
{
    return clamp_to((x - low) / width, 0.0, 1.0);
}

static void smoothstep(struct field out, struct field a, double low, double high)
{
    assert(low != high);
    double width = high - low, steepest = 6.0 / width;
    if (!out.gx) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double t = step_of(a.v[i], low, width);
            out.v[i] = t * t * (3.0 - 2.0 * t);
        }
        return;
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double t = step_of(a.v[i], low, width);
        chain_at(out, a, i, steepest * (t * (1.0 - t)));
        out.v[i] = t * t * (3.0 - 2.0 * t);
    }
}

// At both ends exactly the one that is taken, whatever the other is.
INLINE double mix_of(double a, double b, double t)
{
    double between = a + t * (b - a);
    return t == 0.0 ? a : (t == 1.0 ? b : between);
}

static void mix(struct field out, struct field a, struct field b, struct field t)
{
    if (!out.gx) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            out.v[i] = mix_of(a.v[i], b.v[i], t.v[i]);
        return;
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double share = t.v[i], rise = b.v[i] - a.v[i];
        out.gx[i] = mix_of(a.gx[i], b.gx[i], share) + chain_of(rise, t.gx[i]);
        out.gy[i] = mix_of(a.gy[i], b.gy[i], share) + chain_of(rise, t.gy[i]);
        out.gz[i] = mix_of(a.gz[i], b.gz[i], share) + chain_of(rise, t.gz[i]);
        out.v[i] = mix_of(a.v[i], b.v[i], share);
    }
}

static void exponential(struct field out, struct field a)
{
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double e = exp_of(a.v[i]);
        slope[i] = a.v[i] > 700.0 ? 0.0 : e;
        v[i] = e;
    }
    chain(out, a, slope);
}

// The share of a footprint that lies above, its middle so far beyond. One without width (a flat field and none given)
// has the point's own share, 0 or 1.
INLINE double share_above(double beyond, double width)
{
    double share = clamp_to(0.5 + beyond / (width > 0.0 ? width : 1.0), 0.0, 1.0);
    return width > 0.0 ? share : (beyond >= 0.0 ? 1.0 : 0.0);
}

static void above(struct field out, struct field a, const double *x, const double *y, const double *z, double at,
                  double width_min, double spacing, double width_most)
{
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double width = spacing * tangential_length(a.gx[i], a.gy[i], a.gz[i], x[i], y[i], z[i]);
        width = width > width_most ? width_most : width;
        width = width > width_min ? width : width_min;
        v[i] = share_above(a.v[i] - at, width);
    }
}

static bool above_by_value(struct field out, const double *a, double at, double width_min, double width_most)
{
    double *v = out.v, width = width_most > width_min ? width_most : width_min;
    int64_t unsure = 0;
    bool known = width_most <= width_min; // then this is the width, else a share is 0 or 1 beyond half of it
#pragma omp simd reduction(+ : unsure)
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double beyond = a[i] - at;
        v[i] = share_above(beyond, width);
        unsure += fabs(beyond) > 0.5 * width ? INT64_C(0) : INT64_C(1);
    }
    return known || unsure == 0;
}

static void steepness(struct field out, struct field a, const double *x, const double *y, const double *z)
{
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] = tangential_length(a.gx[i], a.gy[i], a.gz[i], x[i], y[i], z[i]);
}

#endif
