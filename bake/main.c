// SPDX-License-Identifier: MIT
// terrane: the only place that prints errors and chooses the exit code.
#include <signal.h>
#include <stdio.h>

#include "bake/command.h"
#include "bake/stdout_out.h"

int main(int argc, char **argv)
{
    standard_streams_hold();
    // A closed pipe and a file size limit are write errors like any other, not a reason to die without a word.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    const struct verb *verb;
    struct status status = {0}, output = {0};
    enum status_code code = command_run(argc, argv, &verb, &status);
    enum status_code written = stdout_finish(&output);
    if (!code && written) {
        code = written;
        status = output;
    }
    if (code)
        fprintf(stderr, "terrane: %s%s%s\n%s", verb ? verb->name : "", verb ? ": " : "", status.text, status.context);
    return (int)code;
}
