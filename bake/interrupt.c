// SPDX-License-Identifier: MIT
#include "bake/interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    for (int k = 0; k < 3; k++) {
        struct sigaction before;
        // What the parent ignores (nohup) stays ignored.
        if (sigaction(numbers[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    }
}

bool interrupted(void)
{
    return caught != 0;
}

enum status_code interrupt_check(struct status *status)
{
    if (!interrupted())
        return STATUS_OK;
    return status_fail(status, STATUS_INTERRUPTED, "interrupted; what was unfinished has been removed");
}
