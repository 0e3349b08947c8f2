// SPDX-License-Identifier: MIT
// A decoded tile -> what the GPU needs of it: vertices and normals. No OpenGL here, so loaders do it on their threads
// and tests check it in double.
//
// Mesh: G x G quads, G = min(N, TILE_MESH_MAX), every N/G-th sample; vertices in rows from the tile's largest t.
// Each quad is split along the diagonal from (column,row) to (column+1,row+1), as error_m assumes.
// Positions are metres from the tile's centre (on the datum sphere), each as high + low float, so that adding the
// centre - camera difference, which is also high + low, cancels without loss: no jitter however wide the tile.
// After the (G+1)^2 surface vertices come the skirt vertices: copies of the four borders and of the two middle lines,
// which the shader (by vertex index) lowers along the vertical by the frame's skirt depth. Index ranges for the whole
// tile and for each quarter are shared by all tiles.
#ifndef TERRANE_VIEW_TILE_GEOMETRY_H
#define TERRANE_VIEW_TILE_GEOMETRY_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_grid.h"
#include "common/vec3.h"

#define TILE_MESH_MAX 64

struct tile_vertex {
    float high[3], low[3]; // rel_m from the tile's centre
};

// One skirt line after another, each from its west or north end: rows 0, G and G/2, columns 0, G and G/2.
#define TILE_SKIRT_LINES 6

static inline int tile_mesh_quads(int intervals)
{
    return intervals < TILE_MESH_MAX ? intervals : TILE_MESH_MAX;
}

// (G+1)^2 + 6 (G+1).
int tile_vertex_count(int intervals);

// Where a tile's vertices are measured from.
struct double3 tile_center_m(struct node node, double radius_m);

// heights_m: (N+1)^2.
void tile_vertices(struct tile_vertex *vertices, struct node node, int intervals, double radius_m,
                   const double *heights_m);

// Index lists, 32-bit, relative to the tile's first vertex: the whole tile with its outer skirts, then each quarter
// (child 0..3) with skirts on all its four sides.
struct tile_index_range {
    uint32_t first, count;
};
struct tile_indices {
    uint32_t *indices; // malloc'd
    size_t count;
    struct tile_index_range whole, quarters[4];
};
enum status_code tile_indices_new(struct tile_indices *indices, int intervals, struct status *status);

// Normals from heights alone, for packs without a normal layer: (N+1)^2 x 2 signed 16-bit (x, y of the tangent frame,
// 32767 = 1), from the interpolated surface; borders one-sided.
void tile_normals_from_heights(int16_t *normals, struct node node, int intervals, double radius_m,
                               const double *heights_m);

#endif
