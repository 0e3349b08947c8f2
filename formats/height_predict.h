// SPDX-License-Identifier: MIT
// The height predictor (id 1): heights <-> zig-zag residuals in byte planes. Private to the height codec.
//
// With W, N, NW the neighbours in the west, north and north-west, WW and NN those two steps away, a sample's prediction
// is
//   0 for the first sample, W in the first row, N in the first column, W + N - NW in the second row and column, and
//   (2(W + N - NW) + (2W - WW) + (2N - NN) + 2) >> 2 elsewhere (mean of three extrapolations of a plane and
//   two lines, rounded; an arithmetic shift of the exact sum).
// The residual is sample - prediction modulo 2^32, taken as a signed 32-bit number r and folded to unsigned: 2r for
// r >= 0, -2r - 1 for r < 0. Modulo makes it lossless for every int32 input. Plane k holds byte k (0 the lowest)
// of all residuals, row by row.
#ifndef TERRANE_FORMATS_HEIGHT_PREDICT_H
#define TERRANE_FORMATS_HEIGHT_PREDICT_H

#include <stdint.h>

#define HEIGHT_PREDICTOR 1
#define HEIGHT_PLANES_MAX 4

// The OR of the folded residuals: of the first sample, and of all others (0 for a constant tile).
struct height_residual_bits {
    uint32_t first, others;
};

// planes: HEIGHT_PLANES_MAX planes of side * side bytes, one after another. row: side words of working memory.
struct height_residual_bits height_to_planes(uint8_t *planes, const int32_t *heights, int side, uint32_t *row);

// The same for every machine; height_to_planes() takes AVX2 where the processor has it. For tests.
struct height_residual_bits height_to_planes_plain(uint8_t *planes, const int32_t *heights, int side, uint32_t *row);

// The inverse, from plane_count planes, 1..HEIGHT_PLANES_MAX.
struct height_residual_bits height_from_planes(int32_t *heights, const uint8_t *planes, int plane_count, int side,
                                               uint32_t *row);

#endif
