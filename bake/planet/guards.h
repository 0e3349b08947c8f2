// SPDX-License-Identifier: MIT
// Which operands of products and mixes need not be computed where a mask has no weight for them.
//
// A product is 0 where one of its factors is, and a mix that is all a does not depend on b (kernels.h). So what is
// needed for nothing but one operand can be skipped in a block where the other factor is 0 everywhere: the program
// computes the mask first, then looks at it (struct guard), then comes what it guards, in one piece.
//
// What is needed for nothing but an operand is what that operand dominates in the graph from users to inputs, whose
// root is all outputs together. In a graph without cycles the immediate dominator of a value is the last common one of
// its users, so one pass from the back finds them all; with jump pointers (Myers 1983) that takes n log n steps for n
// values. Guarded operands may stand inside one another, at most GUARD_DEPTH_MAX deep, so that whatever a planet file
// says the program is put in order in time and memory proportional to its length.
#ifndef TERRANE_BAKE_PLANET_GUARDS_H
#define TERRANE_BAKE_PLANET_GUARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/graph.h"
#include "bake/planet/program.h"
#include "common/status.h"

#define GUARD_DEPTH_MAX 16
// The least cost of what is skipped, in nanoseconds a sample: two octaves of noise. Looking at a mask costs below 1.
#define GUARD_COST_MIN_NS 16

// Of each value of the graph, both arrays in the caller's memory.
struct guard_plan {
    uint8_t *guarded; // 1: an operand that is skipped where its mask has no weight for it; then it has one user
    uint8_t *depth;   // how many guarded operands dominate the value, itself counted
};

// Chooses for a program with these outputs. needs[i] is not 0 where value i is needed.
enum status_code guards_choose(const struct guard_plan *plan, const struct graph *graph, const uint8_t *needs,
                               const struct program_output *outputs, int output_count, struct status *status);

// Nanoseconds a sample, roughly, as in language.md. Octaves that are too fine for a tile cost nothing there.
uint32_t guard_cost_ns(const struct graph *graph, const struct graph_value *value);

// Which input of a value is the mask of its input k, and when it shuts k out. Only of operands that can be guarded.
int guard_mask(enum graph_op op, int k, enum guard_test *test);

#endif
