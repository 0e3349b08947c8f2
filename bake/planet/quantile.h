// SPDX-License-Identifier: MIT
// quantile(f): the share of the planet's area where a field is lower than here. The distribution is taken once, when
// the planet is loaded, from points spread evenly over the sphere, and kept as a smooth monotone curve.
#ifndef TERRANE_BAKE_PLANET_QUANTILE_H
#define TERRANE_BAKE_PLANET_QUANTILE_H

#include "bake/planet/kernels.h"
#include "bake/planet/prepare.h"

// Evenly spread points stand about 125 km apart on Earth.
#define QUANTILE_COLUMNS 256
#define QUANTILE_ROWS 128
#define QUANTILE_POINTS (QUANTILE_COLUMNS * QUANTILE_ROWS)
#define QUANTILE_SPACING_RAD 0.0195823 // sqrt(4 pi / QUANTILE_POINTS)

// Direction of point index of count, spread evenly over the sphere on a Fibonacci spiral (Gonzalez 2010).
void spread_direction(int index, int count, double *x, double *y, double *z);
// Direction of point index of QUANTILE_POINTS, on rows of equal height on the axis (so all stand for the same area;
// Lambert 1772). The points of a block are neighbours, which the engine is quickest with.
void quantile_direction(int index, double *x, double *y, double *z);

// The curve from value to share of area, from values of equal weight, which it sorts. It is C1, and flat beyond the
// least and the greatest value. STATUS_INPUT where a value is not finite or beyond 1e60.
enum status_code quantile_curve(struct curve *curve, double *values, int count, struct status *status);

// Fills in the curve of the graph's value index, a quantile.
enum status_code quantile_prepare(const struct preparation *preparation, uint32_t index, struct status *status);

#endif
