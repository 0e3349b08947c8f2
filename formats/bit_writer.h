// SPDX-License-Identifier: MIT
// Writes codes of up to 16 bits each, least significant bit first, as deflate wants them. Private to
// the deflate encoder.
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

// Fills the last byte with zero bits.
static inline void bit_align(struct bit_writer *out)
{
    out->count = (out->count + 7) & ~7u;
    bit_flush(out);
}

#endif
