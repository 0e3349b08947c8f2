// SPDX-License-Identifier: MIT
// How the variance of a field on the sphere is shared among the degrees l of its spherical harmonics.
//
// Convention: real harmonics, 4 pi-normalised as in geodesy (their mean square over the sphere is 1). With
// f = sum over l, m of f_lm Y_lm, S(l) = sum over m of f_lm^2, so S(0) is the square of the mean and the sum of the
// others is the variance. An isotropic field with S(l) ~ l^-b has profiles with a power density ~ k^-b.
//
// The field is given on the centres of an equirectangular grid. Fourier transforms along the rows, then sums over
// the latitudes with the weights of Fejer's first rule (1933; J. Waldvogel, BIT 46, 2006), which are exact for all
// products that occur if the field has no degree above degree_max.
#ifndef TERRANE_BAKE_SPHERE_SPECTRUM_H
#define TERRANE_BAKE_SPHERE_SPECTRUM_H

#include "common/status.h"

#define SPECTRUM_WIDTH_MIN 64
#define SPECTRUM_WIDTH_MAX 8192
#define SPECTRUM_DEGREE_MAX 512

// The highest degree for a grid of this width: a quarter of it less one, at most SPECTRUM_DEGREE_MAX.
int spectrum_degree_max(int width);

// The share of the sphere's area that each of row_count rows stands for, from north to south: positive, sum 1, and
// exact for polynomials of a degree below row_count in the sine of the latitude. row_count is even and at least 2.
enum status_code latitude_weights(double *weights, int row_count, struct status *status);

// power: degree_max + 1 values. heights: width / 2 rows from north to south, at latitudes 90 - (row + 0.5) * 360 /
// width. width is a power of two in the range above, degree_max at most spectrum_degree_max(width). The same bits for
// any thread_count (at least 1).
enum status_code sphere_spectrum(double *power, int degree_max, const float *heights, int width, int thread_count,
                                 struct status *status);

#endif
