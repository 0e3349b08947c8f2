// SPDX-License-Identifier: MIT
// Fractal sums of octaves and domain warps. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_FRACTAL_H
#define TERRANE_BAKE_PLANET_KERNELS_FRACTAL_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"
#include "bake/planet/kernels_placing.h"
#include "bake/planet/octave.h"

// Odd numbers with well mixed bits: the first three primes of xxHash, and a multiplier from Wellons' "Prospecting for
// hash functions" (2018). No step along the lattice comes back as a step of the hash: see kernels_corner.h.
#define HASH_X 0x9E3779B1u
#define HASH_Y 0x85EBCA77u
#define HASH_Z 0xC2B2AE3Du
#define HASH_MIX 0x846CA68Bu

INLINE uint32_t hash_mix(uint32_t h)
{
    return (h ^ h >> 15) * HASH_MIX;
}

// From the hash's integers to noise of standard deviation 0.26.
#define HASH_SCALE (1.35 * 0x1p-31)

// |n| is taken as sqrt(n^2 + e^2) - e with this e, which rounds the fold off over about +-2 e.
#define FOLD_SOFTNESS 0.05
// Twice the mean of that, so that billow has mean 0.
#define BILLOW_MEAN 0.3367
// The ridge height is (1 - |RIDGE_STRETCH n|)^2; its mean stands in for octaves that the band limit takes away.
#define RIDGE_STRETCH 1.15
#define RIDGE_MEAN 0.6712
// Weight of an octave where the ridges before it are at height 0; 1 at height 1.
#define RIDGE_FLOOR 0.45

// One sample.
#define LANE float
#define REAL float
#define WORD uint32_t
#define SIGNED_TO_REAL(h) (float)(int32_t)(h)
#define NAME(x) x##_float
#include "bake/planet/kernels_corner.h"
#include "bake/planet/kernels_octave.h"
#undef LANE
#undef REAL
#undef SIGNED_TO_REAL
#undef NAME

#define LANE double
#define REAL double
#define SIGNED_TO_REAL(h) (double)(int32_t)(h)
#define NAME(x) x##_double
#include "bake/planet/kernels_corner.h"
#include "bake/planet/kernels_octave.h"
#undef LANE
#undef REAL
#undef WORD
#undef SIGNED_TO_REAL
#undef NAME

// Vectors of samples.
#define LANE float
#define REAL FLOATS
#define WORD VECTOR(uint32_t, LANES)
#define SIGNED_TO_REAL(h) __builtin_convertvector((VECTOR(int32_t, LANES))(h), FLOATS)
#define NAME(x) x##_floats
#include "bake/planet/kernels_corner.h"
#include "bake/planet/kernels_noise.h"
#undef LANE
#undef REAL
#undef WORD
#undef SIGNED_TO_REAL
#undef NAME

#define LANE double
#define REAL DOUBLES
#define WORD VECTOR(uint32_t, LANES / 2)
#define SIGNED_TO_REAL(h) __builtin_convertvector((VECTOR(int32_t, LANES / 2))(h), DOUBLES)
#define NAME(x) x##_doubles
#include "bake/planet/kernels_corner.h"
#include "bake/planet/kernels_noise.h"
#undef LANE
#undef REAL
#undef WORD
#undef SIGNED_TO_REAL
#undef NAME

#define REAL float
#define REAL_SQRT sqrtf
#define NAME(x) x##_floats
#include "bake/planet/kernels_sum.h"
#undef REAL
#undef REAL_SQRT
#undef NAME

#define REAL double
#define REAL_SQRT sqrt
#define NAME(x) x##_doubles
#include "bake/planet/kernels_sum.h"
#undef REAL
#undef REAL_SQRT
#undef NAME

// The octaves from number count on, each at its mean: without them ridges would sink where the spacing grows.
static void add_missing_ridges(struct field out, struct field previous, const struct fractal *fractal, int count)
{
    double constant = 0.0, by_previous = 0.0, amplitude = 1.0, share = 1.0;
    for (int k = 0; k < fractal->octaves; k++) {
        if (k >= count) {
            constant += amplitude * RIDGE_MEAN * (RIDGE_FLOOR + (1.0 - RIDGE_FLOOR) * RIDGE_MEAN);
            by_previous += amplitude * RIDGE_MEAN * (1.0 - RIDGE_FLOOR) * share;
            share *= 0.5;
        }
        amplitude *= fractal->gain;
    }
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    const double *pv = previous.v, *px = previous.gx, *py = previous.gy, *pz = previous.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += constant + by_previous * (pv[i] - RIDGE_MEAN);
    if (!gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        gx[i] += by_previous * px[i];
        gy[i] += by_previous * py[i];
        gz[i] += by_previous * pz[i];
    }
}

// From the gradient by the points to that by the positions.
static void apply_jacobian(struct field out, double *const jacobian[9])
{
    double *gx = out.gx, *gy = out.gy, *gz = out.gz;
    const double *xx = jacobian[0], *xy = jacobian[1], *xz = jacobian[2];
    const double *yx = jacobian[3], *yy = jacobian[4], *yz = jacobian[5];
    const double *zx = jacobian[6], *zy = jacobian[7], *zz = jacobian[8];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = gx[i], y = gy[i], z = gz[i];
        gx[i] = x * xx[i] + y * yx[i] + z * zx[i];
        gy[i] = x * xy[i] + y * yy[i] + z * zy[i];
        gz[i] = x * xz[i] + y * yz[i] + z * zz[i];
    }
}

// The noise of octaves, and the gradient of all octaves of FRACTAL_FBM.
struct octave_sums {
    struct noise_floats floats;
    struct noise_doubles doubles;
};

static void start_octaves(struct octave_sums *sums)
{
    sums->floats.has_gradient = sums->doubles.has_gradient = false;
}

// Fields are given by their address: copying them at each call took a hundredth of the time.
static void add_octave(const struct field *out, const struct field *previous, struct octave_sums *sums,
                       struct places *places, const struct octave *octave, const struct fractal *fractal)
{
    if (fractal->precise || octave_runs_in_double(octave->frequency, fractal->f_max))
        add_octave_doubles(out, previous, &sums->doubles, places, octave, fractal->kind);
    else
        add_octave_floats(out, previous, &sums->floats, places, octave, fractal->kind);
}

// Of FRACTAL_FBM: where out has no gradient so far, add is false.
static void end_octaves(struct field out, const struct octave_sums *sums, bool add)
{
    if (!out.gx)
        return;
    if (sums->floats.has_gradient)
        put_gradient_sum_floats(out, &sums->floats, add);
    if (sums->doubles.has_gradient)
        put_gradient_sum_doubles(out, &sums->doubles, add || sums->floats.has_gradient);
    if (!add && !sums->floats.has_gradient && !sums->doubles.has_gradient)
        fill(out, 0.0);
}

static void fractal_sum(struct field out, const struct points *at, const struct fractal *fractal)
{
    SCRATCH struct octave octaves[OCTAVE_COUNT_MAX];
    int count = octaves_prepare(octaves, fractal);
    SCRATCH double ridge[4][PLANET_BLOCK];
    struct field previous = {ridge[0], NULL, NULL, NULL};
    if (out.gx)
        previous = (struct field){ridge[0], ridge[1], ridge[2], ridge[3]};
    if (fractal->kind == FRACTAL_RIDGED)
        fill(previous, 1.0);
    SCRATCH struct turned_block block;
    SCRATCH struct octave_sums sums;
    struct places places;
    start_places(&places, at, fractal, &block, fractal->kind != FRACTAL_RIDGED);
    // A gradient that is summed up by itself needs no sum before.
    bool add = fractal->kind != FRACTAL_FBM || fractal->done > 0 || !places.block->near;
    if (fractal->done == 0)
        start_sum(add ? out : (struct field){.v = out.v}, &places);
    start_octaves(&sums);
    // Ridges weigh the next octave; the others can be added turn by turn.
    int stride = fractal->kind == FRACTAL_RIDGED ? 1 : OCTAVE_TURNS;
    for (int first = 0; first < stride; first++)
        for (int k = fractal->done + first; k < count; k += stride)
            add_octave(&out, &previous, &sums, &places, &octaves[k], fractal);
    if (fractal->kind == FRACTAL_FBM)
        end_octaves(out, &sums, add);
    if (fractal->kind == FRACTAL_RIDGED && count < fractal->octaves)
        add_missing_ridges(out, previous, fractal, count);
    if (out.gx && at->jacobian[0])
        apply_jacobian(out, at->jacobian);
}

static void warp_row(double *out[3], double *const at[3], double amount, struct field w, int axis)
{
    for (int k = 0; k < 3; k++) {
        const double *g = k == 0 ? w.gx : k == 1 ? w.gy : w.gz;
        const double *old = at[k];
        double *row = out[k], identity = k == axis ? 1.0 : 0.0;
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            row[i] = (old ? old[i] : identity) + amount * g[i];
    }
}

static void warp_component(double *out, const double *at, double amount, const double *w)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = at[i] + amount * w[i];
}

static void warp(struct points *out, const struct points *at, double amount, struct field wx, struct field wy,
                 struct field wz)
{
    warp_component(out->x, at->x, amount, wx.v);
    warp_component(out->y, at->y, amount, wy.v);
    warp_component(out->z, at->z, amount, wz.v);
    if (!out->jacobian[0])
        return;
    assert(wx.gx && wy.gx && wz.gx);
    warp_row(&out->jacobian[0], &at->jacobian[0], amount, wx, 0);
    warp_row(&out->jacobian[3], &at->jacobian[3], amount, wy, 1);
    warp_row(&out->jacobian[6], &at->jacobian[6], amount, wz, 2);
}

#endif
