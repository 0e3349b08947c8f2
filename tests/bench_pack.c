// SPDX-License-Identifier: MIT
// What a reader of a pack waits for, one JSON object a line, medians of ROUNDS rounds of wall time, the file being in
// the page cache:
//   {"bench":"open", "tiles":…, "us":…}                      opening and closing the pack
//   {"bench":"find", "tiles":…, "per_s":…}                   records of random tiles, with a cold cursor each
//   {"bench":"read", "tiles":…, "per_s":…, "mb_per_s":…}     the same and all layers decoded (samples in MB)
// Random tiles are of the deepest full level.
//   bench_pack PACK [ROUNDS]
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/splitmix64.h"
#include "formats/pack.h"

#define ROUNDS_MAX 99
#define OPENS_PER_ROUND 200
#define TILES_PER_ROUND 500

static struct status status;
static uint64_t random_state;
static unsigned char samples[TILE_SAMPLES_MAX * TILE_SAMPLES_MAX * 6];

// Always the same places.
static uint64_t random_below(uint64_t count)
{
    return splitmix64_next(&random_state) % count;
}

static double wall_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
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

static void need(enum status_code code)
{
    if (code) {
        fprintf(stderr, "bench_pack: %s\n", status.text);
        exit((int)code);
    }
}

static double open_round(const char *path)
{
    double start = wall_seconds();
    for (int k = 0; k < OPENS_PER_ROUND; k++) {
        struct pack *pack;
        need(pack_open(&pack, path, &status));
        pack_close(pack);
    }
    return (wall_seconds() - start) / OPENS_PER_ROUND;
}

static struct pack_tile find_random(const struct pack *pack)
{
    uint64_t count = UINT64_C(1) << pack_full_depth(pack);
    struct node node = {.face = (int)random_below(CUBE_FACE_COUNT), .level = pack_full_depth(pack)};
    node.x = (uint32_t)random_below(count);
    node.y = (uint32_t)random_below(count);
    struct pack_cursor *cursor;
    struct pack_tile tile;
    bool found;
    need(pack_cursor_new(&cursor, pack, &status));
    need(pack_find(cursor, node, &found, &tile, &status));
    pack_cursor_free(cursor);
    if (!found) {
        fputs("bench_pack: a tile of a full level is not there\n", stderr);
        exit(3);
    }
    return tile;
}

static double find_round(const struct pack *pack)
{
    double start = wall_seconds();
    for (int k = 0; k < TILES_PER_ROUND; k++)
        find_random(pack);
    return (wall_seconds() - start) / TILES_PER_ROUND;
}

// *bytes counts the samples' bytes.
static double read_round(const struct pack *pack, struct layer_decoder *decoder, double *bytes)
{
    const struct pack_info *info = pack_get_info(pack);
    double spacing_m = tile_spacing_m(info->radius_m, info->intervals, pack_full_depth(pack));
    double start = wall_seconds();
    *bytes = 0;
    for (int k = 0; k < TILES_PER_ROUND; k++) {
        struct pack_tile tile = find_random(pack);
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            if (!(info->layers & 1u << kind))
                continue;
            need(layer_decode(decoder, &tile, (enum layer_kind)kind, samples, &status));
            *bytes += (double)layer_bytes((enum layer_kind)kind, info->intervals + 1, normal_bits(spacing_m));
        }
    }
    return (wall_seconds() - start) / TILES_PER_ROUND;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: bench_pack PACK [ROUNDS]\n", stderr);
        return 2;
    }
    int rounds = argc > 2 ? atoi(argv[2]) : 7;
    rounds = rounds < 3 ? 3 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    double opening[ROUNDS_MAX], finding[ROUNDS_MAX], reading[ROUNDS_MAX], bytes = 0;
    struct pack *pack;
    struct layer_decoder *decoder;
    need(pack_open(&pack, argv[1], &status));
    need(layer_decoder_new(&decoder, pack, &status));
    bool full = pack_full_depth(pack) >= 0;
    for (int k = 0; k < rounds; k++) {
        opening[k] = open_round(argv[1]);
        finding[k] = full ? find_round(pack) : 0;
        reading[k] = full ? read_round(pack, decoder, &bytes) : 0;
    }
    unsigned long long tiles = pack_tile_count(pack);
    printf("{\"bench\":\"open\",\"tiles\":%llu,\"us\":%.2f}\n", tiles, median(opening, rounds) * 1e6);
    if (full) {
        double read_s = median(reading, rounds);
        printf("{\"bench\":\"find\",\"tiles\":%llu,\"per_s\":%.0f}\n", tiles, 1 / median(finding, rounds));
        printf("{\"bench\":\"read\",\"tiles\":%llu,\"per_s\":%.0f,\"mb_per_s\":%.1f}\n", tiles, 1 / read_s,
               bytes / TILES_PER_ROUND / read_s * 1e-6);
    }
    layer_decoder_free(decoder);
    pack_close(pack);
    return 0;
}
