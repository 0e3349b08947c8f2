// SPDX-License-Identifier: MIT
// A whole bake, from request to published pack. In order: look at the output, load and plan, lock, open the journal,
// bake what is missing, assemble, sync, rename, sync the folder, remove the work files. An output that was there stays
// byte for byte as it was until the rename.
#ifndef TERRANE_BAKE_BAKE_RUN_H
#define TERRANE_BAKE_BAKE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/bake_setup.h"
#include "bake/pipeline.h"
#include "bake/progress.h"

struct bake_request {
    struct bake_subject subject;
    const char *output;
    const char *work; // folder for work files, or NULL
    int thread_count;
    bool resume, force;
    enum progress_mode progress;
    bool quiet;
};

struct bake_result {
    bool already;         // the very pack stood finished, nothing was done
    uint64_t tile_count;  // planned
    uint64_t tiles_done;  // also when it failed
    uint64_t pack_bytes;  // 0 unless finished
    int thread_count;     // that were at work
    bool work_files_kept; // a --resume goes on from them
    struct pipeline_times times;
    double bake_s, assemble_s, wall_s;
};

// result is filled in as far as things went, also on failure.
enum status_code bake_run(const struct bake_request *request, struct bake_result *result, struct status *status);

#endif
