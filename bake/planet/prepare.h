// SPDX-License-Identifier: MIT
// What is taken from the whole planet once, when it is loaded: quantiles and climates. They are values of the graph
// that look at other values everywhere, also at each other and at lattices, so they are prepared stage by stage
// (lattice.h).
#ifndef TERRANE_BAKE_PLANET_PREPARE_H
#define TERRANE_BAKE_PLANET_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/kernels.h"
#include "bake/planet/program.h"
#include "bake/planet/source.h"

struct preparation {
    struct tables *tables; // what is filled in
    const struct graph *graph;
    const struct kernels *kernels;
    const bool *needed;            // for each value of the graph; the others are left as they are
    const int *stages;             // of each value: see graph_stages
    struct program_memory *memory; // set by prepare_tables
    const struct source *source;   // that the graph was made from
    double sea_m;                  // height of the sea, -DBL_MAX without one
};

// Messages are about the source.
enum status_code prepare_tables(const struct preparation *what, struct status *status);

// For what is prepared: evaluates the field first, and second if it is not GRAPH_NONE, at count places (a multiple of
// PLANET_BLOCK) with the detail that spacing (radians) can carry. direction gives the place of each index.
enum status_code prepare_sample(const struct preparation *preparation, uint32_t first, uint32_t second, int count,
                                void (*direction)(int index, double *x, double *y, double *z), double spacing,
                                double *first_values, double *second_values, struct status *status);

#endif
