// SPDX-License-Identifier: MIT
#include "formats/deflate_header.h"

#include <string.h>

#include "formats/huffman.h"

#define LENGTH_LIMIT 7 // code lengths of code lengths have three bits
#define REPEAT 16
#define ZEROS 17
#define MANY_ZEROS 18

// The order in which the lengths of lengths are sent, so that the seldom ones can be left out at the end.
static const uint8_t sending_order[DEFLATE_LENGTH_SYMBOL_COUNT] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                                   11, 4,  12, 3, 13, 2, 14, 1, 15};

static unsigned extra_bits(int symbol)
{
    return symbol == REPEAT ? 2 : symbol == ZEROS ? 3 : symbol == MANY_ZEROS ? 7 : 0;
}

static void add_step(struct deflate_header *header, uint32_t *counts, int symbol, int extra)
{
    header->symbols[header->step_count] = (uint8_t)symbol;
    header->extras[header->step_count] = (uint8_t)extra;
    header->step_count++;
    counts[symbol]++;
}

// count times the same length, in the fewest steps.
static void add_lengths(struct deflate_header *header, uint32_t *counts, int length, int count)
{
    if (length != 0) {
        add_step(header, counts, length, 0);
        count--;
    }
    int longest = length == 0 ? 138 : 6;
    while (count >= 3) {
        int taken = count < longest ? count : longest;
        if (length != 0)
            add_step(header, counts, REPEAT, taken - 3);
        else if (taken <= 10)
            add_step(header, counts, ZEROS, taken - 3);
        else
            add_step(header, counts, MANY_ZEROS, taken - 11);
        count -= taken;
    }
    for (; count > 0; count--)
        add_step(header, counts, length, 0);
}

void deflate_header_build(struct deflate_header *header, const uint8_t *literal_lengths)
{
    uint8_t sent[DEFLATE_LITERALS + 1];
    uint32_t counts[DEFLATE_LENGTH_SYMBOL_COUNT] = {0};
    int literal_count = DEFLATE_LITERALS;
    while (literal_count > DEFLATE_END_OF_BLOCK + 1 && literal_lengths[literal_count - 1] == 0)
        literal_count--;
    memcpy(sent, literal_lengths, (size_t)literal_count);
    sent[literal_count] = 1; // the distance code
    int sent_count = literal_count + 1;

    header->literal_count = literal_count;
    header->step_count = 0;
    for (int at = 0, end; at < sent_count; at = end) {
        for (end = at + 1; end < sent_count && sent[end] == sent[at];)
            end++;
        add_lengths(header, counts, sent[at], end - at);
    }

    huffman_lengths(header->lengths, counts, DEFLATE_LENGTH_SYMBOL_COUNT, LENGTH_LIMIT);
    header->length_count = DEFLATE_LENGTH_SYMBOL_COUNT;
    while (header->length_count > 4 && header->lengths[sending_order[header->length_count - 1]] == 0)
        header->length_count--;
    header->bits = 3 + 5 + 5 + 4 + 3 * (uint32_t)header->length_count;
    for (int k = 0; k < DEFLATE_LENGTH_SYMBOL_COUNT; k++)
        header->bits += counts[k] * (header->lengths[k] + extra_bits(k));
}

void deflate_header_write(struct bit_writer *out, const struct deflate_header *header, bool last_block)
{
    uint64_t codes[DEFLATE_LENGTH_SYMBOL_COUNT];
    huffman_codes(codes, header->lengths, DEFLATE_LENGTH_SYMBOL_COUNT);
    bit_put(out, last_block, 1);
    bit_put(out, 2, 2); // dynamic codes
    bit_put(out, (uint64_t)(header->literal_count - 257), 5);
    bit_put(out, 0, 5); // one distance code
    bit_put(out, (uint64_t)(header->length_count - 4), 4);
    bit_flush(out);
    for (int k = 0; k < header->length_count; k++) {
        bit_put(out, header->lengths[sending_order[k]], 3);
        bit_flush(out);
    }
    for (int k = 0; k < header->step_count; k++) {
        bit_put_code(out, codes[header->symbols[k]]);
        bit_put(out, header->extras[k], extra_bits(header->symbols[k]));
        bit_flush(out);
    }
}
