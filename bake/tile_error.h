// SPDX-License-Identifier: MIT
// The geometric error of a tile: how far its surface lies from the planet in full detail.
//
// The surface is what a viewer draws: the samples joined by flat triangles, each cell split along the diagonal from
// (column, row) to (column + 1, row + 1). Distances are radial: a point P of a triangle is compared with the height
// that the function has in P's direction at the spacing of level 24, so the sag of chords counts. Points are a fixed
// sparse set: one in each block of 8 x 8 cells, on cell centres and middles of edges in turn, and on each side every
// 32nd sample; 1.5 to 1.9 % of the tile's samples. It does not depend on the plan.
#ifndef TERRANE_BAKE_TILE_ERROR_H
#define TERRANE_BAKE_TILE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/planet.h"
#include "bake/tile_lattice.h"

// A point of the set, in half steps: halfway between samples (column2 / 2, row2 / 2), rounded down, and
// ((column2 + 1) / 2, (row2 + 1) / 2), which are the same sample where both are even.
struct error_point {
    int column2, row2;
};

int tile_error_point_count(int intervals);
struct error_point tile_error_point(int intervals, int index);

// The largest distance in units, rounded up. heights: the stored ones. scratch: the planet's. False where the function
// is not finite.
bool tile_error_units(uint32_t *error, const struct planet *planet, const struct tile_lattice *lattice,
                      const int32_t *heights, double unit_m, void *scratch);

#endif
