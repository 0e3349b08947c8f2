// SPDX-License-Identifier: MIT
// Speed and size of the codecs on synthetic land (tests/land_tile.h), one JSON object a line:
//   {"bench":"deflate", "layer":…, "coder":…, …}
//       ours beside libdeflate level 1 (where it was there to build with) and zlib level 6, all on the same predicted
//       bytes
//   {"bench":"deflate ratio", "layer":…, …}
//       ours against libdeflate 1; layer "all" pools the three
//   {"bench":"codec", "layer":…, …}
//       whole blobs: MB/s of samples in and out, of blob bytes when decoding
//   {"bench":"hash", "layer":…, …}
//       SHA-256 of each layer and of all of a tile together (layer "all"), side by side (sha256_many.h; null where the
//       processor lacks it) and by nettle
// Times are thread CPU time, medians of ROUNDS rounds in which everything takes its turn.
//   bench_codec [ROUNDS]
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "common/clock.h"
#include "formats/deflate_encode.h"
#include "formats/height_codec.h"
#include "formats/height_predict.h"
#include "formats/layer.h"
#include "formats/picture_codec.h"
#include "formats/picture_filter.h"
#include "formats/sha256_many.h"
#include "tests/land_tile.h"

#define ROUNDS_MAX 99
#define TILES_MAX 32
#define SIDE_MAX 257

enum coder { TERRANE, LIBDEFLATE_1, ZLIB_6, CODER_COUNT };
static const char *const coder_names[CODER_COUNT] = {"terrane", "libdeflate 1", "zlib 6"};

// One layer of one tile: its samples, and the bytes that its predictor makes of them.
struct item {
    int side;
    uint8_t *samples, *predicted, *blob;
    size_t samples_bytes, predicted_bytes, block_bytes, blob_bytes;
};

static struct item items[LAYER_COUNT][TILES_MAX];
static int tile_count;
static uint8_t *target, *decoded;
static void *scratch;
static struct deflate_scratch *deflate_scratch;
#ifdef HAVE_LIBDEFLATE
static struct libdeflate_compressor *compressor;
#endif

static void *need(size_t size_bytes)
{
    void *memory = malloc(size_bytes);
    if (!memory) {
        fputs("bench_codec: out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static void predict_heights(struct item *item)
{
    static uint32_t row[SIDE_MAX];
    size_t area = (size_t)item->side * (size_t)item->side;
    item->predicted = need(HEIGHT_PLANES_MAX * area);
    struct height_residual_bits bits =
        height_to_planes(item->predicted, (const int32_t *)(void *)item->samples, item->side, row);
    for (uint32_t left = bits.first | bits.others; left != 0; left >>= 8)
        item->predicted_bytes += area;
    item->block_bytes = deflate_even_block(area);
}

static void predict_picture(struct item *item)
{
    size_t row_bytes = (size_t)item->side * 3;
    item->predicted_bytes = (size_t)item->side * (row_bytes + 1);
    item->predicted = need(item->predicted_bytes);
    picture_filter(item->predicted, item->samples, row_bytes, item->side, 3);
    item->block_bytes = deflate_even_block(item->predicted_bytes);
}

// Two sides, four spacings from coarse to fine, smooth and rough.
static void make_tiles(void)
{
    static const int sides[] = {129, 257};
    static const double spacings_m[] = {2400, 153, 9.5, 1.2};
    for (int k = 0; k < 16; k++, tile_count++) {
        struct land_kind kind = {sides[k % 2], spacings_m[k / 4], k / 2 % 2 ? 0.57 : 0.5, (uint64_t)k + 1};
        struct item *tile[LAYER_COUNT];
        for (int layer = 0; layer < LAYER_COUNT; layer++) {
            tile[layer] = &items[layer][tile_count];
            tile[layer]->side = kind.side;
            tile[layer]->samples_bytes = layer_bytes((enum layer_kind)layer, kind.side, 8);
            tile[layer]->samples = need(tile[layer]->samples_bytes);
            tile[layer]->blob = need(picture_encode_bound(SIDE_MAX, 16));
        }
        land_make(&kind, (int32_t *)(void *)tile[LAYER_HEIGHT]->samples, tile[LAYER_NORMAL]->samples,
                  tile[LAYER_COLOR]->samples);
        predict_heights(tile[LAYER_HEIGHT]);
        predict_picture(tile[LAYER_NORMAL]);
        predict_picture(tile[LAYER_COLOR]);
    }
}

static size_t deflate_by(enum coder coder, const struct item *item, size_t room)
{
    if (coder == TERRANE)
        return deflate_encode(target, item->predicted, item->predicted_bytes, item->block_bytes, deflate_scratch);
#ifdef HAVE_LIBDEFLATE
    if (coder == LIBDEFLATE_1)
        return libdeflate_zlib_compress(compressor, item->predicted, item->predicted_bytes, target, room);
#endif
    uLongf size_bytes = room;
    return compress2(target, &size_bytes, item->predicted, item->predicted_bytes, 6) == Z_OK ? size_bytes : 0;
}

static bool coder_there(enum coder coder)
{
#ifdef HAVE_LIBDEFLATE
    return coder < CODER_COUNT;
#else
    return coder != LIBDEFLATE_1;
#endif
}

static void bench_deflate(int rounds, size_t room)
{
    static double seconds[LAYER_COUNT][CODER_COUNT][ROUNDS_MAX];
    double medians[LAYER_COUNT + 1][CODER_COUNT] = {{0}};
    size_t raw_bytes[LAYER_COUNT] = {0}, sizes[LAYER_COUNT + 1][CODER_COUNT] = {{0}};
    for (int round = 0; round < rounds; round++) {
        for (int layer = 0; layer < LAYER_COUNT; layer++) {
            for (enum coder coder = TERRANE; coder < CODER_COUNT; coder++) {
                size_t sum = 0;
                double start = clock_thread_seconds();
                for (int k = 0; coder_there(coder) && k < tile_count; k++)
                    sum += deflate_by(coder, &items[layer][k], room);
                seconds[layer][coder][round] = clock_thread_seconds() - start;
                sizes[layer][coder] = sum;
            }
        }
    }
    for (int layer = 0; layer < LAYER_COUNT; layer++) {
        for (int k = 0; k < tile_count; k++)
            raw_bytes[layer] += items[layer][k].predicted_bytes;
        for (enum coder coder = TERRANE; coder < CODER_COUNT; coder++) {
            medians[layer][coder] = median(seconds[layer][coder], rounds);
            medians[LAYER_COUNT][coder] += medians[layer][coder];
            sizes[LAYER_COUNT][coder] += sizes[layer][coder];
            if (coder_there(coder))
                printf("{\"bench\":\"deflate\",\"layer\":\"%s\",\"coder\":\"%s\",\"mb_per_s\":%.1f,\"raw_bytes\":%zu,"
                       "\"bytes\":%zu}\n",
                       layer_names[layer], coder_names[coder], (double)raw_bytes[layer] / medians[layer][coder] * 1e-6,
                       raw_bytes[layer], sizes[layer][coder]);
        }
    }
    for (int layer = 0; coder_there(LIBDEFLATE_1) && layer <= LAYER_COUNT; layer++)
        printf("{\"bench\":\"deflate ratio\",\"layer\":\"%s\",\"speed\":%.2f,\"size\":%.4f}\n",
               layer < LAYER_COUNT ? layer_names[layer] : "all", medians[layer][LIBDEFLATE_1] / medians[layer][TERRANE],
               (double)sizes[layer][TERRANE] / (double)sizes[layer][LIBDEFLATE_1]);
}

static void encode_item(struct item *item, int layer)
{
    item->blob_bytes = layer == LAYER_HEIGHT
                           ? height_encode(item->blob, (const int32_t *)(void *)item->samples, item->side, scratch)
                           : picture_encode(item->blob, item->samples, item->side, 8, layer == LAYER_COLOR, scratch);
}

static void decode_item(const struct item *item, int layer)
{
    struct status status;
    enum status_code code =
        layer == LAYER_HEIGHT
            ? height_decode((int32_t *)(void *)decoded, item->side, item->blob, item->blob_bytes, scratch, &status)
            : picture_decode(decoded, item->side, 8, item->blob, item->blob_bytes, &status);
    if (code != STATUS_OK || memcmp(decoded, item->samples, item->samples_bytes) != 0) {
        fputs("bench_codec: a blob does not decode\n", stderr);
        exit(1);
    }
}

static void bench_blobs(int rounds)
{
    static double encoding[LAYER_COUNT][ROUNDS_MAX], decoding[LAYER_COUNT][ROUNDS_MAX];
    for (int round = 0; round < rounds; round++) {
        for (int layer = 0; layer < LAYER_COUNT; layer++) {
            double start = clock_thread_seconds();
            for (int k = 0; k < tile_count; k++)
                encode_item(&items[layer][k], layer);
            double middle = clock_thread_seconds();
            for (int k = 0; k < tile_count; k++)
                decode_item(&items[layer][k], layer);
            encoding[layer][round] = middle - start;
            decoding[layer][round] = clock_thread_seconds() - middle;
        }
    }
    for (int layer = 0; layer < LAYER_COUNT; layer++) {
        size_t samples_bytes = 0, blob_bytes = 0;
        for (int k = 0; k < tile_count; k++) {
            samples_bytes += items[layer][k].samples_bytes;
            blob_bytes += items[layer][k].blob_bytes;
        }
        double encode_s = median(encoding[layer], rounds), decode_s = median(decoding[layer], rounds);
        printf("{\"bench\":\"codec\",\"layer\":\"%s\",\"samples_bytes\":%zu,\"blob_bytes\":%zu,"
               "\"encode_samples_mb_per_s\":%.1f,\"decode_samples_mb_per_s\":%.1f,\"decode_blob_mb_per_s\":%.1f}\n",
               layer_names[layer], samples_bytes, blob_bytes, (double)samples_bytes / encode_s * 1e-6,
               (double)samples_bytes / decode_s * 1e-6, (double)blob_bytes / decode_s * 1e-6);
    }
}

// Hashes job_count layers from first_layer on of every tile.
static double hash_tiles(bool (*hash)(const struct sha256_job *, int), int first_layer, int job_count)
{
    static uint8_t digests[LAYER_COUNT][SHA256_BYTES];
    double start = clock_thread_seconds();
    for (int k = 0; k < tile_count; k++) {
        struct sha256_job jobs[LAYER_COUNT];
        for (int j = 0; j < job_count; j++)
            jobs[j] = (struct sha256_job){items[first_layer + j][k].samples, items[first_layer + j][k].samples_bytes,
                                          digests[j]};
        if (!hash(jobs, job_count))
            return 0;
    }
    return clock_thread_seconds() - start;
}

static bool hash_by_nettle(const struct sha256_job *jobs, int job_count)
{
    sha256_one_by_one(jobs, job_count);
    return true;
}

static void bench_hash(int rounds)
{
    static double together[LAYER_COUNT + 1][ROUNDS_MAX], nettle[LAYER_COUNT + 1][ROUNDS_MAX];
    for (int round = 0; round < rounds; round++) {
        for (int layer = 0; layer <= LAYER_COUNT; layer++) {
            int first = layer % LAYER_COUNT, job_count = layer < LAYER_COUNT ? 1 : LAYER_COUNT;
            together[layer][round] = hash_tiles(sha256_side_by_side, first, job_count);
            nettle[layer][round] = hash_tiles(hash_by_nettle, first, job_count);
        }
    }
    double all_bytes = 0;
    for (int layer = 0; layer <= LAYER_COUNT; layer++) {
        double bytes = 0;
        for (int k = 0; layer < LAYER_COUNT && k < tile_count; k++)
            bytes += (double)items[layer][k].samples_bytes;
        all_bytes += bytes;
        bytes = layer < LAYER_COUNT ? bytes : all_bytes;
        double together_s = median(together[layer], rounds);
        char text[32] = "null";
        if (together_s > 0)
            snprintf(text, sizeof text, "%.1f", bytes / together_s * 1e-6);
        printf("{\"bench\":\"hash\",\"layer\":\"%s\",\"side_by_side_mb_per_s\":%s,\"nettle_mb_per_s\":%.1f}\n",
               layer < LAYER_COUNT ? layer_names[layer] : "all", text, bytes / median(nettle[layer], rounds) * 1e-6);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 7;
    rounds = rounds < 5 ? 5 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    size_t room = 2 * picture_encode_bound(SIDE_MAX, 16);
    target = need(room);
    decoded = need(layer_bytes(LAYER_NORMAL, SIDE_MAX, 16));
    scratch = need(height_codec_scratch_bytes(SIDE_MAX) + picture_encode_scratch_bytes(SIDE_MAX, 16));
    deflate_scratch = need(deflate_scratch_bytes());
#ifdef HAVE_LIBDEFLATE
    compressor = libdeflate_alloc_compressor(1);
    if (!compressor)
        return 4;
#else
    fputs("bench_codec: built without libdeflate, so there is nothing to compare with but zlib\n", stderr);
#endif
    make_tiles();
    bench_deflate(rounds, room);
    bench_blobs(rounds);
    bench_hash(rounds);
    return 0;
}
