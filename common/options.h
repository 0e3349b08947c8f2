// SPDX-License-Identifier: MIT
// What is done with the tables of common/verb.h: parsing, and printing of help, man page and shell
// completion. Nothing here allocates, prints errors or exits; a wrong command line is STATUS_USAGE
// with one line that names the option, its value and what it may be.
//
// The rules of a command line: "--name value", "--name=value", "-o value", "-ovalue"; letters of flags
// may be joined ("-qf"). Options and positionals mix freely; "--" ends the options. What starts with
// "-" and a digit or a point is a value or positional, and so is "-" alone. A separate value that
// starts with "--", or is exactly a letter option of the verb, is taken for a forgotten value. Names
// are not abbreviated. An option that is not repeatable may be given once.
#ifndef TERRANE_COMMON_OPTIONS_H
#define TERRANE_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "common/status.h"
#include "common/verb.h"

// What is left of argv.
struct arguments {
    bool help;    // -h or --help was met: nothing after it was read, nothing was required
    int count;    // positionals
    char **items; // the front of argv, which was rearranged; ends with NULL only if argv did
};

// Reads argv[0..argc), which begins after the program's and the verb's name, into options (of
// verb->options_bytes), which are first set to verb->defaults. options must be aligned for its type.
enum status_code options_parse(const struct verb *verb, int argc, char **argv, void *options,
                               struct arguments *arguments, struct status *status);

// "--depth 99: must be <expected>", STATUS_USAGE: what a parse function returns for text that it does not like.
enum status_code option_refuse(const struct option_row *row, const char *text, const char *expected,
                               struct status *status);

// The verb of that name, or NULL with STATUS_USAGE in *status and the nearest name as a hint.
const struct verb *program_find_verb(const struct program *program, const char *name, struct status *status);

// The word nearest to name, for "did you mean": NULL if none is near. words is NULL-terminated.
const char *nearest_word(const char *name, const char *const *words);

// Handles the words that are the same in all programs where the first argument may be a verb:
// "-h", "--help", "help" and "help VERB" (the text of verb_print_help or program_print_help),
// "--man" (the man page) and "--completion bash|zsh|fish", all to out. argv begins after the program's name.
// *answered tells whether it was one of them. In a program without verbs only --man and --completion.
enum status_code program_answer(const struct program *program, int argc, char **argv, FILE *out, bool *answered,
                                struct status *status);

// Texts for a terminal, at most 80 columns.
void program_print_help(const struct program *program, FILE *out);
void verb_print_help(const struct program *program, const struct verb *verb, FILE *out);

// The whole man page, in the man macros.
void program_print_man(const struct program *program, FILE *out);

enum completion_shell { COMPLETION_BASH, COMPLETION_ZSH, COMPLETION_FISH };
void program_print_completion(const struct program *program, enum completion_shell shell, FILE *out);

// Texts about a row, cut where they do not fit.
#define OPTION_NOTE_MAX 160

// What help and man page show behind the help text: "0 to 24; default 4", "" for nothing.
void option_note(char text[OPTION_NOTE_MAX], const struct verb *verb, const struct option_row *row);

// "0 to 24", "at least 1", "at most 90", or "" where both ends are open.
void option_range(char text[OPTION_NOTE_MAX], const struct option_row *row);

// "height, normal or color".
void option_words(char text[OPTION_NOTE_MAX], const char *const *words);

// Whether the tables are sound: names and letters unique and well formed, ranges not empty, words
// and parse functions where they belong, destinations inside the options. For tests; STATUS_INTERNAL
// names the row.
enum status_code program_check(const struct program *program, struct status *status);

#endif
