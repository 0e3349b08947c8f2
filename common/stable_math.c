// SPDX-License-Identifier: MIT
#include "common/stable_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// sin(pi/2 x) for |x| <= 0.5; relative error 2e-21 before rounding.
static double sin_quarter(double x)
{
    static const double c[8] = {0x1.921fb54442d18p+0,  -0x1.4abbce625be53p-1, 0x1.466bc6775aad9p-4,
                                -0x1.32d2cce62ac22p-8, 0x1.50783485cbd83p-13, -0x1.e3074b4ff3058p-19,
                                0x1.e8eed12ee00a3p-25, -0x1.6c5b875d4e739p-31};
    double y = x * x, p = c[7];
    for (int k = 6; k >= 0; k--)
        p = p * y + c[k];
    return x * p;
}

// cos(pi/2 x) for |x| <= 0.5; error 4e-20 before rounding.
static double cos_quarter(double x)
{
    static const double c[8] = {1.0,
                                -0x1.3bd3cc9be45dep+0,
                                0x1.03c1f081b5aacp-2,
                                -0x1.55d3c7e3c90f8p-6,
                                0x1.e1f5068355e15p-11,
                                -0x1.a6d1ec7906c20p-16,
                                0x1.f9cc41140bb60p-22,
                                -0x1.b264ba152378ap-28};
    double y = x * x, p = c[7];
    for (int k = 6; k >= 0; k--)
        p = p * y + c[k];
    return p;
}

// quarters is whole + rest, |rest| <= 0.5.
static void sincos_quarters(double whole, double rest, double *sine, double *cosine)
{
    double s = sin_quarter(rest), c = cos_quarter(rest);
    double turn = whole - 4.0 * floor(whole * 0.25);
    switch ((int)turn) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = 0.0 - s; break; // not -s: zeros are +0
    case 2: *sine = 0.0 - s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
    }
}

void stable_sincos_deg(double degrees, double *sine, double *cosine)
{
    double whole = floor(degrees / 90.0 + 0.5);
    // Taking the multiple of 90 away first is exact; dividing first would not be.
    sincos_quarters(whole, (degrees - 90.0 * whole) / 90.0, sine, cosine);
}

static void sincos_radians(double radians, double *sine, double *cosine)
{
    double whole = floor(radians * (2.0 / STABLE_PI) + 0.5);
    // pi/2 in two parts; the first has 33 bits, so its product and the difference are exact.
    double rest = (radians - whole * 0x1.921fb54400000p+0) - whole * 0x1.0b4611a626331p-34;
    sincos_quarters(whole, rest * (2.0 / STABLE_PI), sine, cosine);
}

double stable_sin(double radians)
{
    double sine, cosine;
    sincos_radians(radians, &sine, &cosine);
    return sine;
}

double stable_cos(double radians)
{
    double sine, cosine;
    sincos_radians(radians, &sine, &cosine);
    return cosine;
}

// atan(x) for |x| <= tan(pi/16); relative error below 1e-18 before rounding.
static double atan_small(double x)
{
    static const double c[9] = {0x1.0000000000000p+0,  -0x1.555555555554fp-2, 0x1.99999999979f1p-3,
                                -0x1.249249228fc1ap-3, 0x1.c71c6fbacd098p-4,  -0x1.745c80eb302f9p-4,
                                0x1.3afa482434411p-4,  -0x1.0e8c32e30f3bep-4, 0x1.9bd6410c83583p-5};
    double y = x * x, p = c[8];
    for (int k = 7; k >= 0; k--)
        p = p * y + c[k];
    return x * p;
}

double stable_atan(double x)
{
    double a = fabs(x);
    // The nearest multiple k of pi/8 is taken away by the addition theorem.
    static const double tangent[4] = {0.0, 0x1.a827999fcef32p-2, 1.0, 0x1.3504f333f9de6p+1};
    static const double angle[5] = {0.0, 0x1.921fb54442d18p-2, 0x1.921fb54442d18p-1, 0x1.2d97c7f3321d2p+0,
                                    0x1.921fb54442d18p+0};
    static const double limit[4] = {0.19891236737965800, 0.66817863791929892, 1.49660576266548901,
                                    5.02733949212584810}; // tan((2k+1) pi/16)
    int k = 0;
    while (k < 4 && a > limit[k])
        k++;
    double r = k == 4 ? -1.0 / a : (a - tangent[k]) / (1.0 + a * tangent[k]);
    double result = angle[k] + atan_small(r);
    return x < 0 ? -result : result;
}

double stable_atan2(double y, double x)
{
    if (x == 0.0 && y == 0.0)
        return 0.0;
    double ax = fabs(x), ay = fabs(y);
    double angle = ay <= ax ? stable_atan(ay / ax) : STABLE_PI / 2 - stable_atan(ax / ay);
    if (x < 0)
        angle = STABLE_PI - angle;
    return y < 0 ? -angle : angle;
}

double stable_exp(double x)
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
    if (!(x > -700.0))
        return 0.0;
    if (x > 700.0)
        x = 700.0;
    double whole = floor(x * 1.44269504088896340736 + 0.5);
    // ln 2 in two parts, so that the remainder keeps its digits.
    double rest = (x - whole * 0x1.62e42fefa3800p-1) - whole * 0x1.ef35793c76730p-45;
    double f = rest * 1.44269504088896340736;
    double p = c[11];
    for (int k = 10; k >= 0; k--)
        p = p * f + c[k];
    uint64_t bits = (uint64_t)((int64_t)whole + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

double stable_log(double x)
{
    double shift = 0.0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        shift = 54.0;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double whole = (double)(int64_t)(bits >> 52) - 1023.0 - shift;
    bits = (bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000);
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        whole += 1.0;
    }
    // log m = 2 atanh s by its series; 11 terms leave 1e-18 where s is largest, 0.1716.
    double s = (m - 1.0) / (m + 1.0), y = s * s, p = 1.0 / 21.0;
    for (int k = 9; k >= 0; k--)
        p = p * y + 1.0 / (2 * k + 1);
    return whole * 0x1.62e42fefa3800p-1 + (2.0 * s * p + whole * 0x1.ef35793c76730p-45);
}

double stable_pow(double x, double exponent)
{
    return x > 0.0 ? stable_exp(exponent * stable_log(x)) : 0.0;
}

double stable_root5(double x)
{
    if (!(x > 0.0))
        return 0.0;
    // The exponent divided by five is a start good to a factor of 1.2.
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 5 + UINT64_C(0x3FF0000000000000) / 5 * 4;
    double y;
    memcpy(&y, &bits, sizeof y);
    for (int k = 0; k < 6; k++) {
        double y2 = y * y, y4 = y2 * y2;
        y = 0.8 * y + 0.2 * (x / y4);
    }
    return y;
}
