// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM. The first asks the bake to stop in good order; a second one leaves at once with exit code 75,
// which loses no more than a kill does.
#ifndef TERRANE_BAKE_INTERRUPT_H
#define TERRANE_BAKE_INTERRUPT_H

#include <stdbool.h>

#include "common/status.h"

// Installs the handlers for the rest of the process, before any thread starts.
// A signal that the process was started with ignored (nohup) stays ignored.
void interrupt_install(void);

// Whether a signal has come. Any thread may ask.
bool interrupt_requested(void);

// STATUS_INTERRUPTED once a signal has come, for verbs to ask between pieces of work.
enum status_code interrupt_check(struct status *status);

#endif
