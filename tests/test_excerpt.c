// SPDX-License-Identifier: MIT
// The line and the caret that errors in a planet file show.
#include "bake/planet/excerpt.h"

#include "bake/planet/source.h"
#include "tests/check.h"

static const char *excerpt(const char *text, size_t at)
{
    static char shown[EXCERPT_SIZE];
    // Memory of the exact size, so that a sanitizer sees reads behind it.
    size_t length = strlen(text);
    char *exact = malloc(length > 0 ? length : 1);
    memcpy(exact, text, length);
    excerpt_write(shown, sizeof shown, exact, length, at);
    free(exact);
    return shown;
}

static void check_excerpt(const char *text, size_t at, const char *expected)
{
    const char *shown = excerpt(text, at);
    CHECK_TEXT(strcmp(shown, expected) == 0, "of \"%s\" at %zu:\n%s", text, at, shown);
}

static void the_caret_stands_below_its_byte(void)
{
    check_excerpt("a = b", 0, "a = b\n^\n");
    check_excerpt("a = b", 4, "a = b\n    ^\n");
    check_excerpt("a = b", 5, "a = b\n     ^\n");
    check_excerpt("a = b", 500, "a = b\n     ^\n");
    check_excerpt("one\ntwo\nthree", 4, "two\n^\n");
    check_excerpt("one\ntwo\nthree", 7, "two\n   ^\n");
    check_excerpt("one\r\ntwo\r\n", 6, "two\n ^\n");
    check_excerpt("one\n", 4, "\n^\n");
    check_excerpt("", 0, "\n^\n");
}

static void tabs_stay_in_the_padding_and_characters_count_once(void)
{
    check_excerpt("\ta\t= b", 5, "\ta\t= b\n\t \t  ^\n");
    check_excerpt("\xC3\xA4\xE5\x9C\xB0\xF0\x9F\x8C\x8D x", 10, "\xC3\xA4\xE5\x9C\xB0\xF0\x9F\x8C\x8D x\n    ^\n");
    check_excerpt("\xEF\xBB\xBF"
                  "ab",
                  4, "ab\n ^\n"); // columns count the mark's bytes, the padding does not
}

static void what_is_no_text_is_shown_as_question_marks(void)
{
    check_excerpt("a\x01\x1B[2Jb\x7F"
                  "c",
                  7, "a??[2Jb?c\n       ^\n");
    check_excerpt("\xFF\xC3 b", 3, "?? b\n   ^\n");
    check_excerpt("\xC2\x9B"
                  "31m",
                  2, "?31m\n ^\n"); // a control sequence of one byte, in UTF-8
    check_excerpt("a\rb", 2, "a?b\n  ^\n");
}

static void long_lines_are_cut_around_the_place(void)
{
    char text[301], expected[EXCERPT_SIZE];
    for (int i = 0; i < 300; i++)
        text[i] = (char)('a' + i % 26);
    text[300] = 0;
    snprintf(expected, sizeof expected, "%.100s...\n%50s^\n", text, "");
    check_excerpt(text, 50, expected);
    snprintf(expected, sizeof expected, "...%.100s...\n%63s^\n", text + 90, "");
    check_excerpt(text, 150, expected);
    snprintf(expected, sizeof expected, "...%.100s\n%102s^\n", text + 200, "");
    check_excerpt(text, 299, expected);
    text[100] = 0;
    snprintf(expected, sizeof expected, "%.100s\n%100s^\n", text, "");
    check_excerpt(text, 100, expected);
}

// Cut where it may, an excerpt is two lines of UTF-8 within its size.
static void any_bytes_make_two_lines_of_text(void)
{
    static const char alphabet[] = "ab \t\n\xC3\xA4\xE5\x9C\xB0\xF0\x9F\x8C\x8D\xFF\x80\r\x01";
    for (int round = 0; round < 20000; round++) {
        char text[400];
        size_t length = (size_t)check_random_below(sizeof text);
        size_t most = round % 3 == 0 ? 3 : round % 3 == 1 ? 5 : sizeof alphabet - 1; // of the alphabet
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[check_random_below(most)];
        text[length] = 0;
        const char *shown = excerpt(text, (size_t)check_random_below(sizeof text));
        const char *caret = strchr(shown, '\n');
        size_t caret_length = caret ? strlen(caret + 1) : 0;
        CHECK(caret && caret_length >= 2 && strcmp(caret + 1 + caret_length - 2, "^\n") == 0);
        for (const char *at = shown; at < caret; at += utf8_sequence(at, (size_t)(caret - at)))
            CHECK(utf8_sequence(at, (size_t)(caret - at)) > 0 && (*at == '\t' || (unsigned char)*at >= 0x20));
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_caret_stands_below_its_byte);
    CHECK_RUN(tabs_stay_in_the_padding_and_characters_count_once);
    CHECK_RUN(what_is_no_text_is_shown_as_question_marks);
    CHECK_RUN(long_lines_are_cut_around_the_place);
    CHECK_RUN(any_bytes_make_two_lines_of_text);
    return CHECK_END;
}
