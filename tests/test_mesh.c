// SPDX-License-Identifier: MIT
// The smooth parts of a tile that are interpolated from few nodes (bake/planet/mesh.h): how near they come to the
// planet itself, that borders agree to the bit, and that nothing depends on order, wants or vector width.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/planet/mesh.h"
#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "tests/check.h"
#include "tests/kernel_block.h"
#include "tests/planet_help.h"
#include "tests/random_node.h"

// ---- Tiles ----------------------------------------------------------------------------------------------

enum { HEIGHT, GX, GY, GZ, RED, GREEN, BLUE, FIELDS };

// All samples of a tile, row by row, with their directions.
struct tile {
    int side;
    double *dir[3], *field[FIELDS];
    void *memory;
};

static struct tile new_tile(int intervals)
{
    int side = intervals + 1;
    size_t samples = (size_t)side * (size_t)side;
    struct tile tile = {.side = side, .memory = calloc(samples * (3 + FIELDS), sizeof(double))};
    double *at = tile.memory;
    for (int k = 0; k < 3; k++, at += samples)
        tile.dir[k] = at;
    for (int k = 0; k < FIELDS; k++, at += samples)
        tile.field[k] = at;
    return tile;
}

struct sampling {
    const struct planet *planet;
    int intervals;
    unsigned want;
    void *scratch, *memory;
    struct mesh *mesh; // NULL: every sample is evaluated
};

static struct sampling new_sampling(const struct planet *planet, int intervals, unsigned want, bool with_mesh)
{
    struct sampling sampling = {planet, intervals, want, new_scratch(planet), NULL, NULL};
    if (with_mesh) {
        sampling.memory = aligned(planet_mesh_bytes(planet, intervals, want));
        sampling.mesh = planet_mesh_begin(planet, intervals, want, sampling.memory);
    }
    return sampling;
}

static void free_sampling(struct sampling *sampling)
{
    free(sampling->scratch);
    free(sampling->memory);
}

static void sample_block(const struct sampling *sampling, const struct tile_lattice *lattice, struct tile *tile,
                         const uint16_t *columns, const uint16_t *rows, int count, double spacing_m)
{
    static _Alignas(64) double lane[3 + FIELDS][PLANET_BLOCK];
    struct planet_block out = {lane[3], lane[4], lane[5], lane[6], lane[7], lane[8], lane[9]};
    tile_lattice_dirs_at(lattice, columns, rows, count, lane[0], lane[1], lane[2]);
    if (sampling->mesh)
        out = planet_sample_tile(sampling->planet, sampling->scratch, sampling->mesh, count, columns, rows, lane[0],
                                 lane[1], lane[2], spacing_m, sampling->want);
    else
        planet_sample(sampling->planet, sampling->scratch, count, lane[0], lane[1], lane[2], spacing_m, sampling->want,
                      &out);
    const double *const fields[FIELDS] = {out.height_m, out.gradient_x, out.gradient_y, out.gradient_z,
                                          out.red,      out.green,      out.blue};
    for (int k = 0; k < count; k++) {
        int to = rows[k] * tile->side + columns[k];
        for (int axis = 0; axis < 3; axis++)
            tile->dir[axis][to] = lane[axis][k];
        for (int field = 0; field < FIELDS; field++) {
            bool wanted = sampling->want & (field < RED ? PLANET_WANT_GRADIENT : PLANET_WANT_COLOR);
            double value = wanted || field == HEIGHT ? fields[field][k] : 0;
            tile->field[field][to] = field < RED ? value : fmin(fmax(value, 0), 1); // as tiles store colours
        }
    }
}

// In the order of tile_order.h, or of a random permutation of it.
static void sample_tile(const struct sampling *sampling, struct tile *tile, struct node node, bool shuffled)
{
    int side = sampling->intervals + 1, samples = side * side;
    double spacing_m = tile_spacing_m(planet_radius_m(sampling->planet), sampling->intervals, node.level);
    uint16_t *columns = malloc((size_t)samples * sizeof *columns), *rows = malloc((size_t)samples * sizeof *rows);
    static struct tile_lattice lattice;
    tile_lattice_prepare(&lattice, node, sampling->intervals);
    tile_order(side, 0, samples, columns, rows);
    for (int k = samples - 1; shuffled && k > 0; k--) {
        int other = (int)(check_random() % (uint64_t)(k + 1));
        uint16_t column = columns[k], row = rows[k];
        columns[k] = columns[other];
        rows[k] = rows[other];
        columns[other] = column;
        rows[other] = row;
    }
    if (sampling->mesh)
        planet_mesh_start(sampling->planet, sampling->mesh, node, spacing_m);
    for (int first = 0; first < samples; first += PLANET_BLOCK)
        sample_block(sampling, &lattice, tile, columns + first, rows + first,
                     samples - first < PLANET_BLOCK ? samples - first : PLANET_BLOCK, spacing_m);
    free(columns);
    free(rows);
}

static const char smooth_text[] =
    "height = 5000 * fbm(3185e3, octaves = 24)\ncolor = ramp(height, -2e3, #102040, 2e3, #f0f0f0)\n";
static const char rough_text[] = "height = 168 * fbm(8.2e3, octaves = 15, gain = 0.6)\n";
// Every kind of field, factors and steep curves.
static const char mixed_text[] =
    "wide = coarse(fbm(4000e3, octaves = 5), 40e3)\n"
    "land = smoothstep(-0.1, 0.2, wide + 0.1 * fbm(300e3, octaves = 16))\n"
    "ranges = ridged(500e3, octaves = 4) + 0.2 * billow(90e3, octaves = 3)\n"
    "height = land * (2500 * ranges + curve(fbm(60e3, octaves = 14), -1, 0, 0, 200, 1, 900)) +\n"
    "    40 * (1 - land) * fbm(11e3, octaves = 12, gain = 0.55)\n"
    "patches = fbm(50e3, octaves = 14, gain = 0.65)\n"
    "color = mix(#205080, mix(#406020, #c0b080, smoothstep(-0.5, 0.5, patches)), land)\n";

// ---- Nearness -------------------------------------------------------------------------------------------

// What float octaves leave of the planet itself, in radii (2.5 mm on Earth), where heights depend steeply on noise.
#define ROUNDING 4e-10

static void compare(const struct sampling *with, const struct sampling *without, struct node node, const char *what)
{
    struct tile a = new_tile(with->intervals), b = new_tile(with->intervals);
    double radius_m = planet_radius_m(with->planet), spacing_m = tile_spacing_m(radius_m, with->intervals, node.level);
    double unit_m = height_unit_m(height_unit_exponent(radius_m)),
           most_m = fmax(0.1 * unit_m, fmin(1e-3 * spacing_m, 1.6e-7 * radius_m));
    double height_m = 0, slope = 0, color = 0;
    sample_tile(with, &a, node, false);
    sample_tile(without, &b, node, false);
    for (int k = 0; k < a.side * a.side; k++) {
        height_m = fmax(height_m, fabs(a.field[HEIGHT][k] - b.field[HEIGHT][k]));
        for (int field = GX; field <= GZ; field++)
            slope = fmax(slope, fabs(a.field[field][k] - b.field[field][k]) / radius_m);
        for (int field = RED; field <= BLUE; field++)
            color = fmax(color, fabs(a.field[field][k] - b.field[field][k]));
    }
    CHECK_TEXT(height_m <= most_m + ROUNDING * radius_m, "%s, level %d: %g m off where spacing is %g m", what,
               node.level, height_m, spacing_m);
    CHECK_TEXT(slope * spacing_m <= most_m, "%s, level %d: slope %g off", what, node.level, slope);
    CHECK_TEXT(color <= 1.0 / 500, "%s, level %d: colour %g off", what, node.level, color);
    free(a.memory);
    free(b.memory);
}

// A node that holds the place that the local mask is at.
static struct node node_of_mask(int level)
{
    struct cube_place place = cube_sphere_locate(double3_normalise((struct double3){0.6, 0.64, 0.48}));
    double across = (double)(1u << level);
    return (struct node){
        .face = place.face, .level = level, .x = (uint32_t)(place.s * across), .y = (uint32_t)((1 - place.t) * across)};
}

static void compare_levels(struct planet *planet, int intervals, int tiles, const char *what)
{
    const unsigned want = PLANET_WANT_GRADIENT | PLANET_WANT_COLOR;
    struct sampling with = new_sampling(planet, intervals, want, true);
    struct sampling without = new_sampling(planet, intervals, want, false);
    for (int level = 0; level <= TILE_LEVEL_MAX; level++)
        for (int tile = 0; tile < tiles; tile++)
            compare(&with, &without, tile == 0 ? node_of_mask(level) : random_node(level), what);
    free_sampling(&with);
    free_sampling(&without);
    planet_free(planet);
}

static void a_tile_is_within_a_tenth_of_a_unit_or_a_thousandth_of_its_spacing_on_every_level(void)
{
    compare_levels(load_text(smooth_text), 64, 3, "smooth");
    compare_levels(load_text(rough_text), 64, 3, "rough");
    compare_levels(load_text(mixed_text), 64, 3, "mixed");
}

// Masks that few places see, erosion that no coarse look sees, steep passages, and slopes that are infinite somewhere.
static void what_is_large_in_few_places_is_as_near(void)
{
    compare_levels(load_text("from = sqrt((x - 0.6) * (x - 0.6) + (y - 0.64) * (y - 0.64) + (z - 0.48) * (z - 0.48))\n"
                             "height = 8000 * smoothstep(0.012, 0.010, from) * fbm(60e3, octaves = 8)\n"),
                   32, 1, "local mask");
    compare_levels(
        load_text("guide = 3000 * fbm(300e3, octaves = 6)\n"
                  "height = guide + erode(guide, 30e3, 12) * smoothstep(-0.05, 0.05, fbm(400e3, octaves = 3))\n"),
        32, 1, "eroded mask");
    compare_levels(load_text("height = 9000 * smoothstep(-0.002, 0.002, coarse(fbm(300e3, octaves = 4), 80e3))\n"), 32,
                   1, "steep coarse");
    compare_levels(load_text("a = smoothstep(0.2, 0.3, fbm(2000e3, octaves = 3))\n"
                             "height = 100 * sqrt(a * (2 * fbm(90e3, octaves = 6) + 3))\n"),
                   32, 1, "square root");
}

// Gradients are kept in float, which ends at 1e38.
static void what_is_far_larger_or_smaller_than_a_float_is_as_near(void)
{
    static const char *const texts[] = {
        "height = 1e50 * coarse(2e-47 * fbm(900e3, octaves = 4), 300e3)\n",
        "height = 1e-36 * coarse(2e39 * fbm(900e3, octaves = 4), 300e3)\n",
        "height = 1e-150 * coarse(2e153 * fbm(900e3, octaves = 4), 300e3)\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        compare_levels(load_text(texts[k]), 32, 1, texts[k]);
}

static void so_are_the_tiles_of_earthlike(void)
{
    compare_levels(load_text(builtin_named("earthlike")->text), 32, 2, "earthlike");
}

static void a_small_planet_keeps_to_its_own_units(void)
{
    struct status status;
    struct planet *planet;
    CHECK(load_with(&planet, smooth_text, NULL, 1, 2000, &status) == STATUS_OK);
    compare_levels(planet, 32, 1, "small");
}

// Where the finest mesh is not for all fields, the others do with wider ones.
static void large_tiles_of_many_fields_are_as_near(void)
{
    char text[2000] = "height = 0";
    for (int k = 0; k < 8; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " + 900 * fbm(%de3, octaves = 15, seed = %d)",
                 900 + k, k + 1);
    strcat(text, "\n");
    struct planet *planet = load_text(text);
    struct sampling with = new_sampling(planet, 512, PLANET_WANT_GRADIENT, true);
    struct sampling without = new_sampling(planet, 512, PLANET_WANT_GRADIENT, false);
    compare(&with, &without, random_node(5), "many fields");
    free_sampling(&with);
    free_sampling(&without);
    planet_free(planet);
}

static void meshes_carry_what_is_smooth(void)
{
    struct planet *planet = load_text(smooth_text);
    struct sampling with = new_sampling(planet, 64, 0, true), without = new_sampling(planet, 64, 0, false);
    struct tile a = new_tile(64), b = new_tile(64);
    // Fine octaves only, all steps, and the widest alone: what is interpolated is never quite the planet's own.
    for (int level = 2; level <= 22; level += 4) {
        int differ = 0;
        struct node node = random_node(level);
        sample_tile(&with, &a, node, false);
        sample_tile(&without, &b, node, false);
        for (int k = 0; k < a.side * a.side; k++)
            differ += a.field[HEIGHT][k] != b.field[HEIGHT][k];
        CHECK_TEXT(differ > a.side * a.side / 2, "level %d: %d differ", level, differ);
    }
    free_sampling(&with);
    free_sampling(&without);
    free(a.memory);
    free(b.memory);
    planet_free(planet);
}

// ---- Bits -----------------------------------------------------------------------------------------------

static bool same_fields(const struct tile *a, const struct tile *b, int fields)
{
    size_t bytes = (size_t)a->side * (size_t)a->side * sizeof(double);
    bool same = true;
    for (int field = 0; field < fields; field++)
        same = same && memcmp(a->field[field], b->field[field], bytes) == 0;
    return same;
}

static void the_order_of_samples_and_tiles_leaves_no_trace(void)
{
    struct planet *planet = load_text(mixed_text);
    struct sampling one = new_sampling(planet, 32, 3, true), other = new_sampling(planet, 32, 3, true);
    struct tile a = new_tile(32), b = new_tile(32);
    for (int level = 1; level < 20; level += 3) {
        struct node node = random_node(level);
        sample_tile(&one, &a, node, false);
        sample_tile(&other, &b, random_node(level + 1), true);
        sample_tile(&other, &b, node, true);
        CHECK_TEXT(same_fields(&a, &b, FIELDS), "level %d", level);
    }
    free_sampling(&one);
    free_sampling(&other);
    free(a.memory);
    free(b.memory);
    planet_free(planet);
}

// What a block of groups does that is nearly one run (mesh.c), from one of its groups on or all along.
enum unlike_run {
    ONE_RUN,
    OTHER_ROWS,
    ONE_ROW_LESS, // a group that is no piece of a column
    COLUMN_TWICE,
    ONE_COLUMN,
    COLUMN_LEFT_OUT,
    EVERY_THIRD_COLUMN,
    TURNS_BACK,
    ROWS_ASKEW, // begins between two pieces
    UNLIKE_RUN_COUNT,
};

// Within a tile of 64 intervals, whichever way it goes.
static void unlike_run_places(uint16_t *columns, uint16_t *rows, enum unlike_run kind, int from)
{
    int way = check_random() % 2 ? 1 : -1, column = 15 + (int)(check_random() % 5);
    int row = MESH_GROUP * (int)(check_random() % 7);
    column = way == 1 ? column : 64 - column;
    for (int g = 0; g < PLANET_BLOCK / MESH_GROUP; g++) {
        row += kind == OTHER_ROWS && g == from ? MESH_GROUP : 0;
        for (int k = 0; k < MESH_GROUP; k++) {
            columns[g * MESH_GROUP + k] = (uint16_t)column;
            rows[g * MESH_GROUP + k] =
                (uint16_t)(row + k + (kind == ROWS_ASKEW ? 3 : 0) - (kind == ONE_ROW_LESS && g == from && k == 5));
        }
        bool here = g + 1 == from;
        way = kind == TURNS_BACK && here ? -way : way;
        column += kind == ONE_COLUMN || (kind == COLUMN_TWICE && here) ? 0
                  : kind == COLUMN_LEFT_OUT && here                    ? 2 * way
                  : kind == EVERY_THIRD_COLUMN                         ? 3 * way
                                                                       : way;
    }
}

static void groups_that_are_no_single_run_are_what_their_samples_are(void)
{
    struct planet *planet = load_text(smooth_text);
    struct sampling sampling = new_sampling(planet, 64, 3, true);
    struct tile all = new_tile(64), some = new_tile(64);
    static struct tile_lattice lattice;
    for (int level = 2; level <= 18; level += 4) {
        struct node node = random_node(level);
        double spacing_m = tile_spacing_m(planet_radius_m(planet), 64, level);
        sample_tile(&sampling, &all, node, true); // single samples, as good as all
        tile_lattice_prepare(&lattice, node, 64);
        for (int round = 0; round < 4 * UNLIKE_RUN_COUNT; round++) {
            uint16_t columns[PLANET_BLOCK], rows[PLANET_BLOCK];
            enum unlike_run kind = (enum unlike_run)(round % UNLIKE_RUN_COUNT);
            int from = 1 + (int)(check_random() % (PLANET_BLOCK / MESH_GROUP - 1)), same = 0;
            unlike_run_places(columns, rows, kind, from);
            sample_block(&sampling, &lattice, &some, columns, rows, PLANET_BLOCK, spacing_m);
            for (int k = 0; k < PLANET_BLOCK; k++) {
                int at = rows[k] * some.side + columns[k];
                bool equal = true;
                for (int field = 0; field < FIELDS; field++)
                    equal = equal && memcmp(&all.field[field][at], &some.field[field][at], sizeof(double)) == 0;
                same += equal;
            }
            CHECK_TEXT(same == PLANET_BLOCK, "level %d, kind %d from group %d: %d", level, (int)kind, from, same);
        }
    }
    free_sampling(&sampling);
    free(all.memory);
    free(some.memory);
    planet_free(planet);
}

static void heights_do_not_depend_on_what_else_is_wanted(void)
{
    // 40 fields: more than can have the finest mesh in tiles of 256. And twice 40: more than can have any.
    char text[4000] = "height = 0";
    for (int k = 0; k < 40; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " + fbm(%de3, octaves = 8, seed = %d)", 90 + k,
                 k + 1);
    strcat(text, "\npaint = fbm(100e3, octaves = 9)\ncolor = ramp(paint, 0, #000000, 1, #ffffff)\n");
    char more[8000];
    snprintf(more, sizeof more, "%s", text);
    more[strlen(more) - strlen(strstr(more, "\npaint"))] = 0;
    for (int k = 0; k < 40; k++)
        snprintf(more + strlen(more), sizeof more - strlen(more), " + fbm(%de3, octaves = 4, seed = %d)", 190 + k,
                 k + 50);
    strcat(more, "\ncolor = ramp(height, 0, #000000, 1, #ffffff)\n");
    const char *texts[] = {mixed_text, text, more};
    for (int t = 0; t < 3; t++) {
        struct planet *planet = load_text(texts[t]);
        struct node node = {.face = 2, .level = 5, .x = 9, .y = 3};
        int intervals = t == 1 ? 256 : 32;
        struct tile all = new_tile(intervals), some = new_tile(intervals);
        struct sampling sampling = new_sampling(planet, intervals, 3, true);
        sample_tile(&sampling, &all, node, false);
        free_sampling(&sampling);
        for (unsigned want = 0; want < 3; want++) {
            sampling = new_sampling(planet, intervals, want, true);
            sample_tile(&sampling, &some, node, false);
            CHECK_TEXT(same_fields(&all, &some, want & PLANET_WANT_GRADIENT ? GZ + 1 : HEIGHT + 1), "want %u", want);
            free_sampling(&sampling);
        }
        free(all.memory);
        free(some.memory);
        planet_free(planet);
    }
}

static void every_vector_width_gives_the_same_bits(void)
{
    struct planet *planet = load_text(mixed_text);
    struct tile a = new_tile(32), b = new_tile(32);
    for (int level = 1; level < 20; level += 4) {
        struct node node = random_node(level);
        for (int k = 0; k < KERNEL_VARIANT_COUNT; k++) {
            const struct kernels *kernels = kernels_named(kernel_variants[k]);
            if (!kernels)
                continue;
            planet_use_kernels(planet, kernels);
            struct sampling sampling = new_sampling(planet, 32, 3, true);
            sample_tile(&sampling, k == 0 ? &a : &b, node, false);
            CHECK_TEXT(k == 0 || same_fields(&a, &b, FIELDS), "%s, level %d", kernel_variants[k], level);
            free_sampling(&sampling);
        }
    }
    free(a.memory);
    free(b.memory);
    planet_free(planet);
}

// A sample of a border.
struct border_sample {
    double dir[3], field[FIELDS];
};

static int by_direction(const void *a, const void *b)
{
    return memcmp(((const struct border_sample *)a)->dir, ((const struct border_sample *)b)->dir, sizeof(double[3]));
}

static void check_borders(const struct sampling *sampling, int level)
{
    struct tile tile = new_tile(sampling->intervals);
    int side = tile.side, across = 1 << level, tiles = 6 * across * across, count = 0, shared = 0;
    struct border_sample *samples = malloc((size_t)(tiles * 4 * side) * sizeof *samples);
    for (int t = 0; t < tiles; t++) {
        struct node node = {.face = t / (across * across),
                            .level = level,
                            .x = (uint32_t)(t % across),
                            .y = (uint32_t)(t / across % across)};
        sample_tile(sampling, &tile, node, false);
        for (int k = 0; k < side * side; k++) {
            if (k % side != 0 && k % side != side - 1 && k / side != 0 && k / side != side - 1)
                continue;
            struct border_sample *sample = &samples[count++];
            for (int axis = 0; axis < 3; axis++)
                sample->dir[axis] = tile.dir[axis][k];
            for (int field = 0; field < FIELDS; field++)
                sample->field[field] = tile.field[field][k];
        }
    }
    qsort(samples, (size_t)count, sizeof *samples, by_direction);
    for (int k = 1; k < count; k++) {
        if (by_direction(&samples[k - 1], &samples[k]) != 0)
            continue;
        shared++;
        CHECK_TEXT(memcmp(samples[k - 1].field, samples[k].field, sizeof samples[k].field) == 0,
                   "level %d near %g %g %g: %.17g and %.17g", level, samples[k].dir[0], samples[k].dir[1],
                   samples[k].dir[2], samples[k - 1].field[HEIGHT], samples[k].field[HEIGHT]);
    }
    // Each edge of a tile is shared by two, but 8 corners of the cube by three tiles and all others by four.
    int edges = 2 * tiles, corners = tiles + 2;
    CHECK_TEXT(shared == edges * (side - 2) + (corners - 8) * 3 + 8 * 2, "level %d: %d shared", level, shared);
    free(samples);
    free(tile.memory);
}

static void all_tiles_of_coarse_levels_agree_on_all_borders_to_the_bit(void)
{
    // Lengths that the meshes of these levels can carry.
    struct planet *planet = load_text(
        "wide = coarse(fbm(9000e3, octaves = 3), 1500e3)\n"
        "height = 900 * fbm(6000e3, octaves = 7) + 2000 * wide + 300 * billow(60000e3, 1) + 9 * ridged(90000e3, 1)\n"
        "color = ramp(fbm(7000e3, octaves = 3), -1, #000000, 1, #ffffff)\n");
    struct sampling sampling = new_sampling(planet, 64, 3, true);
    for (int level = 0; level <= 3; level++)
        check_borders(&sampling, level);
    free_sampling(&sampling);
    planet_free(planet);
}

// The border of a tile that it shares with its neighbour on that side, from one end of the neighbour's to the other.
static int border_index(int side, enum node_side of, int k)
{
    switch (of) {
    case SIDE_WEST: return k * side;
    case SIDE_EAST: return k * side + side - 1;
    case SIDE_NORTH: return k;
    default: return (side - 1) * side + k;
    }
}

static void neighbours_of_fine_levels_agree_too(void)
{
    struct planet *planet = load_text(mixed_text);
    for (int intervals = 32; intervals <= 64; intervals *= 2) {
        struct sampling sampling = new_sampling(planet, intervals, 3, true);
        struct tile a = new_tile(intervals), b = new_tile(intervals);
        for (int level = 4; level <= TILE_LEVEL_MAX; level += 2) {
            uint32_t last = (1u << level) - 1;
            // Within a face, across an edge of the cube, and at one of its corners.
            struct node node = random_node(level);
            node.x = level % 4 == 0 ? last : node.x;
            node.y = level % 6 == 0 ? last : node.y;
            for (enum node_side to = 0; to < NODE_SIDE_COUNT; to++) {
                enum node_side back;
                bool reversed;
                struct node other = node_neighbour(node, to, &back, &reversed);
                int side = intervals + 1, same = 0;
                sample_tile(&sampling, &a, node, false);
                sample_tile(&sampling, &b, other, false);
                for (int k = 0; k < side; k++) {
                    int here = border_index(side, to, k), there = border_index(side, back, reversed ? side - 1 - k : k);
                    bool equal = true;
                    for (int field = 0; field < FIELDS; field++)
                        equal = equal && memcmp(&a.field[field][here], &b.field[field][there], sizeof(double)) == 0;
                    same += equal;
                }
                CHECK_TEXT(same == side, "level %d side %d: %d of %d", level, (int)to, same, side);
            }
        }
        free_sampling(&sampling);
        free(a.memory);
        free(b.memory);
    }
    planet_free(planet);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_tile_is_within_a_tenth_of_a_unit_or_a_thousandth_of_its_spacing_on_every_level);
    CHECK_RUN(what_is_large_in_few_places_is_as_near);
    CHECK_RUN(what_is_far_larger_or_smaller_than_a_float_is_as_near);
    CHECK_RUN(so_are_the_tiles_of_earthlike);
    CHECK_RUN(a_small_planet_keeps_to_its_own_units);
    CHECK_RUN(large_tiles_of_many_fields_are_as_near);
    CHECK_RUN(meshes_carry_what_is_smooth);
    CHECK_RUN(the_order_of_samples_and_tiles_leaves_no_trace);
    CHECK_RUN(groups_that_are_no_single_run_are_what_their_samples_are);
    CHECK_RUN(heights_do_not_depend_on_what_else_is_wanted);
    CHECK_RUN(every_vector_width_gives_the_same_bits);
    CHECK_RUN(all_tiles_of_coarse_levels_agree_on_all_borders_to_the_bit);
    CHECK_RUN(neighbours_of_fine_levels_agree_too);
    return CHECK_END;
}
