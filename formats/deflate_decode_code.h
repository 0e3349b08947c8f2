// SPDX-License-Identifier: MIT
// A Huffman code made for reading. Private to the deflate decoder.
#ifndef TERRANE_FORMATS_DEFLATE_DECODE_CODE_H
#define TERRANE_FORMATS_DEFLATE_DECODE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#define LOOK_BITS 10
#define WORD_LITERALS 6
#define DECODE_SYMBOLS_MAX 286
#define DECODE_END_OF_BLOCK 256
#define DECODE_LENGTH_MAX 15

// A word: literals from the lowest byte up, then how many bits of the source they take, then how many they are. 0 where
// the bits do not begin with a literal that they hold wholly.
#define DECODE_LENGTH_SHIFT 48
#define DECODE_LITERALS_SHIFT 56

struct decode_code {
    uint64_t words[1 << LOOK_BITS]; // only after decode_code_add_words()
    // By the next LOOK_BITS bits: symbol << 4 | length of the code word that they begin with, 0 where it is longer.
    uint16_t symbols[1 << LOOK_BITS];
    uint16_t sorted[DECODE_SYMBOLS_MAX]; // by length and value: the order of the code words
    uint16_t counts[DECODE_LENGTH_MAX + 1];
};

// lengths[symbol_count], 0..DECODE_LENGTH_MAX. False where the code is not complete: too many words, or too few.
bool decode_code_build(struct decode_code *code, const uint8_t *lengths, unsigned symbol_count);

// Fills in words; the code must have been built.
void decode_code_add_words(struct decode_code *code);

// The symbol at the beginning of bits, of which the first DECODE_LENGTH_MAX count, and the length of its code word, at
// least 1. The code must have been built.
unsigned decode_symbol(const struct decode_code *code, uint64_t bits, unsigned *length);

// Least length of a match whose symbol, 257..285, is given (RFC 1951, section 3.2.5), and the bits that add to it.
unsigned decode_match_bytes(unsigned symbol, unsigned *extra_bits);

#endif
