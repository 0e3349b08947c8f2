// SPDX-License-Identifier: MIT
// Normals of 16 bits, four at once: in double, but like those of 8 bits from estimates of roots (layer_quick_avx2.c).
#include "bake/layer_quick_avx2.h"
#include "bake/tile_place.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define four __m256d // doubles, one a sample

INLINE four all(double v)
{
    return _mm256_set1_pd(v);
}

INLINE four times(four a, four b)
{
    return _mm256_mul_pd(a, b);
}

INLINE four times_plus(four a, four b, four c) // a b + c
{
    return _mm256_fmadd_pd(a, b, c);
}

// 1 / sqrt(x), off by less than 2e-10 of it, where x is a float of full precision: an estimate that is good to 1.5 /
// 4096, and a step of third order.
INLINE four over_root(four x)
{
    four r = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(x)));
    four off = _mm256_fnmadd_pd(times(x, r), r, all(1));
    return times_plus(times(r, off), times_plus(off, all(0.375), all(0.5)), r);
}

// Beside a double of this size the next whole number is the next double, and its lowest 16 bits are those of a code.
#define WHOLE 0x1p52

// The codes of values rounded to the nearest; clears lanes of sure whose value is too near to a step.
INLINE __m256i codes_of(four values, four *sure)
{
    four codes = _mm256_add_pd(values, all(WHOLE));
    four off = _mm256_andnot_pd(all(-0.0), _mm256_sub_pd(values, _mm256_sub_pd(codes, all(WHOLE))));
    *sure = _mm256_and_pd(*sure, _mm256_cmp_pd(off, all(0.5 - WIDE_NORMAL_UNSURE_WITHIN), _CMP_LT_OQ));
    return _mm256_castpd_si256(codes);
}

// Four slots of components that are big-endian. Bits 16 to 47 of codes are zero; the last two bytes of a slot do not
// matter.
INLINE void store_slots(uint8_t *to, __m256i x, __m256i y, __m256i z)
{
    const __m256i swapped = _mm256_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7,
                                             6, 9, 8, 11, 10, 13, 12, 15, 14);
    __m256i slots = _mm256_or_si256(x, _mm256_or_si256(_mm256_slli_epi64(y, 16), _mm256_slli_epi64(z, 32)));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_shuffle_epi8(slots, swapped));
}

TARGET int quick_wide_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input)
{
    four scale_x = all(-32767 * input->sign[0]), scale_y = all(32767 * input->sign[1] * input->sign[2]);
    four radius_m = all(input->radius_m);
    struct quick_out out = {slots, unsure, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        four b = _mm256_loadu_pd(input->dir[1] + k), c = _mm256_loadu_pd(input->dir[2] + k);
        four ga = _mm256_loadu_pd(input->gradient[0] + k), gb = _mm256_loadu_pd(input->gradient[1] + k);
        four gc = _mm256_loadu_pd(input->gradient[2] + k);
        four over_across = over_root(times_plus(b, b, times(c, c)));
        four x = times(ga, over_across), y = times(_mm256_fmsub_pd(b, gc, times(c, gb)), over_across);
        four z = _mm256_add_pd(radius_m, _mm256_loadu_pd(input->height_m + k));
        four length2 = times_plus(x, x, times_plus(y, y, times(z, z))), over_length = over_root(length2);
        // What a float of full precision cannot hold, or is no number, is unsure.
        four sure = _mm256_and_pd(_mm256_cmp_pd(length2, all(1e-30), _CMP_GT_OQ),
                                  _mm256_cmp_pd(length2, all(1e30), _CMP_LT_OQ));
        __m256i codes_x = codes_of(times_plus(x, times(over_length, scale_x), all(32768)), &sure);
        __m256i codes_y = codes_of(times_plus(y, times(over_length, scale_y), all(32768)), &sure);
        __m256i codes_z = codes_of(times_plus(z, times(over_length, all(32767)), all(32768)), &sure);
        store_slots(out.slots + TILE_WIDE_SLOT_BYTES * k, codes_x, codes_y, codes_z);
        quick_leave(&out, k, ~(uint32_t)_mm256_movemask_pd(sure) & 15);
    }
    return quick_leave_rest(&out, k, count);
}

#endif
