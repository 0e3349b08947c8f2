// SPDX-License-Identifier: MIT
#include <string.h>

#include "common/options.h"

#define HELP_COLUMNS 80
#define HELP_INDENT 28 // where the texts of options begin

// Characters rather than bytes of UTF-8.
static int columns_of(const char *text, size_t length)
{
    int columns = 0;
    for (size_t k = 0; k < length; k++)
        columns += ((unsigned char)text[k] & 0xC0) != 0x80;
    return columns;
}

// Prints the words of text, breaking lines at HELP_COLUMNS; all lines begin at indent, where the first one
// stands already.
static void print_words(FILE *out, const char *text, int indent)
{
    int column = indent;
    while (*text) {
        size_t length = strcspn(text, " ");
        int width = columns_of(text, length);
        if (column > indent && column + 1 + width > HELP_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putc(' ', out);
            column++;
        }
        fwrite(text, 1, length, out);
        column += width;
        text += length;
        text += strspn(text, " ");
    }
}

static void print_paragraphs(FILE *out, const char *const *paragraphs)
{
    for (; paragraphs && *paragraphs; paragraphs++) {
        putc('\n', out);
        print_words(out, *paragraphs, 0);
        putc('\n', out);
    }
}

// Text in the right column, after left in the left one.
static void print_entry(FILE *out, const char *left, const char *text, const char *note)
{
    int column = 2 + columns_of(left, strlen(left));
    fprintf(out, "  %s", left);
    if (column + 2 > HELP_INDENT) {
        putc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", HELP_INDENT - column, "");
    char whole[OPTION_HELP_MAX + OPTION_NOTE_MAX + 4];
    snprintf(whole, sizeof whole, "%s%s%s%s", text, *note ? " (" : "", note, *note ? ")" : "");
    print_words(out, whole, HELP_INDENT);
    putc('\n', out);
}

static void print_rows(FILE *out, const struct verb *verb)
{
    fputs("\noptions:\n", out);
    for (size_t k = 0; k < verb->row_count; k++) {
        const struct option_row *row = &verb->rows[k];
        char left[100], note[OPTION_NOTE_MAX], letter[5] = "    ";
        if (row->letter)
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, row->name, row->value ? " " : "",
                 row->value ? row->value : "");
        option_note(note, verb, row);
        print_entry(out, left, row->help, note);
    }
    print_entry(out, "-h, --help", "show this text", "");
}

static void print_usage(FILE *out, const struct program *program, const struct verb *verb)
{
    fprintf(out, "usage: %s%s%s", program->name, verb->name ? " " : "", verb->name ? verb->name : "");
    for (size_t k = 0; k < verb->row_count; k++) {
        const struct option_row *row = &verb->rows[k];
        if (row->required && row->letter)
            fprintf(out, " -%c %s", row->letter, row->value);
        else if (row->required)
            fprintf(out, " --%s %s", row->name, row->value);
    }
    fprintf(out, "%s%s [options]\n", *verb->positionals ? " " : "", verb->positionals);
}

void verb_print_help(const struct program *program, const struct verb *verb, FILE *out)
{
    print_usage(out, program, verb);
    putc('\n', out);
    print_words(out, verb->summary, 0);
    putc('\n', out);
    print_paragraphs(out, verb->name ? verb->description : program->description);
    print_rows(out, verb);
    if (verb->example_count > 0)
        fputs("\nexamples:\n", out);
    for (size_t k = 0; k < verb->example_count; k++) {
        fprintf(out, "  %s\n      ", verb->examples[k].command);
        print_words(out, verb->examples[k].what, 6);
        putc('\n', out);
    }
}

void program_print_help(const struct program *program, FILE *out)
{
    if (program->verb_count == 1 && !program->verbs[0]->name) {
        verb_print_help(program, program->verbs[0], out);
        return;
    }
    fprintf(out, "usage: %s VERB [arguments] [options]\n\n", program->name);
    print_words(out, program->summary, 0);
    putc('\n', out);
    print_paragraphs(out, program->description);
    fputs("\nverbs:\n", out);
    for (size_t k = 0; k < program->verb_count; k++)
        print_entry(out, program->verbs[k]->name, program->verbs[k]->summary, "");
    fprintf(out, "\n'%s VERB --help' tells all about one; '%s --version' names the libraries in use.\n", program->name,
            program->name);
}
