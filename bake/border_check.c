// SPDX-License-Identifier: MIT
#include "bake/border_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/tile_cache.h"
#include "formats/normal_vector.h"

#define BORDER_CACHE_BYTES ((size_t)48 << 20)
#define BORDER_SLOTS_MIN 16 // a tile stays while its eight neighbours come

// The four sides of a tile in the order of enum node_side, each side samples long, counted by growing row
// on west and east, by growing column on north and south. Lies in one slot of the cache.
struct border {
    struct node node;
    int normal_bits;
    int32_t *heights;
    uint8_t *normals, *colors; // NULL for layers that the pack lacks, as heights
};

#define BORDER_HEAD_BYTES ((sizeof(struct border) + 7) / 8 * 8)

struct checker {
    const struct pack *pack;
    const struct pack_info *info;
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    struct tile_cache *cache;
    void *samples; // one decoded layer
    int side;
    struct border_report *report;
};

// A sample of a border, named as the tile's own column and row too.
struct border_place {
    const struct border *border;
    size_t index;
    int column, row;
};

static struct border_place place_on(const struct border *border, int side, enum node_side where, int k)
{
    struct border_place place = {border, (size_t)((int)where * side + k), k, k};
    switch (where) {
    case SIDE_WEST: place.column = 0; break;
    case SIDE_EAST: place.column = side - 1; break;
    case SIDE_NORTH: place.row = 0; break;
    case SIDE_SOUTH: place.row = side - 1; break;
    }
    return place;
}

static size_t border_bytes(int side)
{
    size_t samples = (size_t)side * NODE_SIDE_COUNT;
    return BORDER_HEAD_BYTES + samples * (4 + 6 + 3);
}

// Copies the four sides of a layer of item_bytes a sample.
static void copy_sides(uint8_t *target, const uint8_t *samples, int side, size_t item_bytes)
{
    for (int where = 0; where < NODE_SIDE_COUNT; where++) {
        for (int k = 0; k < side; k++) {
            struct border_place place = place_on(NULL, side, (enum node_side)where, k);
            size_t from = (size_t)place.row * (size_t)side + (size_t)place.column;
            memcpy(target + place.index * item_bytes, samples + from * item_bytes, item_bytes);
        }
    }
}

static enum status_code load_border(struct checker *checker, const struct pack_tile *tile, struct border *border,
                                    struct status *status)
{
    int side = checker->side;
    size_t samples = (size_t)side * NODE_SIDE_COUNT;
    border->node = tile_key_node(tile->key);
    border->normal_bits = normal_bits(tile_spacing_m(checker->info->radius_m, side - 1, border->node.level));
    uint8_t *at = (uint8_t *)border + BORDER_HEAD_BYTES;
    uint8_t *sides[LAYER_COUNT] = {at, at + 4 * samples, at + 10 * samples};
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(checker->info->layers & 1u << kind)) {
            sides[kind] = NULL;
            continue;
        }
        enum status_code code = layer_decode(checker->decoder, tile, (enum layer_kind)kind, checker->samples, status);
        if (code)
            return code;
        size_t item = layer_bytes((enum layer_kind)kind, 1, border->normal_bits);
        copy_sides(sides[kind], checker->samples, side, item);
    }
    border->heights = (int32_t *)(void *)sides[LAYER_HEIGHT];
    border->normals = sides[LAYER_NORMAL];
    border->colors = sides[LAYER_COLOR];
    return STATUS_OK;
}

static enum status_code get_border(struct checker *checker, const struct pack_tile *tile, const struct border **border,
                                   struct status *status)
{
    struct border *made = tile_cache_get(checker->cache, tile->key);
    if (!made) {
        made = tile_cache_put(checker->cache, tile->key);
        enum status_code code = load_border(checker, tile, made, status);
        if (code) {
            tile_cache_drop(checker->cache, tile->key);
            return code;
        }
    }
    *border = made;
    return STATUS_OK;
}

// The border of a neighbour, NULL where the pack lacks it.
static enum status_code find_border(struct checker *checker, struct node node, const struct border **border,
                                    struct status *status)
{
    *border = tile_cache_get(checker->cache, tile_key_of(node));
    if (*border)
        return STATUS_OK;
    bool found;
    struct pack_tile tile;
    enum status_code code = pack_find(checker->cursor, node, &found, &tile, status);
    if (code || !found)
        return code;
    return get_border(checker, &tile, border, status);
}

// The largest difference of a component, in steps, between the normals of a shared sample.
static double normal_difference(const struct checker *checker, struct border_place a, struct border_place b)
{
    int bits = a.border->normal_bits;
    struct double3 na = normal_vector(a.border->normals, a.index, bits);
    struct double3 nb = normal_vector(b.border->normals, b.index, bits);
    if (a.border->node.face != b.border->node.face) {
        struct double3 dir = tile_sample_dir(a.border->node, checker->side - 1, a.column, a.row);
        struct tangent_frame fa = cube_tangent_frame(a.border->node.face, dir);
        struct tangent_frame fb = cube_tangent_frame(b.border->node.face, dir);
        struct double3 world =
            double3_add(double3_add(double3_scale(fb.x, nb.x), double3_scale(fb.y, nb.y)), double3_scale(fb.z, nb.z));
        nb = (struct double3){double3_dot(world, fa.x), double3_dot(world, fa.y), double3_dot(world, fa.z)};
    }
    double x = fabs(na.x - nb.x), y = fabs(na.y - nb.y), z = fabs(na.z - nb.z);
    double largest = x > y ? x : y;
    return (largest > z ? largest : z) * normal_steps(bits);
}

static enum status_code disagree(const struct checker *checker, struct border_place a, struct border_place b,
                                 enum layer_kind kind, const char *how, struct status *status)
{
    char node_a[NODE_TEXT_MAX], node_b[NODE_TEXT_MAX];
    node_format(node_a, a.border->node);
    node_format(node_b, b.border->node);
    return status_fail(status, STATUS_INPUT, "%s: tiles %s and %s disagree: %s of sample %d,%d of the first %s",
                       pack_path(checker->pack), node_a, node_b, layer_names[kind], a.column, a.row, how);
}

static enum status_code compare(struct checker *checker, struct border_place a, struct border_place b,
                                struct status *status)
{
    char how[80];
    if (a.border->heights && a.border->heights[a.index] != b.border->heights[b.index]) {
        double unit_m = height_unit_m(checker->info->height_exponent);
        double difference_m = ((double)b.border->heights[b.index] - a.border->heights[a.index]) * unit_m;
        snprintf(how, sizeof how, "differs by %.6g m", difference_m);
        return disagree(checker, a, b, LAYER_HEIGHT, how, status);
    }
    if (a.border->colors && memcmp(a.border->colors + 3 * a.index, b.border->colors + 3 * b.index, 3) != 0)
        return disagree(checker, a, b, LAYER_COLOR, "differs", status);
    if (a.border->normals) {
        double steps = normal_difference(checker, a, b);
        double allowed = a.border->node.face == b.border->node.face ? 0.0 : BORDER_NORMAL_STEPS_MAX;
        if (!(steps <= allowed)) {
            snprintf(how, sizeof how, "differs by %.3g steps", steps);
            return disagree(checker, a, b, LAYER_NORMAL, how, status);
        }
        if (steps > checker->report->normal_steps_max)
            checker->report->normal_steps_max = steps;
    }
    return STATUS_OK;
}

// The end of a side that lies toward side end: 0 or the last sample.
static int end_of_side(int side, enum node_side where, enum node_side end)
{
    bool rows = where == SIDE_WEST || where == SIDE_EAST;
    return end == (rows ? SIDE_NORTH : SIDE_WEST) ? 0 : side - 1;
}

// The side that a side's first or last sample lies on as well.
static enum node_side side_at_end(enum node_side where, bool last)
{
    bool rows = where == SIDE_WEST || where == SIDE_EAST;
    if (rows)
        return last ? SIDE_SOUTH : SIDE_NORTH;
    return last ? SIDE_EAST : SIDE_WEST;
}

// The corner of border that lies in direction dir; it is one of the four.
static struct border_place corner_in(const struct border *border, int side, struct double3 dir)
{
    struct border_place place = {NULL, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        place = place_on(border, side, k & 1 ? SIDE_EAST : SIDE_WEST, k & 2 ? side - 1 : 0);
        struct double3 here = tile_sample_dir(border->node, side - 1, place.column, place.row);
        if (here.x == dir.x && here.y == dir.y && here.z == dir.z)
            break;
    }
    return place;
}

// The tile that meets this one at the end of a side only.
static enum status_code check_corner(struct checker *checker, const struct border *border, enum node_side where,
                                     enum node_side toward, struct status *status)
{
    enum node_side back;
    bool reversed;
    struct node beside = node_neighbour(border->node, where, &back, &reversed);
    bool last = end_of_side(checker->side, where, toward) != 0;
    struct node across = node_neighbour(beside, side_at_end(back, last != reversed), NULL, NULL);
    // At a corner of the cube only three tiles meet, and the way round leads to the neighbour over the next side.
    struct node next = node_neighbour(border->node, toward, NULL, NULL);
    if (tile_key_of(across) >= tile_key_of(border->node) || tile_key_of(across) == tile_key_of(next))
        return STATUS_OK;
    const struct border *other;
    enum status_code code = find_border(checker, across, &other, status);
    if (code || !other)
        return code;
    int side = checker->side;
    struct border_place here = place_on(border, side, where, end_of_side(side, where, toward));
    struct double3 dir = tile_sample_dir(border->node, side - 1, here.column, here.row);
    checker->report->corners++;
    return compare(checker, here, corner_in(other, side, dir), status);
}

static enum status_code check_side(struct checker *checker, const struct border *border, enum node_side where,
                                   struct status *status)
{
    enum node_side back;
    bool reversed;
    struct node beside = node_neighbour(border->node, where, &back, &reversed);
    if (tile_key_of(beside) >= tile_key_of(border->node))
        return STATUS_OK; // compared from the other tile
    const struct border *other;
    enum status_code code = find_border(checker, beside, &other, status);
    if (code || !other)
        return code;
    int side = checker->side;
    for (int k = 0; k < side && !code; k++) {
        int across = reversed ? side - 1 - k : k;
        code = compare(checker, place_on(border, side, where, k), place_on(other, side, back, across), status);
    }
    checker->report->sides++;
    return code;
}

static enum status_code check_tile(void *context, const struct pack_tile *tile, struct status *status)
{
    struct checker *checker = context;
    const struct border *border;
    enum status_code code = get_border(checker, tile, &border, status);
    for (int where = 0; where < NODE_SIDE_COUNT && !code; where++)
        code = check_side(checker, border, (enum node_side)where, status);
    for (int k = 0; k < 4 && !code; k++)
        code = check_corner(checker, border, k & 1 ? SIDE_EAST : SIDE_WEST, k & 2 ? SIDE_SOUTH : SIDE_NORTH, status);
    checker->report->tiles++;
    return code;
}

enum status_code border_check(const struct pack *pack, struct border_report *report, struct status *status)
{
    struct checker checker = {.pack = pack, .info = pack_get_info(pack), .report = report};
    *report = (struct border_report){0};
    checker.side = checker.info->intervals + 1;
    size_t layer = layer_bytes(LAYER_NORMAL, checker.side, 16);
    checker.samples = malloc(layer);
    enum status_code code = checker.samples ? STATUS_OK : status_fail_memory(status, "borders", layer);
    if (!code)
        code = pack_cursor_new(&checker.cursor, pack, status);
    if (!code)
        code = layer_decoder_new(&checker.decoder, pack, status);
    if (!code)
        code = tile_cache_new(&checker.cache, border_bytes(checker.side), BORDER_CACHE_BYTES, BORDER_SLOTS_MIN,
                              pack_tile_count(pack), status);
    if (!code)
        code = pack_walk(pack, check_tile, &checker, status);
    tile_cache_free(checker.cache);
    if (checker.decoder)
        layer_decoder_free(checker.decoder);
    if (checker.cursor)
        pack_cursor_free(checker.cursor);
    free(checker.samples);
    return code;
}
