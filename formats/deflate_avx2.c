// SPDX-License-Identifier: MIT
// The encoder's loops with 32 bytes at once, but for the one that writes (deflate_put_avx2.c).
#include "formats/deflate_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <zlib.h>

#include "formats/deflate_count.h"
#include "formats/deflate_put_avx2.h"
#include "formats/deflate_run_loop.h"

#define AVX2 __attribute__((target("avx2,bmi2")))

AVX2 static inline __m256i load_32(const uint8_t *bytes)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

// ---- Adler-32 ------------------------------------------------------------------------------------------------------

#define PIECE_BYTES ((size_t)5536) // the most for which the sums stay under 2^32 (deflate_adler.c); a multiple of 32

AVX2 static uint32_t lane_sum(__m256i v)
{
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    half = _mm_add_epi32(half, _mm_srli_si128(half, 8));
    half = _mm_add_epi32(half, _mm_srli_si128(half, 4));
    return (uint32_t)_mm_cvtsi128_si32(half);
}

// Sums over 32-byte groups: the plain sum A of the bytes, and B in which byte k of n counts n - k times.
AVX2 static uint32_t add_groups(uint32_t adler, const uint8_t *bytes, size_t group_count)
{
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    const __m256i weights = _mm256_setr_epi8(32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                             13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    __m256i plain = zero, earlier = zero, weighted = zero;
    for (size_t k = 0; k < group_count; k++) {
        __m256i v = load_32(bytes + 32 * k);
        earlier = _mm256_add_epi32(earlier, plain);
        plain = _mm256_add_epi32(plain, _mm256_sad_epu8(v, zero));
        // Two products of a byte and at most 32 stay below 2^15, where the instruction would cut.
        weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(v, weights), ones));
    }
    uint32_t a = adler & 0xFFFF, b = adler >> 16;
    b += (uint32_t)(32 * group_count) * a + 32 * lane_sum(earlier) + lane_sum(weighted);
    a += lane_sum(plain);
    return b % 65521 << 16 | a % 65521;
}

static uint32_t adler_avx2(const uint8_t *bytes, size_t size_bytes)
{
    uint32_t adler = 1;
    while (size_bytes >= 32) {
        size_t taken = size_bytes < PIECE_BYTES ? size_bytes & ~(size_t)31 : PIECE_BYTES;
        adler = add_groups(adler, bytes, taken / 32);
        bytes += taken;
        size_bytes -= taken;
    }
    return size_bytes > 0 ? (uint32_t)adler32(adler, bytes, (uInt)size_bytes) : adler;
}

// ---- runs ----------------------------------------------------------------------------------------------------------

AVX2 static inline uint64_t equal_64(const uint8_t *source)
{
    __m256i low = _mm256_cmpeq_epi8(load_32(source), load_32(source - 1));
    __m256i high = _mm256_cmpeq_epi8(load_32(source + 32), load_32(source + 31));
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 static size_t find_runs_avx2(uint32_t *edges, const uint8_t *source, size_t size_bytes)
{
    return find_runs_by(equal_64, edges, source, size_bytes);
}

// ---- counting ------------------------------------------------------------------------------------------------------
//
// Most bytes of predicted terrain are among 16 neighbouring values: from -8 to 7 in pictures, from 0 to 15 in the
// planes of folded heights. These are counted by comparing with each, and only the others one by one.

#define WINDOW 16
#define COUNT_PIECE_BYTES ((size_t)4096) // at most 255 groups, or the counts in bytes would wrap
#define LOOK_BYTES ((size_t)256)

// Which of 32 bytes are not among the WINDOW values from base.
AVX2 static inline uint32_t outside(__m256i v, __m256i base)
{
    __m256i moved = _mm256_sub_epi8(v, base);
    __m256i within = _mm256_cmpeq_epi8(_mm256_min_epu8(moved, _mm256_set1_epi8(WINDOW - 1)), moved);
    return ~(uint32_t)_mm256_movemask_epi8(within);
}

static unsigned ones_in(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

// Looks at the beginning: the base of the window that has the most, or -1 where a tenth lies outside both.
AVX2 static int choose_base(const uint8_t *source)
{
    unsigned signed_outside = 0, folded_outside = 0;
    for (size_t k = 0; k < LOOK_BYTES; k += 32) {
        __m256i v = load_32(source + k);
        signed_outside += ones_in(outside(v, _mm256_set1_epi8(-WINDOW / 2)));
        folded_outside += ones_in(outside(v, _mm256_setzero_si256()));
    }
    unsigned least = signed_outside < folded_outside ? signed_outside : folded_outside;
    if (least > LOOK_BYTES / 10)
        return -1;
    return signed_outside < folded_outside ? 256 - WINDOW / 2 : 0;
}

// Counts 8 values from first on.
AVX2 static void count_eight(uint32_t *counts, const uint8_t *source, size_t group_count, uint8_t first)
{
    __m256i sums[8], wanted[8];
    for (int k = 0; k < 8; k++) {
        sums[k] = _mm256_setzero_si256();
        wanted[k] = _mm256_set1_epi8((char)(first + k));
    }
    for (size_t group = 0; group < group_count; group++) {
        __m256i v = load_32(source + 32 * group);
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++)
            sums[k] = _mm256_sub_epi8(sums[k], _mm256_cmpeq_epi8(v, wanted[k]));
    }
    for (int k = 0; k < 8; k++)
        counts[(uint8_t)(first + k)] += lane_sum(_mm256_sad_epu8(sums[k], _mm256_setzero_si256()));
}

AVX2 static void count_piece(uint32_t *counts, const uint8_t *source, size_t group_count, uint8_t base)
{
    count_eight(counts, source, group_count, base);
    count_eight(counts, source, group_count, (uint8_t)(base + 8));
    __m256i from = _mm256_set1_epi8((char)base);
    for (size_t group = 0; group < group_count; group++) {
        for (uint32_t left = outside(load_32(source + 32 * group), from); left != 0; left &= left - 1)
            counts[source[32 * group + (size_t)__builtin_ctz(left)]]++;
    }
}

static void count_bytes_avx2(uint32_t (*tables)[256], const uint8_t *source, size_t size_bytes)
{
    while (size_bytes >= LOOK_BYTES) {
        size_t taken = size_bytes < COUNT_PIECE_BYTES ? size_bytes & ~(size_t)31 : COUNT_PIECE_BYTES;
        int base = choose_base(source);
        if (base < 0)
            deflate_count_bytes(tables, source, taken);
        else
            count_piece(tables[0], source, taken / 32, (uint8_t)base);
        source += taken;
        size_bytes -= taken;
    }
    deflate_count_bytes(tables, source, size_bytes);
}

const struct deflate_kernels deflate_kernels_avx2 = {"avx2",           adler_avx2, find_runs_avx2,
                                                     count_bytes_avx2, 256,        deflate_put_data_avx2};

#endif
