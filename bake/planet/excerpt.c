// SPDX-License-Identifier: MIT
#include "bake/planet/excerpt.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "bake/planet/source.h"

// Of those, how many come before the place in a line that goes on to both sides.
#define BYTES_BEFORE 60

struct range {
    size_t first, end;
};

static struct range line_around(const char *text, size_t length, size_t at)
{
    struct range line = {at, at};
    while (line.first > 0 && text[line.first - 1] != '\n')
        line.first--;
    while (line.end < length && text[line.end] != '\n')
        line.end++;
    if (line.end > line.first && text[line.end - 1] == '\r')
        line.end--;
    if (line.first == 0 && line.end >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        line.first = 3;
    return line;
}

// Whether a cut here would part a sequence, which has at most three such bytes.
static bool inside_sequence(const char *text, size_t at)
{
    return ((unsigned char)text[at] & 0xC0) == 0x80;
}

static struct range part_around(const char *text, struct range line, size_t at)
{
    struct range part = line;
    if (line.end - line.first <= EXCERPT_BYTES)
        return part;
    if (at > line.first + BYTES_BEFORE)
        part.first = at - BYTES_BEFORE;
    if (line.end - part.first < EXCERPT_BYTES)
        part.first = line.end - EXCERPT_BYTES;
    part.end = part.first + EXCERPT_BYTES;
    for (int k = 0; k < 3 && part.first > line.first && inside_sequence(text, part.first); k++)
        part.first++;
    for (int k = 0; k < 3 && part.end < line.end && inside_sequence(text, part.end); k++)
        part.end--;
    return part;
}

// Controls of one byte, and those of two (U+0080 to U+009F), which some terminals obey too.
static bool is_control(const char *sequence, size_t size)
{
    unsigned char first = (unsigned char)sequence[0];
    return size == 1 ? first < 0x20 || first == 0x7F : first == 0xC2 && (unsigned char)sequence[1] < 0xA0;
}

void excerpt_write(char *to, size_t size, const char *text, size_t length, size_t at)
{
    assert(size >= EXCERPT_SIZE);
    (void)size;
    at = at < length ? at : length;
    struct range line = line_around(text, length, at), part = part_around(text, line, at);
    char padding[EXCERPT_BYTES + 4];
    size_t padding_length = 0;
    if (part.first > line.first) {
        to = (char *)memcpy(to, "...", 3) + 3;
        memset(padding, ' ', padding_length = 3);
    }
    for (size_t from = part.first; from < part.end;) {
        size_t bytes = utf8_sequence(text + from, part.end - from);
        bool shown = bytes > 0 && (text[from] == '\t' || !is_control(text + from, bytes));
        if (from < at)
            padding[padding_length++] = text[from] == '\t' ? '\t' : ' ';
        bytes = bytes > 0 ? bytes : 1;
        memcpy(to, shown ? text + from : "?", shown ? bytes : 1);
        to += shown ? bytes : 1;
        from += bytes;
    }
    if (part.end < line.end)
        to = (char *)memcpy(to, "...", 3) + 3;
    *to++ = '\n';
    memcpy(to, padding, padding_length);
    memcpy(to + padding_length, "^\n", 3);
}
