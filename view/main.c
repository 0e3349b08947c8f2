// SPDX-License-Identifier: MIT
// terrane-view: reads its options, runs. The only place that prints errors and chooses the exit code.
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "view/run.h"

static enum status_code run(int argc, char **argv, struct status *status)
{
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        print_view_version(stdout);
        return STATUS_OK;
    }
    bool answered;
    enum status_code code = program_answer(&view_program, argc - 1, argv + 1, stdout, &answered, status);
    if (answered)
        return code;
    struct view_options options;
    struct arguments arguments;
    code = options_parse(view_program.verbs[0], argc - 1, argv + 1, &options, &arguments, status);
    if (code)
        return code;
    if (arguments.help) {
        program_print_help(&view_program, stdout);
        return STATUS_OK;
    }
    return options.headless ? run_headless(&options, arguments.items[0], status)
                            : run_window(&options, arguments.items[0], status);
}

int main(int argc, char **argv)
{
    // Software rasterisers allocate and free megabytes a draw; with glibc's defaults the heap's top is given back and
    // faulted in again for each, up to seven times slower.
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    struct status status = {0};
    enum status_code code = run(argc, argv, &status);
    if (!code && (fflush(stdout) || ferror(stdout)))
        code = status_fail(&status, STATUS_RESOURCE, "standard output: cannot be written");
    if (code)
        fprintf(stderr, "terrane-view: %s\n%s", status.text, status.context);
    return (int)code;
}
