// SPDX-License-Identifier: MIT
// The directions of a tile's samples. Rows and columns are warped once a tile, so that all that is left for a sample is
// to bring (1, u, v) to length 1; the bits are those of cube_sphere_lattice_dir. A plain value; one thread's.
#ifndef TERRANE_BAKE_TILE_LATTICE_H
#define TERRANE_BAKE_TILE_LATTICE_H

#include "bake/tile_order.h"
#include "common/tile_grid.h"

struct tile_lattice {
    struct node node;
    int intervals;
    double u[TILE_SAMPLES_MAX]; // of each column, with the sign of the axis that s runs along
    double v[TILE_SAMPLES_MAX]; // of each row, likewise for t
};

void tile_lattice_prepare(struct tile_lattice *lattice, struct node node, int intervals);

// Of samples anywhere in the tile.
void tile_lattice_dirs_at(const struct tile_lattice *lattice, const uint16_t *columns, const uint16_t *rows, int count,
                          double *x, double *y, double *z);

// Of the samples of a piece of the tile's order, one after the other.
void tile_lattice_piece_dirs(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x, double *y,
                             double *z);

#endif
