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

// What goes from octave to octave, in lanes of the block. Derivatives are by the position.
struct gullies {
    double slope[3][PLANET_BLOCK], bend[9][PLANET_BLOCK]; // G in metres a metre, and bend[3*i+k] = dG_i/dk
    double t[3][PLANET_BLOCK], turn[9][PLANET_BLOCK];     // the direction across the slope, and its derivatives
    double height[PLANET_BLOCK], rise[3][PLANET_BLOCK];   // of this octave's waves in metres, and its derivatives
    double inverse[PLANET_BLOCK];                         // of the length of what t was made from
    double c[PLANET_BLOCK], s[PLANET_BLOCK], norm[PLANET_BLOCK];
    double c_blend[3][PLANET_BLOCK], s_blend[3][PLANET_BLOCK], c_arm[3][PLANET_BLOCK], s_arm[3][PLANET_BLOCK];
};

#define REAL float
#define REAL_ROUND 0x1.8p23
#define NAME(x) x##_float
#include "bake/planet/kernels_gully.h"
#undef REAL
#undef REAL_ROUND
#undef NAME

#define REAL double
#define REAL_ROUND ROUND
#define NAME(x) x##_double
#include "bake/planet/kernels_gully.h"
#undef REAL
#undef REAL_ROUND
#undef NAME

// The direction across the slope, position x G / |..|, and the waves' height for it, factor times the steepness.
STAGE void gully_direction(struct gullies *restrict g, const double *x, const double *y, const double *z, double factor)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double gx = g->slope[0][i], gy = g->slope[1][i], gz = g->slope[2][i];
        double ux = y[i] * gz - z[i] * gy, uy = z[i] * gx - x[i] * gz, uz = x[i] * gy - y[i] * gx;
        double square = ux * ux + uy * uy + uz * uz;
        double steep = sqrt(square + GULLY_FLAT * GULLY_FLAT), inverse = 1.0 / steep;
        g->inverse[i] = inverse;
        g->t[0][i] = ux * inverse;
        g->t[1][i] = uy * inverse;
        g->t[2][i] = uz * inverse;
        // The length of u times that of t: 0 where there is no direction.
        double lean = square * inverse, flat = GULLY_FLAT * inverse;
        double share = lean / (lean + GULLY_GENTLE), root = sqrt(share);
        double gone = exp_of(lean * root * (-1.0 / GULLY_STEEP));
        g->height[i] = factor * GULLY_STEEP * (1.0 - gone);
        // d height / d steep, for gully_direction_slopes.
        g->rise[0][i] = factor * gone * root * (1.0 + 0.5 * (1.0 - share)) * (1.0 + flat * flat);
    }
}

// Derivatives of the above. On entry rise[0] is d height / d steep.
STAGE void gully_direction_slopes(struct gullies *restrict g, const double *x, const double *y, const double *z)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double gx = g->slope[0][i], gy = g->slope[1][i], gz = g->slope[2][i];
        double inverse = g->inverse[i];
        double tx = g->t[0][i], ty = g->t[1][i], tz = g->t[2][i], by_steep = g->rise[0][i];
        for (int k = 0; k < 3; k++) {
            double hx = g->bend[k][i], hy = g->bend[3 + k][i], hz = g->bend[6 + k][i];
            double dx = y[i] * hz - z[i] * hy + (k == 1 ? gz : k == 2 ? -gy : 0.0);
            double dy = z[i] * hx - x[i] * hz + (k == 2 ? gx : k == 0 ? -gz : 0.0);
            double dz = x[i] * hy - y[i] * hx + (k == 0 ? gy : k == 1 ? -gx : 0.0);
            double steeper = tx * dx + ty * dy + tz * dz;
            g->turn[k][i] = (dx - tx * steeper) * inverse;
            g->turn[3 + k][i] = (dy - ty * steeper) * inverse;
            g->turn[6 + k][i] = (dz - tz * steeper) * inverse;
            g->rise[k][i] = by_steep * steeper;
        }
    }
}

STAGE void gully_norm(struct gullies *restrict g)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        g->norm[i] = 1.0 / sqrt(g->c[i] * g->c[i] + g->s[i] * g->s[i] + GULLY_SOFTNESS);
}

// Adds the octave to out and to the slope that the next one sees; bite is how much slope a metre of height makes.
STAGE void gully_add(struct field out, struct gullies *restrict g, double bite)
{
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double norm = g->norm[i], cosine = g->c[i] * norm, down = bite * g->height[i] * (g->s[i] * norm);
        v[i] += g->height[i] * cosine;
        g->slope[0][i] -= down * g->t[0][i];
        g->slope[1][i] -= down * g->t[1][i];
        g->slope[2][i] -= down * g->t[2][i];
    }
}

// The derivatives of that, before it: by position k.
STAGE void gully_add_slopes(double *restrict rise_out, struct gullies *restrict g, int k, double frequency, double bite)
{
    const double arm = GULLY_TURN, along = GULLY_TURN * frequency;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double c = g->c[i], s = g->s[i], tx = g->t[0][i], ty = g->t[1][i], tz = g->t[2][i];
        double tx_k = g->turn[k][i], ty_k = g->turn[3 + k][i], tz_k = g->turn[6 + k][i];
        double t_k = k == 0 ? tx : k == 1 ? ty : tz;
        double dc = g->c_blend[k][i] - along * s * t_k -
                    arm * (g->s_arm[0][i] * tx_k + g->s_arm[1][i] * ty_k + g->s_arm[2][i] * tz_k);
        double ds = g->s_blend[k][i] + along * c * t_k +
                    arm * (g->c_arm[0][i] * tx_k + g->c_arm[1][i] * ty_k + g->c_arm[2][i] * tz_k);
        double norm = g->norm[i], cube = norm * norm * norm;
        double cosine_k = cube * ((s * s + GULLY_SOFTNESS) * dc - c * s * ds);
        double sine_k = cube * ((c * c + GULLY_SOFTNESS) * ds - c * s * dc);
        double height = g->height[i], height_k = g->rise[k][i], sine = s * norm;
        rise_out[i] += height_k * (c * norm) + height * cosine_k;
        double down_k = bite * (height_k * sine + height * sine_k), down = bite * height * sine;
        g->bend[k][i] -= down_k * tx + down * tx_k;
        g->bend[3 + k][i] -= down_k * ty + down * ty_k;
        g->bend[6 + k][i] -= down_k * tz + down * tz_k;
    }
}

// The share of its height that a wave of that length keeps.
static double gully_weight(double wavelength, double spacing)
{
    double t =
        clamp_to((wavelength / spacing - EROSION_SAMPLES_NONE) / (GULLY_SAMPLES_FULL - EROSION_SAMPLES_NONE), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static void gullies_start(struct gullies *g, double *const guide[3], double *const hessian[9], double radius_m)
{
    for (int k = 0; k < 3; k++)
        scale_row(g->slope[k], guide[k], 1.0 / radius_m, 0.0);
    for (int k = 0; k < 9 && hessian; k++)
        scale_row(g->bend[k], hessian[k], 1.0 / radius_m, 0.0);
}

static void erode(struct field out, const struct points *at, double *const guide[3], double *const hessian[9],
                  const struct erosion *erosion)
{
    SCRATCH struct gullies g;
    bool gradient = out.gx != NULL;
    assert(!gradient || hessian);
    double *const rise[3] = {out.gx, out.gy, out.gz};
    struct octave octaves[OCTAVE_COUNT_MAX];
    // One octave of waves needs the whole of its lattice, whatever the band limit says of the lattice's own frequency.
    struct fractal lattices = {.frequency = 1.0 / (GULLY_WAVES * erosion->wavelength),
                               .octaves = erosion->octaves,
                               .gain = 1.0,
                               .lacunarity = 2.0,
                               .seed = erosion->seed,
                               .f_max = 1e300};
    int count = octaves_prepare(octaves, &lattices);
    fill(out, 0.0);
    gullies_start(&g, guide, gradient ? hessian : NULL, erosion->radius_m);
    double wavelength = erosion->wavelength, strength = 0.0;
    for (int k = 0; k < count; k++, wavelength *= 0.5) {
        double weight = gully_weight(wavelength, erosion->spacing), length_m = wavelength * erosion->radius_m;
        if (!(weight > 0.0))
            break;
        strength = k == 0 ? 0.34 : k < 4 ? 0.30 : k < 6 ? 0.24 : strength * GULLY_FINE;
        double bite = GULLY_BRANCH * (2.0 * 3.14159265358979323846) / length_m;
        gully_direction(&g, at->x, at->y, at->z, strength * length_m * weight);
        if (gradient)
            gully_direction_slopes(&g, at->x, at->y, at->z);
        if (octaves[k].frequency <= GULLY_DOUBLE_FREQUENCY && 0.5 / erosion->spacing > OCTAVE_DOUBLE_F_MAX)
            gully_octave_double(&g, at, &octaves[k], gradient);
        else
            gully_octave_float(&g, at, &octaves[k], gradient);
        gully_norm(&g);
        for (int axis = 0; axis < 3 && gradient; axis++)
            gully_add_slopes(rise[axis], &g, axis, octaves[k].frequency, bite);
        gully_add(out, &g, bite);
    }
}

#endif
