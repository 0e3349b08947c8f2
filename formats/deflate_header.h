// SPDX-License-Identifier: MIT
// The head of a dynamic deflate block (RFC 1951, section 3.2.7): how the code lengths travel, themselves run-length
// and Huffman coded. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_HEADER_H
#define TERRANE_FORMATS_DEFLATE_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bit_writer.h"

#define DEFLATE_LITERALS 286 // literals 0..255, end of block 256, lengths 257..285
#define DEFLATE_END_OF_BLOCK 256
#define DEFLATE_LENGTH_SYMBOL_COUNT 19

struct deflate_header {
    int literal_count; // lengths sent: up to the last one in use, at least 257
    int step_count;
    uint8_t symbols[DEFLATE_LITERALS + 1]; // 0..15 a length, 16 repeat, 17 and 18 zeros
    uint8_t extras[DEFLATE_LITERALS + 1];  // the repeat count beyond its base
    uint8_t lengths[DEFLATE_LENGTH_SYMBOL_COUNT];
    int length_count; // lengths of lengths sent
    uint32_t bits;    // what the whole head takes, the block's three leading bits included
};

// Prepares the head for these DEFLATE_LITERALS code lengths and one distance code of one bit, for distance 1.
void deflate_header_build(struct deflate_header *header, const uint8_t *literal_lengths);

// At most 7 bits may be waiting in out; leaves it so.
void deflate_header_write(struct bit_writer *out, const struct deflate_header *header, bool last_block);

#endif
