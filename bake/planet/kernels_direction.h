// SPDX-License-Identifier: MIT
// What goes into the engine and comes out of it: directions, heights, gradients, colours. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_DIRECTION_H
#define TERRANE_BAKE_PLANET_KERNELS_DIRECTION_H

#include "bake/planet/kernels_common.h"

STAGE void normalise(int count, double *restrict x, double *restrict y, double *restrict z)
{
    KERNEL_LOOP
    for (int k = 0; k < count; k++) {
        double length = sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
        x[k] /= length;
        y[k] /= length;
        z[k] /= length;
    }
}

STAGE void scaled(double *out, const double *a, double scale, int count)
{
    KERNEL_LOOP
    for (int i = 0; i < count; i++)
        out[i] = a[i] * scale;
}

STAGE void clamped(double *restrict out, const double *restrict a, int count)
{
    KERNEL_LOOP
    for (int i = 0; i < count; i++) {
        double low = a[i] > 0.0 ? a[i] : 0.0;
        out[i] = low < 1.0 ? low : 1.0;
    }
}

STAGE void tangential(double *const out[3], struct field a, const double *x, const double *y, const double *z,
                      double scale, int count)
{
    double *ox = out[0], *oy = out[1], *oz = out[2];
    const double *gx = a.gx, *gy = a.gy, *gz = a.gz;
    KERNEL_LOOP
    for (int i = 0; i < count; i++) {
        double along = gx[i] * x[i] + gy[i] * y[i] + gz[i] * z[i];
        ox[i] = (gx[i] - along * x[i]) * scale;
        oy[i] = (gy[i] - along * y[i]) * scale;
        oz[i] = (gz[i] - along * z[i]) * scale;
    }
}

#endif
