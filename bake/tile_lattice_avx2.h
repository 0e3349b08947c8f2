// SPDX-License-Identifier: MIT
// Directions of pieces whose columns have TILE_ORDER_ROWS samples. Private to tile_lattice.c; needs AVX2 and FMA.
#ifndef TERRANE_BAKE_TILE_LATTICE_AVX2_H
#define TERRANE_BAKE_TILE_LATTICE_AVX2_H

#include "bake/tile_lattice.h"

void tile_lattice_columns_avx2(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x, double *y,
                               double *z);

#endif
