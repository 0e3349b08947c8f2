// SPDX-License-Identifier: MIT
// What the two halves of the streaming core share: the store of tiles (stream.c) and the selection (stream_select.c).
#ifndef TERRANE_VIEW_STREAM_INTERNAL_H
#define TERRANE_VIEW_STREAM_INTERNAL_H

#include "view/cull.h"
#include "view/stream.h"

enum tile_state {
    TILE_KNOWN,    // no data; its record is kept because it was looked at lately
    TILE_LOADING,  // taken by a loader
    TILE_WAITING,  // delivered, not yet resident
    TILE_RESIDENT, // has a slot
    TILE_FAILED,   // damaged; final
};

struct tile {
    struct node node;
    tile_key key;
    struct stream_record record;
    struct node_bound bound;
    enum tile_state state;
    int slot;
    void *data;
    uint64_t used_frame;      // last frame that wanted it, drawn or not
    uint64_t drawn_frame;     // last frame that drew it; 0 for never
    uint64_t requested_frame; // last frame whose request list has it
    bool refined;             // as last decided for drawing: hysteresis
    double need;              // of the last request: texels or error against the limit
    int rank;                 // of the last request: 0 visible, 1 looked ahead
};

#define TILE_NONE (-1)

struct stream {
    struct stream_config config;
    int capacity; // most tiles that hold data or are being loaded

    struct tile *tiles; // pool, tile_limit long
    int tile_limit, tile_count;
    int *table; // open addressing by key, table_mask + 1 entries, TILE_NONE where free
    uint32_t table_mask;
    int *free_slots;
    int free_slot_count;
    int held, loading; // tiles not KNOWN or FAILED; of these, being loaded

    uint64_t frame;
    bool frozen;
    struct camera camera;
    struct camera_frame view;
    struct eye_places eye;
    bool has_previous;
    struct camera previous;
    double now_s, previous_s;

    struct stream_draw *draws;
    int draw_count;
    int *drawn_tiles; // index of each draw's tile
    struct stream_upload *uploads;
    int upload_count;
    void **dropped;
    int dropped_count;
    int *requests;
    int request_count, request_next;
    bool coarse, missing, starved; // of the last update; starved: the budget refused a wanted tile
    uint64_t starved_frame;
    uint64_t wasted_gone; // let go without having been drawn
    tile_key *gone;       // direct-mapped memory of tiles let go, to count reloads
    struct stream_counters counters;
};

#define GONE_COUNT 65536

// The tile of a node, made from its record when it is new. TILE_NONE while the record is unknown or the pool is full.
int stream_tile(struct stream *stream, struct node node);

// The tile of a node if the pool has it.
int stream_find(const struct stream *stream, tile_key key);

// Selection for drawing and for requests, the look-ahead, and the skirts of the draws.
void stream_select(struct stream *stream);

#endif
