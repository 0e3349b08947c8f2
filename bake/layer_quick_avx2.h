// SPDX-License-Identifier: MIT
// The quick loops of layer_loops.h, eight samples at once. Private to them.
#ifndef TERRANE_BAKE_LAYER_QUICK_AVX2_H
#define TERRANE_BAKE_LAYER_QUICK_AVX2_H

#include "bake/layer_loops.h"

// Where the pixels of a block go, and which are unsure.
struct quick_out {
    uint8_t *slots, *unsure;
    int unsure_count;
};

// Samples first, first + 1 and so on whose bit is set.
static inline void quick_leave(struct quick_out *out, int first, uint32_t unsure)
{
    for (; unsure != 0; unsure &= unsure - 1)
        out->unsure[out->unsure_count++] = (uint8_t)(first + __builtin_ctz(unsure));
}

// Those from first on, which fill no vector. Returns how many are unsure in all.
static inline int quick_leave_rest(struct quick_out *out, int first, int count)
{
    for (int k = first; k < count; k++)
        out->unsure[out->unsure_count++] = (uint8_t)k;
    return out->unsure_count;
}

int quick_heights_avx2(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                       struct height_range *range);
int quick_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
int quick_wide_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
int quick_colors_avx2(uint8_t *slots, uint8_t *unsure, int count, const double *const channels[3]);

#endif
