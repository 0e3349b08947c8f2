// SPDX-License-Identifier: MIT
#include "bake/planet/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bake/planet/excerpt.h"

enum status_code source_fail(const struct source *source, size_t at, struct status *status, const char *format, ...)
{
    char message[sizeof status->text];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (source->is_override) {
        status_fail(status, STATUS_USAGE, "%s: %s", source->label, message);
        excerpt_write(status->context, sizeof status->context, source->text, source->length, at);
        return STATUS_USAGE;
    }
    size_t line = 1, line_start = 0;
    for (size_t i = 0; i < at && i < source->length; i++) {
        if (source->text[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    status_fail(status, STATUS_INPUT, "%s:%zu:%zu: %s", source->label, line, at - line_start + 1, message);
    excerpt_write(status->context, sizeof status->context, source->text, source->length, at);
    return STATUS_INPUT;
}

static bool is_continuation(const char *text, size_t length, size_t at)
{
    return at < length && ((unsigned char)text[at] & 0xC0) == 0x80;
}

size_t utf8_sequence(const char *text, size_t length)
{
    unsigned first = (unsigned char)text[0], second = length > 1 ? (unsigned char)text[1] : 0;
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4 || !is_continuation(text, length, 1))
        return 0;
    if (first < 0xE0)
        return 2;
    if (!is_continuation(text, length, 2))
        return 0;
    // No overlong forms and no surrogates.
    if (first < 0xF0)
        return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ? 0 : 3;
    if (!is_continuation(text, length, 3))
        return 0;
    return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : 4;
}

enum status_code source_check(const struct source *source, struct status *status)
{
    if (source->length > SOURCE_BYTES_MAX)
        return source_fail(source, 0, status, "expected at most %u bytes, got %zu", SOURCE_BYTES_MAX, source->length);
    for (size_t at = 0; at < source->length;) {
        size_t size = utf8_sequence(source->text + at, source->length - at);
        if (size == 0 || source->text[at] == 0)
            return source_fail(source, at, status, "expected text in UTF-8, got byte %u",
                               (unsigned)(unsigned char)source->text[at]);
        at += size;
    }
    return STATUS_OK;
}
