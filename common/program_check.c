// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "common/options.h"

static size_t destination_bytes(enum option_kind kind)
{
    switch (kind) {
    case OPTION_FLAG: return sizeof(bool);
    case OPTION_INTEGER:
    case OPTION_CHOICE: return sizeof(int);
    case OPTION_U64: return sizeof(uint64_t);
    case OPTION_REAL: return sizeof(double);
    case OPTION_TEXT:
    case OPTION_PATH: return sizeof(const char *);
    case OPTION_LIST: return sizeof(struct option_list);
    case OPTION_CUSTOM: break;
    }
    return 1;
}

// Lower-case letters, digits and inner dashes: what needs no quoting in any shell.
static bool plain_name(const char *name)
{
    size_t length = strlen(name);
    return length >= 1 && length < 32 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length &&
           name[0] >= 'a' && name[length - 1] != '-';
}

static const char *fault_of_text(const char *text)
{
    size_t length = strlen(text);
    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)text[k] < 0x20)
            return "a control byte in a text";
    }
    return length == 0 || text[length - 1] == '.' ? "a help text that is empty or ends with a full stop" : NULL;
}

static const char *fault_of_row(const struct verb *verb, const struct option_row *row)
{
    bool range = row->kind == OPTION_INTEGER || row->kind == OPTION_REAL;
    bool small = row->letter >= 'a' && row->letter <= 'z', capital = row->letter >= 'A' && row->letter <= 'Z';
    if (!plain_name(row->name) || strcmp(row->name, "help") == 0)
        return "name";
    if (row->letter && ((!small && !capital) || row->letter == 'h'))
        return "letter";
    if ((row->kind == OPTION_FLAG) != (row->value == NULL) || (row->kind == OPTION_FLAG && row->required))
        return "value name";
    if (range ? !(row->min < row->max) : row->min != 0 || row->max != 0)
        return "range";
    if (row->kind == OPTION_INTEGER && (row->min < INT_MIN || row->max > INT_MAX))
        return "range of an int";
    if ((row->kind == OPTION_CHOICE && !row->words) ||
        (row->words && row->kind != OPTION_CHOICE && row->kind != OPTION_TEXT))
        return "words";
    if ((row->kind == OPTION_CUSTOM) != (row->parse != NULL) || (row->repeatable && row->kind != OPTION_CUSTOM))
        return "parse function";
    if (row->offset > verb->options_bytes || destination_bytes(row->kind) > verb->options_bytes - row->offset)
        return "offset";
    if (!row->help || strlen(row->help) >= OPTION_HELP_MAX)
        return "help";
    return fault_of_text(row->help);
}

static const char *fault_of_verb(const struct verb *verb)
{
    if (verb->row_count > 64)
        return "more than 64 options";
    if (verb->row_count > 0 && (!verb->defaults || verb->options_bytes == 0))
        return "defaults";
    if (!verb->positionals || verb->positional_min < 0 ||
        (verb->positional_max >= 0 && verb->positional_max < verb->positional_min) ||
        (verb->positional_max != 0) != (*verb->positionals != 0))
        return "positionals";
    if (!verb->summary)
        return "summary";
    return fault_of_text(verb->summary);
}

static enum status_code check_verb(const struct verb *verb, struct status *status)
{
    const char *name = verb->name ? verb->name : "(no verb)", *fault = fault_of_verb(verb);
    if (fault)
        return status_fail(status, STATUS_INTERNAL, "%s: %s", name, fault);
    for (size_t k = 0; k < verb->row_count; k++) {
        const struct option_row *row = &verb->rows[k];
        fault = fault_of_row(verb, row);
        for (size_t j = 0; j < k && !fault; j++) {
            if (strcmp(verb->rows[j].name, row->name) == 0)
                fault = "the name is there twice";
            else if (row->letter && verb->rows[j].letter == row->letter)
                fault = "the letter is there twice";
        }
        if (fault)
            return status_fail(status, STATUS_INTERNAL, "%s --%s: %s", name, row->name, fault);
    }
    return STATUS_OK;
}

enum status_code program_check(const struct program *program, struct status *status)
{
    for (size_t k = 0; k < program->verb_count; k++) {
        const struct verb *verb = program->verbs[k];
        enum status_code code = check_verb(verb, status);
        if (code)
            return code;
        if (!verb->name && program->verb_count == 1)
            break;
        if (!verb->name || !plain_name(verb->name))
            return status_fail(status, STATUS_INTERNAL, "verb %zu: name", k);
        for (size_t j = 0; j < k; j++) {
            if (strcmp(program->verbs[j]->name, verb->name) == 0)
                return status_fail(status, STATUS_INTERNAL, "verb %s: there twice", verb->name);
        }
    }
    return STATUS_OK;
}
