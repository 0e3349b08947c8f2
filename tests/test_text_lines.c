// SPDX-License-Identifier: MIT
#include "bake/text_lines.h"

#include <unistd.h>

#include "tests/check.h"

static struct text_lines lines;
static struct status status;

// Lines of bytes that come through a pipe, which is closed behind them.
static void give(const char *bytes, size_t size)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], bytes, size) == (ssize_t)size);
    close(ends[1]);
    text_lines_begin(&lines, ends[0]);
}

static const char *next(void)
{
    const char *line = NULL;
    return text_lines_next(&lines, &line, &status) == STATUS_OK ? line : "<failed>";
}

static bool next_is(const char *expected)
{
    const char *line = next();
    return line && strcmp(line, expected) == 0;
}

static void lines_end_with_lf_or_crlf_or_the_input(void)
{
    give("one\r\n\ntwo,3\nlast", 16);
    CHECK(next_is("one") && lines.number == 1);
    CHECK(next_is("") && lines.number == 2);
    CHECK(next_is("two,3"));
    CHECK(next_is("last") && lines.number == 4);
    CHECK(next() == NULL && next() == NULL);
    close(lines.fd);
}

static void no_bytes_are_no_lines(void)
{
    give("", 0);
    CHECK(next() == NULL);
    close(lines.fd);
}

static void long_lines_are_refused_by_number(void)
{
    static char text[2 + TEXT_LINE_MAX + 2];
    memset(text, 'x', sizeof text);
    text[0] = '\n';
    text[1 + TEXT_LINE_MAX] = '\n';
    give(text, 2 + TEXT_LINE_MAX);
    CHECK(next_is("") && strlen(next()) == TEXT_LINE_MAX && next() == NULL);
    close(lines.fd);

    text[1 + TEXT_LINE_MAX] = 'x';
    give(text, sizeof text); // without an end, too
    CHECK(next_is("") && next_is("<failed>"));
    CHECK(status.code == STATUS_INPUT && strstr(status.text, "line 2"));
    close(lines.fd);
}

static void zero_bytes_are_refused(void)
{
    give("1,\0002\n", 5);
    CHECK(next_is("<failed>") && status.code == STATUS_INPUT && strstr(status.text, "line 1"));
    close(lines.fd);
}

static void an_unreadable_input_is_refused(void)
{
    text_lines_begin(&lines, -1);
    CHECK(next_is("<failed>") && status.code == STATUS_INPUT);
}

static void ready_tells_whether_reading_would_wait(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    text_lines_begin(&lines, ends[0]);
    CHECK(!text_lines_ready(&lines));
    CHECK(write(ends[1], "a\nb\nc", 5) == 5);
    CHECK(next_is("a") && text_lines_ready(&lines));
    CHECK(next_is("b") && !text_lines_ready(&lines));
    close(ends[1]);
    CHECK(next_is("c") && text_lines_ready(&lines) && next() == NULL);
    close(ends[0]);
}

// Longer than the buffer, with the cuts of reading at every place of a line.
static void lines_survive_the_buffers_end(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    text_lines_begin(&lines, ends[0]);
    char text[64];
    for (int k = 0; k < 20000; k++) {
        int length = snprintf(text, sizeof text, "%d.%0*d\n", k, k % 17 + 1, 0);
        CHECK(write(ends[1], text, (size_t)length) == length);
        if (k % 1000 != 999)
            continue;
        for (int back = k - 999; back <= k; back++) {
            snprintf(text, sizeof text, "%d.%0*d", back, back % 17 + 1, 0);
            CHECK_TEXT(next_is(text), "line %d", back);
        }
    }
    close(ends[1]);
    CHECK(next() == NULL && lines.number == 20000);
    close(ends[0]);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(lines_end_with_lf_or_crlf_or_the_input);
    CHECK_RUN(no_bytes_are_no_lines);
    CHECK_RUN(long_lines_are_refused_by_number);
    CHECK_RUN(zero_bytes_are_refused);
    CHECK_RUN(an_unreadable_input_is_refused);
    CHECK_RUN(ready_tells_whether_reading_would_wait);
    CHECK_RUN(lines_survive_the_buffers_end);
    return CHECK_END;
}
