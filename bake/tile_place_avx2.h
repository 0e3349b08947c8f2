// SPDX-License-Identifier: MIT
// Placers of tile_place.h for pieces of at least 8 columns of TILE_ORDER_ROWS samples. Private to them.
#ifndef TERRANE_BAKE_TILE_PLACE_AVX2_H
#define TERRANE_BAKE_TILE_PLACE_AVX2_H

#include "bake/tile_place.h"

void tile_place_heights_avx2(int32_t *tile, int side, const struct tile_piece *piece, const int32_t *heights);
void tile_place_pixels_avx2(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots);
void tile_place_wide_pixels_avx2(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots);

#endif
