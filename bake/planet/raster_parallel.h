// SPDX-License-Identifier: MIT
// Means along a parallel: what a row of the picture is to a spacing that is wider than its columns on the ground, as
// near the poles. Only raster*.c include this.
#ifndef TERRANE_BAKE_PLANET_RASTER_PARALLEL_H
#define TERRANE_BAKE_PLANET_RASTER_PARALLEL_H

#include <stddef.h>

#include "bake/planet/raster_level.h"

// A row at a column coordinate, with its slope by that.
struct row_value {
    double v, slope;
};

// Doubles that raster_parallel_prepare needs.
size_t raster_parallel_doubles(const struct raster_level *level);

// Fills tables, and with them the level's row_columns and sums, from everything else but the poles.
void raster_parallel_prepare(struct raster_level *level, double *tables);

// value is the row by its samples, at column coordinate c: passes from there to the row's mean over width columns
// around c, all around at most, as width goes from 1 to 2. The mean is that of the line through the samples; in the gap
// of a regional raster, of its edges and the passage between them.
struct row_value raster_parallel_mix(const struct raster_level *level, int row, int channel, double c, double width,
                                     struct row_value value);

#endif
