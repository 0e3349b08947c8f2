// SPDX-License-Identifier: MIT
#include "bake/planet/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"

enum { NEEDED = 1, NEEDED_GRADIENT = 2 };

struct compiler {
    struct program *program;
    const struct graph *graph;
    const struct tables *tables;
    uint8_t *needs;       // for each graph value: NEEDED, NEEDED_GRADIENT
    uint8_t *parts;       // for each bundle: which of its parts are needed, a bit for each
    uint32_t *step_of;    // for each graph value: its step, GRAPH_NONE while it has none
    uint32_t *stack;      // values that are being visited
    uint32_t *last_use;   // for each step: the last step that reads it
    uint16_t *free_lanes; // a stack
    uint32_t free_count;
    struct status *status;
};

// Which inputs a value needs with their gradients.
static bool needs_input_gradient(const struct compiler *compiler, const struct graph_value *value, int input,
                                 bool own_gradient)
{
    switch (value->op) {
    case GRAPH_ABOVE:
    case GRAPH_STEEPNESS: return true;
    case GRAPH_RAMP: return compiler->graph->values[value->input[input]].has_gradient;
    case GRAPH_COLOR_MIX:
    case GRAPH_COLOR_SCALE: return false;
    default: return own_gradient;
    }
}

// From users to inputs: an input always comes before its user, so one pass from the back settles everything.
static void find_needs(struct compiler *compiler)
{
    const struct graph *graph = compiler->graph;
    memset(compiler->needs, 0, graph->count);
    for (int i = 0; i < compiler->program->output_count; i++) {
        const struct program_output *output = &compiler->program->output[i];
        compiler->needs[output->value] |= output->gradient ? NEEDED | NEEDED_GRADIENT : NEEDED;
    }
    memset(compiler->parts, 0, graph->count);
    for (uint32_t i = graph->count; i-- > 0;) {
        const struct graph_value *value = &graph->values[i];
        if (!compiler->needs[i])
            continue;
        if (value->op == GRAPH_PART)
            compiler->parts[value->input[0]] |= (uint8_t)(1u << (int)graph->parameters[value->parameter]);
        for (int k = 0; k < program_input_count(value->op); k++) {
            bool gradient = needs_input_gradient(compiler, value, k, compiler->needs[i] & NEEDED_GRADIENT);
            compiler->needs[value->input[k]] |= gradient ? NEEDED | NEEDED_GRADIENT : NEEDED;
        }
    }
}

// Which lanes a step needs: 0 marks one until it is settled which it is.
static void mark_lanes(const struct compiler *compiler, uint32_t index, struct step *step)
{
    bool gradient = compiler->needs[index] & NEEDED_GRADIENT;
    int lane_count = 0;
    switch (graph_ops[step->op].shape) {
    case SHAPE_BUNDLE:
    case SHAPE_FIELD: lane_count = gradient ? 4 : 1; break;
    case SHAPE_COLOR: lane_count = 3; break;
    case SHAPE_POINTS: lane_count = gradient ? 12 : 3; break;
    }
    if (graph_ops[step->op].shape == SHAPE_BUNDLE) {
        for (int k = 0; k < STEP_LANES_MAX; k++)
            step->lane[k] = compiler->parts[index] >> (k / 4) & 1 && k % 4 < lane_count ? 0 : LANE_NONE;
        return;
    }
    for (int k = lane_count; k < STEP_LANES_MAX; k++)
        step->lane[k] = LANE_NONE;
}

static void add_step(struct compiler *compiler, uint32_t index)
{
    const struct graph_value *value = &compiler->graph->values[index];
    struct step *step = &compiler->program->steps[compiler->program->step_count];
    *step = (struct step){.op = value->op, .at = value->at, .table = compiler->tables->table_of[index]};
    for (int k = 0; k < GRAPH_INPUTS_MAX; k++) {
        step->input[k] = value->input[k];
        if (k < program_input_count(value->op))
            step->input[k] = compiler->step_of[value->input[k]];
    }
    for (uint32_t i = 0; i < value->parameter_count && i < 3; i++)
        step->parameter[i] = compiler->graph->parameters[value->parameter + i];
    mark_lanes(compiler, index, step);
    compiler->step_of[index] = compiler->program->step_count++;
}

// Steps in the order of a depth-first walk from the output, so that values are used soon after they are made. The stack
// holds a path of values without steps, from the output down.
static void schedule(struct compiler *compiler, uint32_t output)
{
    const struct graph *graph = compiler->graph;
    uint32_t depth = 0;
    compiler->stack[depth++] = output;
    while (depth > 0) {
        uint32_t index = compiler->stack[depth - 1];
        const struct graph_value *value = &graph->values[index];
        int k = 0;
        while (k < program_input_count(value->op) && compiler->step_of[value->input[k]] != GRAPH_NONE)
            k++;
        if (value->op == GRAPH_POSITION) {
            compiler->step_of[index] = STEP_POSITION;
            depth--;
        } else if (k < program_input_count(value->op)) {
            compiler->stack[depth++] = value->input[k];
        } else {
            add_step(compiler, index);
            depth--;
        }
    }
}

// The lanes of the outputs stay to the end.
static void find_last_uses(struct compiler *compiler)
{
    const struct program *program = compiler->program;
    for (uint32_t i = 0; i < program->step_count; i++) {
        for (int k = 0; k < program_input_count(program->steps[i].op); k++) {
            if (program->steps[i].input[k] != STEP_POSITION)
                compiler->last_use[program->steps[i].input[k]] = i;
        }
    }
    for (int i = 0; i < program->output_count; i++)
        compiler->last_use[program->output[i].step] = UINT32_MAX;
}

static bool same_lanes(const struct step *a, const struct step *b)
{
    for (int k = 0; k < STEP_LANES_MAX; k++) {
        if ((a->lane[k] == LANE_NONE) != (b->lane[k] == LANE_NONE))
            return false;
    }
    return true;
}

int program_input_count(enum graph_op op)
{
    return op == GRAPH_COARSE || op == GRAPH_ERODE || op == GRAPH_CLIMATE ? 0 : graph_ops[op].input_count;
}

// The kernels of fields allow their output to be one of their inputs.
static bool works_in_place(enum graph_op op)
{
    return (op >= GRAPH_AFFINE && op <= GRAPH_CURVE) || op == GRAPH_QUANTILE;
}

static bool take_lane(struct compiler *compiler, uint16_t *lane)
{
    if (compiler->free_count > 0) {
        *lane = compiler->free_lanes[--compiler->free_count];
        return true;
    }
    if (compiler->program->lane_count == LANES_MAX)
        return false;
    *lane = (uint16_t)compiler->program->lane_count++;
    return true;
}

// Gives step i its lanes, then frees those of inputs that it is the last to read.
static bool assign_lanes(struct compiler *compiler, uint32_t i)
{
    struct step *steps = compiler->program->steps, *step = &steps[i];
    uint32_t taken = GRAPH_NONE;
    if (works_in_place(step->op) && program_input_count(step->op) > 0 && compiler->last_use[step->input[0]] == i &&
        same_lanes(step, &steps[step->input[0]])) {
        taken = step->input[0];
        memcpy(step->lane, steps[taken].lane, sizeof step->lane);
    }
    for (int k = 0; k < STEP_LANES_MAX && taken == GRAPH_NONE; k++) {
        if (step->lane[k] != LANE_NONE && !take_lane(compiler, &step->lane[k]))
            return false;
    }
    for (int k = 0; k < program_input_count(step->op); k++) {
        uint32_t input = step->input[k];
        if (input == STEP_POSITION || input == taken || compiler->last_use[input] != i)
            continue;
        compiler->last_use[input] = GRAPH_NONE; // freed, should it be an input twice
        for (int lane = 0; lane < STEP_LANES_MAX; lane++) {
            if (steps[input].lane[lane] != LANE_NONE)
                compiler->free_lanes[compiler->free_count++] = steps[input].lane[lane];
        }
    }
    return true;
}

static enum status_code compile(struct compiler *compiler)
{
    struct program *program = compiler->program;
    find_needs(compiler);
    for (uint32_t i = 0; i < compiler->graph->count; i++)
        compiler->step_of[i] = GRAPH_NONE;
    for (int i = 0; i < program->output_count; i++) {
        if (compiler->step_of[program->output[i].value] == GRAPH_NONE)
            schedule(compiler, program->output[i].value);
        program->output[i].step = compiler->step_of[program->output[i].value];
    }
    program->lane_count = POSITION_LANES;
    find_last_uses(compiler);
    for (uint32_t i = 0; i < program->step_count; i++) {
        if (!assign_lanes(compiler, i))
            return status_fail(compiler->status, STATUS_INPUT,
                               "expected fewer values that are needed at the same time (more than %d lanes)",
                               LANES_MAX);
    }
    return STATUS_OK;
}

enum status_code program_compile(struct program *program, const struct graph *graph, const struct tables *tables,
                                 const struct program_output *outputs, int count_of_outputs, struct status *status)
{
    assert(count_of_outputs >= 1 && count_of_outputs <= PROGRAM_OUTPUTS_MAX);
    size_t count = graph->count;
    size_t bytes = 2 * arena_bound(count, sizeof(uint8_t)) + 3 * arena_bound(count, sizeof(uint32_t)) +
                   arena_bound(LANES_MAX, sizeof(uint16_t));
    struct compiler compiler = {.program = program, .graph = graph, .tables = tables, .status = status};
    *program = (struct program){.output_count = count_of_outputs, .steps = malloc(count * sizeof *program->steps)};
    for (int i = 0; i < count_of_outputs; i++) {
        assert(!outputs[i].gradient || graph->values[outputs[i].value].has_gradient);
        program->output[i] = outputs[i];
    }
    void *memory = malloc(bytes);
    enum status_code code;
    if (program->steps && memory) {
        struct arena arena = arena_over(memory, bytes);
        compiler.needs = arena_take(&arena, count, sizeof(uint8_t));
        compiler.parts = arena_take(&arena, count, sizeof(uint8_t));
        compiler.step_of = arena_take(&arena, count, sizeof(uint32_t));
        compiler.stack = arena_take(&arena, count, sizeof(uint32_t));
        compiler.last_use = arena_take(&arena, count, sizeof(uint32_t));
        compiler.free_lanes = arena_take(&arena, LANES_MAX, sizeof(uint16_t));
        code = compile(&compiler);
    } else {
        code = status_fail_memory(status, "planet", bytes + count * sizeof *program->steps);
    }
    free(memory);
    return code;
}

void program_free(struct program *program)
{
    free(program->steps);
    *program = (struct program){0};
}
