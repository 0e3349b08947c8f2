// SPDX-License-Identifier: MIT
// Calls whose arguments are bound and checked become values of the graph.
#include <string.h>

#include "bake/planet/climate.h"
#include "bake/planet/kernels.h"
#include "bake/planet/lower_call.h"
#include "bake/planet/plates.h"
#include "common/stable_math.h"

static uint32_t emit(struct call *call, enum graph_op op, const uint32_t *inputs, const double *parameters,
                     uint32_t parameter_count)
{
    return graph_emit(call->lowering->graph, op, inputs, parameters, parameter_count, call->expression->at);
}

static enum status_code demand_gradient(const struct call *call, uint32_t index, const char *wanted_by)
{
    return lower_demand_gradient(call->lowering->graph, index, &call->syntax->source, wanted_by,
                                 call->lowering->status);
}

// ---- Noise ----------------------------------------------------------------------------------------------

// Where the noise arguments of a call begin: wavelength, octaves, gain, lacunarity, seed, at.
static uint32_t emit_fractal(struct call *call, enum fractal_kind kind, int first, int component)
{
    int at = call_find_parameter(call->function, "at");
    bool single = call->function->id == FUNCTION_NOISE;
    bool gain_field = !single && call->given[first + 2] && call->value[first + 2].type == VALUE_FIELD;
    uint32_t point = call->given[at] ? call->value[at].graph : emit(call, GRAPH_POSITION, NULL, NULL, 0);
    double parameters[7] = {kind,
                            call->lowering->radius_m / call->number[first],
                            single ? 1 : call->number[first + 1],
                            single || gain_field ? 1 : call->number[first + 2],
                            single ? 2 : call->number[first + 3],
                            call_seed_number(call),
                            component};
    if (gain_field)
        return emit(call, GRAPH_FRACTAL_GAIN, (uint32_t[2]){point, call->value[first + 2].graph}, parameters, 7);
    return emit(call, GRAPH_FRACTAL, &point, parameters, 7);
}

static uint32_t emit_warp(struct call *call)
{
    int at = call_find_parameter(call->function, "at");
    uint32_t inputs[4];
    inputs[0] = call->given[at] ? call->value[at].graph : emit(call, GRAPH_POSITION, NULL, NULL, 0);
    for (int axis = 0; axis < 3; axis++)
        inputs[1 + axis] = emit_fractal(call, FRACTAL_FBM, 1, 1 + axis);
    double amount = call->number[0] / call->lowering->radius_m;
    return emit(call, GRAPH_WARP, inputs, &amount, 1);
}

// ---- Lattices -------------------------------------------------------------------------------------------

// Lattices must have more nodes than a few around the planet, and fewer than can be counted.
#define PITCH_LEAST 1e-6
#define PITCH_MOST 0.25

static enum status_code lower_coarse(struct call *call, uint32_t *result)
{
    double pitch = call->number[1] / call->lowering->radius_m;
    if (!(pitch >= PITCH_LEAST && pitch <= PITCH_MOST))
        return CALL_FAIL(call, call->at[1], "expected a 'pitch' between a millionth and a quarter of the radius");
    *result = emit(call, GRAPH_COARSE, &call->value[0].graph, &pitch, 1);
    return STATUS_OK;
}

static enum status_code lower_erode(struct call *call, uint32_t *result)
{
    enum { GUIDE, WAVELENGTH, OCTAVES, SEED };
    double radius_m = call->lowering->radius_m, wavelength = call->number[WAVELENGTH] / radius_m;
    if (!(wavelength >= 16 * PITCH_LEAST && wavelength <= PITCH_MOST))
        return CALL_FAIL(call, call->given[WAVELENGTH] ? call->at[WAVELENGTH] : call->expression->at,
                         "expected a 'wavelength' between 1/62500 and a quarter of the radius");
    enum status_code code = demand_gradient(call, call->value[GUIDE].graph, "to erode");
    if (code)
        return code;
    double seed = call->given[SEED] ? call->number[SEED] : call->expression->noise_number;
    *result = emit(call, GRAPH_ERODE, &call->value[GUIDE].graph,
                   (double[4]){wavelength, call->number[OCTAVES], seed, radius_m}, 4);
    return STATUS_OK;
}

// ---- Thresholds -----------------------------------------------------------------------------------------

enum status_code call_emit_above(struct call *call, uint32_t x, double at, double width, uint32_t *result)
{
    struct graph *graph = call->lowering->graph;
    if (graph->values[x].has_gradient) {
        *result = emit(call, GRAPH_ABOVE, &x, (double[2]){at, width}, 2);
        return STATUS_OK;
    }
    enum status_code code = STATUS_OK;
    if (width == 0)
        code = demand_gradient(call, x, "for a threshold of no width");
    if (code)
        return code;
    uint32_t share = graph_affine(graph, x, 1 / width, 0.5 - at / width, call->expression->at);
    *result = emit(call, GRAPH_CLAMP, &share, (double[2]){0, 1}, 2);
    return STATUS_OK;
}

static enum status_code check_same_kind(const struct call *call, int a, int b)
{
    if (value_is_field(call->value[a]) == value_is_field(call->value[b]))
        return STATUS_OK;
    return CALL_FAIL(call, call->at[b], "expected '%s' and '%s' in %s to be both fields or both colours",
                     call->function->parameters[a].name, call->function->parameters[b].name, call->function->name);
}

static enum status_code lower_select(struct call *call, uint32_t *result)
{
    enum { X, AT, BELOW, ABOVE, WIDTH };
    enum status_code code = check_same_kind(call, BELOW, ABOVE);
    if (code)
        return code;
    double at = call->number[AT], width = call->number[WIDTH];
    uint32_t inputs[3] = {call->value[BELOW].graph, call->value[ABOVE].graph, GRAPH_NONE};
    bool fields = value_is_field(call->value[BELOW]);
    if (fields && width > 0 && !(at - width / 2 < at + width / 2))
        return CALL_FAIL(call, call->at[WIDTH], "expected a 'width' in select that is not lost beside 'at'");
    if (fields && width > 0)
        inputs[2] = emit(call, GRAPH_SMOOTHSTEP, &call->value[X].graph, (double[2]){at - width / 2, at + width / 2}, 2);
    else if ((code = call_emit_above(call, call->value[X].graph, at, width, &inputs[2])))
        return code;
    *result = fields ? graph_mix(call->lowering->graph, inputs[0], inputs[1], inputs[2], call->expression->at)
                     : emit(call, GRAPH_COLOR_MIX, inputs, NULL, 0);
    return STATUS_OK;
}

static enum status_code lower_mix(struct call *call, uint32_t *result)
{
    uint32_t inputs[3] = {call->value[0].graph, call->value[1].graph, call->value[2].graph};
    enum status_code code = check_same_kind(call, 0, 1);
    if (code)
        return code;
    *result = value_is_field(call->value[0])
                  ? graph_mix(call->lowering->graph, inputs[0], inputs[1], inputs[2], call->expression->at)
                  : emit(call, GRAPH_COLOR_MIX, inputs, NULL, 0);
    return STATUS_OK;
}

static enum status_code lower_slope(struct call *call, uint32_t *result)
{
    enum status_code code = demand_gradient(call, call->value[0].graph, "to take the slope of");
    if (code)
        return code;
    uint32_t steepness = emit(call, GRAPH_STEEPNESS, &call->value[0].graph, NULL, 0);
    *result = graph_affine(call->lowering->graph, steepness, 1 / call->lowering->radius_m, 0, call->expression->at);
    return STATUS_OK;
}

static enum status_code lower_range_of(struct call *call, enum graph_op op, int x, int low, int high, uint32_t *result)
{
    bool ordered =
        op == GRAPH_CLAMP ? call->number[low] <= call->number[high] : call->number[low] != call->number[high];
    if (!ordered)
        return CALL_FAIL(call, call->at[high], "expected 'high' %s 'low' in %s",
                         op == GRAPH_CLAMP ? "not below" : "other than", call->function->name);
    *result = emit(call, op, &call->value[x].graph, (double[2]){call->number[low], call->number[high]}, 2);
    return STATUS_OK;
}

// ---- Places ---------------------------------------------------------------------------------------------

// The length of the straight line from a place to here, in metres. From differences of coordinates: near the place the
// cosine of the angle between the two has no digits left.
static uint32_t emit_distance(struct call *call)
{
    struct graph *graph = call->lowering->graph;
    uint32_t at = call->expression->at, sum = GRAPH_NONE;
    double up, across, sine, cosine;
    stable_sincos_deg(call->number[0], &up, &across);
    stable_sincos_deg(call->number[1], &sine, &cosine);
    const double place[3] = {across * cosine, across * sine, up};
    for (int k = 0; k < 3; k++) {
        double axis = k;
        uint32_t along = graph_affine(graph, emit(call, GRAPH_AXIS, NULL, &axis, 1), 1, -place[k], at);
        uint32_t square = graph_arithmetic(graph, GRAPH_MULTIPLY, along, along, at);
        sum = k == 0 ? square : graph_arithmetic(graph, GRAPH_ADD, sum, square, at);
    }
    return graph_affine(graph, emit(call, GRAPH_SQUARE_ROOT, &sum, NULL, 0), call->lowering->radius_m, 0, at);
}

// ---- Plates ---------------------------------------------------------------------------------------------

// Calls that differ in their output only share one bundle.
static enum status_code lower_plates(struct call *call, uint32_t *result)
{
    enum { OUTPUT, COUNT, WIDTH, SEED, AT };
    enum plate_part part = plate_part_named(call->value[OUTPUT].text);
    if (part == PLATE_PARTS)
        return CALL_FAIL(call, call->at[OUTPUT],
                         "expected \"bias\", \"trench\", \"arc\", \"orogen\", \"highland\", \"side\", \"ridge\" or "
                         "\"age\" for 'output' in plates");
    uint32_t at = call->given[AT] ? call->value[AT].graph : emit(call, GRAPH_POSITION, NULL, NULL, 0);
    uint32_t bundle =
        emit(call, GRAPH_PLATES, &at, (double[3]){call->number[COUNT], call->number[WIDTH], call->number[SEED]}, 3);
    *result = emit(call, GRAPH_PART, &bundle, (double[1]){part}, 1);
    if (part == PLATE_AGE)
        *result = graph_affine(call->lowering->graph, *result, call->lowering->radius_m, 0, call->expression->at);
    return STATUS_OK;
}

// ---- Climate --------------------------------------------------------------------------------------------

static enum status_code lower_climate(struct call *call, uint32_t *result)
{
    enum { HEIGHT, WARMTH, RAIN };
    const struct graph *graph = call->lowering->graph;
    int count = 0;
    *result = emit(call, GRAPH_CLIMATE, (uint32_t[2]){call->value[HEIGHT].graph, call->value[WARMTH].graph},
                   &call->number[RAIN], 1);
    for (uint32_t i = 0; i < graph->count; i++)
        count += graph->values[i].op == GRAPH_CLIMATE;
    if (count > CLIMATES_MAX)
        return CALL_FAIL(call, call->expression->at, "expected at most %d different climates", CLIMATES_MAX);
    return STATUS_OK;
}

// ---- Rasters --------------------------------------------------------------------------------------------

static enum status_code lower_raster(struct call *call, uint32_t *result)
{
    enum { FILE_NAME, SCALE, OFFSET, WEST, EAST, REGISTRATION };
    const char *registration = call->given[REGISTRATION] ? call->value[REGISTRATION].text : "pixel";
    struct raster_options options = {call->number[WEST], call->number[EAST], RASTER_PIXEL};
    if (strcmp(registration, "node") == 0)
        options.registration = RASTER_NODE;
    else if (strcmp(registration, "pixel") != 0)
        return CALL_FAIL(call, call->at[REGISTRATION], "expected \"pixel\" or \"node\" for 'registration' in raster");
    if (!(options.east_deg > options.west_deg && options.east_deg - options.west_deg <= 360))
        return CALL_FAIL(call, call->at[call->given[EAST] ? EAST : WEST],
                         "expected 'east' to be up to 360 degrees more than 'west' in raster");
    int index;
    struct status trouble;
    enum status_code code =
        raster_shelf_get(call->lowering->rasters, call->value[FILE_NAME].text, &options, &index, &trouble);
    if (code) {
        CALL_FAIL(call, call->at[FILE_NAME], "%s", trouble.text);
        return call->lowering->status->code = code;
    }
    if (!raster_is_color(call->lowering->rasters->rasters[index])) {
        *result = emit(call, GRAPH_RASTER, NULL, (double[3]){index, call->number[SCALE], call->number[OFFSET]}, 3);
        return STATUS_OK;
    }
    if (call->given[SCALE] || call->given[OFFSET])
        return CALL_FAIL(call, call->expression->at, "expected no 'scale' and 'offset' for a raster of colours");
    *result = emit(call, GRAPH_RASTER_COLOR, NULL, (double[1]){index}, 1);
    return STATUS_OK;
}

static enum status_code lower_function(struct call *call, uint32_t *result)
{
    uint32_t a = call->value[0].graph, pair[2] = {a, call->value[1].graph};
    switch (call->function->id) {
    case FUNCTION_ABOVE: return call_emit_above(call, a, call->number[1], call->number[2], result);
    case FUNCTION_ABS: *result = emit(call, GRAPH_ABSOLUTE, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_BILLOW: *result = emit_fractal(call, FRACTAL_BILLOW, 0, 0); return STATUS_OK;
    case FUNCTION_CELLS: return call_lower_cells(call, result);
    case FUNCTION_CRATERS: return call_lower_craters(call, result);
    case FUNCTION_CLAMP: return lower_range_of(call, GRAPH_CLAMP, 0, 1, 2, result);
    case FUNCTION_COARSE: return lower_coarse(call, result);
    case FUNCTION_ERODE: return lower_erode(call, result);
    case FUNCTION_COS: *result = emit(call, GRAPH_COSINE, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_CURVE: return call_lower_curve(call, result);
    case FUNCTION_DETAIL: {
        double frequency = call->lowering->radius_m / call->number[0];
        *result = emit(call, GRAPH_DETAIL, NULL, &frequency, 1);
        return STATUS_OK;
    }
    case FUNCTION_DISTANCE: *result = emit_distance(call); return STATUS_OK;
    case FUNCTION_CLIMATE: return lower_climate(call, result);
    case FUNCTION_EXP: *result = emit(call, GRAPH_EXPONENTIAL, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_FBM:
    case FUNCTION_NOISE: *result = emit_fractal(call, FRACTAL_FBM, 0, 0); return STATUS_OK;
    case FUNCTION_MAX: *result = emit(call, GRAPH_MAXIMUM, pair, NULL, 0); return STATUS_OK;
    case FUNCTION_MIN: *result = emit(call, GRAPH_MINIMUM, pair, NULL, 0); return STATUS_OK;
    case FUNCTION_MIX: return lower_mix(call, result);
    case FUNCTION_POW: *result = emit(call, GRAPH_POWER, &a, &call->number[1], 1); return STATUS_OK;
    case FUNCTION_PLATES: return lower_plates(call, result);
    case FUNCTION_QUANTILE: *result = emit(call, GRAPH_QUANTILE, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_RAMP: return call_lower_ramp(call, result);
    case FUNCTION_RANDOM: return call_lower_random(call, result);
    case FUNCTION_RASTER: return lower_raster(call, result);
    case FUNCTION_RIDGED: *result = emit_fractal(call, FRACTAL_RIDGED, 0, 0); return STATUS_OK;
    case FUNCTION_SELECT: return lower_select(call, result);
    case FUNCTION_SIN: *result = emit(call, GRAPH_SINE, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_SLOPE: return lower_slope(call, result);
    case FUNCTION_SMOOTHSTEP: return lower_range_of(call, GRAPH_SMOOTHSTEP, 2, 0, 1, result);
    case FUNCTION_SQRT: *result = emit(call, GRAPH_SQUARE_ROOT, &a, NULL, 0); return STATUS_OK;
    case FUNCTION_WARP: *result = emit_warp(call); return STATUS_OK;
    }
    return STATUS_INTERNAL;
}

enum status_code lower_call(struct lowering *lowering, const struct syntax *syntax, const struct value *values,
                            const struct expression *expression, struct value *result)
{
    struct call call = {.lowering = lowering,
                        .syntax = syntax,
                        .values = values,
                        .expression = expression,
                        .function = expression->function};
    enum status_code code;
    uint32_t index = GRAPH_NONE;
    if ((code = call_bind(&call)) || (code = call_check(&call)) || (code = lower_function(&call, &index)))
        return code;
    *result = value_of(lowering->graph, index);
    return STATUS_OK;
}
