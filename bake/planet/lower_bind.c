// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>
#include <string.h>

#include "bake/planet/lower_call.h"
#include "common/options.h"
#include "common/text_number.h"

int call_find_parameter(const struct function *function, const char *name)
{
    for (int i = 0; i < function_parameter_count(function); i++) {
        if (strcmp(function->parameters[i].name, name) == 0)
            return i;
    }
    return -1;
}

static enum status_code unknown_argument(const struct call *call, const struct argument *argument)
{
    const char *names[PARAMETER_COUNT_MAX + 1] = {0};
    for (int i = 0; i < function_parameter_count(call->function); i++)
        names[i] = call->function->parameters[i].name;
    const char *nearest = nearest_word(argument->name, names);
    return CALL_FAIL(call, argument->at, "expected an argument of %s, got '%s'%s%s%s", call->function->signature,
                     argument->name, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

enum status_code call_bind(struct call *call)
{
    const struct expression *expression = call->expression;
    int parameter_count = function_parameter_count(call->function);
    for (uint32_t i = 0; i < expression->argument_count; i++) {
        const struct argument *argument = &call->syntax->arguments[expression->argument + i];
        int slot = argument->name ? call_find_parameter(call->function, argument->name) : (int)i;
        if (slot < 0)
            return unknown_argument(call, argument);
        if (slot >= parameter_count && call->function->takes_knots) {
            if (call->knot_count++ == 0)
                call->knots = argument;
            continue;
        }
        if (slot >= parameter_count)
            return CALL_FAIL(call, argument->at, "expected at most %d arguments for %s, got %u", parameter_count,
                             call->function->signature, expression->argument_count);
        if (call->given[slot])
            return CALL_FAIL(call, argument->at, "expected '%s' once in a call of %s", argument->name,
                             call->function->name);
        call->given[slot] = true;
        call->value[slot] = call->values[argument->value];
        call->at[slot] = call->syntax->expressions[argument->value].at;
    }
    for (int slot = 0; slot < parameter_count; slot++) {
        if (!call->given[slot] && !call->function->parameters[slot].optional)
            return CALL_FAIL(call, expression->at, "expected '%s' in a call of %s",
                             call->function->parameters[slot].name, call->function->signature);
    }
    return STATUS_OK;
}

static enum status_code check_number(struct call *call, int slot)
{
    const struct parameter *parameter = &call->function->parameters[slot];
    double number = *graph_constant(call->lowering->graph, call->value[slot].graph);
    char got[REAL_TEXT_MAX], min[REAL_TEXT_MAX], max[REAL_TEXT_MAX];
    format_real(got, number);
    format_real(min, parameter->min);
    format_real(max, parameter->max);
    call->number[slot] = number;
    if (number < parameter->min && parameter->max == DBL_MAX)
        return CALL_FAIL(call, call->at[slot], "expected at least %s for '%s' in %s, got %s", min, parameter->name,
                         call->function->name, got);
    if (number < parameter->min || number > parameter->max)
        return CALL_FAIL(call, call->at[slot], "expected %s to %s for '%s' in %s, got %s", min, max, parameter->name,
                         call->function->name, got);
    if (parameter->kind == PARAMETER_INTEGER && number != floor(number))
        return CALL_FAIL(call, call->at[slot], "expected a whole number for '%s' in %s, got %s", parameter->name,
                         call->function->name, got);
    return STATUS_OK;
}

static enum status_code check_type(struct call *call, int slot)
{
    static const char *const wanted[] = {
        [PARAMETER_NUMBER] = "a number",
        [PARAMETER_INTEGER] = "a number",
        [PARAMETER_FIELD] = "a field or number",
        [PARAMETER_FIELD_OR_COLOR] = "a field, number or colour",
        [PARAMETER_NUMBER_OR_FIELD] = "a field or number",
        [PARAMETER_POINT] = "a point",
        [PARAMETER_STRING] = "a string",
    };
    const struct parameter *parameter = &call->function->parameters[slot];
    enum value_type type = call->value[slot].type;
    bool fits = false;
    switch (parameter->kind) {
    case PARAMETER_NUMBER:
    case PARAMETER_INTEGER: fits = type == VALUE_NUMBER; break;
    case PARAMETER_NUMBER_OR_FIELD:
    case PARAMETER_FIELD: fits = value_is_field(call->value[slot]); break;
    case PARAMETER_FIELD_OR_COLOR: fits = value_is_field(call->value[slot]) || type == VALUE_COLOR; break;
    case PARAMETER_POINT: fits = type == VALUE_POINT; break;
    case PARAMETER_STRING: fits = type == VALUE_STRING; break;
    }
    if (!fits)
        return CALL_FAIL(call, call->at[slot], "expected %s for '%s' in %s, got %s", wanted[parameter->kind],
                         parameter->name, call->function->name, value_type_names[type]);
    if (parameter->kind == PARAMETER_NUMBER || parameter->kind == PARAMETER_INTEGER ||
        (parameter->kind == PARAMETER_NUMBER_OR_FIELD && type == VALUE_NUMBER))
        return check_number(call, slot);
    return STATUS_OK;
}

enum status_code call_check(struct call *call)
{
    for (int slot = 0; slot < function_parameter_count(call->function); slot++) {
        call->number[slot] = call->function->parameters[slot].fallback;
        if (!call->given[slot])
            continue;
        enum status_code code = check_type(call, slot);
        if (code)
            return code;
    }
    return STATUS_OK;
}
