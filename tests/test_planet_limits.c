// SPDX-License-Identifier: MIT
// Planet files that are too long, too deep, too much, cut off or no text: refused, and no harm done.
#include "tests/planet_help.h"

// before, then count times part, then after.
static char *repeated(const char *before, const char *part, int count, const char *after)
{
    size_t part_length = strlen(part), at = strlen(before);
    char *text = malloc(at + part_length * (size_t)count + strlen(after) + 1);
    strcpy(text, before);
    for (int i = 0; i < count; i++, at += part_length)
        strcpy(text + at, part);
    strcpy(text + at, after);
    return text;
}

static void bounds_hold(void)
{
    char *text = repeated("height = ", "(", 64, "1");
    char *closed = repeated(text, ")", 64, "");
    CHECK(height_of(closed, some_dir) == 1);
    free(text);
    free(closed);
    text = repeated("height = ", "(", 65, "1");
    check_refused(text, NULL, STATUS_INPUT, "P:1:74: ", "64 levels");
    free(text);
    text = repeated("height = ", "-", 100000, "1");
    check_refused(text, NULL, STATUS_INPUT, "P:1:74: ", "64 levels");
    free(text);
    text = repeated("height = 0", " + 1", 9999, "");
    CHECK(height_of(text, some_dir) == 9999);
    free(text);
    text = repeated("height = 0", " + 1", 10000, "");
    check_refused(text, NULL, STATUS_INPUT, "P:1:", "at most 20000");
    free(text);
    text = repeated("height = 1 //", "-", 1 << 20, "");
    check_refused(text, NULL, STATUS_INPUT, "P:1:1: ", "at most 1048576 bytes");
    free(text);
    text = repeated("height = 0", " + fbm(1e6, octaves = 32)", 32, "");
    struct planet *planet = load_text(text);
    planet_free(planet);
    free(text);
    text = repeated("height = 0", " + fbm(1e6, octaves = 32)", 33, "");
    check_refused(text, NULL, STATUS_INPUT, "P:1:", "at most 1024 octaves");
    free(text);
    text = repeated("height = curve(x", ", 1, 2", 65, ")");
    check_refused(text, NULL, STATUS_INPUT, "P:1:10: ", "2 to 64 pairs");
    free(text);
    text = repeated("height = curve(x", ", 1", 160, ")");
    check_refused(text, NULL, STATUS_INPUT, "P:1:496: ", "at most 160 arguments");
    free(text);
    text = repeated("height = ", "a", 65, "");
    check_refused(text, NULL, STATUS_INPUT, "P:1:10: ", "at most 64 characters");
    free(text);
}

static void zero_bytes_are_refused(void)
{
    struct planet *planet;
    struct status status;
    struct planet_source source = {.name = "P"};
    CHECK(planet_load_text(&planet, "height = 1\0", 11, "P", NULL, &source, &status) == STATUS_INPUT);
    CHECK_TEXT(strcmp(status.text, "P:1:11: expected text in UTF-8, got byte 0") == 0, "%s", status.text);
}

static void only_utf8_is_text(void)
{
    static const char *const good[] = {"\x7F",         "\xC2\x80",         "\xE0\xA0\x80",
                                       "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {"\x80",
                                      "\xC1\x80",
                                      "\xC2",
                                      "\xC2 ",
                                      "\xE0\x9F\x80",
                                      "\xED\xA0\x80",
                                      "\xE1\x80",
                                      "\xE1\x80 ",
                                      "\xF0\x8F\x80\x80",
                                      "\xF4\x90\x80\x80",
                                      "\xF1\x80\x80",
                                      "\xF1\x80\x80 ",
                                      "\xF5\x80\x80\x80"};
    char text[64];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(text, sizeof text, "height = 1 // %s", good[i]);
        CHECK(height_of(text, some_dir) == 1);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "height = 1 // %s", bad[i]);
        check_refused(text, NULL, STATUS_INPUT, "P:1:15: ", "UTF-8");
    }
}

static void long_chains_of_definitions_need_no_stack(void)
{
    enum { COUNT = 3000 };
    char *text = malloc(COUNT * 32), *at = text;
    at += sprintf(at, "height = a0\n");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "a%d = a%d + 1\n", i, i + 1);
    sprintf(at, "a%d = x", COUNT);
    CHECK(fabs(height_of(text, some_dir) - (COUNT + 0.36)) < 1e-9);
    sprintf(at, "a%d = a0", COUNT);
    check_refused(text, NULL, STATUS_INPUT, "P:3002:9: ", "a0 -> a1 -> a2 -> a3");
    free(text);
}

// All of these values are needed by the second sum while the first is computed.
static void too_many_live_values_are_refused(void)
{
    enum { COUNT = 1100 };
    char *text = malloc(COUNT * 64), *at = text;
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "a%d = %d * x + y\n", i, i + 2);
    at += sprintf(at, "height = (0");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, " + a%d", i);
    at += sprintf(at, ") * (1");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, " * a%d", i);
    sprintf(at, ")");
    check_refused(text, NULL, STATUS_INPUT, "P: ", "4096 lanes");
    free(text);
}

static void every_cut_of_a_planet_is_survived(void)
{
    const char *text = builtin_planets[0].text;
    size_t length = strlen(text);
    int refused = 0;
    for (size_t cut = 0; cut < length; cut += 97) {
        // Memory of the exact size, so that a sanitizer sees reads behind it.
        char *copy = malloc(cut + 1);
        memcpy(copy, text, cut);
        struct planet *planet;
        struct status status;
        struct planet_source source = {.name = "P"};
        char *exact = realloc(copy, cut > 0 ? cut : 1);
        if (planet_load_text(&planet, exact, cut, "P", NULL, &source, &status) == STATUS_OK)
            planet_free(planet);
        else
            refused += strncmp(status.text, "P:", 2) == 0;
        free(exact);
    }
    CHECK(refused > 3);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(bounds_hold);
    CHECK_RUN(zero_bytes_are_refused);
    CHECK_RUN(only_utf8_is_text);
    CHECK_RUN(long_chains_of_definitions_need_no_stack);
    CHECK_RUN(too_many_live_values_are_refused);
    CHECK_RUN(every_cut_of_a_planet_is_survived);
    return CHECK_END;
}
