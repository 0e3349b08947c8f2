// SPDX-License-Identifier: MIT
// A text in the planet language, and how trouble in it is reported: with file, line and column.
#ifndef TERRANE_BAKE_PLANET_SOURCE_H
#define TERRANE_BAKE_PLANET_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"

#define SOURCE_BYTES_MAX (1u << 20)

// A planet file, or the VALUE of one override from the command line.
struct source {
    const char *label; // of the file, or "--set KEY=VALUE"
    const char *text;  // need not end in zero
    size_t length;
    bool is_override; // then messages have no line and column, and the code is STATUS_USAGE
};

// "LABEL:LINE:COLUMN: message" about byte offset at of the text; line and column count from 1, columns in bytes. The
// status's context shows the line with a caret below the place, of an override its VALUE.
enum status_code source_fail(const struct source *source, size_t at, struct status *status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Refuses what is no text: over SOURCE_BYTES_MAX, a zero byte, bytes that are not UTF-8 (the text goes into a pack's
// JSON metadata).
enum status_code source_check(const struct source *source, struct status *status);

// The length of the UTF-8 sequence (RFC 3629) at the start of length > 0 bytes, or 0 where there is none.
size_t utf8_sequence(const char *text, size_t length);

#endif
