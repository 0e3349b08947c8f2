// SPDX-License-Identifier: MIT
#include "bake/planet/functions.h"

#include <float.h>
#include <string.h>

#include "common/options.h"

// Frequencies are radius / wavelength; with the radius in 10..1e9 m this leaves a double digits for the place in a
// cell.
#define WAVELENGTH_MIN_M 1e-3
#define WAVELENGTH_MAX_M 1e12
#define SEED_MAX 0x1p53 // whole numbers are exact up to here

// What stands between the braces of a parameter.
#define FIELD(title) .name = title, .kind = PARAMETER_FIELD
#define FIELD_OR_COLOR(title) .name = title, .kind = PARAMETER_FIELD_OR_COLOR
#define STRING(title) .name = title, .kind = PARAMETER_STRING
#define NUMBER(title) .name = title, .kind = PARAMETER_NUMBER, .min = -DBL_MAX, .max = DBL_MAX
#define RANGE(title, least, most) .name = title, .kind = PARAMETER_NUMBER, .min = least, .max = most
#define OPTIONAL(value) .optional = true, .fallback = value
#define WIDTH RANGE("width", 0, DBL_MAX), OPTIONAL(0)
#define WAVELENGTH RANGE("wavelength", WAVELENGTH_MIN_M, WAVELENGTH_MAX_M)
#define OCTAVES .name = "octaves", .kind = PARAMETER_INTEGER, .min = 1, .max = 32
#define GAIN RANGE("gain", 0, 2)
#define GAIN_FIELD .name = "gain", .kind = PARAMETER_NUMBER_OR_FIELD, .max = 2
#define LACUNARITY RANGE("lacunarity", 1.1, 16), OPTIONAL(2.03)
#define SEED .name = "seed", .kind = PARAMETER_INTEGER, .optional = true, .max = SEED_MAX
#define AT .name = "at", .kind = PARAMETER_POINT, .optional = true

// fbm, billow and ridged take the same.
#define FRACTAL(title, function_id)                                                                                    \
    .name = title, .id = function_id, .takes_seed = true,                                                              \
    .signature = title "(wavelength, octaves = 8, gain = 0.5, lacunarity = 2.03, seed, at = position)",                \
    .parameters = {{WAVELENGTH}, {OCTAVES, OPTIONAL(8)}, {GAIN_FIELD, OPTIONAL(0.5)}, {LACUNARITY}, {SEED}, {AT}}

static const struct function functions[] = {
    {.name = "above",
     .id = FUNCTION_ABOVE,
     .signature = "above(x, at, width = 0)",
     .parameters = {{FIELD("x")}, {NUMBER("at")}, {WIDTH}}},
    {.name = "abs", .id = FUNCTION_ABS, .signature = "abs(x)", .parameters = {{FIELD("x")}}},
    {FRACTAL("billow", FUNCTION_BILLOW)},
    {.name = "cells",
     .id = FUNCTION_CELLS,
     .takes_seed = true,
     .signature = "cells(wavelength, kind = \"distance\", jitter = 1, seed, at = position)",
     .parameters =
         {{WAVELENGTH}, {STRING("kind"), .optional = true}, {RANGE("jitter", 0, 1), OPTIONAL(1)}, {SEED}, {AT}}},
    {.name = "clamp",
     .id = FUNCTION_CLAMP,
     .signature = "clamp(x, low, high)",
     .parameters = {{FIELD("x")}, {NUMBER("low")}, {NUMBER("high")}}},
    {.name = "coarse",
     .id = FUNCTION_COARSE,
     .signature = "coarse(f, pitch)",
     .parameters = {{FIELD("f")}, {RANGE("pitch", WAVELENGTH_MIN_M, WAVELENGTH_MAX_M)}}},
    {.name = "cos", .id = FUNCTION_COS, .signature = "cos(x)", .parameters = {{FIELD("x")}}},
    {.name = "climate",
     .id = FUNCTION_CLIMATE,
     .signature = "climate(height, warmth, rain = 1000)",
     .parameters = {{FIELD("height")}, {FIELD("warmth")}, {RANGE("rain", 1, 1e5), OPTIONAL(1000)}}},
    {.name = "craters",
     .id = FUNCTION_CRATERS,
     .takes_seed = true,
     .signature = "craters(largest, smallest = 0, density = 1, depth = 1, complex = 18e3, age = 1, seed, "
                  "output = \"height\")",
     .parameters = {{RANGE("largest", WAVELENGTH_MIN_M, WAVELENGTH_MAX_M)},
                    {RANGE("smallest", 0, WAVELENGTH_MAX_M), OPTIONAL(0)},
                    {RANGE("density", 0, 1.25), OPTIONAL(1)},
                    {RANGE("depth", 0, 10), OPTIONAL(1)},
                    {RANGE("complex", WAVELENGTH_MIN_M, WAVELENGTH_MAX_M), OPTIONAL(18e3)},
                    {RANGE("age", 0, 1), OPTIONAL(1)},
                    {SEED},
                    {STRING("output"), .optional = true}}},
    {.name = "curve",
     .id = FUNCTION_CURVE,
     .signature = "curve(x, x0, y0, x1, y1, ...)",
     .takes_knots = true,
     .parameters = {{FIELD("x")}}},
    {.name = "erode",
     .id = FUNCTION_ERODE,
     .signature = "erode(guide, wavelength = 30e3, octaves = 12, seed)",
     .takes_seed = true,
     .parameters = {{FIELD("guide")},
                    {RANGE("wavelength", WAVELENGTH_MIN_M, WAVELENGTH_MAX_M), OPTIONAL(30e3)},
                    {.name = "octaves", .kind = PARAMETER_INTEGER, .min = 1, .max = 24, OPTIONAL(12)},
                    {SEED}}},
    {.name = "detail", .id = FUNCTION_DETAIL, .signature = "detail(wavelength)", .parameters = {{WAVELENGTH}}},
    {.name = "distance",
     .id = FUNCTION_DISTANCE,
     .signature = "distance(latitude, longitude)",
     .parameters = {{RANGE("latitude", -90, 90)}, {RANGE("longitude", -360, 360)}}},
    {.name = "exp", .id = FUNCTION_EXP, .signature = "exp(x)", .parameters = {{FIELD("x")}}},
    {FRACTAL("fbm", FUNCTION_FBM)},
    {.name = "max", .id = FUNCTION_MAX, .signature = "max(a, b)", .parameters = {{FIELD("a")}, {FIELD("b")}}},
    {.name = "min", .id = FUNCTION_MIN, .signature = "min(a, b)", .parameters = {{FIELD("a")}, {FIELD("b")}}},
    {.name = "mix",
     .id = FUNCTION_MIX,
     .signature = "mix(a, b, t)",
     .parameters = {{FIELD_OR_COLOR("a")}, {FIELD_OR_COLOR("b")}, {FIELD("t")}}},
    {.name = "noise",
     .id = FUNCTION_NOISE,
     .signature = "noise(wavelength, seed, at = position)",
     .takes_seed = true,
     .parameters = {{WAVELENGTH}, {SEED}, {AT}}},
    {.name = "pow",
     .id = FUNCTION_POW,
     .signature = "pow(x, exponent)",
     .parameters = {{FIELD("x")}, {RANGE("exponent", 0.001, 1000)}}},
    {.name = "plates",
     .id = FUNCTION_PLATES,
     .signature = "plates(output, count = 22, width = 1, seed = 1, at = position)",
     .parameters = {{STRING("output")},
                    {.name = "count", .kind = PARAMETER_INTEGER, .min = 2, .max = 64, OPTIONAL(22)},
                    {RANGE("width", 0.1, 2), OPTIONAL(1)},
                    {SEED, .fallback = 1},
                    {AT}}},
    {.name = "quantile", .id = FUNCTION_QUANTILE, .signature = "quantile(f)", .parameters = {{FIELD("f")}}},
    {.name = "ramp",
     .id = FUNCTION_RAMP,
     .signature = "ramp(x, x0, color0, x1, color1, ...)",
     .takes_knots = true,
     .parameters = {{FIELD("x")}}},
    {.name = "random",
     .id = FUNCTION_RANDOM,
     .takes_seed = true,
     .signature = "random(low, high, seed)",
     .parameters = {{NUMBER("low")}, {NUMBER("high")}, {SEED}}},
    {.name = "raster",
     .id = FUNCTION_RASTER,
     .signature = "raster(file, scale = 1, offset = 0, west = 0, east = 360, registration = \"pixel\")",
     .parameters = {{STRING("file")},
                    {NUMBER("scale"), OPTIONAL(1)},
                    {NUMBER("offset"), OPTIONAL(0)},
                    {RANGE("west", -360, 360), OPTIONAL(0)},
                    {RANGE("east", -360, 720), OPTIONAL(360)},
                    {STRING("registration"), .optional = true}}},
    {FRACTAL("ridged", FUNCTION_RIDGED)},
    {.name = "select",
     .id = FUNCTION_SELECT,
     .signature = "select(x, at, below, above, width = 0)",
     .parameters = {{FIELD("x")}, {NUMBER("at")}, {FIELD_OR_COLOR("below")}, {FIELD_OR_COLOR("above")}, {WIDTH}}},
    {.name = "sin", .id = FUNCTION_SIN, .signature = "sin(x)", .parameters = {{FIELD("x")}}},
    {.name = "slope", .id = FUNCTION_SLOPE, .signature = "slope(f)", .parameters = {{FIELD("f")}}},
    {.name = "smoothstep",
     .id = FUNCTION_SMOOTHSTEP,
     .signature = "smoothstep(low, high, x)",
     .parameters = {{NUMBER("low")}, {NUMBER("high")}, {FIELD("x")}}},
    {.name = "sqrt", .id = FUNCTION_SQRT, .signature = "sqrt(x)", .parameters = {{FIELD("x")}}},
    {.name = "warp",
     .id = FUNCTION_WARP,
     .signature = "warp(amount, wavelength, octaves = 4, gain = 0.45, lacunarity = 2.03, seed, at = position)",
     .takes_seed = true,
     .parameters = {{RANGE("amount", -WAVELENGTH_MAX_M, WAVELENGTH_MAX_M)},
                    {WAVELENGTH},
                    {OCTAVES, OPTIONAL(4)},
                    {GAIN, OPTIONAL(0.45)},
                    {LACUNARITY},
                    {SEED},
                    {AT}}},
};

#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

const struct function *function_find(const char *name)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(name, functions[i].name) == 0)
            return &functions[i];
    }
    return NULL;
}

const char *function_nearest(const char *name)
{
    const char *names[FUNCTION_COUNT + 1];
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    names[FUNCTION_COUNT] = NULL;
    return nearest_word(name, names);
}

int function_parameter_count(const struct function *function)
{
    int count = 0;
    while (count < PARAMETER_COUNT_MAX && function->parameters[count].name)
        count++;
    return count;
}
