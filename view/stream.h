// SPDX-License-Identifier: MIT
// The streaming core: which tiles are drawn, which are asked for, which are let go. Free of OpenGL, files, threads
// and the system's clock, so that tests simulate it to exact figures.
//
// One frame: stream_update(camera, now) decides everything anew: quadtree descent from the six roots, culling, the
// draw list, the request list ranked best first (visible first, then by error; stale requests simply are not in
// the new list), eviction. Loaders then take requests with stream_take, and what they bring comes back by
// stream_deliver. Used by one thread; the application puts a lock around take and deliver.
//
// A node is refined when max(texel_px / detail_px, error_px / error_limit_px) > 1 and merged below 1/1.2, where
// texel_px and error_px are the sizes on the screen, at the node's nearest point, of its sample spacing and of its
// geometric error. A parent is drawn until all four children that the pack has can be drawn; a child that failed to
// load, or that the pack lacks with all below it, is drawn as its quarter of the parent. Where a failed tile would be
// refined, its own children take that quarter's place once all of them can be drawn: damage hides no tiles below it.
// Roots are pinned. For missing roots and ancestors (shares) the application delivers the bare datum sphere, so that
// they can be descended through.
//
// Bytes held (resident, waiting to be uploaded, being loaded) never exceed the budget, whatever the budget: when the
// wanted set does not fit, detail_scale falls until it does (and rises again slowly), which the HUD shows.
#ifndef TERRANE_VIEW_STREAM_H
#define TERRANE_VIEW_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_key.h"
#include "view/camera.h"

// What the pack's index says of a node.
struct stream_record {
    bool present;   // the pack has the tile
    bool descends;  // the pack has tiles below it, or pieces of it can be had (tile_piece.h)
    bool near_only; // it is only cut into pieces, and only where the eye is nearer than about its width
    double height_min_m, height_max_m; // of the whole subtree
    double error_m;                    // of the tile, with what the drawn mesh adds (an estimate is enough)
};

// Looks a node up without waiting; false where the index page is not in memory yet (the application then fetches it,
// and the node is passed over until it is known).
typedef bool stream_lookup(void *context, struct node node, struct stream_record *record);

struct stream_config {
    double radius_m;
    int intervals;     // N
    size_t tile_bytes; // CPU and GPU bytes of one tile, the same for all
    size_t budget_bytes;
    double detail_px;      // pixels a texel aimed at (1.5)
    double error_limit_px; // 1
    int uploads_per_frame; // tiles that may become resident in one frame (8)
    double prefetch_s;     // look ahead by this much at the present speed and turn rate (0.5; 0 is off)
    int slots;             // most tiles resident at once (the renderer's limit); the budget may allow fewer
    double occluder_m; // radius of the sphere that certainly hides: planet at its lowest, less the coarsest mesh's sag
    stream_lookup *lookup;
    void *context;
};

struct stream; // opaque

// STATUS_USAGE, naming the least budget, where it does not hold the six roots and one refinement.
enum status_code stream_new(struct stream **stream, const struct stream_config *config, struct status *status);
void stream_free(struct stream *stream);

// One tile to draw this frame. quarters: bit k for child quarter k; 15 is the whole tile. slot: a small integer in
// [0, stream_slot_count), constant while the tile is resident: the renderer's place for its data. skirt_m: depth that
// hides every step to its neighbours in this frame: own error + the coarsest drawn neighbour's error, never under 1 %
// of the tile's width.
struct stream_draw {
    struct node node;
    int slot;
    unsigned quarters;
    double skirt_m;
};

// Decides the frame at time now_s (growing). Results are valid until the next call.
void stream_update(struct stream *stream, const struct camera *camera, double now_s);
const struct stream_draw *stream_draws(const struct stream *stream, int *count);

// Tiles that became resident in this frame's update and must be uploaded before drawing: the user pointer given at
// delivery is then the application's again (it frees or recycles it after upload).
struct stream_upload {
    struct node node;
    int slot;
    void *data;
};
const struct stream_upload *stream_uploads(const struct stream *stream, int *count);

// Delivered data that were dropped before their upload (stale, over budget): to be freed by the application.
void *const *stream_dropped(const struct stream *stream, int *count);

// The best request not yet in flight; false where there is none.
bool stream_take(struct stream *stream, struct node *node);

// The answer to a taken request: data, which is the stream's until it comes back by stream_uploads or stream_dropped;
// or failed (damaged), which is final and needs no data.
void stream_deliver(struct stream *stream, struct node node, bool failed, void *data);

// Data that were delivered and wait for their upload, one after another, NULL at the end: for an orderly end only.
void *stream_abandon(struct stream *stream);

// All that the view asks for is drawn (failed tiles count as final), nothing is in flight for it, and no detail is held
// back but by the budget.
bool stream_is_full(const struct stream *stream);

// Freeze: selection and requests stay as they are, while the camera flies on (the caller keeps drawing stream_draws).
void stream_freeze(struct stream *stream, bool freeze);

int stream_slot_count(const struct stream *stream);

struct stream_counters {
    uint64_t loads, loads_wasted, reloads, failed;  // wasted: let go without ever having been drawn
    uint64_t frames, coarse_frames, missing_frames; // coarse: some part drawn below its target detail
    int drawn, drawn_max, culled_frustum, culled_horizon, queued, in_flight, resident;
    size_t bytes, bytes_peak, bytes_budget;
    double detail_scale; // 1: full detail; below: shed to stay within the budget
};
const struct stream_counters *stream_get_counters(const struct stream *stream);

#endif
