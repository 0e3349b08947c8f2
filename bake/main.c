// SPDX-License-Identifier: MIT
// terrane: finds the verb, reads its options, runs it. The only place that prints errors and chooses the exit code.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/stdout_out.h"
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

// *verb is set as soon as it is known, for the message.
static enum status_code run(int argc, char **argv, const struct verb **verb, struct status *status)
{
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

int main(int argc, char **argv)
{
    standard_streams_hold();
    // A closed pipe and a file size limit are write errors like any other, not a reason to die without a word.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    const struct verb *verb = NULL;
    struct status status = {STATUS_OK, ""}, output = {STATUS_OK, ""};
    enum status_code code = run(argc, argv, &verb, &status);
    enum status_code written = stdout_finish(&output);
    if (!code && written) {
        code = written;
        status = output;
    }
    if (code)
        fprintf(stderr, "terrane: %s%s%s\n", verb ? verb->name : "", verb ? ": " : "", status.text);
    return (int)code;
}
