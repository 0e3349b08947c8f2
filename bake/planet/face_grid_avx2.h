// SPDX-License-Identifier: MIT
// Directions of grids of at least so many rows. Private to face_grid.c; needs AVX2 and FMA.
#ifndef TERRANE_BAKE_PLANET_FACE_GRID_AVX2_H
#define TERRANE_BAKE_PLANET_FACE_GRID_AVX2_H

#include "bake/planet/face_grid.h"

#define FACE_GRID_AVX2_ROWS 4

void face_grid_dirs_avx2(const struct face_grid *grid, double *x, double *y, double *z);

#endif
