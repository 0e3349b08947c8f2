// SPDX-License-Identifier: MIT
// What is smooth on a tile, evaluated at few of its samples and interpolated at the others: the low octaves of noise,
// and what `coarse` gives.
//
// A mesh has a node at every 2nd, 4th, 8th or 16th sample of a tile each way, borders included, and MESH_MARGIN more on
// all sides. Nodes are numbered along the face, so that neighbours share them; beyond the edge of a face they lie where
// its warp goes on to. A value at a sample comes from the cubic through four nodes along its column and then along its
// row (kernels_mesh.h). On a line of nodes only that line counts: so a tile's border belongs to the border alone, and
// an edge of the cube, whose line goes on beyond the corners the same way on both of its faces, gives both the same
// bits. The gradient is interpolated like the value, part by part, not derived from it, and in float, which rounds by
// up to 6e-8 of a number (2^-24). It goes into normals of 16 bits at most, but by the chain rule also into all that is
// made of gradients: slope, the footprints of ramps, and those of above(), so into heights.
//
// An octave goes to the widest mesh that is good enough for it; wider meshes are refined to the next by the same cubic,
// and the octaves that it can carry are added at its nodes. What none can carry is evaluated at the samples. Noise is
// only C2 where cells meet, so that the error of the cubic grows with the third power of the nodes' distance and that
// of the slope with the second; a mesh is good enough where, by what mesh_budget.h knows of the way from the field to
// the height, both keep within what MESH_TOLERANCE says. test_mesh.c compares with the planet itself on every level.
//
// On deep levels the octaves of the two widest meshes run in double: so heights are better than the samples' own float
// octaves make them, which round by 2 mm on Earth where a planet turns noise into steep heights.
//
// Fields are worked out when they are first asked for on a tile, gradients when these are, so what a mask skips costs
// nothing. What a mesh gives is a pure function of planet, node and intervals, the same whatever else is wanted. One
// thread's.
#ifndef TERRANE_BAKE_PLANET_MESH_H
#define TERRANE_BAKE_PLANET_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/lattice.h"
#include "bake/planet/program.h"
#include "common/tile_grid.h"

// The least number of nodes along the pitch of a lattice, a cell of an octave, the same where the field colours the
// ground, and the smallest cell of folded noise (billow and ridged), whose folds are a twentieth of a cell wide.
#define MESH_NODES_PER_PITCH 8
#define MESH_NODES_PER_CELL 4
#define MESH_NODES_PER_COLOR_CELL 8
#define MESH_NODES_PER_FOLDED_CELL 32
// What the height may be off: this part of the spacing, but no more than that part of the radius (1 m on Earth, for the
// sake of colours), or where that is more, this part of a unit of height. One or two fields may each take half of it, n
// fields 1/sqrt(2 n) each: errors of different fields seldom come together.
#define MESH_TOLERANCE_SPACING 1e-3
#define MESH_TOLERANCE_RADIUS 1.6e-7
#define MESH_TOLERANCE_UNIT 0.1
// Nodes are no further apart, in radians: beyond edges the warp is good for two of them.
#define MESH_PITCH_MAX (1.0 / 16)
// For the nodes of fields that may go to the finest mesh: the first so many. Which these are does not depend on
// what is wanted, since heights must not either.
#define MESH_FINEST_BYTES_MAX ((size_t)5 << 20)

struct mesh; // opaque

// Memory for tiles of so many intervals, and laying it out; aligned to ARENA_ALIGNMENT. The programs and tables must
// outlive it. lean: the lean program of the same outputs (program_compile_lean), which may look too, or NULL.
size_t mesh_bytes(const struct program *program, const struct tables *tables, int intervals);
struct mesh *mesh_begin(const struct program *program, const struct program *lean, const struct tables *tables,
                        int intervals, void *memory);

// Whether it is one of the two.
bool mesh_is_of(const struct mesh *mesh, const struct program *program);

// From here on the mesh is that of a tile, whose samples are spacing radians apart. tolerance: of the program's height.
void mesh_start_tile(struct mesh *mesh, struct node node, double spacing, double tolerance);

// Where in the tile the samples of the next block are; count of them, and the last again for the rest.
void mesh_start_block(struct mesh *mesh, const uint16_t *columns, const uint16_t *rows, int count);

// The part of a step's result that the mesh carries, at the block's samples, in out; returns how many octaves that is,
// and all of them (INT_MAX) for what has none. 0: the mesh carries nothing of it, and out is as it was.
int mesh_look(struct mesh *mesh, const struct kernels *kernels, struct program_memory *memory, const struct step *step,
              struct field out);

#endif
