// SPDX-License-Identifier: MIT
#include "view/loader.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAMAGE_MAX 64 // messages that wait to be shown; a pack with more damage than that is not described in full

struct loader {
    const struct pack_source *source;
    struct stream *stream;
    pthread_mutex_t lock; // of the stream and everything below
    pthread_cond_t work, delivered;
    bool stopping;
    uint64_t deliveries;
    struct status damages[DAMAGE_MAX];
    int damage_count, damage_shown;
    pthread_t threads[LOADER_THREADS_MAX];
    struct pack_reader *readers[LOADER_THREADS_MAX];
    int thread_count, reader_count;
};

void loader_free_tile(struct loaded_tile *tile)
{
    if (!tile)
        return;
    free(tile->data);
    free(tile->mesh_heights_m);
    free(tile);
}

struct loaded_tile *loader_new_tile(int intervals)
{
    int side = tile_mesh_quads(intervals) + 1;
    struct loaded_tile *tile = calloc(1, sizeof *tile);
    if (!tile)
        return NULL;
    void *memory = malloc(tile_data_bytes(intervals));
    if (memory)
        tile->data = tile_data_over(memory, intervals);
    tile->mesh_heights_m = malloc((size_t)side * (size_t)side * sizeof *tile->mesh_heights_m);
    if (!tile->data || !tile->mesh_heights_m) {
        loader_free_tile(tile);
        return NULL;
    }
    return tile;
}

// The same words are the same damage: of one tile, met by itself and by pieces of it.
static void keep_damage(struct loader *loader, const struct status *status)
{
    for (int k = 0; k < loader->damage_count; k++) {
        if (strcmp(loader->damages[k].text, status->text) == 0)
            return;
    }
    if (loader->damage_count == DAMAGE_MAX)
        return;
    loader->damages[loader->damage_count++] = *status;
}

struct worker {
    struct loader *loader;
    struct pack_reader *reader;
};

// With the lock held; gives it up while reading.
static void load_one(struct worker *worker, struct node node)
{
    struct loader *loader = worker->loader;
    int intervals = loader->source->info->intervals;
    pthread_mutex_unlock(&loader->lock);
    struct status status = {0};
    enum status_code code = STATUS_OK;
    struct loaded_tile *tile = loader_new_tile(intervals);
    if (!tile)
        code = status_fail_memory(&status, "tile", tile_data_bytes(intervals));
    else
        code = pack_reader_load(worker->reader, node, tile->data, tile->mesh_heights_m, &status);
    bool failed = code != STATUS_OK;
    if (failed && tile && node.level == 0) {
        pack_reader_bare(worker->reader, node, tile->data, tile->mesh_heights_m);
        failed = false;
    }
    if (failed) {
        loader_free_tile(tile);
        tile = NULL;
    }
    pthread_mutex_lock(&loader->lock);
    if (code)
        keep_damage(loader, &status);
    stream_deliver(loader->stream, node, failed, tile);
    loader->deliveries++;
    pthread_cond_signal(&loader->delivered);
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    struct loader *loader = worker->loader;
    pthread_mutex_lock(&loader->lock);
    while (!loader->stopping) {
        struct node node;
        if (stream_take(loader->stream, &node))
            load_one(worker, node);
        else
            pthread_cond_wait(&loader->work, &loader->lock);
    }
    pthread_mutex_unlock(&loader->lock);
    free(worker);
    return NULL;
}

enum status_code loader_start(struct loader **result, const struct pack_source *source, struct stream *stream,
                              int threads, struct status *status)
{
    struct loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return status_fail_memory(status, "loader", sizeof *loader);
    loader->source = source;
    loader->stream = stream;
    pthread_mutex_init(&loader->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&loader->work, NULL);
    pthread_cond_init(&loader->delivered, &monotonic);
    pthread_condattr_destroy(&monotonic);
    enum status_code code = STATUS_OK;
    for (int k = 0; !code && k < threads; k++) {
        code = pack_reader_new(&loader->readers[k], source, status);
        loader->reader_count += !code;
        struct worker *worker = code ? NULL : malloc(sizeof *worker);
        if (!code && !worker)
            code = status_fail_memory(status, "loader", sizeof *worker);
        if (code)
            break;
        *worker = (struct worker){loader, loader->readers[k]};
        int error = pthread_create(&loader->threads[k], NULL, run, worker);
        loader->thread_count += !error;
        if (error) {
            free(worker);
            code = status_fail_errno(status, STATUS_RESOURCE, error, "loader thread");
        }
    }
    if (code) {
        loader_stop(loader);
        return code;
    }
    *result = loader;
    return STATUS_OK;
}

void loader_stop(struct loader *loader)
{
    if (!loader)
        return;
    pthread_mutex_lock(&loader->lock);
    loader->stopping = true;
    pthread_cond_broadcast(&loader->work);
    pthread_mutex_unlock(&loader->lock);
    for (int k = 0; k < loader->thread_count; k++)
        pthread_join(loader->threads[k], NULL);
    for (void *data; (data = stream_abandon(loader->stream));)
        loader_free_tile(data);
    for (int k = 0; k < loader->reader_count; k++)
        pack_reader_free(loader->readers[k]);
    pthread_cond_destroy(&loader->work);
    pthread_cond_destroy(&loader->delivered);
    pthread_mutex_destroy(&loader->lock);
    free(loader);
}

void loader_lock(struct loader *loader)
{
    pthread_mutex_lock(&loader->lock);
}

void loader_unlock(struct loader *loader)
{
    pthread_cond_broadcast(&loader->work);
    pthread_mutex_unlock(&loader->lock);
}

void loader_wait(struct loader *loader, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&loader->lock);
    uint64_t before = loader->deliveries;
    int result = 0;
    while (loader->deliveries == before && result == 0)
        result = pthread_cond_timedwait(&loader->delivered, &loader->lock, &until);
    pthread_mutex_unlock(&loader->lock);
}

bool loader_next_damage(struct loader *loader, struct status *status)
{
    pthread_mutex_lock(&loader->lock);
    bool some = loader->damage_shown < loader->damage_count;
    if (some)
        *status = loader->damages[loader->damage_shown++];
    pthread_mutex_unlock(&loader->lock);
    return some;
}
