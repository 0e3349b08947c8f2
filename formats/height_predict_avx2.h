// SPDX-License-Identifier: MIT
// The bulk of height_to_planes() (height_predict.h) for processors with AVX2: the same bytes. Private to it.
#ifndef TERRANE_FORMATS_HEIGHT_PREDICT_AVX2_H
#define TERRANE_FORMATS_HEIGHT_PREDICT_AVX2_H

#include <stdint.h>

#define HEIGHT_INNER_SIDE_MIN 34

// Predicts the samples from the third row and the third column on, and writes all their planes. Returns the OR of their
// folded residuals. side: HEIGHT_INNER_SIDE_MIN or more.
uint32_t height_inner_planes_avx2(uint8_t *planes, const int32_t *heights, int side);

#endif
