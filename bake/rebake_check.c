// SPDX-License-Identifier: MIT
#include "bake/rebake_check.h"

#include <stdlib.h>
#include <string.h>

#include "bake/planet/planet.h"
#include "bake/tile_bake.h"
#include "common/splitmix64.h"
#include "formats/deflate_encode.h"

struct rebake {
    const struct pack *pack;
    struct tile_worker *worker;
    uint8_t *blob; // as stored
    size_t blob_room;
    uint64_t random_state;
    uint64_t wanted, left; // tiles still to draw, tiles still to come
    uint64_t *rebaked;
};

// Uniform in [0, count) to one part in 2^64 / count, which is far below what a draw of tiles can show.
static uint64_t random_below(uint64_t *state, uint64_t count)
{
    return splitmix64_next(state) % count;
}

static enum status_code differs(const struct rebake *rebake, tile_key key, const char *what, struct status *status)
{
    char node[NODE_TEXT_MAX];
    node_format(node, tile_key_node(key));
    return status_fail(status, STATUS_INPUT, "%s: tile %s: %s differs from what is baked anew", pack_path(rebake->pack),
                       node, what);
}

static enum status_code compare_blob(struct rebake *rebake, const struct pack_tile *tile,
                                     const struct pack_entry *baked, int kind, struct status *status)
{
    const struct pack_blob *stored = &tile->blobs[kind];
    if (stored->length != baked->lengths[kind] ||
        memcmp(stored->content, baked->content[kind], sizeof stored->content) != 0)
        return differs(rebake, tile->key, layer_names[kind], status);
    if (stored->length > rebake->blob_room) {
        free(rebake->blob);
        rebake->blob_room = stored->length;
        rebake->blob = malloc(rebake->blob_room);
        if (!rebake->blob) {
            rebake->blob_room = 0;
            return status_fail_memory(status, "rebake", stored->length);
        }
    }
    enum status_code code = pack_read_blob(rebake->pack, stored, rebake->blob, status);
    if (!code && memcmp(rebake->blob, baked->blobs[kind], stored->length) != 0)
        code = differs(rebake, tile->key, layer_names[kind], status);
    return code;
}

// Takes each tile with the chance that makes every set of the wanted size equally likely (Knuth, TAOCP 3.4.2,
// algorithm S).
static enum status_code visit(void *context, const struct pack_tile *tile, struct status *status)
{
    struct rebake *rebake = context;
    if (rebake->left == 0)
        return STATUS_OK;
    bool taken = random_below(&rebake->random_state, rebake->left) < rebake->wanted;
    rebake->left--;
    if (!taken)
        return STATUS_OK;
    rebake->wanted--;
    struct pack_entry baked;
    enum status_code code = tile_bake(rebake->worker, tile_key_node(tile->key), &baked, status);
    if (code)
        return code;
    if (tile->height_min != baked.height_min || tile->height_max != baked.height_max)
        return differs(rebake, tile->key, "range of heights", status);
    if (tile->error != baked.error)
        return differs(rebake, tile->key, "geometric error", status);
    for (int kind = 0; kind < LAYER_COUNT && !code; kind++) {
        if (baked.blobs[kind])
            code = compare_blob(rebake, tile, &baked, kind, status);
    }
    ++*rebake->rebaked;
    return code;
}

// Whether the planet file that the user names is the one that the pack was baked from.
static enum status_code compare_planet(const struct planet *planet, const struct metadata *metadata, const char *path,
                                       struct status *status)
{
    size_t length;
    const char *text = planet_text(planet, &length);
    if (length != strlen(metadata->planet_text) || memcmp(text, metadata->planet_text, length) != 0)
        return status_fail(status, STATUS_INPUT, "%s: is not the planet file that the pack was baked from", path);
    for (int k = 0; k < metadata->raster_count; k++) {
        uint8_t digest[SHA256_BYTES];
        if (k >= planet_raster_count(planet))
            return status_fail(status, STATUS_INPUT, "%s: uses fewer rasters than the pack was baked from", path);
        planet_raster_sha256(planet, k, digest);
        if (memcmp(digest, metadata->rasters[k], sizeof digest) != 0)
            return status_fail(status, STATUS_INPUT, "%s: its raster %d is not the one that the pack was baked from",
                               path, k + 1);
    }
    return STATUS_OK;
}

static enum status_code load_planet(struct planet **planet, const struct pack *pack, const struct metadata *metadata,
                                    const char *path, struct status *status)
{
    if (strcmp(metadata->generator, METADATA_GENERATOR) != 0 ||
        metadata->generator_content != METADATA_GENERATOR_CONTENT || metadata->codec_profile != DEFLATE_PROFILE)
        return status_fail(status, STATUS_INPUT,
                           "%s: made by %s (content %d, codec %d), this is %s (content %d, codec %d): its tiles can "
                           "only be baked again by the same generator",
                           pack_path(pack), metadata->generator, metadata->generator_content, metadata->codec_profile,
                           METADATA_GENERATOR, METADATA_GENERATOR_CONTENT, DEFLATE_PROFILE);
    struct planet_source source = {
        .name = path,
        .seed = metadata->seed,
        .radius_m = metadata->radius_m,
        .overrides = metadata->overrides,
        .override_count = metadata->override_count,
    };
    if (path) {
        enum status_code code = planet_load(planet, &source, status);
        if (!code)
            code = compare_planet(*planet, metadata, path, status);
        return code;
    }
    if (metadata->raster_count > 0)
        return status_fail(status, STATUS_USAGE,
                           "--rebake: %s was baked from rasters; give its planet file with --planet FILE",
                           pack_path(pack));
    source.name = metadata->planet;
    return planet_load_text(planet, metadata->planet_text, strlen(metadata->planet_text), metadata->planet, NULL,
                            &source, status);
}

enum status_code rebake_check(const struct pack *pack, const struct metadata *metadata,
                              const struct rebake_request *request, uint64_t *rebaked, struct status *status)
{
    *rebaked = 0;
    struct planet *planet = NULL;
    enum status_code code = load_planet(&planet, pack, metadata, request->planet_path, status);
    struct rebake rebake = {.pack = pack, .random_state = request->seed, .rebaked = rebaked};
    rebake.left = pack_tile_count(pack);
    rebake.wanted = request->count < rebake.left ? request->count : rebake.left;
    if (!code) {
        struct tile_recipe recipe = {planet, metadata->intervals, metadata->layers};
        code = tile_worker_new(&rebake.worker, &recipe, status);
    }
    if (!code)
        code = pack_walk(pack, visit, &rebake, status);
    free(rebake.blob);
    if (rebake.worker)
        tile_worker_free(rebake.worker);
    if (planet)
        planet_free(planet);
    return code;
}
