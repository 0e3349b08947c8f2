// SPDX-License-Identifier: MIT
// Which definition each name in a planet file means, and the order in which definitions must be evaluated.
#ifndef TERRANE_BAKE_PLANET_RESOLVE_H
#define TERRANE_BAKE_PLANET_RESOLVE_H

#include <stdint.h>

#include "bake/planet/syntax.h"

// Names that are there without a definition.
enum given_name { GIVEN_LATITUDE, GIVEN_LONGITUDE, GIVEN_POSITION, GIVEN_X, GIVEN_Y, GIVEN_Z };
#define GIVEN_COUNT (GIVEN_Z + 1)

struct resolution {
    uint32_t *order;  // all definitions, each behind the ones that it needs; radius as early as can be
    uint32_t *target; // for each expression that is a name: a definition, or definition_count + enum given_name
    void *memory;
};

// Refuses unknown names, names defined twice or given already, and definitions that need themselves.
enum status_code resolve_names(struct resolution *resolution, const struct syntax *syntax, struct status *status);
void resolution_free(struct resolution *resolution); // also after a failure

// The definition of that name, or UINT32_MAX where there is none.
uint32_t resolve_find(const struct syntax *syntax, const char *name);

#endif
