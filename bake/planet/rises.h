// SPDX-License-Identifier: MIT
// How much a planet's height changes with each of its steps: the chain rule from the height back to them, at many
// points of the planet, with what was seen there; where a step is larger elsewhere than it was seen, with its bounds.
#ifndef TERRANE_BAKE_PLANET_RISES_H
#define TERRANE_BAKE_PLANET_RISES_H

#include "bake/planet/bounds.h"
#include "bake/planet/program.h"

// What is known of a planet's last program, which computes height and colour. Of each of its steps, unless said.
struct rises {
    const struct program *program;
    const struct tables *tables;
    const struct bounds *bounds, *seen;   // of the graph's values: see bounds_find
    const double (*values)[PLANET_BLOCK]; // at the points of the block that is looked at
    double (*at_points)[PLANET_BLOCK];    // scratch
    double *most, *least;                 // the result: of the points so far
};

// Looks at a block: raises most[] to what the height changes there with a change of each step by 1, at least, and
// lowers least[] to it; infinite where that is not known.
void rises_look(const struct rises *rises);

#endif
