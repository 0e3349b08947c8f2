// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "bake/planet/crater_shelf.h"
#include "bake/planet/lattice.h"
#include "bake/planet/mesh.h"
#include "bake/planet/planet_internal.h"
#include "common/arena.h"

_Static_assert((PLANET_WANT_GRADIENT | PLANET_WANT_COLOR) == PLANET_WANT_COUNT - 1, "programs are indexed by wants");

// Fields of craters of which a thread keeps some, 132 kB each.
#define SHELVES_MAX 16
// See run_lean.
#define LEAN_UNIT 4
#define LEAN_MISSES_MAX 4

// A thread's scratch: this, then lanes, the lattices' and craters.
struct scratch {
    struct program_memory memory;
    struct lattice_scratch *lattices[LATTICES_MAX];
    struct turned_block block;
    int lean_account, lean_misses; // see run_lean
    _Alignas(ARENA_ALIGNMENT) double lanes[];
};

static size_t lanes_count(const struct planet *planet)
{
    uint32_t lane_count = 0;
    for (int want = 0; want < PLANET_WANT_COUNT; want++) {
        if (planet->programs[want].lane_count > lane_count)
            lane_count = planet->programs[want].lane_count;
        if (planet->lean[want].lane_count > lane_count)
            lane_count = planet->lean[want].lane_count;
    }
    return (size_t)lane_count * PLANET_BLOCK;
}

static uint32_t shelf_count(const struct planet *planet)
{
    return planet->tables.crater_count < SHELVES_MAX ? planet->tables.crater_count : SHELVES_MAX;
}

size_t planet_scratch_bytes(const struct planet *planet)
{
    size_t bytes = sizeof(struct scratch) + lanes_count(planet) * sizeof(double) +
                   lattice_scratch_bytes(&planet->tables) +
                   arena_bound(shelf_count(planet), sizeof(struct crater_shelf));
    return (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

void planet_scratch_begin(const struct planet *planet, void *memory)
{
    struct scratch *scratch = memory;
    scratch->memory = (struct program_memory){.lattices = scratch->lattices, .block = &scratch->block};
    scratch->lean_account = scratch->lean_misses = 0;
    void *rest = scratch->lanes + lanes_count(planet);
    lattice_scratch_begin(&planet->tables, rest, scratch->lattices);
    size_t lattices_bytes = lattice_scratch_bytes(&planet->tables);
    uint32_t count = shelf_count(planet);
    struct arena arena =
        arena_over((unsigned char *)rest + lattices_bytes, arena_bound(count, sizeof(struct crater_shelf)));
    scratch->memory.shelves = arena_take(&arena, count, sizeof(struct crater_shelf));
    scratch->memory.shelf_count = count;
    for (uint32_t k = 0; k < count; k++)
        crater_shelf_clear(&scratch->memory.shelves[k]);
}

// Kernels work on whole blocks: the rest of a short one repeats its last sample. values may be the lane itself.
static void fill_lane(double *lane, const double *values, int count)
{
    if (values != lane)
        memcpy(lane, values, (size_t)count * sizeof lane[0]);
    for (int i = count; i < PLANET_BLOCK; i++)
        lane[i] = lane[count - 1];
}

static void fill_positions(struct scratch *scratch, int count, const double *x, const double *y, const double *z)
{
    fill_lane(scratch->lanes, x, count);
    fill_lane(scratch->lanes + PLANET_BLOCK, y, count);
    fill_lane(scratch->lanes + 2 * PLANET_BLOCK, z, count);
}

static bool run(const struct planet *planet, struct scratch *scratch, const struct program *program, double spacing_m,
                double apart_m)
{
    return program_run(program, &planet->tables, planet->kernels, &scratch->memory, scratch->lanes,
                       spacing_m / planet->radius_m, apart_m / planet->radius_m);
}

static void run_at(const struct planet *planet, struct scratch *scratch, unsigned want, int count, const double *x,
                   const double *y, const double *z, double spacing_m, double apart_m)
{
    fill_positions(scratch, count, x, y, z);
    run(planet, scratch, &planet->programs[want], spacing_m, apart_m);
}

// The lean program, where it is likely to do; false where it was not tried or did not. Neighbouring blocks are much
// alike, so an account is kept of what it saves, LEAN_UNIT a block, and of what is lost when a block has to be run
// again whole, which counts twice as much at each miss in a row. While it is below 0 the lean program is not tried, and
// each block adds 1. Results do not depend on what is tried.
static bool run_lean(const struct planet *planet, struct scratch *scratch, unsigned want, double spacing_m)
{
    const struct program *lean = &planet->lean[want];
    int lost = LEAN_UNIT * planet->lean_odds[want];
    if (lean->step_count == 0)
        return false;
    if (scratch->lean_account < 0) {
        scratch->lean_account++;
        return false;
    }
    if (run(planet, scratch, lean, spacing_m, spacing_m)) {
        scratch->lean_account += scratch->lean_account < lost ? LEAN_UNIT : 0;
        scratch->lean_misses = 0;
        return true;
    }
    scratch->lean_account -= lost << scratch->lean_misses;
    scratch->lean_misses += scratch->lean_misses < LEAN_MISSES_MAX;
    return false;
}

// Where the results of a program's run are in the lanes, in metres at the baked radius; colours as the planet has them.
static struct planet_block results(const struct planet *planet, const struct program *program, double *lanes,
                                   unsigned want)
{
    const uint16_t *height = program->steps[program->output[PLANET_HEIGHT].step].lane;
    double *at[4] = {NULL}, *channels[3] = {NULL}, scale = planet->radius_m / planet->file_radius_m;
    for (int k = 0; k < (want & PLANET_WANT_GRADIENT ? 4 : 1); k++)
        at[k] = lanes + (size_t)height[k] * PLANET_BLOCK;
    if (scale != 1)
        planet->kernels->scaled(at[0], at[0], scale, PLANET_BLOCK);
    if (want & PLANET_WANT_GRADIENT)
        planet->kernels->tangential(at + 1, (struct field){at[0], at[1], at[2], at[3]}, lanes, lanes + PLANET_BLOCK,
                                    lanes + 2 * PLANET_BLOCK, scale, PLANET_BLOCK);
    for (int channel = 0; channel < 3 && want & PLANET_WANT_COLOR; channel++)
        channels[channel] =
            lanes + (size_t)program->steps[program->output[PLANET_COLOR].step].lane[channel] * PLANET_BLOCK;
    return (struct planet_block){at[0], at[1], at[2], at[3], channels[0], channels[1], channels[2]};
}

void planet_sample(const struct planet *planet, void *memory, int count, const double *x, const double *y,
                   const double *z, double spacing_m, unsigned want, const struct planet_block *out)
{
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && want < PLANET_WANT_COUNT);
    struct scratch *scratch = memory;
    run_at(planet, scratch, want, count, x, y, z, spacing_m, spacing_m);
    const struct planet_block found = results(planet, &planet->programs[want], scratch->lanes, want);
    size_t bytes = (size_t)count * sizeof(double);
    memcpy(out->height_m, found.height_m, bytes);
    if (want & PLANET_WANT_GRADIENT) {
        memcpy(out->gradient_x, found.gradient_x, bytes);
        memcpy(out->gradient_y, found.gradient_y, bytes);
        memcpy(out->gradient_z, found.gradient_z, bytes);
    }
    if (want & PLANET_WANT_COLOR) {
        planet->kernels->clamped(out->red, found.red, count);
        planet->kernels->clamped(out->green, found.green, count);
        planet->kernels->clamped(out->blue, found.blue, count);
    }
}

size_t planet_mesh_bytes(const struct planet *planet, int intervals, unsigned want)
{
    return mesh_bytes(&planet->programs[want], &planet->tables, intervals);
}

struct mesh *planet_mesh_begin(const struct planet *planet, int intervals, unsigned want, void *memory)
{
    assert(want < PLANET_WANT_COUNT);
    return mesh_begin(&planet->programs[want], &planet->lean[want], &planet->tables, intervals, memory);
}

void planet_mesh_start(const struct planet *planet, struct mesh *mesh, struct node node, double spacing_m)
{
    double radius_m = planet->radius_m, unit_m = height_unit_m(height_unit_exponent(radius_m));
    double tolerance_m = MESH_TOLERANCE_SPACING * spacing_m;
    if (tolerance_m > MESH_TOLERANCE_RADIUS * radius_m)
        tolerance_m = MESH_TOLERANCE_RADIUS * radius_m;
    if (tolerance_m < MESH_TOLERANCE_UNIT * unit_m)
        tolerance_m = MESH_TOLERANCE_UNIT * unit_m;
    mesh_start_tile(mesh, node, spacing_m / radius_m, tolerance_m * (planet->file_radius_m / radius_m));
}

void planet_directions(void *memory, double *xyz[3])
{
    struct scratch *scratch = memory;
    for (int axis = 0; axis < 3; axis++)
        xyz[axis] = scratch->lanes + axis * PLANET_BLOCK;
}

struct planet_block planet_sample_tile(const struct planet *planet, void *memory, struct mesh *mesh, int count,
                                       const uint16_t *columns, const uint16_t *rows, const double *x, const double *y,
                                       const double *z, double spacing_m, unsigned want)
{
    struct scratch *scratch = memory;
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && mesh_is_of(mesh, &planet->programs[want]));
    mesh_start_block(mesh, columns, rows, count);
    scratch->memory.mesh = mesh;
    fill_positions(scratch, count, x, y, z);
    const struct program *program = &planet->lean[want];
    if (!run_lean(planet, scratch, want, spacing_m)) {
        program = &planet->programs[want];
        run(planet, scratch, program, spacing_m, spacing_m);
    }
    scratch->memory.mesh = NULL;
    return results(planet, program, scratch->lanes, want);
}

void planet_sample_scattered(const struct planet *planet, void *memory, int count, const double *x, const double *y,
                             const double *z, double spacing_m, double spacing_of_tile_m, double *height_m)
{
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && spacing_of_tile_m >= spacing_m);
    struct scratch *scratch = memory;
    run_at(planet, scratch, 0, count, x, y, z, spacing_m, spacing_of_tile_m);
    memcpy(height_m, results(planet, &planet->programs[0], scratch->lanes, 0).height_m,
           (size_t)count * sizeof *height_m);
}
