// SPDX-License-Identifier: MIT
// Deflate (RFC 1951) written bit by bit, right or wrong as the test wants it: any code lengths, in any steps, any
// symbols. Nothing is checked but the room.
#ifndef TERRANE_TESTS_DEFLATE_BY_HAND_H
#define TERRANE_TESTS_DEFLATE_BY_HAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HAND_LENGTHS_MAX 320 // 288 literals and lengths of matches, 32 distances
#define HAND_STEPS 19        // kinds of them
#define HAND_END_OF_BLOCK 256

struct hand_bits {
    uint8_t *bytes;
    size_t room_bytes, bit_count;
};

static inline void hand_put(struct hand_bits *out, unsigned bits, unsigned count)
{
    for (; count > 0; count--, bits >>= 1, out->bit_count++) {
        if (out->bit_count / 8 >= out->room_bytes)
            abort();
        uint8_t *byte = &out->bytes[out->bit_count / 8];
        *byte = (uint8_t)((out->bit_count % 8 ? *byte : 0) | (bits & 1) << out->bit_count % 8);
    }
}

static inline void hand_align(struct hand_bits *out)
{
    hand_put(out, 0, (unsigned)(-out->bit_count & 7));
}

// words[symbol]: the canonical code word of lengths[symbol] bits, the first bit lowest. Of an impossible code the words
// are not distinct.
static inline void hand_code(uint16_t *words, const uint8_t *lengths, unsigned symbol_count)
{
    unsigned next = 0;
    for (unsigned length = 1; length <= 15; length++, next <<= 1) {
        for (unsigned symbol = 0; symbol < symbol_count; symbol++) {
            if (lengths[symbol] != length)
                continue;
            words[symbol] = 0;
            for (unsigned k = 0; k < length; k++)
                words[symbol] |= (uint16_t)((next >> k & 1) << (length - 1 - k));
            next++;
        }
    }
}

struct hand_step {
    uint8_t symbol, extra; // 0..15: a length; 16, 17, 18: repeats
};

// The head of a dynamic block.
struct hand_head {
    unsigned literals, distances;     // how many lengths of each: 257..288, 1..32
    uint8_t step_lengths[HAND_STEPS]; // of the code of the steps, 0..7
    struct hand_step steps[HAND_LENGTHS_MAX];
    unsigned step_count;
};

// No steps yet, and a complete code in which each has a word.
static inline struct hand_head hand_head(unsigned literals)
{
    return (struct hand_head){.literals = literals,
                              .distances = 1,
                              .step_lengths = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5}};
}

static inline void hand_add_step(struct hand_head *head, unsigned symbol, unsigned extra)
{
    if (head->step_count == HAND_LENGTHS_MAX)
        abort();
    head->steps[head->step_count++] = (struct hand_step){(uint8_t)symbol, (uint8_t)extra};
}

// One step for each length.
static inline void hand_add_lengths(struct hand_head *head, const uint8_t *lengths, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        hand_add_step(head, lengths[k], 0);
}

// One step for each of the lengths, and one for the only distance code, of one bit, as our encoder has it.
static inline struct hand_head hand_head_of(const uint8_t *lengths, unsigned literals)
{
    struct hand_head head = hand_head(literals);
    hand_add_lengths(&head, lengths, literals);
    hand_add_step(&head, 1, 0);
    return head;
}

// The block from its first bit to the last step.
static inline void hand_put_head(struct hand_bits *out, const struct hand_head *head, bool last)
{
    static const uint8_t order[HAND_STEPS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint16_t words[HAND_STEPS] = {0};
    hand_code(words, head->step_lengths, HAND_STEPS);
    hand_put(out, last, 1);
    hand_put(out, 2, 2);
    hand_put(out, head->literals - 257, 5);
    hand_put(out, head->distances - 1, 5);
    hand_put(out, HAND_STEPS - 4, 4);
    for (int k = 0; k < HAND_STEPS; k++)
        hand_put(out, head->step_lengths[order[k]], 3);
    for (unsigned k = 0; k < head->step_count; k++) {
        const struct hand_step *step = &head->steps[k];
        hand_put(out, words[step->symbol], head->step_lengths[step->symbol]);
        hand_put(out, step->extra, step->symbol == 16 ? 2 : step->symbol == 17 ? 3 : step->symbol == 18 ? 7 : 0);
    }
}

// The head of a stored block, whose second length is the complement of the first but for wrong_bits.
static inline void hand_put_stored(struct hand_bits *out, bool last, unsigned size_bytes, unsigned wrong_bits)
{
    hand_put(out, last, 1);
    hand_put(out, 0, 2);
    hand_align(out);
    hand_put(out, size_bytes, 16);
    hand_put(out, size_bytes ^ 0xFFFF ^ wrong_bits, 16);
}

#endif
