// SPDX-License-Identifier: MIT
// A whole command line of `terrane`, as main() runs it and as tests may.
#ifndef TERRANE_BAKE_COMMAND_H
#define TERRANE_BAKE_COMMAND_H

#include "common/status.h"
#include "common/verb.h"

// Does what argv says, argv[0] being the program's name; answers go to stdout. argv's pointers are put in another
// order. *verb is the verb, for the message of a failure, NULL where there is none.
enum status_code command_run(int argc, char **argv, const struct verb **verb, struct status *status);

#endif
