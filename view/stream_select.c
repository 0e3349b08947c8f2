// SPDX-License-Identifier: MIT
// One frame's selection: quadtree descent, draw list, requests, look-ahead, skirts.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "common/cube_sphere.h"
#include "common/tile_grid.h"
#include "view/stream_internal.h"

// A node that is refined stays so until its need has fallen by this much.
#define MERGE_BELOW (1 / 1.2)
// Skirts are at least this share of a tile's width: with 1 % and more, no crack was ever seen (notes on the viewer).
#define SKIRT_WIDTH_SHARE 0.01
// A leaf is cut where the eye is nearer than this many of its widths.
#define PIECE_WIDTHS 0.5
// Faster than this from one frame to the next is a jump, not a movement: there is nothing to look ahead along.
#define JUMP_RAD 0.05

struct descent {
    struct stream *stream;
    const struct camera_frame *view;
    const struct eye_places *eye;
    int rank; // of its requests
};

static double need_of(const struct descent *descent, const struct tile *tile)
{
    const struct stream_config *config = &descent->stream->config;
    double spacing_m = tile_spacing_m(config->radius_m, config->intervals, tile->node.level);
    double distance_m = fmax(node_distance_m(tile->node, &tile->bound, descent->eye), config->radius_m * 1e-9);
    if (tile->record.near_only) // pieces show nothing new; they only hold still under the eye
        return PIECE_WIDTHS * tile_spacing_m(config->radius_m, 1, tile->node.level) / distance_m;
    double px_per_m = descent->view->focal_px / distance_m;
    double texel = spacing_m * px_per_m / config->detail_px;
    double error = tile->record.error_m * px_per_m / config->error_limit_px;
    return fmax(texel, error) * descent->stream->counters.detail_scale;
}

static bool is_culled(const struct descent *descent, const struct tile *tile)
{
    struct stream_counters *counters = &descent->stream->counters;
    if (node_outside_frustum(&tile->bound, descent->view)) {
        counters->culled_frustum++;
        return true;
    }
    if (node_below_horizon(&tile->bound, descent->view, descent->stream->config.occluder_m)) {
        counters->culled_horizon++;
        return true;
    }
    return false;
}

static void use(const struct descent *descent, int index, double need)
{
    struct stream *stream = descent->stream;
    struct tile *tile = &stream->tiles[index];
    tile->used_frame = stream->frame;
    if (tile->requested_frame == stream->frame)
        return; // the first to ask has the better rank
    tile->requested_frame = stream->frame;
    tile->need = need;
    tile->rank = descent->rank;
    if (tile->state == TILE_KNOWN)
        stream->requests[stream->request_count++] = index;
}

static void draw(struct stream *stream, int index, unsigned quarters)
{
    struct tile *tile = &stream->tiles[index];
    assert(tile->state == TILE_RESIDENT);
    tile->drawn_frame = stream->frame;
    stream->drawn_tiles[stream->draw_count] = index;
    stream->draws[stream->draw_count++] = (struct stream_draw){tile->node, tile->slot, quarters, 0};
}

// Whether a node is so near that what lies below it is wanted. There is nothing to cut before a leaf is there itself.
static bool wants_children(const struct descent *descent, const struct tile *tile, double need)
{
    bool cuttable = !tile->record.near_only || tile->state == TILE_RESIDENT;
    return tile->record.descends && cuttable && tile->node.level < TILE_LEVEL_MAX &&
           need > (tile->refined && descent->rank == 0 ? MERGE_BELOW : 1);
}

// The children of a node to be refined: those to descend into by index, else TILE_NONE (not visible, or lacking for
// good). One that failed to load is descended into for what lies below it.
struct children {
    int index[4];
    unsigned lacking; // quarters to draw as the node's own: the pack lacks them, or they failed to load
    unsigned coming;  // those of them in whose place their own children will be drawn once these are there
    bool ready;       // every visible child can be drawn or is lacking
};

// Recurses through failed tiles only, so that intact ones below them are found.
static struct children look_at_children(const struct descent *descent, struct node node)
{
    struct stream *stream = descent->stream;
    struct children children = {.ready = true};
    for (int k = 0; k < 4; k++) {
        int index = stream_tile(stream, node_child(node, k));
        children.index[k] = TILE_NONE;
        if (index == TILE_NONE) {
            children.ready = false; // its index page is on the way
            continue;
        }
        const struct tile *child = &stream->tiles[index];
        if (is_culled(descent, child))
            continue;
        struct children below = {.lacking = 15};
        if (child->state == TILE_FAILED && wants_children(descent, child, need_of(descent, child)))
            below = look_at_children(descent, child->node);
        bool hopeless = below.lacking != below.coming, covered = below.ready && !below.lacking;
        if (child->state == TILE_FAILED ? !covered : !child->record.present && !child->record.descends) {
            stream->tiles[index].used_frame = stream->frame;
            children.lacking |= 1u << k;
            if (hopeless)
                continue;
            children.coming |= 1u << k;
        }
        children.index[k] = index;
        children.ready &= child->state == TILE_RESIDENT || child->state == TILE_FAILED;
    }
    return children;
}

// Depth is bounded by TILE_LEVEL_MAX. drawing is false below a node that is drawn itself until its children are
// there, and when looking ahead: then only requests are made.
static void descend(const struct descent *descent, int index, bool drawing)
{
    struct stream *stream = descent->stream;
    struct tile *tile = &stream->tiles[index];
    double need = need_of(descent, tile);
    use(descent, index, need);
    bool refine = wants_children(descent, tile, need);
    if (descent->rank == 0)
        tile->refined = refine;
    if (!refine) {
        if (drawing)
            draw(stream, index, 15);
        return;
    }
    struct children children = look_at_children(descent, tile->node);
    bool draw_children = drawing && children.ready;
    if (drawing && !children.ready) {
        draw(stream, index, 15);
        stream->coarse = true;
    } else if (drawing && children.lacking) {
        draw(stream, index, children.lacking);
        stream->coarse |= children.coming != 0;
    }
    for (int k = 0; k < 4; k++) {
        if (children.index[k] != TILE_NONE)
            descend(descent, children.index[k], draw_children && !(children.lacking >> k & 1));
    }
}

static void descend_roots(const struct descent *descent, bool drawing)
{
    struct stream *stream = descent->stream;
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        int index = stream_tile(stream, (struct node){.face = face});
        if (index == TILE_NONE) {
            stream->missing = true;
            continue;
        }
        // Roots are wanted whether they are seen or not: what is drawn until the rest is there.
        use(descent, index, HUGE_VAL);
        if (stream->tiles[index].state == TILE_FAILED || is_culled(descent, &stream->tiles[index]))
            continue;
        bool resident = stream->tiles[index].state == TILE_RESIDENT;
        stream->missing |= drawing && !resident;
        descend(descent, index, drawing && resident);
    }
}

// Where the camera will be after prefetch_s at its present speed and turn rate. Height above the ground is carried on
// by ratio, since zooming goes by ratio. False where it stands still or jumped.
static bool camera_ahead(const struct stream *stream, struct camera *ahead)
{
    const struct camera *now = &stream->camera, *before = &stream->previous;
    double step_s = stream->now_s - stream->previous_s;
    if (!stream->has_previous || stream->config.prefetch_s <= 0 || step_s <= 0)
        return false;
    struct double3 dir = geographic_dir(now->latitude_deg, now->longitude_deg);
    struct double3 moved = double3_sub(dir, geographic_dir(before->latitude_deg, before->longitude_deg));
    double turn_deg = now->heading_deg - before->heading_deg;
    turn_deg -= 360 * floor((turn_deg + 180) / 360);
    double tilt_deg = now->pitch_deg - before->pitch_deg;
    double low_m = stream->config.occluder_m;
    double height_m = fmax(now->radius_m - low_m, 1e-3), height_before_m = fmax(before->radius_m - low_m, 1e-3);
    bool still = double3_length(moved) == 0 && turn_deg == 0 && tilt_deg == 0 && height_m == height_before_m;
    if (still || double3_length(moved) > JUMP_RAD || height_m > 2 * height_before_m || height_before_m > 2 * height_m)
        return false;

    double steps = stream->config.prefetch_s / step_s;
    *ahead = *now;
    struct double3 there = double3_add(dir, double3_scale(moved, steps));
    geographic_of(there, &ahead->latitude_deg, &ahead->longitude_deg);
    ahead->radius_m = low_m + height_m * pow(height_m / height_before_m, steps);
    ahead->heading_deg += turn_deg * steps;
    ahead->pitch_deg += tilt_deg * steps;
    camera_normalise(ahead);
    return true;
}

static void look_ahead(struct stream *stream)
{
    struct camera ahead;
    if (!camera_ahead(stream, &ahead))
        return;
    struct stream_counters kept = stream->counters;
    struct camera_frame view = camera_frame_of(&ahead);
    struct eye_places eye = eye_places_of(&view);
    bool missing = stream->missing;
    descend_roots(&(struct descent){stream, &view, &eye, 1}, false);
    stream->missing = missing;
    stream->counters = kept; // culling is counted for the drawn view only
}

// The error of what is drawn on the other side of a border: the neighbour or, where it is coarser, the tile above it.
static double neighbour_error_m(const struct stream *stream, struct node node, enum node_side side)
{
    for (struct node at = node_neighbour(node, side, NULL, NULL);; at = node_parent(at)) {
        int index = stream_find(stream, tile_key_of(at));
        if (index != TILE_NONE && stream->tiles[index].drawn_frame == stream->frame)
            return stream->tiles[index].record.error_m;
        if (at.level == 0)
            return 0; // finer than this tile, or not in the picture
    }
}

static void set_skirts(struct stream *stream)
{
    for (int k = 0; k < stream->draw_count; k++) {
        struct stream_draw *one = &stream->draws[k];
        double error_m = stream->tiles[stream->drawn_tiles[k]].record.error_m, worst_m = error_m;
        for (int side = 0; side < NODE_SIDE_COUNT; side++)
            worst_m = fmax(worst_m, neighbour_error_m(stream, one->node, (enum node_side)side));
        double width_m = tile_spacing_m(stream->config.radius_m, 1, one->node.level);
        one->skirt_m = fmax(error_m + worst_m, SKIRT_WIDTH_SHARE * width_m);
    }
}

static struct stream *ranked_stream; // qsort has no context; set and used within one call

static int compare_requests(const void *a, const void *b)
{
    const struct tile *x = &ranked_stream->tiles[*(const int *)a], *y = &ranked_stream->tiles[*(const int *)b];
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->need != y->need)
        return x->need > y->need ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

void stream_select(struct stream *stream)
{
    stream->view = camera_frame_of(&stream->camera);
    stream->eye = eye_places_of(&stream->view);
    stream->draw_count = 0;
    stream->request_count = stream->request_next = 0;
    stream->coarse = stream->missing = false;
    stream->counters.culled_frustum = stream->counters.culled_horizon = 0;
    descend_roots(&(struct descent){stream, &stream->view, &stream->eye, 0}, true);
    look_ahead(stream);
    ranked_stream = stream;
    qsort(stream->requests, (size_t)stream->request_count, sizeof *stream->requests, compare_requests);
    set_skirts(stream);
}
