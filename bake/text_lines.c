// SPDX-License-Identifier: MIT
#include "bake/text_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void text_lines_begin(struct text_lines *lines, int fd)
{
    lines->fd = fd;
    lines->number = 0;
    lines->begin = lines->end = 0;
    lines->ended = false;
}

bool text_lines_ready(const struct text_lines *lines)
{
    return lines->ended || memchr(lines->buffer + lines->begin, '\n', lines->end - lines->begin);
}

static enum status_code read_more(struct text_lines *lines, struct status *status)
{
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    ssize_t got;
    do
        got = read(lines->fd, lines->buffer + lines->end, sizeof lines->buffer - lines->end);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return status_fail_errno(status, STATUS_INPUT, errno, "standard input: cannot be read");
    lines->ended = got == 0;
    lines->end += (size_t)got;
    return STATUS_OK;
}

enum status_code text_lines_next(struct text_lines *lines, const char **line, struct status *status)
{
    *line = NULL;
    while (!text_lines_ready(lines) && lines->end - lines->begin <= TEXT_LINE_MAX + 1) {
        enum status_code code = read_more(lines, status);
        if (code)
            return code;
    }
    const char *from = lines->buffer + lines->begin;
    size_t left = lines->end - lines->begin;
    if (left == 0)
        return STATUS_OK;
    lines->number++;
    const char *newline = memchr(from, '\n', left);
    size_t length = newline ? (size_t)(newline - from) : left;
    lines->begin += newline ? length + 1 : length;
    if (length > 0 && from[length - 1] == '\r')
        length--;
    if (length > TEXT_LINE_MAX)
        return status_fail(status, STATUS_INPUT, "standard input: line %" PRIu64 ": is longer than %d bytes",
                           lines->number, TEXT_LINE_MAX);
    if (memchr(from, 0, length))
        return status_fail(status, STATUS_INPUT, "standard input: line %" PRIu64 ": holds a zero byte", lines->number);
    memcpy(lines->line, from, length);
    lines->line[length] = 0;
    *line = lines->line;
    return STATUS_OK;
}
