// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "bake/planet/lattice.h"
#include "bake/planet/mesh.h"
#include "bake/planet/planet_internal.h"
#include "common/arena.h"

_Static_assert((PLANET_WANT_GRADIENT | PLANET_WANT_COLOR) == PLANET_WANT_COUNT - 1, "programs are indexed by wants");

// A thread's scratch: this, then lanes, then the lattices'.
struct scratch {
    struct program_memory memory;
    struct lattice_scratch *lattices[LATTICES_MAX];
    _Alignas(ARENA_ALIGNMENT) double lanes[];
};

static size_t lanes_count(const struct planet *planet)
{
    uint32_t lane_count = 0;
    for (int want = 0; want < PLANET_WANT_COUNT; want++) {
        if (planet->programs[want].lane_count > lane_count)
            lane_count = planet->programs[want].lane_count;
    }
    return (size_t)lane_count * PLANET_BLOCK;
}

size_t planet_scratch_bytes(const struct planet *planet)
{
    size_t bytes =
        sizeof(struct scratch) + lanes_count(planet) * sizeof(double) + lattice_scratch_bytes(&planet->tables);
    return (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

void planet_scratch_begin(const struct planet *planet, void *memory)
{
    struct scratch *scratch = memory;
    scratch->memory = (struct program_memory){.lattices = scratch->lattices};
    lattice_scratch_begin(&planet->tables, scratch->lanes + lanes_count(planet), scratch->lattices);
}

// Kernels work on whole blocks: the rest of a short one repeats its last sample.
static void fill_lane(double *lane, const double *values, int count)
{
    memcpy(lane, values, (size_t)count * sizeof lane[0]);
    for (int i = count; i < PLANET_BLOCK; i++)
        lane[i] = values[count - 1];
}

// From planet radii to metres.
static void write_gradient(const struct planet *planet, const struct planet_block *out, double *lanes,
                           const uint16_t *gradient, int count)
{
    double *const to[3] = {out->gradient_x, out->gradient_y, out->gradient_z};
    const struct field field = {NULL, lanes + (size_t)gradient[0] * PLANET_BLOCK,
                                lanes + (size_t)gradient[1] * PLANET_BLOCK, lanes + (size_t)gradient[2] * PLANET_BLOCK};
    planet->kernels->tangential(to, field, lanes, lanes + PLANET_BLOCK, lanes + 2 * PLANET_BLOCK,
                                planet->radius_m / planet->file_radius_m, count);
}

static void run_at(const struct planet *planet, struct scratch *scratch, unsigned want, int count, const double *x,
                   const double *y, const double *z, double spacing_m, double apart_m)
{
    fill_lane(scratch->lanes, x, count);
    fill_lane(scratch->lanes + PLANET_BLOCK, y, count);
    fill_lane(scratch->lanes + 2 * PLANET_BLOCK, z, count);
    program_run(&planet->programs[want], &planet->tables, planet->kernels, &scratch->memory, scratch->lanes,
                spacing_m / planet->radius_m, apart_m / planet->radius_m);
}

static void write_heights(const struct planet *planet, double *height_m, const double *values, int count)
{
    planet->kernels->scaled(height_m, values, planet->radius_m / planet->file_radius_m, count);
}

void planet_sample(const struct planet *planet, void *memory, int count, const double *x, const double *y,
                   const double *z, double spacing_m, unsigned want, const struct planet_block *out)
{
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && want < PLANET_WANT_COUNT);
    const struct program *program = &planet->programs[want];
    struct scratch *scratch = memory;
    run_at(planet, scratch, want, count, x, y, z, spacing_m, spacing_m);

    const double *lanes = scratch->lanes;
    write_heights(planet, out->height_m, program_result(program, PLANET_HEIGHT, lanes), count);
    if (want & PLANET_WANT_GRADIENT)
        write_gradient(planet, out, scratch->lanes, program->steps[program->output[PLANET_HEIGHT].step].lane + 1,
                       count);
    if (want & PLANET_WANT_COLOR) {
        const uint16_t *color = program->steps[program->output[PLANET_COLOR].step].lane;
        planet->kernels->clamped(out->red, lanes + (size_t)color[0] * PLANET_BLOCK, count);
        planet->kernels->clamped(out->green, lanes + (size_t)color[1] * PLANET_BLOCK, count);
        planet->kernels->clamped(out->blue, lanes + (size_t)color[2] * PLANET_BLOCK, count);
    }
}

size_t planet_mesh_bytes(const struct planet *planet, int intervals, unsigned want)
{
    return mesh_bytes(&planet->programs[want], &planet->tables, intervals);
}

struct mesh *planet_mesh_begin(const struct planet *planet, int intervals, unsigned want, void *memory)
{
    assert(want < PLANET_WANT_COUNT);
    return mesh_begin(&planet->programs[want], &planet->tables, intervals, memory);
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

void planet_sample_tile(const struct planet *planet, void *memory, struct mesh *mesh, int count,
                        const uint16_t *columns, const uint16_t *rows, const double *x, const double *y,
                        const double *z, double spacing_m, unsigned want, const struct planet_block *out)
{
    struct scratch *scratch = memory;
    assert(mesh_is_of(mesh, &planet->programs[want]));
    mesh_start_block(mesh, columns, rows, count);
    scratch->memory.mesh = mesh;
    planet_sample(planet, memory, count, x, y, z, spacing_m, want, out);
    scratch->memory.mesh = NULL;
}

void planet_sample_scattered(const struct planet *planet, void *memory, int count, const double *x, const double *y,
                             const double *z, double spacing_m, double spacing_of_tile_m, double *height_m)
{
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && spacing_of_tile_m >= spacing_m);
    struct scratch *scratch = memory;
    run_at(planet, scratch, 0, count, x, y, z, spacing_m, spacing_of_tile_m);
    write_heights(planet, height_m, program_result(&planet->programs[0], PLANET_HEIGHT, scratch->lanes), count);
}
