// SPDX-License-Identifier: MIT
// What the parts of kernels_template.c share.
//
// Loops carry KERNEL_LOOP: iterations do not depend on each other, so the compiler vectorises them without asking
// whether the arrays overlap. out may be an input: each iteration reads all that it needs before it writes.
#ifndef TERRANE_BAKE_PLANET_KERNELS_COMMON_H
#define TERRANE_BAKE_PLANET_KERNELS_COMMON_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bake/planet/kernels.h"

// float is computed in float and double in double, or the bits would differ from those of other machines: no x87, and
// see NUMERICS in the Makefile.
static_assert(FLT_EVAL_METHOD == 0, "this target computes float or double in a wider type");

#define KERNEL_LOOP _Pragma("omp simd")

// Builds for sanitizers and coverage optimise too little to vectorise, which clang would report for each loop.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

// For blocks on the stack that are written before they are read: without the attribute the hardened build clears them
// at every call, which took a tenth of the time of the small kernels.
#define SCRATCH __attribute__((uninitialized, aligned(64)))

// A function with a hot loop of its own. Inlined into one another, gcc 12 makes them a quarter slower.
#define STAGE static __attribute__((noinline))

// What a loop calls must be inlined for it to vectorise.
#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

INLINE uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// A sum of this and a double below 2^51 in size is rounded to a multiple of 1, and its lowest bits are that integer.
#define ROUND 0x1.8p52

// The result is low where x is not a number.
INLINE double clamp_to(double x, double low, double high)
{
    double at_least = x > low ? x : low;
    return at_least < high ? at_least : high;
}

// Length of the part of (gx,gy,gz) that is across the unit vector (x,y,z).
INLINE double tangential_length(double gx, double gy, double gz, double x, double y, double z)
{
    double along = gx * x + gy * y + gz * z;
    double tx = gx - along * x, ty = gy - along * y, tz = gz - along * z;
    return sqrt(tx * tx + ty * ty + tz * tz);
}

// stable_exp, bit for bit, without a branch.
INLINE double exp_of(double x)
{
    static const double c[12] = {1.0,
                                 0x1.62e42fefa39efp-1,
                                 0x1.ebfbdff82c5aep-3,
                                 0x1.c6b08d704a0c6p-5,
                                 0x1.3b2ab6fb9f1a5p-7,
                                 0x1.5d87fe78a3f9cp-10,
                                 0x1.430913112c61bp-13,
                                 0x1.ffcbfc6da6ed1p-17,
                                 0x1.62bfc2c86d700p-20,
                                 0x1.b524ebd13a55fp-24,
                                 0x1.e6228acd1c6e5p-28,
                                 0x1.e9ec1fcb69a7fp-32};
    double y = clamp_to(x, -700.0, 700.0);
    double turns = y * 1.44269504088896340736 + 0.5;
    double nearest = (turns + ROUND) - ROUND;
    double whole = nearest > turns ? nearest - 1.0 : nearest;
    double rest = (y - whole * 0x1.62e42fefa3800p-1) - whole * 0x1.ef35793c76730p-45;
    double f = rest * 1.44269504088896340736;
    double p = c[11];
    for (int k = 10; k >= 0; k--)
        p = p * f + c[k];
    double scale = double_of_bits(double_bits(whole + (1023.0 + ROUND)) << 52);
    return x > -700.0 ? p * scale : 0.0;
}

#endif
