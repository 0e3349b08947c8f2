// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/options.h"
#include "common/text_number.h"

void option_words(char text[OPTION_NOTE_MAX], const char *const *words)
{
    size_t used = 0;
    *text = 0;
    for (int k = 0; words[k] && used < OPTION_NOTE_MAX; k++) {
        const char *joint = k == 0 ? "" : words[k + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, OPTION_NOTE_MAX - used, "%s%s", joint, words[k]);
    }
}

void option_range(char text[OPTION_NOTE_MAX], const struct option_row *row)
{
    char low[REAL_TEXT_MAX] = "", high[REAL_TEXT_MAX] = "";
    bool whole = row->kind == OPTION_INTEGER;
    if (isfinite(row->min) && !(whole && row->min <= INT_MIN))
        format_real(low, row->min);
    if (isfinite(row->max) && !(whole && row->max >= INT_MAX))
        format_real(high, row->max);
    const char *before = *low && *high ? "" : *low ? "at least " : *high ? "at most " : "";
    snprintf(text, OPTION_NOTE_MAX, "%s%s%s%s", before, low, *low && *high ? " to " : "", high);
}

// The default as text, "" for none. text has room for any number; longer texts are cut.
static void default_text(char text[OPTION_NOTE_MAX], const struct verb *verb, const struct option_row *row)
{
    const void *value = (const unsigned char *)verb->defaults + row->offset;
    *text = 0;
    if (row->default_text) {
        snprintf(text, OPTION_NOTE_MAX, "%s", row->default_text);
        return;
    }
    switch (row->kind) {
    case OPTION_INTEGER:
        if (*(const int *)value >= row->min && *(const int *)value <= row->max)
            snprintf(text, OPTION_NOTE_MAX, "%d", *(const int *)value);
        break;
    case OPTION_U64: snprintf(text, OPTION_NOTE_MAX, "%" PRIu64, *(const uint64_t *)value); break;
    case OPTION_REAL:
        if (isfinite(*(const double *)value) && *(const double *)value >= row->min &&
            *(const double *)value <= row->max)
            format_real(text, *(const double *)value);
        break;
    case OPTION_CHOICE:
        if (*(const int *)value >= 0)
            snprintf(text, OPTION_NOTE_MAX, "%s", row->words[*(const int *)value]);
        break;
    case OPTION_TEXT:
    case OPTION_PATH:
        if (*(const char *const *)value)
            snprintf(text, OPTION_NOTE_MAX, "%s", *(const char *const *)value);
        break;
    case OPTION_FLAG:
    case OPTION_LIST:
    case OPTION_CUSTOM: break;
    }
}

static void add_part(char text[OPTION_NOTE_MAX], const char *name, const char *part)
{
    size_t used = strlen(text);
    if (*part)
        snprintf(text + used, OPTION_NOTE_MAX - used, "%s%s%s", used > 0 ? "; " : "", name, part);
}

void option_note(char text[OPTION_NOTE_MAX], const struct verb *verb, const struct option_row *row)
{
    char part[OPTION_NOTE_MAX];
    *text = 0;
    if (row->kind == OPTION_INTEGER || row->kind == OPTION_REAL) {
        option_range(part, row);
        add_part(text, "", part);
    }
    if (row->kind == OPTION_CHOICE) {
        option_words(part, row->words);
        add_part(text, "", part);
    }
    if (row->kind == OPTION_LIST || row->repeatable)
        add_part(text, "", "repeatable");
    if (row->required) {
        add_part(text, "", "required");
    } else {
        default_text(part, verb, row);
        add_part(text, "default ", part);
    }
}
