// SPDX-License-Identifier: MIT
// A second opinion on zlib streams: a plain inflate written from RFC 1950 and RFC 1951 alone, one bit at a time, shared
// with no library. Stricter than most: an incomplete code is refused, but for the one distance code of one bit that the
// RFC names, and the stream must end with the source.
#ifndef TERRANE_TESTS_TINY_INFLATE_H
#define TERRANE_TESTS_TINY_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tiny_stream {
    const uint8_t *source;
    size_t source_bytes, bit_at;
    uint8_t *target;
    size_t room, count;
    bool broken;
};

// A canonical code: how many symbols have each length, and the symbols by length and value.
struct tiny_code {
    int counts[16];
    int symbols[288];
};

static inline unsigned tiny_bits(struct tiny_stream *in, int count)
{
    unsigned value = 0;
    for (int k = 0; k < count; k++, in->bit_at++) {
        if (in->bit_at / 8 >= in->source_bytes) {
            in->broken = true;
            return 0;
        }
        value |= (unsigned)(in->source[in->bit_at / 8] >> (in->bit_at % 8) & 1) << k;
    }
    return value;
}

static inline void tiny_put(struct tiny_stream *in, uint8_t byte)
{
    if (in->count >= in->room)
        in->broken = true;
    else
        in->target[in->count++] = byte;
}

// Returns what of the code space is left over: 0 for a complete code, negative for an impossible one.
static inline int tiny_code_make(struct tiny_code *code, const uint8_t *lengths, int symbol_count)
{
    int first[16] = {0}, left = 1;
    memset(code, 0, sizeof *code);
    for (int k = 0; k < symbol_count; k++)
        code->counts[lengths[k]]++;
    code->counts[0] = 0;
    for (int length = 1; length < 16; length++) {
        left = 2 * left - code->counts[length];
        if (left < 0)
            return left;
        if (length > 1)
            first[length] = first[length - 1] + code->counts[length - 1];
    }
    for (int k = 0; k < symbol_count; k++) {
        if (lengths[k] != 0)
            code->symbols[first[lengths[k]]++] = k;
    }
    return left;
}

static inline int tiny_symbol(struct tiny_stream *in, const struct tiny_code *code)
{
    int value = 0, first = 0, index = 0;
    for (int length = 1; length < 16; length++) {
        value |= (int)tiny_bits(in, 1);
        if (in->broken)
            return -1;
        if (value - first < code->counts[length])
            return code->symbols[index + value - first];
        index += code->counts[length];
        first = (first + code->counts[length]) << 1;
        value <<= 1;
    }
    in->broken = true;
    return -1;
}

static inline void tiny_stored(struct tiny_stream *in)
{
    in->bit_at = (in->bit_at + 7) / 8 * 8;
    unsigned length = tiny_bits(in, 16), complement = tiny_bits(in, 16);
    if (length != (complement ^ 0xFFFF))
        in->broken = true;
    for (; length > 0 && !in->broken; length--)
        tiny_put(in, (uint8_t)tiny_bits(in, 8));
}

static inline void tiny_coded(struct tiny_stream *in, const struct tiny_code *literals,
                              const struct tiny_code *distances)
{
    static const uint16_t bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extras[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    while (!in->broken) {
        int symbol = tiny_symbol(in, literals);
        if (symbol == 256 || symbol < 0)
            return;
        if (symbol < 256) {
            tiny_put(in, (uint8_t)symbol);
            continue;
        }
        if (symbol > 285)
            break;
        unsigned length = bases[symbol - 257] + tiny_bits(in, extras[symbol - 257]);
        int code = tiny_symbol(in, distances);
        if (code < 0 || code > 29)
            break;
        unsigned distance = (unsigned)code + 1;
        if (code >= 4) {
            int bits = code / 2 - 1;
            distance = ((2u + (unsigned)(code & 1)) << bits) + tiny_bits(in, bits) + 1;
        }
        if (distance > in->count)
            break;
        for (; length > 0 && !in->broken; length--)
            tiny_put(in, in->target[in->count - distance]);
    }
    in->broken = true;
}

static inline void tiny_fixed(struct tiny_stream *in)
{
    uint8_t lengths[288 + 30];
    struct tiny_code literals, distances;
    for (int k = 0; k < 288; k++)
        lengths[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
    memset(lengths + 288, 5, 30);
    tiny_code_make(&literals, lengths, 288);
    tiny_code_make(&distances, lengths + 288, 30);
    tiny_coded(in, &literals, &distances);
}

static inline void tiny_dynamic(struct tiny_stream *in)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[286 + 30] = {0};
    struct tiny_code literals, distances;
    int literal_count = (int)tiny_bits(in, 5) + 257, distance_count = (int)tiny_bits(in, 5) + 1;
    int length_count = (int)tiny_bits(in, 4) + 4, all = literal_count + distance_count;
    for (int k = 0; k < length_count; k++)
        lengths[order[k]] = (uint8_t)tiny_bits(in, 3);
    if (in->broken || literal_count > 286 || distance_count > 30 || tiny_code_make(&literals, lengths, 19) != 0) {
        in->broken = true;
        return;
    }
    memset(lengths, 0, sizeof lengths);
    for (int at = 0; at < all;) {
        int symbol = tiny_symbol(in, &literals), repeats = 1;
        uint8_t value = (uint8_t)symbol;
        if (symbol == 16) {
            repeats = 3 + (int)tiny_bits(in, 2);
            in->broken |= at == 0;
            value = at > 0 ? lengths[at - 1] : 0;
        } else if (symbol > 16) {
            repeats = symbol == 17 ? 3 + (int)tiny_bits(in, 3) : 11 + (int)tiny_bits(in, 7);
            value = 0;
        }
        if (in->broken || at + repeats > all) {
            in->broken = true;
            return;
        }
        for (; repeats > 0; repeats--)
            lengths[at++] = value;
    }
    bool one_distance = distance_count == 1 && lengths[literal_count] == 1;
    if (lengths[256] == 0 || tiny_code_make(&literals, lengths, literal_count) != 0 ||
        (tiny_code_make(&distances, lengths + literal_count, distance_count) != 0 && !one_distance)) {
        in->broken = true;
        return;
    }
    tiny_coded(in, &literals, &distances);
}

static inline bool tiny_frame_good(const struct tiny_stream *in)
{
    size_t end = (in->bit_at + 7) / 8;
    if (in->source_bytes - end != 4)
        return false;
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < in->count; k++) {
        a = (a + in->target[k]) % 65521;
        b = (b + a) % 65521;
    }
    const uint8_t *sum = in->source + end;
    return sum[0] == b >> 8 && sum[1] == (b & 255) && sum[2] == a >> 8 && sum[3] == (a & 255);
}

// Inflates a whole zlib stream. Returns the number of bytes, or -1 where it is broken, does not fit or has a rest.
static inline long tiny_inflate(uint8_t *target, size_t room, const uint8_t *source, size_t source_bytes)
{
    if (source_bytes < 2 || (source[0] & 15) != 8 || source[0] >> 4 > 7 || (source[0] << 8 | source[1]) % 31 != 0 ||
        source[1] & 32)
        return -1;
    struct tiny_stream in = {
        .source = source, .source_bytes = source_bytes, .bit_at = 16, .target = target, .room = room};
    for (bool last = false; !last && !in.broken;) {
        last = tiny_bits(&in, 1);
        unsigned kind = tiny_bits(&in, 2);
        if (kind == 0)
            tiny_stored(&in);
        else if (kind == 1)
            tiny_fixed(&in);
        else if (kind == 2)
            tiny_dynamic(&in);
        else
            in.broken = true;
    }
    return !in.broken && tiny_frame_good(&in) ? (long)in.count : -1;
}

#endif
