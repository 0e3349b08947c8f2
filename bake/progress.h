// SPDX-License-Identifier: MIT
// Progress of a bake, on stderr. On a terminal one live line; elsewhere at most one plain line every 30 s and no
// carriage returns; as JSON one object a line. What it shows is counted by the workers, each on a cache line of its
// own; one thread shows it.
#ifndef TERRANE_BAKE_PROGRESS_H
#define TERRANE_BAKE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/status.h"

enum progress_mode { PROGRESS_AUTO, PROGRESS_JSON, PROGRESS_NONE };

struct progress_counter {
    _Alignas(64) _Atomic uint64_t tiles, bytes;
};

struct progress {
    enum progress_mode mode;
    bool terminal, quiet, shown;
    FILE *out;
    const char *verb;
    uint64_t planned;
    uint64_t before_tiles, before_bytes; // found done at the start
    int counter_count;
    struct progress_counter *counters;
    double start_s, last_s;
    uint64_t packed; // tiles that are in the pack, once all are baked
};

// Starts the clock. counter_count counters, all zero. quiet silences everything.
enum status_code progress_begin(struct progress *progress, enum progress_mode mode, bool quiet, const char *verb,
                                uint64_t planned, uint64_t before_tiles, uint64_t before_bytes, int counter_count,
                                struct status *status);

// One more tile by this worker.
static inline void progress_count(struct progress *progress, int worker, uint64_t bytes)
{
    struct progress_counter *counter = &progress->counters[worker];
    atomic_fetch_add_explicit(&counter->tiles, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counter->bytes, bytes, memory_order_relaxed);
}

// One more tile in the pack. Shown to people only; to be called by one thread.
void progress_count_packed(struct progress *progress);

// Tiles done in all.
uint64_t progress_done(const struct progress *progress);
double progress_elapsed_s(const struct progress *progress);

// Shows where things are when it is time to. To be called by one thread only.
void progress_tick(struct progress *progress);

// Ends the live line. With done, shows that everything is; in JSON as an object, else as a line of pack_bytes and time.
void progress_end(struct progress *progress, bool done, uint64_t pack_bytes);
void progress_free(struct progress *progress);

// "1:02:03" or "2:03".
#define DURATION_TEXT_MAX 32
void format_duration(char text[DURATION_TEXT_MAX], double seconds);
// "12.3 MiB".
#define BYTES_TEXT_MAX 32
void format_bytes(char text[BYTES_TEXT_MAX], uint64_t bytes);

#endif
