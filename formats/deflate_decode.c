// SPDX-License-Identifier: MIT
// Bytes of predicted terrain take one or two bits each. So a table that is looked up by the next LOOK_BITS bits holds
// all the literals that these bits make up, up to WORD_LITERALS at once; what begins otherwise goes the slow way.
#include "formats/deflate_decode.h"

#include <string.h>

#include "common/byteorder.h"
#include "formats/deflate_decode_code.h"
#include "formats/deflate_encode.h"
#include "formats/deflate_kernels.h"

#define ZLIB_HEAD_BYTES 2
#define ADLER_BYTES 4
// A block with fewer symbols is read sooner without the table of words than that is filled.
#define WORDS_WORTH_SYMBOLS 64

struct decoder {
    uint64_t waiting; // bits taken from the source, the next one lowest; above count there may be some of those to come
    unsigned count;
    const uint8_t *at, *end;
    uint8_t *out, *out_begin, *out_end;
};

// Makes at least 56 bits wait, or all that are left.
static void refill(struct decoder *decoder)
{
    if (decoder->end - decoder->at >= 8) {
        decoder->waiting |= get_u64le(decoder->at) << decoder->count;
        decoder->at += (63 - decoder->count) >> 3;
        decoder->count |= 56;
        return;
    }
    for (; decoder->count <= 56 && decoder->at < decoder->end; decoder->count += 8)
        decoder->waiting |= (uint64_t)*decoder->at++ << decoder->count;
}

// The next count bits, at most 16; false where there are not so many. Of those waiting.
static bool take(struct decoder *decoder, unsigned count, unsigned *bits)
{
    if (count > decoder->count)
        return false;
    *bits = (unsigned)decoder->waiting & ((1u << count) - 1);
    decoder->waiting >>= count;
    decoder->count -= count;
    return true;
}

// Gives whole bytes that wait back and drops the bits of a byte that has been begun.
static void align(struct decoder *decoder)
{
    decoder->at -= decoder->count >> 3;
    decoder->waiting = 0;
    decoder->count = 0;
}

static bool copy_stored(struct decoder *decoder)
{
    align(decoder);
    if (decoder->end - decoder->at < 4)
        return false;
    size_t size = get_u16le(decoder->at);
    if (get_u16le(decoder->at + 2) != (size ^ 0xFFFF))
        return false;
    decoder->at += 4;
    if (size > (size_t)(decoder->end - decoder->at) || size > (size_t)(decoder->out_end - decoder->out))
        return false;
    if (size > 0)
        memcpy(decoder->out, decoder->at, size);
    decoder->at += size;
    decoder->out += size;
    return true;
}

// One symbol, whatever it is. *ended at the end of the block.
static bool put_symbol(struct decoder *decoder, const struct decode_code *code, bool *ended)
{
    refill(decoder);
    unsigned length, symbol = decode_symbol(code, decoder->waiting, &length), bits;
    if (!take(decoder, length, &bits))
        return false;
    *ended = symbol == DECODE_END_OF_BLOCK;
    if (symbol < DECODE_END_OF_BLOCK) {
        if (decoder->out == decoder->out_end)
            return false;
        *decoder->out++ = (uint8_t)symbol;
    }
    if (symbol <= DECODE_END_OF_BLOCK)
        return true;
    unsigned extra_bits, match_bytes = decode_match_bytes(symbol, &extra_bits), distance;
    // The bit after the length is the distance code: 0 for distance 1, and no other.
    if (!take(decoder, extra_bits, &bits) || !take(decoder, 1, &distance) || distance != 0)
        return false;
    match_bytes += bits;
    if (decoder->out == decoder->out_begin || match_bytes > (size_t)(decoder->out_end - decoder->out))
        return false;
    memset(decoder->out, decoder->out[-1], match_bytes);
    decoder->out += match_bytes;
    return true;
}

// Literals by the table, as long as neither end is near and nothing else comes.
static void put_words(struct decoder *decoder, const struct decode_code *code)
{
    uint64_t waiting = decoder->waiting;
    unsigned count = decoder->count;
    const uint8_t *at = decoder->at;
    uint8_t *out = decoder->out;
    _Static_assert(4 * LOOK_BITS <= 56 && WORD_LITERALS < 8, "four words are looked up between refills");
    while (decoder->end - at >= 8 && decoder->out_end - out >= 4 * 8) {
        waiting |= get_u64le(at) << count;
        at += (63 - count) >> 3;
        count |= 56;
        uint64_t word = 0;
        for (int k = 0; k < 4; k++) {
            word = code->words[waiting & ((1u << LOOK_BITS) - 1)];
            unsigned length = word >> DECODE_LENGTH_SHIFT & 15;
            put_u64le(out, word);
            out += word >> DECODE_LITERALS_SHIFT;
            waiting >>= length;
            count -= length;
        }
        if (word >> DECODE_LITERALS_SHIFT == 0)
            break;
    }
    decoder->waiting = waiting;
    decoder->count = count;
    decoder->at = at;
    decoder->out = out;
}

static bool read_lengths(struct decoder *decoder, uint8_t *lengths, unsigned length_count,
                         const struct decode_code *code)
{
    for (unsigned k = 0; k < length_count;) {
        refill(decoder);
        unsigned length, symbol = decode_symbol(code, decoder->waiting, &length), bits;
        if (!take(decoder, length, &bits))
            return false;
        if (symbol < 16) {
            lengths[k++] = (uint8_t)symbol;
            continue;
        }
        unsigned extra_bits = symbol == 16 ? 2 : symbol == 17 ? 3 : 7, least = symbol == 18 ? 11 : 3;
        if (!take(decoder, extra_bits, &bits) || bits + least > length_count - k || (symbol == 16 && k == 0))
            return false;
        memset(lengths + k, symbol == 16 ? lengths[k - 1] : 0, bits + least);
        k += bits + least;
    }
    return true;
}

// The head of a dynamic block (RFC 1951, section 3.2.7) of one distance code, of one bit.
static bool read_code(struct decoder *decoder, struct decode_code *code)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[DECODE_SYMBOLS_MAX + 1] = {0};
    unsigned literals, distances, orders;
    refill(decoder);
    if (!take(decoder, 5, &literals) || !take(decoder, 5, &distances) || !take(decoder, 4, &orders))
        return false;
    literals += 257;
    if (literals > DECODE_SYMBOLS_MAX || distances != 0)
        return false;
    for (unsigned k = 0; k < orders + 4; k++) {
        unsigned bits;
        refill(decoder);
        if (!take(decoder, 3, &bits))
            return false;
        lengths[order[k]] = (uint8_t)bits;
    }
    if (!decode_code_build(code, lengths, 19))
        return false;
    memset(lengths, 0, sizeof lengths);
    if (!read_lengths(decoder, lengths, literals + 1, code) || lengths[literals] != 1 ||
        lengths[DECODE_END_OF_BLOCK] == 0)
        return false;
    return decode_code_build(code, lengths, literals);
}

static bool copy_coded(struct decoder *decoder, struct decode_code *code)
{
    if (!read_code(decoder, code))
        return false;
    bool good = true, ended = false;
    for (int k = 0; k < WORDS_WORTH_SYMBOLS && good && !ended; k++)
        good = put_symbol(decoder, code, &ended);
    if (good && !ended)
        decode_code_add_words(code);
    while (good && !ended) {
        put_words(decoder, code);
        good = put_symbol(decoder, code, &ended);
    }
    return good;
}

bool deflate_decode(uint8_t *target, size_t target_bytes, const uint8_t *source, size_t source_bytes)
{
    struct decode_code code;
    // Our encoder writes none that are longer. libpng takes none that are much longer, and so must we.
    if (source_bytes > deflate_bound(target_bytes))
        return false;
    if (source_bytes < ZLIB_HEAD_BYTES + ADLER_BYTES || source[0] != 0x78 || source[1] != 0x01)
        return false;
    struct decoder decoder = {.at = source + ZLIB_HEAD_BYTES,
                              .end = source + source_bytes,
                              .out = target,
                              .out_begin = target,
                              .out_end = target + target_bytes};
    unsigned last = 0, kind;
    while (!last) {
        refill(&decoder);
        if (!take(&decoder, 1, &last) || !take(&decoder, 2, &kind))
            return false;
        if (!(kind == 0 ? copy_stored(&decoder) : kind == 2 && copy_coded(&decoder, &code)))
            return false;
    }
    align(&decoder);
    return decoder.out == decoder.out_end && decoder.end - decoder.at == ADLER_BYTES &&
           get_u32be(decoder.at) == deflate_kernels_choose()->adler(target, target_bytes);
}
