// SPDX-License-Identifier: MIT
#include "bake/pipeline.h"

#include <assert.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bake/interrupt.h"
#include "common/clock.h"

// What the workers share. walk, done and next_done belong to whoever is in the critical section `take`, error and
// times to whoever is in `report`.
struct crew {
    const struct pipeline *pipeline;
    struct plan_walk walk;
    struct journal_cursor *done;
    struct journal_record next_done;
    bool more_done;
    atomic_bool stop;
    struct status error;
    struct pipeline_times times;
};

static void report(struct crew *crew, const struct status *error)
{
#pragma omp critical(report)
    {
        if (crew->error.code == STATUS_OK)
            crew->error = *error;
    }
    atomic_store_explicit(&crew->stop, true, memory_order_relaxed);
}

// The next node of the plan that the journal does not have; *found is false when there is none.
static enum status_code next_node(struct crew *crew, bool *found, struct node *node, struct status *status)
{
    while ((*found = plan_walk_next(&crew->walk, node))) {
        tile_key key = tile_key_of(*node);
        if (crew->more_done && crew->next_done.entry.key < key)
            return status_fail(status, STATUS_INPUT, "%s: work files hold a tile that is not in the plan",
                               crew->pipeline->journal->folder);
        if (!crew->more_done || crew->next_done.entry.key != key)
            return STATUS_OK;
        enum status_code code = journal_next(crew->done, &crew->more_done, &crew->next_done, status);
        if (code)
            return code;
    }
    return STATUS_OK;
}

static bool take(struct crew *crew, struct node *node)
{
    struct status status;
    enum status_code code = STATUS_OK;
    bool found = false;
    if (atomic_load_explicit(&crew->stop, memory_order_relaxed) || interrupt_requested())
        return false;
#pragma omp critical(take)
    code = next_node(crew, &found, node, &status);
    if (code)
        report(crew, &status);
    return code == STATUS_OK && found;
}

static enum status_code bake_one(struct tile_worker *worker, struct journal_writer *writer, struct node node,
                                 uint64_t *bytes, double *write_s, struct status *status)
{
    struct pack_entry entry;
    enum status_code code = tile_bake(worker, node, &entry, status);
    if (code)
        return code;
    *bytes = JOURNAL_HEAD_BYTES;
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        *bytes += entry.lengths[kind];
    double start_s = clock_seconds();
    code = journal_append(writer, &entry, status);
    *write_s += clock_seconds() - start_s;
    return code;
}

static void work(struct crew *crew, int number)
{
    const struct pipeline *pipeline = crew->pipeline;
    struct tile_worker *worker = NULL;
    struct journal_writer writer;
    struct status status = {0};
    struct node node;
    double write_s = 0;
    enum status_code code;
    if ((code = journal_writer_new(&writer, pipeline->journal, number, &status))) {
        report(crew, &status);
        return;
    }
    if ((code = tile_worker_new(&worker, pipeline->recipe, &status)))
        report(crew, &status);
    while (code == STATUS_OK && take(crew, &node)) {
        uint64_t bytes;
        if ((code = bake_one(worker, &writer, node, &bytes, &write_s, &status))) {
            report(crew, &status);
            break;
        }
        progress_count(pipeline->progress, number, bytes);
        if (number == 0)
            progress_tick(pipeline->progress);
    }
    if (code == STATUS_OK && interrupt_requested() && (code = journal_sync(&writer, &status)))
        report(crew, &status);
#pragma omp critical(report)
    {
        code = journal_writer_finish(&writer, &status);
        crew->times.write_s += write_s;
        if (worker) {
            const struct tile_clock *clock = tile_worker_clock(worker);
            crew->times.tiles.planet_s += clock->planet_s;
            crew->times.tiles.layers_s += clock->layers_s;
            crew->times.tiles.encode_s += clock->encode_s;
        }
    }
    if (code)
        report(crew, &status);
    tile_worker_free(worker);
}

enum status_code pipeline_run(const struct pipeline *pipeline, struct pipeline_times *times, struct status *status)
{
    struct crew crew = {.pipeline = pipeline};
    enum status_code code;
    assert(pipeline->thread_count >= 1 && pipeline->thread_count <= PIPELINE_THREADS_MAX);
    plan_walk_begin(&crew.walk, pipeline->plan);
    if ((code = journal_cursor_new(&crew.done, pipeline->journal, status)) ||
        (code = journal_next(crew.done, &crew.more_done, &crew.next_done, status))) {
        journal_cursor_free(crew.done);
        return code;
    }
    // Exactly so many threads as asked for, whatever the environment says.
    omp_set_dynamic(0);
#pragma omp parallel num_threads(pipeline->thread_count)
    work(&crew, omp_get_thread_num());

    journal_cursor_free(crew.done);
    *times = crew.times;
    if (crew.error.code) {
        *status = crew.error;
        return crew.error.code;
    }
    if (interrupt_requested())
        return status_fail(status, STATUS_INTERRUPTED, "interrupted");
    return STATUS_OK;
}
