// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP for the verbs that write files: the first one only sets a flag, so that the
// verb can remove what is unfinished and return STATUS_INTERRUPTED; the second one ends the program at once.
#ifndef TERRANE_BAKE_INTERRUPT_H
#define TERRANE_BAKE_INTERRUPT_H

#include <stdbool.h>

#include "common/status.h"

void interrupt_catch(void);
bool interrupted(void);

// STATUS_INTERRUPTED with a message when a signal has come since interrupt_catch, else STATUS_OK.
enum status_code interrupt_check(struct status *status);

#endif
