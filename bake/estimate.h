// SPDX-License-Identifier: MIT
// What a bake would take: tiles counted exactly; bytes and time from baking a few tiles of each level, evenly spread
// over the level, for a second or so. Writes nothing.
#ifndef TERRANE_BAKE_ESTIMATE_H
#define TERRANE_BAKE_ESTIMATE_H

#include <stdint.h>

#include "bake/bake_setup.h"

struct estimate {
    uint64_t tile_count, tiles_per_level[TILE_LEVEL_MAX + 1];
    uint64_t sample_count; // evaluated, the error's included
    uint64_t pack_bytes;
    uint64_t peak_bytes; // on disk shortly before the end: work files and pack
    double seconds;      // with thread_count threads that do not hinder each other
    int thread_count;
    int trial_tiles;
    uint64_t free_bytes, work_free_bytes; // on the file systems of output and of work files
};

// output and work (may be NULL) name where the bake would write.
enum status_code estimate_make(struct estimate *estimate, const struct bake_setup *setup, const char *output,
                               const char *work, int thread_count, struct status *status);

#endif
