// SPDX-License-Identifier: MIT
#include "formats/deflate_put.h"

#include "formats/deflate_header.h"
#include "formats/deflate_runs.h"
#include "formats/huffman.h"

// All ones where a < b, for small numbers; arithmetic, so that no compiler makes it a jump.
static inline uint64_t mask_less(uint64_t a, uint64_t b)
{
    return 0 - ((a - b) >> 63);
}

// These take the writer by value and hand it back: a writer that no pointer leads to stays in registers, although bytes
// are stored all the time.

static inline struct bit_writer put_literals(struct bit_writer out, const uint8_t *source, size_t count,
                                             const uint64_t *codes)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        bit_put_codes(&out, codes[source[k]], codes[source[k + 1]], codes[source[k + 2]], codes[source[k + 3]]);
    if (count == 0)
        return out;
    // The rest without a loop, since nobody can foretell its length: what is not there becomes an empty word.
    uint64_t left = count - k, rest[3];
    for (uint64_t j = 0; j < 3; j++) {
        uint64_t mask = mask_less(j, left);
        rest[j] = codes[source[count - 1 - ((left - 1 - j) & mask)]] & mask;
    }
    bit_put_codes(&out, rest[0], rest[1], rest[2], 0);
    return out;
}

static inline struct bit_writer put_match(struct bit_writer out, uint32_t match_bytes, const uint64_t *codes)
{
    struct deflate_length length = deflate_length_of(match_bytes);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK + 1 + length.index]);
    // The bit after the length is the distance code: 0 for distance 1.
    bit_put(&out, length.extra, length.extra_bits + 1);
    bit_flush(&out);
    return out;
}

static inline struct bit_writer put_run(struct bit_writer out, uint32_t run_bytes, const uint64_t *codes)
{
    while (run_bytes > DEFLATE_MATCH_MAX) {
        uint32_t match_bytes = deflate_cut_match(run_bytes);
        out = put_match(out, match_bytes, codes);
        run_bytes -= match_bytes;
    }
    return put_match(out, run_bytes, codes);
}

void deflate_put_data(struct bit_writer *writer, const uint8_t *source, size_t size_bytes, const uint8_t *lengths,
                      const uint32_t *edges, size_t run_count)
{
    uint64_t codes[DEFLATE_LITERALS];
    struct bit_writer out = *writer;
    size_t at = 0;
    huffman_codes(codes, lengths, DEFLATE_LITERALS);
    for (size_t k = 0; k < run_count; k++) {
        out = put_literals(out, source + at, edges[2 * k] - at, codes);
        out = put_run(out, deflate_run_bytes(edges, k), codes);
        at = edges[2 * k + 1];
    }
    out = put_literals(out, source + at, size_bytes - at, codes);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK]);
    bit_flush(&out);
    *writer = out;
}
