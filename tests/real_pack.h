// SPDX-License-Identifier: MIT
// Packs with real layers, whose samples come from a function of the test's.
#ifndef TERRANE_TESTS_REAL_PACK_H
#define TERRANE_TESTS_REAL_PACK_H

#include <math.h>

#include "common/byteorder.h"
#include "formats/height_codec.h"
#include "formats/layer.h"
#include "formats/normal_vector.h"
#include "formats/picture_codec.h"
#include "tests/pack_sample.h"

#define REAL_INTERVALS 32
#define REAL_SIDE (REAL_INTERVALS + 1)
#define REAL_SAMPLES (REAL_SIDE * REAL_SIDE)

struct real_sample {
    int32_t height;        // units
    struct double3 normal; // planet-fixed, unit length
    uint8_t rgb[3];
};

// The sample of a tile at column and row, which lies in direction dir.
typedef void real_function(struct node node, int column, int row, struct double3 dir, struct real_sample *sample);

static inline void real_put_normal(uint8_t *samples, size_t index, int bits, struct node node, struct double3 dir,
                                   struct double3 normal)
{
    struct tangent_frame frame = cube_tangent_frame(node.face, dir);
    double parts[3] = {double3_dot(normal, frame.x), double3_dot(normal, frame.y), double3_dot(normal, frame.z)};
    int steps = normal_steps(bits);
    for (size_t k = 0; k < 3; k++) {
        int q = (int)floor(parts[k] * steps + 0.5) + steps + 1;
        if (bits == 16) {
            samples[2 * (3 * index + k)] = (uint8_t)(q >> 8);
            samples[2 * (3 * index + k) + 1] = (uint8_t)q;
        } else {
            samples[3 * index + k] = (uint8_t)q;
        }
    }
}

struct real_tile {
    int32_t heights[REAL_SAMPLES];
    uint8_t normals[REAL_SAMPLES * 6], colors[REAL_SAMPLES * 3];
    int normal_bits;
};

static inline void real_tile_make(struct real_tile *tile, struct node node, double radius_m, real_function *function)
{
    tile->normal_bits = normal_bits(tile_spacing_m(radius_m, REAL_INTERVALS, node.level));
    for (int row = 0; row < REAL_SIDE; row++) {
        for (int column = 0; column < REAL_SIDE; column++) {
            size_t index = (size_t)(row * REAL_SIDE + column);
            struct double3 dir = tile_sample_dir(node, REAL_INTERVALS, column, row);
            struct real_sample sample = {0, dir, {0, 0, 0}};
            function(node, column, row, dir, &sample);
            tile->heights[index] = sample.height;
            real_put_normal(tile->normals, index, tile->normal_bits, node, dir, sample.normal);
            memcpy(tile->colors + 3 * index, sample.rgb, 3);
        }
    }
}

static inline void real_hash_heights(uint8_t digest[SHA256_BYTES], const int32_t *heights)
{
    static uint8_t bytes[REAL_SAMPLES * 4];
    for (size_t k = 0; k < REAL_SAMPLES; k++)
        put_i32le(bytes + 4 * k, heights[k]);
    sha256_of(digest, bytes, sizeof bytes);
}

// Where the encoded layers of one tile go.
struct real_blobs {
    uint8_t *bytes[LAYER_COUNT];
    void *scratch;
};

static inline void real_encode(struct pack_entry *entry, const struct real_tile *tile, unsigned layers,
                               struct real_blobs *blobs)
{
    entry->height_min = entry->height_max = tile->heights[0];
    for (size_t k = 0; k < REAL_SAMPLES; k++) {
        entry->height_min = tile->heights[k] < entry->height_min ? tile->heights[k] : entry->height_min;
        entry->height_max = tile->heights[k] > entry->height_max ? tile->heights[k] : entry->height_max;
    }
    size_t lengths[LAYER_COUNT] = {0};
    if (layers >> LAYER_HEIGHT & 1) {
        lengths[LAYER_HEIGHT] = height_encode(blobs->bytes[LAYER_HEIGHT], tile->heights, REAL_SIDE, blobs->scratch);
        real_hash_heights(entry->content[LAYER_HEIGHT], tile->heights);
    }
    if (layers >> LAYER_NORMAL & 1) {
        lengths[LAYER_NORMAL] = picture_encode(blobs->bytes[LAYER_NORMAL], tile->normals, REAL_SIDE, tile->normal_bits,
                                               false, blobs->scratch);
        sha256_of(entry->content[LAYER_NORMAL], tile->normals, layer_bytes(LAYER_NORMAL, REAL_SIDE, tile->normal_bits));
    }
    if (layers >> LAYER_COLOR & 1) {
        lengths[LAYER_COLOR] =
            picture_encode(blobs->bytes[LAYER_COLOR], tile->colors, REAL_SIDE, 8, true, blobs->scratch);
        sha256_of(entry->content[LAYER_COLOR], tile->colors, layer_bytes(LAYER_COLOR, REAL_SIDE, 8));
    }
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (lengths[kind] == 0)
            continue;
        entry->blobs[kind] = blobs->bytes[kind];
        entry->lengths[kind] = (uint32_t)lengths[kind];
        entry->crcs[kind] = pack_crc(blobs->bytes[kind], entry->lengths[kind]);
    }
}

static inline size_t real_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// Writes a pack of these tiles, of REAL_INTERVALS; aborts when it does not come about.
static inline void real_write(const char *path, const struct pack_info *info, const struct sample_keys *set,
                              real_function *function)
{
    struct status status;
    struct pack_writer *writer;
    struct real_blobs blobs;
    blobs.bytes[LAYER_HEIGHT] = malloc(height_encode_bound(REAL_SIDE));
    blobs.bytes[LAYER_NORMAL] = malloc(picture_encode_bound(REAL_SIDE, 16));
    blobs.bytes[LAYER_COLOR] = malloc(picture_encode_bound(REAL_SIDE, 8));
    blobs.scratch =
        malloc(real_larger(height_codec_scratch_bytes(REAL_SIDE), picture_encode_scratch_bytes(REAL_SIDE, 16)));
    struct real_tile *tile = malloc(sizeof *tile);
    unlink(path);
    if (!tile ||
        pack_writer_begin(&writer, path, sample_path("spool"), info, SAMPLE_METADATA, strlen(SAMPLE_METADATA), &status))
        abort();
    for (size_t k = 0; k < set->count; k++) {
        struct pack_entry entry = {.key = set->keys[k]};
        real_tile_make(tile, tile_key_node(set->keys[k]), info->radius_m, function);
        real_encode(&entry, tile, info->layers, &blobs);
        if (pack_writer_add(writer, &entry, &status))
            abort();
    }
    if (pack_writer_finish(writer, NULL, &status))
        abort();
    pack_writer_free(writer);
    free(tile);
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        free(blobs.bytes[kind]);
    free(blobs.scratch);
}

#endif
