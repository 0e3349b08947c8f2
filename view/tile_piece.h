// SPDX-License-Identifier: MIT
// Pieces of a tile: what stands in below the deepest tiles of a coarse pack when the eye comes near.
//
// A wide leaf has wide triangles, and a rasteriser's floats place a point inside a triangle no better than some 6e-8 of
// the triangle's width: close under the eye that is pixels, or the ground on the wrong side of the eye. So a leaf is
// cut into quarters, again and again, where the eye is near. A piece has the very surface of its leaf (its vertices lie
// on the leaf's flat triangles) and the same normals and colours between the leaf's texels; only its triangles are
// smaller.
#ifndef TERRANE_VIEW_TILE_PIECE_H
#define TERRANE_VIEW_TILE_PIECE_H

#include <stdbool.h>

#include "view/tile_data.h"

// Triangles wider than this are cut under the eye.
#define PIECE_CELL_MAX_M 1000.0

// Whether a node's drawn triangles are wide enough to be cut further.
bool tile_piece_wanted(struct node node, int intervals, double radius_m);

// How far the flat triangles of a leaf may lie below the heights of its vertices.
double tile_piece_sag_m(struct node leaf, int intervals, double radius_m);

// Cuts piece, a node below leaf, out of the leaf. leaf_heights_m and heights_m: (N+1)^2; of heights_m only what the
// mesh uses is filled in. Normals and colours of data are filled in, its vertices are not.
void tile_piece_cut(struct tile_data *data, double *heights_m, struct node piece, const struct tile_data *leaf_data,
                    const double *leaf_heights_m, struct node leaf, int intervals, double radius_m);

#endif
