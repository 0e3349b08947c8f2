// SPDX-License-Identifier: MIT
#include "bake/planet/lattice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"

// Nodes along the side of the cube around a cell, and of the coefficients that come out of it.
#define NODE_SIDE 6
#define COEFFICIENT_SIDE 4
#define COEFFICIENTS (COEFFICIENT_SIDE * COEFFICIENT_SIDE * COEFFICIENT_SIDE)
// Node 0 of the cube stands two below the cell's low corner.
#define NODES_BELOW 2

// A cell of the lattice by its low corner, or a brick by its number; doublings of the pitch tell lattices of guides
// apart. Coordinates are below 2^19 in size: radii over a pitch of at least LATTICE_PITCH_MIN.
struct place3 {
    int32_t x, y, z;
};

struct lattice_scratch {
    // Bricks by hash of their number: what a slot holds, and its nodes, field by field.
    uint64_t *brick;
    double *nodes; // [slot][field][node], x fastest
    // Cells with their coefficients, as far as they were asked for: kept from block to block.
    struct cell *cells;
    double *coefficients; // [field][cell][COEFFICIENTS], z slowest
    double *lanes;        // of the lattice's programs
    // Of the block of run number, the block_count-th that was started here:
    uint64_t run_number, block_count;
    struct lattice_places places;       // in which of the cells
    int used[PLANET_BLOCK], used_count; // the cells
    double step;                        // distance of nodes in radii
    int doublings;                      // of the pitch
    bool direct;                        // evaluated at the samples: lanes hold the results
};

struct cell {
    struct place3 at;
    int doublings;  // -1 in an empty one
    uint32_t ready; // a bit for each field whose coefficients are there
    uint64_t block; // that last looked into it
};

// Twice as many as a block can need at a time: a cell is looked for in CELL_TRIES places.
#define LATTICE_CELLS (2 * PLANET_BLOCK)
#define CELL_TRIES 4

#define BRICK_NONE UINT64_MAX

static size_t program_lanes_bytes(const struct lattice *lattice)
{
    uint32_t lanes = lattice->values.lane_count;
    if (lattice->gradients.lane_count > lanes)
        lanes = lattice->gradients.lane_count;
    return (size_t)lanes * PLANET_BLOCK * sizeof(double);
}

size_t lattice_scratch_bytes(const struct tables *tables)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        const struct lattice *lattice = &tables->lattices[i];
        size_t fields = (size_t)lattice->field_count;
        bytes += arena_bound(1, sizeof(struct lattice_scratch)) + arena_bound(LATTICE_BRICKS, sizeof(uint64_t)) +
                 arena_bound(LATTICE_BRICKS * fields * BRICK_NODES, sizeof(double)) +
                 arena_bound(1, program_lanes_bytes(lattice)) + arena_bound(LATTICE_CELLS, sizeof(struct cell)) +
                 arena_bound(LATTICE_CELLS * fields * COEFFICIENTS, sizeof(double));
    }
    return bytes;
}

void lattice_scratch_begin(const struct tables *tables, void *memory, struct lattice_scratch **scratch)
{
    struct arena arena = arena_over(memory, lattice_scratch_bytes(tables));
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        const struct lattice *lattice = &tables->lattices[i];
        size_t fields = (size_t)lattice->field_count;
        struct lattice_scratch *made = arena_take(&arena, 1, sizeof *made);
        assert(made);
        *made = (struct lattice_scratch){
            .brick = arena_take(&arena, LATTICE_BRICKS, sizeof(uint64_t)),
            .nodes = arena_take(&arena, LATTICE_BRICKS * fields * BRICK_NODES, sizeof(double)),
            .lanes = arena_take(&arena, 1, program_lanes_bytes(lattice)),
            .cells = arena_take(&arena, LATTICE_CELLS, sizeof(struct cell)),
            .coefficients = arena_take(&arena, LATTICE_CELLS * fields * COEFFICIENTS, sizeof(double)),
        };
        assert(made->coefficients);
        for (int k = 0; k < LATTICE_CELLS; k++)
            made->cells[k] = (struct cell){.doublings = -1};
        for (int slot = 0; slot < LATTICE_BRICKS; slot++)
            made->brick[slot] = BRICK_NONE;
        scratch[i] = made;
    }
}

enum status_code lattice_memory_new(struct lattice_memory *memory, const struct tables *tables, struct status *status)
{
    // One more, so that it is not an empty allocation.
    size_t bytes = arena_bound(lattice_scratch_bytes(tables), 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    *memory = (struct lattice_memory){.memory = aligned_alloc(ARENA_ALIGNMENT, bytes)};
    if (!memory->memory)
        return status_fail_memory(status, "lattices", bytes);
    memory->program.lattices = memory->scratch;
    lattice_scratch_begin(tables, memory->memory, memory->scratch);
    return STATUS_OK;
}

void lattice_memory_free(struct lattice_memory *memory)
{
    free(memory->memory);
    memory->memory = NULL;
}

// ---- Bricks ---------------------------------------------------------------------------------------------

// Rounds toward minus infinity.
static int32_t brick_of(int32_t node)
{
    return (node >= 0 ? node : node - (BRICK_SIDE - 1)) / BRICK_SIDE;
}

#define BRICK_BITS 20 // of a coordinate of a brick

static uint64_t brick_number(struct place3 at, int doublings)
{
    const uint64_t mask = (UINT64_C(1) << BRICK_BITS) - 1;
    return (uint64_t)doublings << (3 * BRICK_BITS) | ((uint64_t)at.z & mask) << (2 * BRICK_BITS) |
           ((uint64_t)at.y & mask) << BRICK_BITS | ((uint64_t)at.x & mask);
}

// Bricks that are near each other get different slots as far as can be: an odd step along each axis.
static int slot_of(struct place3 at)
{
    uint32_t mixed = (uint32_t)at.x + 37u * (uint32_t)at.y + 149u * (uint32_t)at.z;
    return (int)(mixed & (LATTICE_BRICKS - 1));
}

#define BRICKS_AT_ONCE (PLANET_BLOCK / BRICK_NODES)

// A run that looks up in one lattice.
struct lookup {
    const struct lattice_run *run;
    const struct lattice *lattice;
    struct lattice_scratch *scratch;
};

static void place_nodes(double *lanes, int first, struct place3 brick, double step)
{
    for (int i = 0; i < BRICK_NODES; i++) {
        double x = (brick.x * BRICK_SIDE + i % BRICK_SIDE) * step;
        double y = (brick.y * BRICK_SIDE + i / BRICK_SIDE % BRICK_SIDE) * step;
        double z = (brick.z * BRICK_SIDE + i / (BRICK_SIDE * BRICK_SIDE)) * step;
        double length = sqrt(x * x + y * y + z * z);
        length = length > 0 ? length : 1;
        lanes[first + i] = x / length;
        lanes[PLANET_BLOCK + first + i] = y / length;
        lanes[2 * PLANET_BLOCK + first + i] = z / length;
    }
}

// Evaluates the nodes of count bricks, 1 to BRICKS_AT_ONCE, into their slots.
static void evaluate_bricks(const struct lookup *at, const struct place3 *bricks, int count)
{
    struct lattice_scratch *scratch = at->scratch;
    const struct program *program = &at->lattice->values;
    for (int i = 0; i < BRICKS_AT_ONCE; i++)
        place_nodes(scratch->lanes, i * BRICK_NODES, bricks[i < count ? i : 0], scratch->step);
    struct program_memory *memory = at->run->memory;
    program_run(program, at->run->tables, at->run->kernels, memory, scratch->lanes, scratch->step, scratch->step);
    for (int i = 0; i < count; i++) {
        int slot = slot_of(bricks[i]);
        for (int field = 0; field < program->output_count; field++)
            memcpy(scratch->nodes + ((size_t)slot * (size_t)program->output_count + (size_t)field) * BRICK_NODES,
                   program_result(program, field, scratch->lanes) + i * BRICK_NODES, BRICK_NODES * sizeof(double));
        scratch->brick[slot] = brick_number(bricks[i], scratch->doublings);
    }
}

static bool brick_is_here(const struct lattice_scratch *scratch, struct place3 brick)
{
    return scratch->brick[slot_of(brick)] == brick_number(brick, scratch->doublings);
}

// The bricks that hold the nodes around a cell: from *low to *high in each coordinate.
static void cell_bricks(struct place3 cell, struct place3 *low, struct place3 *high)
{
    *low =
        (struct place3){brick_of(cell.x - NODES_BELOW), brick_of(cell.y - NODES_BELOW), brick_of(cell.z - NODES_BELOW)};
    const int above = NODE_SIDE - 1 - NODES_BELOW;
    *high = (struct place3){brick_of(cell.x + above), brick_of(cell.y + above), brick_of(cell.z + above)};
}

// Evaluates what bricks the cell needs and are not here, as many as fit at a time. Some may be thrown out again by
// others that share their slot: gather_nodes looks again.
static void fetch_bricks(const struct lookup *at, struct place3 cell)
{
    struct place3 low, high, missing[BRICKS_AT_ONCE], brick;
    int count = 0;
    cell_bricks(cell, &low, &high);
    for (brick.z = low.z; brick.z <= high.z; brick.z++)
        for (brick.y = low.y; brick.y <= high.y; brick.y++)
            for (brick.x = low.x; brick.x <= high.x; brick.x++) {
                if (brick_is_here(at->scratch, brick))
                    continue;
                missing[count++] = brick;
                if (count == BRICKS_AT_ONCE) {
                    evaluate_bricks(at, missing, count);
                    count = 0;
                }
            }
    if (count > 0)
        evaluate_bricks(at, missing, count);
}

// Copies the part of a brick that belongs to the cube around a cell. Node n of the cube is node first + n of the grid.
static void copy_part(double cube[NODE_SIDE][NODE_SIDE][NODE_SIDE], const double *nodes, struct place3 first,
                      struct place3 brick)
{
    int32_t origin[3] = {brick.x * BRICK_SIDE - first.x, brick.y * BRICK_SIDE - first.y,
                         brick.z * BRICK_SIDE - first.z};
    for (int z = 0; z < BRICK_SIDE; z++)
        for (int y = 0; y < BRICK_SIDE; y++) {
            int32_t cz = origin[2] + z, cy = origin[1] + y;
            if (cz < 0 || cz >= NODE_SIDE || cy < 0 || cy >= NODE_SIDE)
                continue;
            for (int x = 0; x < BRICK_SIDE; x++) {
                int32_t cx = origin[0] + x;
                if (cx >= 0 && cx < NODE_SIDE)
                    cube[cz][cy][cx] = nodes[(z * BRICK_SIDE + y) * BRICK_SIDE + x];
            }
        }
}

static void gather_nodes(const struct lookup *at, struct place3 cell, int field,
                         double cube[NODE_SIDE][NODE_SIDE][NODE_SIDE])
{
    struct place3 low, high, brick;
    struct place3 first = {cell.x - NODES_BELOW, cell.y - NODES_BELOW, cell.z - NODES_BELOW};
    size_t fields = (size_t)at->lattice->field_count;
    cell_bricks(cell, &low, &high);
    for (brick.z = low.z; brick.z <= high.z; brick.z++)
        for (brick.y = low.y; brick.y <= high.y; brick.y++)
            for (brick.x = low.x; brick.x <= high.x; brick.x++) {
                if (!brick_is_here(at->scratch, brick))
                    evaluate_bricks(at, &brick, 1);
                size_t slot = (size_t)slot_of(brick);
                copy_part(cube, at->scratch->nodes + (slot * fields + (size_t)field) * BRICK_NODES, first, brick);
            }
}

// ---- Coefficients ---------------------------------------------------------------------------------------

static inline double corrected(double before, double here, double after)
{
    return here - (before - 2.0 * here + after) * (1.0 / 6.0);
}

// Along z, then y, then x.
static void correct_cube(double cube[NODE_SIDE][NODE_SIDE][NODE_SIDE], double *coefficients)
{
    double along_z[COEFFICIENT_SIDE][NODE_SIDE][NODE_SIDE], along_y[COEFFICIENT_SIDE][COEFFICIENT_SIDE][NODE_SIDE];
    for (int z = 0; z < COEFFICIENT_SIDE; z++)
        for (int y = 0; y < NODE_SIDE; y++)
            for (int x = 0; x < NODE_SIDE; x++)
                along_z[z][y][x] = corrected(cube[z][y][x], cube[z + 1][y][x], cube[z + 2][y][x]);
    for (int z = 0; z < COEFFICIENT_SIDE; z++)
        for (int y = 0; y < COEFFICIENT_SIDE; y++)
            for (int x = 0; x < NODE_SIDE; x++)
                along_y[z][y][x] = corrected(along_z[z][y][x], along_z[z][y + 1][x], along_z[z][y + 2][x]);
    for (int z = 0; z < COEFFICIENT_SIDE; z++)
        for (int y = 0; y < COEFFICIENT_SIDE; y++)
            for (int x = 0; x < COEFFICIENT_SIDE; x++)
                coefficients[(z * COEFFICIENT_SIDE + y) * COEFFICIENT_SIDE + x] =
                    corrected(along_y[z][y][x], along_y[z][y][x + 1], along_y[z][y][x + 2]);
}

// ---- Cells of a block -----------------------------------------------------------------------------------

static bool is_cell(const struct cell *cell, struct place3 at, int doublings)
{
    return cell->at.x == at.x && cell->at.y == at.y && cell->at.z == at.z && cell->doublings == doublings;
}

// The cell, new or kept, marked as the block's. One that this block does not use makes room for it.
static int find_cell(struct lattice_scratch *scratch, struct place3 at)
{
    uint32_t mixed = ((uint32_t)at.x * 0x9E3779B1u ^ (uint32_t)at.y * 0x85EBCA77u) + (uint32_t)at.z * 0xC2B2AE3Du;
    int start = (int)((mixed ^ mixed >> 15) & (LATTICE_CELLS - 1)), found = -1, vacant = -1;
    for (int k = 0; k < LATTICE_CELLS && found < 0 && (vacant < 0 || k < CELL_TRIES); k++) {
        int i = (start + k) & (LATTICE_CELLS - 1);
        if (is_cell(&scratch->cells[i], at, scratch->doublings))
            found = i;
        else if (vacant < 0 && scratch->cells[i].block != scratch->block_count)
            vacant = i;
    }
    if (found < 0) {
        found = vacant;
        scratch->cells[found] = (struct cell){.at = at, .doublings = scratch->doublings};
    }
    if (scratch->cells[found].block != scratch->block_count)
        scratch->used[scratch->used_count++] = found;
    scratch->cells[found].block = scratch->block_count;
    return found;
}

static void find_cells(struct lattice_scratch *scratch, const struct kernels *kernels, const double *position)
{
    struct lattice_places *places = &scratch->places;
    kernels->lattice_places(places, position, position + PLANET_BLOCK, position + 2 * PLANET_BLOCK,
                            1.0 / scratch->step);
    const int32_t *x = places->low[0], *y = places->low[1], *z = places->low[2];
    scratch->used_count = 0;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        bool same = i > 0 && ((x[i] ^ x[i - 1]) | (y[i] ^ y[i - 1]) | (z[i] ^ z[i - 1])) == 0;
        places->cell[i] = same ? places->cell[i - 1] : find_cell(scratch, (struct place3){x[i], y[i], z[i]});
    }
}

static void start_block(const struct lookup *at)
{
    struct lattice_scratch *scratch = at->scratch;
    const struct lattice_run *run = at->run;
    scratch->run_number = run->number;
    scratch->block_count++; // a run may start over
    int least = at->lattice->is_guide ? LATTICE_SAMPLES_MIN : COARSE_SAMPLES_MIN;
    bool close = run->apart * least < at->lattice->pitch;
    scratch->direct = !close && (!at->lattice->is_guide || run->apart > run->spacing);
    scratch->step = at->lattice->pitch;
    scratch->doublings = 0;
    if (scratch->direct) {
        double spacing = run->spacing > scratch->step ? run->spacing : scratch->step;
        memcpy(scratch->lanes, run->position, POSITION_LANES * PLANET_BLOCK * sizeof(double));
        program_run(&at->lattice->gradients, run->tables, run->kernels, run->memory, scratch->lanes, spacing,
                    run->apart > spacing ? run->apart : spacing);
        return;
    }
    while (run->apart * LATTICE_SAMPLES_MIN >= scratch->step) {
        scratch->step *= 2;
        scratch->doublings++;
    }
    find_cells(scratch, run->kernels, run->position);
    uint32_t all = (1u << at->lattice->field_count) - 1;
    for (int i = 0; i < scratch->used_count; i++) {
        const struct cell *cell = &scratch->cells[scratch->used[i]];
        if (cell->ready != all)
            fetch_bricks(at, cell->at);
    }
}

// Another run may have used this lattice's scratch in between (a lattice inside another one): then all is done again.
static struct lookup start(const struct lattice_run *run, uint32_t entry)
{
    uint32_t index = entry / LATTICE_FIELDS_MAX;
    struct lookup at = {run, &run->tables->lattices[index], run->memory->lattices[index]};
    if (at.scratch->run_number != run->number)
        start_block(&at);
    return at;
}

static const double *coefficients_of(const struct lookup *at, int field)
{
    struct lattice_scratch *scratch = at->scratch;
    double *all = scratch->coefficients + (size_t)field * LATTICE_CELLS * COEFFICIENTS;
    for (int i = 0; i < scratch->used_count; i++) {
        int index = scratch->used[i];
        struct cell *cell = &scratch->cells[index];
        if (cell->ready >> field & 1)
            continue;
        double cube[NODE_SIDE][NODE_SIDE][NODE_SIDE];
        gather_nodes(at, cell->at, field, cube);
        correct_cube(cube, all + (size_t)index * COEFFICIENTS);
        cell->ready |= 1u << field;
    }
    return all;
}

// ---- Results --------------------------------------------------------------------------------------------

static const double *direct_lane(const struct lookup *at, int field, int part)
{
    const struct program *program = &at->lattice->gradients;
    uint16_t lane = program->steps[program->output[field].step].lane[part];
    assert(lane != LANE_NONE);
    return at->scratch->lanes + (size_t)lane * PLANET_BLOCK;
}

void lattice_coarse(const struct lattice_run *run, uint32_t entry, struct field out)
{
    struct lookup at = start(run, entry);
    int field = (int)(entry % LATTICE_FIELDS_MAX);
    double *const parts[4] = {out.v, out.gx, out.gy, out.gz};
    if (at.scratch->direct) {
        for (int part = 0; part < 4 && parts[part]; part++)
            memcpy(parts[part], direct_lane(&at, field, part), PLANET_BLOCK * sizeof(double));
        return;
    }
    const double *coefficients = coefficients_of(&at, field);
    run->kernels->spline(parts, &at.scratch->places, coefficients, 1.0 / at.scratch->step);
}

void lattice_guide(const struct lattice_run *run, uint32_t entry, double *const guide[3], double *const hessian[9])
{
    struct lookup at = start(run, entry);
    int field = (int)(entry % LATTICE_FIELDS_MAX);
    if (at.scratch->direct) {
        assert(!hessian);
        for (int axis = 0; axis < 3; axis++)
            memcpy(guide[axis], direct_lane(&at, field, 1 + axis), PLANET_BLOCK * sizeof(double));
        return;
    }
    const double *coefficients = coefficients_of(&at, field);
    run->kernels->spline_curvature(guide, hessian, &at.scratch->places, coefficients, 1.0 / at.scratch->step);
}
