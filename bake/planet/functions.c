// SPDX-License-Identifier: MIT
#include "bake/planet/functions.h"

#include <float.h>
#include <string.h>

#include "common/options.h"

// Frequencies are radius / wavelength; with the radius in 10..1e9 m this keeps them where fixed-point positions are
// good.
#define WAVELENGTH_MIN_M 1e-3
#define WAVELENGTH_MAX_M 1e12
#define SEED_MAX 0x1p53 // whole numbers are exact up to here
#define ANY -DBL_MAX, DBL_MAX

#define FIELD(name)                                                                                                    \
    {                                                                                                                  \
        name, PARAMETER_FIELD, false, 0, 0, 0                                                                          \
    }
#define FIELD_OR_COLOR(name)                                                                                           \
    {                                                                                                                  \
        name, PARAMETER_FIELD_OR_COLOR, false, 0, 0, 0                                                                 \
    }
#define NUMBER(name)                                                                                                   \
    {                                                                                                                  \
        name, PARAMETER_NUMBER, false, 0, ANY                                                                          \
    }
#define WIDTH                                                                                                          \
    {                                                                                                                  \
        "width", PARAMETER_NUMBER, true, 0, 0, DBL_MAX                                                                 \
    }
#define WAVELENGTH                                                                                                     \
    {                                                                                                                  \
        "wavelength", PARAMETER_NUMBER, false, 0, WAVELENGTH_MIN_M, WAVELENGTH_MAX_M                                   \
    }
#define OCTAVES(fallback)                                                                                              \
    {                                                                                                                  \
        "octaves", PARAMETER_INTEGER, true, fallback, 1, 32                                                            \
    }
#define GAIN(fallback)                                                                                                 \
    {                                                                                                                  \
        "gain", PARAMETER_NUMBER, true, fallback, 0, 2                                                                 \
    }
#define LACUNARITY                                                                                                     \
    {                                                                                                                  \
        "lacunarity", PARAMETER_NUMBER, true, 2.03, 1.1, 16                                                            \
    }
#define SEED                                                                                                           \
    {                                                                                                                  \
        "seed", PARAMETER_INTEGER, true, 0, 0, SEED_MAX                                                                \
    }
#define AT                                                                                                             \
    {                                                                                                                  \
        "at", PARAMETER_POINT, true, 0, 0, 0                                                                           \
    }
#define FRACTAL                                                                                                        \
    {                                                                                                                  \
        WAVELENGTH, OCTAVES(8), GAIN(0.5), LACUNARITY, SEED, AT                                                        \
    }
#define FRACTAL_SIGNATURE "(wavelength, octaves = 8, gain = 0.5, lacunarity = 2.03, seed, at = position)"

static const struct function functions[] = {
    {"above", FUNCTION_ABOVE, "above(x, at, width = 0)", false, false, {FIELD("x"), NUMBER("at"), WIDTH}},
    {"abs", FUNCTION_ABS, "abs(x)", false, false, {FIELD("x")}},
    {"billow", FUNCTION_BILLOW, "billow" FRACTAL_SIGNATURE, true, false, FRACTAL},
    {"clamp", FUNCTION_CLAMP, "clamp(x, low, high)", false, false, {FIELD("x"), NUMBER("low"), NUMBER("high")}},
    {"curve", FUNCTION_CURVE, "curve(x, x0, y0, x1, y1, ...)", false, true, {FIELD("x")}},
    {"exp", FUNCTION_EXP, "exp(x)", false, false, {FIELD("x")}},
    {"fbm", FUNCTION_FBM, "fbm" FRACTAL_SIGNATURE, true, false, FRACTAL},
    {"max", FUNCTION_MAX, "max(a, b)", false, false, {FIELD("a"), FIELD("b")}},
    {"min", FUNCTION_MIN, "min(a, b)", false, false, {FIELD("a"), FIELD("b")}},
    {"mix", FUNCTION_MIX, "mix(a, b, t)", false, false, {FIELD_OR_COLOR("a"), FIELD_OR_COLOR("b"), FIELD("t")}},
    {"noise", FUNCTION_NOISE, "noise(wavelength, seed, at = position)", true, false, {WAVELENGTH, SEED, AT}},
    {"quantile", FUNCTION_QUANTILE, "quantile(f)", false, false, {FIELD("f")}},
    {"ramp", FUNCTION_RAMP, "ramp(x, x0, color0, x1, color1, ...)", false, true, {FIELD("x")}},
    {"raster",
     FUNCTION_RASTER,
     "raster(file, scale = 1, offset = 0, west = 0, east = 360, registration = \"pixel\")",
     false,
     false,
     {{"file", PARAMETER_STRING, false, 0, 0, 0},
      {"scale", PARAMETER_NUMBER, true, 1, ANY},
      {"offset", PARAMETER_NUMBER, true, 0, ANY},
      {"west", PARAMETER_NUMBER, true, 0, -360, 360},
      {"east", PARAMETER_NUMBER, true, 360, -360, 720},
      {"registration", PARAMETER_STRING, true, 0, 0, 0}}},
    {"ridged", FUNCTION_RIDGED, "ridged" FRACTAL_SIGNATURE, true, false, FRACTAL},
    {"select",
     FUNCTION_SELECT,
     "select(x, at, below, above, width = 0)",
     false,
     false,
     {FIELD("x"), NUMBER("at"), FIELD_OR_COLOR("below"), FIELD_OR_COLOR("above"), WIDTH}},
    {"slope", FUNCTION_SLOPE, "slope(f)", false, false, {FIELD("f")}},
    {"smoothstep",
     FUNCTION_SMOOTHSTEP,
     "smoothstep(low, high, x)",
     false,
     false,
     {NUMBER("low"), NUMBER("high"), FIELD("x")}},
    {"sqrt", FUNCTION_SQRT, "sqrt(x)", false, false, {FIELD("x")}},
    {"warp",
     FUNCTION_WARP,
     "warp(amount, wavelength, octaves = 4, gain = 0.45, lacunarity = 2.03, seed, at = position)",
     true,
     false,
     {{"amount", PARAMETER_NUMBER, false, 0, -WAVELENGTH_MAX_M, WAVELENGTH_MAX_M},
      WAVELENGTH,
      OCTAVES(4),
      GAIN(0.45),
      LACUNARITY,
      SEED,
      AT}},
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
