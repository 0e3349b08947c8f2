// SPDX-License-Identifier: MIT
// The plates of plates(...): where they lie and how they move, drawn once when the planet is loaded. The kernel that
// makes fields of them is in kernels_belts.h.
#ifndef TERRANE_BAKE_PLANET_PLATES_H
#define TERRANE_BAKE_PLANET_PLATES_H

#include <stdint.h>

#include "bake/planet/kernels.h"

// count is 2..PLATES_MAX. Pure; the same seed gives the same plates on every machine.
void plates_prepare(struct plates *plates, int count, double width, uint64_t seed);

// The part with that name ("bias", "trench", ...), or PLATE_PARTS.
enum plate_part plate_part_named(const char *name);

#endif
