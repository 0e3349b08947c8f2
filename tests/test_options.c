// SPDX-License-Identifier: MIT
// Command lines against the option tables: what is read, what is refused, and in which words.
#include <limits.h>
#include <math.h>

#include "common/options.h"
#include "tests/check.h"

struct everything {
    bool quick, loud;
    int depth, least, layer;
    uint64_t seed;
    double radius_m, open;
    const char *output, *name;
    struct option_list sets;
    int face_mask;
};

static enum status_code parse_face(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    if (text[0] < '0' || text[0] > '5' || text[1])
        return option_refuse(row, text, "a face, 0 to 5", status);
    *(int *)destination |= 1 << (text[0] - '0');
    return STATUS_OK;
}

#define AT(member) .offset = offsetof(struct everything, member)
static const char *const layer_words[] = {"height", "normal", "color", NULL};
static const char *const name_words[] = {"earthlike", "mars", NULL};
static const struct option_row rows[] = {
    {.name = "output", .letter = 'o', .kind = OPTION_PATH, .value = "PACK", .help = "the pack", AT(output)},
    {.name = "quick", .kind = OPTION_FLAG, .letter = 'q', .help = "less", AT(quick)},
    {.name = "loud", .kind = OPTION_FLAG, .letter = 'l', .help = "more", AT(loud)},
    {.name = "depth", .kind = OPTION_INTEGER, .value = "D", .help = "levels", .min = 0, .max = 24, AT(depth)},
    {.name = "least",
     .letter = 'j',
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "threads",
     .default_text = "all",
     .min = -5,
     .max = INT_MAX,
     AT(least)},
    {.name = "seed", .kind = OPTION_U64, .value = "N", .help = "seed", AT(seed)},
    {.name = "radius", .kind = OPTION_REAL, .value = "M", .help = "metres", .min = 10, .max = 1e9, AT(radius_m)},
    {.name = "open", .kind = OPTION_REAL, .value = "X", .help = "any", .min = -HUGE_VAL, .max = HUGE_VAL, AT(open)},
    {.name = "layer", .kind = OPTION_CHOICE, .value = "LAYER", .help = "one", .words = layer_words, AT(layer)},
    {.name = "planet", .kind = OPTION_TEXT, .value = "NAME", .help = "name", .words = name_words, AT(name)},
    {.name = "set", .letter = 's', .kind = OPTION_LIST, .value = "KEY=VALUE", .help = "override", AT(sets)},
    {.name = "face",
     .kind = OPTION_CUSTOM,
     .value = "F",
     .help = "only this face",
     .repeatable = true,
     .parse = parse_face,
     AT(face_mask)},
};
static const struct everything defaults = {.depth = 4, .seed = 1, .radius_m = 0, .name = "earthlike"};
static const struct verb_example examples[] = {{"tool mix -o a.b P", "Mixes \\ and 'that'."}};
static const struct verb verb_mix = {
    .name = "mix",
    .positionals = "PACK [POINT]",
    .positional_min = 1,
    .positional_max = 2,
    .summary = "mix it",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct everything),
    .defaults = &defaults,
    .examples = examples,
    .example_count = 1,
};
static const struct option_row must_rows[] = {
    {.name = "must",
     .letter = 'm',
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "needed",
     .required = true,
     .min = 1,
     .max = 9},
};
static const int must_default = 0;
static const struct verb verb_must = {
    .name = "must",
    .positionals = "",
    .summary = "do it",
    .rows = must_rows,
    .row_count = 1,
    .options_bytes = sizeof(int),
    .defaults = &must_default,
};
static const struct verb verb_bare = {
    .name = "bare", .positionals = "FILE...", .positional_max = -1, .summary = "take files"};
static const struct verb *const verbs[] = {&verb_mix, &verb_must, &verb_bare};
static const struct program tool = {.name = "tool",
                                    .version = "1.0",
                                    .date = "2026-11-30",
                                    .summary = "test the tables",
                                    .verbs = verbs,
                                    .verb_count = 3};

// One parse of a command line given as words with single blanks between; "~" is an empty argument.
static struct everything got;
static struct arguments left;
static struct status status;
static char line_copy[4000], *words[600];

static enum status_code parse_verb(const struct verb *verb, const char *line, void *options)
{
    int count = 0;
    snprintf(line_copy, sizeof line_copy, "%s", line);
    for (char *word = strtok(line_copy, " "); word; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "~") == 0 ? word + 1 : word;
    memset(&status, 0, sizeof status);
    return options_parse(verb, count, words, options, &left, &status);
}

static enum status_code parse(const char *line)
{
    return parse_verb(&verb_mix, line, &got);
}

static bool left_are(const char *expected)
{
    char joined[400] = "";
    for (int k = 0; k < left.count; k++) {
        strcat(joined, k ? " " : "");
        strcat(joined, left.items[k]);
    }
    return strcmp(joined, expected) == 0;
}

static void defaults_stand_where_nothing_is_given(void)
{
    CHECK(parse("P") == STATUS_OK);
    CHECK(left_are("P") && !left.help);
    CHECK(got.depth == 4 && got.seed == 1 && !got.quick && !got.output && strcmp(got.name, "earthlike") == 0);
    CHECK(got.sets.count == 0 && got.face_mask == 0);
}

static void every_kind_reads_its_value(void)
{
    CHECK(parse("P --depth 24 --seed 18446744073709551615 --radius 6371000.5 --open -1e300 --layer color -o x.y "
                "--planet moon --set a=1 --face 0 --face 5 --quick -s b=2=3 --least=-5") == STATUS_OK);
    CHECK(got.depth == 24 && got.seed == UINT64_MAX && got.radius_m == 6371000.5 && got.open == -1e300);
    CHECK(got.layer == 2 && strcmp(got.output, "x.y") == 0 && strcmp(got.name, "moon") == 0 && got.quick);
    CHECK(got.sets.count == 2 && strcmp(got.sets.items[0], "a=1") == 0 && strcmp(got.sets.items[1], "b=2=3") == 0);
    CHECK(got.face_mask == 33 && got.least == -5);
    CHECK(left_are("P"));
}

static void values_may_be_separate_or_attached(void)
{
    CHECK(parse("P --depth=7") == STATUS_OK && got.depth == 7);
    CHECK(parse("P -j8") == STATUS_OK && got.least == 8);
    CHECK(parse("P -j 8") == STATUS_OK && got.least == 8);
    CHECK(parse("P -qlofile") == STATUS_OK && got.quick && got.loud && strcmp(got.output, "file") == 0);
    CHECK(parse("P --set=a=b") == STATUS_OK && strcmp(got.sets.items[0], "a=b") == 0);
    CHECK(parse("P --output=--odd") == STATUS_OK && strcmp(got.output, "--odd") == 0);
    CHECK(parse("P -o -odd") == STATUS_OK && strcmp(got.output, "-odd") == 0);
}

static void options_and_positionals_mix(void)
{
    CHECK(parse("--quick P --depth 3 Q") == STATUS_OK && left_are("P Q") && got.depth == 3);
    CHECK(parse("-- --quick --depth") == STATUS_OK && left_are("--quick --depth") && !got.quick);
    CHECK(parse("P -- --") == STATUS_OK && left_are("P --"));
    CHECK(parse("--depth 3 -- P -h") == STATUS_OK && left_are("P -h") && !left.help && got.depth == 3);
}

static void what_begins_like_a_number_is_a_value(void)
{
    CHECK(parse("P -32.9,62.1") == STATUS_OK && left_are("P -32.9,62.1"));
    CHECK(parse("-.5 -") == STATUS_OK && left_are("-.5 -"));
    CHECK(parse("P --least -3") == STATUS_OK && got.least == -3);
}

static void help_ends_the_reading(void)
{
    CHECK(parse("--help") == STATUS_OK && left.help);
    CHECK(parse("P -qh --nonsense") == STATUS_OK && left.help);
    CHECK(parse("P --nonsense --help") == STATUS_USAGE);
    CHECK(parse_verb(&verb_must, "-h", &(int){0}) == STATUS_OK && left.help);
}

struct refusal {
    const char *line, *text;
};

static void nonsense_is_refused_in_words_that_help(void)
{
    static const struct refusal refusals[] = {
        {"P --depht 3", "--depht: unknown option; did you mean --depth?"},
        {"P --dep 3", "--dep: unknown option; did you mean --depth?"},
        {"P -depth 3", "-depth: unknown option; did you mean --depth?"},
        {"P --zzz=3", "--zzz=3: unknown option; see --help"},
        {"P --hlep", "--hlep: unknown option; did you mean --help?"},
        {"P -x", "-x: unknown option; see --help"},
        {"P -qx", "-qx: unknown option; see --help"},
        {"P --help=3", "--help: takes no value"},
        {"P --depth", "--depth: its value D is missing"},
        {"P -o", "--output: its value PACK is missing"},
        {"P -o --quick", "--output: its value PACK is missing before --quick; a value that looks so is given as "
                         "--output=VALUE"},
        {"P -o -q", "--output: its value PACK is missing before -q; a value that looks so is given as "
                    "--output=VALUE"},
        {"P --depth 25", "--depth 25: must be a whole number, 0 to 24"},
        {"P --depth -1", "--depth -1: must be a whole number, 0 to 24"},
        {"P --depth 3x", "--depth 3x: must be a whole number, 0 to 24"},
        {"P --depth 3.0", "--depth 3.0: must be a whole number, 0 to 24"},
        {"P --depth=+3", "--depth +3: must be a whole number, 0 to 24"},
        {"P --depth=-", "--depth -: must be a whole number, 0 to 24"},
        {"P --depth 4294967296", "--depth 4294967296: must be a whole number, 0 to 24"},
        {"P --depth 18446744073709551617", "--depth 18446744073709551617: must be a whole number, 0 to 24"},
        {"P -j -6", "--least -6: must be a whole number, at least -5"},
        {"P -j 2147483648", "--least 2147483648: must be a whole number, at least -5"},
        {"P --seed -1", "--seed -1: must be a whole number, 0 to 18446744073709551615"},
        {"P --seed 18446744073709551616",
         "--seed 18446744073709551616: must be a whole number, 0 to 18446744073709551615"},
        {"P --radius 9.999", "--radius 9.999: must be a number, 10 to 1000000000"},
        {"P --radius nan", "--radius nan: must be a number, 10 to 1000000000"},
        {"P --radius 1e10", "--radius 1e10: must be a number, 10 to 1000000000"},
        {"P --radius 0x10", "--radius 0x10: must be a number, 10 to 1000000000"},
        {"P --radius 1,5e3", "--radius 1,5e3: must be a number, 10 to 1000000000"},
        {"P --open inf", "--open inf: must be a number"},
        {"P --open 1e999", "--open 1e999: must be a number"},
        {"P --layer heigh", "--layer heigh: must be height, normal or color"},
        {"P --layer Height", "--layer Height: must be height, normal or color"},
        {"P --face 6", "--face 6: must be a face, 0 to 5"},
        {"P -o ~", "--output: its value must not be empty"},
        {"P --output=", "--output: its value must not be empty"},
        {"P --quick=1", "--quick: takes no value"},
        {"P --quick -q", "--quick: given twice"},
        {"P --depth 3 --depth 3", "--depth: given twice"},
        {"", "PACK [POINT]: is missing, see --help"},
        {"P Q R", "R: unexpected argument; it takes PACK [POINT], see --help"},
    };
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++) {
        enum status_code code = parse(refusals[k].line);
        CHECK_TEXT(code == STATUS_USAGE && status.code == code, "'%s' gives %d", refusals[k].line, (int)code);
        CHECK_TEXT(strcmp(status.text, refusals[k].text) == 0, "'%s' says '%s'", refusals[k].line, status.text);
    }
}

static void required_options_and_no_positionals_are_held(void)
{
    int must;
    CHECK(parse_verb(&verb_must, "", &must) == STATUS_USAGE);
    CHECK(strcmp(status.text, "--must N: is missing, see --help") == 0);
    CHECK(parse_verb(&verb_must, "-m 9", &must) == STATUS_OK && must == 9);
    CHECK(parse_verb(&verb_must, "-m 9 extra", &must) == STATUS_USAGE);
    CHECK(strcmp(status.text, "extra: unexpected argument; only options are taken, see --help") == 0);
    CHECK(parse_verb(&verb_bare, "a b c d", NULL) == STATUS_OK && left_are("a b c d"));
    CHECK(parse_verb(&verb_bare, "", NULL) == STATUS_OK && left.count == 0);
}

static void long_values_leave_the_range_readable(void)
{
    char line[600] = "P --depth ";
    memset(line + 10, '9', 500);
    CHECK(parse(line) == STATUS_USAGE);
    CHECK(strstr(status.text, "...: must be a whole number, 0 to 24") != NULL);
}

static void lists_are_bounded(void)
{
    char line[4000] = "P";
    for (int k = 0; k < OPTION_LIST_MAX; k++)
        strcat(line, " -s a=1");
    CHECK(parse(line) == STATUS_OK && got.sets.count == OPTION_LIST_MAX);
    strcat(line, " -s b=1");
    CHECK(parse(line) == STATUS_USAGE && strcmp(status.text, "--set: given more than 256 times") == 0);
}

static void notes_give_range_words_and_default(void)
{
    static const char *const expected[] = {"",
                                           "",
                                           "",
                                           "0 to 24; default 4",
                                           "at least -5; default all",
                                           "default 1",
                                           "10 to 1000000000",
                                           "default 0",
                                           "height, normal or color; default height",
                                           "default earthlike",
                                           "repeatable",
                                           "repeatable"};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char note[OPTION_NOTE_MAX];
        option_note(note, &verb_mix, &rows[k]);
        CHECK_TEXT(strcmp(note, expected[k]) == 0, "--%s: %s", rows[k].name, note);
    }
}

static void verbs_are_found_or_hinted_at(void)
{
    CHECK(program_find_verb(&tool, "must", &status) == &verb_must);
    CHECK(program_find_verb(&tool, "msut", &status) == NULL && status.code == STATUS_USAGE);
    CHECK(strcmp(status.text, "msut: unknown verb; did you mean must?") == 0);
    CHECK(program_find_verb(&tool, "render", &status) == NULL);
    CHECK(strcmp(status.text, "render: unknown verb; see tool --help") == 0);
}

// What the last print of print_text wrote.
static char printed[20000];

static const char *print_answer(int argc, char **argv, bool *answered)
{
    FILE *out = tmpfile();
    memset(printed, 0, sizeof printed);
    program_answer(&tool, argc, argv, out, answered, &status);
    rewind(out);
    CHECK(fread(printed, 1, sizeof printed - 1, out) < sizeof printed - 1);
    fclose(out);
    return printed;
}

static void help_fits_a_terminal_and_names_every_option(void)
{
    bool answered;
    char *argv[] = {"help", "mix"};
    const char *text = print_answer(2, argv, &answered);
    CHECK(answered);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        char name[40];
        snprintf(name, sizeof name, "--%s", rows[k].name);
        CHECK_TEXT(strstr(text, name) != NULL, "%s", name);
    }
    CHECK(strstr(text, "usage: tool mix PACK [POINT] [options]\n") == text);
    CHECK(strstr(text, "      --depth D             levels (0 to 24; default 4)\n") != NULL);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        CHECK_TEXT(strcspn(line, "\n") <= 80, "%.*s", (int)strcspn(line, "\n"), line);
}

static void man_page_escapes_what_roff_would_eat(void)
{
    bool answered;
    char *argv[] = {"--man"};
    const char *text = print_answer(1, argv, &answered);
    CHECK(answered);
    CHECK(strstr(text, "\n.TH TOOL 1 2026-11-30 \"tool 1.0\" \"User Commands\"\n") != NULL);
    CHECK(strstr(text, "Mixes \\e and \\(aqthat\\(aq.\n") != NULL);
    CHECK(strstr(text, "\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIPACK\\fR\n") != NULL);
    CHECK(strstr(text, "tool mix \\-o a.b P\n") != NULL);
}

static void words_of_the_program_are_answered_and_others_left(void)
{
    bool answered;
    char *plain[] = {"mix", "--help"}, *top[] = {"--help"}, *shell[] = {"--completion", "bash"};
    print_answer(2, plain, &answered);
    CHECK(!answered && !*printed);
    print_answer(0, plain, &answered);
    CHECK(!answered);
    CHECK(strstr(print_answer(1, top, &answered), "\nverbs:\n  mix ") && answered);
    CHECK(strstr(print_answer(2, shell, &answered), "complete -F _tool tool\n") && answered);
    char *bad[] = {"--completion", "csh"};
    CHECK(program_answer(&tool, 2, bad, stdout, &answered, &status) == STATUS_USAGE);
    CHECK(strcmp(status.text, "--completion csh: must be bash, zsh or fish") == 0);
}

static void unsound_tables_are_found(void)
{
    CHECK(program_check(&tool, &status) == STATUS_OK);
    static const struct option_row bad[] = {
        {.name = "-x", .kind = OPTION_FLAG, .help = "x"},
        {.name = "help", .kind = OPTION_FLAG, .help = "x"},
        {.name = "x", .letter = 'h', .kind = OPTION_FLAG, .help = "x"},
        {.name = "x", .kind = OPTION_FLAG, .help = "x", .value = "N"},
        {.name = "x", .kind = OPTION_INTEGER, .help = "x", .value = "N"},
        {.name = "x", .kind = OPTION_U64, .help = "x", .value = "N", .max = 1},
        {.name = "x", .kind = OPTION_CHOICE, .help = "x", .value = "N"},
        {.name = "x", .kind = OPTION_CUSTOM, .help = "x", .value = "N"},
        {.name = "x", .kind = OPTION_TEXT, .help = "x", .value = "N", .repeatable = true},
        {.name = "x", .kind = OPTION_LIST, .help = "x", .value = "N"}, // larger than the options
        {.name = "x", .kind = OPTION_FLAG, .help = "x", .offset = 8},
        {.name = "x", .kind = OPTION_FLAG, .help = "X."},
        {.name = "x", .kind = OPTION_FLAG, .help = ""},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct verb verb = {.name = "v",
                            .positionals = "",
                            .summary = "v",
                            .rows = &bad[k],
                            .row_count = 1,
                            .options_bytes = 8,
                            .defaults = "1234567"};
        const struct verb *const one[] = {&verb};
        struct program program = {.name = "p", .verbs = one, .verb_count = 1};
        CHECK_TEXT(program_check(&program, &status) == STATUS_INTERNAL, "row %zu", k);
    }
    static const struct option_row twice[] = {{.name = "x", .kind = OPTION_FLAG, .help = "x"},
                                              {.name = "x", .kind = OPTION_FLAG, .help = "x"}};
    struct verb verb = verb_must;
    verb.rows = twice;
    verb.row_count = 2;
    const struct verb *const one[] = {&verb};
    struct program program = {.name = "p", .verbs = one, .verb_count = 1};
    CHECK(program_check(&program, &status) == STATUS_INTERNAL);
    CHECK(strcmp(status.text, "must --x: the name is there twice") == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(defaults_stand_where_nothing_is_given);
    CHECK_RUN(every_kind_reads_its_value);
    CHECK_RUN(values_may_be_separate_or_attached);
    CHECK_RUN(options_and_positionals_mix);
    CHECK_RUN(what_begins_like_a_number_is_a_value);
    CHECK_RUN(help_ends_the_reading);
    CHECK_RUN(nonsense_is_refused_in_words_that_help);
    CHECK_RUN(required_options_and_no_positionals_are_held);
    CHECK_RUN(long_values_leave_the_range_readable);
    CHECK_RUN(lists_are_bounded);
    CHECK_RUN(notes_give_range_words_and_default);
    CHECK_RUN(verbs_are_found_or_hinted_at);
    CHECK_RUN(help_fits_a_terminal_and_names_every_option);
    CHECK_RUN(man_page_escapes_what_roff_would_eat);
    CHECK_RUN(words_of_the_program_are_answered_and_others_left);
    CHECK_RUN(unsound_tables_are_found);
    return CHECK_END;
}
