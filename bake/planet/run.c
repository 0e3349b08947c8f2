// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "bake/planet/climate.h"
#include "bake/planet/crater_shelf.h"
#include "bake/planet/lattice.h"
#include "bake/planet/mesh.h"
#include "bake/planet/program.h"
#include "common/stable_math.h"

#define DEGREES (180.0 / STABLE_PI) // in a radian

struct run {
    const struct program *program;
    const struct tables *tables;
    const struct kernels *kernels;
    double *lanes;
    double spacing;
    struct mesh *mesh; // or NULL
    struct lattice_run lattice;
    uint64_t lazy_run, lazy_cleared; // a bit for each lazy step: has been run, or its lanes are 0
    bool unsure;                     // of a lean program: it needs gradients
};

static double *lane_at(const struct run *run, uint16_t lane)
{
    return lane == LANE_NONE ? NULL : run->lanes + (size_t)lane * PLANET_BLOCK;
}

static struct field field_of(const struct run *run, const struct step *step)
{
    return (struct field){lane_at(run, step->lane[0]), lane_at(run, step->lane[1]), lane_at(run, step->lane[2]),
                          lane_at(run, step->lane[3])};
}

static struct field bundle_part(const struct run *run, const struct step *step, int part)
{
    const uint16_t *lane = &step->lane[4 * part];
    return (struct field){lane_at(run, lane[0]), lane_at(run, lane[1]), lane_at(run, lane[2]), lane_at(run, lane[3])};
}

// An input of a step; without its gradient where the step has no use for one.
static struct field input_field(const struct run *run, const struct step *step, int k, bool gradient)
{
    struct field field = field_of(run, &run->program->steps[step->input[k]]);
    return gradient ? field : (struct field){.v = field.v};
}

static struct points points_of(const struct run *run, const struct step *step)
{
    struct points points = {lane_at(run, step->lane[0]), lane_at(run, step->lane[1]), lane_at(run, step->lane[2]), {0}};
    for (int k = 0; k < 9; k++)
        points.jacobian[k] = lane_at(run, step->lane[3 + k]);
    return points;
}

static struct points input_points(const struct run *run, const struct step *step, bool gradient)
{
    struct points points = {run->lanes, run->lanes + PLANET_BLOCK, run->lanes + 2 * PLANET_BLOCK, {0}};
    if (step->input[0] != STEP_POSITION)
        points = points_of(run, &run->program->steps[step->input[0]]);
    if (!gradient)
        memset(points.jacobian, 0, sizeof points.jacobian);
    return points;
}

static void color_lanes(const struct run *run, const struct step *step, double *lanes[3])
{
    for (int channel = 0; channel < 3; channel++)
        lanes[channel] = lane_at(run, step->lane[channel]);
}

static void run_axis(struct field out, const double *position, int axis)
{
    memcpy(out.v, position + (size_t)axis * PLANET_BLOCK, PLANET_BLOCK * sizeof out.v[0]);
    if (!out.gx)
        return;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        out.gx[i] = axis == 0;
        out.gy[i] = axis == 1;
        out.gz[i] = axis == 2;
    }
}

static void run_latitude(struct field out, const double *x, const double *y, const double *z)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double across = sqrt(x[i] * x[i] + y[i] * y[i]);
        out.v[i] = stable_atan2(z[i], across) * DEGREES;
        if (!out.gx)
            continue;
        // At the poles latitude has a tip: there its gradient is taken as 0.
        double square = across * across + z[i] * z[i];
        double outward = across > 0 ? -z[i] / (across * square) * DEGREES : 0;
        out.gx[i] = x[i] * outward;
        out.gy[i] = y[i] * outward;
        out.gz[i] = across > 0 ? across / square * DEGREES : 0;
    }
}

static void run_longitude(struct field out, const double *x, const double *y)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double longitude = stable_atan2(y[i], x[i]) * DEGREES;
        out.v[i] = longitude >= 180 ? longitude - 360 : longitude;
    }
}

static void run_raster(const struct run *run, const struct step *step, struct field out)
{
    const double *x = run->lanes;
    const struct raster *raster = run->tables->rasters->rasters[(int)step->parameter[0]];
    raster_sample(raster, out, x, x + PLANET_BLOCK, x + 2 * PLANET_BLOCK, run->spacing);
    run->kernels->affine(out, out, step->parameter[1], step->parameter[2]);
}

// What the tile's mesh carries of a step, as mesh_look.
static int look_in_mesh(const struct run *run, const struct step *step, struct field out)
{
    return run->mesh ? mesh_look(run->mesh, run->kernels, run->lattice.memory, step, out) : 0;
}

static void run_coarse(const struct run *run, const struct step *step, struct field out)
{
    if (!look_in_mesh(run, step, out))
        lattice_coarse(&run->lattice, step->table, out);
}

// The samples' own positions as fractals see them: kept from fractal to fractal, but another run may have used the
// memory in between.
static struct turned_block *own_block(const struct run *run)
{
    struct program_memory *memory = run->lattice.memory;
    if (memory->block && memory->block_run != run->lattice.number)
        memory->block->ready = 0;
    memory->block_run = run->lattice.number;
    return memory->block;
}

static void run_fractal(const struct run *run, const struct step *step, struct field out)
{
    struct fractal fractal = run->tables->fractals[step->table];
    fractal.f_max = 0.5 / run->spacing;
    fractal.done = look_in_mesh(run, step, out);
    if (fractal.done == fractal.octaves)
        return;
    struct points at = input_points(run, step, out.gx != NULL);
    if (step->input[0] == STEP_POSITION)
        fractal.block = own_block(run);
    if (step->op == GRAPH_FRACTAL_GAIN)
        run->kernels->fractal_gain(out, &at, input_field(run, step, 1, out.gx != NULL), &fractal);
    else
        run->kernels->fractal(out, &at, &fractal);
}

static void run_cellular(const struct run *run, const struct step *step, struct field out)
{
    struct cellular cellular = run->tables->cellulars[step->table];
    cellular.f_max = 0.5 / run->spacing;
    struct points at = input_points(run, step, out.gx != NULL);
    run->kernels->cellular(out, &at, &cellular);
}

static void run_craters(const struct run *run, const struct step *step, struct field out)
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    struct craters craters = run->tables->craters[step->table];
    craters.f_max = 0.5 / run->spacing;
    craters.shelf = step->table < run->lattice.memory->shelf_count ? &run->lattice.memory->shelves[step->table] : NULL;
    run->kernels->craters(out, x, y, z, &craters);
}

static void run_warp(const struct run *run, const struct step *step)
{
    struct points out = points_of(run, step);
    bool gradient = out.jacobian[0] != NULL;
    struct points at = input_points(run, step, gradient);
    run->kernels->warp(&out, &at, step->parameter[0], input_field(run, step, 1, gradient),
                       input_field(run, step, 2, gradient), input_field(run, step, 3, gradient));
}

static void run_erode(const struct run *run, const struct step *step, struct field out)
{
    _Alignas(64) double guide_lanes[3][PLANET_BLOCK], hessian_lanes[9][PLANET_BLOCK];
    struct erosion erosion = run->tables->erosions[step->table];
    erosion.spacing = run->spacing;
    // Where the first octave is gone there is nothing to ask the guide for. Scattered samples find no second
    // derivatives.
    if (!erosion_shows(&erosion, run->lattice.apart) || (out.gx && run->lattice.apart > run->spacing)) {
        run->kernels->fill(out, 0);
        return;
    }
    double *guide[3], *hessian[9];
    for (int k = 0; k < 3; k++)
        guide[k] = guide_lanes[k];
    for (int k = 0; k < 9; k++)
        hessian[k] = hessian_lanes[k];
    lattice_guide(&run->lattice, run->tables->erosion_guide[step->table], guide, out.gx ? hessian : NULL);
    struct points at = {run->lanes, run->lanes + PLANET_BLOCK, run->lanes + 2 * PLANET_BLOCK, {0}};
    run->kernels->erode(out, &at, guide, out.gx ? hessian : NULL, &erosion);
}

// As for an octave of noise (kernels.h).
static void run_detail(const struct run *run, const struct step *step, struct field out)
{
    double frequency = step->parameter[0], weight = (0.5 / run->spacing - frequency) / (0.5 * frequency);
    run->kernels->fill(out, weight < 0 ? 0 : weight < 1 ? weight : 1);
}

static void run_plates(const struct run *run, const struct step *step)
{
    struct field out[PLATE_PARTS];
    bool gradient = false;
    for (int part = 0; part < PLATE_PARTS; part++) {
        out[part] = bundle_part(run, step, part);
        gradient = gradient || out[part].gx;
    }
    struct points at = input_points(run, step, gradient);
    run->kernels->plates(out, &at, &run->tables->plates[step->table]);
}

static void run_part(const struct run *run, const struct step *step, struct field out)
{
    struct field part = bundle_part(run, &run->program->steps[step->input[0]], (int)step->parameter[0]);
    const double *const from[4] = {part.v, part.gx, part.gy, part.gz};
    double *const to[4] = {out.v, out.gx, out.gy, out.gz};
    for (int k = 0; k < 4 && to[k]; k++)
        memcpy(to[k], from[k], PLANET_BLOCK * sizeof out.v[0]);
}

// How much a step's input changes over the width of the widest footprint.
static double footprint_most(const struct run *run, const struct step *step)
{
    return run->spacing * run->tables->steepest[run->program->steps[step->input[0]].value];
}

static void run_ramp(struct run *run, const struct step *step, double *const out[3])
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    const struct ramp *ramp = &run->tables->ramps[step->table];
    struct field a = input_field(run, step, 0, true);
    double most = footprint_most(run, step);
    if (step->by_value)
        run->unsure |= !run->kernels->ramp_by_value(out, a.v, ramp, most);
    else
        run->kernels->ramp(out, a, x, y, z, ramp, run->spacing, most);
}

static void run_above(struct run *run, const struct step *step, struct field out)
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    struct field a = input_field(run, step, 0, true);
    double at = step->parameter[0], width_min = step->parameter[1], most = footprint_most(run, step);
    if (step->by_value)
        run->unsure |= !run->kernels->above_by_value(out, a.v, at, width_min, most);
    else
        run->kernels->above(out, a, x, y, z, at, width_min, run->spacing, most);
}

// Steps whose output is a colour.
static void run_color(struct run *run, const struct step *step)
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    double *out[3], *a[3], *b[3];
    color_lanes(run, step, out);
    switch (step->op) {
    case GRAPH_COLOR:
        for (int channel = 0; channel < 3; channel++)
            run->kernels->fill((struct field){.v = out[channel]}, step->parameter[channel]);
        break;
    case GRAPH_RAMP: run_ramp(run, step, out); break;
    case GRAPH_COLOR_MIX:
        color_lanes(run, &run->program->steps[step->input[0]], a);
        color_lanes(run, &run->program->steps[step->input[1]], b);
        run->kernels->color_mix(out, a, b, input_field(run, step, 2, false).v);
        break;
    case GRAPH_COLOR_SCALE:
        color_lanes(run, &run->program->steps[step->input[0]], a);
        run->kernels->color_scale(out, a, input_field(run, step, 1, false).v);
        break;
    default: // GRAPH_RASTER_COLOR
        raster_sample_color(run->tables->rasters->rasters[(int)step->parameter[0]], out, x, y, z, run->spacing);
        break;
    }
}

// Steps whose output is a field, made from the place rather than from other fields.
static void run_source(const struct run *run, const struct step *step)
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    struct field out = field_of(run, step);
    switch (step->op) {
    case GRAPH_NUMBER: run->kernels->fill(out, step->parameter[0]); break;
    case GRAPH_AXIS: run_axis(out, x, (int)step->parameter[0]); break;
    case GRAPH_LATITUDE: run_latitude(out, x, y, z); break;
    case GRAPH_LONGITUDE: run_longitude(out, x, y); break;
    case GRAPH_RASTER: run_raster(run, step, out); break;
    case GRAPH_CELLULAR: run_cellular(run, step, out); break;
    case GRAPH_CRATERS:
    case GRAPH_CRATER_RAYS: run_craters(run, step, out); break;
    case GRAPH_COARSE: run_coarse(run, step, out); break;
    case GRAPH_ERODE: run_erode(run, step, out); break;
    case GRAPH_DETAIL: run_detail(run, step, out); break;
    case GRAPH_PART: run_part(run, step, out); break;
    case GRAPH_CLIMATE: climate_sample(&run->tables->climates[step->table], out, x, y, z); break;
    default: run_fractal(run, step, out); break;
    }
}

// Steps from fields to a field.
static void run_field(struct run *run, const struct step *step)
{
    const double *x = run->lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    const struct kernels *k = run->kernels;
    struct field out = field_of(run, step);
    bool gradient = out.gx != NULL;
    struct field a = input_field(run, step, 0, gradient || step->op == GRAPH_STEEPNESS);
    int input_count = graph_ops[step->op].input_count;
    struct field b = input_count > 1 ? input_field(run, step, 1, gradient) : (struct field){0};
    struct field c = input_count > 2 ? input_field(run, step, 2, gradient) : (struct field){0};
    const double *p = step->parameter;
    switch (step->op) {
    case GRAPH_AFFINE: k->affine(out, a, p[0], p[1]); break;
    case GRAPH_ADD: k->add(out, a, b); break;
    case GRAPH_SUBTRACT: k->subtract(out, a, b); break;
    case GRAPH_MULTIPLY: k->multiply(out, a, b); break;
    case GRAPH_DIVIDE: k->divide(out, a, b); break;
    case GRAPH_MINIMUM: k->minimum(out, a, b); break;
    case GRAPH_MAXIMUM: k->maximum(out, a, b); break;
    case GRAPH_ABSOLUTE: k->absolute(out, a); break;
    case GRAPH_SQUARE_ROOT: k->square_root(out, a); break;
    case GRAPH_EXPONENTIAL: k->exponential(out, a); break;
    case GRAPH_POWER: k->power(out, a, p[0]); break;
    case GRAPH_SINE: k->sine(out, a); break;
    case GRAPH_COSINE: k->cosine(out, a); break;
    case GRAPH_CLAMP: k->clamp(out, a, p[0], p[1]); break;
    case GRAPH_SMOOTHSTEP: k->smoothstep(out, a, p[0], p[1]); break;
    case GRAPH_MIX: k->mix(out, a, b, c); break;
    case GRAPH_ABOVE: run_above(run, step, out); break;
    case GRAPH_STEEPNESS: k->steepness(out, a, x, y, z); break;
    default: k->curve(out, a, &run->tables->curves[step->table]); break; // also of a quantile
    }
}

static void run_step(struct run *run, const struct step *step)
{
    switch (step->op) {
    case GRAPH_NUMBER:
    case GRAPH_AXIS:
    case GRAPH_LATITUDE:
    case GRAPH_LONGITUDE:
    case GRAPH_RASTER:
    case GRAPH_CELLULAR:
    case GRAPH_CRATERS:
    case GRAPH_CRATER_RAYS:
    case GRAPH_COARSE:
    case GRAPH_ERODE:
    case GRAPH_DETAIL:
    case GRAPH_PART:
    case GRAPH_CLIMATE:
    case GRAPH_FRACTAL:
    case GRAPH_FRACTAL_GAIN: run_source(run, step); break;
    case GRAPH_PLATES: run_plates(run, step); break;
    case GRAPH_WARP: run_warp(run, step); break;
    case GRAPH_COLOR:
    case GRAPH_RAMP:
    case GRAPH_COLOR_MIX:
    case GRAPH_COLOR_SCALE:
    case GRAPH_RASTER_COLOR: run_color(run, step); break;
    default: run_field(run, step); break;
    }
}

static struct run run_of(const struct program *program, const struct tables *tables, const struct kernels *kernels,
                         struct program_memory *memory, double *lanes, double spacing, double apart)
{
    struct mesh *mesh = memory->mesh && mesh_is_of(memory->mesh, program) ? memory->mesh : NULL;
    return (struct run){program,
                        tables,
                        kernels,
                        lanes,
                        spacing,
                        mesh,
                        {tables, kernels, memory, ++memory->run_count, spacing, apart, lanes},
                        0,
                        0,
                        false};
}

// A value of 0 or 1 everywhere, and no gradient.
static bool is_flat(const struct run *run, struct field mask, double value, bool gradient)
{
    const struct kernels *k = run->kernels;
    return k->is_filled(mask.v, value) &&
           (!gradient || (k->is_filled(mask.gx, 0.0) && k->is_filled(mask.gy, 0.0) && k->is_filled(mask.gz, 0.0)));
}

// In the place of a step that is skipped.
static void clear_lanes(const struct run *run, const struct step *step)
{
    for (int k = 0; k < STEP_LANES_MAX; k++)
        if (step->lane[k] != LANE_NONE)
            run->kernels->fill((struct field){.v = lane_at(run, step->lane[k])}, 0);
}

static bool all_flat(const struct run *run, const struct shared_masks *masks)
{
    for (int m = 0; m < masks->count; m++) {
        struct field mask = field_of(run, &run->program->steps[masks->mask[m]]);
        if (!is_flat(run, mask, 0.0, mask.gx != NULL))
            return false;
    }
    return !masks->needed;
}

static bool has_run(const struct run *run, const struct step *lazy)
{
    return run->lazy_run >> lazy->lazy & 1;
}

// Of a lazy step that was not run so far: runs it; if it is not needed, who reads it finds a number.
static void settle(struct run *run, const struct step *step, bool needed)
{
    uint64_t bit = UINT64_C(1) << step->lazy;
    if (needed) {
        run->lazy_run |= bit;
        run->lattice.memory->step_count++;
        run_step(run, step);
    } else if (!(run->lazy_cleared & bit)) {
        run->lazy_cleared |= bit;
        clear_lanes(run, step);
    }
}

static void settle_inputs(struct run *run, const struct step *step)
{
    const struct program *program = run->program;
    for (int k = 0; k < GRAPH_INPUTS_MAX; k++)
        if (step->site[k] != SITE_NONE && !has_run(run, &program->steps[step->input[k]]))
            settle(run, &program->steps[step->input[k]], !all_flat(run, &program->sites[step->site[k]]));
}

static bool mask_passes(struct run *run, const struct guard *guard)
{
    const struct step *step = &run->program->steps[guard->mask];
    const struct kernels *k = run->kernels;
    if (step->lazy != LAZY_NONE && !has_run(run, step))
        settle(run, step, true);
    struct field mask = field_of(run, step);
    if (guard->test == GUARD_CLAMPED_ZERO || guard->test == GUARD_CLAMPED_ONE)
        return k->clamps_to(mask.v, guard->test == GUARD_CLAMPED_ONE);
    return is_flat(run, mask, guard->test == GUARD_ONE ? 1.0 : 0.0, guard->gradient);
}

static uint32_t skip_shared(const struct run *run, const struct shared_guard *guard)
{
    for (uint32_t i = guard->first; i < guard->end; i++)
        if (run->program->steps[i].outlives_guard)
            clear_lanes(run, &run->program->steps[i]);
    return guard->end;
}

// Whether the step behind what is guarded is a product of it; of a mix, that may be any step, also another product.
static bool is_product_of(const struct step *step, uint32_t operand)
{
    return (step->op == GRAPH_MULTIPLY || step->op == GRAPH_COLOR_SCALE) &&
           (step->input[0] == operand || step->input[1] == operand);
}

// Returns the step to go on with. A product that is nothing needs no operand: it follows at once on the one that is
// guarded, and counts as run. What mixes read of an operand without weight does not matter (kernels.h), but is to be a
// number.
static uint32_t skip(const struct run *run, const struct guard *guard, struct program_memory *memory)
{
    const struct step *next = &run->program->steps[guard->end];
    bool product = is_product_of(next, guard->end - 1);
    clear_lanes(run, product ? next : next - 1);
    memory->step_count += product;
    return product ? guard->end + 1 : guard->end;
}

bool program_run(const struct program *program, const struct tables *tables, const struct kernels *kernels,
                 struct program_memory *memory, double *lanes, double spacing, double apart)
{
    struct run run = run_of(program, tables, kernels, memory, lanes, spacing, apart);
    const struct guard *guard = program->guards, *guards_end = guard + program->guard_count;
    const struct shared_guard *shared = program->shared, *shared_end = shared + program->shared_count;
    for (uint32_t i = 0; i < program->step_count && !run.unsure;) {
        while (guard < guards_end && guard->first < i)
            guard++;
        while (shared < shared_end && shared->first < i)
            shared++;
        if (shared < shared_end && shared->first == i && all_flat(&run, &shared->masks)) {
            i = skip_shared(&run, shared);
            continue;
        }
        while (guard < guards_end && guard->first == i && !mask_passes(&run, guard))
            guard++;
        if (guard < guards_end && guard->first == i) {
            i = skip(&run, guard, memory);
            continue;
        }
        const struct step *step = &program->steps[i++];
        if (step->lazy != LAZY_NONE)
            continue;
        settle_inputs(&run, step);
        memory->step_count++;
        run_step(&run, step);
    }
    return !run.unsure;
}

void program_run_step(const struct program *program, const struct tables *tables, const struct kernels *kernels,
                      struct program_memory *memory, double *lanes, double spacing, double apart, uint32_t index)
{
    struct run run = run_of(program, tables, kernels, memory, lanes, spacing, apart);
    run_step(&run, &program->steps[index]);
}
