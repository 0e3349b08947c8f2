// SPDX-License-Identifier: MIT
// The layers of a tile and what their samples mean, in memory and before any coding.
//
//   height  (N+1)^2 int32: height above the datum sphere in units of 2^exponent metres (tile_grid.h)
//   normal  (N+1)^2 RGB, 8 bits a component, or 16 where spacing_m > NORMAL_WIDE_SPACING_M, in the
//           tile's tangent frame (cube_sphere.h): stored q = round(m n) + m + 1, decoded
//           n = (q - (m + 1)) / m, with m = 127 or 32767. 16-bit samples are big-endian byte pairs,
//           as in PNG, also where they are hashed
//   color   (N+1)^2 RGB, 8 bits, sRGB albedo without lighting
// All are rows from the tile's largest t down, columns by growing s.
#ifndef TERRANE_FORMATS_LAYER_H
#define TERRANE_FORMATS_LAYER_H

#include <stddef.h>
#include <stdint.h>

#include "formats/sha256.h"

enum layer_kind { LAYER_HEIGHT, LAYER_NORMAL, LAYER_COLOR };
#define LAYER_COUNT 3

#define NORMAL_WIDE_SPACING_M 1000.0

// "height", "normal", "color".
extern const char *const layer_names[LAYER_COUNT];

static inline int normal_bits(double spacing_m)
{
    return spacing_m > NORMAL_WIDE_SPACING_M ? 16 : 8;
}

// Bytes of a decoded layer of side x side samples; bits is 8 or 16 for LAYER_NORMAL, otherwise ignored.
static inline size_t layer_bytes(enum layer_kind kind, int side, int bits)
{
    size_t samples = (size_t)side * (size_t)side;
    return kind == LAYER_HEIGHT ? samples * 4 : kind == LAYER_NORMAL && bits == 16 ? samples * 6 : samples * 3;
}

// The leaf hash of a decoded layer, the same on every machine: SHA-256 of the heights as int32 little-endian, or of
// the picture's bytes as they are. size_bytes is layer_bytes().
void layer_content(uint8_t digest[SHA256_BYTES], enum layer_kind kind, const void *samples, size_t size_bytes);

// The same of all layers of a tile, in less than half the time (sha256_many.h): of each layer whose samples are not
// NULL its digest, the others' digests are left alone. Arrays by enum layer_kind.
void layer_contents(uint8_t (*digests)[SHA256_BYTES], const void *const *samples, const size_t *sizes_bytes);

#endif
