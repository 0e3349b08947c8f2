// SPDX-License-Identifier: MIT
// How much the height may change with what a mesh carries: what decides how far apart its nodes may be.
#ifndef TERRANE_BAKE_PLANET_MESH_BUDGET_H
#define TERRANE_BAKE_PLANET_MESH_BUDGET_H

#include "bake/planet/program.h"

// Fills in the mesh_uses of a planet's programs, of which the last computes a height and then a colour, the others
// something of that. For each field: the largest change of the height that a change of the field by 1 can make, whether
// the colour looks at it other than through the height, and its place among the last program's fields.
//
// It is worked out from the outputs back to their inputs by the chain rule, with the largest size that each value has
// at a few hundred points spread over the planet, so it holds nearly everywhere, not everywhere; infinite where the
// rule does not know. Pure: the same on every machine.
enum status_code mesh_budget(struct program *programs, int count, const struct tables *tables,
                             const struct kernels *kernels, struct program_memory *memory, struct status *status);

#endif
