// SPDX-License-Identifier: MIT
// Nanoseconds a sample that the noise of whole tiles takes at every sample ("brute") and with a mesh (mesh.h), one JSON
// object a line: by thread CPU time, for every vector width that this processor has.
//   bench_noise [INTERVALS [OCTAVES]]
// A planet that is nothing but fBm of 16 octaves, the first half a radius wide, on levels 8 to 20. Tiles take turns;
// the figure is the median of TILES.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/planet/planet.h"
#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "common/arena.h"
#include "common/clock.h"
#include "common/tile_grid.h"

#define TILES 9
#define BAND (16 * PLANET_BLOCK)

struct bench {
    struct planet *planet;
    void *scratch;
    struct mesh *mesh;
    unsigned want;
    int intervals;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Seconds that a tile takes, but for finding its samples' directions.
static double tile_seconds(const struct bench *bench, struct node node, bool with_mesh)
{
    static struct tile_lattice lattice;
    static _Alignas(ARENA_ALIGNMENT) double lanes[7][BAND];
    static uint16_t columns[BAND], rows[BAND];
    int side = bench->intervals + 1;
    double spacing_m = tile_spacing_m(planet_radius_m(bench->planet), bench->intervals, node.level), seconds = 0;
    tile_lattice_prepare(&lattice, node, bench->intervals);
    double start = clock_thread_seconds();
    if (with_mesh)
        planet_mesh_start(bench->planet, bench->mesh, node, spacing_m);
    seconds += clock_thread_seconds() - start;
    for (int first = 0; first < side * side; first += BAND) {
        int count = side * side - first < BAND ? side * side - first : BAND;
        tile_order(side, first, count, columns, rows);
        tile_lattice_dirs_at(&lattice, columns, rows, count, lanes[0], lanes[1], lanes[2]);
        start = clock_thread_seconds();
        for (int at = 0; at < count; at += PLANET_BLOCK) {
            int length = count - at < PLANET_BLOCK ? count - at : PLANET_BLOCK;
            const struct planet_block out = {.height_m = lanes[3] + at,
                                             .gradient_x = lanes[4] + at,
                                             .gradient_y = lanes[5] + at,
                                             .gradient_z = lanes[6] + at};
            if (with_mesh)
                planet_sample_tile(bench->planet, bench->scratch, bench->mesh, length, columns + at, rows + at,
                                   lanes[0] + at, lanes[1] + at, lanes[2] + at, spacing_m, bench->want);
            else
                planet_sample(bench->planet, bench->scratch, length, lanes[0] + at, lanes[1] + at, lanes[2] + at,
                              spacing_m, bench->want, &out);
        }
        seconds += clock_thread_seconds() - start;
    }
    return seconds;
}

static void measure(const struct bench *bench, const char *kernels, int octaves, int level)
{
    double seconds[2][TILES], samples = (double)(bench->intervals + 1) * (bench->intervals + 1);
    for (int tile = -1; tile < TILES; tile++) {
        // Any tiles will do that lie apart: multiples of a large odd number.
        uint32_t mask = (1u << level) - 1, mixed = (uint32_t)(tile + 2) * 0x9E3779B1u;
        struct node node = {.face = (tile + 6) % 6, .level = level, .x = mixed & mask, .y = mixed >> 7 & mask};
        for (int with_mesh = 0; with_mesh < 2; with_mesh++) {
            double taken = tile_seconds(bench, node, with_mesh);
            if (tile >= 0)
                seconds[with_mesh][tile] = 1e9 * taken / samples;
        }
    }
    for (int k = 0; k < 2; k++)
        qsort(seconds[k], TILES, sizeof seconds[k][0], by_size);
    printf("{\"bench\":\"noise\",\"kernels\":\"%s\",\"intervals\":%d,\"octaves\":%d,\"level\":%d,\"gradient\":%s,"
           "\"brute_ns\":%.2f,\"mesh_ns\":%.2f}\n",
           kernels, bench->intervals, octaves, level, bench->want & PLANET_WANT_GRADIENT ? "true" : "false",
           seconds[0][TILES / 2], seconds[1][TILES / 2]);
    fflush(stdout);
}

static void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(ARENA_ALIGNMENT, (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT);
    if (!memory)
        exit(4);
    return memory;
}

int main(int argc, char **argv)
{
    static const char *const widths[] = {"base", "avx2", "avx512"};
    struct bench bench = {.intervals = argc > 1 ? atoi(argv[1]) : 256};
    int octaves = argc > 2 ? atoi(argv[2]) : 16;
    char text[200];
    snprintf(text, sizeof text,
             "name = \"fbm\"\nradius = 6371000\nheight = 5000 * fbm(3185e3, octaves = %d)\ncolor = #808080\n", octaves);
    struct planet_source source = {.name = "fbm.planet", .seed = 1};
    struct status status;
    if (planet_load_text(&bench.planet, text, strlen(text), "fbm", NULL, &source, &status)) {
        fprintf(stderr, "bench_noise: %s\n", status.text);
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        const struct kernels *kernels = kernels_named(widths[i]);
        if (!kernels)
            continue;
        planet_use_kernels(bench.planet, kernels);
        for (bench.want = 0; bench.want <= PLANET_WANT_GRADIENT; bench.want++) {
            bench.scratch = aligned(planet_scratch_bytes(bench.planet));
            void *memory = aligned(planet_mesh_bytes(bench.planet, bench.intervals, bench.want));
            planet_scratch_begin(bench.planet, bench.scratch);
            bench.mesh = planet_mesh_begin(bench.planet, bench.intervals, bench.want, memory);
            for (int level = 8; level <= 20; level += 4)
                measure(&bench, widths[i], octaves, level);
            free(memory);
            free(bench.scratch);
        }
    }
    planet_free(bench.planet);
    return 0;
}
