// SPDX-License-Identifier: MIT
// What of a field goes to which mesh.
#include <limits.h>
#include <string.h>

#include "bake/planet/mesh_internal.h"
#include "bake/planet/octave.h"

// Where the cells of noise meet, its third derivative jumps by some 60 amplitudes a cubed cell. From that follows how
// far the cubic is off, the largest of many tiles measured (test_mesh.c keeps watch): in amplitudes, the value by
// VALUE_ERROR times the cube of the nodes' distance in cells, and in amplitudes a cell, the slope by SLOPE_ERROR times
// its square. A fold of noise adds the fourth derivative of its own curve. What a lattice gives is a cubic spline,
// whose third derivative jumps at its nodes: far less than that of noise.
#define VALUE_ERROR 2.0
#define SLOPE_ERROR 1.6
#define FOLD_ERROR 2840.0
#define SPLINE_VALUE_ERROR 0.1
#define SPLINE_SLOPE_ERROR 0.06
// How much more than was seen a field may bend elsewhere.
#define BEND_MARGIN 4

// Whether a field is off by no more than its share of the tolerance, in value and in slope over the distance of two
// samples, where it would be off by these if the height changed with it one to one.
static bool keeps_within(const struct mesh *mesh, const struct mesh_use *use, double value_error, double slope_error)
{
    double most = mesh->share * mesh->tolerance;
    // False where something is not a number.
    return use->rise == 0 || (use->rise * value_error <= most && use->rise * slope_error <= most);
}

// Whether a mesh of this number is good enough for an octave.
static bool carries(const struct mesh *mesh, int number, const struct mesh_use *use, const struct octave *octave,
                    bool folded)
{
    double nodes = use->for_color ? MESH_NODES_PER_COLOR_CELL : MESH_NODES_PER_CELL;
    double apart = mesh_step(number) * mesh->spacing, part = apart * octave->frequency; // of a cell
    if (folded)
        nodes = MESH_NODES_PER_FOLDED_CELL;
    if (apart > MESH_PITCH_MAX || part * nodes > 1 || octave->weight < 1)
        return false;
    double square = part * part, amplitude = octave->amplitude;
    double value = amplitude * (folded ? FOLD_ERROR * (square * square) : VALUE_ERROR * (square * part));
    double slope = amplitude * SLOPE_ERROR * square * octave->frequency * mesh->spacing;
    return keeps_within(mesh, use, value, slope);
}

// From which octaves each mesh carries to the finest mesh that there are any for.
static void plan_octaves(const struct mesh *mesh, uint32_t index, struct mesh_field *field,
                         const struct fractal *fractal)
{
    struct octave octaves[OCTAVE_COUNT_MAX];
    int count = octaves_prepare(octaves, fractal), carried = 0;
    for (int number = MESH_COUNT - 1; number >= mesh_finest_allowed(index, mesh->intervals); number--) {
        int before = carried;
        while (carried < count && carries(mesh, number, &mesh->tables->mesh_uses[index], &octaves[carried], false))
            carried++;
        field->octaves[number] = carried;
        if (carried > before)
            field->finest = number;
    }
    field->done = carried;
}

// All octaves or none: each depends on those before it.
static void plan_folded(const struct mesh *mesh, uint32_t index, struct mesh_field *field,
                        const struct fractal *fractal)
{
    struct octave octaves[OCTAVE_COUNT_MAX];
    int count = octaves_prepare(octaves, fractal);
    for (int number = mesh_finest_allowed(index, mesh->intervals); number < MESH_COUNT; number++) {
        bool all = count == fractal->octaves;
        for (int k = 0; k < count; k++)
            all = all && carries(mesh, number, &mesh->tables->mesh_uses[index], &octaves[k], true);
        if (all)
            field->finest = number;
    }
    field->done = field->finest < 0 ? 0 : fractal->octaves;
}

static void plan_coarse(const struct mesh *mesh, uint32_t index, struct mesh_field *field, double pitch)
{
    const struct mesh_use *use = &mesh->tables->mesh_uses[index];
    double bend = BEND_MARGIN * use->bend;
    for (int number = mesh_finest_allowed(index, mesh->intervals); number < MESH_COUNT; number++) {
        double apart = mesh_step(number) * mesh->spacing, part = apart / pitch;
        double value = bend * SPLINE_VALUE_ERROR * (part * part * part);
        double slope = bend * SPLINE_SLOPE_ERROR * (part * part) * (mesh->spacing / pitch);
        if (apart <= MESH_PITCH_MAX && part * MESH_NODES_PER_PITCH <= 1 && keeps_within(mesh, use, value, slope))
            field->finest = number;
    }
    field->done = field->finest < 0 ? 0 : INT_MAX;
}

void mesh_plan_field(const struct mesh *mesh, struct mesh_field *field, const struct step *step)
{
    field->ready = 0;
    field->finest = -1;
    field->part_count = mesh_parts(step);
    memset(field->octaves, 0, sizeof field->octaves);
    if (step->op == GRAPH_COARSE) {
        plan_coarse(mesh, step->mesh, field, mesh->tables->lattices[step->table / LATTICE_FIELDS_MAX].pitch);
        return;
    }
    struct fractal fractal = mesh_fractal(mesh, step);
    if (mesh_is_folded(&fractal))
        plan_folded(mesh, step->mesh, field, &fractal);
    else
        plan_octaves(mesh, step->mesh, field, &fractal);
}
