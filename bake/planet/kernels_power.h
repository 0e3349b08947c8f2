// SPDX-License-Identifier: MIT
// Powers, sines and cosines. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_POWER_H
#define TERRANE_BAKE_PLANET_KERNELS_POWER_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"
#include "common/stable_math.h"

// stable_log, bit for bit, without a branch. x > 0, finite.
INLINE double log_of(double x)
{
    bool tiny = x < 0x1p-1022;
    uint64_t bits = double_bits(tiny ? x * 0x1p54 : x);
    // The exponent's field as the low bits of a number in 2^52..2^53.
    double whole = double_of_bits(UINT64_C(0x4330000000000000) | bits >> 52) - (0x1p52 + 1023.0);
    whole = tiny ? whole - 54.0 : whole;
    double m = double_of_bits((bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000));
    bool high = m > 1.41421356237309504880;
    m = high ? m * 0.5 : m;
    whole = high ? whole + 1.0 : whole;
    double s = (m - 1.0) / (m + 1.0), y = s * s, p = 1.0 / 21.0;
    for (int k = 9; k >= 0; k--)
        p = p * y + 1.0 / (2 * k + 1);
    return whole * 0x1.62e42fefa3800p-1 + (2.0 * s * p + whole * 0x1.ef35793c76730p-45);
}

static void power(struct field out, struct field a, double exponent)
{
    assert(exponent > 0.0);
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = a.v[i], base = x > 0.0 && x < (double)INFINITY ? x : 1.0;
        double digits = exponent * log_of(base), result = exp_of(digits);
        slope[i] = digits > 700.0 ? 0.0 : exponent * (result / base);
        slope[i] = base == x ? slope[i] : 0.0;
        v[i] = base == x ? result : x > 0.0 ? x : 0.0;
    }
    chain(out, a, slope);
}

struct turn {
    double sine, cosine;
};

// sin(pi/2 x) and cos(pi/2 x) for |x| <= 0.5, as in stable_math.c.
INLINE struct turn turn_quarter(double x)
{
    static const double s[8] = {0x1.921fb54442d18p+0,  -0x1.4abbce625be53p-1, 0x1.466bc6775aad9p-4,
                                -0x1.32d2cce62ac22p-8, 0x1.50783485cbd83p-13, -0x1.e3074b4ff3058p-19,
                                0x1.e8eed12ee00a3p-25, -0x1.6c5b875d4e739p-31};
    static const double c[8] = {1.0,
                                -0x1.3bd3cc9be45dep+0,
                                0x1.03c1f081b5aacp-2,
                                -0x1.55d3c7e3c90f8p-6,
                                0x1.e1f5068355e15p-11,
                                -0x1.a6d1ec7906c20p-16,
                                0x1.f9cc41140bb60p-22,
                                -0x1.b264ba152378ap-28};
    double y = x * x, p = s[7], q = c[7];
    for (int k = 6; k >= 0; k--) {
        p = p * y + s[k];
        q = q * y + c[k];
    }
    return (struct turn){x * p, q};
}

// floor(x) for |x| below 2^51.
INLINE double floor_of(double x)
{
    double nearest = (x + ROUND) - ROUND;
    return nearest > x ? nearest - 1.0 : nearest;
}

// stable_sincos_deg, bit for bit, without a branch; |degrees| up to 1e9.
INLINE struct turn turn_of(double degrees)
{
    double whole = floor_of(degrees / 90.0 + 0.5);
    struct turn rest = turn_quarter((degrees - 90.0 * whole) / 90.0);
    double quarter = whole - 4.0 * floor_of(whole * 0.25), s = rest.sine, c = rest.cosine;
    double sine = quarter < 2.0 ? (quarter == 0.0 ? s : c) : (quarter == 2.0 ? 0.0 - s : -c);
    double cosine = quarter < 2.0 ? (quarter == 0.0 ? c : 0.0 - s) : (quarter == 2.0 ? -c : s);
    return (struct turn){sine, cosine};
}

INLINE void sine_or_cosine(struct field out, struct field a, bool cosine)
{
    SCRATCH double slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = a.v[i], degrees = clamp_to(x, -1e9, 1e9);
        struct turn turn = turn_of(degrees);
        double rise = STABLE_DEGREE * (cosine ? 0.0 - turn.sine : turn.cosine);
        slope[i] = degrees == x ? rise : 0.0;
        v[i] = x - x == 0.0 ? (cosine ? turn.cosine : turn.sine) : x - x;
    }
    chain(out, a, slope);
}

static void sine(struct field out, struct field a)
{
    sine_or_cosine(out, a, false);
}

static void cosine(struct field out, struct field a)
{
    sine_or_cosine(out, a, true);
}

#endif
