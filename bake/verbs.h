// SPDX-License-Identifier: MIT
// The verbs of `terrane`, each in bake/verb_<name>.c, and the program's table of them.
#ifndef TERRANE_BAKE_VERBS_H
#define TERRANE_BAKE_VERBS_H

#include <stdio.h>

#include "common/verb.h"

extern const struct verb verb_bake, verb_diff, verb_extract, verb_info, verb_map, verb_merge, verb_planets, verb_sample,
    verb_stats, verb_tile, verb_verify;

extern const struct program terrane_program;

// "terrane 0.1.0" and the libraries with the versions that run, one a line.
void terrane_print_version(FILE *out);

#endif
