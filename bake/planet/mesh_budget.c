// SPDX-License-Identifier: MIT
#include "bake/planet/mesh_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/bounds.h"
#include "bake/planet/lattice.h"
#include "bake/planet/quantile.h"
#include "bake/planet/rises.h"
#include "bake/planet/steepest.h"
#include "common/arena.h"

// Points, in blocks: most at a spacing where few octaves count, some where all do. They are far from each other at
// either: lattices are not for them.
#define BLOCKS_COARSE 5
#define BLOCKS_FINE 2
#define BLOCKS (BLOCKS_COARSE + BLOCKS_FINE)
#define SPACING_COARSE 1e-2
#define SPACING_FINE 1e-7
// How much more than at any of these points the height may change elsewhere, where it changes differently from place to
// place.
#define MARGIN 3.0
// Longer programs have no meshes; real ones have a few hundred steps.
#define STEPS_MAX 8192

struct budget {
    struct tables *tables;
    const struct graph *graph;
    const struct program *program; // the last
    const struct kernels *kernels;
    struct program_memory *memory;
    double *lanes;
    struct bounds *bounds, *seen; // of the graph's values
    // Of the program's steps:
    double (*values)[PLANET_BLOCK]; // block by block
    double (*at_points)[PLANET_BLOCK];
    double *most, *least;
    bool *for_height, *for_color; // which output looks at it, the colour other than through the height
};

// ---- What steps are -------------------------------------------------------------------------------------

static double (*block_values(const struct budget *budget, int block))[PLANET_BLOCK]
{
    return budget->values + (size_t)block * budget->program->step_count;
}

static void run_block(const struct budget *budget, int block)
{
    const struct program *program = budget->program;
    double(*values)[PLANET_BLOCK] = block_values(budget, block);
    double *lanes = budget->lanes, spacing = block < BLOCKS_COARSE ? SPACING_COARSE : SPACING_FINE;
    // In turn, so that each block is spread over the planet.
    for (int k = 0; k < PLANET_BLOCK; k++)
        spread_direction(k * BLOCKS + block, BLOCKS * PLANET_BLOCK, &lanes[k], &lanes[PLANET_BLOCK + k],
                         &lanes[2 * PLANET_BLOCK + k]);
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct step *step = &program->steps[i];
        program_run_step(program, budget->tables, budget->kernels, budget->memory, lanes, spacing, SPACING_COARSE, i);
        if (graph_ops[step->op].shape == SHAPE_FIELD)
            memcpy(values[i], lanes + (size_t)step->lane[0] * PLANET_BLOCK, sizeof values[i]);
    }
}

static void see_values(const struct budget *budget)
{
    for (uint32_t i = 0; i < budget->graph->count; i++)
        budget->seen[i] = (struct bounds){INFINITY, -INFINITY};
    for (int block = 0; block < BLOCKS; block++) {
        run_block(budget, block);
        double(*values)[PLANET_BLOCK] = block_values(budget, block);
        for (uint32_t i = 0; i < budget->program->step_count; i++) {
            struct bounds *seen = &budget->seen[budget->program->steps[i].value];
            for (int k = 0; k < PLANET_BLOCK && graph_ops[budget->program->steps[i].op].shape == SHAPE_FIELD; k++) {
                double value = values[i][k];
                if (isfinite(value))
                    *seen = (struct bounds){fmin(seen->low, value), fmax(seen->high, value)};
            }
        }
    }
}

static void find_rises(const struct budget *budget)
{
    struct rises rises = {.program = budget->program,
                          .tables = budget->tables,
                          .bounds = budget->bounds,
                          .seen = budget->seen,
                          .at_points = budget->at_points,
                          .most = budget->most,
                          .least = budget->least};
    for (uint32_t i = 0; i < budget->program->step_count; i++)
        budget->least[i] = INFINITY;
    for (int block = 0; block < BLOCKS; block++) {
        rises.values = (const double(*)[PLANET_BLOCK])block_values(budget, block);
        rises_look(&rises);
    }
}

static void find_users(const struct budget *budget)
{
    const struct program *program = budget->program;
    uint32_t height = program->output[0].step;
    budget->for_height[height] = true;
    budget->for_color[program->output[1].step] = true;
    for (uint32_t i = program->step_count; i-- > 0;) {
        const struct step *step = &program->steps[i];
        for (int k = 0; k < program_input_count(step->op); k++) {
            if (step->input[k] == STEP_POSITION)
                continue;
            budget->for_height[step->input[k]] |= budget->for_height[i];
            budget->for_color[step->input[k]] |= budget->for_color[i] && i != height;
        }
    }
}

// ---- Fields ---------------------------------------------------------------------------------------------

// Gradients are kept in float, with 1e18 to spare for how much steeper a field is than it is high.
#define KEPT_MOST 1e20

static double unit_of(struct bounds seen)
{
    double size = bounds_size(seen), unit = 1;
    if (!(seen.low <= seen.high) || size == 0)
        return unit;
    while (size / unit > KEPT_MOST)
        unit *= 0x1p32;
    while (size / unit < 1 / KEPT_MOST)
        unit *= 0x1p-32;
    return unit;
}

static enum status_code give_fields(const struct budget *budget, struct status *status)
{
    struct tables *tables = budget->tables;
    double bends[LATTICES_MAX][LATTICE_FIELDS_MAX];
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        enum status_code code = STATUS_OK;
        if (!tables->lattices[i].is_guide)
            code = lattice_bends(bends[i], &tables->lattices[i], tables, budget->kernels, budget->memory, status);
        if (code)
            return code;
    }
    for (uint32_t i = 0; i < budget->program->step_count; i++) {
        const struct step *step = &budget->program->steps[i];
        bool may = step->op == GRAPH_COARSE || (step->op == GRAPH_FRACTAL && step->input[0] == STEP_POSITION);
        if (!may || tables->mesh_count == MESH_FIELDS_MAX)
            continue;
        // Where the height depends on it, but at none of the points, nothing is known.
        double rise = (budget->least[i] == budget->most[i] ? 1 : MARGIN) * budget->most[i];
        if (budget->for_height[i] && rise == 0)
            rise = INFINITY;
        tables->mesh_of[step->value] = tables->mesh_count;
        tables->mesh_uses[tables->mesh_count++] = (struct mesh_use){
            .rise = rise, .unit = unit_of(budget->seen[step->value]), .for_color = budget->for_color[i]};
        if (step->op == GRAPH_COARSE)
            tables->mesh_uses[tables->mesh_count - 1].bend =
                bends[step->table / LATTICE_FIELDS_MAX][step->table % LATTICE_FIELDS_MAX];
    }
    return STATUS_OK;
}

static void settle_steps(const struct budget *budget, struct program *programs, int count)
{
    for (int p = 0; p < count; p++)
        for (uint32_t i = 0; i < programs[p].step_count; i++)
            programs[p].steps[i].mesh = budget->tables->mesh_of[programs[p].steps[i].value];
}

// Takes what a budget needs out of arena, or, with budget NULL, only adds up how much it is.
static size_t lay_out(struct budget *budget, const struct graph *graph, const struct program *program,
                      struct arena *arena)
{
    size_t total = 0, values = graph->count, steps = program->step_count;
#define TAKE(place, count)                                                                                             \
    do {                                                                                                               \
        total += arena_bound(count, sizeof *((struct budget *)NULL)->place);                                           \
        if (budget)                                                                                                    \
            budget->place = arena_take(arena, count, sizeof *budget->place);                                           \
    } while (0)
    TAKE(lanes, (size_t)program->lane_count * PLANET_BLOCK);
    TAKE(bounds, values);
    TAKE(seen, values);
    TAKE(values, BLOCKS * steps);
    TAKE(at_points, steps);
    TAKE(most, steps);
    TAKE(least, steps);
    TAKE(for_height, steps);
    TAKE(for_color, steps);
#undef TAKE
    return total;
}

enum status_code mesh_budget(struct tables *tables, const struct graph *graph, struct program *programs, int count,
                             const struct kernels *kernels, struct program_memory *memory, struct status *status)
{
    const struct program *last = &programs[count - 1];
    if (last->step_count > STEPS_MAX)
        return STATUS_OK;
    struct arena arena = arena_over(NULL, 0);
    size_t bytes = lay_out(NULL, graph, last, &arena);
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    void *room = aligned_alloc(ARENA_ALIGNMENT, bytes);
    if (!room)
        return status_fail_memory(status, "planet", bytes);
    memset(room, 0, bytes);
    arena = arena_over(room, bytes);
    struct budget budget = {.tables = tables, .graph = graph, .program = last, .kernels = kernels, .memory = memory};
    lay_out(&budget, graph, last, &arena);
    see_values(&budget);
    // What is steep may be so in few places, none of them seen.
    bounds_find(budget.bounds, graph, tables, NULL);
    steepest_find(tables->steepest, graph, tables, budget.bounds);
    bounds_find(budget.bounds, graph, tables, budget.seen);
    find_rises(&budget);
    find_users(&budget);
    enum status_code code = give_fields(&budget, status);
    if (!code)
        settle_steps(&budget, programs, count);
    free(room);
    return code;
}
