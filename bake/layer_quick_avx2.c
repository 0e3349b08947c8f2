// SPDX-License-Identifier: MIT
// What layer_loops.c does in double, pixels in float. Nothing of those needs the same bits everywhere (nor gives them:
// estimates of roots differ between processors), since what is sure is the same whatever the last bits are; so sums are
// fused. Beyond the last eight samples that are whole, all are unsure.
#include "bake/layer_quick_avx2.h"

#include "bake/tile_place.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define eight __m256 // floats, one a sample

INLINE eight all(float v)
{
    return _mm256_set1_ps(v);
}

INLINE eight times(eight a, eight b)
{
    return _mm256_mul_ps(a, b);
}

INLINE eight minus(eight a, eight b)
{
    return _mm256_sub_ps(a, b);
}

INLINE eight times_plus(eight a, eight b, eight c) // a b + c
{
    return _mm256_fmadd_ps(a, b, c);
}

INLINE eight load_eight(const double *from)
{
    __m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(from)), high = _mm256_cvtpd_ps(_mm256_loadu_pd(from + 4));
    return _mm256_set_m128(high, low);
}

// 1 / sqrt(x), off by less than 3.5e-7 of it: an estimate that is good to 1.5 / 4096, and a step of Newton's. What is
// not a positive float of full precision, zero and infinity among it, gives no number.
INLINE eight over_root(eight x)
{
    eight r = _mm256_rsqrt_ps(x);
    return times(r, _mm256_fnmadd_ps(times(x, r), times(all(0.5f), r), all(1.5f)));
}

// Beside a float of this size the next whole number is the next float, and its lowest byte is that of a code.
#define WHOLE 0x1p23f

// Stores eight pixels from number first on: values to be rounded to the nearest code. Unsure is whose value is within
// the margin of a step, whose values are no numbers, and what is not in sure.
INLINE void put_pixels(struct quick_out *out, int first, const eight values[3], float margin, uint32_t sure)
{
    eight codes[3], off[3];
    for (int k = 0; k < 3; k++) {
        codes[k] = _mm256_add_ps(values[k], all(WHOLE));
        off[k] = _mm256_andnot_ps(all(-0.0f), minus(values[k], minus(codes[k], all(WHOLE))));
    }
    // Bits 8 to 23 of codes are zero; bits 24 to 31 of a slot do not matter.
    __m256i pixels = _mm256_castps_si256(codes[0]);
    pixels = _mm256_or_si256(pixels, _mm256_slli_epi32(_mm256_castps_si256(codes[1]), 8));
    pixels = _mm256_or_si256(pixels, _mm256_slli_epi32(_mm256_castps_si256(codes[2]), 16));
    _mm256_storeu_si256((__m256i *)(void *)(out->slots + TILE_SLOT_BYTES * first), pixels);
    eight most = _mm256_max_ps(_mm256_max_ps(off[0], off[1]), off[2]);
    sure &= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(most, all(0.5f - margin), _CMP_LT_OQ));
    quick_leave(out, first, ~sure & 255);
}

// What has no integer becomes INT32_MIN, which then is the least.
INLINE __m128i heights_of(__m256d height_m, double units_per_m)
{
    __m256d units = _mm256_mul_pd(height_m, _mm256_set1_pd(units_per_m));
    return _mm256_cvttpd_epi32(_mm256_floor_pd(_mm256_add_pd(units, _mm256_set1_pd(0.5))));
}

INLINE int32_t least_of(__m256i heights)
{
    __m128i four = _mm_min_epi32(_mm256_castsi256_si128(heights), _mm256_extracti128_si256(heights, 1));
    four = _mm_min_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    four = _mm_min_epi32(four, _mm_shuffle_epi32(four, 0xb1));
    return _mm_cvtsi128_si32(four);
}

TARGET int quick_heights_avx2(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                              struct height_range *range)
{
    __m256d lowest = _mm256_set1_pd(lowest_m), good = _mm256_castsi256_pd(_mm256_set1_epi32(-1));
    __m256i least = _mm256_set1_epi32(range->least), greatest = _mm256_set1_epi32(range->greatest);
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        __m256d low_m = _mm256_loadu_pd(height_m + k), high_m = _mm256_loadu_pd(height_m + k + 4);
        __m128i low = heights_of(low_m, units_per_m), high = heights_of(high_m, units_per_m);
        __m256i eight_heights = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
        good = _mm256_and_pd(good, _mm256_cmp_pd(low_m, lowest, _CMP_GE_OQ));
        good = _mm256_and_pd(good, _mm256_cmp_pd(high_m, lowest, _CMP_GE_OQ));
        least = _mm256_min_epi32(least, eight_heights);
        greatest = _mm256_max_epi32(greatest, eight_heights);
        _mm256_storeu_si256((__m256i *)(void *)(heights + k), eight_heights);
    }
    int32_t least_height = least_of(least);
    if (_mm256_movemask_pd(good) != 15 || least_height == INT32_MIN)
        return 0;
    // ~h turns the order around.
    *range = (struct height_range){least_height, ~least_of(_mm256_xor_si256(greatest, _mm256_set1_epi32(-1)))};
    return k;
}

TARGET int quick_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input)
{
    struct quick_out out = {slots, unsure, 0};
    eight scale_x = all((float)(-127 * input->sign[0])), scale_y = all((float)(127 * input->sign[1] * input->sign[2]));
    eight radius_m = all((float)input->radius_m);
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        eight b = load_eight(input->dir[1] + k), c = load_eight(input->dir[2] + k);
        eight ga = load_eight(input->gradient[0] + k), gb = load_eight(input->gradient[1] + k);
        eight gc = load_eight(input->gradient[2] + k);
        eight over_across = over_root(times_plus(b, b, times(c, c)));
        eight x = times(ga, over_across), y = times(_mm256_fmsub_ps(b, gc, times(c, gb)), over_across);
        eight z = _mm256_add_ps(radius_m, load_eight(input->height_m + k));
        // Where a part is no number, or too large for a float to square, this is none, and no value is.
        eight over_length = over_root(times_plus(x, x, times_plus(y, y, times(z, z))));
        const eight values[3] = {times_plus(x, times(over_length, scale_x), all(128)),
                                 times_plus(y, times(over_length, scale_y), all(128)),
                                 times_plus(z, times(over_length, all(127)), all(128))};
        put_pixels(&out, k, values, NORMAL_UNSURE_WITHIN, 255);
    }
    return quick_leave_rest(&out, k, count);
}

// 255 times the code value of sRGB for 0 <= y < 1. From 0.0031308 on that is 255 (1.055 y^(5/12) - 0.055), whose power
// is that of y's mantissa m, a polynomial in m - 1.5 fitted at the zeros of the Chebyshev polynomial of degree 6, times
// that of its power of two; off by at most 4e-4. Below that the line of the standard.
INLINE eight srgb_value(eight y)
{
    static const float steps[5] = {-0.0106514304f, 0.0224526928f, -0.0638610539f, 0.328904464f, 1.1840523f};
    // 255 * 1.055 * 2^(5 e / 12) by the last three bits of 127 + e, e = -8..-1; and that for e = -9.
    const eight scales = _mm256_setr_ps(35.6277574f, 47.5573505f, 63.4814467f, 84.7375651f, 113.111079f, 150.985176f,
                                        201.541031f, 26.6906605f);
    const eight scale_below = all(19.9954028f);
    __m256i bits = _mm256_castps_si256(y);
    eight scale = _mm256_permutevar8x32_ps(scales, _mm256_srli_epi32(bits, 23));
    scale = _mm256_blendv_ps(scale, scale_below, _mm256_cmp_ps(y, all(0x1p-8f), _CMP_LT_OQ));
    bits = _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x007fffff)), _mm256_set1_epi32(0x3f800000));
    eight t = minus(_mm256_castsi256_ps(bits), all(1.5f)), power = all(0.0051434881f);
    for (int k = 0; k < 5; k++)
        power = times_plus(power, t, all(steps[k]));
    eight curve = times_plus(power, scale, all(-14.025f)), line = times(all(255 * 12.92f), y);
    return _mm256_blendv_ps(curve, line, _mm256_cmp_ps(y, all(0.0031308f), _CMP_LT_OQ));
}

TARGET int quick_colors_avx2(uint8_t *slots, uint8_t *unsure, int count, const double *const channels[3])
{
    struct quick_out out = {slots, unsure, 0};
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        eight light[3], values[3];
        for (int channel = 0; channel < 3; channel++) {
            light[channel] = load_eight(channels[channel] + k);
            // What is no number becomes 0.
            eight cut = _mm256_min_ps(_mm256_max_ps(light[channel], all(0)), all(0x1.fffffep-1f));
            values[channel] = srgb_value(cut);
        }
        // No number where one of them is none; also where they are infinite to both sides.
        eight sum = _mm256_add_ps(_mm256_add_ps(light[0], light[1]), light[2]);
        put_pixels(&out, k, values, COLOR_UNSURE_WITHIN,
                   (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(sum, sum, _CMP_ORD_Q)));
    }
    return quick_leave_rest(&out, k, count);
}

#endif
