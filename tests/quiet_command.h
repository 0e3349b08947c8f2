// SPDX-License-Identifier: MIT
// Commands of terrane run in this process, so that sanitizers and counted allocations see all they do, while what they
// print goes nowhere.
#ifndef TERRANE_TESTS_QUIET_COMMAND_H
#define TERRANE_TESTS_QUIET_COMMAND_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "bake/command.h"

#define QUIET_ARGUMENTS_MAX 24

static int quiet_null_fd, quiet_stdout_fd, quiet_stderr_fd;

// Once, before the first command.
static inline void quiet_begin(void)
{
    quiet_null_fd = open("/dev/null", O_WRONLY);
    quiet_stdout_fd = dup(STDOUT_FILENO);
    quiet_stderr_fd = dup(STDERR_FILENO);
    if (quiet_null_fd < 0 || quiet_stdout_fd < 0 || quiet_stderr_fd < 0)
        abort();
}

// words: the command line, NULL at its end. Standard error, where a sanitizer reports, is silenced only with notes_too.
static inline enum status_code quiet_run(const char *const *words, bool notes_too, struct status *status)
{
    char *argv[QUIET_ARGUMENTS_MAX + 1] = {NULL};
    int argc = 0;
    for (; words[argc] && argc < QUIET_ARGUMENTS_MAX; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    const struct verb *verb;
    *status = (struct status){0};
    fflush(stdout);
    dup2(quiet_null_fd, STDOUT_FILENO);
    if (notes_too)
        dup2(quiet_null_fd, STDERR_FILENO);
    enum status_code code = command_run(argc, argv, &verb, status);
    fflush(stdout);
    dup2(quiet_stdout_fd, STDOUT_FILENO);
    dup2(quiet_stderr_fd, STDERR_FILENO);
    return code;
}

#endif
