// SPDX-License-Identifier: MIT
// From text to a struct planet: parse, look names up, lower, build tables, prepare quantiles and climates, compile.
#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/guards.h"
#include "bake/planet/lattice.h"
#include "bake/planet/lower.h"
#include "bake/planet/mesh_budget.h"
#include "bake/planet/planet_internal.h"
#include "bake/planet/prepare.h"
#include "bake/planet/probe.h"
#include "common/srgb.h"
#include "common/tile_grid.h"

// Encoded grey of planets without colour: #8c8c8c.
#define GREY (0x8C / 255.0)
// What lean programs must be worth: their cost over what they save.
#define LEAN_ODDS_MAX 16

// What is needed between text and planet, and freed at the end of loading.
struct loading {
    struct planet *planet;
    struct source source;
    struct syntax syntax;
    struct resolution resolution;
    struct overrides overrides;
    struct graph graph;
    struct value *values;   // of all expressions
    uint32_t height, color; // values of the graph
    struct status *status;
};

static enum status_code lower(struct loading *loading, const struct planet_source *source)
{
    const struct syntax *syntax = &loading->syntax;
    enum status_code code;
    if ((code = resolve_names(&loading->resolution, syntax, loading->status)) ||
        (code = overrides_read(&loading->overrides, syntax, source, loading->status)))
        return code;
    uint32_t expression_count = syntax->expression_count;
    for (int i = 0; i < loading->overrides.count; i++)
        expression_count += loading->overrides.items[i].value.expression_count;
    // Besides the expressions there are the names that are given and the default colour.
    uint32_t capacity = LOWER_VALUES_MAX * expression_count + 16;
    if ((code = graph_begin(&loading->graph, capacity, LOWER_PARAMETERS_MAX * expression_count + 16, loading->status)))
        return code;
    loading->values = malloc((syntax->expression_count + 1) * sizeof loading->values[0]);
    if (!loading->values)
        return status_fail_memory(loading->status, "planet", syntax->expression_count * sizeof loading->values[0]);
    struct lowering lowering = {
        .syntax = syntax,
        .resolution = &loading->resolution,
        .overrides = &loading->overrides,
        .graph = &loading->graph,
        .rasters = &loading->planet->rasters,
        .status = loading->status,
        .values = loading->values,
        .seed = source->seed,
    };
    code = lower_definitions(&lowering);
    loading->planet->file_radius_m = lowering.radius_m;
    return code;
}

// ---- Overrides that name nothing -------------------------------------------------------------------------

static enum status_code check_override_keys(const struct loading *loading)
{
    for (int i = 0; i < loading->overrides.count; i++) {
        const struct override *override = &loading->overrides.items[i];
        if (resolve_find(&loading->syntax, override->key) != UINT32_MAX)
            continue;
        char names[320] = "";
        size_t length = 0;
        for (uint32_t k = 0; k < loading->syntax.definition_count; k++) {
            const struct definition *definition = &loading->syntax.definitions[k];
            const char *comma = length > 0 ? ", " : " ";
            if (value_is_constant(&loading->graph, loading->values[definition->root]) &&
                strlen(definition->name) + 3 <= sizeof names - length)
                length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", comma, definition->name);
        }
        return status_fail(loading->status, STATUS_USAGE, "%s: '%s' names nothing; the constants of this planet are%s",
                           override->value.source.label, override->key, length > 0 ? names : " none");
    }
    return STATUS_OK;
}

// ---- Outputs --------------------------------------------------------------------------------------------

// The definition of that name and its value; NULL where there is none.
static const struct definition *find_output(const struct loading *loading, const char *name, struct value *value)
{
    uint32_t index = resolve_find(&loading->syntax, name);
    if (index == UINT32_MAX)
        return NULL;
    const struct definition *definition = &loading->syntax.definitions[index];
    *value = loading->values[definition->root];
    return definition;
}

static enum status_code refuse_output(const struct loading *loading, const struct definition *definition,
                                      const char *wanted, struct value got)
{
    return source_fail(&loading->source, definition->value_at, loading->status, "expected %s for '%s', got %s", wanted,
                       definition->name, value_type_names[got.type]);
}

static enum status_code find_height(struct loading *loading)
{
    struct value value;
    const struct definition *definition = find_output(loading, "height", &value);
    if (!definition)
        return source_fail(&loading->source, loading->source.length, loading->status,
                           "expected a definition of 'height' before the end");
    if (value.type != VALUE_NUMBER && value.type != VALUE_FIELD)
        return refuse_output(loading, definition, "a field", value);
    loading->height = value.graph;
    return lower_demand_gradient(&loading->graph, value.graph, &loading->source, "for 'height'", loading->status);
}

static enum status_code find_color(struct loading *loading)
{
    struct value value;
    const struct definition *definition = find_output(loading, "color", &value);
    if (!definition) {
        double grey = srgb_decode(GREY);
        loading->color = graph_emit(&loading->graph, GRAPH_COLOR, NULL, (double[3]){grey, grey, grey}, 3, 0);
        return STATUS_OK;
    }
    if (value.type != VALUE_COLOR)
        return refuse_output(loading, definition, "a colour", value);
    loading->color = value.graph;
    return STATUS_OK;
}

// What a planet without `name` is called: the label without folders and ".planet"; bytes that are not UTF-8 become '?'.
static char *default_name(const char *label)
{
    static const char suffix[] = ".planet";
    const char *slash = strrchr(label, '/');
    char *name = strdup(slash ? slash + 1 : label);
    if (!name)
        return NULL;
    size_t length = strlen(name), suffix_length = sizeof suffix - 1;
    if (length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0)
        name[length -= suffix_length] = 0;
    for (size_t at = 0; at < length;) {
        size_t size = utf8_sequence(name + at, length - at);
        if (size == 0 || (unsigned char)name[at] < 0x20)
            name[at] = '?';
        at += size > 0 ? size : 1;
    }
    return name;
}

// The constants that say something about the planet; radius was looked at while lowering.
static enum status_code find_constants(struct loading *loading)
{
    struct planet *planet = loading->planet;
    struct value value;
    const struct definition *definition = find_output(loading, "sea", &value);
    if (definition) {
        if (value.type != VALUE_NUMBER)
            return refuse_output(loading, definition, "a number", value);
        planet->has_sea = true;
        planet->sea_m = *graph_constant(&loading->graph, value.graph);
    }
    definition = find_output(loading, "air", &value);
    if (definition) {
        if (value.type != VALUE_COLOR || !graph_is_constant(&loading->graph, value.graph))
            return refuse_output(loading, definition, "a constant colour", value);
        planet->has_air = true;
        memcpy(planet->air, graph_constant(&loading->graph, value.graph), sizeof planet->air);
    }
    definition = find_output(loading, "name", &value);
    if (definition && value.type != VALUE_STRING)
        return refuse_output(loading, definition, "a string", value);
    planet->name = definition ? strdup(value.text) : default_name(loading->source.label);
    if (!planet->name)
        return status_fail_memory(loading->status, "planet", strlen(loading->source.label));
    return STATUS_OK;
}

// ---- Programs -------------------------------------------------------------------------------------------

// Which values of the graph an output is made from. Only adds marks.
static void mark_needed(bool *needed, const struct graph *graph, uint32_t output)
{
    needed[output] = true;
    for (uint32_t i = output + 1; i-- > 0;) {
        for (int k = 0; k < graph_ops[graph->values[i].op].input_count && needed[i]; k++)
            needed[graph->values[i].input[k]] = true;
    }
}

// Lattices, quantiles and climates.
static enum status_code prepare_models(struct loading *loading)
{
    struct planet *planet = loading->planet;
    const struct graph *graph = &loading->graph;
    size_t count = graph->count, bytes = count * (2 * sizeof(bool) + sizeof(int));
    int *stages = malloc(bytes);
    if (!stages)
        return status_fail_memory(loading->status, "planet", bytes);
    bool *needed = (bool *)(stages + count), *for_height = needed + count;
    memset(needed, 0, 2 * count * sizeof(bool));
    mark_needed(needed, graph, loading->height);
    memcpy(for_height, needed, count * sizeof(bool));
    mark_needed(needed, graph, loading->color);
    graph_stages(graph, stages);
    struct status trouble = {0};
    enum status_code code = lattices_build(&planet->tables, graph, needed, for_height, stages, &trouble);
    if (code)
        status_fail(loading->status, code, "%s: %s", loading->source.label, trouble.text);
    else
        code = prepare_tables(&(struct preparation){.tables = &planet->tables,
                                                    .graph = graph,
                                                    .kernels = planet->kernels,
                                                    .needed = needed,
                                                    .stages = stages,
                                                    .source = &loading->source,
                                                    .sea_m = planet->has_sea ? planet->sea_m : -DBL_MAX},
                              loading->status);
    free(stages);
    return code;
}

static enum status_code compile_program(const struct loading *loading, unsigned want, bool lean)
{
    struct planet *planet = loading->planet;
    const struct program_output outputs[2] = {
        [PLANET_HEIGHT] = {.value = loading->height, .gradient = want & PLANET_WANT_GRADIENT},
        [PLANET_COLOR] = {.value = loading->color},
    };
    struct status trouble;
    enum status_code code =
        lean ? program_compile_lean(&planet->lean[want], &loading->graph, &planet->tables, outputs, 2, &trouble)
             : program_compile(&planet->programs[want], &loading->graph, &planet->tables, outputs,
                               want & PLANET_WANT_COLOR ? 2 : 1, &trouble);
    return code ? status_fail(loading->status, code, "%s: %s", loading->source.label, trouble.text) : STATUS_OK;
}

static enum status_code compile_programs(struct loading *loading)
{
    enum status_code code = STATUS_OK;
    for (unsigned want = 0; want < PLANET_WANT_COUNT && !code; want++)
        code = compile_program(loading, want, false);
    return code;
}

// Roughly, and whatever is skipped or interpolated: a gradient costs half as much again as the value.
static double program_cost_ns(const struct program *program, const struct graph *graph)
{
    double cost_ns = 0;
    for (uint32_t i = 0; i < program->step_count; i++) {
        const struct step *step = &program->steps[i];
        bool gradient = false;
        // The last lane of a part, or one of a Jacobian.
        for (int lane = 3; lane < STEP_LANES_MAX; lane += 4)
            gradient |= step->lane[lane] != LANE_NONE;
        cost_ns += (gradient ? 1.5 : 1.0) * guard_cost_ns(graph, &graph->values[step->value]);
    }
    return cost_ns;
}

// A lean program that saves next to nothing is dropped.
static enum status_code compile_lean_program(const struct loading *loading, unsigned want)
{
    struct planet *planet = loading->planet;
    enum status_code code = compile_program(loading, want, true);
    if (code == STATUS_INPUT) { // more lanes than there are, though the whole one does with them
        program_free(&planet->lean[want]);
        *loading->status = (struct status){0};
        return STATUS_OK;
    }
    if (code)
        return code;
    double lean_ns = program_cost_ns(&planet->lean[want], &loading->graph);
    double saved_ns = program_cost_ns(&planet->programs[want], &loading->graph) - lean_ns;
    if (saved_ns * LEAN_ODDS_MAX > lean_ns)
        planet->lean_odds[want] = 1 + (int)(lean_ns / saved_ns);
    else
        program_free(&planet->lean[want]);
    return STATUS_OK;
}

static enum status_code compile_lean_programs(const struct loading *loading)
{
    enum status_code code = STATUS_OK;
    for (unsigned want = 0; want < PLANET_WANT_COUNT && !code; want++)
        if (want & PLANET_WANT_COLOR)
            code = compile_lean_program(loading, want);
    return code;
}

// What the programs' meshes may carry.
static enum status_code budget_meshes(struct loading *loading)
{
    struct planet *planet = loading->planet;
    struct lattice_memory lattices;
    enum status_code code = lattice_memory_new(&lattices, &planet->tables, loading->status);
    if (!code)
        code = mesh_budget(&planet->tables, &loading->graph, planet->programs, PLANET_WANT_COUNT, planet->kernels,
                           &lattices.program, loading->status);
    lattice_memory_free(&lattices);
    return code;
}

static enum status_code load(struct loading *loading, const struct planet_source *source)
{
    struct planet *planet = loading->planet;
    enum status_code code;
    if ((code = syntax_parse_file(&loading->syntax, &loading->source, loading->status)) ||
        (code = lower(loading, source)) || (code = check_override_keys(loading)) || (code = find_height(loading)) ||
        (code = find_color(loading)) || (code = find_constants(loading)) ||
        (code = tables_build(&planet->tables, &loading->graph, &planet->rasters, source->seed, loading->status)) ||
        (code = prepare_models(loading)))
        return code;
    planet->radius_m = source->radius_m > 0 ? source->radius_m : planet->file_radius_m;
    if ((code = compile_programs(loading)) || (code = budget_meshes(loading)) ||
        (code = compile_lean_programs(loading)))
        return code;
    return planet_probe(planet, &loading->source, loading->status);
}

enum status_code planet_load_text(struct planet **planet, const char *text, size_t length, const char *label,
                                  const char *folder, const struct planet_source *source, struct status *status)
{
    assert(source->radius_m == 0 || (source->radius_m >= RADIUS_MIN_M && source->radius_m <= RADIUS_MAX_M));
    struct loading loading = {.source = {.label = label, .text = text, .length = length}, .status = status};
    loading.planet = malloc(sizeof *loading.planet);
    char *kept = malloc(length + 1);
    if (!loading.planet || !kept) {
        free(loading.planet);
        free(kept);
        return status_fail_memory(status, label, length + sizeof *loading.planet);
    }
    if (length > 0)
        memcpy(kept, text, length);
    kept[length] = 0;
    *loading.planet =
        (struct planet){.text = kept, .length = length, .kernels = kernels_choose(), .rasters = {.folder = folder}};
    enum status_code code = load(&loading, source);
    loading.planet->rasters.folder = NULL; // the caller's
    free(loading.values);
    graph_free(&loading.graph);
    overrides_free(&loading.overrides);
    resolution_free(&loading.resolution);
    syntax_free(&loading.syntax);
    if (code)
        planet_free(loading.planet);
    else
        *planet = loading.planet;
    return code;
}

void planet_free(struct planet *planet)
{
    if (!planet)
        return;
    for (int want = 0; want < PLANET_WANT_COUNT; want++) {
        program_free(&planet->programs[want]);
        program_free(&planet->lean[want]);
    }
    tables_free(&planet->tables);
    raster_shelf_free(&planet->rasters);
    free(planet->text);
    free(planet->name);
    free(planet);
}
