// SPDX-License-Identifier: MIT
#include "bake/tile_order.h"

#include <assert.h>
#include <stdbool.h>

void tile_order(int side, int first, int count, uint16_t *columns, uint16_t *rows)
{
    assert(first >= 0 && count >= 0 && first + count <= side * side);
    int per_band = side * TILE_ORDER_ROWS, band = first / per_band, within = first % per_band;
    for (int k = 0; k < count; band++, within = 0) {
        int top = band * TILE_ORDER_ROWS, height = side - top < TILE_ORDER_ROWS ? side - top : TILE_ORDER_ROWS;
        int column = within / height, row = within % height;
        for (; column < side && k < count; k++) {
            columns[k] = (uint16_t)(band % 2 == 0 ? column : side - 1 - column);
            rows[k] = (uint16_t)(top + row);
            bool last = ++row == height;
            row = last ? 0 : row;
            column += last;
        }
    }
}
