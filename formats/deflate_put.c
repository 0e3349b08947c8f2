// SPDX-License-Identifier: MIT
#include "formats/deflate_put.h"

#include "formats/deflate_put_parts.h"
#include "formats/huffman.h"

void deflate_put_data(struct bit_writer *writer, const uint8_t *source, size_t size_bytes, const uint8_t *lengths,
                      const uint32_t *edges, size_t run_count)
{
    uint64_t codes[DEFLATE_LITERALS];
    struct bit_writer out = *writer;
    size_t at = 0;
    huffman_codes(codes, lengths, DEFLATE_LITERALS);
    for (size_t k = 0; k < run_count; k++) {
        out = deflate_put_literals(out, source + at, edges[2 * k] - at, codes);
        out = deflate_put_run(out, deflate_run_bytes(edges, k), codes);
        at = edges[2 * k + 1];
    }
    out = deflate_put_literals(out, source + at, size_bytes - at, codes);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK]);
    bit_flush(&out);
    *writer = out;
}
