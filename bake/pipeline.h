// SPDX-License-Identifier: MIT
// From the plan to the journal: worker threads take nodes in canonical order from one walk, bake each, and append it to
// a segment of their own. Which thread gets which node changes nothing but the place in the journal. Memory goes with
// the number of workers, not with that of tiles.
//
// The first error of any worker stops all, once: nodes in flight are finished or given up, and the error is returned.
// A signal (interrupt.h) stops the handing out of nodes; those in flight are finished and made durable.
#ifndef TERRANE_BAKE_PIPELINE_H
#define TERRANE_BAKE_PIPELINE_H

#include "bake/journal.h"
#include "bake/plan.h"
#include "bake/progress.h"
#include "bake/tile_bake.h"

#define PIPELINE_THREADS_MAX JOURNAL_SEGMENTS_MAX

struct pipeline {
    const struct tile_recipe *recipe;
    const struct plan *plan;
    struct journal *journal;   // tiles that it has already are not baked again
    struct progress *progress; // with a counter a worker
    int thread_count;          // 1..PIPELINE_THREADS_MAX
};

// Seconds added up over the workers: processor time of the stages, wall time of writing.
struct pipeline_times {
    struct tile_clock tiles;
    double write_s;
};

// STATUS_INTERRUPTED after a signal.
enum status_code pipeline_run(const struct pipeline *pipeline, struct pipeline_times *times, struct status *status);

#endif
