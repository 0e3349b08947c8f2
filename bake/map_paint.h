// SPDX-License-Identifier: MIT
// The whole planet as an equirectangular picture: longitude -180 to 180 from left to right, north up, twice as wide as
// high, each pixel the planet at its centre. Painted in bands of rows, so that memory does not grow with the picture.
#ifndef TERRANE_BAKE_MAP_PAINT_H
#define TERRANE_BAKE_MAP_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "formats/pack.h"

enum map_style {
    MAP_COLOR,  // RGB, sRGB
    MAP_RELIEF, // the same with hill shading
    MAP_HEIGHT, // RGB, Terrarium (height_picture.h)
    MAP_NORMAL, // RGB, components to the east, to the north and upward, stored as in layer.h with 8 bits
    MAP_RAW,    // int32 units, little-endian
};

#define MAP_WIDTH_MAX 65536
#define MAP_LEVEL_AUTO (-1)

struct map_request {
    int width; // even, 2..MAP_WIDTH_MAX
    enum map_style style;
    // Cap of the tiles' level. MAP_LEVEL_AUTO: the coarsest whose samples are as dense as the pixels, since the samples
    // of deeper ones hold detail that the picture cannot show and would glitter; for heights, twice as dense.
    int level;
    bool has_sea; // for MAP_RELIEF: the ground under the sea is shaded less
    double sea_m;
};

struct map_painter; // opaque; one thread's

// STATUS_INPUT where the pack lacks the layers that the style needs.
enum status_code map_painter_new(struct map_painter **painter, const struct pack *pack,
                                 const struct map_request *request, struct status *status);
void map_painter_free(struct map_painter *painter); // NULL is fine

// Bytes of a row: three or, for MAP_RAW, four a pixel.
size_t map_row_bytes(const struct map_request *request);

// Rows first_row, first_row + 1, ... from the top. Where the pack has no tile the bare datum sphere is drawn: height 0,
// middle grey, a normal straight up. STATUS_INPUT where a height does not fit Terrarium.
enum status_code map_paint(struct map_painter *painter, int first_row, int row_count, uint8_t *rows,
                           struct status *status);

// Pixels painted so far that lay outside all tiles.
uint64_t map_bare_pixels(const struct map_painter *painter);

#endif
