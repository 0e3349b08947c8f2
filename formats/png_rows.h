// SPDX-License-Identifier: MIT
// Pictures of any height, written as PNG row by row by libpng: what `map`, `tile` and `extract` put out. Memory is a
// few rows. Compressed at level 6 with libpng's own choice of filters, so the bytes depend on the libraries installed
// and only the samples are promised; there is no time stamp.
//
//   png_rows_begin(&rows, &picture, sink, sink_context, &status)
//   for each band: png_rows_write(rows, samples, row_count, &status)
//   png_rows_finish(rows, &status), or png_rows_free(rows) after a failure
//
// Not for sharing between threads.
#ifndef TERRANE_FORMATS_PNG_ROWS_H
#define TERRANE_FORMATS_PNG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

enum png_kind { PNG_GRAY8, PNG_GRAY16, PNG_RGB8, PNG_RGB16 };

// A text chunk (tEXt, before the samples). key: 1 to 79 printable ASCII characters without blanks at its ends; text:
// ASCII. Other bytes in text are written as '?'.
struct png_text_pair {
    const char *key, *text;
};

struct png_picture {
    int width, height; // at least 1
    enum png_kind kind;
    bool srgb; // says that samples are sRGB colours
    const struct png_text_pair *texts;
    int text_count;
};

// Where the bytes go, in order. Fails as everything else does: a code, and *status filled in.
typedef enum status_code png_sink_function(void *sink, const void *bytes, size_t size, struct status *status);

struct png_rows; // opaque

// Copies what it needs of picture. Writes the header. On failure *rows is NULL: the sink's failure, or STATUS_RESOURCE
// where memory is short.
enum status_code png_rows_begin(struct png_rows **rows, const struct png_picture *picture, png_sink_function *sink,
                                void *sink_context, struct status *status);

// The next row_count rows, from the top: uint8_t samples, or uint16_t in host order for the 16-bit kinds, channels side
// by side, rows without padding. More rows in all than the height is the caller's mistake. After a failure only
// png_rows_free may follow.
enum status_code png_rows_write(struct png_rows *rows, const void *samples, int row_count, struct status *status);

// All rows must have been written. Writes the end, and frees rows whether it fails or not.
enum status_code png_rows_finish(struct png_rows *rows, struct status *status);

void png_rows_free(struct png_rows *rows); // NULL is fine

#endif
