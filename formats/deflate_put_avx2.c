// SPDX-License-Identifier: MIT
// Most bytes of predicted terrain are among 16 neighbouring values with codes of at most 8 bits. The code words of 16
// such bytes are looked up at once in tables that fit a register, and pushed together in three steps: each puts the
// upper of two words behind the lower one. Where another byte is among the 16, they go through the plain code.
#include "formats/deflate_put_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdbool.h>

#include "formats/deflate_put.h"
#include "formats/deflate_put_parts.h"
#include "formats/huffman.h"

#define AVX2 __attribute__((target("avx2,bmi2")))
#define WINDOW 16
#define SHORT_BITS 8
#define PUT_BITS_MAX 56 // between two flushes

// By value - base: length of the code word, its bits, and 2^(length - 1). All zero where the word is none or too long.
struct short_codes {
    uint8_t base;
    __m128i lengths, bits, powers;
};

// The share of all symbols that one may expect to be one of count bytes from first on and to have a word of at most
// bits_max bits, by the words' lengths; in 2^-BIT_CODE_MAX.
static unsigned share_of(const uint8_t *lengths, unsigned first, unsigned count, unsigned bits_max)
{
    unsigned share = 0;
    for (unsigned k = 0; k < count; k++) {
        unsigned length = lengths[(uint8_t)(first + k)];
        share += length > 0 && length <= bits_max ? 1u << (BIT_CODE_MAX - length) : 0;
    }
    return share;
}

// The window that has the most bytes: around 0, where the residuals of pictures lie, or above it, with the folded ones
// of heights. False where so many lie outside both that few groups of 16 are without one.
static bool choose_base(uint8_t *base, const uint8_t *lengths)
{
    const uint8_t around_zero = (uint8_t) - (WINDOW / 2);
    unsigned around = share_of(lengths, around_zero, WINDOW, SHORT_BITS);
    unsigned above = share_of(lengths, 0, WINDOW, SHORT_BITS);
    *base = around > above ? around_zero : 0;
    return 10 * (around > above ? around : above) >= 9 * share_of(lengths, 0, 256, BIT_CODE_MAX);
}

AVX2 static struct short_codes short_codes_from(uint8_t base, const uint64_t *codes, const uint8_t *lengths)
{
    struct short_codes table = {.base = base};
    uint8_t words[3][WINDOW] = {{0}};
    for (unsigned k = 0; k < WINDOW; k++) {
        unsigned symbol = (uint8_t)(base + k), length = lengths[symbol];
        if (length == 0 || length > SHORT_BITS)
            continue;
        words[0][k] = (uint8_t)length;
        words[1][k] = (uint8_t)(codes[symbol] >> (64 - length));
        words[2][k] = (uint8_t)(1u << (length - 1));
    }
    table.lengths = _mm_loadu_si128((const __m128i *)(const void *)words[0]);
    table.bits = _mm_loadu_si128((const __m128i *)(const void *)words[1]);
    table.powers = _mm_loadu_si128((const __m128i *)(const void *)words[2]);
    return table;
}

// Up to 64 bits, which may be more than what bit_put() has room for.
AVX2 static inline struct bit_writer put_wide(struct bit_writer out, uint64_t bits, unsigned count)
{
    uint64_t carried = bits >> 1 >> (63 - out.count); // what the first 64 bits have no room for
    out.waiting |= bits << out.count;
    put_u64le(out.at, out.waiting);
    unsigned whole_bytes = (out.count + count) >> 3; // at most 8
    out.at += whole_bytes;
    uint64_t rest = out.waiting >> (8 * whole_bytes & 63);
    out.waiting = whole_bytes == 8 ? carried : rest;
    out.count = (out.count + count) & 7;
    return out;
}

// The first count of 16 bytes.
AVX2 static inline struct bit_writer put_sixteen(struct bit_writer out, const uint8_t *source, size_t count,
                                                 const struct short_codes *table, const uint64_t *codes)
{
    static const uint8_t ends[2 * 16] = {255, 255, 255, 255, 255, 255, 255, 255,
                                         255, 255, 255, 255, 255, 255, 255, 255};
    __m128i wanted = _mm_loadu_si128((const __m128i *)(const void *)(ends + 16 - count));
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)source);
    // Values of the window to 112..127, whose last four bits count and whose first is 0; others to 128 and more, which
    // the look-ups turn into 0.
    __m128i place = _mm_adds_epu8(_mm_sub_epi8(v, _mm_set1_epi8((char)table->base)), _mm_set1_epi8(0x70));
    __m128i length = _mm_shuffle_epi8(table->lengths, place);
    __m128i missing = _mm_and_si128(_mm_cmpeq_epi8(length, _mm_setzero_si128()), wanted);
    if (_mm_movemask_epi8(missing) != 0)
        return deflate_put_literals(out, source, count, codes);
    length = _mm_and_si128(length, wanted);
    __m128i bits = _mm_and_si128(_mm_shuffle_epi8(table->bits, place), wanted);
    __m128i power = _mm_and_si128(_mm_shuffle_epi8(table->powers, place), _mm_set1_epi16(0xFF));

    // Pairs: twice the upper word, times half the power of 2 that moves it behind the lower one.
    __m128i upper = _mm_and_si128(_mm_srli_epi16(bits, 7), _mm_set1_epi16(0x1FE));
    bits = _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi16(0xFF)), _mm_mullo_epi16(upper, power));
    length = _mm_maddubs_epi16(length, _mm_set1_epi8(1));
    // Fours.
    upper = _mm_sllv_epi32(_mm_srli_epi32(bits, 16), _mm_and_si128(length, _mm_set1_epi32(0xFFFF)));
    bits = _mm_or_si128(_mm_and_si128(bits, _mm_set1_epi32(0xFFFF)), upper);
    length = _mm_madd_epi16(length, _mm_set1_epi16(1));
    // Eights.
    const __m128i low_half = _mm_set1_epi64x(0xFFFFFFFF);
    upper = _mm_sllv_epi64(_mm_srli_epi64(bits, 32), _mm_and_si128(length, low_half));
    bits = _mm_or_si128(_mm_and_si128(bits, low_half), upper);
    length = _mm_add_epi64(length, _mm_srli_epi64(length, 32));

    uint64_t first = (uint64_t)_mm_cvtsi128_si64(bits), second = (uint64_t)_mm_extract_epi64(bits, 1);
    unsigned first_count = (uint8_t)_mm_cvtsi128_si32(length), second_count = (uint8_t)_mm_extract_epi32(length, 2);
    if (first_count + second_count <= PUT_BITS_MAX) {
        bit_put(&out, first | second << first_count, first_count + second_count);
        bit_flush(&out);
        return out;
    }
    return put_wide(put_wide(out, first, first_count), second, second_count);
}

// count bytes, after which there are more that may be read, up to end.
AVX2 static inline struct bit_writer put_some(struct bit_writer out, const uint8_t *source, size_t count,
                                              const uint8_t *end, const struct short_codes *table,
                                              const uint64_t *codes)
{
    size_t k = 0;
    for (; k < count && (size_t)(end - source) - k >= 16; k += 16)
        out = put_sixteen(out, source + k, count - k < 16 ? count - k : 16, table, codes);
    return k < count ? deflate_put_literals(out, source + k, count - k, codes) : out;
}

AVX2 void deflate_put_data_avx2(struct bit_writer *writer, const uint8_t *source, size_t size_bytes,
                                const uint8_t *lengths, const uint32_t *edges, size_t run_count)
{
    uint8_t base;
    if (!choose_base(&base, lengths)) {
        deflate_put_data(writer, source, size_bytes, lengths, edges, run_count);
        return;
    }
    uint64_t codes[DEFLATE_LITERALS];
    struct bit_writer out = *writer;
    const uint8_t *end = source + size_bytes;
    size_t at = 0;
    huffman_codes(codes, lengths, DEFLATE_LITERALS);
    const struct short_codes table = short_codes_from(base, codes, lengths);
    for (size_t k = 0; k < run_count; k++) {
        out = put_some(out, source + at, edges[2 * k] - at, end, &table, codes);
        out = deflate_put_run(out, deflate_run_bytes(edges, k), codes);
        at = edges[2 * k + 1];
    }
    out = put_some(out, source + at, size_bytes - at, end, &table, codes);
    bit_put_code(&out, codes[DEFLATE_END_OF_BLOCK]);
    bit_flush(&out);
    *writer = out;
}

#endif
