// SPDX-License-Identifier: MIT
// From what the planet function gives at samples to what a tile stores (formats/layer.h). Pure functions over runs of
// samples; each result depends on its own sample alone. Pixels are put in slots of tile_place.h. false means that a
// value cannot be stored (not finite, or out of range); the rest of the run is still filled in, with anything.
#ifndef TERRANE_BAKE_LAYERS_H
#define TERRANE_BAKE_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/layer_loops.h"
#include "bake/planet/planet.h"
#include "bake/srgb.h"
#include "bake/tile_place.h"

// A run of samples: directions and what the planet gives there.
struct sample_run {
    int count;
    const double *x, *y, *z;
    struct planet_block values; // arrays of count
};

// heights[k] = floor(h / unit + 0.5), for lowest_m <= h. units_per_m is a power of two. *range grows to hold them.
bool layer_heights(int32_t *heights, const struct sample_run *run, double units_per_m, double lowest_m,
                   struct height_range *range);

// Normals in the tangent frame of a face: normalise((R + h) dir - gradient), whose parts along the frame are -g.x, -g.y
// and R + h. bits is 8 or 16, which come in slots of TILE_SLOT_BYTES or TILE_WIDE_SLOT_BYTES.
bool layer_normals(uint8_t *slots, const struct sample_run *run, int face, double radius_m, int bits);

bool layer_colors(uint8_t *slots, const struct sample_run *run, const struct srgb_table *table);

#endif
