// SPDX-License-Identifier: MIT
// The way back from picture_filter.h, for pictures of which every row has the Paeth filter. Private to the picture
// codec.
#ifndef TERRANE_FORMATS_PICTURE_UNFILTER_H
#define TERRANE_FORMATS_PICTURE_UNFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes after the filtered ones that must be readable.
#define PICTURE_UNFILTER_SLACK_BYTES 8

// samples gets row_count rows of row_bytes bytes; filtered has one more byte a row. pixel_bytes: 3 or 6; row_bytes is a
// multiple of it and at least one pixel. False, with samples undefined, where a row has another filter.
bool picture_unfilter(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count, size_t pixel_bytes);

// The same in plain C, for other machines than x86-64, and for tests.
bool picture_unfilter_plain(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count,
                            size_t pixel_bytes);

#endif
