// SPDX-License-Identifier: MIT
#include "formats/picture_filter.h"

#include <string.h>

enum png_filter { PNG_FILTER_SUB = 1, PNG_FILTER_UP = 2, PNG_FILTER_AVERAGE = 3 };

static void filter_sub(uint8_t *restrict target, const uint8_t *row, size_t row_bytes, size_t pixel_bytes)
{
    memcpy(target, row, pixel_bytes);
    for (size_t k = pixel_bytes; k < row_bytes; k++)
        target[k] = (uint8_t)(row[k] - row[k - pixel_bytes]);
}

static void filter_average(uint8_t *restrict target, const uint8_t *row, const uint8_t *above, size_t row_bytes,
                           size_t pixel_bytes)
{
    for (size_t k = 0; k < pixel_bytes; k++)
        target[k] = (uint8_t)(row[k] - (above[k] >> 1));
    for (size_t k = pixel_bytes; k < row_bytes; k++)
        target[k] = (uint8_t)(row[k] - ((row[k - pixel_bytes] + above[k]) >> 1));
}

void picture_filter(uint8_t *target, const uint8_t *samples, size_t row_bytes, int row_count, size_t pixel_bytes)
{
    for (int y = 0; y < row_count; y++) {
        const uint8_t *row = samples + (size_t)y * row_bytes, *above = row - row_bytes;
        if (y == 0) {
            *target++ = PNG_FILTER_SUB;
            filter_sub(target, row, row_bytes, pixel_bytes);
        } else if (memcmp(row, above, row_bytes) == 0) {
            *target++ = PNG_FILTER_UP;
            memset(target, 0, row_bytes);
        } else {
            *target++ = PNG_FILTER_AVERAGE;
            filter_average(target, row, above, row_bytes, pixel_bytes);
        }
        target += row_bytes;
    }
}
