// SPDX-License-Identifier: MIT
#include "bake/estimate.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/statvfs.h>

#include "bake/tile_error.h"
#include "common/clock.h"

#define TRIAL_S 1.5
#define TRIAL_ROUNDS 3 // tiles of each level at most

// A pack's own parts: header, metadata, and in the index 24 + 48 N bytes a tile with N layers, pages not quite full.
#define INDEX_BYTES_PER_TILE 180
#define JOURNAL_BYTES_PER_TILE JOURNAL_HEAD_BYTES

struct trial {
    int tiles;
    double seconds, bytes;
};

static enum status_code try_tile(struct trial *trial, struct tile_worker *worker, struct node node,
                                 struct status *status)
{
    struct pack_entry entry;
    double start_s = clock_thread_seconds();
    enum status_code code = tile_bake(worker, node, &entry, status);
    if (code)
        return code;
    trial->seconds += clock_thread_seconds() - start_s;
    trial->tiles++;
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        trial->bytes += entry.lengths[kind];
    return STATUS_OK;
}

// Tiles of each level in turn, the deepest first since most of the work is there, until time is up: in huge plans
// already finding the tiles takes long.
static enum status_code run_trials(struct trial trials[TILE_LEVEL_MAX + 1], const struct bake_setup *setup,
                                   struct status *status)
{
    struct tile_worker *worker;
    double start_s = clock_seconds();
    int tried = 0;
    enum status_code code = tile_worker_new(&worker, &setup->recipe, status);
    if (code)
        return code;
    for (int round = 0; round < TRIAL_ROUNDS && code == STATUS_OK; round++) {
        for (int level = setup->plan.max_level; level >= 0 && code == STATUS_OK; level--) {
            uint64_t count = setup->tiles_per_level[level], step = count / TRIAL_ROUNDS;
            struct node node;
            if (count == 0 || (tried > 0 && clock_seconds() - start_s > TRIAL_S))
                continue;
            if (plan_nth(&setup->plan, level, step * (uint64_t)round + step / 2, &node))
                code = try_tile(&trials[level], worker, node, status);
            // The first tile of all also pays for cold caches; it is not counted.
            if (round == 0 && level == setup->plan.max_level && code == STATUS_OK) {
                trials[level] = (struct trial){0, 0, 0};
                code = try_tile(&trials[level], worker, node, status);
            }
            tried++;
        }
    }
    tile_worker_free(worker);
    return code;
}

// The trial that stands for a level: its own, or that of the nearest level that has one, the deeper where two are.
static const struct trial *trial_for(const struct trial trials[TILE_LEVEL_MAX + 1], int level)
{
    for (int away = 0; away <= TILE_LEVEL_MAX; away++) {
        if (level + away <= TILE_LEVEL_MAX && trials[level + away].tiles > 0)
            return &trials[level + away];
        if (level - away >= 0 && trials[level - away].tiles > 0)
            return &trials[level - away];
    }
    return NULL; // the plan is empty
}

static uint64_t free_bytes(const char *path, bool is_folder)
{
    char folder[PATH_MAX];
    struct statvfs about;
    const char *slash = is_folder ? NULL : strrchr(path, '/');
    size_t length = is_folder ? strlen(path) : slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return 0;
    memcpy(folder, path, length);
    folder[length] = 0;
    if (length == 0)
        strcpy(folder, slash ? "/" : ".");
    return statvfs(folder, &about) == 0 ? (uint64_t)about.f_bavail * about.f_frsize : 0;
}

enum status_code estimate_make(struct estimate *estimate, const struct bake_setup *setup, const char *output,
                               const char *work, int thread_count, struct status *status)
{
    struct trial trials[TILE_LEVEL_MAX + 1];
    memset(trials, 0, sizeof trials);
    *estimate = (struct estimate){.tile_count = setup->tile_count, .thread_count = thread_count};
    memcpy(estimate->tiles_per_level, setup->tiles_per_level, sizeof estimate->tiles_per_level);
    enum status_code code = run_trials(trials, setup, status);
    if (code)
        return code;
    double bytes = 0, seconds = 0;
    for (int level = 0; level <= TILE_LEVEL_MAX; level++) {
        const struct trial *trial = trial_for(trials, level);
        if (!trial || estimate->tiles_per_level[level] == 0)
            continue;
        estimate->trial_tiles += trials[level].tiles;
        bytes += (double)estimate->tiles_per_level[level] * trial->bytes / trial->tiles;
        seconds += (double)estimate->tiles_per_level[level] * trial->seconds / trial->tiles;
    }
    int side = setup->recipe.intervals + 1;
    uint64_t samples = (uint64_t)(side * side + tile_error_point_count(setup->recipe.intervals));
    double tiles = (double)estimate->tile_count;
    estimate->sample_count = estimate->tile_count * samples;
    estimate->pack_bytes =
        (uint64_t)(bytes + tiles * INDEX_BYTES_PER_TILE) + setup->metadata_length + PACK_HEADER_BYTES;
    estimate->peak_bytes = estimate->pack_bytes + (uint64_t)(bytes + tiles * JOURNAL_BYTES_PER_TILE);
    estimate->seconds = seconds / (tiles < thread_count ? fmax(tiles, 1) : thread_count);
    estimate->free_bytes = free_bytes(output, false);
    estimate->work_free_bytes = work ? free_bytes(work, true) : estimate->free_bytes;
    return STATUS_OK;
}
