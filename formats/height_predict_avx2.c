// SPDX-License-Identifier: MIT
#include "formats/height_predict_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>

#include "formats/height_predict.h"

#define AVX2 __attribute__((target("avx2")))
#define GROUP 32 // samples that fill a vector of each plane

AVX2 static inline __m256i load(const int32_t *heights)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)heights);
}

// Half of the exact sum, rounded down or up (height_predict.c).
AVX2 static inline __m256i mean_down(__m256i a, __m256i b)
{
    return _mm256_add_epi32(_mm256_and_si256(a, b), _mm256_srai_epi32(_mm256_xor_si256(a, b), 1));
}

AVX2 static inline __m256i mean_up(__m256i a, __m256i b)
{
    return _mm256_sub_epi32(_mm256_or_si256(a, b), _mm256_srai_epi32(_mm256_xor_si256(a, b), 1));
}

// Folded second-order residuals of eight samples.
AVX2 static inline __m256i residuals(const int32_t *at, ptrdiff_t side)
{
    __m256i mean = mean_down(load(at - side - 1), mean_up(load(at - 2), load(at - 2 * side)));
    __m256i neighbours = _mm256_add_epi32(load(at - 1), load(at - side));
    __m256i residual = _mm256_sub_epi32(_mm256_add_epi32(load(at), mean), neighbours);
    return _mm256_xor_si256(_mm256_slli_epi32(residual, 1), _mm256_srai_epi32(residual, 31));
}

// A group's samples: four vectors of residuals, transposed by bytes. Returns their OR.
AVX2 static inline __m256i put_group(uint8_t *target, size_t plane_bytes, const int32_t *at, ptrdiff_t side)
{
    // In each half of a vector, four words to four times four bytes of one plane.
    const __m256i by_plane = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5,
                                              9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    // The halves are each other's odd fours.
    const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i a = residuals(at, side), b = residuals(at + 8, side), c = residuals(at + 16, side);
    __m256i d = residuals(at + 24, side), bits = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    a = _mm256_shuffle_epi8(a, by_plane);
    b = _mm256_shuffle_epi8(b, by_plane);
    c = _mm256_shuffle_epi8(c, by_plane);
    d = _mm256_shuffle_epi8(d, by_plane);
    __m256i ab_low = _mm256_unpacklo_epi32(a, b), ab_high = _mm256_unpackhi_epi32(a, b);
    __m256i cd_low = _mm256_unpacklo_epi32(c, d), cd_high = _mm256_unpackhi_epi32(c, d);
    const __m256i planes[HEIGHT_PLANES_MAX] = {
        _mm256_unpacklo_epi64(ab_low, cd_low), _mm256_unpackhi_epi64(ab_low, cd_low),
        _mm256_unpacklo_epi64(ab_high, cd_high), _mm256_unpackhi_epi64(ab_high, cd_high)};
    for (size_t k = 0; k < HEIGHT_PLANES_MAX; k++)
        _mm256_storeu_si256((__m256i *)(void *)(target + k * plane_bytes),
                            _mm256_permutevar8x32_epi32(planes[k], in_order));
    return bits;
}

AVX2 uint32_t height_inner_planes_avx2(uint8_t *planes, const int32_t *heights, int side)
{
    size_t row_samples = (size_t)side, plane_bytes = row_samples * row_samples;
    __m256i bits = _mm256_setzero_si256();
    for (size_t y = 2; y < row_samples; y++) {
        for (size_t k = 2; k < row_samples; k += GROUP) {
            // The last group ends where the row does, and may do some samples again.
            size_t at = y * row_samples + (k + GROUP <= row_samples ? k : row_samples - GROUP);
            bits = _mm256_or_si256(bits, put_group(planes + at, plane_bytes, heights + at, side));
        }
    }
    uint32_t words[8], any = 0;
    _mm256_storeu_si256((__m256i *)(void *)words, bits);
    for (int k = 0; k < 8; k++)
        any |= words[k];
    return any;
}

#endif
