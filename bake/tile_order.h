// SPDX-License-Identifier: MIT
// The order in which a tile's samples are evaluated: in bands of TILE_ORDER_ROWS rows, each column by column, the
// bands alternately from west to east and back. Any few hundred neighbours in it form a compact patch, which is what
// the planet engine is quickest with (kernels.h), and no block is left half empty at the end of a row.
#ifndef TERRANE_BAKE_TILE_ORDER_H
#define TERRANE_BAKE_TILE_ORDER_H

#include <stdint.h>

#define TILE_ORDER_ROWS 8

// A stretch of the order: count columns from column on by step (1 or -1), of each the height samples from row top on.
struct tile_piece {
    int column, step, count;
    int top, height; // at most TILE_ORDER_ROWS; fewer in the last band and where a column is cut
};

// The piece that sample number first of a tile of side * side samples begins, of at most count (>= 1) samples.
struct tile_piece tile_order_piece(int side, int first, int count);

// Columns and rows of samples number first to first + count - 1.
void tile_order(int side, int first, int count, uint16_t *columns, uint16_t *rows);

#endif
