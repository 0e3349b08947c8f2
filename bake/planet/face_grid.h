// SPDX-License-Identifier: MIT
// Directions of points in columns and rows of a face: the samples of a tile, the nodes of a mesh. The bits are those of
// cube_sphere_lattice_dir, beyond the edges of the face those of its formula.
#ifndef TERRANE_BAKE_PLANET_FACE_GRID_H
#define TERRANE_BAKE_PLANET_FACE_GRID_H

#include "common/cube_sphere.h"

struct face_grid {
    int face;
    // By cube_lattice_line: of the columns, which are u_step (1 or -1) from one to the next in u, and of the rows.
    const double *u, *v;
    int u_step, column_count, row_count;
};

// Writes the column_count * row_count directions, column by column.
typedef void face_grid_dirs(const struct face_grid *grid, double *x, double *y, double *z);

// The quickest that this processor has; and "base" or "avx2", NULL where this processor lacks it. The same bits.
face_grid_dirs *face_grid_dirs_choose(void);
face_grid_dirs *face_grid_dirs_named(const char *name);

#endif
