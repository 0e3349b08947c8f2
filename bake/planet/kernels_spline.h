// SPDX-License-Identifier: MIT
// Cubic B-splines in three dimensions. Part of kernels_template.c.
//
// A vector holds one number of several samples that follow each other. Mostly they all lie in one cell, and its
// coefficients are the same for all; else the vector is evaluated for each cell in turn, and every sample takes what
// its own cell gives.
#ifndef TERRANE_BAKE_PLANET_KERNELS_SPLINE_H
#define TERRANE_BAKE_PLANET_KERNELS_SPLINE_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_lanes.h"

#define SPLINE_SAMPLES (LANES / 2) // in a vector

// What the four nodes along an axis weigh.
struct spline_weights {
    DOUBLES a, b, c, d;
};

// For the spline and its first and second derivative; t (0..1) goes from the second node to the third.
struct spline_axis {
    struct spline_weights value, slope, curvature;
};

INLINE struct spline_axis spline_axis_at(const double *from)
{
    DOUBLES t;
    memcpy(&t, from, sizeof t);
    DOUBLES s = 1.0 - t, t2 = t * t, s2 = s * s;
    const double sixth = 1.0 / 6.0;
    return (struct spline_axis){
        .value = {s2 * s * sixth, (3.0 * t2 * t - 6.0 * t2 + 4.0) * sixth, (3.0 * s2 * s - 6.0 * s2 + 4.0) * sixth,
                  t2 * t * sixth},
        .slope = {-0.5 * s * s, 1.5 * t * t - 2.0 * t, 2.0 * s - 1.5 * s * s, 0.5 * t * t},
        .curvature = {1.0 - t, 3.0 * t - 2.0, 3.0 * (1.0 - t) - 2.0, t},
    };
}

INLINE DOUBLES spline_mix(DOUBLES a, DOUBLES b, DOUBLES c, DOUBLES d, const struct spline_weights *w)
{
    return (a * w->a + b * w->b) + (c * w->c + d * w->d);
}

// Four numbers, one for each node along an axis.
struct spline_four {
    DOUBLES a, b, c, d;
};

INLINE DOUBLES spline_mix_four(struct spline_four four, const struct spline_weights *w)
{
    return spline_mix(four.a, four.b, four.c, four.d, w);
}

// Along z, from coefficients that are 16 apart.
INLINE DOUBLES spline_mix_z(const double *c, const struct spline_weights *w)
{
    return (c[0] * w->a + c[16] * w->b) + (c[32] * w->c + c[48] * w->d);
}

// Along z for each node along y.
INLINE struct spline_four spline_along_z(const double *c, const struct spline_weights *w)
{
    return (struct spline_four){spline_mix_z(c, w), spline_mix_z(c + 4, w), spline_mix_z(c + 8, w),
                                spline_mix_z(c + 12, w)};
}

// What is left to mix along x, for one node there: the spline and its derivatives by y and z.
struct spline_column {
    DOUBLES v, y, z, yy, yz, zz;
};

INLINE struct spline_column spline_column_at(const double *c, const struct spline_axis *y, const struct spline_axis *z)
{
    struct spline_four value = spline_along_z(c, &z->value), slope = spline_along_z(c, &z->slope),
                       curvature = spline_along_z(c, &z->curvature);
    return (struct spline_column){.v = spline_mix_four(value, &y->value),
                                  .y = spline_mix_four(value, &y->slope),
                                  .z = spline_mix_four(slope, &y->value),
                                  .yy = spline_mix_four(value, &y->curvature),
                                  .yz = spline_mix_four(slope, &y->slope),
                                  .zz = spline_mix_four(curvature, &y->value)};
}

// Of the vector's numbers those from first on.
INLINE void spline_store(double *to, DOUBLES d, int first)
{
    if (first == 0) {
        memcpy(to, &d, sizeof d);
        return;
    }
    double all[SPLINE_SAMPLES];
    memcpy(all, &d, sizeof d);
    for (int k = first; k < SPLINE_SAMPLES; k++)
        to[k] = all[k];
}

// The loop, of which constant arguments leave what they need: out is the value, the gradient and the second derivatives
// by xx, xy, xz, yy, yz and zz.
INLINE void spline_loop(double *const out[10], const struct lattice_places *places, const double *coefficients,
                        double scale, bool value, bool gradient, bool hessian)
{
    double square = scale * scale;
    for (int i = 0; i < PLANET_BLOCK; i += SPLINE_SAMPLES) {
        const int *cell = places->cell + i;
        struct spline_axis x = spline_axis_at(places->at[0] + i), y = spline_axis_at(places->at[1] + i),
                           z = spline_axis_at(places->at[2] + i);
        for (int k = 0, next; k < SPLINE_SAMPLES; k = next) {
            for (next = k + 1; next < SPLINE_SAMPLES && cell[next] == cell[k];)
                next++;
            const double *c = coefficients + 64 * cell[k];
            struct spline_column c0 = spline_column_at(c, &y, &z), c1 = spline_column_at(c + 1, &y, &z),
                                 c2 = spline_column_at(c + 2, &y, &z), c3 = spline_column_at(c + 3, &y, &z);
#define SPLINE_OUT(number, part, weights, factor)                                                                      \
    spline_store(out[number] + i, spline_mix(c0.part, c1.part, c2.part, c3.part, &x.weights) * (factor), k)
            if (value)
                spline_store(out[0] + i, spline_mix(c0.v, c1.v, c2.v, c3.v, &x.value), k);
            if (gradient) {
                SPLINE_OUT(1, v, slope, scale);
                SPLINE_OUT(2, y, value, scale);
                SPLINE_OUT(3, z, value, scale);
            }
            if (hessian) {
                SPLINE_OUT(4, v, curvature, square);
                SPLINE_OUT(5, y, slope, square);
                SPLINE_OUT(6, z, slope, square);
                SPLINE_OUT(7, yy, value, square);
                SPLINE_OUT(8, yz, value, square);
                SPLINE_OUT(9, zz, value, square);
            }
#undef SPLINE_OUT
        }
    }
}

STAGE void spline_value(double *const out[10], const struct lattice_places *places, const double *coefficients)
{
    spline_loop(out, places, coefficients, 1.0, true, false, false);
}

STAGE void spline_value_gradient(double *const out[10], const struct lattice_places *places, const double *coefficients,
                                 double scale)
{
    spline_loop(out, places, coefficients, scale, true, true, false);
}

STAGE void spline_gradient(double *const out[10], const struct lattice_places *places, const double *coefficients,
                           double scale)
{
    spline_loop(out, places, coefficients, scale, false, true, false);
}

STAGE void spline_hessian(double *const out[10], const struct lattice_places *places, const double *coefficients,
                          double scale)
{
    spline_loop(out, places, coefficients, scale, false, true, true);
}

STAGE void find_lattice_places_along(int32_t *restrict low, double *restrict at, const double *restrict position,
                                     double scale)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double place = position[i] * scale, nearest = (place + ROUND) - ROUND;
        double below = nearest > place ? nearest - 1.0 : nearest;
        low[i] = (int32_t)below;
        at[i] = place - below;
    }
}

static void find_lattice_places(struct lattice_places *places, const double *x, const double *y, const double *z,
                                double scale)
{
    find_lattice_places_along(places->low[0], places->at[0], x, scale);
    find_lattice_places_along(places->low[1], places->at[1], y, scale);
    find_lattice_places_along(places->low[2], places->at[2], z, scale);
}

static void spline(double *const out[4], const struct lattice_places *places, const double *coefficients, double scale)
{
    double *const rows[10] = {out[0], out[1], out[2], out[3]};
    if (out[1])
        spline_value_gradient(rows, places, coefficients, scale);
    else
        spline_value(rows, places, coefficients);
}

static void spline_curvature(double *const gradient[3], double *const hessian[9], const struct lattice_places *places,
                             const double *coefficients, double scale)
{
    double *rows[10] = {NULL, gradient[0], gradient[1], gradient[2]};
    if (!hessian) {
        spline_gradient(rows, places, coefficients, scale);
        return;
    }
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    for (int k = 0; k < 6; k++)
        rows[4 + k] = hessian[upper[k]];
    spline_hessian(rows, places, coefficients, scale);
    memcpy(hessian[3], hessian[1], PLANET_BLOCK * sizeof *hessian[3]);
    memcpy(hessian[6], hessian[2], PLANET_BLOCK * sizeof *hessian[6]);
    memcpy(hessian[7], hessian[5], PLANET_BLOCK * sizeof *hessian[7]);
}

#endif
