// SPDX-License-Identifier: MIT
// The functions of the planet language as a table: what they are called and what they take. What they do is in
// lower_call.c.
#ifndef TERRANE_BAKE_PLANET_FUNCTIONS_H
#define TERRANE_BAKE_PLANET_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum function_id {
    FUNCTION_ABOVE,
    FUNCTION_ABS,
    FUNCTION_BILLOW,
    FUNCTION_CELLS,
    FUNCTION_CLAMP,
    FUNCTION_CLIMATE,
    FUNCTION_COARSE,
    FUNCTION_COS,
    FUNCTION_CRATERS,
    FUNCTION_CURVE,
    FUNCTION_DETAIL,
    FUNCTION_DISTANCE,
    FUNCTION_ERODE,
    FUNCTION_EXP,
    FUNCTION_FBM,
    FUNCTION_MAX,
    FUNCTION_MIN,
    FUNCTION_MIX,
    FUNCTION_NOISE,
    FUNCTION_PLATES,
    FUNCTION_POW,
    FUNCTION_QUANTILE,
    FUNCTION_RAMP,
    FUNCTION_RANDOM,
    FUNCTION_RASTER,
    FUNCTION_RIDGED,
    FUNCTION_SELECT,
    FUNCTION_SIN,
    FUNCTION_SLOPE,
    FUNCTION_SMOOTHSTEP,
    FUNCTION_SQRT,
    FUNCTION_WARP,
};

enum parameter_kind {
    PARAMETER_NUMBER,          // known when the planet is compiled, min..max
    PARAMETER_INTEGER,         // the same, whole
    PARAMETER_FIELD,           // a number will do
    PARAMETER_NUMBER_OR_FIELD, // a number in min..max, or a field, which the kernel clamps
    PARAMETER_FIELD_OR_COLOR,  // all such parameters of a call are of one kind
    PARAMETER_POINT,
    PARAMETER_STRING,
};

#define PARAMETER_COUNT_MAX 8

struct parameter {
    const char *name;
    enum parameter_kind kind;
    bool optional;
    double fallback; // of an optional number
    double min, max; // of a number, both included
};

struct function {
    const char *name;
    enum function_id id;
    const char *signature; // for messages
    bool takes_seed;       // has its own default seed: the call's number in the file
    bool takes_knots;      // after the parameters come knots: any number of pairs of positional arguments
    struct parameter parameters[PARAMETER_COUNT_MAX]; // ends with a NULL name, or is full
};

// The function of that name, or NULL.
const struct function *function_find(const char *name);

// The name that is nearest to what was written, or NULL where none is near.
const char *function_nearest(const char *name);

// Parameters before the knots.
int function_parameter_count(const struct function *function);

#endif
