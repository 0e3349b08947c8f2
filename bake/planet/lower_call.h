// SPDX-License-Identifier: MIT
// A call of the planet language on its way into the graph. For lower_call.c and lower_bind.c.
#ifndef TERRANE_BAKE_PLANET_LOWER_CALL_H
#define TERRANE_BAKE_PLANET_LOWER_CALL_H

#include "bake/planet/lower.h"

// A call with its arguments in the order of the parameters.
struct call {
    struct lowering *lowering;
    const struct syntax *syntax;
    const struct value *values;
    const struct expression *expression;
    const struct function *function;
    struct value value[PARAMETER_COUNT_MAX];
    uint32_t at[PARAMETER_COUNT_MAX];
    bool given[PARAMETER_COUNT_MAX];
    double number[PARAMETER_COUNT_MAX]; // of numbers, given or not
    const struct argument *knots;
    uint32_t knot_count; // arguments behind the parameters
};

#define CALL_FAIL(call, place, ...) source_fail(&(call)->syntax->source, place, (call)->lowering->status, __VA_ARGS__)

// Puts every argument into its parameter's place, or among the knots; then types and ranges are looked at.
enum status_code call_bind(struct call *call);
enum status_code call_check(struct call *call);

// lower_call.c: 0 where x < at, 1 above, averaged over the footprint of the sample and at least over width.
enum status_code call_emit_above(struct call *call, uint32_t x, double at, double width, uint32_t *result);

// lower_knots.c
enum status_code call_lower_curve(struct call *call, uint32_t *result);
enum status_code call_lower_ramp(struct call *call, uint32_t *result);

// lower_feature.c
enum status_code call_lower_cells(struct call *call, uint32_t *result);
enum status_code call_lower_craters(struct call *call, uint32_t *result);
enum status_code call_lower_random(struct call *call, uint32_t *result);
// The seed that was given, or the call's number.
double call_seed_number(const struct call *call);

// The place of a parameter, or -1.
int call_find_parameter(const struct function *function, const char *name);

#endif
