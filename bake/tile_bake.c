// SPDX-License-Identifier: MIT
#include "bake/tile_bake.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/layers.h"
#include "bake/srgb.h"
#include "bake/tile_error.h"
#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "bake/tile_place.h"
#include "common/arena.h"
#include "common/clock.h"
#include "formats/height_codec.h"
#include "formats/pack_layout.h"
#include "formats/picture_codec.h"

// Of so many blocks of samples one is timed: reading the clock at each would cost more than some of the stages.
#define TIMED_BLOCKS 8

struct tile_worker {
    struct tile_recipe recipe;
    double radius_m, unit_m;
    unsigned want; // of planet_sample
    struct tile_clock clock;
    struct tile_lattice lattice;
    struct srgb_table srgb;
    void *planet_scratch, *codec_scratch, *mesh_memory;
    struct mesh *mesh;
    // Of a block's samples, in the order of tile_order.h: where they are in the tile, and what is stored of them.
    uint16_t columns[PLANET_BLOCK], rows[PLANET_BLOCK];
    int32_t block_heights[PLANET_BLOCK];
    uint8_t *block_pictures[LAYER_COUNT];
    struct height_range range; // of heights so far
    int32_t *heights;
    uint8_t *pictures[LAYER_COUNT]; // LAYER_NORMAL and LAYER_COLOR, NULL where not wanted
    uint8_t *blobs[LAYER_COUNT];
};

static bool wants(const struct tile_recipe *recipe, enum layer_kind kind)
{
    return recipe->layers >> kind & 1;
}

static unsigned wants_of(const struct tile_recipe *recipe)
{
    return (wants(recipe, LAYER_NORMAL) ? PLANET_WANT_GRADIENT : 0) |
           (wants(recipe, LAYER_COLOR) ? PLANET_WANT_COLOR : 0);
}

// Takes all of a worker's memory from arena, or, with worker NULL, only adds up how much it is.
static size_t lay_out(struct tile_worker *worker, const struct tile_recipe *recipe, struct arena *arena)
{
    int side = recipe->intervals + 1;
    size_t samples = (size_t)side * (size_t)side, codec_bytes = height_codec_scratch_bytes(side), total = 0;
    if (picture_encode_scratch_bytes(side, 16) > codec_bytes)
        codec_bytes = picture_encode_scratch_bytes(side, 16);
#define TAKE(place, count, item_bytes)                                                                                 \
    do {                                                                                                               \
        total += arena_bound(count, item_bytes);                                                                       \
        if (worker)                                                                                                    \
            worker->place = arena_take(arena, count, item_bytes);                                                      \
    } while (0)
    TAKE(planet_scratch, planet_scratch_bytes(recipe->planet), 1);
    TAKE(mesh_memory, planet_mesh_bytes(recipe->planet, recipe->intervals, wants_of(recipe)), 1);
    TAKE(codec_scratch, codec_bytes, 1);
    TAKE(heights, samples, sizeof(int32_t));
    if (wants(recipe, LAYER_HEIGHT))
        TAKE(blobs[LAYER_HEIGHT], height_encode_bound(side), 1);
    for (enum layer_kind kind = LAYER_NORMAL; kind < LAYER_COUNT; kind++) {
        if (wants(recipe, kind)) {
            TAKE(block_pictures[kind], PLANET_BLOCK, TILE_WIDE_SLOT_BYTES);
            TAKE(pictures[kind], layer_bytes(kind, side, 16), 1);
            TAKE(blobs[kind], picture_encode_bound(side, kind == LAYER_NORMAL ? 16 : 8), 1);
        }
    }
#undef TAKE
    return total;
}

enum status_code tile_worker_new(struct tile_worker **worker, const struct tile_recipe *recipe, struct status *status)
{
    assert(tile_intervals_valid(recipe->intervals) && recipe->layers > 0 && recipe->layers < 1u << LAYER_COUNT);
    struct arena arena = arena_over(NULL, 0);
    size_t head = (sizeof(struct tile_worker) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    size_t size = head + lay_out(NULL, recipe, &arena);
    size = (size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    struct tile_worker *made = aligned_alloc(ARENA_ALIGNMENT, size);
    if (!made)
        return status_fail_memory(status, "a worker", size);
    memset(made, 0, sizeof *made);
    made->recipe = *recipe;
    made->radius_m = planet_radius_m(recipe->planet);
    made->unit_m = height_unit_m(height_unit_exponent(made->radius_m));
    made->want = wants_of(recipe);
    srgb_prepare(&made->srgb);
    arena = arena_over((unsigned char *)made + head, size - head);
    lay_out(made, recipe, &arena);
    planet_scratch_begin(recipe->planet, made->planet_scratch);
    made->mesh = planet_mesh_begin(recipe->planet, recipe->intervals, made->want, made->mesh_memory);
    *worker = made;
    return STATUS_OK;
}

void tile_worker_free(struct tile_worker *worker)
{
    free(worker);
}

const struct tile_clock *tile_worker_clock(const struct tile_worker *worker)
{
    return &worker->clock;
}

const int32_t *tile_worker_heights(const struct tile_worker *worker)
{
    return worker->heights;
}

const uint8_t *tile_worker_normals(const struct tile_worker *worker)
{
    return worker->pictures[LAYER_NORMAL];
}

const uint8_t *tile_worker_colors(const struct tile_worker *worker)
{
    return worker->pictures[LAYER_COLOR];
}

// Divides a tile's CPU time among its stages as the wall time was that they have taken. Only the kernel knows a
// thread's CPU time, and to ask it at every block would take longer than some stages.
static void settle_clock(struct tile_clock *clock, double planet_s, double layers_s, double encode_s, double cpu_s)
{
    double wall_s = planet_s + layers_s + encode_s, share = wall_s > 0 ? cpu_s / wall_s : 0;
    clock->planet_s += share * planet_s;
    clock->layers_s += share * layers_s;
    clock->encode_s += share * encode_s;
}

static double *moved(double *values, int by)
{
    return values ? values + by : NULL;
}

static struct sample_run sample_of(const struct sample_run *run, int k)
{
    const struct planet_block *all = &run->values;
    return (struct sample_run){1,
                               run->x + k,
                               run->y + k,
                               run->z + k,
                               {moved(all->height_m, k), moved(all->gradient_x, k), moved(all->gradient_y, k),
                                moved(all->gradient_z, k), moved(all->red, k), moved(all->green, k),
                                moved(all->blue, k)}};
}

// Why sample k of a run cannot be stored; NULL where it can.
static const char *trouble_at(const struct tile_worker *worker, const struct sample_run *run, int k)
{
    const struct sample_run sample = sample_of(run, k);
    double h = *sample.values.height_m, lowest_m = -0.9 * worker->radius_m;
    struct height_range range = {INT32_MAX, INT32_MIN};
    int32_t height;
    uint8_t slot[TILE_WIDE_SLOT_BYTES];
    if (!isfinite(h))
        return "height is not finite";
    if (!(h >= lowest_m))
        return "height is below -0.9 of the radius";
    if (!layer_heights(&height, &sample, 1.0 / worker->unit_m, lowest_m, &range))
        return "height is out of range";
    if (worker->pictures[LAYER_NORMAL] &&
        !layer_normals(slot, &sample, worker->lattice.node.face, worker->radius_m, 16))
        return "slope is not finite";
    if (worker->pictures[LAYER_COLOR] && !layer_colors(slot, &sample, &worker->srgb))
        return "colour is not a number";
    return NULL;
}

// Names the first sample of a run that cannot be stored; there is one.
static enum status_code refuse_run(const struct tile_worker *worker, const struct sample_run *run,
                                   struct status *status)
{
    const struct node node = worker->lattice.node;
    const char *name = planet_name(worker->recipe.planet), *what = trouble_at(worker, run, 0);
    int bad = 0;
    while (!what && bad + 1 < run->count)
        what = trouble_at(worker, run, ++bad);
    assert(what);
    double latitude_deg, longitude_deg;
    geographic_of((struct double3){run->x[bad], run->y[bad], run->z[bad]}, &latitude_deg, &longitude_deg);
    return status_fail(status, STATUS_INPUT, "%s: tile %d/%d/%u/%u: near %.5f,%.5f the %s", name, node.face, node.level,
                       node.x, node.y, latitude_deg, longitude_deg, what);
}

// Puts what is stored of samples first..first + count - 1 where it belongs.
static void place_block(struct tile_worker *worker, int first, int count, int bits)
{
    const struct tile_placer *placer = tile_placer_choose();
    const uint8_t *normals = worker->block_pictures[LAYER_NORMAL], *colors = worker->block_pictures[LAYER_COLOR];
    int side = worker->recipe.intervals + 1;
    for (int k = 0; k < count;) {
        const struct tile_piece piece = tile_order_piece(side, first + k, count - k);
        placer->heights(worker->heights, side, &piece, worker->block_heights + k);
        if (normals && bits == 8)
            placer->pixels(worker->pictures[LAYER_NORMAL], side, &piece, normals + (size_t)k * TILE_SLOT_BYTES);
        else if (normals)
            placer->wide_pixels(worker->pictures[LAYER_NORMAL], side, &piece,
                                normals + (size_t)k * TILE_WIDE_SLOT_BYTES);
        if (colors)
            placer->pixels(worker->pictures[LAYER_COLOR], side, &piece, colors + (size_t)k * TILE_SLOT_BYTES);
        k += piece.count * piece.height;
    }
}

// Directions of the block's samples, where the planet reads them.
static struct sample_run start_block(struct tile_worker *worker, int first, int count)
{
    int side = worker->recipe.intervals + 1;
    double *dir[3];
    tile_order(side, first, count, worker->columns, worker->rows);
    planet_directions(worker->planet_scratch, dir);
    for (int k = 0; k < count;) {
        const struct tile_piece piece = tile_order_piece(side, first + k, count - k);
        tile_lattice_piece_dirs(&worker->lattice, &piece, dir[0] + k, dir[1] + k, dir[2] + k);
        k += piece.count * piece.height;
    }
    return (struct sample_run){.count = count, .x = dir[0], .y = dir[1], .z = dir[2]};
}

// False where something cannot be stored.
static bool store_block(struct tile_worker *worker, const struct sample_run *run, int first, int bits)
{
    if (!layer_heights(worker->block_heights, run, 1.0 / worker->unit_m, -0.9 * worker->radius_m, &worker->range))
        return false;
    if (worker->pictures[LAYER_NORMAL] &&
        !layer_normals(worker->block_pictures[LAYER_NORMAL], run, worker->lattice.node.face, worker->radius_m, bits))
        return false;
    if (worker->pictures[LAYER_COLOR] && !layer_colors(worker->block_pictures[LAYER_COLOR], run, &worker->srgb))
        return false;
    place_block(worker, first, run->count, bits);
    return true;
}

// Evaluates samples first..first + count - 1 of the tile's order and stores their layers. Adds to *layers_s, if not
// NULL, what is not the planet's.
static enum status_code bake_block(struct tile_worker *worker, int first, int count, double spacing_m, double *layers_s,
                                   struct status *status)
{
    double start_s = layers_s ? clock_seconds() : 0;
    struct sample_run run = start_block(worker, first, count);
    double placed_s = layers_s ? clock_seconds() : 0;
    run.values = planet_sample_tile(worker->recipe.planet, worker->planet_scratch, worker->mesh, count, worker->columns,
                                    worker->rows, run.x, run.y, run.z, spacing_m, worker->want);
    double sampled_s = layers_s ? clock_seconds() : 0;
    bool good = store_block(worker, &run, first, normal_bits(spacing_m));
    if (layers_s)
        *layers_s += placed_s - start_s + clock_seconds() - sampled_s;
    return good ? STATUS_OK : refuse_run(worker, &run, status);
}

// All samples of the tile; *layers_s gets the wall time that is not the planet's.
static enum status_code bake_samples(struct tile_worker *worker, double spacing_m, double *layers_s,
                                     struct status *status)
{
    int side = worker->recipe.intervals + 1, samples = side * side, timed = 0;
    double timed_s = 0;
    for (int first = 0; first < samples; first += PLANET_BLOCK) {
        int count = samples - first < PLANET_BLOCK ? samples - first : PLANET_BLOCK;
        bool is_timed = first / PLANET_BLOCK % TIMED_BLOCKS == 0;
        timed += is_timed ? count : 0;
        enum status_code code = bake_block(worker, first, count, spacing_m, is_timed ? &timed_s : NULL, status);
        if (code)
            return code;
    }
    *layers_s = timed_s * samples / timed;
    return STATUS_OK;
}

static void hash_layers(const struct tile_worker *worker, int bits, struct pack_entry *entry)
{
    const void *samples[LAYER_COUNT] = {NULL};
    size_t sizes_bytes[LAYER_COUNT] = {0};
    for (enum layer_kind kind = 0; kind < LAYER_COUNT; kind++) {
        if (wants(&worker->recipe, kind))
            samples[kind] = kind == LAYER_HEIGHT ? (const void *)worker->heights : worker->pictures[kind];
        sizes_bytes[kind] = layer_bytes(kind, worker->recipe.intervals + 1, bits);
    }
    layer_contents(entry->content, samples, sizes_bytes);
}

static void encode_layer(struct tile_worker *worker, enum layer_kind kind, int bits, struct pack_entry *entry)
{
    int side = worker->recipe.intervals + 1;
    uint8_t *blob = worker->blobs[kind];
    size_t length;
    if (kind == LAYER_HEIGHT) {
        length = height_encode(blob, worker->heights, side, worker->codec_scratch);
    } else {
        int picture_bits = kind == LAYER_NORMAL ? bits : 8;
        length = picture_encode(blob, worker->pictures[kind], side, picture_bits, kind == LAYER_COLOR,
                                worker->codec_scratch);
    }
    assert(length > 0 && length <= PACK_BLOB_MAX);
    entry->blobs[kind] = blob;
    entry->lengths[kind] = (uint32_t)length;
    entry->crcs[kind] = pack_crc(blob, length);
}

enum status_code tile_bake(struct tile_worker *worker, struct node node, struct pack_entry *entry,
                           struct status *status)
{
    const struct tile_recipe *recipe = &worker->recipe;
    double spacing_m = tile_spacing_m(worker->radius_m, recipe->intervals, node.level);
    double start_cpu_s = clock_thread_seconds(), start_s = clock_seconds(), layers_s;
    enum status_code code;
    memset(entry, 0, sizeof *entry);
    entry->key = tile_key_of(node);
    tile_lattice_prepare(&worker->lattice, node, recipe->intervals);
    planet_mesh_start(recipe->planet, worker->mesh, node, spacing_m);
    worker->range = (struct height_range){INT32_MAX, INT32_MIN};
    if ((code = bake_samples(worker, spacing_m, &layers_s, status)))
        return code;
    if (!tile_error_units(&entry->error, recipe->planet, &worker->lattice, worker->heights, worker->unit_m,
                          worker->planet_scratch))
        return status_fail(status, STATUS_INPUT, "%s: tile %d/%d/%u/%u: a height in full detail is not finite",
                           planet_name(recipe->planet), node.face, node.level, node.x, node.y);
    double sampled_s = clock_seconds();

    entry->height_min = worker->range.least;
    entry->height_max = worker->range.greatest;
    hash_layers(worker, normal_bits(spacing_m), entry);
    for (enum layer_kind kind = 0; kind < LAYER_COUNT; kind++) {
        if (wants(recipe, kind))
            encode_layer(worker, kind, normal_bits(spacing_m), entry);
    }
    // Some blocks may have been slower than those that were timed.
    double planet_s = sampled_s - start_s - layers_s;
    settle_clock(&worker->clock, planet_s > 0 ? planet_s : 0, layers_s, clock_seconds() - sampled_s,
                 clock_thread_seconds() - start_cpu_s);
    return STATUS_OK;
}
