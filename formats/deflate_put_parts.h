// SPDX-License-Identifier: MIT
// What the writers of a block's data share: literals one by one, and runs. These take the writer by value and hand it
// back: a writer that no pointer leads to stays in registers, although bytes are stored all the time. Private to the
// deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_PUT_PARTS_H
#define TERRANE_FORMATS_DEFLATE_PUT_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "formats/bit_writer.h"
#include "formats/deflate_header.h"
#include "formats/deflate_runs.h"

// All ones where a < b, for small numbers; arithmetic, so that no compiler makes it a jump.
static inline uint64_t deflate_mask_less(uint64_t a, uint64_t b)
{
    return 0 - ((a - b) >> 63);
}

static inline struct bit_writer deflate_put_literals(struct bit_writer out, const uint8_t *source, size_t count,
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
        uint64_t mask = deflate_mask_less(j, left);
        rest[j] = codes[source[count - 1 - ((left - 1 - j) & mask)]] & mask;
    }
    bit_put_codes(&out, rest[0], rest[1], rest[2], 0);
    return out;
}

static inline struct bit_writer deflate_put_match(struct bit_writer out, uint32_t match_bytes, const uint64_t *codes)
{
    struct deflate_length length = deflate_length_of(match_bytes);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK + 1 + length.index]);
    // The bit after the length is the distance code: 0 for distance 1.
    bit_put(&out, length.extra, length.extra_bits + 1);
    bit_flush(&out);
    return out;
}

static inline struct bit_writer deflate_put_run(struct bit_writer out, uint32_t run_bytes, const uint64_t *codes)
{
    while (run_bytes > DEFLATE_MATCH_MAX) {
        uint32_t match_bytes = deflate_cut_match(run_bytes);
        out = deflate_put_match(out, match_bytes, codes);
        run_bytes -= match_bytes;
    }
    return deflate_put_match(out, run_bytes, codes);
}

#endif
