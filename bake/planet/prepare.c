// SPDX-License-Identifier: MIT
#include "bake/planet/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "bake/planet/climate.h"
#include "bake/planet/lattice.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"

static void copy_result(double *values, const struct program *program, int output, const double *lanes)
{
    memcpy(values, program_result(program, output, lanes), PLANET_BLOCK * sizeof values[0]);
}

enum status_code prepare_sample(const struct preparation *preparation, uint32_t first, uint32_t second, int count,
                                void (*direction)(int index, double *x, double *y, double *z), double spacing,
                                double *first_values, double *second_values, struct status *status)
{
    struct program program;
    const struct tables *tables = preparation->tables;
    const struct program_output outputs[2] = {{.value = first}, {.value = second}};
    enum status_code code =
        program_compile(&program, preparation->graph, tables, outputs, second == GRAPH_NONE ? 1 : 2, status);
    size_t lanes_bytes = (size_t)program.lane_count * PLANET_BLOCK * sizeof(double);
    double *lanes = code == STATUS_OK ? aligned_alloc(ARENA_ALIGNMENT, lanes_bytes) : NULL;
    if (code == STATUS_OK && !lanes)
        code = status_fail_memory(status, "planet", lanes_bytes);
    for (int at = 0; at < count && code == STATUS_OK; at += PLANET_BLOCK) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            direction(at + i, &lanes[i], &lanes[PLANET_BLOCK + i], &lanes[2 * PLANET_BLOCK + i]);
        program_run(&program, tables, preparation->kernels, preparation->memory, lanes, spacing, spacing);
        copy_result(first_values + at, &program, 0, lanes);
        if (second != GRAPH_NONE)
            copy_result(second_values + at, &program, 1, lanes);
    }
    program_free(&program);
    free(lanes);
    return code;
}

static enum status_code prepare_value(const struct preparation *preparation, uint32_t index, struct status *status)
{
    struct status trouble;
    enum status_code code = STATUS_OK;
    if (preparation->graph->values[index].op == GRAPH_QUANTILE)
        code = quantile_prepare(preparation, index, &trouble);
    else if (preparation->graph->values[index].op == GRAPH_CLIMATE)
        code = climate_prepare(preparation, index, &trouble);
    if (code) {
        source_fail(preparation->source, preparation->graph->values[index].at, status, "%s", trouble.text);
        status->code = code;
    }
    return code;
}

enum status_code prepare_tables(const struct preparation *what, struct status *status)
{
    struct preparation preparation = *what;
    const struct graph *graph = what->graph;
    struct lattice_memory lattices;
    enum status_code code = lattice_memory_new(&lattices, what->tables, status);
    preparation.memory = &lattices.program;
    int last = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        last = what->stages[i] > last ? what->stages[i] : last;
    for (int stage = 1; stage <= last; stage++) {
        for (uint32_t i = 0; i < graph->count && code == STATUS_OK; i++) {
            if (what->needed[i] && what->stages[i] == stage)
                code = prepare_value(&preparation, i, status);
        }
    }
    lattice_memory_free(&lattices);
    return code;
}
