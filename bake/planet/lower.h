// SPDX-License-Identifier: MIT
// From what is written to what is computed: types and ranges are checked, constants worked out, lengths turned from
// metres into planet radii, and every expression becomes a value of the graph.
#ifndef TERRANE_BAKE_PLANET_LOWER_H
#define TERRANE_BAKE_PLANET_LOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/graph.h"
#include "bake/planet/overrides.h"
#include "bake/planet/raster_shelf.h"
#include "bake/planet/resolve.h"
#include "bake/planet/syntax.h"

// Values and parameters that one expression makes at most, for the size of the graph. distance() makes 13; a call with
// knots makes at most 2 for each of their numbers and colours, which have expressions of their own.
#define LOWER_VALUES_MAX 16
#define LOWER_PARAMETERS_MAX 24
// Octaves of all noise calls together.
#define LOWER_OCTAVES_MAX 1024

enum value_type { VALUE_NUMBER, VALUE_FIELD, VALUE_COLOR, VALUE_POINT, VALUE_STRING };

// What an expression is. A colour may be a constant; a number always is, and it stands for a field where one is wanted.
struct value {
    enum value_type type;
    uint32_t graph;   // but of a string
    const char *text; // of a string
};

struct lowering {
    const struct syntax *syntax;
    const struct resolution *resolution;
    struct overrides *overrides;
    struct graph *graph;
    struct raster_shelf *rasters;
    struct status *status;
    uint64_t seed;        // of the bake, for random numbers
    double radius_m;      // that the file was written for; lengths are measured in it
    struct value *values; // of each expression of the syntax
};

// Evaluates all definitions. Fields of *lowering but radius_m must be set; values has room for all expressions. Then
// a definition's value is lowering->values[its root].
enum status_code lower_definitions(struct lowering *lowering);

// "a number", "a field", ...
extern const char *const value_type_names[];

// lower_call.c: a call, whose arguments have been evaluated into values.
enum status_code lower_call(struct lowering *lowering, const struct syntax *syntax, const struct value *values,
                            const struct expression *call, struct value *result);

// A field or a number.
static inline bool value_is_field(struct value value)
{
    return value.type == VALUE_NUMBER || value.type == VALUE_FIELD;
}

// A number, a string or a constant colour.
static inline bool value_is_constant(const struct graph *graph, struct value value)
{
    return value.type == VALUE_STRING || graph_is_constant(graph, value.graph);
}

// The value that a graph value is.
struct value value_of(const struct graph *graph, uint32_t index);

// Refuses a field without a gradient, naming where it loses it. wanted_by ends the sentence "expected a field with a
// gradient ...".
enum status_code lower_demand_gradient(const struct graph *graph, uint32_t index, const struct source *source,
                                       const char *wanted_by, struct status *status);

#endif
