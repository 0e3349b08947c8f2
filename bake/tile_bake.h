// SPDX-License-Identifier: MIT
// One node -> one tile: samples, layers, range, error, encoded blobs, content hashes. Pure: it knows no file, thread,
// neighbour, parent or order; all scratch is the worker's.
#ifndef TERRANE_BAKE_TILE_BAKE_H
#define TERRANE_BAKE_TILE_BAKE_H

#include <stddef.h>
#include <stdint.h>

#include "bake/planet/planet.h"
#include "common/status.h"
#include "common/tile_key.h"
#include "formats/layer.h"
#include "formats/pack.h"

// What every tile of a bake shares.
struct tile_recipe {
    const struct planet *planet;
    int intervals;
    unsigned layers; // bit 1 << kind
};

// Seconds of thread CPU time by stage, for the bench; one a worker. A tile's are divided as its wall time was.
struct tile_clock {
    double planet_s, layers_s, encode_s;
};

// One worker's memory: allocated once, so that baking a tile allocates nothing.
struct tile_worker; // opaque
enum status_code tile_worker_new(struct tile_worker **worker, const struct tile_recipe *recipe, struct status *status);
void tile_worker_free(struct tile_worker *worker);
const struct tile_clock *tile_worker_clock(const struct tile_worker *worker);

// Bakes node into *entry, whose blobs point into the worker's memory until the next call. STATUS_INPUT where the planet
// gives a height that is not finite, leaves int32 units or comes below -0.9 radius; the message names planet and node.
enum status_code tile_bake(struct tile_worker *worker, struct node node, struct pack_entry *entry,
                           struct status *status);

// The decoded layers of the last tile, for tests and comparisons: (N+1)^2 samples each, NULL where not wanted.
const int32_t *tile_worker_heights(const struct tile_worker *worker);
const uint8_t *tile_worker_normals(const struct tile_worker *worker);
const uint8_t *tile_worker_colors(const struct tile_worker *worker);

#endif
