// SPDX-License-Identifier: MIT
#include "bake/planet/probe.h"

#include <math.h>
#include <stdlib.h>

#include "bake/planet/lattice.h"
#include "bake/planet/quantile.h"
#include "common/arena.h"
#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "common/tile_grid.h"

// What is wrong with a step's output at one sample.
enum { BAD_VALUE = 1, BAD_GRADIENT = 2 };

struct probe {
    const struct planet *planet;
    const struct program *program; // with height, gradient and colour
    const struct source *source;
    double *lanes;
    struct program_memory *memory;
    uint8_t *bad;               // of each step, at the sample that is looked at
    double lowest_m, highest_m; // at the planet file's radius
    struct status *status;
};

// ---- Points ---------------------------------------------------------------------------------------------

static void set_point(double *lanes, int i, double x, double y, double z)
{
    lanes[i] = x;
    lanes[PLANET_BLOCK + i] = y;
    lanes[2 * PLANET_BLOCK + i] = z;
}

// All directions whose coordinates are 0 or equal in size (6 axes, 12 edges, 8 corners of a cube), then three great
// circles on which one coordinate is exactly 0.
static void set_special_points(double *lanes)
{
    int count = 0;
    for (int k = 0; k < 27; k++) {
        double x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1, length = sqrt(x * x + y * y + z * z);
        if (length > 0)
            set_point(lanes, count++, x / length, y / length, z / length);
    }
    for (int first = count, i = count; i < PLANET_BLOCK; i++) {
        double sine, cosine;
        stable_sincos_deg(360.0 * (i - first) / (PLANET_BLOCK - first), &sine, &cosine);
        if (i % 3 == 0)
            set_point(lanes, i, 0, cosine, sine);
        else if (i % 3 == 1)
            set_point(lanes, i, sine, 0, cosine);
        else
            set_point(lanes, i, cosine, sine, 0);
    }
}

static void set_spread_points(double *lanes, int first, int count)
{
    for (int i = 0; i < PLANET_BLOCK; i++)
        spread_direction(first + i, count, &lanes[i], &lanes[PLANET_BLOCK + i], &lanes[2 * PLANET_BLOCK + i]);
}

// ---- What is wrong --------------------------------------------------------------------------------------

static double lane_value(const struct probe *probe, uint16_t lane, int sample)
{
    return probe->lanes[(size_t)lane * PLANET_BLOCK + (size_t)sample];
}

static enum graph_shape shape_of(const struct step *step)
{
    return graph_ops[step->op].shape;
}

// Slopes are squared when normals are made, so they must not be too long for that either.
static unsigned step_trouble(const struct probe *probe, const struct step *step, int sample)
{
    int values = shape_of(step) == SHAPE_FIELD ? 1 : 3;
    unsigned trouble = 0;
    double squares = 0;
    for (int k = 0; k < STEP_LANES_MAX; k++) {
        if (step->lane[k] == LANE_NONE)
            continue;
        double value = lane_value(probe, step->lane[k], sample);
        if (k >= values)
            squares += value * value;
        else if (!isfinite(value))
            trouble |= BAD_VALUE;
    }
    return isfinite(squares) ? trouble : trouble | BAD_GRADIENT;
}

// Whether a step's bad output may come from an input's: from its value, or from its gradient where that matters.
static bool passes_on(const struct step *step, unsigned output, unsigned input)
{
    bool looks_at_gradient = step->op == GRAPH_ABOVE || step->op == GRAPH_STEEPNESS || step->op == GRAPH_RAMP;
    return (input & BAD_VALUE) || ((input & BAD_GRADIENT) && (looks_at_gradient || output == BAD_GRADIENT));
}

// From a step with bad output back to where the trouble begins: a step whose inputs are all right.
static const struct step *find_cause(const struct probe *probe, uint32_t index)
{
    const struct step *step = &probe->program->steps[index];
    for (int k = 0; k < program_input_count(step->op);) {
        uint32_t input = step->input[k++];
        if (input == STEP_POSITION || !passes_on(step, probe->bad[index], probe->bad[input]))
            continue;
        index = input;
        step = &probe->program->steps[index];
        k = 0;
    }
    return step;
}

// How the source calls a step: the operator or name that stands at its place.
static int word_length(const struct source *source, size_t at)
{
    int length = 0;
    for (; length < 40 && at < source->length; at++, length++) {
        char c = source->text[at];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!letter)
            break;
    }
    return length > 0 ? length : at < source->length;
}

static void sample_place(const struct probe *probe, int sample, double *latitude_deg, double *longitude_deg)
{
    struct double3 dir = {lane_value(probe, 0, sample), lane_value(probe, 1, sample), lane_value(probe, 2, sample)};
    geographic_of(dir, latitude_deg, longitude_deg);
    *latitude_deg += 0.0; // no -0
    *longitude_deg += 0.0;
}

// step's lanes still hold what it gave: nothing ran behind it.
static enum status_code refuse_step(const struct probe *probe, const struct step *step, unsigned trouble, int sample)
{
    int first = 0, end = shape_of(step) == SHAPE_FIELD ? 1 : 3;
    if (!(trouble & BAD_VALUE)) {
        first = end;
        end = STEP_LANES_MAX;
    }
    const char *got = "too much";
    for (int k = first; k < end && step->lane[k] != LANE_NONE; k++) {
        double value = lane_value(probe, step->lane[k], sample);
        if (!isfinite(value))
            got = isnan(value) ? "what is not a number" : "infinity";
    }
    double latitude_deg, longitude_deg;
    sample_place(probe, sample, &latitude_deg, &longitude_deg);
    return source_fail(probe->source, step->at, probe->status,
                       "expected a finite %s: '%.*s' gives %s at latitude %.2f longitude %.2f",
                       trouble & BAD_VALUE ? "value" : "gradient", word_length(probe->source, step->at),
                       probe->source->text + step->at, got, latitude_deg, longitude_deg);
}

// The points are far from each other whatever detail is asked for: lattices are not for them.
static double points_apart(double spacing)
{
    return spacing > PROBE_SPACING_COARSE ? spacing : PROBE_SPACING_COARSE;
}

// output, a step, is bad at sample: runs the block again step by step, since lanes are used several times.
static enum status_code refuse_output(const struct probe *probe, uint32_t output, int sample, double spacing)
{
    const struct program *program = probe->program;
    const struct tables *tables = &probe->planet->tables;
    for (uint32_t i = 0; i <= output; i++) {
        program_run_step(program, tables, probe->planet->kernels, probe->memory, probe->lanes, spacing,
                         points_apart(spacing), i);
        probe->bad[i] = (uint8_t)step_trouble(probe, &program->steps[i], sample);
    }
    const struct step *cause = find_cause(probe, output);
    uint32_t index = (uint32_t)(cause - program->steps);
    for (uint32_t i = 0; i <= index; i++)
        program_run_step(program, tables, probe->planet->kernels, probe->memory, probe->lanes, spacing,
                         points_apart(spacing), i);
    return refuse_step(probe, cause, probe->bad[index], sample);
}

static enum status_code refuse_height(const struct probe *probe, double height_m, int sample)
{
    double latitude_deg, longitude_deg;
    sample_place(probe, sample, &latitude_deg, &longitude_deg);
    return source_fail(probe->source, probe->program->steps[probe->program->output[PLANET_HEIGHT].step].at,
                       probe->status,
                       "expected heights of %.10g to %.10g metres on a body of this radius, got %.6g at latitude %.2f "
                       "longitude %.2f",
                       probe->lowest_m, probe->highest_m, height_m, latitude_deg, longitude_deg);
}

// The points are in the lanes.
static enum status_code probe_block(const struct probe *probe, double spacing)
{
    const struct program *program = probe->program;
    const struct step *height = &program->steps[program->output[PLANET_HEIGHT].step],
                      *color = &program->steps[program->output[PLANET_COLOR].step];
    program_run(program, &probe->planet->tables, probe->planet->kernels, probe->memory, probe->lanes, spacing,
                points_apart(spacing));
    for (int sample = 0; sample < PLANET_BLOCK; sample++) {
        if (step_trouble(probe, height, sample))
            return refuse_output(probe, program->output[PLANET_HEIGHT].step, sample, spacing);
        if (step_trouble(probe, color, sample))
            return refuse_output(probe, program->output[PLANET_COLOR].step, sample, spacing);
        double height_m = lane_value(probe, height->lane[0], sample);
        if (!(height_m >= probe->lowest_m && height_m <= probe->highest_m))
            return refuse_height(probe, height_m, sample);
    }
    return STATUS_OK;
}

static enum status_code probe_spacing(const struct probe *probe, double spacing, int count)
{
    set_special_points(probe->lanes);
    enum status_code code = probe_block(probe, spacing);
    for (int first = 0; first < count && code == STATUS_OK; first += PLANET_BLOCK) {
        set_spread_points(probe->lanes, first, count);
        code = probe_block(probe, spacing);
    }
    return code;
}

enum status_code planet_probe(const struct planet *planet, const struct source *source, struct status *status)
{
    const struct program *program = &planet->programs[PLANET_WANT_GRADIENT | PLANET_WANT_COLOR];
    double radius_m = planet->radius_m, scale = planet->file_radius_m / radius_m;
    size_t lanes_bytes = (size_t)program->lane_count * PLANET_BLOCK * sizeof(double);
    struct probe probe = {
        .planet = planet,
        .program = program,
        .source = source,
        .lanes = aligned_alloc(ARENA_ALIGNMENT, lanes_bytes),
        .bad = malloc(program->step_count + 1),
        .lowest_m = -0.9 * radius_m * scale,
        .highest_m = 2147483647.0 * height_unit_m(height_unit_exponent(radius_m)) * scale,
        .status = status,
    };
    struct lattice_memory lattices;
    enum status_code code = lattice_memory_new(&lattices, &planet->tables, status);
    probe.memory = &lattices.program;
    if (!code && (!probe.lanes || !probe.bad))
        code = status_fail_memory(status, source->label, lanes_bytes);
    if (!code && !(code = probe_spacing(&probe, PROBE_SPACING_COARSE, PROBE_POINTS_COARSE)))
        code = probe_spacing(&probe, PROBE_SPACING_FINE, PROBE_POINTS_FINE);
    lattice_memory_free(&lattices);
    free(probe.lanes);
    free(probe.bad);
    return code;
}
