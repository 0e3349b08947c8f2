// SPDX-License-Identifier: MIT
// Any command line is read without a fault, and what is accepted keeps to the table. The input is the command line:
// arguments end with a zero byte.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/text_number.h"

struct fuzzed {
    bool flag;
    int whole, choice;
    uint64_t seed;
    double real;
    const char *text, *path;
    struct option_list list;
    int custom;
};

static enum status_code parse_pair(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    double a, b;
    size_t length = strlen(text), used = parse_real_prefix(text, length, &a);
    if (used == 0 || text[used] != ',' || parse_real_prefix(text + used + 1, length - used - 1, &b) == 0)
        return option_refuse(row, text, "A,B", status);
    *(int *)destination += 1;
    return STATUS_OK;
}

#define AT(member) .offset = offsetof(struct fuzzed, member)
static const char *const words[] = {"height", "normal", "color", NULL};
static const struct option_row rows[] = {
    {.name = "flag", .letter = 'f', .kind = OPTION_FLAG, .help = "x", AT(flag)},
    {.name = "whole",
     .letter = 'w',
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "x",
     .min = -3,
     .max = 24,
     AT(whole)},
    {.name = "seed", .kind = OPTION_U64, .value = "N", .help = "x", AT(seed)},
    {.name = "real",
     .letter = 'r',
     .kind = OPTION_REAL,
     .value = "X",
     .help = "x",
     .min = 0.5,
     .max = HUGE_VAL,
     AT(real)},
    {.name = "choice", .letter = 'c', .kind = OPTION_CHOICE, .value = "W", .help = "x", .words = words, AT(choice)},
    {.name = "text", .letter = 't', .kind = OPTION_TEXT, .value = "T", .help = "x", AT(text)},
    {.name = "path", .letter = 'p', .kind = OPTION_PATH, .value = "P", .help = "x", AT(path)},
    {.name = "list", .letter = 'l', .kind = OPTION_LIST, .value = "L", .help = "x", AT(list)},
    {.name = "pair",
     .kind = OPTION_CUSTOM,
     .value = "A,B",
     .help = "x",
     .repeatable = true,
     .parse = parse_pair,
     AT(custom)},
};
static const struct fuzzed defaults = {.whole = 1, .real = 1};
static const struct verb verb = {
    .name = "fuzz",
    .positionals = "A [B]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "x",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct fuzzed),
    .defaults = &defaults,
};
static const struct verb *const verbs[] = {&verb};
static const struct program program = {.name = "fuzz", .verbs = verbs, .verb_count = 1};

#define ARGUMENTS_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    assert(bytes);
    memcpy(bytes, data, size);
    bytes[size] = 0;
    char *argv[ARGUMENTS_MAX];
    int argc = 0;
    for (size_t at = 0; at < size && argc < ARGUMENTS_MAX; at += strlen(bytes + at) + 1)
        argv[argc++] = bytes + at;

    struct status status = {0};
    if (argc > 0)
        program_find_verb(&program, argv[0], &status);
    struct fuzzed options;
    struct arguments arguments;
    memset(&status, 0, sizeof status);
    enum status_code code = options_parse(&verb, argc, argv, &options, &arguments, &status);
    assert(code == STATUS_OK || (code == STATUS_USAGE && status.code == code && *status.text));
    assert(strlen(status.text) < sizeof status.text && !strchr(status.text, '\n'));
    if (!code && !arguments.help) {
        assert(arguments.count >= 1 && arguments.count <= 2 && arguments.items == argv);
        assert(options.whole >= -3 && options.whole <= 24 && options.choice >= 0 && options.choice < 3);
        assert(options.real >= 0.5 && isfinite(options.real));
        assert(options.list.count >= 0 && options.list.count <= OPTION_LIST_MAX);
        assert((!options.text || *options.text) && (!options.path || *options.path));
        for (int k = 0; k < options.list.count; k++)
            assert(*options.list.items[k]);
    }
    free(bytes);
    return 0;
}
