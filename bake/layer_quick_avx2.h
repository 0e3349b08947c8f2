// SPDX-License-Identifier: MIT
// The quick loops of layer_loops.h, eight samples at once. Private to them.
#ifndef TERRANE_BAKE_LAYER_QUICK_AVX2_H
#define TERRANE_BAKE_LAYER_QUICK_AVX2_H

#include "bake/layer_loops.h"

int quick_heights_avx2(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                       struct height_range *range);
int quick_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
int quick_wide_normals_avx2(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
int quick_colors_avx2(uint8_t *slots, uint8_t *unsure, int count, const double *const channels[3]);

#endif
