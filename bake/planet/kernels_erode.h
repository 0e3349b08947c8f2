// SPDX-License-Identifier: MIT
// Erosion as a function of the place: gullies that run down the slope of a guide, each octave's branching off the
// larger ones before. After Clay John (2018), Felix Fewes (2023) and Rune Skovbo Johansen (2026). Part of
// kernels_template.c.
//
// Octave k has waves of length L_k = wavelength / 2^k across the slope of what is there so far, G: the guide's gradient
// and that of the gullies before, at GULLY_BRANCH of its size. Their height is c_k L_k times a steepness that is flat
// where the ground is (no gullies in plains) and bounded where it is steep. An octave fades out where a wave has fewer
// than GULLY_SAMPLES_FULL samples and is gone below EROSION_SAMPLES_NONE. The mean of the gullies is 0.
#ifndef TERRANE_BAKE_PLANET_KERNELS_ERODE_H
#define TERRANE_BAKE_PLANET_KERNELS_ERODE_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_fractal.h"

// Waves in a cell of the lattice, and how far a corner's point may lie from it in cells.
#define GULLY_WAVES 1.25
#define GULLY_JITTER 0.4
#define GULLY_TURN (2.0 * 3.14159265358979323846 * GULLY_WAVES)
// Added to the square of the sums' length: where waves cancel, they fade instead of turning sharply.
#define GULLY_SOFTNESS 0.04
#define GULLY_BRANCH 0.7
// Steepness (rise over run) below which gullies fade away, the most that counts, and what stands for a flat direction.
#define GULLY_GENTLE 0.012
#define GULLY_STEEP 0.42
#define GULLY_FLAT 0.015
// From the seventh octave on each is so much weaker for its length than the one before: else their slopes add up to
// walls, which look like fences.
#define GULLY_FINE 0.86
#define GULLY_SAMPLES_FULL 4.5
// Octaves of at most this frequency (cells a radius) run in double: the float ones are below 600 m high on
// Earth, their errors below a millimetre. As with noise, all are float where samples are far apart.
#define GULLY_DOUBLE_FREQUENCY 1024.0

// e^x for x <= 0, by Taylor's series of 2^f: to 3e-7 of it, and 0 from e^-87 on.
INLINE float exp_of_float(float x)
{
    float y = x > -87.0f ? x : -87.0f, turns = y * 1.44269504f;
    float shifted = turns + 0x1.8p23f, f = turns - (shifted - 0x1.8p23f);
    float p =
        1.0f +
        f * (0.69314718f +
             f * (0.24022651f + f * (0.055504109f + f * (0.0096181291f + f * (0.0013333558f + f * 0.00015403530f)))));
    float scale = float_of_bits((float_bits(shifted) + 127u) << 23);
    return x > -87.0f ? p * scale : 0.0f;
}

// An octave's waves: factor times the steepness is their height in metres, bite how much slope a metre of it makes.
struct gully_size {
    double factor, bite;
};

#define REAL float
#define REAL_ROUND 0x1.8p23
#define REAL_SQRT sqrtf
#define REAL_EXP exp_of_float
#define NAME(x) x##_float
#include "bake/planet/kernels_gully.h"
#include "bake/planet/kernels_gully_slope.h"
#undef REAL
#undef REAL_ROUND
#undef REAL_SQRT
#undef REAL_EXP
#undef NAME

#define REAL double
#define REAL_ROUND ROUND
#define REAL_SQRT sqrt
#define REAL_EXP exp_of
#define NAME(x) x##_double
#include "bake/planet/kernels_gully.h"
#include "bake/planet/kernels_gully_slope.h"
#undef REAL
#undef REAL_ROUND
#undef REAL_SQRT
#undef REAL_EXP
#undef NAME

// The share of its height that a wave of that length keeps.
static double gully_weight(double wavelength, double spacing)
{
    double t =
        clamp_to((wavelength / spacing - EROSION_SAMPLES_NONE) / (GULLY_SAMPLES_FULL - EROSION_SAMPLES_NONE), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// How large the octaves are that the spacing shows; returns their number.
static int gully_sizes(struct gully_size sizes[EROSION_OCTAVES_MAX], const struct erosion *erosion)
{
    double wavelength = erosion->wavelength, strength = 0.0;
    int k = 0;
    for (; k < erosion->octaves; k++, wavelength *= 0.5) {
        double weight = gully_weight(wavelength, erosion->spacing), length_m = wavelength * erosion->radius_m;
        if (!(weight > 0.0))
            break;
        strength = k == 0 ? 0.34 : k < 4 ? 0.30 : k < 6 ? 0.24 : strength * GULLY_FINE;
        sizes[k].factor = strength * length_m * weight;
        sizes[k].bite = GULLY_BRANCH * (2.0 * 3.14159265358979323846) / length_m;
    }
    return k;
}

static void erode(struct field out, const struct points *at, double *const guide[3], double *const hessian[9],
                  const struct erosion *erosion)
{
    bool gradient = out.gx != NULL;
    assert(!gradient || hessian);
    struct gully_size sizes[EROSION_OCTAVES_MAX];
    struct octave octaves[OCTAVE_COUNT_MAX];
    // One octave of waves needs the whole of its lattice, whatever the band limit says of the lattice's own frequency.
    struct fractal lattices = {.frequency = 1.0 / (GULLY_WAVES * erosion->wavelength),
                               .octaves = erosion->octaves,
                               .gain = 1.0,
                               .lacunarity = 2.0,
                               .seed = erosion->seed,
                               .f_max = 1e300};
    octaves_prepare(octaves, &lattices);
    int count = gully_sizes(sizes, erosion), k = 0;
    double *slope[3] = {guide[0], guide[1], guide[2]}, *bend[9] = {0}, scale = 1.0 / erosion->radius_m;
    for (int j = 0; j < 9 && gradient; j++)
        bend[j] = hessian[j];
    fill(out, 0.0);
    SCRATCH struct gullies_double coarse;
    if (0.5 / erosion->spacing > OCTAVE_DOUBLE_F_MAX && octaves[0].frequency <= GULLY_DOUBLE_FREQUENCY) {
        gullies_start_double(&coarse, at, slope, gradient ? bend : NULL, scale);
        for (; k < count && octaves[k].frequency <= GULLY_DOUBLE_FREQUENCY; k++)
            gully_octave_double(&coarse, at, &octaves[k], sizes[k], gradient);
        gullies_end_double(out, &coarse);
        for (int j = 0; j < 3; j++)
            slope[j] = coarse.slope[j];
        for (int j = 0; j < 9; j++)
            bend[j] = coarse.bend[j];
        scale = 1.0;
    }
    if (k == count)
        return;
    SCRATCH struct gullies_float fine;
    gullies_start_float(&fine, at, slope, gradient ? bend : NULL, scale);
    for (; k < count; k++)
        gully_octave_float(&fine, at, &octaves[k], sizes[k], gradient);
    gullies_end_float(out, &fine);
}

#endif
