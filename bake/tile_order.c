// SPDX-License-Identifier: MIT
#include "bake/tile_order.h"

#include <assert.h>
#include <stdbool.h>

// Whole columns of a band of that height, from its top row on: count of them, from column on by step.
static void fill_columns(uint16_t *columns, uint16_t *rows, int count, int column, int step, int top, int height)
{
    for (int c = 0; c < count; c++, column += step, columns += height, rows += height)
        for (int row = 0; row < height; row++) {
            columns[row] = (uint16_t)column;
            rows[row] = (uint16_t)(top + row);
        }
}

void tile_order(int side, int first, int count, uint16_t *columns, uint16_t *rows)
{
    assert(first >= 0 && count >= 0 && first + count <= side * side);
    int per_band = side * TILE_ORDER_ROWS, band = first / per_band, within = first % per_band;
    for (int k = 0; k < count; band++, within = 0) {
        int top = band * TILE_ORDER_ROWS, height = side - top < TILE_ORDER_ROWS ? side - top : TILE_ORDER_ROWS;
        int step = band % 2 == 0 ? 1 : -1, start = band % 2 == 0 ? 0 : side - 1;
        while (within < height * side && k < count) {
            int whole = (height * side - within < count - k ? height * side - within : count - k) / height;
            if (within % height == 0 && whole > 0) {
                fill_columns(columns + k, rows + k, whole, start + step * (within / height), step, top, height);
                within += whole * height;
                k += whole * height;
                continue;
            }
            columns[k] = (uint16_t)(start + step * (within / height));
            rows[k++] = (uint16_t)(top + within++ % height);
        }
    }
}
