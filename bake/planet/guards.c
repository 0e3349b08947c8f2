// SPDX-License-Identifier: MIT
#include "bake/planet/guards.h"

#include <stdlib.h>
#include <string.h>

// What is known of each value. The last of the nodes is the root.
struct dominated {
    uint32_t dominator; // the immediate one; GRAPH_NONE before it has a user
    uint32_t jump;      // one further up
    uint32_t level;     // dominators above it
    uint32_t cost_ns;   // of all that it dominates, itself counted
    uint8_t use_count;  // up to 2
    bool goes_flat;     // whether it may well be exactly 0 or 1, without a slope, in whole blocks
};

struct chooser {
    const struct graph *graph;
    const uint8_t *needs;
    struct dominated *nodes;
};

uint32_t guard_cost_ns(const struct graph *graph, const struct graph_value *value)
{
    const double *parameters = graph->parameters + value->parameter;
    switch (value->op) {
    case GRAPH_NUMBER:
    case GRAPH_COLOR:
    case GRAPH_POSITION: return 0;
    case GRAPH_FRACTAL: return 8 * (uint32_t)parameters[2];
    case GRAPH_FRACTAL_GAIN: return 11 * (uint32_t)parameters[2];
    case GRAPH_ERODE: return 100 + 25 * (uint32_t)parameters[1];
    case GRAPH_PLATES: return 220;
    case GRAPH_RASTER:
    case GRAPH_RASTER_COLOR:
    case GRAPH_CLIMATE: return 100;
    case GRAPH_COARSE: return 30;
    case GRAPH_CELLULAR: return 60;
    case GRAPH_CRATERS:
    case GRAPH_CRATER_RAYS: return 400;
    case GRAPH_LATITUDE:
    case GRAPH_LONGITUDE:
    case GRAPH_CURVE:
    case GRAPH_QUANTILE:
    case GRAPH_RAMP: return 15;
    case GRAPH_POWER:
    case GRAPH_SINE:
    case GRAPH_COSINE:
    case GRAPH_EXPONENTIAL: return 10;
    default: return 3;
    }
}

// Also of values that are not needed, which what is looked up on lattices was made from.
static bool goes_flat(const struct chooser *chooser, const struct graph_value *value)
{
    const struct dominated *nodes = chooser->nodes;
    switch (value->op) {
    case GRAPH_AXIS:
    case GRAPH_LATITUDE:
    case GRAPH_LONGITUDE:
    case GRAPH_SINE:
    case GRAPH_COSINE:
    case GRAPH_EXPONENTIAL:
    case GRAPH_FRACTAL:
    case GRAPH_FRACTAL_GAIN: return false;
    case GRAPH_AFFINE:
    case GRAPH_ABSOLUTE:
    case GRAPH_COARSE:
    case GRAPH_QUANTILE:
    case GRAPH_DIVIDE: return nodes[value->input[0]].goes_flat;
    case GRAPH_ADD:
    case GRAPH_SUBTRACT: return nodes[value->input[0]].goes_flat && nodes[value->input[1]].goes_flat;
    case GRAPH_MULTIPLY: return nodes[value->input[0]].goes_flat || nodes[value->input[1]].goes_flat;
    default: return true; // clamps, steps, maps and what is looked up
    }
}

// ---- Dominators -----------------------------------------------------------------------------------------

static void hang_below(struct dominated *nodes, uint32_t index, uint32_t dominator)
{
    const struct dominated *up = &nodes[dominator], *further = &nodes[up->jump];
    bool longer = up->level - further->level == further->level - nodes[further->jump].level;
    nodes[index].level = up->level + 1;
    nodes[index].jump = longer ? further->jump : dominator;
}

// The last that dominates both. Nodes of one level jump equally far.
static uint32_t common_dominator(const struct dominated *nodes, uint32_t a, uint32_t b)
{
    if (nodes[a].level < nodes[b].level) {
        uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    while (nodes[a].level > nodes[b].level)
        a = nodes[nodes[a].jump].level >= nodes[b].level ? nodes[a].jump : nodes[a].dominator;
    while (a != b) {
        bool far = nodes[a].jump != nodes[b].jump;
        a = far ? nodes[a].jump : nodes[a].dominator;
        b = far ? nodes[b].jump : nodes[b].dominator;
    }
    return a;
}

static void add_use(struct dominated *nodes, uint32_t index, uint32_t user)
{
    struct dominated *node = &nodes[index];
    node->dominator = node->dominator == GRAPH_NONE ? user : common_dominator(nodes, node->dominator, user);
    node->use_count = (uint8_t)(node->use_count < 2 ? node->use_count + 1 : 2);
}

static void find_dominators(const struct chooser *chooser, const struct program_output *outputs, int output_count)
{
    const struct graph *graph = chooser->graph;
    struct dominated *nodes = chooser->nodes;
    uint32_t root = graph->count;
    for (uint32_t i = 0; i < root; i++)
        nodes[i] = (struct dominated){.dominator = GRAPH_NONE};
    nodes[root] = (struct dominated){.dominator = root, .jump = root};
    for (int i = 0; i < output_count; i++) {
        add_use(nodes, outputs[i].value, root);
        nodes[outputs[i].value].use_count = 2;
    }
    for (uint32_t i = root; i-- > 0;) {
        if (!chooser->needs[i])
            continue;
        hang_below(nodes, i, nodes[i].dominator);
        for (int k = 0; k < program_input_count(graph->values[i].op); k++)
            add_use(nodes, graph->values[i].input[k], i);
    }
}

// ---- Choice ---------------------------------------------------------------------------------------------

// What a value dominates comes before it.
static void weigh(const struct chooser *chooser)
{
    struct dominated *nodes = chooser->nodes;
    for (uint32_t i = 0; i < chooser->graph->count; i++) {
        const struct graph_value *value = &chooser->graph->values[i];
        nodes[i].goes_flat = goes_flat(chooser, value);
        if (!chooser->needs[i])
            continue;
        nodes[i].cost_ns += guard_cost_ns(chooser->graph, value);
        nodes[nodes[i].dominator].cost_ns += nodes[i].cost_ns;
    }
}

int guard_mask(enum graph_op op, int k, enum guard_test *test)
{
    switch (op) {
    case GRAPH_MULTIPLY: *test = GUARD_ZERO; return 1 - k;
    case GRAPH_COLOR_SCALE: *test = GUARD_ZERO; return 1;
    case GRAPH_MIX: *test = k == 0 ? GUARD_ONE : GUARD_ZERO; return 2;
    default: *test = k == 0 ? GUARD_CLAMPED_ONE : GUARD_CLAMPED_ZERO; return 2; // GRAPH_COLOR_MIX
    }
}

static bool can_guard(const struct chooser *chooser, const struct graph_value *value, int k)
{
    enum guard_test test;
    const struct dominated *operand = &chooser->nodes[value->input[k]];
    const struct dominated *mask = &chooser->nodes[value->input[guard_mask(value->op, k, &test)]];
    bool shuts = test == GUARD_CLAMPED_ONE || test == GUARD_CLAMPED_ZERO || mask->goes_flat;
    return shuts && operand->use_count == 1 && operand->cost_ns >= GUARD_COST_MIN_NS;
}

// One factor of a product cannot guard the other and be guarded by it: the costlier one is skipped.
static void choose_operands(const struct chooser *chooser, const struct graph_value *value, uint8_t *guarded)
{
    const struct dominated *nodes = chooser->nodes;
    bool first, second;
    switch (value->op) {
    case GRAPH_MULTIPLY:
        first = can_guard(chooser, value, 0);
        second = can_guard(chooser, value, 1);
        if (first && second)
            first = nodes[value->input[0]].cost_ns > nodes[value->input[1]].cost_ns;
        if (first || second)
            guarded[value->input[first ? 0 : 1]] = 1;
        break;
    case GRAPH_COLOR_SCALE: guarded[value->input[0]] = can_guard(chooser, value, 0); break;
    case GRAPH_MIX:
    case GRAPH_COLOR_MIX:
        for (int k = 0; k < 2; k++)
            guarded[value->input[k]] = can_guard(chooser, value, k);
        break;
    default: break;
    }
}

enum status_code guards_choose(const struct guard_plan *plan, const struct graph *graph, const uint8_t *needs,
                               const struct program_output *outputs, int output_count, struct status *status)
{
    size_t bytes = ((size_t)graph->count + 1) * sizeof(struct dominated);
    struct chooser chooser = {graph, needs, malloc(bytes)};
    if (!chooser.nodes)
        return status_fail_memory(status, "planet", bytes);
    find_dominators(&chooser, outputs, output_count);
    weigh(&chooser);
    memset(plan->guarded, 0, graph->count);
    memset(plan->depth, 0, graph->count);
    for (uint32_t i = graph->count; i-- > 0;) {
        if (!needs[i])
            continue;
        uint32_t dominator = chooser.nodes[i].dominator;
        plan->depth[i] = (uint8_t)((dominator < graph->count ? plan->depth[dominator] : 0) + plan->guarded[i]);
        if (plan->depth[i] < GUARD_DEPTH_MAX)
            choose_operands(&chooser, &graph->values[i], plan->guarded);
    }
    free(chooser.nodes);
    return STATUS_OK;
}
