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

// Samples that go through one stage together: enough that reading the clock between stages costs nothing, few enough
// that their directions, heights, gradients and colours stay in the second-level cache.
#define BAND_SAMPLES (16 * PLANET_BLOCK)

enum { BAND_X, BAND_Y, BAND_Z, BAND_HEIGHT, BAND_GX, BAND_GY, BAND_GZ, BAND_RED, BAND_GREEN, BAND_BLUE, BAND_FIELDS };

struct tile_worker {
    struct tile_recipe recipe;
    double radius_m, unit_m;
    unsigned want; // of planet_sample
    struct tile_clock clock;
    double lap_s, lap_cpu_s, planet_wall_s, layers_wall_s; // of the tile
    struct tile_lattice lattice;
    struct srgb_table srgb;
    void *planet_scratch, *codec_scratch, *mesh_memory;
    struct mesh *mesh;
    double *band[BAND_FIELDS]; // NULL where not wanted
    // Of a band's samples, in the order of tile_order.h: where they are in the tile, and what is stored of them.
    uint16_t *columns, *rows;
    int32_t *band_heights;
    uint8_t *band_pictures[LAYER_COUNT];
    struct height_range range; // of heights so far
    int32_t *heights;
    uint8_t *pictures[LAYER_COUNT]; // LAYER_NORMAL and LAYER_COLOR, NULL where not wanted
    uint8_t *blobs[LAYER_COUNT];
};

static bool wants(const struct tile_recipe *recipe, enum layer_kind kind)
{
    return recipe->layers >> kind & 1;
}

static bool wants_band(const struct tile_recipe *recipe, int field)
{
    return field <= BAND_HEIGHT || wants(recipe, field <= BAND_GZ ? LAYER_NORMAL : LAYER_COLOR);
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
    for (int field = 0; field < BAND_FIELDS; field++) {
        if (wants_band(recipe, field))
            TAKE(band[field], BAND_SAMPLES, sizeof(double));
    }
    TAKE(columns, BAND_SAMPLES, sizeof(uint16_t));
    TAKE(rows, BAND_SAMPLES, sizeof(uint16_t));
    TAKE(band_heights, BAND_SAMPLES, sizeof(int32_t));
    TAKE(heights, samples, sizeof(int32_t));
    if (wants(recipe, LAYER_HEIGHT))
        TAKE(blobs[LAYER_HEIGHT], height_encode_bound(side), 1);
    for (enum layer_kind kind = LAYER_NORMAL; kind < LAYER_COUNT; kind++) {
        if (wants(recipe, kind)) {
            TAKE(band_pictures[kind], BAND_SAMPLES, TILE_WIDE_SLOT_BYTES);
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

// Adds the wall time since the last call to *seconds.
static void lap(struct tile_worker *worker, double *seconds)
{
    double now_s = clock_seconds();
    *seconds += now_s - worker->lap_s;
    worker->lap_s = now_s;
}

// Adds the thread's CPU time since the last call to *seconds.
static void lap_cpu(struct tile_worker *worker, double *seconds)
{
    double now_s = clock_thread_seconds();
    *seconds += now_s - worker->lap_cpu_s;
    worker->lap_cpu_s = now_s;
}

static void start_clocks(struct tile_worker *worker)
{
    worker->planet_wall_s = worker->layers_wall_s = 0;
    worker->lap_cpu_s = clock_thread_seconds();
    worker->lap_s = clock_seconds();
}

// A thread's clock takes up to a microsecond to read, too long for every band: planet and layers share what it says
// like the wall time.
static void share_cpu(struct tile_worker *worker)
{
    double both_s = 0, wall_s = worker->planet_wall_s + worker->layers_wall_s;
    lap_cpu(worker, &both_s);
    double layers_s = wall_s > 0 ? both_s * (worker->layers_wall_s / wall_s) : 0;
    worker->clock.layers_s += layers_s;
    worker->clock.planet_s += both_s - layers_s;
}

// Names the first sample of a run that cannot be stored.
static enum status_code refuse_run(const struct tile_worker *worker, const struct sample_run *run,
                                   struct status *status)
{
    const struct node node = worker->lattice.node;
    const char *name = planet_name(worker->recipe.planet), *what = "slope or colour is not finite";
    int bad = 0;
    for (int k = run->count - 1; k >= 0; k--) {
        double h = run->values.height_m[k];
        double units = floor(h / worker->unit_m + 0.5);
        const char *reason = !isfinite(h)                      ? "height is not finite"
                             : !(h >= -0.9 * worker->radius_m) ? "height is below -0.9 of the radius"
                             : !(fabs(units) <= 2147483647.0)  ? "height is out of range"
                                                               : NULL;
        if (reason) {
            what = reason;
            bad = k;
        }
    }
    double latitude_deg, longitude_deg;
    geographic_of((struct double3){run->x[bad], run->y[bad], run->z[bad]}, &latitude_deg, &longitude_deg);
    return status_fail(status, STATUS_INPUT, "%s: tile %d/%d/%u/%u: near %.5f,%.5f the %s", name, node.face, node.level,
                       node.x, node.y, latitude_deg, longitude_deg, what);
}

// Puts what is stored of samples first..first + count - 1 where it belongs.
static void place_band(struct tile_worker *worker, int first, int count, int bits)
{
    const struct tile_placer *placer = tile_placer_choose();
    const uint8_t *normals = worker->band_pictures[LAYER_NORMAL], *colors = worker->band_pictures[LAYER_COLOR];
    int side = worker->recipe.intervals + 1;
    for (int k = 0; k < count;) {
        const struct tile_piece piece = tile_order_piece(side, first + k, count - k);
        placer->heights(worker->heights, side, &piece, worker->band_heights + k);
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

// Columns, rows and directions of samples first..first + count - 1 of the tile's order.
static void find_samples(struct tile_worker *worker, int first, int count)
{
    tile_lattice_piece *dirs = tile_lattice_piece_choose();
    int side = worker->recipe.intervals + 1;
    tile_order(side, first, count, worker->columns, worker->rows);
    for (int k = 0; k < count;) {
        const struct tile_piece piece = tile_order_piece(side, first + k, count - k);
        dirs(&worker->lattice, &piece, worker->band[BAND_X] + k, worker->band[BAND_Y] + k, worker->band[BAND_Z] + k);
        k += piece.count * piece.height;
    }
}

// Evaluates samples first..first + count - 1 of the tile's order and stores their layers.
static enum status_code bake_band(struct tile_worker *worker, int first, int count, double spacing_m,
                                  struct status *status)
{
    double *const *band = worker->band;
    find_samples(worker, first, count);
    lap(worker, &worker->layers_wall_s);
    for (int at = 0; at < count; at += PLANET_BLOCK) {
        double *part[BAND_FIELDS];
        for (int field = 0; field < BAND_FIELDS; field++)
            part[field] = band[field] ? band[field] + at : NULL;
        const struct planet_block block = {part[BAND_HEIGHT], part[BAND_GX],    part[BAND_GY],  part[BAND_GZ],
                                           part[BAND_RED],    part[BAND_GREEN], part[BAND_BLUE]};
        planet_sample_tile(worker->recipe.planet, worker->planet_scratch, worker->mesh,
                           count - at < PLANET_BLOCK ? count - at : PLANET_BLOCK, worker->columns + at,
                           worker->rows + at, part[BAND_X], part[BAND_Y], part[BAND_Z], spacing_m, worker->want,
                           &block);
    }
    lap(worker, &worker->planet_wall_s);

    const struct sample_run run = {count,
                                   band[BAND_X],
                                   band[BAND_Y],
                                   band[BAND_Z],
                                   {band[BAND_HEIGHT], band[BAND_GX], band[BAND_GY], band[BAND_GZ], band[BAND_RED],
                                    band[BAND_GREEN], band[BAND_BLUE]}};
    int bits = normal_bits(spacing_m);
    bool good =
        layer_heights(worker->band_heights, &run, 1.0 / worker->unit_m, -0.9 * worker->radius_m, &worker->range);
    if (good && worker->pictures[LAYER_NORMAL])
        good =
            layer_normals(worker->band_pictures[LAYER_NORMAL], &run, worker->lattice.node.face, worker->radius_m, bits);
    if (good && worker->pictures[LAYER_COLOR])
        good = layer_colors(worker->band_pictures[LAYER_COLOR], &run, &worker->srgb);
    if (good)
        place_band(worker, first, count, bits);
    lap(worker, &worker->layers_wall_s);
    return good ? STATUS_OK : refuse_run(worker, &run, status);
}

static void encode_layer(struct tile_worker *worker, enum layer_kind kind, int bits, struct pack_entry *entry)
{
    int side = worker->recipe.intervals + 1;
    uint8_t *blob = worker->blobs[kind];
    size_t length;
    if (kind == LAYER_HEIGHT) {
        layer_content(entry->content[kind], kind, worker->heights, layer_bytes(kind, side, 32));
        length = height_encode(blob, worker->heights, side, worker->codec_scratch);
    } else {
        int picture_bits = kind == LAYER_NORMAL ? bits : 8;
        layer_content(entry->content[kind], kind, worker->pictures[kind], layer_bytes(kind, side, picture_bits));
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
    int side = recipe->intervals + 1, samples = side * side;
    double spacing_m = tile_spacing_m(worker->radius_m, recipe->intervals, node.level);
    enum status_code code;
    start_clocks(worker);
    memset(entry, 0, sizeof *entry);
    entry->key = tile_key_of(node);
    tile_lattice_prepare(&worker->lattice, node, recipe->intervals);
    planet_mesh_start(recipe->planet, worker->mesh, node, spacing_m);
    worker->range = (struct height_range){INT32_MAX, INT32_MIN};
    for (int first = 0; first < samples; first += BAND_SAMPLES) {
        int count = samples - first < BAND_SAMPLES ? samples - first : BAND_SAMPLES;
        if ((code = bake_band(worker, first, count, spacing_m, status)))
            return code;
    }
    if (!tile_error_units(&entry->error, recipe->planet, &worker->lattice, worker->heights, worker->unit_m,
                          worker->planet_scratch))
        return status_fail(status, STATUS_INPUT, "%s: tile %d/%d/%u/%u: a height in full detail is not finite",
                           planet_name(recipe->planet), node.face, node.level, node.x, node.y);
    lap(worker, &worker->planet_wall_s);
    share_cpu(worker);

    entry->height_min = worker->range.least;
    entry->height_max = worker->range.greatest;
    for (enum layer_kind kind = 0; kind < LAYER_COUNT; kind++) {
        if (wants(recipe, kind))
            encode_layer(worker, kind, normal_bits(spacing_m), entry);
    }
    lap_cpu(worker, &worker->clock.encode_s);
    return STATUS_OK;
}
