// SPDX-License-Identifier: MIT
// Lines of text from standard input, of bounded length.
#ifndef TERRANE_BAKE_TEXT_LINES_H
#define TERRANE_BAKE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

#define TEXT_LINE_MAX 255

struct text_lines {
    int fd;
    uint64_t number;   // of the last line returned, from 1
    size_t begin, end; // what is read and not yet returned
    bool ended;        // no more bytes will come
    char buffer[65536];
    char line[TEXT_LINE_MAX + 1];
};

void text_lines_begin(struct text_lines *lines, int fd);

// Whether the next call can answer without waiting for input; a program that is asked and answers line by line
// flushes its output before it waits.
bool text_lines_ready(const struct text_lines *lines);

// *line is the next line without its end (LF or CR LF), NULL at the end of the input; it stays until the next call.
// STATUS_INPUT where a line is longer than TEXT_LINE_MAX or holds a zero byte, naming its number, or reading fails.
enum status_code text_lines_next(struct text_lines *lines, const char **line, struct status *status);

#endif
