// SPDX-License-Identifier: MIT
// PNG's Paeth filter (PNG specification, section 9.4), which our writer uses for every row: of the fixed choices it
// gives the smallest normals and colours together (tests/bench_codec.c has the figures), it turns constant areas into
// zeros from the first row on, and a fixed choice keeps heuristics out of the bytes. Private to the picture codec.
#ifndef TERRANE_FORMATS_PICTURE_FILTER_H
#define TERRANE_FORMATS_PICTURE_FILTER_H

#include <stddef.h>
#include <stdint.h>

// Filters row_count rows of row_bytes bytes: target gets row_count times a filter byte and row_bytes bytes.
// pixel_bytes: 3 or 6; row_bytes is a multiple of it and at least one pixel.
void picture_filter(uint8_t *target, const uint8_t *samples, size_t row_bytes, int row_count, size_t pixel_bytes);

#endif
