// SPDX-License-Identifier: MIT
// Nanoseconds a sample that planets take in whole tiles as they are baked, with gradient and colour, one JSON object a
// line: by thread CPU time, for every vector width that this processor has.
//   bench_planet [PLANET [SEED]]
// Tiles of 257 x 257 samples on levels 3, 8, 10 and 12 at PLACES random places of the planet, the first of which only
// warms up what the planet keeps from block to block; the same places for every width. "land" and "sea" are the means
// over the tiles that are wholly above and below 0 m.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bake/planet/kernels.h"
#include "bake/planet/planet.h"
#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "common/arena.h"
#include "common/clock.h"
#include "common/splitmix64.h"
#include "common/tile_grid.h"

#define INTERVALS 256
#define SIDE (INTERVALS + 1)
#define PLACES 13
#define WANT (PLANET_WANT_GRADIENT | PLANET_WANT_COLOR)

struct totals {
    double seconds;
    long samples;
};

// One tile; returns the lowest and the highest height.
static double evaluate(const struct planet *planet, void *scratch, struct mesh *mesh, struct node node,
                       double range_m[2])
{
    static struct tile_lattice lattice;
    uint16_t columns[PLANET_BLOCK], rows[PLANET_BLOCK];
    double *dir[3];
    double spacing_m = tile_spacing_m(planet_radius_m(planet), INTERVALS, node.level), start = clock_thread_seconds();
    range_m[0] = INFINITY;
    range_m[1] = -INFINITY;
    tile_lattice_prepare(&lattice, node, INTERVALS);
    planet_mesh_start(planet, mesh, node, spacing_m);
    for (int first = 0; first < SIDE * SIDE; first += PLANET_BLOCK) {
        int count = SIDE * SIDE - first < PLANET_BLOCK ? SIDE * SIDE - first : PLANET_BLOCK;
        tile_order(SIDE, first, count, columns, rows);
        planet_directions(scratch, dir);
        tile_lattice_dirs_at(&lattice, columns, rows, count, dir[0], dir[1], dir[2]);
        struct planet_block block =
            planet_sample_tile(planet, scratch, mesh, count, columns, rows, dir[0], dir[1], dir[2], spacing_m, WANT);
        for (int i = 0; i < count; i++) {
            range_m[0] = fmin(range_m[0], block.height_m[i]);
            range_m[1] = fmax(range_m[1], block.height_m[i]);
        }
    }
    return clock_thread_seconds() - start;
}

static void print_line(const char *planet, const char *kernels, int level, const char *what, struct totals totals)
{
    if (totals.samples > 0)
        printf(
            "{\"bench\":\"planet\",\"planet\":\"%s\",\"kernels\":\"%s\",\"level\":%d,\"tiles\":\"%s\",\"ns\":%.1f}\n",
            planet, kernels, level, what, 1e9 * totals.seconds / (double)totals.samples);
    fflush(stdout);
}

static void measure_level(struct planet *planet, const char *name, const char *kernels, int level)
{
    struct totals all = {0}, land = {0}, sea = {0};
    void *scratch = aligned_alloc(ARENA_ALIGNMENT, planet_scratch_bytes(planet));
    uint64_t state = 42;
    size_t mesh_bytes = planet_mesh_bytes(planet, INTERVALS, WANT);
    void *memory =
        aligned_alloc(ARENA_ALIGNMENT, (mesh_bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT);
    if (!scratch || !memory)
        exit(4);
    planet_scratch_begin(planet, scratch);
    struct mesh *mesh = planet_mesh_begin(planet, INTERVALS, WANT, memory);
    for (int place = 0; place < PLACES; place++) {
        struct node node = {.face = (int)(splitmix64_next(&state) % 6), .level = level};
        double range_m[2];
        node.x = (uint32_t)(splitmix64_next(&state) >> (64 - level));
        node.y = (uint32_t)(splitmix64_next(&state) >> (64 - level));
        double seconds = evaluate(planet, scratch, mesh, node, range_m);
        struct totals *kind = range_m[0] > 0 ? &land : range_m[1] < 0 ? &sea : NULL;
        if (place == 0)
            continue;
        all = (struct totals){all.seconds + seconds, all.samples + SIDE * SIDE};
        if (kind)
            *kind = (struct totals){kind->seconds + seconds, kind->samples + SIDE * SIDE};
    }
    free(memory);
    free(scratch);
    print_line(name, kernels, level, "all", all);
    print_line(name, kernels, level, "land", land);
    print_line(name, kernels, level, "sea", sea);
}

int main(int argc, char **argv)
{
    static const char *const widths[] = {"base", "avx2", "avx512"};
    struct planet_source source = {.name = argc > 1 ? argv[1] : "earthlike",
                                   .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    struct planet *planet;
    struct status status;
    if (planet_load(&planet, &source, &status)) {
        fprintf(stderr, "bench_planet: %s\n", status.text);
        return (int)status.code;
    }
    for (int i = 0; i < 3; i++) {
        const struct kernels *kernels = kernels_named(widths[i]);
        if (!kernels)
            continue;
        planet_use_kernels(planet, kernels);
        for (int level = 3; level <= 12; level += level < 8 ? 5 : 2)
            measure_level(planet, source.name, widths[i], level);
    }
    planet_free(planet);
    return 0;
}
