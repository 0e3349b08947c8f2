// SPDX-License-Identifier: MIT
// How much the fields of a lattice bend from node to node.
#include <math.h>
#include <stdlib.h>

#include "bake/planet/lattice.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"
#include "common/vec3.h"

// Five points in a row, some rows a block, in blocks all over the planet.
#define ROW 5
#define ROWS (PLANET_BLOCK / ROW)
#define BLOCKS 12
// Rows are far apart: lattices inside this one are not for them.
#define APART 1e-2

// Rows of block number block, in directions that turn from row to row; what is left of the block repeats a point.
static void place_rows(double *lanes, int block, double pitch)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        int row = i / ROW < ROWS ? i / ROW : 0;
        struct double3 middle, side;
        spread_direction(block * ROWS + row, BLOCKS * ROWS, &middle.x, &middle.y, &middle.z);
        side = (struct double3){row % 3 == 0, row % 3 == 1, row % 3 == 2};
        struct double3 along = double3_cross(middle, side);
        struct double3 point = double3_normalise(double3_add(middle, double3_scale(along, (i % ROW - 2) * pitch)));
        lanes[i] = point.x;
        lanes[PLANET_BLOCK + i] = point.y;
        lanes[2 * PLANET_BLOCK + i] = point.z;
    }
}

static double largest_bend(const double *values)
{
    double most = 0;
    for (int row = 0; row < ROWS; row++) {
        const double *v = values + (ptrdiff_t)row * ROW;
        double bend = fabs(v[0] - 4 * v[1] + 6 * v[2] - 4 * v[3] + v[4]);
        most = bend > most || isnan(bend) ? bend : most;
    }
    return most;
}

enum status_code lattice_bends(double bends[LATTICE_FIELDS_MAX], const struct lattice *lattice,
                               const struct tables *tables, const struct kernels *kernels,
                               struct program_memory *memory, struct status *status)
{
    const struct program *program = &lattice->values;
    size_t bytes = (size_t)program->lane_count * PLANET_BLOCK * sizeof(double);
    double *lanes = aligned_alloc(ARENA_ALIGNMENT, bytes);
    if (!lanes)
        return status_fail_memory(status, "planet", bytes);
    double apart = lattice->pitch > APART ? lattice->pitch : APART;
    for (int field = 0; field < LATTICE_FIELDS_MAX; field++)
        bends[field] = 0;
    for (int block = 0; block < BLOCKS; block++) {
        place_rows(lanes, block, lattice->pitch);
        program_run(program, tables, kernels, memory, lanes, lattice->pitch, apart);
        for (int field = 0; field < lattice->field_count; field++) {
            double bend = largest_bend(program_result(program, field, lanes));
            // What is not a number stays.
            bends[field] = bends[field] >= bend ? bends[field] : bend;
        }
    }
    free(lanes);
    return STATUS_OK;
}
