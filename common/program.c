// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "common/options.h"

#define VERBS_MAX 60

const struct verb *program_find_verb(const struct program *program, const char *name, struct status *status)
{
    const char *words[VERBS_MAX + 2];
    size_t count = 0;
    assert(program->verb_count <= VERBS_MAX);
    for (size_t k = 0; k < program->verb_count; k++) {
        if (strcmp(program->verbs[k]->name, name) == 0)
            return program->verbs[k];
        words[count++] = program->verbs[k]->name;
    }
    words[count++] = "help";
    words[count] = NULL;
    const char *near = nearest_word(name, words);
    if (near)
        status_fail(status, STATUS_USAGE, "%.100s: unknown verb; did you mean %s?", name, near);
    else
        status_fail(status, STATUS_USAGE, "%.100s: unknown verb; see %s --help", name, program->name);
    return NULL;
}

static enum status_code answer_completion(const struct program *program, const char *shell, FILE *out,
                                          struct status *status)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    for (int k = 0; shell && k < 3; k++) {
        if (strcmp(shell, shells[k]) == 0) {
            program_print_completion(program, (enum completion_shell)k, out);
            return STATUS_OK;
        }
    }
    return status_fail(status, STATUS_USAGE, "--completion %.100s: must be bash, zsh or fish", shell ? shell : "");
}

enum status_code program_answer(const struct program *program, int argc, char **argv, FILE *out, bool *answered,
                                struct status *status)
{
    bool has_verbs = program->verbs[0]->name != NULL;
    const char *first = argc > 0 ? argv[0] : "", *second = argc > 1 ? argv[1] : NULL;
    *answered = true;
    if (strcmp(first, "--completion") == 0)
        return answer_completion(program, second, out, status);
    if (strcmp(first, "--man") == 0) {
        program_print_man(program, out);
        return STATUS_OK;
    }
    bool help = strcmp(first, "help") == 0;
    if (has_verbs && help && second && second[0] != '-') {
        const struct verb *verb = program_find_verb(program, second, status);
        if (!verb)
            return STATUS_USAGE;
        verb_print_help(program, verb, out);
        return STATUS_OK;
    }
    if (has_verbs && (help || strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0)) {
        program_print_help(program, out);
        return STATUS_OK;
    }
    *answered = false;
    return STATUS_OK;
}
