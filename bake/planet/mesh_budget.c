// SPDX-License-Identifier: MIT
#include "bake/planet/mesh_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/mesh.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"
#include "common/stable_math.h"

// Points, in blocks: most at a spacing where few octaves count, some where all do. They are far from each other at
// either: lattices are not for them.
#define BLOCKS_COARSE 3
#define BLOCKS_FINE 1
#define SPACING_COARSE 1e-2
#define SPACING_FINE 1e-7

struct budget {
    const struct program *program;
    const struct tables *tables;
    double *largest; // of each step that is a field: its size at the points
    double *rise;    // of each step: of the height with it
    bool *for_color; // of each step
};

static void look_at_block(const struct budget *budget, const struct kernels *kernels, struct program_memory *memory,
                          double *lanes, double spacing)
{
    for (uint32_t i = 0; i < budget->program->step_count; i++) {
        const struct step *step = &budget->program->steps[i];
        program_run_step(budget->program, budget->tables, kernels, memory, lanes, spacing, SPACING_COARSE, i);
        if (graph_ops[step->op].shape != SHAPE_FIELD)
            continue;
        const double *values = lanes + (size_t)step->lane[0] * PLANET_BLOCK;
        for (int k = 0; k < PLANET_BLOCK; k++) {
            double size = fabs(values[k]);
            if (isfinite(size) && size > budget->largest[i])
                budget->largest[i] = size;
        }
    }
}

static void find_sizes(const struct budget *budget, const struct kernels *kernels, struct program_memory *memory,
                       double *lanes)
{
    const int count = (BLOCKS_COARSE + BLOCKS_FINE) * PLANET_BLOCK;
    for (int block = 0; block < BLOCKS_COARSE + BLOCKS_FINE; block++) {
        // In turn, so that each block is spread over the planet.
        for (int k = 0; k < PLANET_BLOCK; k++)
            spread_direction(k * (BLOCKS_COARSE + BLOCKS_FINE) + block, count, &lanes[k], &lanes[PLANET_BLOCK + k],
                             &lanes[2 * PLANET_BLOCK + k]);
        look_at_block(budget, kernels, memory, lanes, block < BLOCKS_COARSE ? SPACING_COARSE : SPACING_FINE);
    }
}

static double curve_rise(const struct curve *curve)
{
    double rise = 0;
    for (int k = 0; k < curve->count; k++) {
        double slope = fabs(curve->slope[k]);
        // Half way between two knots a monotone cubic is at most half as steep again as the line between them.
        double middle = k > 0 ? 1.5 * fabs((curve->y[k] - curve->y[k - 1]) / (curve->x[k] - curve->x[k - 1])) : 0;
        rise = slope > rise ? slope : rise;
        rise = middle > rise ? middle : rise;
    }
    return rise;
}

// How much a step's value changes at most with its input k.
static double step_rise(const struct budget *budget, const struct step *step, int k)
{
    const double *largest = budget->largest, *p = step->parameter;
    const uint32_t *input = step->input;
    switch (step->op) {
    case GRAPH_AFFINE: return fabs(p[0]);
    case GRAPH_ADD:
    case GRAPH_SUBTRACT:
    case GRAPH_MINIMUM:
    case GRAPH_MAXIMUM:
    case GRAPH_ABSOLUTE:
    case GRAPH_CLAMP: return 1;
    case GRAPH_SINE:
    case GRAPH_COSINE: return STABLE_PI / 180;
    case GRAPH_MULTIPLY: return largest[input[1 - k]];
    case GRAPH_EXPONENTIAL: return largest[step - budget->program->steps];
    case GRAPH_SMOOTHSTEP: return 1.5 / fabs(p[1] - p[0]);
    case GRAPH_MIX:
        return k == 0 ? 1 + largest[input[2]] : k == 1 ? largest[input[2]] : largest[input[0]] + largest[input[1]];
    case GRAPH_CURVE:
    case GRAPH_QUANTILE: return curve_rise(&budget->tables->curves[step->table]);
    default: return INFINITY;
    }
}

// From the outputs to their inputs: a step's users all come after it.
static void find_rises(const struct budget *budget)
{
    const struct program *program = budget->program;
    uint32_t height = program->output[0].step;
    budget->rise[height] = 1;
    if (program->output_count > 1)
        budget->for_color[program->output[1].step] = true;
    for (uint32_t i = program->step_count; i-- > 0;) {
        const struct step *step = &program->steps[i];
        for (int k = 0; k < program_input_count(step->op); k++) {
            uint32_t input = step->input[k];
            if (input == STEP_POSITION)
                continue;
            if (budget->for_color[i] && i != height)
                budget->for_color[input] = true;
            if (budget->rise[i] > 0)
                budget->rise[input] += budget->rise[i] * step_rise(budget, step, k);
        }
    }
    for (uint32_t i = 0; i < program->step_count; i++)
        if (isnan(budget->rise[i]))
            budget->rise[i] = INFINITY;
}

static void note_uses(const struct budget *budget, struct program *program)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        uint32_t field = program->steps[i].mesh;
        if (field != MESH_NONE)
            program->mesh_uses[field] = (struct mesh_use){budget->rise[i], budget->for_color[i], field};
    }
}

// A field is the same in both programs if it looks the same up.
static void copy_uses(struct program *program, const struct program *from)
{
    for (uint32_t i = 0; i < program->step_count; i++) {
        struct step *step = &program->steps[i];
        uint32_t k = 0;
        if (step->mesh == MESH_NONE)
            continue;
        while (k < from->step_count && !(from->steps[k].mesh != MESH_NONE && from->steps[k].op == step->op &&
                                         from->steps[k].table == step->table))
            k++;
        if (k < from->step_count)
            program->mesh_uses[step->mesh] = from->mesh_uses[from->steps[k].mesh];
        else
            step->mesh = MESH_NONE; // there were too many fields for this one
    }
}

static enum status_code look_at(struct program *program, const struct tables *tables, const struct kernels *kernels,
                                struct program_memory *memory, struct status *status)
{
    size_t steps = program->step_count;
    size_t bytes = arena_bound((size_t)program->lane_count * PLANET_BLOCK, sizeof(double)) +
                   2 * arena_bound(steps, sizeof(double)) + arena_bound(steps, sizeof(bool));
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    void *room = aligned_alloc(ARENA_ALIGNMENT, bytes);
    if (!room)
        return status_fail_memory(status, "planet", bytes);
    memset(room, 0, bytes);
    struct arena arena = arena_over(room, bytes);
    double *lanes = arena_take(&arena, (size_t)program->lane_count * PLANET_BLOCK, sizeof(double));
    struct budget budget = {.program = program, .tables = tables};
    budget.largest = arena_take(&arena, steps, sizeof(double));
    budget.rise = arena_take(&arena, steps, sizeof(double));
    budget.for_color = arena_take(&arena, steps, sizeof(bool));
    find_sizes(&budget, kernels, memory, lanes);
    find_rises(&budget);
    note_uses(&budget, program);
    free(room);
    return STATUS_OK;
}

enum status_code mesh_budget(struct program *programs, int count, const struct tables *tables,
                             const struct kernels *kernels, struct program_memory *memory, struct status *status)
{
    struct program *last = &programs[count - 1];
    if (last->mesh_count == 0)
        return STATUS_OK;
    enum status_code code = look_at(last, tables, kernels, memory, status);
    for (int i = 0; i < count - 1 && !code; i++)
        copy_uses(&programs[i], last);
    return code;
}
