// SPDX-License-Identifier: MIT
// A finished planet is tried out before anything is baked: where its height, slope or colour is not finite, or a height
// cannot be stored, it is refused, naming the operator or function of the planet file that is the cause.
#ifndef TERRANE_BAKE_PLANET_PROBE_H
#define TERRANE_BAKE_PLANET_PROBE_H

#include "bake/planet/planet_internal.h"
#include "bake/planet/source.h"

// Evenly spread points, about 6 and 12 degrees apart, at a spacing (radians) of coarse tiles and at one that is finer
// than nearly all octaves; there are few of the latter since fine detail costs most where it is scattered. Besides them
// there are the poles, the cube's corners, and points with x, y or z exactly 0, where formulas have their singular
// places.
#define PROBE_POINTS_COARSE 1024
#define PROBE_POINTS_FINE 256
#define PROBE_SPACING_COARSE 1e-2
#define PROBE_SPACING_FINE 1e-7

// planet is complete, source is what it was made from. STATUS_INPUT, with the place in the source. What other points
// hide is left to the bake, which checks every sample.
enum status_code planet_probe(const struct planet *planet, const struct source *source, struct status *status);

#endif
