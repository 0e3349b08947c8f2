// SPDX-License-Identifier: MIT
// Length-limited canonical Huffman codes, built the same way on every machine: ties go by symbol
// number. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_HUFFMAN_H
#define TERRANE_FORMATS_HUFFMAN_H

#include <stdint.h>

#define HUFFMAN_SYMBOLS_MAX 288
#define HUFFMAN_LENGTH_MAX 15

// lengths[k] becomes the code length of symbol k, 1..limit, or 0 where counts[k] is 0. The code is always
// complete: with fewer than two symbols in use, the lowest unused ones join in. It is optimal where the optimal code
// has no word over the limit; otherwise that code is cut down, which in the worst case (Fibonacci counts) costs 2 % for
// limits from 12 on and 12 % below. 2^limit >= symbol_count, and the counts add up to less than 2^32.
void huffman_lengths(uint8_t *lengths, const uint32_t *counts, int symbol_count, int limit);

// codes[k] becomes the canonical code of symbol k (RFC 1951, section 3.2.2) as a code word of bit_writer.h, the empty
// word for a symbol without a code. symbol_count <= HUFFMAN_SYMBOLS_MAX.
void huffman_codes(uint64_t *codes, const uint8_t *lengths, int symbol_count);

#endif
