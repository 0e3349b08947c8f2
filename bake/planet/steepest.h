// SPDX-License-Identifier: MIT
// How steep the values of a graph can be: the chain rule with bounds (bounds.h) for what it multiplies with.
#ifndef TERRANE_BAKE_PLANET_STEEPEST_H
#define TERRANE_BAKE_PLANET_STEEPEST_H

#include "bake/planet/bounds.h"
#include "bake/planet/graph.h"
#include "bake/planet/program.h"

// steepest[i] of every value: the greatest length of a field's gradient by the position on the unit sphere, whatever
// the spacing; of points, of what they make of a step of length 1. As far as bounds[] hold, which should be those of
// intervals alone (bounds_find with seen NULL), and but for less than one sample of noise in 10^8. INFINITY where it is
// not known or the field jumps, and of colours. Pure.
//
// Ramps and masks take a footprint for no wider than this makes it: so where a field is far enough from their knots
// for its value alone to say so, they need no gradient (program_compile_lean).
void steepest_find(double *steepest, const struct graph *graph, const struct tables *tables,
                   const struct bounds *bounds);

#endif
