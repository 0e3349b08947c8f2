// SPDX-License-Identifier: MIT
// The order in which a tile's samples are evaluated: in bands of TILE_ORDER_ROWS rows, each column by column, the
// bands alternately from west to east and back. Any few hundred neighbours in it form a compact patch, which is what
// the planet engine is quickest with (kernels.h), and no block is left half empty at the end of a row.
#ifndef TERRANE_BAKE_TILE_ORDER_H
#define TERRANE_BAKE_TILE_ORDER_H

#include <stdint.h>

#define TILE_ORDER_ROWS 8

// Columns and rows of samples number first to first + count - 1 of a tile of side * side samples.
void tile_order(int side, int first, int count, uint16_t *columns, uint16_t *rows);

#endif
