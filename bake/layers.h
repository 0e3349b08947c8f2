// SPDX-License-Identifier: MIT
// From what the planet function gives at samples to what a tile stores (formats/layer.h). Pure functions over runs of
// samples; each result depends on its own sample alone. false means that a value cannot be stored (not finite, or out
// of range); the rest of the run is still filled in, with anything.
#ifndef TERRANE_BAKE_LAYERS_H
#define TERRANE_BAKE_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/planet.h"
#include "bake/srgb.h"

// A run of samples: directions and what the planet gives there.
struct sample_run {
    int count;
    const double *x, *y, *z;
    struct planet_block values; // arrays of count
};

// heights[k] = floor(h / unit + 0.5), for lowest_m <= h. units_per_m is a power of two.
bool layer_heights(int32_t *heights, const struct sample_run *run, double units_per_m, double lowest_m);

// Normals in the tangent frame of a face: normalise((R + h) dir - gradient), whose parts along the frame are -g.x, -g.y
// and R + h. bits is 8 or 16; samples gets 3 or 6 bytes each.
bool layer_normals(uint8_t *samples, const struct sample_run *run, int face, double radius_m, int bits);

bool layer_colors(uint8_t *samples, const struct sample_run *run, const struct srgb_table *table);

#endif
