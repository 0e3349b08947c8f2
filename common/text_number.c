// SPDX-License-Identifier: MIT
#include "common/text_number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No program of Terrane ever calls setlocale(), so strtod and printf see the "C" locale whatever the
// environment says; a test runs the programs under de_DE to hold that.

#define NUMBER_TEXT_MAX 60

bool parse_u64(const char *text, uint64_t *value)
{
    if (!*text)
        return false;
    uint64_t v = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

static size_t skip_digits(const char *text, size_t at, size_t length)
{
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

static size_t real_length(const char *text, size_t length)
{
    size_t at = 0;
    if (at < length && (text[at] == '+' || text[at] == '-'))
        at++;
    size_t whole = skip_digits(text, at, length);
    size_t digits = whole - at;
    at = whole;
    if (at < length && text[at] == '.') {
        size_t fraction = skip_digits(text, at + 1, length);
        digits += fraction - (at + 1);
        at = fraction;
    }
    if (digits == 0)
        return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t from = at + 1;
        if (from < length && (text[from] == '+' || text[from] == '-'))
            from++;
        size_t end = skip_digits(text, from, length);
        if (end > from)
            at = end;
    }
    return at;
}

size_t parse_real_prefix(const char *text, size_t length, double *value)
{
    size_t used = real_length(text, length);
    if (used == 0 || used > NUMBER_TEXT_MAX)
        return 0;
    char copy[NUMBER_TEXT_MAX + 1];
    memcpy(copy, text, used);
    copy[used] = 0;
    double v = strtod(copy, NULL);
    if (!isfinite(v))
        return 0;
    *value = v;
    return used;
}

bool parse_real(const char *text, double *value)
{
    size_t length = strlen(text);
    double v;
    if (length == 0 || parse_real_prefix(text, length, &v) != length)
        return false;
    *value = v;
    return true;
}

void format_real(char text[REAL_TEXT_MAX], double value)
{
    assert(isfinite(value));
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(text, REAL_TEXT_MAX, "%.0f", value);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, REAL_TEXT_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}
