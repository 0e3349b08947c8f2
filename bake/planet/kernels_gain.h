// SPDX-License-Identifier: MIT
// Fractal sums whose gain differs from sample to sample. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_GAIN_H
#define TERRANE_BAKE_PLANET_KERNELS_GAIN_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"
#include "bake/planet/kernels_fractal.h"

// gain^k and its derivative by the gain, of the octave that is under way.
struct powers {
    double gain[PLANET_BLOCK], power[PLANET_BLOCK], slope[PLANET_BLOCK];
};

// passes: 1 where the gain is within its range, 0 where it is clamped and so has no gradient.
static void begin_powers(struct powers *restrict powers, double *restrict passes, const double *gain)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double clamped = clamp_to(gain[i], 0.0, FRACTAL_GAIN_MAX);
        passes[i] = clamped == gain[i] ? 1.0 : 0.0;
        powers->gain[i] = clamped;
        powers->power[i] = 1.0;
        powers->slope[i] = 0.0;
    }
}

STAGE void next_powers(struct powers *restrict powers)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        powers->slope[i] = powers->slope[i] * powers->gain[i] + powers->power[i];
        powers->power[i] = powers->power[i] * powers->gain[i];
    }
}

// Adds an octave of amplitude 1, weighed. The gradient by the points goes to out, the slope by the gain to by_gain.
STAGE void add_weighed(struct field out, double *restrict by_gain, struct field octave,
                       const struct powers *restrict powers)
{
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    const double *ov = octave.v, *ox = octave.gx, *oy = octave.gy, *oz = octave.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += powers->power[i] * ov[i];
    if (!gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        by_gain[i] += powers->slope[i] * ov[i];
        gx[i] += powers->power[i] * ox[i];
        gy[i] += powers->power[i] * oy[i];
        gz[i] += powers->power[i] * oz[i];
    }
}

// add_missing_ridges: each octave from number count on, which is under way, is constant + by_previous * (previous -
// mean) at amplitude 1, by_previous halved from octave to octave.
static void add_missing_weighed(struct field out, double *by_gain, struct field previous, struct powers *powers,
                                int missing_count)
{
    const double constant = RIDGE_MEAN * (RIDGE_FLOOR + (1.0 - RIDGE_FLOOR) * RIDGE_MEAN);
    double by_previous = RIDGE_MEAN * (1.0 - RIDGE_FLOOR);
    SCRATCH double row[4][PLANET_BLOCK];
    struct field octave = {row[0], NULL, NULL, NULL};
    if (out.gx)
        octave = (struct field){row[0], row[1], row[2], row[3]};
    for (int k = 0; k < missing_count; k++) {
        affine(octave, previous, by_previous, constant - by_previous * RIDGE_MEAN);
        add_weighed(out, by_gain, octave, powers);
        next_powers(powers);
        by_previous *= 0.5;
    }
}

static void add_gain_gradient(struct field out, const double *by_gain, const double *passes, struct field gain)
{
    SCRATCH double row[3][PLANET_BLOCK], slope[PLANET_BLOCK];
    struct field part = {NULL, row[0], row[1], row[2]};
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        slope[i] = passes[i] * by_gain[i];
    chain(part, gain, slope);
    add_row(out.gx, out.gx, part.gx);
    add_row(out.gy, out.gy, part.gy);
    add_row(out.gz, out.gz, part.gz);
}

static void fractal_gain(struct field out, const struct points *at, struct field gain, const struct fractal *fractal)
{
    struct fractal even = *fractal;
    even.gain = 1.0;
    SCRATCH struct octave octaves[OCTAVE_COUNT_MAX];
    int count = octaves_prepare(octaves, &even);
    SCRATCH struct powers powers;
    SCRATCH double passes[PLANET_BLOCK], by_gain[PLANET_BLOCK], term[4][PLANET_BLOCK], ridge[4][PLANET_BLOCK];
    struct field octave = {term[0], NULL, NULL, NULL}, previous = {ridge[0], NULL, NULL, NULL};
    if (out.gx) {
        octave = (struct field){term[0], term[1], term[2], term[3]};
        previous = (struct field){ridge[0], ridge[1], ridge[2], ridge[3]};
    }
    begin_powers(&powers, passes, gain.v);
    fill_row(by_gain, 0.0);
    fill(previous, 1.0);
    SCRATCH struct turned_block block;
    struct places places;
    start_places(&places, at, fractal, &block, false);
    start_sum(out, &places);
    SCRATCH struct octave_sums sums;
    for (int k = 0; k < count; k++) {
        fill(octave, 0.0);
        start_octaves(&sums);
        add_octave(&octave, &previous, &sums, &places, &octaves[k], fractal);
        if (fractal->kind == FRACTAL_FBM)
            end_octaves(octave, &sums, true);
        add_weighed(out, by_gain, octave, &powers);
        next_powers(&powers);
    }
    if (fractal->kind == FRACTAL_RIDGED)
        add_missing_weighed(out, by_gain, previous, &powers, fractal->octaves - count);
    if (!out.gx)
        return;
    if (at->jacobian[0])
        apply_jacobian(out, at->jacobian);
    add_gain_gradient(out, by_gain, passes, gain);
}

#endif
