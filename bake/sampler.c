// SPDX-License-Identifier: MIT
#include "bake/sampler.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "bake/tile_cache.h"
#include "common/srgb.h"
#include "formats/normal_vector.h"

// A tile in the cache; its samples follow in the same slot.
struct slot {
    struct node node;
    bool lowest; // all its points are answered from it; otherwise a share holds tiles under parts of it
    int normal_bits;
    int32_t *heights;
    uint8_t *normals, *colors;
};

struct sampler {
    const struct pack *pack;
    const struct pack_info *info;
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    struct tile_cache *cache;
    unsigned layers;
    int level_max;
    bool strict;
    const struct slot *last; // of the last spot, or NULL
    double light[256];       // linear light of the stored values of a colour
};

#define SLOT_HEAD_BYTES ((sizeof(struct slot) + 63) / 64 * 64)

static int side_of(const struct sampler *sampler)
{
    return sampler->info->intervals + 1;
}

static size_t align_layer(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t slot_bytes(const struct sampler *sampler)
{
    size_t bytes = SLOT_HEAD_BYTES;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (sampler->layers & 1u << kind)
            bytes += align_layer(layer_bytes((enum layer_kind)kind, side_of(sampler), 16));
    }
    return bytes;
}

enum status_code sampler_new(struct sampler **sampler, const struct pack *pack, unsigned layers, int level_max,
                             bool strict, struct status *status)
{
    struct sampler *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail_memory(status, "sampler", sizeof *made);
    made->pack = pack;
    made->info = pack_get_info(pack);
    made->layers = layers & made->info->layers;
    made->level_max = level_max < pack_max_level(pack) ? level_max : pack_max_level(pack);
    made->strict = strict;
    for (int k = 0; k < 256; k++)
        made->light[k] = srgb_decode(k / 255.0);
    enum status_code code = pack_cursor_new(&made->cursor, pack, status);
    if (!code)
        code = layer_decoder_new(&made->decoder, pack, status);
    if (!code)
        code = tile_cache_new(&made->cache, slot_bytes(made), SAMPLER_CACHE_BYTES, 8, pack_tile_count(pack), status);
    if (code) {
        sampler_free(made);
        return code;
    }
    *sampler = made;
    return STATUS_OK;
}

void sampler_free(struct sampler *sampler)
{
    if (!sampler)
        return;
    tile_cache_free(sampler->cache);
    layer_decoder_free(sampler->decoder);
    pack_cursor_free(sampler->cursor);
    free(sampler);
}

// The tile for a place: the deepest at or above the cap, else the highest below it.
static enum status_code find_tile(struct sampler *sampler, struct cube_place place, bool *found, struct pack_tile *tile,
                                  struct status *status)
{
    struct node node = node_at(place.face, place.s, place.t, sampler->level_max);
    enum status_code code = pack_find_deepest(sampler->cursor, node, found, tile, status);
    if (sampler->strict || sampler->info->complete)
        return code;
    int level_end = pack_max_level(sampler->pack);
    for (int level = sampler->level_max + 1; !code && !*found && level <= level_end; level++)
        code = pack_find(sampler->cursor, node_at(place.face, place.s, place.t, level), found, tile, status);
    return code;
}

static enum status_code load_slot(struct sampler *sampler, const struct pack_tile *tile, struct slot *slot,
                                  struct status *status)
{
    int side = side_of(sampler);
    slot->node = tile_key_node(tile->key);
    slot->normal_bits =
        normal_bits(tile_spacing_m(sampler->info->radius_m, sampler->info->intervals, slot->node.level));
    unsigned char *at = (unsigned char *)slot + SLOT_HEAD_BYTES;
    void *samples[LAYER_COUNT] = {NULL};
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(sampler->layers & 1u << kind))
            continue;
        samples[kind] = at;
        at += align_layer(layer_bytes((enum layer_kind)kind, side, 16));
        enum status_code code = layer_decode(sampler->decoder, tile, (enum layer_kind)kind, samples[kind], status);
        if (code)
            return code;
    }
    slot->heights = samples[LAYER_HEIGHT];
    slot->normals = samples[LAYER_NORMAL];
    slot->colors = samples[LAYER_COLOR];
    slot->lowest = slot->node.level >= sampler->level_max || !tile->below;
    return STATUS_OK;
}

static bool node_equal(struct node a, struct node b)
{
    return a.face == b.face && a.level == b.level && a.x == b.x && a.y == b.y;
}

static enum status_code find_slot(struct sampler *sampler, struct cube_place place, const struct slot **slot,
                                  struct status *status)
{
    const struct slot *last = sampler->last;
    if (last && last->lowest && place.face == last->node.face &&
        node_equal(node_at(place.face, place.s, place.t, last->node.level), last->node)) {
        *slot = last;
        return STATUS_OK;
    }
    *slot = sampler->last = NULL;
    bool found;
    struct pack_tile tile;
    enum status_code code = find_tile(sampler, place, &found, &tile, status);
    if (code || !found)
        return code;
    struct slot *made = tile_cache_get(sampler->cache, tile.key);
    if (!made) {
        made = tile_cache_put(sampler->cache, tile.key);
        code = load_slot(sampler, &tile, made, status);
        if (code) {
            tile_cache_drop(sampler->cache, tile.key);
            return code;
        }
    }
    *slot = sampler->last = made;
    return STATUS_OK;
}

// Splits a position of 0..intervals along a tile's side into the cell and the place in it.
static int cell_of(double position, int intervals, double *rest)
{
    double cell = floor(position);
    cell = cell < 0 ? 0 : cell > intervals - 1 ? intervals - 1 : cell;
    double inside = position - cell;
    *rest = inside < 0 ? 0 : inside > 1 ? 1 : inside;
    return (int)cell;
}

enum status_code sampler_locate(struct sampler *sampler, struct double3 dir, bool *found, struct sampler_spot *spot,
                                struct status *status)
{
    struct cube_place place = cube_sphere_locate(dir);
    const struct slot *slot;
    enum status_code code = find_slot(sampler, place, &slot, status);
    *found = !code && slot;
    if (!*found)
        return code;
    int intervals = sampler->info->intervals;
    double n = (double)tile_lattice_size(intervals, slot->node.level);
    double i = place.s * n - (double)slot->node.x * intervals;
    double j = (n - place.t * n) - (double)slot->node.y * intervals;
    *spot = (struct sampler_spot){
        .dir = dir,
        .node = slot->node,
        .intervals = intervals,
        .normal_bits = slot->normal_bits,
        .s = place.s,
        .t = place.t,
        .heights = slot->heights,
        .normals = slot->normals,
        .colors = slot->colors,
        .light = sampler->light,
    };
    spot->column = cell_of(i, intervals, &spot->across);
    spot->row = cell_of(j, intervals, &spot->down);
    return STATUS_OK;
}

// The four samples of the cell, in rows, as indices into a layer.
static void cell_samples(const struct sampler_spot *spot, size_t index[4])
{
    size_t side = (size_t)spot->intervals + 1;
    index[0] = (size_t)spot->row * side + (size_t)spot->column;
    index[1] = index[0] + 1;
    index[2] = index[0] + side;
    index[3] = index[2] + 1;
}

static double bilinear(const struct sampler_spot *spot, const double v[4])
{
    double upper = v[0] + (v[1] - v[0]) * spot->across;
    double lower = v[2] + (v[3] - v[2]) * spot->across;
    return upper + (lower - upper) * spot->down;
}

double sampler_height(const struct sampler_spot *spot)
{
    size_t index[4];
    cell_samples(spot, index);
    double v[4];
    for (int k = 0; k < 4; k++)
        v[k] = spot->heights[index[k]];
    return bilinear(spot, v);
}

// The derivative of dir(s,t) by s or t: the axis of the growing u or v, made tangential, times du/ds / length.
// u = tan(pi/4 (2s - 1)), so du/ds = pi/2 (1 + u^2).
static struct double3 lattice_tangent(struct cube_axis axis, struct double3 dir, double u, double length)
{
    double p[3] = {0, 0, 0};
    p[axis.axis] = axis.sign;
    struct double3 a = {p[0], p[1], p[2]};
    struct double3 tangential = double3_sub(a, double3_scale(dir, double3_dot(a, dir)));
    return double3_scale(tangential, STABLE_PI / 2 * (1.0 + u * u) / length);
}

struct double3 sampler_gradient(const struct sampler_spot *spot)
{
    size_t index[4];
    cell_samples(spot, index);
    double v[4];
    for (int k = 0; k < 4; k++)
        v[k] = spot->heights[index[k]];
    double n = (double)tile_lattice_size(spot->intervals, spot->node.level);
    double by_s = n * ((v[1] - v[0]) * (1 - spot->down) + (v[3] - v[2]) * spot->down);
    double by_t = -n * ((v[2] - v[0]) * (1 - spot->across) + (v[3] - v[1]) * spot->across);

    double u = cube_warp(2.0 * spot->s - 1.0), w = cube_warp(2.0 * spot->t - 1.0);
    double length = sqrt(1.0 + u * u + w * w);
    const struct cube_face_frame *frame = &cube_face_frames[spot->node.face];
    struct double3 es = lattice_tangent(frame->s, spot->dir, u, length);
    struct double3 et = lattice_tangent(frame->t, spot->dir, w, length);
    // The tangential vector g with g.es = by_s and g.et = by_t; es and et are never parallel.
    double ss = double3_dot(es, es), st = double3_dot(es, et), tt = double3_dot(et, et);
    double determinant = ss * tt - st * st;
    double a = (by_s * tt - by_t * st) / determinant, b = (by_t * ss - by_s * st) / determinant;
    return double3_add(double3_scale(es, a), double3_scale(et, b));
}

struct double3 sampler_normal(const struct sampler_spot *spot)
{
    size_t index[4];
    cell_samples(spot, index);
    double component[3][4];
    for (int k = 0; k < 4; k++) {
        struct double3 n = normal_vector(spot->normals, index[k], spot->normal_bits);
        component[0][k] = n.x;
        component[1][k] = n.y;
        component[2][k] = n.z;
    }
    double x = bilinear(spot, component[0]), y = bilinear(spot, component[1]), z = bilinear(spot, component[2]);
    struct tangent_frame frame = cube_tangent_frame(spot->node.face, spot->dir);
    struct double3 n =
        double3_add(double3_add(double3_scale(frame.x, x), double3_scale(frame.y, y)), double3_scale(frame.z, z));
    // A damaged or foreign pack may hold vectors that cancel out; up is as good as anything then.
    double length = double3_length(n);
    return length > 0 ? double3_scale(n, 1.0 / length) : spot->dir;
}

void sampler_color(const struct sampler_spot *spot, double rgb[3])
{
    size_t index[4];
    cell_samples(spot, index);
    for (int channel = 0; channel < 3; channel++) {
        double v[4];
        for (int k = 0; k < 4; k++)
            v[k] = spot->light[spot->colors[3 * index[k] + (size_t)channel]];
        rgb[channel] = bilinear(spot, v);
    }
}
