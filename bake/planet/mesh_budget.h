// SPDX-License-Identifier: MIT
// What a tile's mesh may carry, and how much the height changes with it: what decides how far apart its nodes may be.
#ifndef TERRANE_BAKE_PLANET_MESH_BUDGET_H
#define TERRANE_BAKE_PLANET_MESH_BUDGET_H

#include "bake/planet/graph.h"
#include "bake/planet/program.h"
#include "common/status.h"

// Settles which values have fields, in tables->mesh_of and the steps of a planet's programs, and fills in
// tables->mesh_uses and tables->steepest. The last program computes a height and a colour, the others something of
// that, lean ones that are compiled later too: a field is the same in all of them. Noise and `coarse` at the places on
// the sphere themselves get fields, the first MESH_FIELDS_MAX of the last program.
//
// rise: the largest change of the height that a change of the field by 1 can make, by the chain rule (rises.h) at some
// hundred points spread over the planet, and three times that; infinite where it is not known. for_color: whether the
// colour looks at the field other than through the height. unit: by what the field was at those points. Pure: the same
// on every machine.
enum status_code mesh_budget(struct tables *tables, const struct graph *graph, struct program *programs, int count,
                             const struct kernels *kernels, struct program_memory *memory, struct status *status);

#endif
