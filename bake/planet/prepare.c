// SPDX-License-Identifier: MIT
#include "bake/planet/prepare.h"

#include <stdlib.h>

#include "bake/planet/climate.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"

static void copy_result(double *values, const struct program *program, uint32_t step, const double *lanes)
{
    const double *result = lanes + (size_t)program->steps[step].lane[0] * PLANET_BLOCK;
    for (int i = 0; i < PLANET_BLOCK; i++)
        values[i] = result[i];
}

enum status_code prepare_sample(const struct preparation *preparation, uint32_t first, uint32_t second, int count,
                                void (*direction)(int index, double *x, double *y, double *z), double spacing,
                                double *first_values, double *second_values, struct status *status)
{
    struct program program;
    const struct tables *tables = preparation->tables;
    enum status_code code = program_compile(&program, preparation->graph, tables, first, false, second, status);
    size_t lanes_bytes = (size_t)program.lane_count * PLANET_BLOCK * sizeof(double);
    double *lanes = code == STATUS_OK ? aligned_alloc(ARENA_ALIGNMENT, lanes_bytes) : NULL;
    if (code == STATUS_OK && !lanes)
        code = status_fail_memory(status, "planet", lanes_bytes);
    for (int at = 0; at < count && code == STATUS_OK; at += PLANET_BLOCK) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            direction(at + i, &lanes[i], &lanes[PLANET_BLOCK + i], &lanes[2 * PLANET_BLOCK + i]);
        program_run(&program, tables, preparation->kernels, lanes, spacing);
        copy_result(first_values + at, &program, program.height, lanes);
        if (second != GRAPH_NONE)
            copy_result(second_values + at, &program, program.color, lanes);
    }
    program_free(&program);
    free(lanes);
    return code;
}

enum status_code prepare_tables(const struct preparation *preparation, struct status *status)
{
    const struct graph *graph = preparation->graph;
    for (uint32_t i = 0; i < graph->count; i++) {
        struct status trouble;
        enum status_code code = STATUS_OK;
        if (!preparation->needed[i])
            continue;
        if (graph->values[i].op == GRAPH_QUANTILE)
            code = quantile_prepare(preparation, i, &trouble);
        else if (graph->values[i].op == GRAPH_CLIMATE)
            code = climate_prepare(preparation, i, &trouble);
        if (code) {
            source_fail(preparation->source, graph->values[i].at, status, "%s", trouble.text);
            return status->code = code;
        }
    }
    return STATUS_OK;
}
