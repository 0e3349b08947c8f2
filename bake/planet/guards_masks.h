// SPDX-License-Identifier: MIT
// Which masks make that a step is needed for nothing: for guards_shared.h.
//
// A product needs nothing of one factor where the other is 0, and who reads a step that is needed for nothing does not
// need it either. So the masks of a step follow from those of its readers: from the last step to the first.
#ifndef TERRANE_BAKE_PLANET_GUARDS_MASKS_H
#define TERRANE_BAKE_PLANET_GUARDS_MASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/program.h"

struct mask_finder {
    const struct program *program;
    // Of each step, in the caller's memory, which is 0 at first:
    struct shared_masks *masks; // by those of its readers that were looked at; in the order of steps
    bool *vanishes;             // whether it may well be exactly 0, without a slope, in whole blocks
    uint32_t *earliest; // of what vanishes: the first step that can stand in for it, being 0 where it is not needed
};

// Fills in all of it.
void masks_find(const struct mask_finder *finder);

// What input k of a reader is needed for, as far as it is known before a step: nothing where the other factor of a
// product is 0, or where the reader's own masks are. Of the two, the one that can be known earlier, which holds for
// more of what stands before the step. All masks are read by steps behind it, so that their lanes are kept.
struct shared_masks masks_for(const struct mask_finder *finder, uint32_t reader, int k, uint32_t before);

#endif
