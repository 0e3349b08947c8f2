// SPDX-License-Identifier: MIT
// What crater_of_cell (crater.c) does, four cells at a time in AVX2, up to the crater's own size.
#include "bake/planet/crater_sieve.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define four_words __m256i // of 64 bits, one a cell
#define four __m256d

INLINE four_words words_of(uint64_t word)
{
    return _mm256_set1_epi64x((long long)word);
}

// The lower 64 bits of products.
INLINE four_words times(four_words a, uint64_t b)
{
    four_words crossed = _mm256_mullo_epi32(a, words_of(b >> 32 | b << 32));
    crossed = _mm256_slli_epi64(_mm256_add_epi32(crossed, _mm256_srli_epi64(crossed, 32)), 32);
    return _mm256_add_epi64(_mm256_mul_epu32(a, words_of(b)), crossed);
}

// splitmix64_mix.
INLINE four_words mix(four_words z)
{
    z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), UINT64_C(0xBF58476D1CE4E5B9));
    z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), UINT64_C(0x94D049BB133111EB));
    return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

// Where a point lies along an axis: at the cell at, by 21 bits of jitter.
INLINE four place_of(four at, four_words jitter)
{
    four_words bits = _mm256_and_si256(jitter, words_of(0x1FFFFF));
    four part = _mm256_castsi256_pd(_mm256_or_si256(bits, _mm256_castpd_si256(_mm256_set1_pd(0x1p52))));
    part = _mm256_add_pd(_mm256_sub_pd(part, _mm256_set1_pd(0x1p52)), _mm256_set1_pd(0.5));
    return _mm256_add_pd(at, _mm256_mul_pd(part, _mm256_set1_pd(0x1p-21)));
}

INLINE four square_sum(four x, four y, four z)
{
    return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(x, x), _mm256_mul_pd(y, y)), _mm256_mul_pd(z, z));
}

INLINE four away(four x, double place)
{
    return _mm256_sub_pd(x, _mm256_set1_pd(place));
}

INLINE uint64_t sieve_four(const struct crater_walk *walk, four_words key, four at)
{
    four_words kind = mix(key), jitter = mix(_mm256_add_epi64(kind, words_of(UINT64_C(0x9E3779B97F4A7C15))));
    four_words kept = _mm256_cmpgt_epi64(words_of(walk->kept_below), _mm256_and_si256(kind, words_of(0xFFFFF)));
    four_words fresh = _mm256_cmpgt_epi64(words_of(walk->fresh_below), _mm256_srli_epi64(kind, 40));
    four x = place_of(at, jitter);
    four y = place_of(_mm256_set1_pd((double)walk->at[1]), _mm256_srli_epi64(jitter, 21));
    four z = place_of(_mm256_set1_pd((double)walk->at[2]), _mm256_srli_epi64(jitter, 42));
    four square = square_sum(x, y, z);
    double ball = walk->ball + CRATER_SIEVE_MARGIN;
    four near = square_sum(away(x, walk->place[0]), away(y, walk->place[1]), away(z, walk->place[2]));
    four in = _mm256_cmp_pd(near, _mm256_set1_pd(ball * ball), _CMP_LE_OQ);
    in = _mm256_and_pd(in, _mm256_cmp_pd(square, _mm256_set1_pd(walk->below * walk->below), _CMP_GT_OQ));
    in = _mm256_and_pd(in, _mm256_cmp_pd(square, _mm256_set1_pd(walk->above * walk->above), _CMP_LT_OQ));
    in = _mm256_and_pd(in, _mm256_castsi256_pd(_mm256_and_si256(kept, fresh)));
    return (uint64_t)(unsigned)_mm256_movemask_pd(in);
}

TARGET static uint64_t sieve_avx2(const struct crater_walk *walk, int64_t x, int count)
{
    const uint64_t step = CRATER_KEY_X;
    uint64_t first = crater_key(walk, x), found = 0;
    four_words key = _mm256_add_epi64(
        words_of(first), _mm256_set_epi64x((long long)(3 * step), (long long)(2 * step), (long long)step, 0));
    four at = _mm256_add_pd(_mm256_set1_pd((double)x), _mm256_set_pd(3, 2, 1, 0));
    for (int k = 0; k < count; k += 4) {
        found |= sieve_four(walk, key, at) << k;
        key = _mm256_add_epi64(key, words_of(4 * step));
        at = _mm256_add_pd(at, _mm256_set1_pd(4));
    }
    return count < 64 ? found & ((UINT64_C(1) << count) - 1) : found;
}
#endif

crater_sieve *crater_sieve_choose(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return sieve_avx2;
#endif
    return NULL;
}
