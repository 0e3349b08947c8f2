// SPDX-License-Identifier: MIT
// Which lattices a planet has.
#include <assert.h>
#include <stdlib.h>

#include "bake/planet/lattice.h"

// The pitch of a guide, in wavelengths of its gullies: what is shorter than half of these is left out of it.
#define GUIDE_PITCH 0.3

void graph_stages(const struct graph *graph, int *stages)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct graph_value *value = &graph->values[i];
        int highest = 0;
        for (int k = 0; k < graph_ops[value->op].input_count; k++)
            highest = stages[value->input[k]] > highest ? stages[value->input[k]] : highest;
        bool is_prepared = value->op == GRAPH_QUANTILE || value->op == GRAPH_COARSE || value->op == GRAPH_ERODE ||
                           value->op == GRAPH_CLIMATE;
        stages[i] = highest + is_prepared;
    }
}

struct builder {
    struct tables *tables;
    const struct graph *graph;
    struct status *status;
};

// The lattice for a field like that, or a new one; NULL where there are too many.
static struct lattice *find_lattice(struct tables *tables, const struct lattice *wanted)
{
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        struct lattice *lattice = &tables->lattices[i];
        if (lattice->pitch == wanted->pitch && lattice->is_guide == wanted->is_guide &&
            lattice->stage == wanted->stage && lattice->for_height == wanted->for_height &&
            lattice->field_count < LATTICE_FIELDS_MAX)
            return lattice;
    }
    if (tables->lattice_count == LATTICES_MAX)
        return NULL;
    tables->lattices[tables->lattice_count] = *wanted;
    return &tables->lattices[tables->lattice_count++];
}

static enum status_code add_field(struct builder *builder, uint32_t index, int stage, bool for_height)
{
    struct tables *tables = builder->tables;
    const struct graph_value *value = &builder->graph->values[index];
    bool is_guide = value->op == GRAPH_ERODE;
    double length = builder->graph->parameters[value->parameter];
    struct lattice wanted = {
        .pitch = is_guide ? GUIDE_PITCH * length : length,
        .is_guide = is_guide,
        .stage = stage,
        .for_height = for_height,
    };
    struct lattice *lattice = find_lattice(tables, &wanted);
    if (!lattice)
        return status_fail(builder->status, STATUS_INPUT, "expected at most %d different lattices in coarse and erode",
                           LATTICES_MAX);
    // Two calls may look at the same field.
    int field = 0;
    while (field < lattice->field_count && lattice->field[field] != value->input[0])
        field++;
    if (field == lattice->field_count)
        lattice->field[lattice->field_count++] = value->input[0];
    uint32_t entry = lattice_entry((uint32_t)(lattice - tables->lattices), (uint32_t)field);
    if (is_guide)
        tables->erosion_guide[tables->table_of[index]] = entry;
    else
        tables->table_of[index] = entry;
    return STATUS_OK;
}

static enum status_code compile_lattice(const struct builder *builder, struct lattice *lattice)
{
    struct program_output values[LATTICE_FIELDS_MAX], gradients[LATTICE_FIELDS_MAX];
    for (int i = 0; i < lattice->field_count; i++) {
        uint32_t value = lattice->field[i];
        values[i] = (struct program_output){.value = value};
        gradients[i] = (struct program_output){value, builder->graph->values[value].has_gradient, 0};
    }
    enum status_code code = program_compile(&lattice->values, builder->graph, builder->tables, values,
                                            lattice->field_count, builder->status);
    return code ? code
                : program_compile(&lattice->gradients, builder->graph, builder->tables, gradients, lattice->field_count,
                                  builder->status);
}

enum status_code lattices_build(struct tables *tables, const struct graph *graph, const bool *needed,
                                const bool *for_height, const int *stages, struct status *status)
{
    struct builder builder = {tables, graph, status};
    size_t bytes = LATTICES_MAX * sizeof tables->lattices[0];
    tables->lattices = malloc(bytes);
    if (!tables->lattices)
        return status_fail_memory(status, "planet", bytes);
    for (uint32_t i = 0; i < graph->count; i++) {
        if (!needed[i] || (graph->values[i].op != GRAPH_COARSE && graph->values[i].op != GRAPH_ERODE))
            continue;
        enum status_code code = add_field(&builder, i, stages[i], for_height[i]);
        if (code)
            return code;
    }
    // A lattice's programs may look up in others: their entries must all be known first.
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        enum status_code code = compile_lattice(&builder, &tables->lattices[i]);
        if (code)
            return code;
    }
    return STATUS_OK;
}

void lattices_free(struct tables *tables)
{
    for (uint32_t i = 0; i < tables->lattice_count; i++) {
        program_free(&tables->lattices[i].values);
        program_free(&tables->lattices[i].gradients);
    }
    free(tables->lattices);
    tables->lattices = NULL;
    tables->lattice_count = 0;
}
