// SPDX-License-Identifier: MIT
#include "bake/planet/mesh_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/bounds.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"

struct budget {
    struct tables *tables;
    const struct graph *graph;
    struct bounds *bounds, *seen;
    uint32_t *field_of;
    double *rise;       // of the height with each value
    bool *needed;       // by the programs, each value
    bool *for_color;    // other than through the height
    uint8_t *use_count; // by other values, at most 2
};

static void add_rise(const struct budget *budget, uint32_t value, double rise)
{
    budget->rise[value] += rise;
    // Infinite twice over, or infinitely little of something without bounds: not known.
    if (isnan(budget->rise[value]))
        budget->rise[value] = INFINITY;
}

// A curve of a quantile that nothing else looks at passes its rise on to the quantile's input.
static bool pass_through_quantile(const struct budget *budget, uint32_t index)
{
    const struct graph *graph = budget->graph;
    const struct graph_value *value = &graph->values[index];
    uint32_t inner = value->input[0];
    if (value->op != GRAPH_CURVE || graph->values[inner].op != GRAPH_QUANTILE || budget->use_count[inner] > 1)
        return false;
    const struct curve *curves = budget->tables->curves;
    const uint32_t *table_of = budget->tables->table_of;
    add_rise(budget, graph->values[inner].input[0],
             budget->rise[index] * bounds_rise_through(&curves[table_of[index]], &curves[table_of[inner]]));
    return true;
}

static void count_uses(const struct budget *budget, uint32_t height, uint32_t color)
{
    budget->needed[height] = budget->needed[color] = true;
    budget->use_count[height] = budget->use_count[color] = 2;
    for (uint32_t i = budget->graph->count; i-- > 0;) {
        const struct graph_value *value = &budget->graph->values[i];
        for (int k = 0; k < program_input_count(value->op) && budget->needed[i]; k++) {
            budget->needed[value->input[k]] = true;
            if (budget->use_count[value->input[k]] < 2)
                budget->use_count[value->input[k]]++;
        }
    }
}

// From the outputs to their inputs: the users of a value all come after it.
static void find_rises(const struct budget *budget, uint32_t height, uint32_t color)
{
    budget->rise[height] = 1;
    budget->for_color[color] = true;
    for (uint32_t i = budget->graph->count; i-- > 0;) {
        const struct graph_value *value = &budget->graph->values[i];
        int count = budget->needed[i] ? program_input_count(value->op) : 0;
        for (int k = 0; k < count; k++) {
            if (budget->for_color[i] && i != height)
                budget->for_color[value->input[k]] = true;
        }
        if (!(budget->rise[i] > 0) || count == 0 || pass_through_quantile(budget, i))
            continue;
        for (int k = 0; k < count; k++) {
            double rise = bounds_rise(budget->bounds, budget->graph, budget->tables, i, k);
            if (rise > 0)
                add_rise(budget, value->input[k], budget->rise[i] * rise);
        }
    }
}

static bool may_have_field(const struct graph *graph, const struct graph_value *value)
{
    return value->op == GRAPH_COARSE ||
           (value->op == GRAPH_FRACTAL && graph->values[value->input[0]].op == GRAPH_POSITION);
}

static void give_fields(const struct budget *budget)
{
    struct tables *tables = budget->tables;
    for (uint32_t i = 0; i < budget->graph->count; i++) {
        const struct graph_value *value = &budget->graph->values[i];
        budget->field_of[i] = MESH_NONE;
        if (tables->mesh_count == MESH_FIELDS_MAX || !budget->needed[i] || !may_have_field(budget->graph, value))
            continue;
        budget->field_of[i] = tables->mesh_count;
        tables->mesh_uses[tables->mesh_count++] =
            (struct mesh_use){budget->rise[i], bounds_size(budget->bounds[i]), budget->for_color[i]};
    }
}

// ---- What values are ------------------------------------------------------------------------------------

// Points, in blocks: most at a spacing where few octaves count, some where all do. They are far from each other at
// either: lattices are not for them.
#define BLOCKS_COARSE 5
#define BLOCKS_FINE 1
#define SPACING_COARSE 1e-2
#define SPACING_FINE 1e-7

static void see_block(const struct budget *budget, const struct program *program, const struct kernels *kernels,
                      struct program_memory *memory, double *lanes, double spacing)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct step *step = &program->steps[i];
        struct bounds *seen = &budget->seen[step->value];
        program_run_step(program, budget->tables, kernels, memory, lanes, spacing, SPACING_COARSE, i);
        if (graph_ops[step->op].shape != SHAPE_FIELD)
            continue;
        const double *values = lanes + (size_t)step->lane[0] * PLANET_BLOCK;
        for (int k = 0; k < PLANET_BLOCK; k++) {
            if (!isfinite(values[k]))
                continue;
            seen->low = fmin(seen->low, values[k]);
            seen->high = fmax(seen->high, values[k]);
        }
    }
}

static void see_values(const struct budget *budget, const struct program *program, const struct kernels *kernels,
                       struct program_memory *memory, double *lanes)
{
    const int blocks = BLOCKS_COARSE + BLOCKS_FINE;
    for (uint32_t i = 0; i < budget->graph->count; i++)
        budget->seen[i] = (struct bounds){INFINITY, -INFINITY};
    for (int block = 0; block < blocks; block++) {
        // In turn, so that each block is spread over the planet.
        for (int k = 0; k < PLANET_BLOCK; k++)
            spread_direction(k * blocks + block, blocks * PLANET_BLOCK, &lanes[k], &lanes[PLANET_BLOCK + k],
                             &lanes[2 * PLANET_BLOCK + k]);
        see_block(budget, program, kernels, memory, lanes, block < BLOCKS_COARSE ? SPACING_COARSE : SPACING_FINE);
    }
}

// ---------------------------------------------------------------------------------------------------------

static void settle_steps(const struct budget *budget, struct program *programs, int count)
{
    for (int p = 0; p < count; p++)
        for (uint32_t i = 0; i < programs[p].step_count; i++)
            programs[p].steps[i].mesh = budget->field_of[programs[p].steps[i].value];
}

enum status_code mesh_budget(struct tables *tables, const struct graph *graph, struct program *programs, int count,
                             const struct kernels *kernels, struct program_memory *memory, struct status *status)
{
    size_t values = graph->count;
    const struct program *last = &programs[count - 1];
    size_t bytes = arena_bound((size_t)last->lane_count * PLANET_BLOCK, sizeof(double)) +
                   2 * arena_bound(values, sizeof(struct bounds)) + arena_bound(values, sizeof(uint32_t)) +
                   arena_bound(values, sizeof(double)) + 2 * arena_bound(values, sizeof(bool)) +
                   arena_bound(values, sizeof(uint8_t));
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    void *room = aligned_alloc(ARENA_ALIGNMENT, bytes);
    if (!room)
        return status_fail_memory(status, "planet", bytes);
    memset(room, 0, bytes);
    struct arena arena = arena_over(room, bytes);
    double *lanes = arena_take(&arena, (size_t)last->lane_count * PLANET_BLOCK, sizeof(double));
    struct budget budget = {.tables = tables, .graph = graph};
    budget.bounds = arena_take(&arena, values, sizeof(struct bounds));
    budget.seen = arena_take(&arena, values, sizeof(struct bounds));
    budget.field_of = arena_take(&arena, values, sizeof(uint32_t));
    budget.rise = arena_take(&arena, values, sizeof(double));
    budget.needed = arena_take(&arena, values, sizeof(bool));
    budget.for_color = arena_take(&arena, values, sizeof(bool));
    budget.use_count = arena_take(&arena, values, sizeof(uint8_t));
    see_values(&budget, last, kernels, memory, lanes);
    bounds_find(budget.bounds, graph, tables, budget.seen);
    count_uses(&budget, last->output[0].value, last->output[1].value);
    find_rises(&budget, last->output[0].value, last->output[1].value);
    give_fields(&budget);
    settle_steps(&budget, programs, count);
    free(room);
    return STATUS_OK;
}
