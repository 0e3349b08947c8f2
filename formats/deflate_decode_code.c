// SPDX-License-Identifier: MIT
#include "formats/deflate_decode_code.h"

#include <assert.h>
#include <string.h>

static unsigned turned(unsigned word, unsigned length)
{
    unsigned result = 0;
    for (unsigned k = 0; k < length; k++)
        result |= (word >> k & 1) << (length - 1 - k);
    return result;
}

bool decode_code_build(struct decode_code *code, const uint8_t *lengths, unsigned symbol_count)
{
    unsigned next[DECODE_LENGTH_MAX + 2] = {0}, places[DECODE_LENGTH_MAX + 2] = {0}, room = 1;
    memset(code->counts, 0, sizeof code->counts);
    for (unsigned k = 0; k < symbol_count; k++)
        code->counts[lengths[k]]++;
    code->counts[0] = 0;
    for (unsigned length = 1; length <= DECODE_LENGTH_MAX; length++) {
        next[length + 1] = (next[length] + code->counts[length]) << 1;
        places[length + 1] = places[length] + code->counts[length];
        room <<= 1;
        if (code->counts[length] > room)
            return false;
        room -= code->counts[length];
    }
    if (room != 0)
        return false;
    memset(code->symbols, 0, sizeof code->symbols);
    for (unsigned k = 0; k < symbol_count; k++) {
        unsigned length = lengths[k];
        if (length == 0)
            continue;
        code->sorted[places[length]++] = (uint16_t)k;
        unsigned word = turned(next[length]++, length);
        for (; length <= LOOK_BITS && word < 1u << LOOK_BITS; word += 1u << length)
            code->symbols[word] = (uint16_t)(k << 4 | length);
    }
    return true;
}

void decode_code_add_words(struct decode_code *code)
{
    for (unsigned bits = 0; bits < 1u << LOOK_BITS; bits++) {
        uint64_t literals = 0, taken = 0;
        unsigned count = 0;
        for (; count < WORD_LITERALS; count++) {
            unsigned entry = code->symbols[bits >> taken], length = entry & 15;
            if (length == 0 || length > LOOK_BITS - taken || entry >> 4 >= DECODE_END_OF_BLOCK)
                break;
            literals |= (uint64_t)(entry >> 4) << 8 * count;
            taken += length;
        }
        code->words[bits] = literals | taken << DECODE_LENGTH_SHIFT | (uint64_t)count << DECODE_LITERALS_SHIFT;
    }
}

unsigned decode_symbol(const struct decode_code *code, uint64_t bits, unsigned *length)
{
    unsigned entry = code->symbols[bits & ((1u << LOOK_BITS) - 1)];
    if (entry != 0) {
        *length = entry & 15;
        return entry >> 4;
    }
    // Bit by bit: the words of a length follow those of all shorter ones.
    unsigned word = 0, first = 0, place = 0;
    for (*length = 1;; ++*length) {
        assert(*length <= DECODE_LENGTH_MAX); // in a complete code some word is found
        word = word << 1 | (unsigned)(bits & 1);
        bits >>= 1;
        unsigned count = code->counts[*length];
        if (word - first < count)
            return code->sorted[place + word - first];
        place += count;
        first = (first + count) << 1;
    }
}

unsigned decode_match_bytes(unsigned symbol, unsigned *extra_bits)
{
    unsigned v = symbol - 257;
    *extra_bits = v < 8 || v == 28 ? 0 : (v - 4) / 4;
    return v < 8 ? v + 3 : v == 28 ? 258 : ((4 + v % 4) << *extra_bits) + 3;
}
