// SPDX-License-Identifier: MIT
// How large the values of a graph can be, and how steep: interval arithmetic over its operators (Moore 1966).
#ifndef TERRANE_BAKE_PLANET_BOUNDS_H
#define TERRANE_BAKE_PLANET_BOUNDS_H

#include "bake/planet/graph.h"
#include "bake/planet/program.h"

// Every value of a field lies in low .. high, which may be infinite; colours and points have no bounds.
struct bounds {
    double low, high;
};

// The larger size of the two.
double bounds_size(struct bounds bounds);

// bounds[i] of every value of the graph; the tables' quantiles must be ready. seen[i]: what the value was at some
// hundred points all over the planet, from low to high, or low > high where it was not looked at. Intervals soon grow
// far beyond what sums and products reach, so where what was seen comes near them, half as much again stands in for
// them; but what is large in a few places only, and was not seen there, keeps its interval. Pure.
void bounds_find(struct bounds *bounds, const struct graph *graph, const struct tables *tables,
                 const struct bounds *seen);

// How much value index of the graph changes at most with its input k, for small changes: the largest size of that
// derivative; infinite where it has no bound or none is known. 0: that input never counts.
double bounds_rise(const struct bounds *bounds, const struct graph *graph, const struct tables *tables, uint32_t index,
                   int k);

// The same of a curve whose input is a quantile, with the quantile's own input: far less than the product of the two
// where one is steep and the other flat.
double bounds_rise_through(const struct curve *curve, const struct curve *quantile);

#endif
