// SPDX-License-Identifier: MIT
// Tiles for tests with real layers: heights, normals and colours as functions of the sample's place on the sphere,
// encoded as a baker does it. Neither beautiful nor meant to be a planet.
#ifndef TERRANE_TESTS_PACK_LAYERS_H
#define TERRANE_TESTS_PACK_LAYERS_H

#include "common/byteorder.h"
#include "formats/height_codec.h"
#include "formats/picture_codec.h"
#include "tests/pack_sample.h"

#define LAYERS_SIDE 33
#define LAYERS_SAMPLES (LAYERS_SIDE * LAYERS_SIDE)

// All of the tile: samples before coding, and what the writer takes.
struct layers_tile {
    int32_t heights[LAYERS_SAMPLES];
    uint8_t normals[LAYERS_SAMPLES * 6], colors[LAYERS_SAMPLES * 3];
    int bits; // of normals
    struct pack_entry entry;
    uint8_t blobs[LAYER_COUNT][1 << 16];
};

// The moon's size with 32 intervals: normals have 16 bits down to level 6 and 8 below.
static inline struct pack_info layers_info(unsigned layers, int root_levels)
{
    struct pack_info info = sample_info(layers, root_levels);
    info.radius_m = 1737400.0;
    info.height_exponent = -10;
    return info;
}

static inline void layers_fill(struct layers_tile *tile, struct node node)
{
    bool sea = sample_sea(tile->entry.key);
    for (int k = 0; k < LAYERS_SAMPLES; k++) {
        struct double3 dir = tile_sample_dir(node, LAYERS_SIDE - 1, k % LAYERS_SIDE, k / LAYERS_SIDE);
        double wave = stable_sin(20 * dir.x + 7 * dir.y) + stable_sin(31 * dir.z - 11 * dir.x);
        uint64_t noise = sample_hash((uint64_t)(int64_t)(dir.x * 1e15) ^ (uint64_t)(int64_t)(dir.y * 1e14), 5);
        tile->heights[k] = sea ? -777 : (int32_t)(wave * 3e6) + (int32_t)(noise % 1000);
        for (size_t c = 0; c < 3; c++) {
            uint32_t q = sea ? 128 : (uint32_t)(128 + 60 * wave / (double)(c + 1));
            tile->colors[3 * (size_t)k + c] = (uint8_t)q;
            if (tile->bits == 16) {
                tile->normals[6 * (size_t)k + 2 * c] = (uint8_t)q;
                tile->normals[6 * (size_t)k + 2 * c + 1] = (uint8_t)(sea ? 0 : noise >> 8 * c);
            } else {
                tile->normals[3 * (size_t)k + c] = (uint8_t)(q ^ (sea ? 0 : noise & 3));
            }
        }
    }
}

static inline const void *layers_samples(const struct layers_tile *tile, int kind)
{
    return kind == LAYER_HEIGHT ? (const void *)tile->heights : kind == LAYER_NORMAL ? tile->normals : tile->colors;
}

// scratch: as the codecs want it, LAYERS_SCRATCH bytes.
#define LAYERS_SCRATCH (1 << 21)

static inline void layers_make(struct layers_tile *tile, tile_key key, const struct pack_info *info, void *scratch)
{
    struct pack_entry *entry = &tile->entry;
    struct node node = tile_key_node(key);
    memset(entry, 0, sizeof *entry);
    entry->key = key;
    entry->error = (uint32_t)(sample_hash(key, 97) % 100000);
    tile->bits = normal_bits(tile_spacing_m(info->radius_m, info->intervals, node.level));
    layers_fill(tile, node);
    entry->height_min = entry->height_max = tile->heights[0];
    for (int k = 1; k < LAYERS_SAMPLES; k++) {
        entry->height_min = tile->heights[k] < entry->height_min ? tile->heights[k] : entry->height_min;
        entry->height_max = tile->heights[k] > entry->height_max ? tile->heights[k] : entry->height_max;
    }
    CHECK(height_codec_scratch_bytes(LAYERS_SIDE) <= LAYERS_SCRATCH);
    CHECK(picture_encode_scratch_bytes(LAYERS_SIDE, 16) <= LAYERS_SCRATCH);
    CHECK(height_encode_bound(LAYERS_SIDE) <= sizeof tile->blobs[0]);
    CHECK(picture_encode_bound(LAYERS_SIDE, 16) <= sizeof tile->blobs[0]);
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(info->layers >> kind & 1))
            continue;
        uint8_t *blob = tile->blobs[kind];
        size_t length = kind == LAYER_HEIGHT
                            ? height_encode(blob, tile->heights, LAYERS_SIDE, scratch)
                            : picture_encode(blob, layers_samples(tile, kind), LAYERS_SIDE,
                                             kind == LAYER_NORMAL ? tile->bits : 8, kind == LAYER_COLOR, scratch);
        entry->blobs[kind] = blob;
        entry->lengths[kind] = (uint32_t)length;
        entry->crcs[kind] = pack_crc(blob, length);
        layer_content(entry->content[kind], (enum layer_kind)kind, layers_samples(tile, kind),
                      layer_bytes((enum layer_kind)kind, LAYERS_SIDE, tile->bits));
    }
}

// A change to an entry before it is written, for packs that lie.
typedef void layers_forge(struct layers_tile *tile);

static inline bool layers_write(const char *path, const struct pack_info *info, const struct sample_keys *set,
                                layers_forge *forge, struct status *status)
{
    struct pack_writer *writer;
    unlink(path);
    if (pack_writer_begin(&writer, path, sample_path("spool"), info, SAMPLE_METADATA, strlen(SAMPLE_METADATA), status))
        return false;
    struct layers_tile *tile = malloc(sizeof *tile);
    void *scratch = malloc(LAYERS_SCRATCH);
    enum status_code code = STATUS_OK;
    for (size_t k = 0; k < set->count && code == STATUS_OK; k++) {
        layers_make(tile, set->keys[k], info, scratch);
        if (forge)
            forge(tile);
        code = pack_writer_add(writer, &tile->entry, status);
    }
    if (code == STATUS_OK)
        code = pack_writer_finish(writer, NULL, status);
    pack_writer_free(writer);
    free(scratch);
    free(tile);
    return code == STATUS_OK;
}

#endif
