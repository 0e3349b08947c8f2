// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <string.h>

#include "common/options.h"

#define SOURCE_COLUMNS 78

// What stands for a character in roff, NULL where that is the character. A hyphen is always the ASCII one, so that
// command lines can be copied.
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '"': return "\\(dq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    default: return NULL;
    }
}

static void put_escaped(FILE *out, char c)
{
    const char *escape = escape_of(c);
    if (escape)
        fputs(escape, out);
    else
        putc(c, out);
}

// Bytes of source that a word takes.
static int escaped_length(const char *word, size_t length)
{
    int total = 0;
    for (size_t k = 0; k < length; k++) {
        const char *escape = escape_of(word[k]);
        total += escape ? (int)strlen(escape) : 1;
    }
    return total;
}

static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        put_escaped(out, *text);
}

static void put_upper(FILE *out, const char *text)
{
    for (; *text; text++)
        put_escaped(out, (char)toupper((unsigned char)*text));
}

// Text as lines of source that are not too long; none begins like a request.
static void put_filled(FILE *out, const char *text)
{
    int column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        int width = escaped_length(text, length);
        if (column > 0 && column + 1 + width > SOURCE_COLUMNS) {
            putc('\n', out);
            column = 0;
        } else if (column > 0) {
            putc(' ', out);
            column++;
        }
        if (column == 0 && *text == '.')
            fputs("\\&", out);
        for (size_t k = 0; k < length; k++)
            put_escaped(out, text[k]);
        column += width;
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', out);
}

static void put_paragraphs(FILE *out, const char *const *paragraphs)
{
    for (; paragraphs && *paragraphs; paragraphs++) {
        const char *tab = strchr(*paragraphs, '\t');
        fputs(tab ? ".TP\n.B " : ".PP\n", out);
        for (const char *p = *paragraphs; tab && p < tab; p++)
            put_escaped(out, *p);
        if (tab)
            putc('\n', out);
        put_filled(out, tab ? tab + 1 : *paragraphs);
    }
}

static void put_value(FILE *out, const char *value)
{
    fputs(" \\fI", out);
    put_text(out, value);
    fputs("\\fR", out);
}

static void put_row(FILE *out, const struct verb *verb, const struct option_row *row)
{
    fputs(".TP\n", out);
    if (row->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", out);
    put_text(out, row->name);
    fputs("\\fR", out);
    if (row->value)
        put_value(out, row->value);
    putc('\n', out);

    char note[OPTION_NOTE_MAX], whole[OPTION_HELP_MAX + OPTION_NOTE_MAX + 4];
    option_note(note, verb, row);
    snprintf(whole, sizeof whole, "%s%s%s%s", row->help, *note ? " (" : "", note, *note ? ")" : "");
    put_filled(out, whole);
}

static void put_synopsis(FILE *out, const struct program *program, const struct verb *verb)
{
    fputs("\\fB", out);
    put_text(out, program->name);
    if (verb->name) {
        putc(' ', out);
        put_text(out, verb->name);
    }
    fputs("\\fR", out);
    for (size_t k = 0; k < verb->row_count; k++) {
        const struct option_row *row = &verb->rows[k];
        if (!row->required)
            continue;
        fputs(row->letter ? " \\fB\\-" : " \\fB\\-\\-", out);
        if (row->letter)
            putc(row->letter, out);
        else
            put_text(out, row->name);
        fputs("\\fR", out);
        put_value(out, row->value);
    }
    if (*verb->positionals)
        put_value(out, verb->positionals);
    fputs(" [\\fIoptions\\fR]\n", out);
}

static void put_verb(FILE *out, const struct program *program, const struct verb *verb)
{
    if (verb->name) {
        fputs(".SS ", out);
        put_text(out, program->name);
        putc(' ', out);
        put_text(out, verb->name);
        putc('\n', out);
        put_synopsis(out, program, verb);
        fputs(".PP\n", out);
        put_filled(out, verb->summary);
        put_paragraphs(out, verb->description);
    }
    for (size_t k = 0; k < verb->row_count; k++)
        put_row(out, verb, &verb->rows[k]);
    fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nshow a short text on this\n", out);
}

static void put_examples(FILE *out, const struct program *program)
{
    bool titled = false;
    for (size_t k = 0; k < program->verb_count; k++) {
        const struct verb *verb = program->verbs[k];
        for (size_t e = 0; e < verb->example_count; e++) {
            fputs(titled ? ".PP\n" : ".SH EXAMPLES\n", out);
            titled = true;
            put_filled(out, verb->examples[e].what);
            fputs(".RS 4\n.nf\n", out);
            put_text(out, verb->examples[e].command);
            fputs("\n.fi\n.RE\n", out);
        }
    }
}

void program_print_man(const struct program *program, FILE *out)
{
    bool has_verbs = program->verbs[0]->name != NULL;
    fputs(".\\\" Made from the option tables by --man; do not edit.\n.TH ", out);
    put_upper(out, program->name);
    fprintf(out, " 1 %s \"%s %s\" \"User Commands\"\n", program->date, program->name, program->version);
    fputs(".SH NAME\n", out);
    put_text(out, program->name);
    fputs(" \\- ", out);
    put_filled(out, program->summary);
    fputs(".SH SYNOPSIS\n", out);
    for (size_t k = 0; k < program->verb_count; k++) {
        if (k > 0)
            fputs(".br\n", out);
        put_synopsis(out, program, program->verbs[k]);
    }
    fputs(".SH DESCRIPTION\n", out);
    put_filled(out, program->summary);
    put_paragraphs(out, program->description);
    fputs(has_verbs ? ".SH VERBS\n" : ".SH OPTIONS\n", out);
    for (size_t k = 0; k < program->verb_count; k++)
        put_verb(out, program, program->verbs[k]);
    put_examples(out, program);
    for (size_t k = 0; k < program->section_count; k++) {
        fputs(".SH ", out);
        put_text(out, program->sections[k].title);
        putc('\n', out);
        put_paragraphs(out, program->sections[k].paragraphs);
    }
    if (program->see_also) {
        fputs(".SH SEE ALSO\n", out);
        put_filled(out, program->see_also);
    }
}
