// SPDX-License-Identifier: MIT
// Cubic B-splines in three dimensions. Part of kernels_template.c.
//
// Samples are taken one after the other, since each may lie in another cell; what is vectorised is the row of four
// coefficients along x.
#ifndef TERRANE_BAKE_PLANET_KERNELS_SPLINE_H
#define TERRANE_BAKE_PLANET_KERNELS_SPLINE_H

#include "bake/planet/kernels_common.h"

// Weights of the four nodes along an axis at t (0..1) from the second of them to the third.
INLINE void weights_at(double *value, double t)
{
    double s = 1.0 - t, t2 = t * t, s2 = s * s;
    const double sixth = 1.0 / 6.0;
    value[0] = s2 * s * sixth;
    value[1] = (3.0 * t2 * t - 6.0 * t2 + 4.0) * sixth;
    value[2] = (3.0 * s2 * s - 6.0 * s2 + 4.0) * sixth;
    value[3] = t2 * t * sixth;
}

INLINE void slopes_at(double *slope, double t)
{
    double s = 1.0 - t;
    slope[0] = -0.5 * s * s;
    slope[1] = 1.5 * t * t - 2.0 * t;
    slope[2] = 2.0 * s - 1.5 * s * s;
    slope[3] = 0.5 * t * t;
}

static void spline_weights(struct lattice_places *places, bool slopes, bool curvatures)
{
    const double *at[3] = {places->x, places->y, places->z};
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double t = at[axis][i];
            weights_at(places->value[i][axis], t);
            if (slopes)
                slopes_at(places->slope[i][axis], t);
            if (!curvatures)
                continue;
            places->curvature[i][axis][0] = 1.0 - t;
            places->curvature[i][axis][1] = 3.0 * t - 2.0;
            places->curvature[i][axis][2] = 3.0 * (1.0 - t) - 2.0;
            places->curvature[i][axis][3] = t;
        }
    }
}

// The weighted sum of four layers of 16 numbers.
INLINE void mix_layers(double *restrict out, const double *restrict c, const double w[4])
{
    double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    KERNEL_LOOP
    for (int i = 0; i < 16; i++)
        out[i] = (c[i] * w0 + c[16 + i] * w1) + (c[32 + i] * w2 + c[48 + i] * w3);
}

// The weighted sum of four rows of four numbers.
INLINE void mix_rows(double *restrict out, const double *restrict c, const double w[4])
{
    double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    KERNEL_LOOP
    for (int i = 0; i < 4; i++)
        out[i] = (c[i] * w0 + c[4 + i] * w1) + (c[8 + i] * w2 + c[12 + i] * w3);
}

INLINE double dot_row(const double row[4], const double w[4])
{
    return (row[0] * w[0] + row[1] * w[1]) + (row[2] * w[2] + row[3] * w[3]);
}

STAGE void spline(double *const out[4], const struct lattice_places *places, const double *coefficients, double scale)
{
    SCRATCH double along_z[16], slope_z[16], row[4], row_y[4], row_z[4];
    double *v = out[0], *gx = out[1], *gy = out[2], *gz = out[3];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        const double *c = coefficients + 64 * places->cell[i];
        const double(*value)[4] = places->value[i], (*slope)[4] = places->slope[i];
        mix_layers(along_z, c, value[2]);
        mix_rows(row, along_z, value[1]);
        v[i] = dot_row(row, value[0]);
        if (!gx)
            continue;
        mix_layers(slope_z, c, slope[2]);
        mix_rows(row_y, along_z, slope[1]);
        mix_rows(row_z, slope_z, value[1]);
        gx[i] = dot_row(row, slope[0]) * scale;
        gy[i] = dot_row(row_y, value[0]) * scale;
        gz[i] = dot_row(row_z, value[0]) * scale;
    }
}

STAGE void spline_curvature(double *const gradient[3], double *const hessian[9], const struct lattice_places *places,
                            const double *coefficients, double scale)
{
    SCRATCH double along_z[16], slope_z[16], curve_z[16], row[4], row_y[4], row_z[4], other[4];
    double square = scale * scale;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        const double *c = coefficients + 64 * places->cell[i];
        const double(*value)[4] = places->value[i], (*slope)[4] = places->slope[i];
        const double(*curvature)[4] = places->curvature[i];
        mix_layers(along_z, c, value[2]);
        mix_layers(slope_z, c, slope[2]);
        mix_rows(row, along_z, value[1]);
        mix_rows(row_y, along_z, slope[1]);
        mix_rows(row_z, slope_z, value[1]);
        gradient[0][i] = dot_row(row, slope[0]) * scale;
        gradient[1][i] = dot_row(row_y, value[0]) * scale;
        gradient[2][i] = dot_row(row_z, value[0]) * scale;
        if (!hessian)
            continue;
        hessian[0][i] = dot_row(row, curvature[0]) * square;
        hessian[1][i] = hessian[3][i] = dot_row(row_y, slope[0]) * square;
        hessian[2][i] = hessian[6][i] = dot_row(row_z, slope[0]) * square;
        mix_rows(other, along_z, curvature[1]);
        hessian[4][i] = dot_row(other, value[0]) * square;
        mix_rows(other, slope_z, slope[1]);
        hessian[5][i] = hessian[7][i] = dot_row(other, value[0]) * square;
        mix_layers(curve_z, c, curvature[2]);
        mix_rows(other, curve_z, value[1]);
        hessian[8][i] = dot_row(other, value[0]) * square;
    }
}

#endif
