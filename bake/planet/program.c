// SPDX-License-Identifier: MIT
#include "bake/planet/program.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/guards.h"
#include "bake/planet/guards_shared.h"
#include "common/arena.h"

enum { NEEDED = 1, NEEDED_GRADIENT = 2 };

struct compiler {
    struct program *program;
    const struct graph *graph;
    const struct tables *tables;
    uint8_t *needs;  // for each graph value: NEEDED, NEEDED_GRADIENT
    uint8_t *parts;  // for each bundle: which of its parts are needed, a bit for each
    uint8_t *visits; // for each graph value: how often schedule was done with it
    struct guard_plan plan;
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
    case GRAPH_STEEPNESS: return true;
    case GRAPH_ABOVE:
    case GRAPH_RAMP:
        return compiler->graph->values[value->input[input]].has_gradient &&
               !(compiler->program->lean && isfinite(compiler->tables->steepest[value->input[input]]));
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
    *step = (struct step){.op = value->op,
                          .at = value->at,
                          .table = compiler->tables->table_of[index],
                          .value = index,
                          .mesh = compiler->tables->mesh_of[index],
                          .lazy = LAZY_NONE};
    for (int k = 0; k < GRAPH_INPUTS_MAX; k++) {
        step->site[k] = SITE_NONE;
        step->input[k] = value->input[k];
        if (k < program_input_count(value->op))
            step->input[k] = compiler->step_of[value->input[k]];
    }
    for (uint32_t i = 0; i < value->parameter_count && i < 3; i++)
        step->parameter[i] = compiler->graph->parameters[value->parameter + i];
    if (value->op == GRAPH_RAMP || value->op == GRAPH_ABOVE)
        step->by_value = compiler->graph->values[value->input[0]].has_gradient &&
                         !(compiler->needs[value->input[0]] & NEEDED_GRADIENT);
    mark_lanes(compiler, index, step);
    compiler->step_of[index] = compiler->program->step_count++;
}

// How many visits of an input must be over before visit number visit of its user is.
static int visits_before(const struct compiler *compiler, uint32_t input, int visit)
{
    int depth = compiler->plan.depth[input];
    return (visit < depth ? visit : depth) + 1;
}

// The input that is next on a visit, or GRAPH_NONE where all have been visited often enough.
static uint32_t next_input(const struct compiler *compiler, const struct graph_value *value, int visit)
{
    for (int k = 0; k < program_input_count(value->op); k++) {
        if (compiler->visits[value->input[k]] < visits_before(compiler, value->input[k], visit))
            return value->input[k];
    }
    return GRAPH_NONE;
}

// Puts a guard before the next step, for the first guarded operand of a value that has no step yet, and returns it;
// GRAPH_NONE where there is none.
static uint32_t begin_guard(struct compiler *compiler, uint32_t index)
{
    const struct graph_value *value = &compiler->graph->values[index];
    struct program *program = compiler->program;
    for (int k = 0; k < program_input_count(value->op); k++) {
        uint32_t operand = value->input[k];
        if (!compiler->plan.guarded[operand] || compiler->step_of[operand] != GRAPH_NONE)
            continue;
        struct guard *guard = &program->guards[program->guard_count++];
        *guard = (struct guard){.first = program->step_count, .end = operand}; // its step is not known yet
        guard->mask = compiler->step_of[value->input[guard_mask(value->op, k, &guard->test)]];
        guard->gradient = compiler->needs[index] & NEEDED_GRADIENT;
        return operand;
    }
    return GRAPH_NONE;
}

// Steps in the order of a depth-first walk from the output, so that values are used soon after they are made. The stack
// holds a path of values without steps, from the output down.
//
// A value that stands inside of guarded operands is visited once for each of them, the outermost first, before that
// operand's guard, to make steps of those of its inputs that stand outside; the last visit makes its own step.
static void schedule(struct compiler *compiler, uint32_t output)
{
    const struct graph *graph = compiler->graph;
    uint32_t depth = 0;
    compiler->stack[depth++] = output;
    while (depth > 0) {
        uint32_t index = compiler->stack[depth - 1];
        int visit = compiler->visits[index];
        bool last = visit == compiler->plan.depth[index];
        uint32_t next = next_input(compiler, &graph->values[index], visit);
        if (next == GRAPH_NONE && last)
            next = begin_guard(compiler, index);
        if (next != GRAPH_NONE) {
            compiler->stack[depth++] = next;
            continue;
        }
        if (graph->values[index].op == GRAPH_POSITION && last)
            compiler->step_of[index] = STEP_POSITION;
        else if (last)
            add_step(compiler, index);
        compiler->visits[index]++;
        depth--;
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

static void order_steps(struct compiler *compiler)
{
    struct program *program = compiler->program;
    program->step_count = program->guard_count = 0;
    for (uint32_t i = 0; i < compiler->graph->count; i++)
        compiler->step_of[i] = GRAPH_NONE;
    memset(compiler->visits, 0, compiler->graph->count);
    for (int i = 0; i < program->output_count; i++) {
        if (compiler->step_of[program->output[i].value] == GRAPH_NONE)
            schedule(compiler, program->output[i].value);
        program->output[i].step = compiler->step_of[program->output[i].value];
    }
    for (uint32_t i = 0; i < program->guard_count; i++)
        program->guards[i].end = compiler->step_of[program->guards[i].end] + 1;
    find_last_uses(compiler);
}

static bool assign_all_lanes(struct compiler *compiler)
{
    struct program *program = compiler->program;
    program->lane_count = POSITION_LANES;
    compiler->free_count = 0;
    for (uint32_t i = 0; i < program->step_count; i++) {
        if (!assign_lanes(compiler, i))
            return false;
    }
    return true;
}

static enum status_code compile(struct compiler *compiler)
{
    struct program *program = compiler->program;
    find_needs(compiler);
    enum status_code code = guards_choose(&compiler->plan, compiler->graph, compiler->needs, program->output,
                                          program->output_count, compiler->status);
    if (code)
        return code;
    order_steps(compiler);
    code = guards_find_shared(program, compiler->graph, compiler->last_use, compiler->status);
    if (code || assign_all_lanes(compiler))
        return code;
    // What a piece shares with others is made before it, which may take lanes that are missed elsewhere.
    memset(compiler->plan.guarded, 0, compiler->graph->count);
    memset(compiler->plan.depth, 0, compiler->graph->count);
    order_steps(compiler);
    program->shared_count = program->site_count = 0;
    if (assign_all_lanes(compiler))
        return STATUS_OK;
    return status_fail(compiler->status, STATUS_INPUT,
                       "expected fewer values that are needed at the same time (more than %d lanes)", LANES_MAX);
}

static enum status_code compile_program(struct program *program, const struct graph *graph, const struct tables *tables,
                                        const struct program_output *outputs, int count_of_outputs, bool lean,
                                        struct status *status)
{
    assert(count_of_outputs >= 1 && count_of_outputs <= PROGRAM_OUTPUTS_MAX);
    size_t count = graph->count;
    size_t bytes = 5 * arena_bound(count, sizeof(uint8_t)) + 3 * arena_bound(count, sizeof(uint32_t)) +
                   arena_bound(LANES_MAX, sizeof(uint16_t));
    size_t program_bytes =
        count * (sizeof *program->steps + sizeof *program->guards + sizeof *program->shared + sizeof *program->sites);
    struct compiler compiler = {.program = program, .graph = graph, .tables = tables, .status = status};
    *program = (struct program){.lean = lean,
                                .output_count = count_of_outputs,
                                .steps = malloc(count * sizeof *program->steps),
                                .guards = malloc(count * sizeof *program->guards),
                                .shared = malloc(count * sizeof *program->shared),
                                .sites = malloc(count * sizeof *program->sites)};
    for (int i = 0; i < count_of_outputs; i++) {
        assert(!outputs[i].gradient || graph->values[outputs[i].value].has_gradient);
        program->output[i] = outputs[i];
    }
    void *memory = malloc(bytes);
    enum status_code code;
    if (program->steps && program->guards && program->shared && program->sites && memory) {
        struct arena arena = arena_over(memory, bytes);
        compiler.needs = arena_take(&arena, count, sizeof(uint8_t));
        compiler.parts = arena_take(&arena, count, sizeof(uint8_t));
        compiler.visits = arena_take(&arena, count, sizeof(uint8_t));
        compiler.plan.guarded = arena_take(&arena, count, sizeof(uint8_t));
        compiler.plan.depth = arena_take(&arena, count, sizeof(uint8_t));
        compiler.step_of = arena_take(&arena, count, sizeof(uint32_t));
        compiler.stack = arena_take(&arena, count, sizeof(uint32_t));
        compiler.last_use = arena_take(&arena, count, sizeof(uint32_t));
        compiler.free_lanes = arena_take(&arena, LANES_MAX, sizeof(uint16_t));
        code = compile(&compiler);
    } else {
        code = status_fail_memory(status, "planet", bytes + program_bytes);
    }
    free(memory);
    return code;
}

enum status_code program_compile(struct program *program, const struct graph *graph, const struct tables *tables,
                                 const struct program_output *outputs, int count, struct status *status)
{
    return compile_program(program, graph, tables, outputs, count, false, status);
}

enum status_code program_compile_lean(struct program *program, const struct graph *graph, const struct tables *tables,
                                      const struct program_output *outputs, int count, struct status *status)
{
    return compile_program(program, graph, tables, outputs, count, true, status);
}

void program_free(struct program *program)
{
    free(program->steps);
    free(program->guards);
    free(program->shared);
    free(program->sites);
    *program = (struct program){0};
}
