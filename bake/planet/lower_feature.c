// SPDX-License-Identifier: MIT
// Calls of what is made of single features, cells and craters, and random numbers.
#include <stdio.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/planet/lower_call.h"
#include "bake/planet/program.h"

static uint32_t emit(struct call *call, enum graph_op op, const uint32_t *inputs, const double *parameters,
                     uint32_t parameter_count)
{
    return graph_emit(call->lowering->graph, op, inputs, parameters, parameter_count, call->expression->at);
}

double call_seed_number(const struct call *call)
{
    int seed = call_find_parameter(call->function, "seed");
    return call->given[seed] ? call->number[seed] : call->expression->noise_number;
}

// The number of the word that a string parameter has; without the argument the first.
static enum status_code read_word(const struct call *call, int slot, const char *const words[], int count, int *result)
{
    for (*result = 0; *result < count && call->given[slot]; ++*result) {
        if (strcmp(call->value[slot].text, words[*result]) == 0)
            return STATUS_OK;
    }
    if (!call->given[slot])
        return STATUS_OK;
    char list[100] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s\"%s\"", i == 0 ? "" : i == count - 1 ? " or " : ", ", words[i]);
    }
    return CALL_FAIL(call, call->at[slot], "expected %s for '%s' in %s", list, call->function->parameters[slot].name,
                     call->function->name);
}

enum status_code call_lower_cells(struct call *call, uint32_t *result)
{
    enum { WAVELENGTH, KIND, JITTER, SEED, AT };
    static const char *const kinds[] = {"distance", "edge", "value"}; // as in enum cellular_kind
    int kind;
    enum status_code code = read_word(call, KIND, kinds, 3, &kind);
    if (code)
        return code;
    uint32_t point = call->given[AT] ? call->value[AT].graph : emit(call, GRAPH_POSITION, NULL, NULL, 0);
    double parameters[4] = {kind, call->lowering->radius_m / call->number[WAVELENGTH], call->number[JITTER],
                            call_seed_number(call)};
    *result = emit(call, GRAPH_CELLULAR, &point, parameters, 4);
    return STATUS_OK;
}

enum status_code call_lower_craters(struct call *call, uint32_t *result)
{
    enum { LARGEST, SMALLEST, DENSITY, DEPTH, COMPLEX, AGE, SEED, OUTPUT };
    static const char *const outputs[] = {"height", "rays"};
    double radius_m = call->lowering->radius_m;
    int output;
    enum status_code code = read_word(call, OUTPUT, outputs, 2, &output);
    if (code)
        return code;
    if (!(call->number[LARGEST] <= radius_m))
        return CALL_FAIL(call, call->at[LARGEST], "expected 'largest' in craters not to be above the body's radius");
    double parameters[8] = {call->number[LARGEST] / radius_m,
                            call->number[SMALLEST] / radius_m,
                            call->number[DENSITY],
                            call->number[DEPTH],
                            call->number[COMPLEX] / radius_m,
                            call->number[AGE],
                            radius_m,
                            call_seed_number(call)};
    *result = emit(call, output == 0 ? GRAPH_CRATERS : GRAPH_CRATER_RAYS, NULL, parameters, 8);
    return STATUS_OK;
}

enum status_code call_lower_random(struct call *call, uint32_t *result)
{
    enum { LOW, HIGH, SEED };
    uint64_t bits = noise_seed(call->lowering->seed, (uint64_t)call_seed_number(call), 0);
    double share = (double)(bits >> 11) * 0x1p-53;
    double number = call->number[LOW] + share * (call->number[HIGH] - call->number[LOW]);
    *result = graph_number(call->lowering->graph, number, call->expression->at);
    return STATUS_OK;
}
