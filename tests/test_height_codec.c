// SPDX-License-Identifier: MIT
// Height blobs: lossless for all int32, read back by a decoder written from pack.md alone, refused when anything is
// odd.
#include <stdbool.h>
#include <zlib.h>

#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "formats/deflate_encode.h"
#include "formats/height_codec.h"
#include "formats/height_predict.h"
#include "tests/check.h"
#include "tests/guard_page.h"
#include "tests/land_tile.h"
#include "tests/tiny_inflate.h"

#define SAMPLES_MAX ((size_t)TILE_SAMPLES_MAX * TILE_SAMPLES_MAX)

static struct guard_page blob_guard, heights_guard, scratch_guard;
static int32_t heights[SAMPLES_MAX], decoded[SAMPLES_MAX];
static uint8_t planes[4 * SAMPLES_MAX];

// As much as the contract says for the side, up to the guard.
static void *scratch_for(int side)
{
    return guard_page_tail(&scratch_guard, (height_codec_scratch_bytes(side) + 7) & ~(size_t)7);
}

// The decoder of pack.md, section 5.5, word for word.
static bool decode_by_the_book(int32_t *samples, int side, const uint8_t *blob, size_t blob_bytes)
{
    long area = (long)side * side, plane_count = blob[1];
    memset(planes, 0, sizeof planes);
    if (plane_count == 0) {
        for (long k = 0; k < area; k++)
            samples[k] = get_i32le(blob + 4);
        return blob_bytes == 8;
    }
    if (tiny_inflate(planes, (size_t)(area * plane_count), blob + 4, blob_bytes - 4) != area * plane_count)
        return false;
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            int32_t *at = samples + row * side + column;
            const uint8_t *byte = planes + row * side + column;
            int64_t folded = byte[0] | byte[area] << 8 | byte[2 * area] << 16 | (int64_t)byte[3 * area] << 24;
            int64_t residual = folded % 2 == 0 ? folded / 2 : -(folded + 1) / 2, prediction = 0;
            if (row == 0)
                prediction = column == 0 ? 0 : at[-1];
            else if (column == 0)
                prediction = at[-side];
            else if (row == 1 || column == 1)
                prediction = (int64_t)at[-1] + at[-side] - at[-side - 1];
            else {
                int64_t w = at[-1], n = at[-side], nw = at[-side - 1], ww = at[-2], nn = at[-2 * side];
                int64_t sum = 2 * (w + n - nw) + (2 * w - ww) + (2 * n - nn) + 2;
                prediction = (sum - ((sum % 4 + 4) % 4)) / 4;
            }
            *at = (int32_t)(uint32_t)(uint64_t)(prediction + residual);
        }
    }
    return true;
}

// Encodes heights[], decodes them twice, all buffers ending at guard pages. Leaves the blob at *blob.
static size_t come_back(int side, uint8_t **blob)
{
    size_t area = (size_t)side * (size_t)side, bound = height_encode_bound(side);
    uint8_t *target = guard_page_tail(&blob_guard, bound);
    int32_t *source = (int32_t *)(void *)guard_page_copy(&heights_guard, heights, area * sizeof *heights);
    size_t blob_bytes = height_encode(target, source, side, scratch_for(side));
    CHECK(blob_bytes <= bound);
    uint8_t *tail = guard_page_tail(&blob_guard, blob_bytes);
    memmove(tail, target, blob_bytes);
    struct status status;
    memset(source, 0x55, area * sizeof *heights);
    CHECK_TEXT(height_decode(source, side, tail, blob_bytes, scratch_for(side), &status) == STATUS_OK, "%s",
               status.text);
    CHECK(memcmp(source, heights, area * sizeof *heights) == 0);
    CHECK(decode_by_the_book(decoded, side, tail, blob_bytes));
    CHECK(memcmp(decoded, heights, area * sizeof *heights) == 0);
    *blob = tail;
    return blob_bytes;
}

#define KINDS 9
static void fill(int side, int kind)
{
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            uint64_t v = check_random();
            int32_t *at = heights + (size_t)row * (size_t)side + (size_t)column;
            if (kind == 0)
                *at = (int32_t)v;
            else if (kind == 1)
                *at = (row + column) % 2 ? INT32_MIN : INT32_MAX;
            else if (kind == 2)
                *at = v % 2 ? INT32_MIN : INT32_MAX;
            else if (kind == 3)
                *at = column % 2 ? INT32_MIN : INT32_MAX;
            else if (kind == 4)
                *at = row % 3 ? INT32_MAX : INT32_MIN;
            else if (kind == 5)
                *at = 3 * column - 7 * row;
            else if (kind == 6)
                *at = (int32_t)((uint32_t)row * 123456789u + (uint32_t)column * 987654321u);
            else if (kind == 7)
                *at = (int32_t)(v % 5) - 2;
            else
                *at = (row * row - column * column) * 37 + (int32_t)(v % 3);
        }
    }
}

static void all_tiles_come_back(void)
{
    static const int sides[] = {1, 2, 3, 4, 5, 17, 33, 65, 129};
    uint8_t *blob;
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        for (int kind = 0; kind < KINDS; kind++) {
            fill(sides[k], kind);
            come_back(sides[k], &blob);
        }
    }
    fill(TILE_SAMPLES_MAX, 0);
    come_back(TILE_SAMPLES_MAX, &blob);
    fill(TILE_SAMPLES_MAX, 8);
    come_back(TILE_SAMPLES_MAX, &blob);
}

static void constant_tiles_are_8_bytes(void)
{
    static const int32_t values[] = {0, 1, -1, 255, 256, INT32_MIN, INT32_MAX};
    static const int sides[] = {1, 2, 33, 129};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            uint8_t *blob;
            for (int i = 0; i < sides[k] * sides[k]; i++)
                heights[i] = values[v];
            CHECK(come_back(sides[k], &blob) == 8);
        }
    }
}

static void one_different_sample_anywhere_comes_back(void)
{
    enum { SIDE = 6 };
    static const int32_t values[] = {1, -1, INT32_MIN, INT32_MAX};
    for (int at = 0; at < SIDE * SIDE; at++) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            uint8_t *blob;
            memset(heights, 0, sizeof heights[0] * SIDE * SIDE);
            heights[at] = values[v];
            CHECK(come_back(SIDE, &blob) > 8);
        }
    }
}

static void planes_that_hold_nothing_are_left_out(void)
{
    static const int32_t steps[] = {100, 30000, 8000000, INT32_MAX};
    for (int k = 0; k < 4; k++) {
        uint8_t *blob;
        memset(heights, 0, sizeof heights[0] * 33 * 33);
        heights[500] = steps[k];
        come_back(33, &blob);
        CHECK_TEXT(blob[1] == k + 1, "%d planes for %d", blob[1], steps[k]);
    }
}

static void make_land(int side)
{
    static uint8_t pictures[2][3 * SAMPLES_MAX];
    struct land_kind kind = {side, 153, 0.57, 5};
    land_make(&kind, heights, pictures[0], pictures[1]);
}

static void land_takes_less_than_half(void)
{
    uint8_t *blob;
    make_land(129);
    size_t blob_bytes = come_back(129, &blob);
    CHECK_TEXT(blob_bytes < 129 * 129 * 4 * 9 / 20, "%zu", blob_bytes);
}

// Decodes bytes that end at a guard page into heights that end at one.
static enum status_code decode_guarded(int side, const uint8_t *bytes, size_t size_bytes, struct status *status)
{
    size_t area = (size_t)side * (size_t)side;
    int32_t *target = (int32_t *)(void *)guard_page_tail(&heights_guard, area * sizeof *target);
    return height_decode(target, side, guard_page_copy(&blob_guard, bytes, size_bytes), size_bytes, scratch_for(side),
                         status);
}

static void every_truncation_is_refused(void)
{
    static uint8_t whole[1 << 17];
    struct status status;
    uint8_t *blob;
    make_land(33);
    size_t blob_bytes = come_back(33, &blob);
    memcpy(whole, blob, blob_bytes);
    for (size_t cut = 0; cut < blob_bytes; cut++)
        CHECK_TEXT(decode_guarded(33, whole, cut, &status) == STATUS_INPUT, "%zu of %zu", cut, blob_bytes);
    CHECK(decode_guarded(33, whole, blob_bytes, &status) == STATUS_OK);
    for (size_t extra = 1; extra < 20; extra++)
        CHECK(decode_guarded(33, whole, blob_bytes + extra, &status) == STATUS_INPUT);
    for (size_t cut = 0; cut < 10; cut++)
        CHECK((decode_guarded(33, (const uint8_t *)"\1\0\0\0abcdef", cut, &status) == STATUS_OK) == (cut == 8));
}

// Bits that fill up a byte may change nothing; every other one is noticed, by the checksum at the latest.
static void every_flipped_bit_is_refused_or_harmless(void)
{
    static uint8_t whole[1 << 17];
    struct status status;
    uint8_t *blob;
    int harmless = 0;
    make_land(33);
    size_t blob_bytes = come_back(33, &blob), heights_bytes = 33 * 33 * sizeof *heights;
    memcpy(whole, blob, blob_bytes);
    for (size_t bit = 0; bit < 8 * blob_bytes; bit++) {
        whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (decode_guarded(33, whole, blob_bytes, &status) == STATUS_OK) {
            harmless++;
            CHECK(memcmp(guard_page_tail(&heights_guard, heights_bytes), heights, heights_bytes) == 0);
        }
        whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK_TEXT(harmless <= 7 * (blob[1] + 1), "%d of %zu", harmless, 8 * blob_bytes);
}

// A blob of the given planes, deflated by zlib.
static size_t blob_of_planes(uint8_t *blob, size_t room, int plane_count, const uint8_t *bytes, size_t size_bytes)
{
    uLongf deflated = room - 4;
    blob[0] = 1;
    blob[1] = (uint8_t)plane_count;
    blob[2] = blob[3] = 0;
    CHECK(compress2(blob + 4, &deflated, bytes, size_bytes, 9) == Z_OK);
    return deflated + 4;
}

static void refuse(const uint8_t *blob, size_t blob_bytes, const char *reason)
{
    struct status status = {0};
    CHECK(decode_guarded(5, blob, blob_bytes, &status) == STATUS_INPUT);
    CHECK_TEXT(strstr(status.text, reason), "%s", status.text);
}

static void odd_blobs_are_refused_with_a_reason(void)
{
    uint8_t blob[200], zeros[200] = {0}, good[200] = {3, 0, 0, 0, 0, 0, 0, 9};
    size_t blob_bytes = blob_of_planes(blob, sizeof blob, 1, good, 25);
    struct status status;
    CHECK(decode_guarded(5, blob, blob_bytes, &status) == STATUS_OK);
    blob[0] = 2;
    refuse(blob, blob_bytes, "predictor 2");
    blob[0] = 1;
    blob[1] = 5;
    refuse(blob, blob_bytes, "5 planes");
    blob[1] = 0;
    refuse(blob, blob_bytes, "8 bytes");
    blob[1] = 1;
    blob[2] = 1;
    refuse(blob, blob_bytes, "reserved");
    blob[2] = 0;
    blob[3] = 1;
    refuse(blob, blob_bytes, "reserved");
    blob[3] = 0;
    blob[4] ^= 0x10;
    refuse(blob, blob_bytes, "broken");
    refuse(blob, 3, "cut short");
    refuse(blob, blob_of_planes(blob, sizeof blob, 1, good, 24), "1 bytes of its planes are missing");
    refuse(blob, blob_of_planes(blob, sizeof blob, 1, good, 26), "more than its planes");
    refuse(blob, blob_of_planes(blob, sizeof blob, 2, good, 25), "25 bytes of its planes are missing");
    refuse(blob, blob_of_planes(blob, sizeof blob, 1, good, 25) + 1, "1 bytes after its end");
    refuse(blob, blob_of_planes(blob, sizeof blob, 2, good, 50), "highest plane");
    refuse(blob, blob_of_planes(blob, sizeof blob, 1, zeros, 25), "short form");
    zeros[0] = 200;
    refuse(blob, blob_of_planes(blob, sizeof blob, 1, zeros, 25), "short form");
}

static void streams_of_other_deflaters_are_read(void)
{
    static uint8_t other[1 << 17];
    struct status status;
    uint8_t *blob;
    make_land(65);
    size_t blob_bytes = come_back(65, &blob);
    long inflated = tiny_inflate(planes, sizeof planes, blob + 4, blob_bytes - 4);
    CHECK(inflated == blob[1] * 65 * 65);
    size_t other_bytes = blob_of_planes(other, sizeof other, blob[1], planes, (size_t)inflated);
    CHECK(height_decode(decoded, 65, other, other_bytes, scratch_for(65), &status) == STATUS_OK);
    CHECK(memcmp(decoded, heights, 65 * 65 * sizeof *heights) == 0);
}

static void check_golden(int side, const char *wanted)
{
    char text[2 * 60 + 1];
    uint8_t *blob;
    size_t blob_bytes = come_back(side, &blob);
    if (blob_bytes <= 60) {
        for (size_t k = 0; k < blob_bytes; k++)
            snprintf(text + 2 * k, 3, "%02x", blob[k]);
    } else {
        snprintf(text, sizeof text, "%zu bytes, CRC %08lx", blob_bytes, crc32(0, blob, (uInt)blob_bytes));
    }
    CHECK_TEXT(strcmp(text, wanted) == 0, "side %d is %s", side, text);
}

// Should this fail, packs made before and after differ: if that is meant, DEFLATE_PROFILE must grow.
static void the_bytes_stay(void)
{
    heights[0] = -559038737;
    check_golden(1, "01000000efbeadde");
    for (int k = 0; k < 9; k++)
        heights[k] = k * k - 5;
    check_golden(3, "010100007801010900f6ff090206120c0c360c100236008e");
    uint32_t state = 7;
    for (int k = 0; k < 129 * 129; k++) {
        state = state * 1664525 + 1013904223;
        int row = k / 129, column = k % 129;
        heights[k] = row * row * 3 - column * row + (int32_t)(state >> 24) * (state >> 31 ? 20 : 1);
    }
    check_golden(129, "28911 bytes, CRC 6a17a55d");
}

static void planes_are_the_same_without_vectors(void)
{
    static uint8_t plain[4 * SAMPLES_MAX];
    static uint32_t row[TILE_SAMPLES_MAX];
    for (int side = 1; side <= 140; side += side < 70 ? 1 : 7) {
        size_t area = (size_t)side * (size_t)side;
        for (int kind = 0; kind < KINDS; kind++) {
            fill(side, kind);
            const int32_t *source =
                (const int32_t *)(const void *)guard_page_copy(&heights_guard, heights, area * sizeof *heights);
            uint8_t *target = guard_page_tail(&blob_guard, 4 * area);
            memset(target, 0x55, 4 * area);
            struct height_residual_bits bits = height_to_planes(target, source, side, row);
            struct height_residual_bits right = height_to_planes_plain(plain, source, side, row);
            CHECK_TEXT(memcmp(target, plain, 4 * area) == 0 && bits.first == right.first && bits.others == right.others,
                       "side %d, kind %d", side, kind);
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    blob_guard = guard_page_new(height_encode_bound(TILE_SAMPLES_MAX));
    heights_guard = guard_page_new(sizeof heights);
    scratch_guard = guard_page_new(height_codec_scratch_bytes(TILE_SAMPLES_MAX) + 7);
    CHECK_RUN(all_tiles_come_back);
    CHECK_RUN(planes_are_the_same_without_vectors);
    CHECK_RUN(constant_tiles_are_8_bytes);
    CHECK_RUN(one_different_sample_anywhere_comes_back);
    CHECK_RUN(planes_that_hold_nothing_are_left_out);
    CHECK_RUN(land_takes_less_than_half);
    CHECK_RUN(every_truncation_is_refused);
    CHECK_RUN(every_flipped_bit_is_refused_or_harmless);
    CHECK_RUN(odd_blobs_are_refused_with_a_reason);
    CHECK_RUN(streams_of_other_deflaters_are_read);
    CHECK_RUN(the_bytes_stay);
    guard_page_free(&blob_guard);
    guard_page_free(&heights_guard);
    guard_page_free(&scratch_guard);
    return CHECK_END;
}
