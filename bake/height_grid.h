// SPDX-License-Identifier: MIT
// A pack's heights on the centres of an equirectangular grid, all in memory: what statistics are made from. It is the
// grid of `terrane map --style height --raw`, taken from one level of the pack that covers the whole planet.
#ifndef TERRANE_BAKE_HEIGHT_GRID_H
#define TERRANE_BAKE_HEIGHT_GRID_H

#include "common/status.h"
#include "formats/pack.h"

struct height_grid {
    int width;        // the grid is half as high
    float *heights_m; // to 24 bits, half a millimetre at 8 km; rows from north to south, columns from longitude -180
                      // eastward
    int level;        // of the tiles that the heights come from
    double pack_spacing_m, spacing_m; // between the tiles' samples, and between the grid's rows
    double radius_m;
};

// width: even, 2 to MAP_WIDTH_MAX. The tiles are those of the coarsest level whose samples are twice as dense as the
// grid, or of the deepest full level. Heights are bilinear and rounded to the pack's unit. STATUS_INPUT where the pack
// has no height layer, or no level with all its tiles. The same bits for any thread_count (at least 1).
enum status_code height_grid_sample(struct height_grid *grid, const struct pack *pack, int width, int thread_count,
                                    struct status *status);
void height_grid_free(struct height_grid *grid);

#endif
