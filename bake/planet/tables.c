// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "bake/planet/climate.h"
#include "bake/planet/lattice.h"
#include "bake/planet/plates.h"
#include "bake/planet/program.h"
#include "common/splitmix64.h"

// Beside the components of noise calls, which are 0 to 3.
#define PLATES_STREAM 100

uint64_t noise_seed(uint64_t seed, uint64_t number, uint64_t component)
{
    static const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
    return splitmix64_mix(splitmix64_mix(splitmix64_mix(seed + step) + number * step) + component * step);
}

static void fill_curve(struct curve *curve, const double *parameters, uint32_t parameter_count)
{
    *curve = (struct curve){.count = (int)(parameter_count / 2)};
    for (int i = 0; i < curve->count; i++) {
        curve->x[i] = parameters[2 * i];
        curve->y[i] = parameters[2 * i + 1];
    }
    curve_prepare(curve);
}

static void fill_ramp(struct ramp *ramp, const double *parameters, uint32_t parameter_count)
{
    *ramp = (struct ramp){.count = (int)(parameter_count / 4)};
    for (int i = 0; i < ramp->count; i++) {
        ramp->x[i] = parameters[4 * i];
        ramp->red[i] = parameters[4 * i + 1];
        ramp->green[i] = parameters[4 * i + 2];
        ramp->blue[i] = parameters[4 * i + 3];
    }
    ramp_prepare(ramp);
}

static void fill_fractal(struct fractal *fractal, const double *parameters, uint64_t seed)
{
    *fractal = (struct fractal){
        .kind = (enum fractal_kind)parameters[0],
        .frequency = parameters[1],
        .octaves = (int)parameters[2],
        .gain = parameters[3],
        .lacunarity = parameters[4],
        .seed = noise_seed(seed, (uint64_t)parameters[5], (uint64_t)parameters[6]),
    };
}

static void fill_cellular(struct cellular *cellular, const double *parameters, uint64_t seed)
{
    *cellular = (struct cellular){
        .kind = (enum cellular_kind)parameters[0],
        .frequency = parameters[1],
        .jitter = parameters[2],
        .seed = noise_seed(seed, (uint64_t)parameters[3], 0),
    };
}

static void fill_craters(struct craters *craters, enum crater_output output, const double *parameters, uint64_t seed)
{
    *craters = (struct craters){
        .output = output,
        .largest = parameters[0],
        .smallest = parameters[1],
        .density = parameters[2],
        .depth = parameters[3],
        .transition = parameters[4],
        .age = parameters[5],
        .radius_m = parameters[6],
        .seed = noise_seed(seed, (uint64_t)parameters[7], 0),
    };
}

static void fill_erosion(struct erosion *erosion, const double *parameters, uint64_t seed)
{
    *erosion = (struct erosion){
        .wavelength = parameters[0],
        .octaves = (int)parameters[1],
        .seed = noise_seed(seed, (uint64_t)parameters[2], 0),
        .radius_m = parameters[3],
    };
}

static void fill_plates(struct plates *plates, const double *parameters, uint64_t seed)
{
    plates_prepare(plates, (int)parameters[0], parameters[1], noise_seed(seed, (uint64_t)parameters[2], PLATES_STREAM));
}

static void count_tables(struct tables *tables, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        switch (graph->values[i].op) {
        case GRAPH_CURVE:
        case GRAPH_QUANTILE: tables->curve_count++; break;
        case GRAPH_RAMP: tables->ramp_count++; break;
        case GRAPH_ERODE: tables->erosion_count++; break;
        case GRAPH_FRACTAL:
        case GRAPH_FRACTAL_GAIN: tables->fractal_count++; break;
        case GRAPH_CELLULAR: tables->cellular_count++; break;
        case GRAPH_CRATERS:
        case GRAPH_CRATER_RAYS: tables->crater_count++; break;
        case GRAPH_PLATES: tables->plates_count++; break;
        case GRAPH_CLIMATE: tables->climate_count++; break;
        default: break;
        }
    }
}

// One item more than there are, so that none is not an empty allocation.
static enum status_code allocate_tables(struct tables *tables, uint32_t value_count, struct status *status)
{
    size_t curve_bytes = (tables->curve_count + 1) * sizeof *tables->curves;
    size_t ramp_bytes = (tables->ramp_count + 1) * sizeof *tables->ramps;
    size_t fractal_bytes = (tables->fractal_count + 1) * sizeof *tables->fractals;
    size_t cellular_bytes = (tables->cellular_count + 1) * sizeof *tables->cellulars;
    size_t crater_bytes = (tables->crater_count + 1) * sizeof *tables->craters;
    size_t erosion_bytes = (tables->erosion_count + 1) * sizeof *tables->erosions;
    size_t guide_bytes = (tables->erosion_count + 1) * sizeof *tables->erosion_guide;
    size_t plates_bytes = (tables->plates_count + 1) * sizeof *tables->plates;
    size_t climate_bytes = (tables->climate_count + 1) * sizeof *tables->climates;
    size_t index_bytes = ((size_t)value_count + 1) * sizeof *tables->table_of;
    size_t steepest_bytes = ((size_t)value_count + 1) * sizeof *tables->steepest;
    tables->curves = malloc(curve_bytes);
    tables->ramps = malloc(ramp_bytes);
    tables->fractals = malloc(fractal_bytes);
    tables->erosions = malloc(erosion_bytes);
    tables->erosion_guide = malloc(guide_bytes);
    tables->plates = malloc(plates_bytes);
    tables->climates = malloc(climate_bytes);
    tables->cellulars = malloc(cellular_bytes);
    tables->craters = malloc(crater_bytes);
    tables->table_of = malloc(index_bytes);
    tables->mesh_of = malloc(index_bytes);
    tables->steepest = malloc(steepest_bytes);
    if (!tables->curves || !tables->ramps || !tables->fractals || !tables->erosions || !tables->erosion_guide ||
        !tables->plates || !tables->climates || !tables->cellulars || !tables->craters || !tables->table_of ||
        !tables->mesh_of || !tables->steepest)
        return status_fail_memory(status, "planet",
                                  curve_bytes + ramp_bytes + fractal_bytes + erosion_bytes + guide_bytes +
                                      plates_bytes + climate_bytes + cellular_bytes + crater_bytes + 2 * index_bytes +
                                      steepest_bytes);
    return STATUS_OK;
}

enum status_code tables_build(struct tables *tables, const struct graph *graph, struct raster_shelf *rasters,
                              uint64_t seed, struct status *status)
{
    *tables = (struct tables){.rasters = rasters};
    count_tables(tables, graph);
    enum status_code code = allocate_tables(tables, graph->count, status);
    if (code)
        return code;
    uint32_t curve = 0, ramp = 0, fractal = 0, erosion = 0, plates = 0, climate = 0, cellular = 0, craters = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        const struct graph_value *value = &graph->values[i];
        const double *parameters = graph->parameters + value->parameter;
        tables->table_of[i] = 0;
        tables->mesh_of[i] = MESH_NONE;
        tables->steepest[i] = INFINITY;
        switch (value->op) {
        case GRAPH_CURVE:
            fill_curve(&tables->curves[curve], parameters, value->parameter_count);
            tables->table_of[i] = curve++;
            break;
        case GRAPH_QUANTILE: tables->table_of[i] = curve++; break; // filled in by quantile.c
        case GRAPH_RAMP:
            fill_ramp(&tables->ramps[ramp], parameters, value->parameter_count);
            tables->table_of[i] = ramp++;
            break;
        case GRAPH_FRACTAL:
        case GRAPH_FRACTAL_GAIN:
            fill_fractal(&tables->fractals[fractal], parameters, seed);
            tables->table_of[i] = fractal++;
            break;
        case GRAPH_CELLULAR:
            fill_cellular(&tables->cellulars[cellular], parameters, seed);
            tables->table_of[i] = cellular++;
            break;
        case GRAPH_CRATERS:
        case GRAPH_CRATER_RAYS:
            fill_craters(&tables->craters[craters], value->op == GRAPH_CRATERS ? CRATER_HEIGHT : CRATER_RAYS,
                         parameters, seed);
            tables->table_of[i] = craters++;
            break;
        case GRAPH_ERODE:
            fill_erosion(&tables->erosions[erosion], parameters, seed);
            tables->table_of[i] = erosion++;
            break;
        case GRAPH_PLATES:
            fill_plates(&tables->plates[plates], parameters, seed);
            tables->table_of[i] = plates++;
            break;
        case GRAPH_CLIMATE: tables->table_of[i] = climate++; break; // filled in by climate.c
        default: break;
        }
    }
    return STATUS_OK;
}

void tables_free(struct tables *tables)
{
    lattices_free(tables);
    free(tables->erosions);
    free(tables->erosion_guide);
    free(tables->curves);
    free(tables->ramps);
    free(tables->fractals);
    free(tables->cellulars);
    free(tables->craters);
    free(tables->plates);
    free(tables->climates);
    free(tables->table_of);
    free(tables->mesh_of);
    free(tables->steepest);
    *tables = (struct tables){0};
}
