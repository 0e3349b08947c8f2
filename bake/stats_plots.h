// SPDX-License-Identifier: MIT
// Statistics as one picture of four diagrams (hypsometric curve, histogram of heights, slopes, spectrum), with the
// curves of Earth, Mars and the Moon beside the planet's own.
#ifndef TERRANE_BAKE_STATS_PLOTS_H
#define TERRANE_BAKE_STATS_PLOTS_H

#include "bake/metadata.h"
#include "bake/terrain_stats.h"
#include "common/status.h"

#define STATS_PLOTS_WIDTH 1600
#define STATS_PLOTS_HEIGHT 1240

// Writes a PNG to path, in the place of what stands there (output_file.h).
enum status_code stats_plots_write(const char *path, const struct terrain_stats *stats, const struct metadata *metadata,
                                   struct status *status);

#endif
