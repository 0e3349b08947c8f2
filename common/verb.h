// SPDX-License-Identifier: MIT
// A program's command line as tables: one row per option, one struct verb per verb, one struct
// program for the whole. Parsing, help, man page and shell completion (common/options.h) all read
// these tables and nothing else, so they cannot disagree.
//
//   struct tile_options { const char *output; int layer; bool gray16; };
//   static const struct tile_options tile_defaults = {.layer = 0};
//   static const char *const layer_words[] = {"height", "normal", "color", NULL};
//   static const struct option_row tile_rows[] = {
//       {.name = "output", .letter = 'o', .kind = OPTION_PATH, .value = "FILE", .help = "where the PNG goes",
//        .default_text = "stdout", .offset = offsetof(struct tile_options, output)},
//       {.name = "layer", .kind = OPTION_CHOICE, .value = "LAYER", .help = "which layer", .words = layer_words,
//        .required = true, .offset = offsetof(struct tile_options, layer)},
//       {.name = "gray16", .kind = OPTION_FLAG, .help = "16-bit grey", .offset = offsetof(struct tile_options,
//       gray16)},
//   };
//   const struct verb verb_tile = {
//       .name = "tile", .positionals = "PACK FACE/LEVEL/X/Y", .positional_min = 2, .positional_max = 2,
//       .summary = "write one tile as PNG",
//       .rows = tile_rows, .row_count = sizeof tile_rows / sizeof tile_rows[0],
//       .options_bytes = sizeof(struct tile_options), .defaults = &tile_defaults,
//   };
//
// All tables are constant and may be shared by threads. Texts are UTF-8 without control bytes; help and
// summaries begin in lower case and end without a full stop, descriptions are whole sentences.
#ifndef TERRANE_COMMON_VERB_H
#define TERRANE_COMMON_VERB_H

#include <stdbool.h>
#include <stddef.h>

#include "common/status.h"

// The kind decides what the text of a value may be and what lies at the row's offset.
enum option_kind {
    OPTION_FLAG,    // bool, set to true; takes no value
    OPTION_INTEGER, // int, min to max
    OPTION_U64,     // uint64_t, any
    OPTION_REAL,    // double, min to max, both included; +-HUGE_VAL leaves an end open
    OPTION_TEXT,    // const char *, points into argv; any text but the empty one
    OPTION_PATH,    // the same, completed as a file name
    OPTION_CHOICE,  // int, the index of the word in words
    OPTION_LIST,    // struct option_list, repeatable text
    OPTION_CUSTOM,  // whatever parse makes of it
};

#define OPTION_LIST_MAX 256
#define OPTION_HELP_MAX 400

// Texts in the order of the command line; they point into argv.
struct option_list {
    int count;
    const char *items[OPTION_LIST_MAX];
};

struct option_row;

// Reads text into *destination (the row's offset in the options). Trouble is reported with option_refuse.
// Called once for each time that the option is given, in order.
typedef enum status_code option_parse(const struct option_row *row, const char *text, void *destination,
                                      struct status *status);

struct option_row {
    const char *name; // without the dashes
    char letter;      // or 0; -h is taken
    enum option_kind kind;
    bool required;            // its absence is a usage error
    bool repeatable;          // OPTION_CUSTOM only; lists always are, others never
    const char *value;        // name of the value in help ("KEY=VALUE"); NULL for a flag
    const char *help;         // what it does, under OPTION_HELP_MAX bytes; range and default are added by the printers
    const char *default_text; // where the default is not a plain value ("the planet's own"); otherwise the
                              // printers take it from the verb's defaults, unless it lies outside min..max
    double min, max;          // OPTION_INTEGER and OPTION_REAL, in the value's unit; max INT_MAX leaves it open
    const char *const *words; // NULL-terminated: the choices; for OPTION_TEXT mere suggestions for completion
    option_parse *parse;      // OPTION_CUSTOM
    size_t offset;            // of the destination in the options
};

struct verb_example {
    const char *command; // the whole command line
    const char *what;    // what it does, one sentence
};

// At most 64 rows.
struct verb {
    const char *name;                   // NULL in a program without verbs
    const char *positionals;            // "PACK FACE/LEVEL/X/Y", "" for none
    int positional_min, positional_max; // how many; max -1 for any number
    const char *summary;                // one line
    const char *const *description;     // paragraphs, NULL-terminated; may be NULL
    const struct option_row *rows;
    size_t row_count;
    size_t options_bytes; // sizeof the options struct
    const void *defaults; // an options struct as it is before parsing
    const struct verb_example *examples;
    size_t example_count;
    // What the verb does, for main to call: arguments are the positionals. May be NULL for printing only.
    enum status_code (*run)(const void *options, int argument_count, char **arguments, struct status *status);
};

// A man page section of free text, printed after the verbs.
struct program_section {
    const char *title;             // "EXIT STATUS"
    const char *const *paragraphs; // NULL-terminated. "TERM\tTEXT" makes a tagged paragraph
};

struct program {
    const char *name, *version;
    const char *date; // of the release, YYYY-MM-DD, for the man page
    const char *summary;
    const char *const *description; // paragraphs, NULL-terminated; may be NULL
    const struct verb *const *verbs;
    size_t verb_count; // 1, with a verb without a name, for a program without verbs
    const struct program_section *sections;
    size_t section_count;
    const char *see_also; // "terrane-view(1)", may be NULL
};

#endif
