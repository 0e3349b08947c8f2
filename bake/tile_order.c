// SPDX-License-Identifier: MIT
#include "bake/tile_order.h"

#include <assert.h>

struct tile_piece tile_order_piece(int side, int first, int count)
{
    assert(first >= 0 && count >= 1 && first + count <= side * side);
    int per_band = side * TILE_ORDER_ROWS, band = first / per_band, within = first % per_band;
    int top = band * TILE_ORDER_ROWS, height = side - top < TILE_ORDER_ROWS ? side - top : TILE_ORDER_ROWS;
    int step = band % 2 == 0 ? 1 : -1, done = within / height, cut = within % height;
    int column = step > 0 ? done : side - 1 - done;
    if (cut > 0 || count < height) {
        int left = height - cut < count ? height - cut : count;
        return (struct tile_piece){column, step, 1, top + cut, left};
    }
    int whole = side - done < count / height ? side - done : count / height;
    return (struct tile_piece){column, step, whole, top, height};
}

// Inlined with the usual height, for which a column is two stores.
static inline void fill_columns(uint16_t *columns, uint16_t *rows, const struct tile_piece *piece, int height)
{
    for (int c = 0; c < piece->count; c++, columns += height, rows += height) {
        for (int row = 0; row < height; row++) {
            columns[row] = (uint16_t)(piece->column + c * piece->step);
            rows[row] = (uint16_t)(piece->top + row);
        }
    }
}

void tile_order(int side, int first, int count, uint16_t *columns, uint16_t *rows)
{
    for (int k = 0; k < count;) {
        const struct tile_piece piece = tile_order_piece(side, first + k, count - k);
        if (piece.height == TILE_ORDER_ROWS)
            fill_columns(columns + k, rows + k, &piece, TILE_ORDER_ROWS);
        else
            fill_columns(columns + k, rows + k, &piece, piece.height);
        k += piece.count * piece.height;
    }
}
