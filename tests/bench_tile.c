// SPDX-License-Identifier: MIT
// Nanoseconds a sample of whole finished tiles, all layers evaluated, hashed and encoded, by thread CPU time: one JSON
// object a line for each level.
//   bench_tile [-k KERNELS] [-l LAYERS] [-n INTERVALS] [-v FIRST-LAST[/STEP]] [-p PLACES] [-s KEY=VALUE]... PLANET
// LAYERS is letters of "hnc" (all three), INTERVALS 256, the levels 12, PLACES 8 tiles a level, which are spread evenly
// over the planet and are the same for every planet. Before a level's tiles another one warms up what the planet keeps
// from block to block.
//   {"bench":"tile","planet":…,"kernels":…,"level":…,"intervals":…,"layers":…,"tiles":…,"ns":…,"planet_ns":…,
//    "layers_ns":…,"encode_ns":…,"tile_bytes":…,"flat":…}
// flat is the share of tiles whose samples all have one height. Under callgrind --toggle-collect='bake_measured*'
// counts what is measured and nothing else (scripts/instructions).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bake/planet/kernels.h"
#include "bake/tile_bake.h"
#include "common/clock.h"
#include "common/cube_sphere.h"
#include "common/tile_grid.h"

#define OVERRIDES_MAX 8

struct bench {
    struct planet_source source;
    const char *overrides[OVERRIDES_MAX];
    const char *kernels;
    const char *layers;
    int intervals, level_first, level_last, level_step, places;
};

struct level_total {
    double seconds;
    struct tile_clock stages;
    double bytes;
    int flat_count;
};

static struct status status;

static void need(enum status_code code)
{
    if (code) {
        fprintf(stderr, "bench_tile: %s\n", status.text);
        exit((int)code);
    }
}

// The place-th tile of a level: Roberts's additive recurrence in the plane, one face after the other.
static struct node node_of(int place, int level)
{
    double s = 0.5 + 0.7548776662466927 * place, t = 0.5 + 0.5698402909980532 * place;
    return node_at(place % CUBE_FACE_COUNT, s - (int)s, t - (int)t, level);
}

static __attribute__((noinline)) void bake_measured(struct tile_worker *worker, struct node node,
                                                    struct pack_entry *entry)
{
    need(tile_bake(worker, node, entry, &status));
}

static void add_tile(struct level_total *total, struct tile_worker *worker, struct node node)
{
    struct pack_entry entry;
    const struct tile_clock before = *tile_worker_clock(worker);
    double start = clock_thread_seconds();
    bake_measured(worker, node, &entry);
    total->seconds += clock_thread_seconds() - start;
    const struct tile_clock *after = tile_worker_clock(worker);
    total->stages.planet_s += after->planet_s - before.planet_s;
    total->stages.layers_s += after->layers_s - before.layers_s;
    total->stages.encode_s += after->encode_s - before.encode_s;
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        total->bytes += entry.lengths[kind];
    total->flat_count += entry.height_min == entry.height_max;
}

static void measure_level(const struct bench *bench, struct tile_worker *worker, int level)
{
    struct level_total total = {0};
    struct pack_entry entry;
    need(tile_bake(worker, node_of(bench->places, level), &entry, &status));
    for (int place = 0; place < bench->places; place++)
        add_tile(&total, worker, node_of(place, level));
    double side = bench->intervals + 1, tiles = bench->places, ns = 1e9 / (tiles * side * side);
    printf("{\"bench\":\"tile\",\"planet\":\"%s\",\"kernels\":\"%s\",\"level\":%d,\"intervals\":%d,\"layers\":\"%s\","
           "\"tiles\":%d,\"ns\":%.3f,\"planet_ns\":%.3f,\"layers_ns\":%.3f,\"encode_ns\":%.3f,\"tile_bytes\":%.0f,"
           "\"flat\":%.4f}\n",
           bench->source.name, bench->kernels, level, bench->intervals, bench->layers, bench->places,
           ns * total.seconds, ns * total.stages.planet_s, ns * total.stages.layers_s, ns * total.stages.encode_s,
           total.bytes / tiles, total.flat_count / tiles);
    fflush(stdout);
}

static void usage(void)
{
    fputs("usage: bench_tile [-k KERNELS] [-l hnc] [-n INTERVALS] [-v FIRST-LAST[/STEP]] [-p PLACES] "
          "[-s KEY=VALUE]... PLANET\n",
          stderr);
    exit(STATUS_USAGE);
}

static void parse_levels(struct bench *bench, const char *text)
{
    int count = sscanf(text, "%d-%d/%d", &bench->level_first, &bench->level_last, &bench->level_step);
    if (count == 1)
        bench->level_last = bench->level_first;
    if (count < 1 || bench->level_first < 0 || bench->level_last > TILE_LEVEL_MAX || bench->level_step < 1)
        usage();
}

static unsigned layers_of(const char *letters)
{
    unsigned layers = 0;
    for (const char *letter = letters; *letter; letter++) {
        const char *found = strchr("hnc", *letter);
        if (!found)
            usage();
        layers |= 1u << (found - "hnc");
    }
    return layers;
}

static void parse(struct bench *bench, int argc, char **argv)
{
    *bench = (struct bench){.source.seed = 1,
                            .kernels = kernels_choose()->name,
                            .layers = "hnc",
                            .intervals = 256,
                            .level_first = 12,
                            .level_last = 12,
                            .level_step = 1,
                            .places = 8};
    for (int letter; (letter = getopt(argc, argv, "k:l:n:v:p:s:")) != -1;) {
        if (letter == 'k')
            bench->kernels = optarg;
        else if (letter == 'l')
            bench->layers = optarg;
        else if (letter == 'n')
            bench->intervals = atoi(optarg);
        else if (letter == 'v')
            parse_levels(bench, optarg);
        else if (letter == 'p')
            bench->places = atoi(optarg);
        else if (letter == 's' && bench->source.override_count < OVERRIDES_MAX)
            bench->overrides[bench->source.override_count++] = optarg;
        else
            usage();
    }
    if (optind + 1 != argc || !tile_intervals_valid(bench->intervals) || bench->places < 1 || !layers_of(bench->layers))
        usage();
    bench->source.name = argv[optind];
    bench->source.overrides = bench->overrides;
}

int main(int argc, char **argv)
{
    struct bench bench;
    struct planet *planet;
    struct tile_worker *worker;
    parse(&bench, argc, argv);
    const struct kernels *kernels = kernels_named(bench.kernels);
    if (!kernels) {
        fprintf(stderr, "bench_tile: no kernels %s here\n", bench.kernels);
        return 77;
    }
    need(planet_load(&planet, &bench.source, &status));
    planet_use_kernels(planet, kernels);
    const struct tile_recipe recipe = {planet, bench.intervals, layers_of(bench.layers)};
    need(tile_worker_new(&worker, &recipe, &status));
    for (int level = bench.level_first; level <= bench.level_last; level += bench.level_step)
        measure_level(&bench, worker, level);
    tile_worker_free(worker);
    planet_free(planet);
    return 0;
}
