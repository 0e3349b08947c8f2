// SPDX-License-Identifier: MIT
#include "formats/deflate_adler.h"

#include <zlib.h>

#define PIECE_BYTES ((size_t)5552) // the most for which the sums below stay under 2^32; a multiple of 16

#if defined(__SSE2__)
#include <emmintrin.h>

static uint32_t lane_sum(__m128i v)
{
    v = _mm_add_epi32(v, _mm_srli_si128(v, 8));
    v = _mm_add_epi32(v, _mm_srli_si128(v, 4));
    return (uint32_t)_mm_cvtsi128_si32(v);
}

// Sums over 16-byte groups: the plain sum A of the bytes, and B in which byte k of n counts n - k times.
static uint32_t add_groups(uint32_t adler, const uint8_t *bytes, size_t group_count)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i weights_low = _mm_setr_epi16(16, 15, 14, 13, 12, 11, 10, 9);
    const __m128i weights_high = _mm_setr_epi16(8, 7, 6, 5, 4, 3, 2, 1);
    __m128i plain = zero, earlier = zero, weighted = zero;
    for (size_t k = 0; k < group_count; k++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * k));
        earlier = _mm_add_epi32(earlier, plain);
        plain = _mm_add_epi32(plain, _mm_sad_epu8(v, zero));
        weighted = _mm_add_epi32(weighted, _mm_madd_epi16(_mm_unpacklo_epi8(v, zero), weights_low));
        weighted = _mm_add_epi32(weighted, _mm_madd_epi16(_mm_unpackhi_epi8(v, zero), weights_high));
    }
    uint32_t a = adler & 0xFFFF, b = adler >> 16;
    b += (uint32_t)(16 * group_count) * a + 16 * lane_sum(earlier) + lane_sum(weighted);
    a += lane_sum(plain);
    return b % 65521 << 16 | a % 65521;
}

#else

static uint32_t add_groups(uint32_t adler, const uint8_t *bytes, size_t group_count)
{
    return (uint32_t)adler32(adler, bytes, (uInt)(16 * group_count));
}

#endif

uint32_t deflate_adler(const uint8_t *bytes, size_t size_bytes)
{
    uint32_t adler = 1;
    while (size_bytes >= 16) {
        size_t taken = size_bytes < PIECE_BYTES ? size_bytes & ~(size_t)15 : PIECE_BYTES;
        adler = add_groups(adler, bytes, taken / 16);
        bytes += taken;
        size_bytes -= taken;
    }
    return size_bytes > 0 ? (uint32_t)adler32(adler, bytes, (uInt)size_bytes) : adler;
}
