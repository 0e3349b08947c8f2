// SPDX-License-Identifier: MIT
// Cubic B-splines in three dimensions. Part of kernels_template.c.
//
// Samples are taken one after the other, since each may lie in another cell; what is vectorised is the row of four
// coefficients along x.
#ifndef TERRANE_BAKE_PLANET_KERNELS_SPLINE_H
#define TERRANE_BAKE_PLANET_KERNELS_SPLINE_H

#include "bake/planet/kernels_common.h"

// Four numbers that belong to the four nodes along an axis.
struct quad {
    double n[4];
};

// Weights of the spline, of its first and of its second derivative, at t from the second node (0..1) to the third.
struct spline_weights {
    struct quad value, slope, curvature;
};

INLINE struct spline_weights spline_weights_at(double t)
{
    double s = 1.0 - t, t2 = t * t, s2 = s * s;
    const double sixth = 1.0 / 6.0;
    return (struct spline_weights){
        .value = {{s2 * s * sixth, (3.0 * t2 * t - 6.0 * t2 + 4.0) * sixth, (3.0 * s2 * s - 6.0 * s2 + 4.0) * sixth,
                   t2 * t * sixth}},
        .slope = {{-0.5 * s2, 1.5 * t2 - 2.0 * t, 2.0 * s - 1.5 * s2, 0.5 * t2}},
        .curvature = {{s, 3.0 * t - 2.0, 3.0 * s - 2.0, t}},
    };
}

// The sum of four rows, row k weighted by w.n[k].
INLINE struct quad mix_rows(const struct quad *rows, int apart, struct quad w)
{
    struct quad sum;
    for (int i = 0; i < 4; i++)
        sum.n[i] = rows[0].n[i] * w.n[0] + rows[apart].n[i] * w.n[1] + rows[2 * apart].n[i] * w.n[2] +
                   rows[3 * apart].n[i] * w.n[3];
    return sum;
}

INLINE double dot_row(struct quad row, struct quad w)
{
    return (row.n[0] * w.n[0] + row.n[1] * w.n[1]) + (row.n[2] * w.n[2] + row.n[3] * w.n[3]);
}

static void spline(double *const out[4], const struct lattice_places *places, const double *coefficients, double scale)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct quad rows[16], along_z[4], slope_z[4];
        memcpy(rows, coefficients + 64 * places->cell[i], sizeof rows);
        struct spline_weights x = spline_weights_at(places->x[i]), y = spline_weights_at(places->y[i]),
                              z = spline_weights_at(places->z[i]);
        for (int k = 0; k < 4; k++)
            along_z[k] = mix_rows(&rows[k], 4, z.value);
        struct quad row = mix_rows(along_z, 1, y.value);
        out[0][i] = dot_row(row, x.value);
        if (!out[1])
            continue;
        for (int k = 0; k < 4; k++)
            slope_z[k] = mix_rows(&rows[k], 4, z.slope);
        out[1][i] = dot_row(row, x.slope) * scale;
        out[2][i] = dot_row(mix_rows(along_z, 1, y.slope), x.value) * scale;
        out[3][i] = dot_row(mix_rows(slope_z, 1, y.value), x.value) * scale;
    }
}

static void spline_curvature(double *const gradient[3], double *const hessian[9], const struct lattice_places *places,
                             const double *coefficients, double scale)
{
    double square = scale * scale;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct quad rows[16], along_z[4], slope_z[4], curve_z[4];
        memcpy(rows, coefficients + 64 * places->cell[i], sizeof rows);
        struct spline_weights x = spline_weights_at(places->x[i]), y = spline_weights_at(places->y[i]),
                              z = spline_weights_at(places->z[i]);
        for (int k = 0; k < 4; k++) {
            along_z[k] = mix_rows(&rows[k], 4, z.value);
            slope_z[k] = mix_rows(&rows[k], 4, z.slope);
        }
        struct quad row = mix_rows(along_z, 1, y.value), row_y = mix_rows(along_z, 1, y.slope);
        struct quad row_z = mix_rows(slope_z, 1, y.value);
        gradient[0][i] = dot_row(row, x.slope) * scale;
        gradient[1][i] = dot_row(row_y, x.value) * scale;
        gradient[2][i] = dot_row(row_z, x.value) * scale;
        if (!hessian)
            continue;
        for (int k = 0; k < 4; k++)
            curve_z[k] = mix_rows(&rows[k], 4, z.curvature);
        double xy = dot_row(row_y, x.slope) * square, xz = dot_row(row_z, x.slope) * square;
        double yz = dot_row(mix_rows(slope_z, 1, y.slope), x.value) * square;
        hessian[0][i] = dot_row(row, x.curvature) * square;
        hessian[4][i] = dot_row(mix_rows(along_z, 1, y.curvature), x.value) * square;
        hessian[8][i] = dot_row(mix_rows(curve_z, 1, y.value), x.value) * square;
        hessian[1][i] = hessian[3][i] = xy;
        hessian[2][i] = hessian[6][i] = xz;
        hessian[5][i] = hessian[7][i] = yz;
    }
}

#endif
