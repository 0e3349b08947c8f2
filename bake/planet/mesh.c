// SPDX-License-Identifier: MIT
#include "bake/planet/mesh.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bake/planet/face_grid.h"
#include "bake/planet/mesh_internal.h"
#include "bake/planet/octave.h"
#include "common/arena.h"

#define MESH_SIDE_MAX (TILE_INTERVALS_MAX / 2 + 2 * MESH_MARGIN + 1)

// Takes everything out of arena, or, with mesh NULL, only adds up how much it is.
static size_t lay_out(struct mesh *mesh, const struct program *program, const struct tables *tables, int intervals,
                      struct arena *arena)
{
    size_t total = 0;
#define TAKE(place, count)                                                                                             \
    do {                                                                                                               \
        total += arena_bound(count, sizeof *mesh->place);                                                              \
        if (mesh)                                                                                                      \
            mesh->place = arena_take(arena, count, sizeof *mesh->place);                                               \
    } while (0)
    if (tables->mesh_count == 0)
        return 0;
    for (int k = 0; k < MESH_COUNT; k++)
        TAKE(places[k], 3 * mesh_part_size(intervals, k));
    for (int k = 0; k < 2; k++)
        TAKE(wider[k], MESH_PARTS * mesh_part_size(intervals, 1));
    TAKE(between, (size_t)mesh_side(intervals, 1) * (size_t)mesh_side(intervals, 0));
    bool any_gradient = false;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct step *step = &program->steps[i];
        if (step->mesh == MESH_NONE)
            continue;
        any_gradient |= mesh_parts(step) == MESH_PARTS;
        size_t size = mesh_part_size(intervals, mesh_finest_allowed(step->mesh, intervals));
        TAKE(fields[step->mesh].values, size);
        if (mesh_parts(step) == MESH_PARTS)
            TAKE(fields[step->mesh].slopes, (MESH_PARTS - 1) * size);
    }
    if (any_gradient)
        TAKE(gradient, (MESH_PARTS - 1) * mesh_part_size(intervals, 0));
#undef TAKE
    return total;
}

size_t mesh_bytes(const struct program *program, const struct tables *tables, int intervals)
{
    struct arena arena = arena_over(NULL, 0);
    return arena_bound(1, sizeof(struct mesh)) + lay_out(NULL, program, tables, intervals, &arena);
}

struct mesh *mesh_begin(const struct program *program, const struct program *lean, const struct tables *tables,
                        int intervals, void *memory)
{
    assert(tile_intervals_valid(intervals));
    struct arena arena = arena_over(memory, mesh_bytes(program, tables, intervals));
    struct mesh *mesh = arena_take(&arena, 1, sizeof *mesh);
    assert(mesh);
    *mesh = (struct mesh){.program = program, .lean = lean, .tables = tables, .intervals = intervals};
    lay_out(mesh, program, tables, intervals, &arena);
    int rising = 0;
    for (uint32_t i = 0; i < tables->mesh_count; i++)
        rising += tables->mesh_uses[i].rise > 0;
    mesh->share = rising <= 2 ? 0.5 : 0.5 / sqrt(0.5 * rising);
    return mesh;
}

bool mesh_is_of(const struct mesh *mesh, const struct program *program)
{
    return program == mesh->program || program == mesh->lean;
}

void mesh_start_tile(struct mesh *mesh, struct node node, double spacing, double tolerance)
{
    assert(node_valid(node) && spacing > 0);
    const struct program *program = mesh->program;
    mesh->node = node;
    mesh->spacing = spacing;
    mesh->tolerance = tolerance;
    memset(mesh->placed, 0, sizeof mesh->placed);
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct step *step = &program->steps[i];
        if (step->mesh == MESH_NONE)
            continue;
        mesh_plan_field(mesh, &mesh->fields[step->mesh], step);
    }
}

// ---- Nodes ----------------------------------------------------------------------------------------------

// x, y and z of all nodes of a mesh, column by column; the last one again up to the end of its block.
static double *place_nodes(struct mesh *mesh, int number)
{
    double *places = mesh->places[number];
    if (mesh->placed[number])
        return places;
    int side = mesh_side(mesh->intervals, number), step = mesh_step(number);
    size_t size = mesh_part_size(mesh->intervals, number);
    const struct cube_face_frame *frame = &cube_face_frames[mesh->node.face];
    int64_t n = tile_lattice_size(mesh->intervals, mesh->node.level);
    int64_t i = (int64_t)mesh->node.x * mesh->intervals, j = n - (int64_t)mesh->node.y * mesh->intervals;
    double u[MESH_SIDE_MAX], v[MESH_SIDE_MAX];
    cube_lattice_lines(u, side, frame->s.sign, i - MESH_MARGIN * step, step, n);
    cube_lattice_lines(v, side, frame->t.sign, j + MESH_MARGIN * step, -step, n);
    const struct face_grid grid = {mesh->node.face, u, v, 1, side, side};
    face_grid_dirs_choose()(&grid, places, places + size, places + 2 * size);
    for (int axis = 0; axis < 3; axis++) {
        double *lane = places + (size_t)axis * size;
        for (size_t k = (size_t)side * (size_t)side; k < size; k++)
            lane[k] = lane[k - 1];
    }
    mesh->placed[number] = true;
    return places;
}

// Parts of a mesh that follow each other, and those of a field's finest mesh while it is made.
struct parts {
    double *of[MESH_PARTS];
};

static struct parts wider_parts(const struct mesh *mesh, int number)
{
    struct parts parts;
    for (int part = 0; part < MESH_PARTS; part++)
        parts.of[part] = mesh->wider[number % 2] + (size_t)part * mesh_part_size(mesh->intervals, number);
    return parts;
}

static struct parts finest_parts(const struct mesh *mesh, const struct mesh_field *field, int part_count)
{
    struct parts parts = {{field->values}};
    for (int part = 1; part < part_count; part++)
        parts.of[part] = mesh->gradient + (size_t)(part - 1) * mesh_part_size(mesh->intervals, field->finest);
    return parts;
}

static struct field field_at(struct parts parts, size_t first, int part_count)
{
    struct field field = {.v = parts.of[0] + first};
    if (part_count > 1)
        field = (struct field){parts.of[0] + first, parts.of[1] + first, parts.of[2] + first, parts.of[3] + first};
    return field;
}

static void keep_gradient(const struct mesh *mesh, const struct kernels *kernels, struct mesh_field *field, double unit)
{
    int count = (MESH_PARTS - 1) * (int)mesh_part_size(mesh->intervals, field->finest);
    if (unit != 1)
        kernels->scaled(mesh->gradient, mesh->gradient, 1 / unit, count);
    kernels->mesh_narrow(field->slopes, mesh->gradient, count);
}

static void look_at_gradient(const struct mesh *mesh, const struct kernels *kernels, const struct mesh_field *field,
                             double unit, struct field out)
{
    double *const gradient[3] = {out.gx, out.gy, out.gz};
    size_t size = mesh_part_size(mesh->intervals, field->finest);
    for (int axis = 0; axis < 3; axis++) {
        kernels->mesh_float(gradient[axis], field->slopes + (size_t)axis * size, &mesh->at);
        if (unit != 1)
            kernels->scaled(gradient[axis], gradient[axis], unit, PLANET_BLOCK);
    }
}

// Octaves number done to octaves - 1, added to what the nodes have; where done is 0 they need not have anything.
static void add_octaves(struct mesh *mesh, const struct kernels *kernels, struct fractal *fractal, int number,
                        struct parts nodes, int part_count)
{
    size_t size = mesh_part_size(mesh->intervals, number);
    double *places = place_nodes(mesh, number);
    for (size_t first = 0; first < size; first += PLANET_BLOCK) {
        struct points at = {places + first, places + size + first, places + 2 * size + first, {0}};
        kernels->fractal(field_at(nodes, first, part_count), &at, fractal);
    }
}

static void build_fractal(struct mesh *mesh, const struct kernels *kernels, struct mesh_field *field,
                          const struct step *step, int part_count)
{
    struct fractal fractal = mesh_fractal(mesh, step);
    if (mesh_is_folded(&fractal)) {
        add_octaves(mesh, kernels, &fractal, field->finest, finest_parts(mesh, field, part_count), part_count);
        return;
    }
    struct parts wider = {{NULL}};
    fractal.done = 0;
    for (int number = MESH_COUNT - 1; number >= field->finest; number--) {
        if (field->octaves[number] == 0)
            continue;
        struct parts nodes =
            number == field->finest ? finest_parts(mesh, field, part_count) : wider_parts(mesh, number);
        for (int part = 0; wider.of[0] && part < part_count; part++)
            kernels->mesh_refine(nodes.of[part], wider.of[part], mesh_side(mesh->intervals, number + 1), mesh->between);
        fractal.octaves = field->octaves[number];
        // Wide meshes carry the largest octaves and have few nodes.
        fractal.precise = number >= 2 && fractal.f_max > OCTAVE_DOUBLE_F_MAX;
        if (fractal.octaves > fractal.done)
            add_octaves(mesh, kernels, &fractal, number, nodes, part_count);
        fractal.done = fractal.octaves;
        wider = nodes;
    }
}

static void build_coarse(struct mesh *mesh, const struct kernels *kernels, struct program_memory *memory,
                         struct mesh_field *field, const struct step *step, int part_count)
{
    size_t size = mesh_part_size(mesh->intervals, field->finest);
    double *places = place_nodes(mesh, field->finest);
    for (size_t first = 0; first < size; first += PLANET_BLOCK) {
        _Alignas(ARENA_ALIGNMENT) double position[POSITION_LANES * PLANET_BLOCK];
        for (int axis = 0; axis < POSITION_LANES; axis++)
            memcpy(position + axis * PLANET_BLOCK, places + (size_t)axis * size + first, PLANET_BLOCK * sizeof(double));
        struct lattice_run run = {mesh->tables,  kernels,       memory,  ++memory->run_count,
                                  mesh->spacing, mesh->spacing, position};
        lattice_coarse(&run, step->table, field_at(finest_parts(mesh, field, part_count), first, part_count));
    }
}

static void build(struct mesh *mesh, const struct kernels *kernels, struct program_memory *memory,
                  struct mesh_field *field, const struct step *step, int part_count)
{
    if (step->op == GRAPH_COARSE)
        build_coarse(mesh, kernels, memory, field, step, part_count);
    else
        build_fractal(mesh, kernels, field, step, part_count);
    if (part_count == MESH_PARTS)
        keep_gradient(mesh, kernels, field, mesh->tables->mesh_uses[step->mesh].unit);
    field->ready = part_count;
}

// ---- Samples --------------------------------------------------------------------------------------------

static bool is_piece_of_column(const uint16_t *columns, const uint16_t *rows)
{
    int wrong = rows[0] % MESH_GROUP;
    for (int k = 0; k < MESH_GROUP; k++)
        wrong |= (columns[k] ^ columns[0]) | (rows[k] ^ (rows[0] + k));
    return wrong == 0;
}

// Whether group g goes on where the last run stops.
static bool goes_on(const struct mesh_places *at, int g, bool whole)
{
    if (at->run_count == 0 || at->runs[at->run_count - 1].whole != whole)
        return false;
    const struct mesh_run *run = &at->runs[at->run_count - 1];
    const uint16_t *columns = at->columns + g * MESH_GROUP, *rows = at->rows + g * MESH_GROUP;
    int moved = columns[0] - columns[-MESH_GROUP];
    return !whole || (rows[0] == rows[-MESH_GROUP] && (moved == 1 || moved == -1) &&
                      (run->count == 1 || moved == columns[-MESH_GROUP] - columns[-2 * MESH_GROUP]));
}

// Whether a block is a single run, as all are but where the tile's order turns around; in a loop without branches.
static bool is_one_run(const uint16_t *columns, const uint16_t *rows)
{
    uint16_t moved = (uint16_t)(columns[MESH_GROUP] - columns[0]), wrong = 0;
    for (int i = MESH_GROUP; i < PLANET_BLOCK; i++) {
        uint16_t column = (uint16_t)(columns[i - MESH_GROUP] + moved);
        wrong |= (uint16_t)((columns[i] ^ column) | (rows[i] ^ rows[i - MESH_GROUP]));
    }
    return wrong == 0 && (moved == 1 || moved == UINT16_MAX) && is_piece_of_column(columns, rows);
}

void mesh_start_block(struct mesh *mesh, const uint16_t *columns, const uint16_t *rows, int count)
{
    struct mesh_places *at = &mesh->at;
    memcpy(at->columns, columns, (size_t)count * sizeof *columns);
    memcpy(at->rows, rows, (size_t)count * sizeof *rows);
    for (int i = count; i < PLANET_BLOCK; i++) {
        at->columns[i] = columns[count - 1];
        at->rows[i] = rows[count - 1];
    }
    at->run_count = 0;
    if (is_one_run(at->columns, at->rows)) {
        at->runs[at->run_count++] = (struct mesh_run){0, PLANET_BLOCK / MESH_GROUP, true};
        return;
    }
    for (int g = 0; g < PLANET_BLOCK / MESH_GROUP; g++) {
        bool whole = is_piece_of_column(at->columns + g * MESH_GROUP, at->rows + g * MESH_GROUP);
        if (goes_on(at, g, whole))
            at->runs[at->run_count - 1].count++;
        else
            at->runs[at->run_count++] = (struct mesh_run){g, 1, whole};
    }
}

int mesh_look(struct mesh *mesh, const struct kernels *kernels, struct program_memory *memory, const struct step *step,
              struct field out)
{
    if (step->mesh == MESH_NONE)
        return 0;
    assert(mesh->spacing > 0); // mesh_start_tile was called
    struct mesh_field *field = &mesh->fields[step->mesh];
    if (field->finest < 0)
        return 0;
    int part_count = out.gx ? MESH_PARTS : 1;
    assert(part_count <= field->part_count);
    if (field->ready < part_count)
        build(mesh, kernels, memory, field, step, part_count);
    mesh->at.step = mesh_step(field->finest);
    mesh->at.side = mesh_side(mesh->intervals, field->finest);
    kernels->mesh(out.v, field->values, &mesh->at);
    if (out.gx)
        look_at_gradient(mesh, kernels, field, mesh->tables->mesh_uses[step->mesh].unit, out);
    return field->done;
}
