// SPDX-License-Identifier: MIT
// Writes bits and code words, least significant bit first, as deflate wants them. Private to the deflate encoder.
//
// bit_put() only collects; bit_flush() stores whole bytes and leaves at most 7 bits waiting. Between two
// flushes at most 56 bits may be put. A flush writes 8 bytes whatever the number of bits, so the buffer
// needs BIT_WRITER_SLACK_BYTES beyond the last byte.
#ifndef TERRANE_FORMATS_BIT_WRITER_H
#define TERRANE_FORMATS_BIT_WRITER_H

#include <stdint.h>

#include "common/byteorder.h"

#define BIT_WRITER_SLACK_BYTES 8

struct bit_writer {
    uint64_t waiting; // bits not yet stored; those above count are zero
    unsigned count;
    uint8_t *at;
};

static inline void bit_put(struct bit_writer *out, uint64_t bits, unsigned count)
{
    out->waiting |= bits << out->count;
    out->count += count;
}

static inline void bit_flush(struct bit_writer *out)
{
    put_u64le(out->at, out->waiting);
    out->at += out->count >> 3;
    out->waiting >>= out->count & ~7u;
    out->count &= 7;
}

// A code word as one number: its bits at the top, the first to be written lowest, and their count, at most
// BIT_CODE_MAX, at the bottom. 0 is the empty word.
#define BIT_CODE_MAX 14 // four words and the 7 bits that may be waiting fit in 64 bits

static inline void bit_put_code(struct bit_writer *out, uint64_t code)
{
    unsigned count = code & 63;
    bit_put(out, code >> (63 - count) >> 1, count);
}

// Writes four words and flushes. Each shifts those before it down and comes in at the top; the counts stay at the
// bottom, out of the way: 4 BIT_CODE_MAX bits leave 8 free there.
static inline void bit_put_codes(struct bit_writer *out, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t bits = a;
    bits = bits >> (b & 63) | b;
    bits = bits >> (c & 63) | c;
    bits = bits >> (d & 63) | d;
    unsigned count = (uint8_t)(a + b + c + d);
    bit_put(out, bits >> (63 - count) >> 1, count);
    bit_flush(out);
}

// Fills the last byte with zero bits.
static inline void bit_align(struct bit_writer *out)
{
    out->count = (out->count + 7) & ~7u;
    bit_flush(out);
}

#endif
