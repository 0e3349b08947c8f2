// SPDX-License-Identifier: MIT
// Statistics on standard output: as a table, or as one JSON object.
#ifndef TERRANE_BAKE_STATS_PRINT_H
#define TERRANE_BAKE_STATS_PRINT_H

#include "bake/metadata.h"
#include "bake/terrain_stats.h"

void stats_print_table(const struct terrain_stats *stats, const struct metadata *metadata);

// {"schema":1,"planet":...}. Shares and exponents have nine digits behind the point, heights and angles have six;
// null stands for land figures without a sea (or land, or ocean) and for fits that the pack's detail does not allow.
void stats_print_json(const struct terrain_stats *stats, const struct metadata *metadata);

#endif
