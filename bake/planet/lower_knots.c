// SPDX-License-Identifier: MIT
// Calls with knots: curves, and ramps of colours.
#include <math.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/planet/lower_call.h"

static enum status_code check_knot_count(const struct call *call, uint32_t least)
{
    if (call->knot_count % 2 != 0)
        return CALL_FAIL(call, call->expression->at, "expected pairs of arguments behind 'x' in %s",
                         call->function->signature);
    if (call->knot_count < 2 * least || call->knot_count > 2 * CURVE_KNOTS_MAX)
        return CALL_FAIL(call, call->expression->at, "expected %u to %d pairs of arguments in %s, got %u", least,
                         CURVE_KNOTS_MAX, call->function->signature, call->knot_count / 2);
    return STATUS_OK;
}

static uint32_t knot_place(const struct call *call, uint32_t index)
{
    return call->syntax->expressions[call->knots[index].value].at;
}

// The value of a knot's argument: a number, or any colour.
static enum status_code read_knot(const struct call *call, uint32_t index, enum value_type type, uint32_t *value)
{
    struct value got = call->values[call->knots[index].value];
    if (got.type != type)
        return CALL_FAIL(call, knot_place(call, index), "expected %s in %s, got %s", value_type_names[type],
                         call->function->signature, value_type_names[got.type]);
    *value = got.graph;
    return STATUS_OK;
}

static enum status_code read_number(const struct call *call, uint32_t index, double *number)
{
    uint32_t value;
    enum status_code code = read_knot(call, index, VALUE_NUMBER, &value);
    if (code == STATUS_OK)
        *number = *graph_constant(call->lowering->graph, value);
    return code;
}

enum status_code call_lower_curve(struct call *call, uint32_t *result)
{
    enum status_code code = check_knot_count(call, 2);
    if (code)
        return code;
    double knots[2 * CURVE_KNOTS_MAX];
    for (uint32_t i = 0; i < call->knot_count; i++) {
        if ((code = read_number(call, i, &knots[i])))
            return code;
        if (i % 2 == 0 && i > 0 && !(knots[i] > knots[i - 2]))
            return CALL_FAIL(call, knot_place(call, i), "expected a number above the one before in %s",
                             call->function->signature);
    }
    *result = graph_emit(call->lowering->graph, GRAPH_CURVE, &call->value[0].graph, knots, call->knot_count,
                         call->expression->at);
    return STATUS_OK;
}

// ---- Ramps ----------------------------------------------------------------------------------------------

struct ramp_knots {
    double x[CURVE_KNOTS_MAX];
    uint32_t color[CURVE_KNOTS_MAX]; // values of the graph
    uint32_t count;
    bool constant; // all the colours are
};

static enum status_code read_ramp(const struct call *call, struct ramp_knots *ramp)
{
    enum status_code code = check_knot_count(call, 1);
    *ramp = (struct ramp_knots){.constant = true};
    for (uint32_t count = call->knot_count / 2; code == STATUS_OK && ramp->count < count; ramp->count++) {
        uint32_t i = ramp->count;
        if ((code = read_number(call, 2 * i, &ramp->x[i])) ||
            (code = read_knot(call, 2 * i + 1, VALUE_COLOR, &ramp->color[i])))
            return code;
        if (i > 0 && !(ramp->x[i] >= ramp->x[i - 1]))
            return CALL_FAIL(call, knot_place(call, 2 * i), "expected a number not below the one before in %s",
                             call->function->signature);
        ramp->constant = ramp->constant && graph_is_constant(call->lowering->graph, ramp->color[i]);
    }
    return code;
}

static uint32_t emit_table(const struct call *call, const struct ramp_knots *ramp)
{
    const struct graph *graph = call->lowering->graph;
    double parameters[4 * CURVE_KNOTS_MAX];
    for (uint32_t i = 0; i < ramp->count; i++) {
        parameters[4 * i] = ramp->x[i];
        memcpy(&parameters[4 * i + 1], graph_constant(graph, ramp->color[i]), 3 * sizeof parameters[0]);
    }
    return graph_emit(call->lowering->graph, GRAPH_RAMP, &call->value[0].graph, parameters, 4 * ramp->count,
                      call->expression->at);
}

// Colours that differ from place to place: from each to the next a mix, which clamps its share itself. Knots so close
// that the share cannot be computed make a jump.
static enum status_code emit_chain(struct call *call, const struct ramp_knots *ramp, uint32_t *result)
{
    struct graph *graph = call->lowering->graph;
    uint32_t x = call->value[0].graph, at = call->expression->at;
    *result = ramp->color[0];
    for (uint32_t i = 1; i < ramp->count; i++) {
        double scale = 1 / (ramp->x[i] - ramp->x[i - 1]), offset = -ramp->x[i - 1] * scale;
        uint32_t mix[3] = {*result, ramp->color[i], GRAPH_NONE};
        enum status_code code = STATUS_OK;
        if (isfinite(scale) && isfinite(offset))
            mix[2] = graph_affine(graph, x, scale, offset, at);
        else
            code = call_emit_above(call, x, ramp->x[i], 0, &mix[2]);
        if (code)
            return code;
        *result = graph_emit(graph, GRAPH_COLOR_MIX, mix, NULL, 0, at);
    }
    return STATUS_OK;
}

enum status_code call_lower_ramp(struct call *call, uint32_t *result)
{
    struct ramp_knots ramp;
    enum status_code code = read_ramp(call, &ramp);
    if (code == STATUS_OK && ramp.constant)
        *result = emit_table(call, &ramp);
    else if (code == STATUS_OK)
        code = emit_chain(call, &ramp, result);
    return code;
}
