// SPDX-License-Identifier: MIT
#include "formats/deflate_encode.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "formats/bit_writer.h"
#include "formats/deflate_count.h"
#include "formats/deflate_header.h"
#include "formats/deflate_kernels.h"
#include "formats/deflate_runs.h"
#include "formats/huffman.h"

#define ZLIB_HEAD_BYTES 2
#define ADLER_BYTES 4
#define STORED_MAX 65535 // bytes in one stored block
#define STORED_HEAD_BYTES 5

// One way to code a block by Huffman codes.
struct block_code {
    uint8_t lengths[DEFLATE_LITERALS];
    struct deflate_header header;
    uint64_t bits; // head, data and end
};

struct deflate_scratch {
    uint32_t edges[DEFLATE_EDGES_MAX(DEFLATE_BLOCK_MAX_BYTES)];
    uint32_t tables[DEFLATE_TABLES][256];
    const struct deflate_kernels *kernels; // of this call
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

size_t deflate_even_block(size_t size_bytes)
{
    if (size_bytes == 0)
        return 1;
    size_t block_count = (size_bytes + DEFLATE_BLOCK_MAX_BYTES - 1) / DEFLATE_BLOCK_MAX_BYTES;
    return (size_bytes + block_count - 1) / block_count;
}

static void build_code(struct block_code *code, const uint32_t *counts, uint64_t other_bits)
{
    huffman_lengths(code->lengths, counts, DEFLATE_LITERALS, BIT_CODE_MAX);
    deflate_header_build(&code->header, code->lengths);
    code->bits = code->header.bits + other_bits;
    for (int k = 0; k < DEFLATE_LITERALS; k++)
        code->bits += (uint64_t)counts[k] * code->lengths[k];
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

// Finds the block's runs and the smaller of the codes with and without them, the latter among equals.
static const struct block_code *choose_code(const uint8_t *source, size_t size_bytes, size_t *run_count,
                                            struct deflate_scratch *scratch)
{
    struct block_code *plain = &scratch->plain, *with_runs = &scratch->with_runs;
    *run_count = scratch->kernels->find_runs(scratch->edges, source, size_bytes);
    deflate_count_literals(scratch->literal_counts, source, size_bytes, scratch->edges, *run_count, scratch->tables,
                           scratch->kernels);
    if (*run_count > 0) {
        uint64_t match_bits =
            deflate_count_matches(scratch->counts, scratch->literal_counts, source, scratch->edges, *run_count);
        build_code(with_runs, scratch->counts, match_bits);
        // Without runs every byte takes a bit at least, so that often there is no need to look.
        if (with_runs->bits < size_bytes)
            return with_runs;
    }
    build_code(plain, scratch->literal_counts, 0);
    if (*run_count > 0 && with_runs->bits < plain->bits)
        return with_runs;
    *run_count = 0;
    return plain;
}

// Codes one block in its smallest form, stored among equals. False, with nothing written, where it would end beyond
// limit.
static bool put_block(struct bit_writer *out, const uint8_t *source, size_t size_bytes, bool last, const uint8_t *limit,
                      struct deflate_scratch *scratch)
{
    size_t run_count;
    const struct block_code *code = choose_code(source, size_bytes, &run_count, scratch);
    uint64_t stored = stored_bits(out, size_bytes), bits = stored <= code->bits ? stored : code->bits;
    if ((out->count + bits + 7) / 8 > (uint64_t)(limit - out->at))
        return false;
    if (bits == stored) {
        put_stored(out, source, size_bytes, last);
        return true;
    }
    deflate_header_write(out, &code->header, last);
    scratch->kernels->put_data(out, source, size_bytes, code->lengths, scratch->edges, run_count);
    return true;
}

size_t deflate_encode(uint8_t *target, const uint8_t *source, size_t size_bytes, size_t block_bytes,
                      struct deflate_scratch *scratch)
{
    return deflate_encode_with(deflate_kernels_choose(), target, source, size_bytes, block_bytes, scratch);
}

size_t deflate_encode_with(const struct deflate_kernels *kernels, uint8_t *target, const uint8_t *source,
                           size_t size_bytes, size_t block_bytes, struct deflate_scratch *scratch)
{
    assert(block_bytes > 0);
    scratch->kernels = kernels;
    if (block_bytes > DEFLATE_BLOCK_MAX_BYTES)
        block_bytes = DEFLATE_BLOCK_MAX_BYTES;
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
    put_u32be(out.at, kernels->adler(source, size_bytes));
    return (size_t)(out.at - target) + ADLER_BYTES;
}
