// SPDX-License-Identifier: MIT
#include "view/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "view/stream_internal.h"

// The least that shows anything and can refine it: six roots, and four children.
#define CAPACITY_MIN 10
// Records of nodes that nothing asked for in so many frames are forgotten.
#define FORGET_FRAMES 240
// Delivered tiles that nothing asked for in so many frames are dropped instead of uploaded.
#define STALE_FRAMES 30

// ---- The pool of tiles and its table -------------------------------------------------------------------

static uint32_t table_place(const struct stream *stream, tile_key key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & stream->table_mask;
}

int stream_find(const struct stream *stream, tile_key key)
{
    for (uint32_t at = table_place(stream, key);; at = (at + 1) & stream->table_mask) {
        int index = stream->table[at];
        if (index == TILE_NONE || stream->tiles[index].key == key)
            return index;
    }
}

static void table_insert(struct stream *stream, int index)
{
    uint32_t at = table_place(stream, stream->tiles[index].key);
    while (stream->table[at] != TILE_NONE)
        at = (at + 1) & stream->table_mask;
    stream->table[at] = index;
}

// Forgets records that have no data and were not looked at since before_frame. Indices of tiles change, so this
// happens only between frames.
static void forget_records(struct stream *stream, uint64_t before_frame)
{
    int kept = 0;
    for (int k = 0; k < stream->tile_count; k++) {
        const struct tile *tile = &stream->tiles[k];
        bool empty = tile->state == TILE_KNOWN || tile->state == TILE_FAILED;
        if (!empty || tile->used_frame >= before_frame)
            stream->tiles[kept++] = *tile;
    }
    stream->tile_count = kept;
    for (uint32_t k = 0; k <= stream->table_mask; k++)
        stream->table[k] = TILE_NONE;
    for (int k = 0; k < kept; k++)
        table_insert(stream, k);
}

int stream_tile(struct stream *stream, struct node node)
{
    tile_key key = tile_key_of(node);
    int index = stream_find(stream, key);
    if (index != TILE_NONE)
        return index;
    struct tile tile = {.node = node, .key = key, .slot = -1};
    if (stream->tile_count == stream->tile_limit || !stream->config.lookup(stream->config.context, node, &tile.record))
        return TILE_NONE;
    tile.bound = node_bound_of(node, stream->config.radius_m, tile.record.height_min_m, tile.record.height_max_m);
    stream->tiles[stream->tile_count] = tile;
    table_insert(stream, stream->tile_count);
    return stream->tile_count++;
}

// ---- Life of a stream ----------------------------------------------------------------------------------

static bool allocate(struct stream *stream)
{
    size_t capacity = (size_t)stream->capacity;
    stream->tile_limit = stream->capacity * 16 + 4096;
    size_t tiles = (size_t)stream->tile_limit;
    size_t entries = 1;
    while (entries < tiles * 2)
        entries *= 2;
    stream->table_mask = (uint32_t)(entries - 1);
    stream->tiles = calloc(tiles, sizeof *stream->tiles);
    stream->table = malloc(entries * sizeof *stream->table);
    stream->free_slots = malloc(capacity * sizeof *stream->free_slots);
    stream->draws = malloc(tiles * sizeof *stream->draws);
    stream->drawn_tiles = malloc(tiles * sizeof *stream->drawn_tiles);
    stream->uploads = malloc(capacity * sizeof *stream->uploads);
    stream->dropped = malloc(capacity * sizeof *stream->dropped);
    stream->requests = malloc(tiles * sizeof *stream->requests);
    stream->gone = calloc(GONE_COUNT, sizeof *stream->gone);
    return stream->tiles && stream->table && stream->free_slots && stream->draws && stream->drawn_tiles &&
           stream->uploads && stream->dropped && stream->requests && stream->gone;
}

enum status_code stream_new(struct stream **result, const struct stream_config *config, struct status *status)
{
    assert(config->tile_bytes > 0 && config->lookup && config->slots > 0 && config->uploads_per_frame > 0);
    size_t fitting = config->budget_bytes / config->tile_bytes;
    if (fitting < CAPACITY_MIN) {
        size_t least_mib = (CAPACITY_MIN * config->tile_bytes + (1u << 20) - 1) >> 20;
        return status_fail(status, STATUS_USAGE, "--cache %zu: too small for this pack: at least %zu MiB are needed",
                           config->budget_bytes >> 20, least_mib);
    }
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return status_fail_memory(status, "streaming", sizeof *stream);
    stream->config = *config;
    stream->capacity = fitting < (size_t)config->slots ? (int)fitting : config->slots;
    stream->counters.detail_scale = 1;
    stream->counters.bytes_budget = config->budget_bytes;
    if (stream->capacity < CAPACITY_MIN || !allocate(stream)) {
        stream_free(stream);
        return status_fail_memory(status, "streaming", (unsigned long long)fitting * 16 * sizeof(struct tile));
    }
    for (uint32_t k = 0; k <= stream->table_mask; k++)
        stream->table[k] = TILE_NONE;
    // Slot 0 is given out first.
    for (int k = 0; k < stream->capacity; k++)
        stream->free_slots[k] = stream->capacity - 1 - k;
    stream->free_slot_count = stream->capacity;
    *result = stream;
    return STATUS_OK;
}

void stream_free(struct stream *stream)
{
    if (!stream)
        return;
    free(stream->tiles);
    free(stream->table);
    free(stream->free_slots);
    free(stream->draws);
    free(stream->drawn_tiles);
    free(stream->uploads);
    free(stream->dropped);
    free(stream->requests);
    free(stream->gone);
    free(stream);
}

// ---- Data coming and going -----------------------------------------------------------------------------

static void count_held(struct stream *stream, int change)
{
    stream->held += change;
    struct stream_counters *counters = &stream->counters;
    counters->bytes = (size_t)stream->held * stream->config.tile_bytes;
    if (counters->bytes > counters->bytes_peak)
        counters->bytes_peak = counters->bytes;
}

static tile_key *gone_place(const struct stream *stream, tile_key key)
{
    return &stream->gone[key * UINT64_C(0x9E3779B97F4A7C15) >> 48 & (GONE_COUNT - 1)];
}

static void let_go(struct stream *stream, struct tile *tile)
{
    if (tile->drawn_frame == 0)
        stream->wasted_gone++;
    *gone_place(stream, tile->key) = tile->key + 1; // 0 is the key of a node too
    if (tile->slot >= 0)
        stream->free_slots[stream->free_slot_count++] = tile->slot;
    tile->slot = -1;
    tile->data = NULL;
    tile->state = TILE_KNOWN;
    tile->drawn_frame = 0;
    count_held(stream, -1);
}

// The resident tile that was not wanted for longest; the deepest of several, so that parents outlive their children.
static struct tile *least_recently_used(struct stream *stream, uint64_t before_frame)
{
    struct tile *oldest = NULL;
    for (int k = 0; k < stream->tile_count; k++) {
        struct tile *tile = &stream->tiles[k];
        if (tile->state != TILE_RESIDENT || tile->node.level == 0 || tile->used_frame >= before_frame)
            continue;
        if (!oldest || tile->used_frame < oldest->used_frame ||
            (tile->used_frame == oldest->used_frame && tile->key > oldest->key))
            oldest = tile;
    }
    return oldest;
}

bool stream_take(struct stream *stream, struct node *node)
{
    while (stream->request_next < stream->request_count) {
        struct tile *tile = &stream->tiles[stream->requests[stream->request_next]];
        if (tile->state != TILE_KNOWN) {
            stream->request_next++;
            continue;
        }
        if (stream->held == stream->capacity) {
            // What is looked ahead for must not push out what was seen a moment ago.
            uint64_t age = tile->rank == 0 ? 0 : 60;
            struct tile *oldest = least_recently_used(stream, stream->frame > age ? stream->frame - age : 0);
            if (!oldest) {
                if (tile->rank == 0) {
                    stream->starved = true;
                    stream->starved_frame = stream->frame;
                }
                return false;
            }
            let_go(stream, oldest);
        }
        stream->request_next++;
        tile->state = TILE_LOADING;
        stream->loading++;
        count_held(stream, 1);
        *node = tile->node;
        return true;
    }
    return false;
}

void stream_deliver(struct stream *stream, struct node node, bool failed, void *data)
{
    int index = stream_find(stream, tile_key_of(node));
    assert(index != TILE_NONE && stream->tiles[index].state == TILE_LOADING);
    struct tile *tile = &stream->tiles[index];
    stream->loading--;
    if (failed) {
        tile->state = TILE_FAILED;
        stream->counters.failed++;
        count_held(stream, -1);
        return;
    }
    stream->counters.loads++;
    tile_key *gone = gone_place(stream, tile->key);
    if (*gone == tile->key + 1) {
        stream->counters.reloads++;
        *gone = 0;
    }
    tile->state = TILE_WAITING;
    tile->data = data;
}

void *stream_abandon(struct stream *stream)
{
    for (int k = 0; k < stream->tile_count; k++) {
        struct tile *tile = &stream->tiles[k];
        if (tile->state != TILE_WAITING)
            continue;
        void *data = tile->data;
        let_go(stream, tile);
        return data;
    }
    return NULL;
}

// Delivered tiles become resident, the most needed first, as many as a frame may upload; stale ones are dropped.
static void make_resident(struct stream *stream)
{
    stream->upload_count = 0;
    stream->dropped_count = 0;
    while (stream->upload_count < stream->config.uploads_per_frame) {
        struct tile *best = NULL;
        for (int k = 0; k < stream->tile_count; k++) {
            struct tile *tile = &stream->tiles[k];
            if (tile->state != TILE_WAITING)
                continue;
            if (tile->node.level > 0 && tile->used_frame + STALE_FRAMES < stream->frame) {
                stream->dropped[stream->dropped_count++] = tile->data;
                let_go(stream, tile);
            } else if (!best || tile->rank < best->rank || (tile->rank == best->rank && tile->need > best->need)) {
                best = tile;
            }
        }
        if (!best)
            return;
        assert(stream->free_slot_count > 0);
        best->state = TILE_RESIDENT;
        best->slot = stream->free_slots[--stream->free_slot_count];
        stream->uploads[stream->upload_count++] = (struct stream_upload){best->node, best->slot, best->data};
        best->data = NULL;
    }
}

// ---- A frame -------------------------------------------------------------------------------------------

// Detail is shed while the budget refuses wanted tiles, quickly, and comes back slowly, and only when so much room is
// left that the next step up cannot starve again: no swinging to and fro.
static void adapt_detail(struct stream *stream)
{
    double *scale = &stream->counters.detail_scale;
    if (stream->starved) {
        *scale *= 0.93;
    } else if (*scale < 1) {
        int used = 0;
        for (int k = 0; k < stream->tile_count; k++) {
            const struct tile *tile = &stream->tiles[k];
            used += tile->state != TILE_KNOWN && tile->state != TILE_FAILED && tile->used_frame + 1 >= stream->frame;
        }
        if (used < stream->capacity * 0.6 && stream->frame > stream->starved_frame + 30) {
            *scale *= 1.05;
            *scale = *scale < 1 ? *scale : 1;
        }
    }
    stream->starved = false;
}

static void count_frame(struct stream *stream)
{
    struct stream_counters *counters = &stream->counters;
    int resident = 0, undrawn = 0, queued = 0;
    for (int k = 0; k < stream->tile_count; k++) {
        const struct tile *tile = &stream->tiles[k];
        resident += tile->state == TILE_RESIDENT;
        undrawn += (tile->state == TILE_RESIDENT || tile->state == TILE_WAITING) && tile->drawn_frame == 0 &&
                   tile->node.level > 0;
    }
    for (int k = stream->request_next; k < stream->request_count; k++)
        queued += stream->tiles[stream->requests[k]].state == TILE_KNOWN;
    counters->resident = resident;
    counters->queued = queued;
    counters->in_flight = stream->loading;
    counters->loads_wasted = stream->wasted_gone + (uint64_t)undrawn;
    counters->drawn = stream->draw_count;
    if (stream->draw_count > counters->drawn_max)
        counters->drawn_max = stream->draw_count;
    counters->frames++;
    counters->coarse_frames += stream->coarse;
    counters->missing_frames += stream->missing;
}

void stream_update(struct stream *stream, const struct camera *camera, double now_s)
{
    stream->frame++;
    if (stream->frame % 64 == 0 || stream->tile_count > stream->tile_limit * 3 / 4) {
        uint64_t age = stream->tile_count > stream->tile_limit * 3 / 4 ? 2 : FORGET_FRAMES;
        forget_records(stream, stream->frame > age ? stream->frame - age : 0);
    }
    make_resident(stream);
    if (stream->frozen) {
        // The draw list stays; nothing new is asked for. Its tiles are kept by being used.
        for (int k = 0; k < stream->tile_count; k++)
            stream->tiles[k].used_frame += stream->tiles[k].used_frame + 1 == stream->frame;
        stream->request_count = stream->request_next = 0;
        count_frame(stream);
        return;
    }
    adapt_detail(stream);
    stream->previous = stream->camera;
    stream->previous_s = stream->now_s;
    stream->has_previous = stream->frame > 1;
    stream->camera = *camera;
    stream->now_s = now_s;
    stream_select(stream);
    count_frame(stream);
}

const struct stream_draw *stream_draws(const struct stream *stream, int *count)
{
    *count = stream->draw_count;
    return stream->draws;
}

const struct stream_upload *stream_uploads(const struct stream *stream, int *count)
{
    *count = stream->upload_count;
    return stream->uploads;
}

void *const *stream_dropped(const struct stream *stream, int *count)
{
    *count = stream->dropped_count;
    return stream->dropped;
}

bool stream_is_full(const struct stream *stream)
{
    if (stream->frame == 0 || stream->missing || stream->coarse || stream->starved)
        return false;
    for (int k = 0; k < stream->tile_count; k++) {
        const struct tile *tile = &stream->tiles[k];
        if ((tile->state == TILE_WAITING || tile->state == TILE_LOADING) && tile->rank == 0 &&
            tile->used_frame == stream->frame)
            return false;
    }
    return true;
}

void stream_freeze(struct stream *stream, bool freeze)
{
    stream->frozen = freeze;
}

int stream_slot_count(const struct stream *stream)
{
    return stream->capacity;
}

const struct stream_counters *stream_get_counters(const struct stream *stream)
{
    return &stream->counters;
}
