// SPDX-License-Identifier: MIT
// The transcendental functions whose results reach a file, a plan or a printed answer.
//
// The C library's sin, atan2, exp and so on give other bits on other processors and versions; these
// use only + - * / sqrt floor and fabs, in a fixed order, so they give the same bits everywhere
// (built with -ffp-contract=off). Polynomials are Chebyshev interpolants computed with 50 digits;
// the tests compare them with the C library.
#ifndef TERRANE_COMMON_STABLE_MATH_H
#define TERRANE_COMMON_STABLE_MATH_H

#define STABLE_PI 3.14159265358979323846
#define STABLE_DEGREE (STABLE_PI / 180.0)

// Error below 3e-16 for |degrees| up to 1e6, exact at every multiple of 90.
void stable_sincos_deg(double degrees, double *sine, double *cosine);

// Error below 3e-16 for |radians| up to 100, and 1e-15 up to 1e5.
double stable_sin(double radians);
double stable_cos(double radians);

// Radians, relative error below 4e-16 (atan) and 6e-16 (atan2); atan2 in [-pi, pi], atan2(0, 0) is 0. The
// sign of a zero has no meaning: atan2(-0, -1) is pi.
double stable_atan(double x);
double stable_atan2(double y, double x);

// e^x, relative error below 4e-16 for -700 < x <= 700; 0 below, clamped to e^700 above.
double stable_exp(double x);

// Natural logarithm of x > 0, finite; relative error below 6e-16.
double stable_log(double x);

// x^exponent as stable_exp(exponent * stable_log(x)): relative error below 4e-16 (2 + |exponent log x|). 0 for x <= 0.
// exponent > 0, x finite.
double stable_pow(double x, double exponent);

// x^(1/5) by Newton's method: what the sRGB curve needs instead of pow. Relative error below 4e-16 for
// 1e-300 <= x <= 1e300; 0 for x <= 0.
double stable_root5(double x);

#endif
