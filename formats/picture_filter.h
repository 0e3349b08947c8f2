// SPDX-License-Identifier: MIT
// PNG's row filters as our writer uses them (PNG specification, section 9): one fixed choice, made from measurements,
// so that the bytes never depend on a heuristic. Private to the picture codec.
#ifndef TERRANE_FORMATS_PICTURE_FILTER_H
#define TERRANE_FORMATS_PICTURE_FILTER_H

#include <stddef.h>
#include <stdint.h>

// Filters row_count rows of row_bytes bytes: target gets row_count times a filter byte and row_bytes bytes. The first
// row is filtered by Sub, a row equal to the one above it by Up (so that constant areas become zeros), all others by
// Average. pixel_bytes: 3 or 6.
void picture_filter(uint8_t *target, const uint8_t *samples, size_t row_bytes, int row_count, size_t pixel_bytes);

#endif
