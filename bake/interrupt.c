// SPDX-License-Identifier: MIT
#include "bake/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int signal_count; // lock-free, so a handler may touch it

static void on_signal(int number)
{
    (void)number;
    if (atomic_fetch_add(&signal_count, 1) > 0)
        _exit(STATUS_INTERRUPTED);
}

void interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        struct sigaction old, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
    }
}

bool interrupt_requested(void)
{
    return atomic_load_explicit(&signal_count, memory_order_relaxed) > 0;
}

enum status_code interrupt_check(struct status *status)
{
    if (!interrupt_requested())
        return STATUS_OK;
    return status_fail(status, STATUS_INTERRUPTED, "interrupted; what was unfinished has been removed");
}
