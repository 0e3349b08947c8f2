// SPDX-License-Identifier: MIT
// A tile as it waits for its upload.
#ifndef TERRANE_VIEW_TILE_DATA_H
#define TERRANE_VIEW_TILE_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "view/tile_geometry.h"

// What a loader makes of a tile, in one allocation of tile_data_bytes().
struct tile_data {
    struct tile_vertex *vertices; // tile_vertex_count
    int16_t *normals;             // (N+1)^2 x 2, tangent frame
    uint8_t *colors;              // (N+1)^2 x 4, sRGB and 255
};
size_t tile_data_bytes(int intervals);
struct tile_data *tile_data_over(void *memory, int intervals); // lays it out in tile_data_bytes() of memory
size_t tile_gpu_bytes(int intervals);                          // of a slot

#endif
