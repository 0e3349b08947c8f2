// SPDX-License-Identifier: MIT
// What a planet file computes, as a graph of values in which each stands once (static single assignment): equal
// operations on equal inputs are one value, operations on constants are constants. An input always comes before its
// user. Nothing here knows the text; program.h makes programs out of it.
#ifndef TERRANE_BAKE_PLANET_GRAPH_H
#define TERRANE_BAKE_PLANET_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

#define GRAPH_INPUTS_MAX 4
#define GRAPH_NONE UINT32_MAX
// What cellular noise and a field of craters count as among the octaves.
#define GRAPH_CELLULAR_OCTAVES 8
#define GRAPH_CRATERS_OCTAVES 48
#define GRAPH_PLATES_OCTAVES 30

// Inputs in the order of the kernel's arguments; parameters in [] are doubles.
enum graph_op {
    GRAPH_NUMBER,    // [value], a field that is the same everywhere
    GRAPH_COLOR,     // [red, green, blue], linear light
    GRAPH_POSITION,  // the points where samples are taken
    GRAPH_AXIS,      // [0, 1 or 2]: x, y or z of the position
    GRAPH_LATITUDE,  // degrees
    GRAPH_LONGITUDE, // degrees
    GRAPH_AFFINE,    // a [scale, offset]
    GRAPH_ADD,
    GRAPH_SUBTRACT,
    GRAPH_MULTIPLY,
    GRAPH_DIVIDE,
    GRAPH_MINIMUM,
    GRAPH_MAXIMUM,
    GRAPH_ABSOLUTE,
    GRAPH_SQUARE_ROOT,
    GRAPH_EXPONENTIAL,
    GRAPH_POWER,        // a [exponent]
    GRAPH_SINE,         // a, degrees
    GRAPH_COSINE,       // a, degrees
    GRAPH_CLAMP,        // a [low, high]
    GRAPH_SMOOTHSTEP,   // a [low, high]
    GRAPH_MIX,          // a, b, t
    GRAPH_CURVE,        // a [x0, y0, x1, y1, ...]
    GRAPH_ABOVE,        // a [at, width_min]
    GRAPH_STEEPNESS,    // a
    GRAPH_FRACTAL,      // points [kind, frequency, octaves, gain, lacunarity, seed number, component]
    GRAPH_FRACTAL_GAIN, // points, gain; parameters as of GRAPH_FRACTAL, their gain is not used
    GRAPH_WARP,         // points, wx, wy, wz [amount]
    GRAPH_CELLULAR,     // points [kind, frequency, jitter, seed number]
    GRAPH_CRATERS,      // [largest, smallest, density, depth, transition, age, radius_m, seed number]
    GRAPH_CRATER_RAYS,  // the same
    GRAPH_RAMP,         // a [x0, red0, green0, blue0, x1, ...]
    GRAPH_COLOR_MIX,    // color, color, t
    GRAPH_COLOR_SCALE,  // color, factor
    GRAPH_RASTER,       // [index, scale, offset]
    GRAPH_RASTER_COLOR, // [index]
    GRAPH_QUANTILE,     // a
    GRAPH_COARSE,       // a [pitch]
    GRAPH_ERODE,        // a [wavelength, octaves, seed number, radius in metres]
    GRAPH_PLATES,       // points [count, width, seed number]
    GRAPH_PART,         // bundle [enum plate_part]
    GRAPH_CLIMATE,      // height, warmth [mean rain]; programs do not evaluate its inputs
    GRAPH_DETAIL,       // [frequency]: the weight that the band limit gives it
};
#define GRAPH_OP_COUNT (GRAPH_DETAIL + 1)

// A bundle is several fields that are computed together; GRAPH_PART takes one out.
enum graph_shape { SHAPE_FIELD, SHAPE_COLOR, SHAPE_POINTS, SHAPE_BUNDLE };

struct graph_op_info {
    int input_count;
    enum graph_shape shape;
    bool differentiable; // has a gradient where all its inputs have one
};
extern const struct graph_op_info graph_ops[GRAPH_OP_COUNT];

struct graph_value {
    enum graph_op op;
    bool has_gradient;                   // can be had with its gradient; always false for colours
    uint32_t input[GRAPH_INPUTS_MAX];    // GRAPH_NONE where there is none
    uint32_t parameter, parameter_count; // in struct graph's parameters
    uint32_t at;                         // where in the planet file it was first asked for
};

struct graph {
    struct graph_value *values;
    double *parameters;
    uint32_t *buckets; // hash table of indices, open addressing
    uint32_t count, capacity;
    uint32_t parameter_count, parameter_capacity;
    uint32_t bucket_count; // a power of two
    int octave_count;      // of all fractals together, with what stands for cellular noise and craters
    void *memory;
};

// Room for as many values and parameters; asking for more is a caller's mistake.
enum status_code graph_begin(struct graph *graph, uint32_t capacity, uint32_t parameter_capacity,
                             struct status *status);
void graph_free(struct graph *graph);

// The value of op on inputs (as many as the op takes) with parameters: an existing equal one, a constant, or a new one.
// Constants may come out as infinity or NaN, which the caller refuses.
uint32_t graph_emit(struct graph *graph, enum graph_op op, const uint32_t *inputs, const double *parameters,
                    uint32_t parameter_count, uint32_t at);

// Short forms. Sums and products with a constant become one affine step, and so does a mix of two constants.
uint32_t graph_number(struct graph *graph, double value, uint32_t at);
uint32_t graph_affine(struct graph *graph, uint32_t a, double scale, double offset, uint32_t at);
uint32_t graph_arithmetic(struct graph *graph, enum graph_op op, uint32_t a, uint32_t b, uint32_t at);
uint32_t graph_mix(struct graph *graph, uint32_t a, uint32_t b, uint32_t t, uint32_t at);

bool graph_is_constant(const struct graph *graph, uint32_t value); // a number or a colour
// Of a constant: its number, or its red, green and blue.
const double *graph_constant(const struct graph *graph, uint32_t value);

// graph_fold.c: the result of op on constant inputs (a colour's has three components). False where op is none that is
// computed beforehand.
bool graph_fold(double result[3], enum graph_op op, const double *const inputs[GRAPH_INPUTS_MAX],
                const double *parameters);

#endif
