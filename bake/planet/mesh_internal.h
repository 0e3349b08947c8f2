// SPDX-License-Identifier: MIT
// What a struct mesh is: for mesh.c, which fills it, and mesh_plan.c, which says what goes where.
#ifndef TERRANE_BAKE_PLANET_MESH_INTERNAL_H
#define TERRANE_BAKE_PLANET_MESH_INTERNAL_H

#include "bake/planet/mesh.h"

// Meshes by their number: 0 has a node at every second sample, 3 at every 16th.
#define MESH_COUNT 4
#define MESH_PARTS 4 // value and gradient
#define MESH_NODE_BYTES (sizeof(double) + (MESH_PARTS - 1) * sizeof(float))

struct mesh_field {
    int ready;      // parts that are there already
    int part_count; // that there is room for: 1 or MESH_PARTS
    int finest;     // mesh that samples are looked up in; -1: the mesh does not carry the step
    int done;       // what mesh_look returns
    // Of noise: so many octaves are evaluated at the nodes of each mesh, those of wider ones among them.
    int octaves[MESH_COUNT];
    double *values;
    float *slopes; // the parts of the gradient, one after the other; NULL where there is none
};

struct mesh {
    const struct program *program;
    const struct program *lean; // or NULL
    const struct tables *tables;
    int intervals;
    double share; // of the tolerance, for each octave and coarse field
    double spacing, tolerance;
    struct node node;
    struct mesh_field fields[MESH_FIELDS_MAX];
    // Directions of the nodes of each mesh, coordinate by coordinate.
    bool placed[MESH_COUNT];
    double *places[MESH_COUNT];
    double *wider[2]; // meshes on the way to the finest, in turn, part by part
    double *gradient; // of the finest, on its way to slopes
    double *between;  // for refining
    struct mesh_places at;
};

static inline int mesh_step(int number)
{
    return 2 << number;
}

static inline int mesh_side(int intervals, int number)
{
    return intervals / mesh_step(number) + 2 * MESH_MARGIN + 1;
}

// Numbers of one part: whole blocks.
static inline size_t mesh_part_size(int intervals, int number)
{
    size_t side = (size_t)mesh_side(intervals, number);
    return (side * side + PLANET_BLOCK - 1) / PLANET_BLOCK * PLANET_BLOCK;
}

// The finest mesh that a field may have.
static inline int mesh_finest_allowed(uint32_t field, int intervals)
{
    return field < MESH_FINEST_BYTES_MAX / (mesh_part_size(intervals, 0) * MESH_NODE_BYTES) ? 0 : 1;
}

static inline int mesh_parts(const struct step *step)
{
    return step->lane[1] == LANE_NONE ? 1 : MESH_PARTS;
}

static inline bool mesh_is_folded(const struct fractal *fractal)
{
    return fractal->kind != FRACTAL_FBM;
}

static inline struct fractal mesh_fractal(const struct mesh *mesh, const struct step *step)
{
    struct fractal fractal = mesh->tables->fractals[step->table];
    fractal.f_max = 0.5 / mesh->spacing;
    return fractal;
}

// Settles a step's field for the tile that the mesh is of.
void mesh_plan_field(const struct mesh *mesh, struct mesh_field *field, const struct step *step);

#endif
