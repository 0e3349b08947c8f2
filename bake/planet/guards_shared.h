// SPDX-License-Identifier: MIT
// Steps that need not be run where some masks are 0, though more than one step reads them.
//
// guards.h skips what a single operand needs. What several products read, each with a mask of its own, is needed for
// nothing where all these masks are 0. The masks that make a step so follow from those of its readers, so one pass from
// the last step to the first finds them. The order of the steps stays as it is: steps that stand together and have the
// same masks, all of them known before, get a guard (struct shared_guard).
//
// A step that needs nothing but the samples' positions can also wait until it is read. It is lazy if each of its
// readers may have no use for it, be it that the reader's masks are 0 or that a guard skips the reader: so it need not
// be known at its own place in the order whether any of them has.
#ifndef TERRANE_BAKE_PLANET_GUARDS_SHARED_H
#define TERRANE_BAKE_PLANET_GUARDS_SHARED_H

#include <stddef.h>
#include <stdint.h>

#include "bake/planet/graph.h"
#include "bake/planet/program.h"
#include "common/status.h"

// Finds the shared guards and the lazy steps of a program whose steps and guards are in order; last_use[i] is the last
// step that reads step i. A mask is read after its guard anyway, so no lanes need be kept for longer. program->shared
// and program->sites have room for as many as there are steps.
enum status_code guards_find_shared(struct program *program, const struct graph *graph, const uint32_t *last_use,
                                    struct status *status);

#endif
