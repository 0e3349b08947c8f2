// SPDX-License-Identifier: MIT
// Single tiles baked for tests, of N intervals if nothing else is said.
#ifndef TERRANE_TESTS_TILE_HELP_H
#define TERRANE_TESTS_TILE_HELP_H

#include "bake/tile_bake.h"
#include "tests/check.h"
#include "tests/random_node.h"

#define ALL_LAYERS 7u
#define N 32
#define SIDE (N + 1)

// Everything at once: detail at all scales, colours, no symmetry.
static const char rough_text[] = "radius = 500000\nsea = 0\n"
                                 "height = 6000 * fbm(300e3, octaves = 20) + 800 * x\n"
                                 "color = ramp(height, -2000, #102040, 0, #60a0c0, 0, #c0b080, 1500, #f0f0f0)\n";

static inline struct planet *planet_of_text(const char *text, double radius_m)
{
    struct planet *planet = NULL;
    struct status status;
    struct planet_source source = {.name = "test", .seed = 7, .radius_m = radius_m};
    CHECK_TEXT(planet_load_text(&planet, text, strlen(text), "test", NULL, &source, &status) == STATUS_OK, "%s",
               status.text);
    return planet;
}

static inline struct tile_worker *worker_of(const struct planet *planet, int intervals, unsigned layers)
{
    struct tile_worker *worker = NULL;
    struct status status;
    struct tile_recipe recipe = {planet, intervals, layers};
    CHECK(tile_worker_new(&worker, &recipe, &status) == STATUS_OK);
    return worker;
}

static inline void bake(struct tile_worker *worker, struct node node, struct pack_entry *entry)
{
    struct status status;
    CHECK_TEXT(tile_bake(worker, node, entry, &status) == STATUS_OK, "%s", status.text);
}

#endif
