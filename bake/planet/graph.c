// SPDX-License-Identifier: MIT
#include "bake/planet/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"

const struct graph_op_info graph_ops[GRAPH_OP_COUNT] = {
    [GRAPH_NUMBER] = {0, SHAPE_FIELD, true},
    [GRAPH_COLOR] = {0, SHAPE_COLOR, false},
    [GRAPH_POSITION] = {0, SHAPE_POINTS, true},
    [GRAPH_AXIS] = {0, SHAPE_FIELD, true},
    [GRAPH_LATITUDE] = {0, SHAPE_FIELD, true},
    [GRAPH_LONGITUDE] = {0, SHAPE_FIELD, false}, // jumps at the antimeridian
    [GRAPH_AFFINE] = {1, SHAPE_FIELD, true},
    [GRAPH_ADD] = {2, SHAPE_FIELD, true},
    [GRAPH_SUBTRACT] = {2, SHAPE_FIELD, true},
    [GRAPH_MULTIPLY] = {2, SHAPE_FIELD, true},
    [GRAPH_DIVIDE] = {2, SHAPE_FIELD, true},
    [GRAPH_MINIMUM] = {2, SHAPE_FIELD, true},
    [GRAPH_MAXIMUM] = {2, SHAPE_FIELD, true},
    [GRAPH_ABSOLUTE] = {1, SHAPE_FIELD, true},
    [GRAPH_SQUARE_ROOT] = {1, SHAPE_FIELD, true},
    [GRAPH_EXPONENTIAL] = {1, SHAPE_FIELD, true},
    [GRAPH_POWER] = {1, SHAPE_FIELD, true},
    [GRAPH_SINE] = {1, SHAPE_FIELD, true},
    [GRAPH_COSINE] = {1, SHAPE_FIELD, true},
    [GRAPH_CLAMP] = {1, SHAPE_FIELD, true},
    [GRAPH_SMOOTHSTEP] = {1, SHAPE_FIELD, true},
    [GRAPH_MIX] = {3, SHAPE_FIELD, true},
    [GRAPH_CURVE] = {1, SHAPE_FIELD, true},
    [GRAPH_ABOVE] = {1, SHAPE_FIELD, false},
    [GRAPH_STEEPNESS] = {1, SHAPE_FIELD, false},
    [GRAPH_FRACTAL] = {1, SHAPE_FIELD, true},
    [GRAPH_FRACTAL_GAIN] = {2, SHAPE_FIELD, true},
    [GRAPH_WARP] = {4, SHAPE_POINTS, true},
    [GRAPH_CELLULAR] = {1, SHAPE_FIELD, true},
    [GRAPH_CRATERS] = {0, SHAPE_FIELD, true},
    [GRAPH_CRATER_RAYS] = {0, SHAPE_FIELD, false},
    [GRAPH_RAMP] = {1, SHAPE_COLOR, false},
    [GRAPH_COLOR_MIX] = {3, SHAPE_COLOR, false},
    [GRAPH_COLOR_SCALE] = {2, SHAPE_COLOR, false},
    [GRAPH_RASTER] = {0, SHAPE_FIELD, true},
    [GRAPH_RASTER_COLOR] = {0, SHAPE_COLOR, false},
    [GRAPH_QUANTILE] = {1, SHAPE_FIELD, true},
    [GRAPH_COARSE] = {1, SHAPE_FIELD, true},
    [GRAPH_ERODE] = {1, SHAPE_FIELD, true},
    [GRAPH_PLATES] = {1, SHAPE_BUNDLE, true},
    [GRAPH_PART] = {1, SHAPE_FIELD, true},
    [GRAPH_CLIMATE] = {2, SHAPE_FIELD, true},
    [GRAPH_DETAIL] = {0, SHAPE_FIELD, true},
};

enum status_code graph_begin(struct graph *graph, uint32_t capacity, uint32_t parameter_capacity, struct status *status)
{
    *graph = (struct graph){.capacity = capacity, .parameter_capacity = parameter_capacity, .bucket_count = 16};
    while (graph->bucket_count < 2 * capacity)
        graph->bucket_count *= 2;
    size_t bytes = arena_bound(capacity, sizeof *graph->values) +
                   arena_bound(parameter_capacity, sizeof *graph->parameters) +
                   arena_bound(graph->bucket_count, sizeof *graph->buckets);
    graph->memory = malloc(bytes);
    if (!graph->memory)
        return status_fail_memory(status, "planet", bytes);
    struct arena arena = arena_over(graph->memory, bytes);
    graph->values = arena_take(&arena, capacity, sizeof *graph->values);
    graph->parameters = arena_take(&arena, parameter_capacity, sizeof *graph->parameters);
    graph->buckets = arena_take(&arena, graph->bucket_count, sizeof *graph->buckets);
    for (uint32_t i = 0; i < graph->bucket_count; i++)
        graph->buckets[i] = GRAPH_NONE;
    return STATUS_OK;
}

void graph_free(struct graph *graph)
{
    free(graph->memory);
    *graph = (struct graph){0};
}

// FNV-1a over 64-bit words. Parameters are compared by their bits, so 0 and -0 are two.
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001B3) ^ hash >> 29;
}

static uint64_t hash_value(const struct graph_value *value, const double *parameters)
{
    uint64_t hash = hash_word(UINT64_C(0xCBF29CE484222325), (uint64_t)value->op);
    for (int k = 0; k < GRAPH_INPUTS_MAX; k++)
        hash = hash_word(hash, value->input[k]);
    for (uint32_t i = 0; i < value->parameter_count; i++) {
        uint64_t bits;
        memcpy(&bits, &parameters[i], sizeof bits);
        hash = hash_word(hash, bits);
    }
    return hash ^ hash >> 32;
}

static bool equal_values(const struct graph *graph, const struct graph_value *a, const struct graph_value *b,
                         const double *parameters)
{
    return a->op == b->op && a->parameter_count == b->parameter_count &&
           memcmp(a->input, b->input, sizeof a->input) == 0 &&
           (a->parameter_count == 0 ||
            memcmp(graph->parameters + a->parameter, parameters, a->parameter_count * sizeof(double)) == 0);
}

// What a value costs, in octaves of noise.
static int octaves_worth(const struct graph_value *value, const double *parameters)
{
    switch (value->op) {
    case GRAPH_FRACTAL:
    case GRAPH_FRACTAL_GAIN: return (int)parameters[2];
    case GRAPH_CELLULAR: return GRAPH_CELLULAR_OCTAVES;
    case GRAPH_CRATERS:
    case GRAPH_CRATER_RAYS: return GRAPH_CRATERS_OCTAVES;
    case GRAPH_PLATES: return GRAPH_PLATES_OCTAVES;
    default: return 0;
    }
}

static uint32_t find_or_add(struct graph *graph, struct graph_value *value, const double *parameters)
{
    uint32_t bucket = (uint32_t)hash_value(value, parameters) & (graph->bucket_count - 1);
    for (; graph->buckets[bucket] != GRAPH_NONE; bucket = (bucket + 1) & (graph->bucket_count - 1)) {
        if (equal_values(graph, &graph->values[graph->buckets[bucket]], value, parameters))
            return graph->buckets[bucket];
    }
    assert(graph->count < graph->capacity);
    assert(value->parameter_count <= graph->parameter_capacity - graph->parameter_count);
    value->parameter = graph->parameter_count;
    if (value->parameter_count > 0)
        memcpy(graph->parameters + graph->parameter_count, parameters, value->parameter_count * sizeof(double));
    graph->parameter_count += value->parameter_count;
    graph->octave_count += octaves_worth(value, parameters);
    graph->buckets[bucket] = graph->count;
    graph->values[graph->count] = *value;
    return graph->count++;
}

uint32_t graph_emit(struct graph *graph, enum graph_op op, const uint32_t *inputs, const double *parameters,
                    uint32_t parameter_count, uint32_t at)
{
    const struct graph_op_info *info = &graph_ops[op];
    struct graph_value value = {.op = op, .parameter_count = parameter_count, .at = at};
    const double *constants[GRAPH_INPUTS_MAX] = {0};
    bool all_constant = info->input_count > 0;
    value.has_gradient = info->differentiable;
    for (int k = 0; k < GRAPH_INPUTS_MAX; k++) {
        value.input[k] = k < info->input_count ? inputs[k] : GRAPH_NONE;
        if (k >= info->input_count)
            continue;
        assert(inputs[k] < graph->count);
        if (op != GRAPH_CLIMATE) // a map of its own
            value.has_gradient = value.has_gradient && graph->values[inputs[k]].has_gradient;
        if (graph_is_constant(graph, inputs[k]))
            constants[k] = graph_constant(graph, inputs[k]);
        else
            all_constant = false;
    }
    double folded[3];
    if (all_constant && graph_fold(folded, op, constants, parameters)) {
        bool color = info->shape == SHAPE_COLOR;
        return graph_emit(graph, color ? GRAPH_COLOR : GRAPH_NUMBER, NULL, folded, color ? 3 : 1, at);
    }
    return find_or_add(graph, &value, parameters);
}

bool graph_is_constant(const struct graph *graph, uint32_t value)
{
    return graph->values[value].op == GRAPH_NUMBER || graph->values[value].op == GRAPH_COLOR;
}

const double *graph_constant(const struct graph *graph, uint32_t value)
{
    assert(graph_is_constant(graph, value));
    return graph->parameters + graph->values[value].parameter;
}

uint32_t graph_number(struct graph *graph, double value, uint32_t at)
{
    return graph_emit(graph, GRAPH_NUMBER, NULL, &value, 1, at);
}

// Two affine steps are one where that moves no exact 0: masks are asked for it. Not where it would overflow or vanish.
static bool fold_affine(const double *inner, double *scale, double *offset)
{
    double both = *scale * inner[0], moved = *scale * inner[1] + *offset;
    bool keeps_zero = inner[1] == 0 || inner[1] == -inner[0] || *scale == 1 || *scale == -1;
    if (!keeps_zero || both == 0 || both - both != 0 || moved - moved != 0)
        return false;
    *scale = both;
    *offset = moved;
    return true;
}

uint32_t graph_affine(struct graph *graph, uint32_t a, double scale, double offset, uint32_t at)
{
    const struct graph_value *value = &graph->values[a];
    if (value->op == GRAPH_AFFINE && fold_affine(graph->parameters + value->parameter, &scale, &offset))
        a = value->input[0];
    return graph_emit(graph, GRAPH_AFFINE, &a, (double[2]){scale, offset}, 2, at);
}

// Dividing by a constant stays a division only where the reciprocal is not finite.
uint32_t graph_arithmetic(struct graph *graph, enum graph_op op, uint32_t a, uint32_t b, uint32_t at)
{
    bool constant_a = graph_is_constant(graph, a), constant_b = graph_is_constant(graph, b);
    if (constant_a != constant_b) {
        double c = *graph_constant(graph, constant_a ? a : b);
        uint32_t field = constant_a ? b : a;
        switch (op) {
        case GRAPH_ADD: return graph_affine(graph, field, 1, c, at);
        case GRAPH_SUBTRACT:
            return constant_a ? graph_affine(graph, field, -1, c, at) : graph_affine(graph, field, 1, -c, at);
        case GRAPH_MULTIPLY: return graph_affine(graph, field, c, 0, at);
        case GRAPH_DIVIDE:
            if (constant_b && 1 / c - 1 / c == 0)
                return graph_affine(graph, field, 1 / c, 0, at);
            break;
        default: break;
        }
    }
    return graph_emit(graph, op, (uint32_t[2]){a, b}, NULL, 0, at);
}

uint32_t graph_mix(struct graph *graph, uint32_t a, uint32_t b, uint32_t t, uint32_t at)
{
    if (graph_is_constant(graph, a) && graph_is_constant(graph, b) && !graph_is_constant(graph, t)) {
        double from = *graph_constant(graph, a), to = *graph_constant(graph, b);
        return graph_affine(graph, t, to - from, from, at);
    }
    return graph_emit(graph, GRAPH_MIX, (uint32_t[3]){a, b, t}, NULL, 0, at);
}
