// SPDX-License-Identifier: MIT
// Threads that take the stream's requests, read and decode, and deliver. The stream belongs to whoever holds the lock.
#ifndef TERRANE_VIEW_LOADER_H
#define TERRANE_VIEW_LOADER_H

#include <stdbool.h>

#include "common/status.h"
#include "view/pack_source.h"
#include "view/stream.h"

#define LOADER_THREADS_MAX 64

// What a loader delivers to the stream as data; freed by loader_free_tile.
struct loaded_tile {
    struct tile_data *data;
    float *mesh_heights_m; // (G+1)^2
};
struct loaded_tile *loader_new_tile(int intervals); // NULL when memory is short
void loader_free_tile(struct loaded_tile *tile);

struct loader; // opaque

enum status_code loader_start(struct loader **loader, const struct pack_source *source, struct stream *stream,
                              int threads, struct status *status);
// Waits for reads in progress; data still in the stream are freed.
void loader_stop(struct loader *loader);

// Around every use of the stream by the main thread. Unlocking wakes the threads.
void loader_lock(struct loader *loader);
void loader_unlock(struct loader *loader);

// Waits until a tile was delivered or milliseconds have passed.
void loader_wait(struct loader *loader, int milliseconds);

// One damaged tile's message, each tile once; false where there is none (left).
bool loader_next_damage(struct loader *loader, struct status *status);

#endif
