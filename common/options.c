// SPDX-License-Identifier: MIT
#include "common/options.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/text_number.h"

// One run over a command line.
struct reading {
    const struct verb *verb;
    char **argv;
    int argc, at; // at is the next argument to read
    unsigned char *options;
    uint64_t seen; // a bit for each row
    struct arguments *arguments;
    struct status *status;
};

// Long values are cut, so that the text about the range is still there.
#define VALUE_SHOWN_MAX 100

enum status_code option_refuse(const struct option_row *row, const char *text, const char *expected,
                               struct status *status)
{
    const char *cut = strlen(text) > VALUE_SHOWN_MAX ? "..." : "";
    return status_fail(status, STATUS_USAGE, "--%s %.*s%s: must be %s", row->name, VALUE_SHOWN_MAX, text, cut,
                       expected);
}

static enum status_code refuse_range(const struct option_row *row, const char *text, const char *what,
                                     struct status *status)
{
    char expected[OPTION_NOTE_MAX + 20], range[OPTION_NOTE_MAX];
    option_range(range, row);
    snprintf(expected, sizeof expected, "%s%s%s", what, *range ? ", " : "", range);
    return option_refuse(row, text, expected, status);
}

static enum status_code read_integer(const struct option_row *row, const char *text, int *value, struct status *status)
{
    bool negative = *text == '-';
    uint64_t size;
    if (parse_u64(text + negative, &size) && size <= (uint64_t)INT_MAX + negative) {
        int64_t whole = negative ? -(int64_t)size : (int64_t)size;
        if ((double)whole >= row->min && (double)whole <= row->max) {
            *value = (int)whole;
            return STATUS_OK;
        }
    }
    return refuse_range(row, text, "a whole number", status);
}

static enum status_code read_u64(const struct option_row *row, const char *text, uint64_t *value, struct status *status)
{
    if (parse_u64(text, value))
        return STATUS_OK;
    char expected[OPTION_NOTE_MAX];
    snprintf(expected, sizeof expected, "a whole number, 0 to %" PRIu64, UINT64_MAX);
    return option_refuse(row, text, expected, status);
}

static enum status_code read_real(const struct option_row *row, const char *text, double *value, struct status *status)
{
    double real;
    if (parse_real(text, &real) && real >= row->min && real <= row->max) {
        *value = real;
        return STATUS_OK;
    }
    return refuse_range(row, text, "a number", status);
}

static enum status_code read_choice(const struct option_row *row, const char *text, int *value, struct status *status)
{
    for (int k = 0; row->words[k]; k++) {
        if (strcmp(text, row->words[k]) == 0) {
            *value = k;
            return STATUS_OK;
        }
    }
    char expected[OPTION_NOTE_MAX];
    option_words(expected, row->words);
    return option_refuse(row, text, expected, status);
}

static enum status_code read_list(const struct option_row *row, const char *text, struct option_list *list,
                                  struct status *status)
{
    if (list->count >= OPTION_LIST_MAX)
        return status_fail(status, STATUS_USAGE, "--%s: given more than %d times", row->name, OPTION_LIST_MAX);
    list->items[list->count++] = text;
    return STATUS_OK;
}

static enum status_code read_value(const struct reading *reading, const struct option_row *row, const char *text)
{
    void *destination = reading->options + row->offset;
    if (!*text)
        return status_fail(reading->status, STATUS_USAGE, "--%s: its value must not be empty", row->name);
    switch (row->kind) {
    case OPTION_INTEGER: return read_integer(row, text, destination, reading->status);
    case OPTION_U64: return read_u64(row, text, destination, reading->status);
    case OPTION_REAL: return read_real(row, text, destination, reading->status);
    case OPTION_CHOICE: return read_choice(row, text, destination, reading->status);
    case OPTION_LIST: return read_list(row, text, destination, reading->status);
    case OPTION_CUSTOM: return row->parse(row, text, destination, reading->status);
    case OPTION_TEXT:
    case OPTION_PATH: *(const char **)destination = text; return STATUS_OK;
    case OPTION_FLAG: break;
    }
    assert(false && "a flag has no value");
    return STATUS_INTERNAL;
}

static const struct option_row *row_of_letter(const struct verb *verb, char letter)
{
    for (size_t k = 0; k < verb->row_count; k++) {
        if (verb->rows[k].letter == letter)
            return &verb->rows[k];
    }
    return NULL;
}

// Whether an argument in the place of a value is rather the next option.
static bool looks_like_option(const struct verb *verb, const char *text)
{
    if (text[0] != '-' || !text[1])
        return false;
    return text[1] == '-' || (!text[2] && (text[1] == 'h' || row_of_letter(verb, text[1])));
}

// The row has been named; attached is the text after "=" or the letter, or NULL.
static enum status_code read_option(struct reading *reading, const struct option_row *row, const char *attached)
{
    uint64_t bit = UINT64_C(1) << (row - reading->verb->rows);
    bool repeatable = row->kind == OPTION_LIST || row->repeatable;
    if ((reading->seen & bit) && !repeatable)
        return status_fail(reading->status, STATUS_USAGE, "--%s: given twice", row->name);
    reading->seen |= bit;
    if (row->kind == OPTION_FLAG) {
        if (attached)
            return status_fail(reading->status, STATUS_USAGE, "--%s: takes no value", row->name);
        *(bool *)(reading->options + row->offset) = true;
        return STATUS_OK;
    }
    if (attached)
        return read_value(reading, row, attached);
    if (reading->at >= reading->argc)
        return status_fail(reading->status, STATUS_USAGE, "--%s: its value %s is missing", row->name, row->value);
    const char *next = reading->argv[reading->at];
    if (looks_like_option(reading->verb, next))
        return status_fail(reading->status, STATUS_USAGE,
                           "--%s: its value %s is missing before %.*s; a value that looks so is given as --%s=VALUE",
                           row->name, row->value, VALUE_SHOWN_MAX, next, row->name);
    reading->at++;
    return read_value(reading, row, next);
}

static enum status_code refuse_unknown(const struct reading *reading, const char *text, const char *name)
{
    const struct verb *verb = reading->verb;
    const char *words[66];
    size_t count = 0;
    for (size_t k = 0; k < verb->row_count; k++)
        words[count++] = verb->rows[k].name;
    words[count++] = "help";
    words[count] = NULL;
    const char *near = name ? nearest_word(name, words) : NULL;
    if (near)
        return status_fail(reading->status, STATUS_USAGE, "%.*s: unknown option; did you mean --%s?", VALUE_SHOWN_MAX,
                           text, near);
    return status_fail(reading->status, STATUS_USAGE, "%.*s: unknown option; see --help", VALUE_SHOWN_MAX, text);
}

// text is "--name" or "--name=value".
static enum status_code read_long(struct reading *reading, const char *text)
{
    const char *name = text + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t k = 0; k < reading->verb->row_count; k++) {
        const struct option_row *row = &reading->verb->rows[k];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return read_option(reading, row, equals ? equals + 1 : NULL);
    }
    if (length == 4 && memcmp(name, "help", 4) == 0) {
        if (equals)
            return status_fail(reading->status, STATUS_USAGE, "--help: takes no value");
        reading->arguments->help = true;
        return STATUS_OK;
    }
    char bare[40];
    snprintf(bare, sizeof bare, "%.*s", (int)(length < sizeof bare ? length : sizeof bare), name);
    return refuse_unknown(reading, text, bare);
}

// text is "-x", "-xyz" of flags, or "-xVALUE".
static enum status_code read_letters(struct reading *reading, const char *text)
{
    for (const char *letter = text + 1; *letter; letter++) {
        if (*letter == 'h') {
            reading->arguments->help = true;
            return STATUS_OK;
        }
        const struct option_row *row = row_of_letter(reading->verb, *letter);
        if (!row)
            return refuse_unknown(reading, text, text[1] && text[2] ? text + 1 : NULL);
        bool flag = row->kind == OPTION_FLAG;
        enum status_code code = read_option(reading, row, flag || !letter[1] ? NULL : letter + 1);
        if (code || !flag)
            return code;
    }
    return STATUS_OK;
}

static enum status_code check_counts(const struct reading *reading)
{
    const struct verb *verb = reading->verb;
    const struct arguments *arguments = reading->arguments;
    if (verb->positional_max >= 0 && arguments->count > verb->positional_max)
        return status_fail(reading->status, STATUS_USAGE, "%.*s: unexpected argument; %s%s, see --help",
                           VALUE_SHOWN_MAX, arguments->items[verb->positional_max],
                           *verb->positionals ? "it takes " : "only options are taken", verb->positionals);
    if (arguments->count < verb->positional_min)
        return status_fail(reading->status, STATUS_USAGE, "%s: %s missing, see --help", verb->positionals,
                           verb->positional_min == 1 ? "is" : "arguments are");
    for (size_t k = 0; k < verb->row_count; k++) {
        const struct option_row *row = &verb->rows[k];
        if (row->required && !(reading->seen >> k & 1))
            return status_fail(reading->status, STATUS_USAGE, "--%s %s: is missing, see --help", row->name, row->value);
    }
    return STATUS_OK;
}

enum status_code options_parse(const struct verb *verb, int argc, char **argv, void *options,
                               struct arguments *arguments, struct status *status)
{
    assert(verb->row_count <= 64);
    if (verb->options_bytes > 0)
        memcpy(options, verb->defaults, verb->options_bytes);
    *arguments = (struct arguments){.items = argv};
    struct reading reading = {verb, argv, argc, 0, options, 0, arguments, status};
    bool options_ended = false;
    while (reading.at < argc) {
        char *text = argv[reading.at++];
        bool value = text[0] != '-' || !text[1] || (text[1] >= '0' && text[1] <= '9') || text[1] == '.';
        enum status_code code = STATUS_OK;
        if (options_ended || value)
            argv[arguments->count++] = text; // never beyond what has been read
        else if (strcmp(text, "--") == 0)
            options_ended = true;
        else
            code = text[1] == '-' ? read_long(&reading, text) : read_letters(&reading, text);
        if (code || arguments->help)
            return code;
    }
    return check_counts(&reading);
}
