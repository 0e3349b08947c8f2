// SPDX-License-Identifier: MIT
// What layer_loops.c does in double, in float. Beyond the last eight samples that are whole, all are unsure.
#include "bake/layer_quick_avx2.h"

#include "bake/tile_place.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

#define eight __m256 // floats, one a sample

INLINE eight all(float v)
{
    return _mm256_set1_ps(v);
}

INLINE eight times(eight a, eight b)
{
    return _mm256_mul_ps(a, b);
}

INLINE eight plus(eight a, eight b)
{
    return _mm256_add_ps(a, b);
}

INLINE eight joined(__m256d low, __m256d high)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

INLINE eight load_eight(const double *from)
{
    return joined(_mm256_loadu_pd(from), _mm256_loadu_pd(from + 4));
}

INLINE eight is_less(eight a, eight b) // all ones or zeros; false for what is not a number
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

INLINE eight size_of(eight a)
{
    return _mm256_andnot_ps(all(-0.0f), a);
}

// What is not a number becomes -1.
INLINE eight cut(eight x)
{
    return _mm256_min_ps(_mm256_max_ps(x, all(-1)), all(1));
}

INLINE eight over_root(eight x)
{
    return _mm256_div_ps(all(1), _mm256_sqrt_ps(x));
}

// The codes of values that are to be rounded down, 0 <= v < 256. Clears lanes of sure whose value is too near to a
// whole number.
INLINE __m256i code_of(eight v, eight *sure)
{
    __m256i code = _mm256_cvttps_epi32(v);
    eight off_middle = _mm256_sub_ps(_mm256_sub_ps(v, _mm256_cvtepi32_ps(code)), all(0.5f));
    *sure = _mm256_and_ps(*sure, is_less(size_of(off_middle), all(0.5f - LAYER_UNSURE_WITHIN)));
    return code;
}

// Where the pixels of a block go, and which are unsure.
struct quick_out {
    uint8_t *slots, *unsure;
    int unsure_count;
};

// Stores eight pixels from number first on.
INLINE void put_pixels(struct quick_out *out, int first, const eight values[3], eight sure)
{
    __m256i a = code_of(values[0], &sure), b = code_of(values[1], &sure), c = code_of(values[2], &sure);
    __m256i pixels = _mm256_or_si256(a, _mm256_or_si256(_mm256_slli_epi32(b, 8), _mm256_slli_epi32(c, 16)));
    _mm256_storeu_si256((__m256i *)(void *)(out->slots + TILE_SLOT_BYTES * first), pixels);
    for (uint32_t left = ~(uint32_t)_mm256_movemask_ps(sure) & 255; left != 0; left &= left - 1)
        out->unsure[out->unsure_count++] = (uint8_t)(first + __builtin_ctz(left));
}

static int leave_rest(struct quick_out *out, int first, int count)
{
    for (int k = first; k < count; k++)
        out->unsure[out->unsure_count++] = (uint8_t)k;
    return out->unsure_count;
}

AVX2 int quick_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input)
{
    struct quick_out out = {slots, unsure, 0};
    eight sign_s = all((float)input->sign[0]), sign_t = all((float)input->sign[1]);
    eight sign_out = all((float)input->sign[2]);
    __m256d radius_m = _mm256_set1_pd(input->radius_m);
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        // What is too large for a float becomes infinite, and what comes of that is no unit vector.
        eight b = times(sign_t, load_eight(input->dir[1] + k)), c = times(sign_out, load_eight(input->dir[2] + k));
        eight ga = times(sign_s, load_eight(input->gradient[0] + k));
        eight gb = times(sign_t, load_eight(input->gradient[1] + k));
        eight gc = times(sign_out, load_eight(input->gradient[2] + k));
        eight over_across = over_root(plus(times(b, b), times(c, c)));
        eight x = _mm256_sub_ps(all(0), times(ga, over_across));
        eight y = times(_mm256_sub_ps(times(b, gc), times(c, gb)), over_across);
        eight z = joined(_mm256_add_pd(radius_m, _mm256_loadu_pd(input->height_m + k)),
                         _mm256_add_pd(radius_m, _mm256_loadu_pd(input->height_m + k + 4)));
        eight over_length = over_root(plus(plus(times(x, x), times(y, y)), times(z, z)));
        x = times(x, over_length);
        y = times(y, over_length);
        z = times(z, over_length);
        eight length2 = plus(plus(times(x, x), times(y, y)), times(z, z));
        eight sure = is_less(size_of(_mm256_sub_ps(length2, all(1))), all(0.001f));
        const eight values[3] = {plus(times(all(127), cut(x)), all(128.5f)), plus(times(all(127), cut(y)), all(128.5f)),
                                 plus(times(all(127), cut(z)), all(128.5f))};
        put_pixels(&out, k, values, sure);
    }
    return leave_rest(&out, k, count);
}

// 255 times the code value of sRGB plus a half: a polynomial in the fourth root y^(1/4), moved to t = -1..1, fitted at
// the zeros of the Chebyshev polynomial of degree 9 to 255 (1.055 y^(5/12) - 0.055) + 0.5 from y = 0.0031308 to 1,
// where it is off by at most 4e-5; below that the line of the standard.
INLINE eight srgb_value(eight y)
{
    static const float steps[8] = {-0.0216759781f, 0.0326461036f, -0.0975339296f, 0.362443728f,
                                   -1.75776135f,   25.5816925f,   124.239906f,    107.150951f};
    eight t = plus(times(all(2.61885849f), _mm256_sqrt_ps(_mm256_sqrt_ps(y))), all(-1.61885849f));
    eight curve = all(0.00934288487f);
    for (int k = 0; k < 8; k++)
        curve = plus(times(curve, t), all(steps[k]));
    eight line = plus(times(all(255 * 12.92f), y), all(0.5f));
    return _mm256_blendv_ps(curve, line, is_less(y, all(0.0031308f)));
}

// Light of one channel cut to [0, 1]. Clears lanes of sure where it is not a number.
INLINE eight load_light(const double *from, eight *sure)
{
    eight light = load_eight(from);
    *sure = _mm256_and_ps(*sure, _mm256_cmp_ps(light, light, _CMP_ORD_Q));
    return _mm256_min_ps(_mm256_max_ps(light, all(0)), all(1));
}

AVX2 int quick_colors_avx2(uint8_t *slots, uint8_t *unsure, int count, const double *const channels[3])
{
    struct quick_out out = {slots, unsure, 0};
    int k = 0;
    for (; k + 8 <= count; k += 8) {
        eight sure = _mm256_castsi256_ps(_mm256_set1_epi32(-1)), values[3];
        for (int channel = 0; channel < 3; channel++)
            values[channel] = srgb_value(load_light(channels[channel] + k, &sure));
        put_pixels(&out, k, values, sure);
    }
    return leave_rest(&out, k, count);
}

#endif
