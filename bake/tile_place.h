// SPDX-License-Identifier: MIT
// Puts samples that come in the order of tile_order.h where they belong in a tile's rows.
//
// They come in slots of a fixed size: heights as they are, pixels of 3 bytes in 4, those of 6 bytes in 8 bytes; what is
// in a slot's last bytes does not matter. Compiled once for every machine and once for AVX2, which turns pieces of 8
// columns by 8 rows in its registers; the same bytes everywhere.
#ifndef TERRANE_BAKE_TILE_PLACE_H
#define TERRANE_BAKE_TILE_PLACE_H

#include <stdint.h>

#include "bake/tile_order.h"

#define TILE_SLOT_BYTES 4
#define TILE_WIDE_SLOT_BYTES 8

// Each takes the piece's samples, one after the other, and a tile of side * side samples. No byte of the tile but those
// of the piece's samples is touched.
struct tile_placer {
    const char *name;
    void (*heights)(int32_t *tile, int side, const struct tile_piece *piece, const int32_t *heights);
    void (*pixels)(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots);
    void (*wide_pixels)(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots);
};

// The quickest that this processor has.
const struct tile_placer *tile_placer_choose(void);

// "base" or "avx2"; NULL where this processor lacks it.
const struct tile_placer *tile_placer_named(const char *name);

#endif
