// SPDX-License-Identifier: MIT
// The rasters of one planet: each file is loaded once for each way in which it is looked at.
#ifndef TERRANE_BAKE_PLANET_RASTER_SHELF_H
#define TERRANE_BAKE_PLANET_RASTER_SHELF_H

#include "bake/planet/raster.h"

#define RASTER_SHELF_MAX 32

struct raster_shelf {
    const char *folder; // of relative paths; NULL refuses rasters
    int count;
    struct raster *rasters[RASTER_SHELF_MAX];
    char *files[RASTER_SHELF_MAX];
    struct raster_options options[RASTER_SHELF_MAX];
};

// *index of the raster of that file, which is loaded where it is not there yet.
enum status_code raster_shelf_get(struct raster_shelf *shelf, const char *file, const struct raster_options *options,
                                  int *index, struct status *status);
void raster_shelf_free(struct raster_shelf *shelf);

#endif
