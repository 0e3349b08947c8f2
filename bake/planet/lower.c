// SPDX-License-Identifier: MIT
#include "bake/planet/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/srgb.h"
#include "common/tile_grid.h"

#define RADIUS_DEFAULT_M 6371000.0

const char *const value_type_names[] = {"a number", "a field", "a colour", "a point", "a string"};

struct value value_of(const struct graph *graph, uint32_t index)
{
    struct value value = {.graph = index};
    switch (graph_ops[graph->values[index].op].shape) {
    case SHAPE_FIELD: value.type = graph_is_constant(graph, index) ? VALUE_NUMBER : VALUE_FIELD; break;
    case SHAPE_COLOR: value.type = VALUE_COLOR; break;
    case SHAPE_POINTS: value.type = VALUE_POINT; break;
    case SHAPE_BUNDLE: break; // only its parts are values of expressions
    }
    return value;
}

enum status_code lower_demand_gradient(const struct graph *graph, uint32_t index, const struct source *source,
                                       const char *wanted_by, struct status *status)
{
    if (graph->values[index].has_gradient)
        return STATUS_OK;
    // Down to the first value that has none though all its inputs have.
    const struct graph_value *value = &graph->values[index];
    while (graph_ops[value->op].differentiable) {
        int k = 0;
        while (graph->values[value->input[k]].has_gradient)
            k++;
        value = &graph->values[value->input[k]];
    }
    const char *culprit = value->op == GRAPH_LONGITUDE     ? "longitude has none"
                          : value->op == GRAPH_STEEPNESS   ? "slope has none"
                          : value->op == GRAPH_CRATER_RAYS ? "the rays of craters have none"
                                                           : "a threshold of no width has none";
    return source_fail(source, value->at, status, "expected a field with a gradient %s; %s", wanted_by, culprit);
}

static struct value given_value(struct graph *graph, enum given_name name, uint32_t at)
{
    switch (name) {
    case GIVEN_LATITUDE: return value_of(graph, graph_emit(graph, GRAPH_LATITUDE, NULL, NULL, 0, at));
    case GIVEN_LONGITUDE: return value_of(graph, graph_emit(graph, GRAPH_LONGITUDE, NULL, NULL, 0, at));
    case GIVEN_POSITION: return value_of(graph, graph_emit(graph, GRAPH_POSITION, NULL, NULL, 0, at));
    case GIVEN_X:
    case GIVEN_Y:
    case GIVEN_Z: break;
    }
    double axis = name == GIVEN_X ? 0 : name == GIVEN_Y ? 1 : 2;
    return value_of(graph, graph_emit(graph, GRAPH_AXIS, NULL, &axis, 1, at));
}

static enum status_code lower_name(struct lowering *lowering, const struct syntax *syntax, uint32_t index,
                                   struct value *result)
{
    const struct expression *expression = &syntax->expressions[index];
    if (syntax != lowering->syntax)
        return source_fail(&syntax->source, expression->at, lowering->status,
                           "expected a constant without names, got '%s'", expression->text);
    uint32_t target = lowering->resolution->target[index];
    if (target < syntax->definition_count)
        *result = lowering->values[syntax->definitions[target].root];
    else
        *result = given_value(lowering->graph, (enum given_name)(target - syntax->definition_count), expression->at);
    return STATUS_OK;
}

static struct value lower_color(struct graph *graph, const struct expression *expression)
{
    double light[3];
    for (int channel = 0; channel < 3; channel++)
        light[channel] = srgb_decode((expression->rgb >> (16 - 8 * channel) & 0xFF) / 255.0);
    return value_of(graph, graph_emit(graph, GRAPH_COLOR, NULL, light, 3, expression->at));
}

static enum status_code lower_negate(struct lowering *lowering, const struct syntax *syntax,
                                     const struct expression *expression, struct value a, struct value *result)
{
    if (!value_is_field(a))
        return source_fail(&syntax->source, expression->at, lowering->status,
                           "expected a number or field behind '-', got %s", value_type_names[a.type]);
    *result = value_of(lowering->graph, graph_affine(lowering->graph, a.graph, -1, 0, expression->at));
    return STATUS_OK;
}

static enum status_code lower_binary(struct lowering *lowering, const struct syntax *syntax,
                                     const struct expression *expression, struct value a, struct value b,
                                     struct value *result)
{
    static const enum graph_op ops[] = {
        [EXPRESSION_ADD] = GRAPH_ADD,
        [EXPRESSION_SUBTRACT] = GRAPH_SUBTRACT,
        [EXPRESSION_MULTIPLY] = GRAPH_MULTIPLY,
        [EXPRESSION_DIVIDE] = GRAPH_DIVIDE,
    };
    static const char signs[] = {
        [EXPRESSION_ADD] = '+',
        [EXPRESSION_SUBTRACT] = '-',
        [EXPRESSION_MULTIPLY] = '*',
        [EXPRESSION_DIVIDE] = '/',
    };
    struct graph *graph = lowering->graph;
    enum expression_kind kind = expression->kind;
    if (kind == EXPRESSION_MULTIPLY &&
        ((a.type == VALUE_COLOR && value_is_field(b)) || (value_is_field(a) && b.type == VALUE_COLOR))) {
        uint32_t inputs[2] = {a.graph, b.graph};
        if (b.type == VALUE_COLOR) {
            inputs[0] = b.graph;
            inputs[1] = a.graph;
        }
        *result = value_of(graph, graph_emit(graph, GRAPH_COLOR_SCALE, inputs, NULL, 0, expression->at));
        return STATUS_OK;
    }
    if (!value_is_field(a) || !value_is_field(b))
        return source_fail(&syntax->source, expression->at, lowering->status,
                           "expected numbers or fields on both sides of '%c', got %s and %s", signs[kind],
                           value_type_names[a.type], value_type_names[b.type]);
    if (kind == EXPRESSION_DIVIDE && b.type == VALUE_NUMBER && *graph_constant(graph, b.graph) == 0)
        return source_fail(&syntax->source, syntax->expressions[expression->right].at, lowering->status,
                           "expected a divisor other than 0");
    *result = value_of(graph, graph_arithmetic(graph, ops[kind], a.graph, b.graph, expression->at));
    return STATUS_OK;
}

static enum status_code lower_expression(struct lowering *lowering, const struct syntax *syntax, struct value *values,
                                         uint32_t index)
{
    const struct expression *expression = &syntax->expressions[index];
    struct value *result = &values[index];
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        *result = value_of(lowering->graph, graph_number(lowering->graph, expression->number, expression->at));
        return STATUS_OK;
    case EXPRESSION_COLOR: *result = lower_color(lowering->graph, expression); return STATUS_OK;
    case EXPRESSION_STRING: *result = (struct value){VALUE_STRING, GRAPH_NONE, expression->text}; return STATUS_OK;
    case EXPRESSION_NAME: return lower_name(lowering, syntax, index, result);
    case EXPRESSION_NEGATE: return lower_negate(lowering, syntax, expression, values[expression->left], result);
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_DIVIDE:
        return lower_binary(lowering, syntax, expression, values[expression->left], values[expression->right], result);
    case EXPRESSION_CALL: return lower_call(lowering, syntax, values, expression, result);
    }
    return STATUS_INTERNAL;
}

static bool is_finite_constant(const struct graph *graph, uint32_t index)
{
    const double *constant = graph_constant(graph, index);
    for (uint32_t i = 0; i < graph->values[index].parameter_count; i++) {
        if (!isfinite(constant[i]))
            return false;
    }
    return true;
}

static enum status_code lower_range(struct lowering *lowering, const struct syntax *syntax, struct value *values,
                                    uint32_t first, uint32_t root)
{
    for (uint32_t index = first; index <= root; index++) {
        enum status_code code = lower_expression(lowering, syntax, values, index);
        if (code)
            return code;
        const struct value *value = &values[index];
        if (value->type != VALUE_STRING && graph_is_constant(lowering->graph, value->graph) &&
            !is_finite_constant(lowering->graph, value->graph))
            return source_fail(&syntax->source, syntax->expressions[index].at, lowering->status,
                               "expected a finite number, this expression overflows");
        if (lowering->graph->octave_count > LOWER_OCTAVES_MAX)
            return source_fail(&syntax->source, syntax->expressions[index].at, lowering->status,
                               "expected at most %d octaves in all noise calls together", LOWER_OCTAVES_MAX);
    }
    return STATUS_OK;
}

// value is that of a definition and becomes that of the override.
static enum status_code apply_override(struct lowering *lowering, struct override *override, struct value *value)
{
    const struct syntax *syntax = &override->value;
    if (!value_is_constant(lowering->graph, *value))
        return status_fail(lowering->status, STATUS_USAGE,
                           "%s: expected the name of a constant, '%s' differs from place to place",
                           syntax->source.label, override->key);
    struct value *values = malloc(syntax->expression_count * sizeof values[0]);
    if (!values)
        return status_fail_memory(lowering->status, syntax->source.label, syntax->expression_count * sizeof values[0]);
    uint32_t root = syntax->definitions[0].root;
    enum status_code code = lower_range(lowering, syntax, values, 0, root);
    if (code == STATUS_OK && (!value_is_constant(lowering->graph, values[root]) || values[root].type != value->type))
        code = source_fail(&syntax->source, 0, lowering->status, "expected %s for '%s', got %s%s",
                           value_type_names[value->type], override->key, value_type_names[values[root].type],
                           value_is_constant(lowering->graph, values[root]) ? "" : " that differs from place to place");
    if (code == STATUS_OK)
        *value = values[root];
    free(values);
    return code;
}

// source is what the value came from: the file, or an override.
static enum status_code check_radius(struct lowering *lowering, const struct definition *definition,
                                     const struct source *source)
{
    const struct value *value = &lowering->values[definition->root];
    uint32_t at = source->is_override ? 0 : definition->value_at;
    if (value->type != VALUE_NUMBER)
        return source_fail(source, at, lowering->status, "expected a number for 'radius', got %s",
                           value_type_names[value->type]);
    lowering->radius_m = *graph_constant(lowering->graph, value->graph);
    if (!(lowering->radius_m >= RADIUS_MIN_M && lowering->radius_m <= RADIUS_MAX_M))
        return source_fail(source, at, lowering->status, "expected 10 to 1000000000 metres for 'radius'");
    return STATUS_OK;
}

enum status_code lower_definitions(struct lowering *lowering)
{
    const struct syntax *syntax = lowering->syntax;
    lowering->radius_m = RADIUS_DEFAULT_M;
    for (uint32_t i = 0; i < syntax->definition_count; i++) {
        const struct definition *definition = &syntax->definitions[lowering->resolution->order[i]];
        const struct source *source = &syntax->source;
        enum status_code code = lower_range(lowering, syntax, lowering->values, definition->first, definition->root);
        for (int k = 0; k < lowering->overrides->count && code == STATUS_OK; k++) {
            struct override *override = &lowering->overrides->items[k];
            if (strcmp(override->key, definition->name) != 0)
                continue;
            source = &override->value.source;
            code = apply_override(lowering, override, &lowering->values[definition->root]);
        }
        if (code == STATUS_OK && strcmp(definition->name, "radius") == 0)
            code = check_radius(lowering, definition, source);
        if (code)
            return code;
    }
    return STATUS_OK;
}
