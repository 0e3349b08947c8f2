// SPDX-License-Identifier: MIT
// The deflate encoder: its streams are valid for zlib and for an inflate that shares nothing with it, small, and the
// same bytes for ever.
#include <stdbool.h>
#include <zlib.h>

#include "formats/deflate_adler.h"
#include "formats/deflate_count.h"
#include "formats/deflate_encode.h"
#include "formats/deflate_runs.h"
#include "tests/check.h"
#include "tests/guard_page.h"
#include "tests/tiny_inflate.h"

#define SOURCE_MAX (1u << 20)

static struct guard_page source_guard, target_guard;
static uint8_t inflated[SOURCE_MAX];
static struct deflate_scratch *scratch;

// Encodes size_bytes bytes, both buffers ending at a guard page, and checks the stream with both inflates.
static size_t encode_checked(const uint8_t *bytes, size_t size_bytes, size_t block_bytes)
{
    size_t bound = deflate_bound(size_bytes);
    uint8_t *source = guard_page_copy(&source_guard, bytes, size_bytes);
    uint8_t *target = guard_page_tail(&target_guard, bound);
    size_t encoded = deflate_encode(target, source, size_bytes, block_bytes, scratch);
    CHECK_TEXT(encoded <= bound && encoded <= size_bytes + size_bytes / 1000 + 11, "%zu for %zu", encoded, size_bytes);

    uLongf zlib_bytes = sizeof inflated;
    CHECK_TEXT(uncompress(inflated, &zlib_bytes, target, encoded) == Z_OK, "size %zu, blocks of %zu", size_bytes,
               block_bytes);
    CHECK(zlib_bytes == size_bytes && (size_bytes == 0 || memcmp(inflated, source, size_bytes) == 0));
    CHECK_TEXT(tiny_inflate(inflated, size_bytes, target, encoded) == (long)size_bytes, "size %zu, blocks of %zu",
               size_bytes, block_bytes);
    CHECK(size_bytes == 0 || memcmp(inflated, source, size_bytes) == 0);
    return encoded;
}

// Bytes of many characters, by kind: constant, noise, small residuals, runs of all lengths, two values, a ramp.
#define KINDS 6
static void fill(uint8_t *bytes, size_t size_bytes, unsigned kind)
{
    for (size_t k = 0; k < size_bytes; k++) {
        uint64_t v = check_random();
        if (kind == 0)
            bytes[k] = 77;
        else if (kind == 1)
            bytes[k] = (uint8_t)v;
        else if (kind == 2)
            bytes[k] = (uint8_t)((v & 7) + (v >> 8 & 7) + (v >> 16 & 7) - 10);
        else if (kind == 3)
            bytes[k] = k > 0 && v % 40 != 0 ? bytes[k - 1] : (uint8_t)(v >> 32);
        else if (kind == 4)
            bytes[k] = (uint8_t)((v & 15) == 0);
        else
            bytes[k] = (uint8_t)k;
    }
}

static void all_sizes_come_back(void)
{
    static uint8_t bytes[70000];
    static const size_t sizes[] = {0,   1,   2,   3,    4,    5,    7,    8,     9,     15,    16,    17,    63,
                                   64,  65,  66,  127,  128,  129,  255,  256,   257,   258,   259,   260,   261,
                                   511, 512, 513, 1000, 4095, 4096, 4097, 16641, 65534, 65535, 65536, 66049, 70000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            fill(bytes, sizes[k], kind);
            encode_checked(bytes, sizes[k], 70000);
            encode_checked(bytes, sizes[k], 1000);
        }
    }
}

static void all_block_sizes_come_back(void)
{
    static uint8_t bytes[5000];
    for (unsigned kind = 0; kind < KINDS; kind++) {
        fill(bytes, sizeof bytes, kind);
        for (size_t block_bytes = 1; block_bytes <= sizeof bytes + 1; block_bytes += 1 + block_bytes / 4)
            encode_checked(bytes, sizeof bytes, block_bytes);
    }
}

static void blocks_over_the_limit_are_cut(void)
{
    static uint8_t bytes[3 * DEFLATE_BLOCK_MAX_BYTES + 1];
    for (unsigned kind = 0; kind < KINDS; kind++) {
        fill(bytes, sizeof bytes, kind);
        size_t whole = encode_checked(bytes, sizeof bytes, sizeof bytes);
        CHECK(whole == encode_checked(bytes, sizeof bytes, DEFLATE_BLOCK_MAX_BYTES));
    }
}

// A run of every length to beyond four matches, between other bytes and at both ends.
static void all_run_lengths_come_back(void)
{
    static uint8_t bytes[1200];
    for (size_t run = 0; run <= 1100; run++) {
        for (size_t before = 0; before <= 65; before += 1 + before * 3) {
            fill(bytes, before, 1);
            memset(bytes + before, (int)(run & 255), run);
            size_t after = run % 5;
            fill(bytes + before + run, after, 1);
            encode_checked(bytes, before + run + after, sizeof bytes);
        }
    }
}

static void runs_are_found_wherever_they_begin(void)
{
    enum { SIZE = 400 };
    uint8_t bytes[SIZE];
    uint32_t edges[DEFLATE_EDGES_MAX(SIZE)];
    for (size_t k = 0; k < SIZE; k++)
        bytes[k] = (uint8_t)(k & 1);
    for (size_t begin = 0; begin < 140; begin++) {
        for (size_t length = 2; begin + length <= SIZE; length += 1 + length / 20) {
            memset(bytes + begin, 9, length);
            size_t count = deflate_find_runs(edges, bytes, SIZE);
            bool long_enough = length >= DEFLATE_RUN_MIN + 1;
            CHECK_TEXT(count == long_enough, "%zu at %zu: %zu", length, begin, count);
            if (long_enough && count == 1)
                CHECK(edges[0] == begin + 1 && edges[1] == begin + length);
            for (size_t k = begin; k < begin + length; k++)
                bytes[k] = (uint8_t)(k & 1);
        }
    }
}

// The spelling without SSE2 finds the same runs. A second copy of the file under another name.
#if defined(__SSE2__)
#undef __SSE2__
#define deflate_find_runs deflate_find_runs_without_sse2
size_t deflate_find_runs_without_sse2(uint32_t *edges, const uint8_t *source, size_t size_bytes);
#include "formats/deflate_runs.c"
#undef deflate_find_runs
#define __SSE2__ 1
#else
#define deflate_find_runs_without_sse2 deflate_find_runs
#endif

static void runs_are_the_same_without_vectors(void)
{
    enum { SIZE = 1000 };
    uint8_t bytes[SIZE];
    uint32_t edges[DEFLATE_EDGES_MAX(SIZE)], others[DEFLATE_EDGES_MAX(SIZE)];
    size_t found = 0;
    for (int round = 0; round < 3000; round++) {
        size_t size_bytes = check_random_below(SIZE);
        fill(bytes, size_bytes, round % 2 ? 3 : 4);
        uint8_t *source = guard_page_copy(&source_guard, bytes, size_bytes);
        size_t count = deflate_find_runs(edges, source, size_bytes);
        CHECK(count == deflate_find_runs_without_sse2(others, source, size_bytes));
        CHECK(memcmp(edges, others, 2 * count * sizeof *edges) == 0);
        found += count;
    }
    CHECK(found > 3000);
}

// Bytes that go through all ways of the vector code: windows of 16 values at both places, a few or many bytes outside
// them, runs, and code words from 1 bit to the longest.
static void fill_mixed(uint8_t *bytes, size_t size_bytes)
{
    uint64_t spread = 1 + check_random_below(6), rare = UINT64_C(1) << check_random_below(11);
    uint64_t base = check_random_below(2) * 248, steady = check_random_below(30);
    for (size_t k = 0; k < size_bytes; k++) {
        uint64_t v = check_random(), sum = 0;
        for (uint64_t j = 0; j < spread; j++)
            sum += v >> (8 + 3 * j) & 7;
        bytes[k] = (uint8_t)(base + (sum * 2 / (spread + 1)));
        if (v % rare == 0 && rare > 1)
            bytes[k] = (uint8_t)(v >> 40);
        if (k > 0 && (v >> 50) % 32 < steady)
            bytes[k] = bytes[k - 1];
    }
}

static void every_vector_width_writes_the_same_bytes(void)
{
    static const char *const names[] = {"base", "avx2"};
    static uint8_t bytes[20000], wanted[21000], other[21000];
    for (int round = 0; round < 600; round++) {
        size_t size_bytes = check_random_below(round % 4 ? 1500 : sizeof bytes);
        size_t block_bytes = 1 + check_random_below(2 * size_bytes + 1), wanted_bytes = 0;
        if (round % 3)
            fill_mixed(bytes, size_bytes);
        else
            fill(bytes, size_bytes, (unsigned)round / 3 % KINDS);
        uint8_t *source = guard_page_copy(&source_guard, bytes, size_bytes);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const struct deflate_kernels *kernels = deflate_kernels_named(names[k]);
            if (!kernels)
                continue;
            CHECK(strcmp(kernels->name, names[k]) == 0);
            size_t size = deflate_encode_with(kernels, k ? other : wanted, source, size_bytes, block_bytes, scratch);
            wanted_bytes = k ? wanted_bytes : size;
            CHECK_TEXT(size == wanted_bytes && (k == 0 || memcmp(wanted, other, size) == 0), "%s, %zu bytes", names[k],
                       size_bytes);
        }
        encode_checked(bytes, size_bytes, block_bytes);
    }
}

// Runs, counts and checksum each by itself: an encoder that finds others could still write a good stream.
static void every_vector_width_sees_the_same(void)
{
    enum { SIZE = 12000 };
    static uint8_t bytes[SIZE];
    static uint32_t edges[DEFLATE_EDGES_MAX(SIZE)], others[DEFLATE_EDGES_MAX(SIZE)];
    const struct deflate_kernels *kernels = deflate_kernels_choose();
    size_t found = 0;
    for (int round = 0; round < 300; round++) {
        size_t size_bytes = check_random_below(round % 4 ? 700 : SIZE);
        uint32_t tables[2][DEFLATE_TABLES][256] = {{{0}}};
        fill_mixed(bytes, size_bytes);
        uint8_t *source = guard_page_copy(&source_guard, bytes, size_bytes);
        size_t count = deflate_find_runs(edges, source, size_bytes);
        CHECK(kernels->find_runs(others, source, size_bytes) == count);
        CHECK(memcmp(edges, others, 2 * count * sizeof *edges) == 0);
        CHECK(kernels->adler(source, size_bytes) == adler32(1, source, (uInt)size_bytes));
        deflate_count_bytes(tables[0], source, size_bytes);
        kernels->count_bytes(tables[1], source, size_bytes);
        for (int k = 0; k < 256; k++) {
            uint32_t sums[2] = {0, 0};
            for (int table = 0; table < DEFLATE_TABLES; table++) {
                sums[0] += tables[0][table][k];
                sums[1] += tables[1][table][k];
            }
            CHECK_TEXT(sums[0] == sums[1], "byte %d of %zu: %u, %u", k, size_bytes, sums[0], sums[1]);
        }
        found += count;
    }
    CHECK(found > 1000);
}

static void the_processor_decides(void)
{
    CHECK(deflate_kernels_named("base") == &deflate_kernels_base && !deflate_kernels_named("sse9"));
    const struct deflate_kernels *quick = deflate_kernels_named("avx2");
    CHECK(deflate_kernels_choose() == (quick ? quick : &deflate_kernels_base));
}

static void the_checksum_is_adler_32(void)
{
    static uint8_t bytes[200001];
    static const size_t sizes[] = {0, 1, 15, 16, 17, 5551, 5552, 5553, 11104, 11120, 200001};
    for (int value = 0; value < 2; value++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            if (value == 0)
                memset(bytes, 255, sizeof bytes); // the greatest sums
            else
                fill(bytes, sizes[k], 1);
            uint32_t wanted = (uint32_t)adler32(1, bytes, (uInt)sizes[k]);
            CHECK(deflate_adler(bytes, sizes[k]) == wanted);
            CHECK(deflate_kernels_choose()->adler(bytes, sizes[k]) == wanted);
        }
    }
}

// Counts like Fibonacci numbers make the deepest trees: 23 bits without the limit.
static void codes_longer_than_the_limit_come_back(void)
{
    static uint8_t bytes[DEFLATE_BLOCK_MAX_BYTES];
    size_t at = 0;
    for (size_t symbol = 0, count = 1, next = 1; at + count <= sizeof bytes; symbol++) {
        for (size_t k = 0; k < count; k++)
            bytes[at++] = (uint8_t)(symbol * 37);
        size_t sum = count + next;
        count = next;
        next = sum;
    }
    for (size_t k = at - 1; k > 0; k--) { // in no order, so that there are no runs
        size_t other = check_random_below(k + 1);
        uint8_t byte = bytes[k];
        bytes[k] = bytes[other];
        bytes[other] = byte;
    }
    size_t encoded = encode_checked(bytes, at, sizeof bytes);
    CHECK_TEXT(encoded < at * 27 / 80, "%zu of %zu", encoded, at); // 2.7 bits a byte; the entropy is 2.6
}

static void every_alphabet_comes_back(void)
{
    static uint8_t bytes[2048];
    for (unsigned symbols = 1; symbols <= 256; symbols++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(k % symbols * 151);
        encode_checked(bytes, sizeof bytes, sizeof bytes);
        fill(bytes, sizeof bytes, 1);
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(256 - symbols + bytes[k] % symbols);
        encode_checked(bytes, sizeof bytes, sizeof bytes);
    }
}

static void noise_is_stored_with_next_to_no_loss(void)
{
    static uint8_t bytes[200000];
    fill(bytes, sizeof bytes, 1);
    CHECK(encode_checked(bytes, sizeof bytes, sizeof bytes) <= sizeof bytes + 2 + 6 * 5 + 4);
    CHECK(encode_checked(bytes, 60000, 20000) <= 60000 + 2 + 3 * 5 + 4);
    // One block of noise does not harm the next.
    memset(bytes + 20000, 0, 20000);
    CHECK(encode_checked(bytes, 40000, 20000) <= 20000 + 2 + 5 + 4 + 60);
    fill(bytes, sizeof bytes, 1);
    // Blocks too small to be worth their heads become one run of stored blocks.
    CHECK(encode_checked(bytes, 60000, 1) == 60000 + 2 + 5 + 4);
    CHECK(encode_checked(bytes, sizeof bytes, 7) == sizeof bytes + 2 + 4 * 5 + 4);
}

static void flat_data_nearly_vanish(void)
{
    static uint8_t bytes[SOURCE_MAX];
    memset(bytes, 0, sizeof bytes);
    // A match of 258 bytes takes 2 bits at least, so 1 MiB takes 1,016 bytes.
    CHECK(encode_checked(bytes, sizeof bytes, sizeof bytes) < 1200);
    CHECK(encode_checked(bytes, 16641, 16641) < 48);
    bytes[300000] = 1;
    CHECK(encode_checked(bytes, sizeof bytes, sizeof bytes) < 1250);
}

// zlib's own best coding without matches, in one block.
static size_t huffman_only_bytes(const uint8_t *bytes, size_t size_bytes)
{
    static uint8_t target[70000];
    z_stream stream = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)size_bytes};
    deflateInit2(&stream, 9, Z_DEFLATED, 15, 9, Z_HUFFMAN_ONLY);
    stream.next_out = target;
    stream.avail_out = sizeof target;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    size_t encoded = stream.total_out;
    deflateEnd(&stream);
    return encoded;
}

static void never_larger_than_plain_huffman_coding(void)
{
    static uint8_t bytes[32000];
    // A run of the one byte with a code of one bit, which as a match would need a rare code.
    for (size_t k = 0; k < 4000; k++)
        bytes[k] = (uint8_t)(k % 2 * (1 + check_random_below(200)));
    memset(bytes + 2000, 0, DEFLATE_RUN_MIN + 1);
    CHECK(encode_checked(bytes, 4000, 4000) <= huffman_only_bytes(bytes, 4000));
    for (int round = 0; round < 300; round++) {
        size_t size_bytes = 600 + check_random_below(sizeof bytes - 600);
        fill(bytes, size_bytes, (unsigned)round % KINDS);
        size_t ours = encode_checked(bytes, size_bytes, sizeof bytes), theirs = huffman_only_bytes(bytes, size_bytes);
        CHECK_TEXT(ours <= theirs, "%zu, zlib %zu of %zu", ours, theirs, size_bytes);
    }
}

static void neither_scratch_nor_place_shows_in_the_bytes(void)
{
    static uint8_t bytes[40001], one[50000], other[50000];
    fill(bytes, sizeof bytes, 3);
    for (size_t k = 0; k < 8; k++) {
        memset(scratch, 0, deflate_scratch_bytes());
        size_t a = deflate_encode(one, bytes + k, 40000 - k, 9000, scratch);
        memset(scratch, 0xAA, deflate_scratch_bytes());
        memmove(bytes, bytes + k, 40000 - k);
        size_t b = deflate_encode(other + k, bytes, 40000 - k, 9000, scratch);
        CHECK(a == b && memcmp(one, other + k, a) == 0);
    }
}

static void check_golden(const char *name, const uint8_t *bytes, size_t size_bytes, size_t block_bytes,
                         const char *wanted)
{
    static uint8_t target[1 << 17];
    char text[2 * 80 + 1];
    size_t encoded = deflate_encode(target, bytes, size_bytes, block_bytes, scratch);
    if (encoded <= 80) {
        for (size_t k = 0; k < encoded; k++)
            snprintf(text + 2 * k, 3, "%02x", target[k]);
    } else {
        snprintf(text, sizeof text, "%zu bytes, CRC %08lx", encoded, crc32(0, target, (uInt)encoded));
    }
    CHECK_TEXT(strcmp(text, wanted) == 0, "%s is %s", name, text);
}

// Should this fail, packs made before and after differ: if that is meant, DEFLATE_PROFILE must grow.
static void the_bytes_of_profile_1_stay(void)
{
    static const char text[] = "anna and hannah ran a band and an anthem, and a man ran and ran and ran";
    static uint8_t bytes[100000];
    CHECK(DEFLATE_PROFILE == 1);
    check_golden("nothing", bytes, 0, 1, "7801010000ffff00000001");
    check_golden("one byte", (const uint8_t *)"a", 1, 1, "7801010100feff6100620062");
    check_golden(
        "a text", (const uint8_t *)text, sizeof text - 1, 1000,
        "780105c0c109804010c0c05652804d4556b88f792cf68f63890dc7f2b086dc36d860d8779ef7c206798d356c58c386b51f68ee181b");
    memset(bytes, 5, sizeof bytes);
    check_golden("a run", bytes, 1000, 1000, "7801edc0310d000000c2b00bff96f1b1b403f20e35861389");
    bytes[400] = 6;
    check_golden("two blocks of runs", bytes, 1000, 500,
                 "7801ecc0310d000000c2b06bf8978c0a128e155d097b6d078e0900000000825dfa571684b11c0137de138a");
    size_t at = 0;
    for (size_t run = 1; at + run < sizeof bytes && run < 600; run++) {
        memset(bytes + at, (int)run & 255, run);
        at += run;
    }
    check_golden("runs of all lengths", bytes, at, at, "1266 bytes, CRC a61a4463");
    // A fixed generator, so that the seed of the test does not matter.
    uint32_t state = 1;
    for (size_t k = 0; k < sizeof bytes; k++) {
        state = state * 1664525 + 1013904223;
        bytes[k] = (uint8_t)(k % 1000 < 300 ? 0 : (state >> 29) * (state >> 26 & 7) / (k / 20000 + 1));
    }
    check_golden("residuals", bytes, sizeof bytes, 30000, "31695 bytes, CRC 9064c207");
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    source_guard = guard_page_new(SOURCE_MAX);
    target_guard = guard_page_new(deflate_bound(SOURCE_MAX));
    scratch = malloc(deflate_scratch_bytes());
    CHECK_RUN(all_sizes_come_back);
    CHECK_RUN(all_block_sizes_come_back);
    CHECK_RUN(blocks_over_the_limit_are_cut);
    CHECK_RUN(all_run_lengths_come_back);
    CHECK_RUN(runs_are_found_wherever_they_begin);
    CHECK_RUN(runs_are_the_same_without_vectors);
    CHECK_RUN(every_vector_width_writes_the_same_bytes);
    CHECK_RUN(every_vector_width_sees_the_same);
    CHECK_RUN(the_processor_decides);
    CHECK_RUN(the_checksum_is_adler_32);
    CHECK_RUN(codes_longer_than_the_limit_come_back);
    CHECK_RUN(every_alphabet_comes_back);
    CHECK_RUN(noise_is_stored_with_next_to_no_loss);
    CHECK_RUN(flat_data_nearly_vanish);
    CHECK_RUN(never_larger_than_plain_huffman_coding);
    CHECK_RUN(neither_scratch_nor_place_shows_in_the_bytes);
    CHECK_RUN(the_bytes_of_profile_1_stay);
    free(scratch);
    guard_page_free(&source_guard);
    guard_page_free(&target_guard);
    return CHECK_END;
}
