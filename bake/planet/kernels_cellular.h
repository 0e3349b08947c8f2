// SPDX-License-Identifier: MIT
// Cellular noise over blocks. Part of kernels_template.c, behind kernels_fractal.h, whose cells and hash it uses.
#ifndef TERRANE_BAKE_PLANET_KERNELS_CELLULAR_H
#define TERRANE_BAKE_PLANET_KERNELS_CELLULAR_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"
#include "bake/planet/kernels_fractal.h"
#include "bake/planet/octave.h"

// Up to this frequency it runs in double: as of noise (kernels.h), whatever the spacing.
#define CELLULAR_DOUBLE_FREQUENCY 32.0

#define REAL float
#define REAL_SQRT sqrtf
#define NAME(x) x##_float
#include "bake/planet/kernels_cell.h"
#undef REAL
#undef REAL_SQRT
#undef NAME

#define REAL double
#define REAL_SQRT sqrt
#define NAME(x) x##_double
#include "bake/planet/kernels_cell.h"
#undef REAL
#undef REAL_SQRT
#undef NAME

// What stands in for it where the spacing carries none of it. Fitted to means over 400,000 places for each of 11
// jitters, to 0.004.
static double cellular_mean(const struct cellular *cellular)
{
    double j = cellular->jitter;
    switch (cellular->kind) {
    case CELLULAR_DISTANCE: return 0.4803 + j * j * (0.0564 - 0.0162 * j);
    case CELLULAR_EDGE: return 0.2224 + j * j * (0.0034 - 0.0300 * j);
    case CELLULAR_VALUE: break;
    }
    return 0.0;
}

static void cellular_noise(struct field out, const struct points *at, const struct cellular *cellular)
{
    struct fractal fractal = {.kind = FRACTAL_FBM,
                              .frequency = cellular->frequency,
                              .octaves = 1,
                              .gain = 1.0,
                              .lacunarity = 2.0,
                              .seed = cellular->seed,
                              .f_max = cellular->f_max};
    struct octave octaves[OCTAVE_COUNT_MAX];
    double mean = cellular_mean(cellular);
    fill(out, mean);
    if (octaves_prepare(octaves, &fractal) == 0)
        return;
    if (octaves[0].frequency <= CELLULAR_DOUBLE_FREQUENCY)
        add_cellular_double(out, at, &octaves[0], cellular, mean);
    else
        add_cellular_float(out, at, &octaves[0], cellular, mean);
    if (out.gx && at->jacobian[0])
        apply_jacobian(out, at->jacobian);
}

#endif
