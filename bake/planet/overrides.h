// SPDX-License-Identifier: MIT
// What --set KEY=VALUE puts in the place of constants of a planet file.
#ifndef TERRANE_BAKE_PLANET_OVERRIDES_H
#define TERRANE_BAKE_PLANET_OVERRIDES_H

#include <stdbool.h>

#include "bake/planet/planet.h"
#include "bake/planet/syntax.h"

struct override {
    const char *key;
    struct syntax value; // one expression
};

struct overrides {
    struct override *items; // in the order of the command line; of several for one key the last one counts
    int count;
    char *texts; // keys, labels and values
};

// Parses them all. VALUE is an expression of numbers, colours or a "string"; where the file's definition of KEY is a
// string, VALUE may be one without quotes. STATUS_USAGE names the option.
enum status_code overrides_read(struct overrides *overrides, const struct syntax *file,
                                const struct planet_source *source, struct status *status);
void overrides_free(struct overrides *overrides); // also after a failure

#endif
