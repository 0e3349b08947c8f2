// SPDX-License-Identifier: MIT
// How large the values of a graph can be: interval arithmetic over its operators (Moore 1966).
#ifndef TERRANE_BAKE_PLANET_BOUNDS_H
#define TERRANE_BAKE_PLANET_BOUNDS_H

#include "bake/planet/graph.h"
#include "bake/planet/program.h"

// Every value of a field lies in low .. high, which may be infinite; of noise, less than one value in 10^8 lies beyond.
// Colours and points have no bounds.
struct bounds {
    double low, high;
};

// The larger size of the two.
double bounds_size(struct bounds bounds);

// Of one octave of noise (kernels.h): less than one value in 10^8 lies beyond.
#define BOUNDS_NOISE_MOST 1.3

// What was seen of a value counts where it is at least this part of its interval.
#define BOUNDS_SEEN_PART 0.2

// bounds[i] of every value of the graph; the tables' quantiles must be ready. seen[i]: what the value was at some
// hundred points all over the planet, from low to high, or low > high where it was not looked at; NULL: nothing was.
// Intervals soon grow far beyond what sums and products reach, so where what was seen comes near them, half as much
// again stands in for them, and always for an exponential; but what is several times as large in a few places, and was
// not seen there, keeps its interval. Pure.
void bounds_find(struct bounds *bounds, const struct graph *graph, const struct tables *tables,
                 const struct bounds *seen);

#endif
