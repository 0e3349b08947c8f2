// SPDX-License-Identifier: MIT
#include "bake/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/verbs.h"
#include "common/options.h"

static enum status_code run_verb(const struct verb *verb, int argc, char **argv, struct status *status)
{
    void *options = malloc(verb->options_bytes ? verb->options_bytes : 1);
    if (!options)
        return status_fail_memory(status, "options", verb->options_bytes);
    struct arguments arguments;
    enum status_code code = options_parse(verb, argc, argv, options, &arguments, status);
    if (!code) {
        if (arguments.help)
            verb_print_help(&terrane_program, verb, stdout);
        else
            code = verb->run(options, arguments.count, arguments.items, status);
    }
    free(options);
    return code;
}

enum status_code command_run(int argc, char **argv, const struct verb **verb, struct status *status)
{
    *verb = NULL;
    if (argc < 2)
        return status_fail(status, STATUS_USAGE, "a verb is missing; see terrane --help");
    if (strcmp(argv[1], "--version") == 0) {
        terrane_print_version(stdout);
        return STATUS_OK;
    }
    bool answered;
    enum status_code code = program_answer(&terrane_program, argc - 1, argv + 1, stdout, &answered, status);
    if (answered)
        return code;
    *verb = program_find_verb(&terrane_program, argv[1], status);
    return *verb ? run_verb(*verb, argc - 2, argv + 2, status) : STATUS_USAGE;
}
