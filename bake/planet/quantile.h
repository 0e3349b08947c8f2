// SPDX-License-Identifier: MIT
// quantile(f): the share of the planet's area where a field is lower than here. The distribution is taken once, when
// the planet is loaded, from points spread evenly over the sphere, and kept as a smooth monotone curve.
#ifndef TERRANE_BAKE_PLANET_QUANTILE_H
#define TERRANE_BAKE_PLANET_QUANTILE_H

#include "bake/planet/kernels.h"
#include "bake/planet/program.h"
#include "bake/planet/source.h"

// Evenly spread points stand about 125 km apart on Earth.
#define QUANTILE_POINTS 32768
#define QUANTILE_SPACING_RAD 0.0195823 // sqrt(4 pi / QUANTILE_POINTS)

// Direction of point index of count, spread evenly over the sphere on a Fibonacci spiral (Gonzalez 2010).
void spread_direction(int index, int count, double *x, double *y, double *z);
// The same of QUANTILE_POINTS.
void quantile_direction(int index, double *x, double *y, double *z);

// The curve from value to share of area, from values of equal weight, which it sorts. It is C1, and flat beyond the
// least and the greatest value. STATUS_INPUT where a value is not finite or beyond 1e60.
enum status_code quantile_curve(struct curve *curve, double *values, int count, struct status *status);

// Fills in the curves of all quantiles that are needed (a flag for each value of the graph), in the order of the graph,
// since one may need another. Messages are about the source that the graph was made from.
enum status_code quantiles_prepare(struct tables *tables, const struct graph *graph, const struct kernels *kernels,
                                   const bool *needed, const struct source *source, struct status *status);

#endif
