// SPDX-License-Identifier: MIT
// A complete pack out of the shares of a bake. The plan, which every share carries in its metadata, is walked in
// canonical order, and each tile comes from the one share whose part of the plan it is in; so the result is the pack
// that one machine would have made, byte for byte, or none. Nothing is decoded; every page and blob is checked on the
// way. One share is open at a time, so that any number of them can be merged.
#ifndef TERRANE_BAKE_MERGE_SHARDS_H
#define TERRANE_BAKE_MERGE_SHARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/progress.h"
#include "common/status.h"

struct merge_request {
    const char *output;
    const char *const *shards; // paths
    int shard_count;
    bool force;
    enum progress_mode progress;
    bool quiet;
};

// STATUS_INPUT where a share is missing, there twice, damaged, of another bake than the first, or of a later minor
// version of the format, of which something would be lost; naming it and saying what differs. The output's old contents
// stay until the new pack is whole.
enum status_code merge_shards(const struct merge_request *request, struct status *status);

#endif
