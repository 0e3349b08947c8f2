// SPDX-License-Identifier: MIT
// Mips of a raster: each level the area-weighted mean of the one before over cells of about twice the size, smoothed
// along longitude where meridians crowd. Only raster*.c include this.
#ifndef TERRANE_BAKE_PLANET_RASTER_MIP_H
#define TERRANE_BAKE_PLANET_RASTER_MIP_H

#include <stdbool.h>
#include <stddef.h>

#include "bake/planet/raster_level.h"
#include "common/arena.h"

// Describes the mip of a level: cells (no nodes) over the same part of the sphere, an axis halved (rounding up) where
// that brings it near to the new pixel_rad, which is about twice the old one; samples is NULL as yet. False where level
// is one cell.
bool raster_mip_shape(struct raster_level *mip, const struct raster_level *level);

// Working memory for raster_mip_fill; no mip of a mip needs more.
size_t raster_mip_scratch_bytes(const struct raster_level *mip, const struct raster_level *level);

// Fills samples (rows * row_stride floats) with the means of level, and the poles. Means over the sphere are kept.
void raster_mip_fill(struct raster_level *mip, float *samples, const struct raster_level *level, struct arena scratch);

#endif
