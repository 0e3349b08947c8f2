// SPDX-License-Identifier: MIT
#include "formats/deflate_encode.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "formats/bit_writer.h"
#include "formats/deflate_adler.h"
#include "formats/deflate_header.h"
#include "formats/deflate_runs.h"
#include "formats/huffman.h"

#define ZLIB_HEAD_BYTES 2
#define ADLER_BYTES 4
#define STORED_MAX 65535 // bytes in one stored block
#define STORED_HEAD_BYTES 5

// Four codes and the 7 bits that may be waiting fit in 64 bits. Deflate would allow 15, which gains nothing: a code
// of 15 bits stands for less than one byte in 16,000.
#define LITERAL_LIMIT 14

#define BLOCK_MAX_BYTES DEFLATE_BLOCK_MAX_BYTES

// One way to code a block by Huffman codes.
struct block_code {
    uint8_t lengths[DEFLATE_LITERALS];
    struct deflate_header header;
    uint64_t bits; // head, data and end
};

struct deflate_scratch {
    uint32_t edges[DEFLATE_EDGES_MAX(BLOCK_MAX_BYTES)];
    uint32_t histograms[4][256];
    uint32_t literal_counts[DEFLATE_LITERALS], counts[DEFLATE_LITERALS];
    struct block_code plain, with_runs;
};

size_t deflate_scratch_bytes(void)
{
    return sizeof(struct deflate_scratch);
}

// All of size_bytes in stored blocks, from a byte boundary on.
static size_t stored_bytes(size_t size_bytes)
{
    size_t blocks = size_bytes / STORED_MAX + 1;
    return size_bytes + blocks * STORED_HEAD_BYTES;
}

size_t deflate_bound(size_t size_bytes)
{
    return ZLIB_HEAD_BYTES + stored_bytes(size_bytes) + ADLER_BYTES + BIT_WRITER_SLACK_BYTES;
}

// Four tables, so that equal neighbours do not wait for each other's store.
static void count_bytes(uint32_t (*tables)[256], const uint8_t *source, size_t size_bytes)
{
    size_t k = 0;
    for (; k + 8 <= size_bytes; k += 8) {
        uint64_t v = get_u64le(source + k);
        tables[0][v & 255]++;
        tables[1][v >> 8 & 255]++;
        tables[2][v >> 16 & 255]++;
        tables[3][v >> 24 & 255]++;
        tables[0][v >> 32 & 255]++;
        tables[1][v >> 40 & 255]++;
        tables[2][v >> 48 & 255]++;
        tables[3][v >> 56]++;
    }
    for (; k < size_bytes; k++)
        tables[0][source[k]]++;
}

static uint32_t run_length(const uint32_t *edges, size_t run)
{
    return edges[2 * run + 1] - edges[2 * run];
}

// Counts a block's symbols, all bytes as literals.
static void count_literals(uint32_t *counts, const uint8_t *source, size_t size_bytes, const uint32_t *edges,
                           size_t run_count, uint32_t (*tables)[256])
{
    memset(tables, 0, 4 * sizeof *tables);
    size_t at = 0;
    for (size_t k = 0; k < run_count; k++) {
        // Stopping costs about as much as counting this many bytes.
        if (run_length(edges, k) < 64)
            continue;
        count_bytes(tables, source + at, edges[2 * k] - at);
        tables[0][source[edges[2 * k]]] += run_length(edges, k);
        at = edges[2 * k + 1];
    }
    count_bytes(tables, source + at, size_bytes - at);
    memset(counts, 0, DEFLATE_LITERALS * sizeof *counts);
    for (int k = 0; k < 256; k++)
        counts[k] = tables[0][k] + tables[1][k] + tables[2][k] + tables[3][k];
    counts[DEFLATE_END_OF_BLOCK] = 1;
}

static uint32_t count_match(uint32_t *counts, uint32_t match_bytes)
{
    struct deflate_length length = deflate_length_of(match_bytes);
    counts[DEFLATE_END_OF_BLOCK + 1 + length.index]++;
    return length.extra_bits + 1;
}

// The same counts with the runs as matches instead. Returns the bits that matches take beside their length codes.
static uint64_t count_matches(uint32_t *counts, const uint32_t *literal_counts, const uint8_t *source,
                              const uint32_t *edges, size_t run_count)
{
    uint64_t bits = 0;
    memcpy(counts, literal_counts, DEFLATE_LITERALS * sizeof *counts);
    for (size_t k = 0; k < run_count; k++) {
        uint32_t left = run_length(edges, k);
        counts[source[edges[2 * k]]] -= left;
        while (left > DEFLATE_MATCH_MAX) {
            uint32_t match_bytes = deflate_cut_match(left);
            bits += count_match(counts, match_bytes);
            left -= match_bytes;
        }
        bits += count_match(counts, left);
    }
    return bits;
}

static void build_code(struct block_code *code, const uint32_t *counts, uint64_t other_bits)
{
    huffman_lengths(code->lengths, counts, DEFLATE_LITERALS, LITERAL_LIMIT);
    deflate_header_build(&code->header, code->lengths);
    code->bits = code->header.bits + other_bits;
    for (int k = 0; k < DEFLATE_LITERALS; k++)
        code->bits += (uint64_t)counts[k] * code->lengths[k];
}

// A code as put_codes() wants it: the bits at the top, their number at the bottom; 0 for nothing.
static void align_codes(uint64_t *aligned, const uint32_t *codes)
{
    for (int k = 0; k < DEFLATE_LITERALS; k++) {
        unsigned length = huffman_length(codes[k]);
        aligned[k] = length > 0 ? (uint64_t)huffman_bits(codes[k]) << (64 - length) | length : 0;
    }
}

// Appends 4 codes as one piece. Each shifts the ones before it down and comes in at the top; the lengths at the bottom
// are in nobody's way, since 4 LITERAL_LIMIT bits leave 8 bits free there.
static inline void put_codes(struct bit_writer *out, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t bits = a;
    bits = bits >> (b & 63) | b;
    bits = bits >> (c & 63) | c;
    bits = bits >> (d & 63) | d;
    unsigned length = (uint8_t)(a + b + c + d);
    bit_put(out, bits >> (63 - length) >> 1, length);
    bit_flush(out);
}

static inline void put_code(struct bit_writer *out, uint64_t code)
{
    unsigned length = code & 63;
    bit_put(out, code >> (64 - length), length);
}

// All ones where a < b, for small numbers; arithmetic, so that no compiler makes it a jump.
static inline uint64_t mask_less(uint64_t a, uint64_t b)
{
    return 0 - ((a - b) >> 63);
}

static inline void put_literals(struct bit_writer *out, const uint8_t *source, size_t count, const uint64_t *codes)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        put_codes(out, codes[source[k]], codes[source[k + 1]], codes[source[k + 2]], codes[source[k + 3]]);
    if (count == 0)
        return;
    // The rest without a loop, since nobody can foretell its length: what is not there becomes an empty code.
    uint64_t left = count - k, rest[3];
    for (uint64_t j = 0; j < 3; j++) {
        uint64_t mask = mask_less(j, left);
        rest[j] = codes[source[count - 1 - ((left - 1 - j) & mask)]] & mask;
    }
    put_codes(out, rest[0], rest[1], rest[2], 0);
}

static inline void put_match(struct bit_writer *out, uint32_t match_bytes, const uint64_t *codes)
{
    struct deflate_length length = deflate_length_of(match_bytes);
    put_code(out, codes[DEFLATE_END_OF_BLOCK + 1 + length.index]);
    // The bit after the length is the distance code: 0 for distance 1.
    bit_put(out, length.extra, length.extra_bits + 1);
    bit_flush(out);
}

static inline void put_run(struct bit_writer *out, uint32_t run_bytes, const uint64_t *codes)
{
    while (run_bytes > DEFLATE_MATCH_MAX) {
        uint32_t match_bytes = deflate_cut_match(run_bytes);
        put_match(out, match_bytes, codes);
        run_bytes -= match_bytes;
    }
    put_match(out, run_bytes, codes);
}

static void put_coded(struct bit_writer *writer, const uint8_t *source, size_t size_bytes,
                      const struct block_code *code, const uint32_t *edges, size_t run_count, bool last)
{
    uint32_t plain_codes[DEFLATE_LITERALS];
    uint64_t codes[DEFLATE_LITERALS];
    huffman_codes(plain_codes, code->lengths, DEFLATE_LITERALS);
    align_codes(codes, plain_codes);
    deflate_header_write(writer, &code->header, last);
    // A copy whose address nobody else has stays in registers.
    struct bit_writer out = *writer;
    size_t at = 0;
    for (size_t k = 0; k < run_count; k++) {
        put_literals(&out, source + at, edges[2 * k] - at, codes);
        put_run(&out, run_length(edges, k), codes);
        at = edges[2 * k + 1];
    }
    put_literals(&out, source + at, size_bytes - at, codes);
    put_code(&out, codes[DEFLATE_END_OF_BLOCK]);
    bit_flush(&out);
    *writer = out;
}

static void put_stored(struct bit_writer *out, const uint8_t *source, size_t size_bytes, bool last)
{
    do {
        size_t taken = size_bytes < STORED_MAX ? size_bytes : STORED_MAX;
        bit_put(out, last && taken == size_bytes, 1);
        bit_put(out, 0, 2);
        bit_align(out);
        put_u16le(out->at, (uint16_t)taken);
        put_u16le(out->at + 2, (uint16_t)~taken);
        if (taken > 0)
            memcpy(out->at + 4, source, taken);
        out->at += 4 + taken;
        source += taken;
        size_bytes -= taken;
    } while (size_bytes > 0);
}

static uint64_t stored_bits(const struct bit_writer *out, size_t size_bytes)
{
    unsigned first_bits = (out->count + 3 + 7) & ~7u;
    size_t more = (size_bytes - 1) / STORED_MAX;
    return first_bits - out->count + 8 * (4 + (uint64_t)size_bytes + more * STORED_HEAD_BYTES);
}

// Codes one block in its smallest form, the simplest among equals. False, with nothing written, where it would end
// beyond limit.
static bool put_block(struct bit_writer *out, const uint8_t *source, size_t size_bytes, bool last, const uint8_t *limit,
                      struct deflate_scratch *scratch)
{
    const struct block_code *best = NULL;
    size_t run_count = deflate_find_runs(scratch->edges, source, size_bytes);
    count_literals(scratch->literal_counts, source, size_bytes, scratch->edges, run_count, scratch->histograms);
    if (run_count > 0) {
        uint64_t match_bits =
            count_matches(scratch->counts, scratch->literal_counts, source, scratch->edges, run_count);
        build_code(&scratch->with_runs, scratch->counts, match_bits);
        best = &scratch->with_runs;
    }
    // Without runs every byte takes a bit at least, so that often there is no need to look.
    if (!best || best->bits >= size_bytes) {
        build_code(&scratch->plain, scratch->literal_counts, 0);
        if (!best || scratch->plain.bits <= best->bits)
            best = &scratch->plain;
    }
    uint64_t stored = stored_bits(out, size_bytes), bits = stored <= best->bits ? stored : best->bits;
    if ((out->count + bits + 7) / 8 > (uint64_t)(limit - out->at))
        return false;
    if (bits == stored)
        put_stored(out, source, size_bytes, last);
    else
        put_coded(out, source, size_bytes, best, scratch->edges, best == &scratch->plain ? 0 : run_count, last);
    return true;
}

size_t deflate_encode(uint8_t *target, const uint8_t *source, size_t size_bytes, size_t block_bytes,
                      struct deflate_scratch *scratch)
{
    assert(block_bytes > 0);
    if (block_bytes > BLOCK_MAX_BYTES)
        block_bytes = BLOCK_MAX_BYTES;
    // 32 KiB window, no preset dictionary, fastest level; the two bytes are a multiple of 31 as RFC 1950 demands.
    target[0] = 0x78;
    target[1] = 0x01;
    uint8_t *begin = target + ZLIB_HEAD_BYTES;
    struct bit_writer out = {.at = begin};
    const uint8_t *limit = begin + stored_bytes(size_bytes);
    bool fits = size_bytes > 0;
    for (size_t at = 0, taken; fits && at < size_bytes; at += taken) {
        taken = size_bytes - at < block_bytes ? size_bytes - at : block_bytes;
        fits = put_block(&out, source + at, taken, at + taken == size_bytes, limit, scratch);
    }
    if (!fits) {
        // Many small blocks that do not compress: their heads would break deflate_bound's promise.
        out = (struct bit_writer){.at = begin};
        put_stored(&out, source, size_bytes, true);
    }
    bit_align(&out);
    put_u32be(out.at, deflate_adler(source, size_bytes));
    return (size_t)(out.at - target) + ADLER_BYTES;
}
