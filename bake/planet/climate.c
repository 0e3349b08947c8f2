// SPDX-License-Identifier: MIT
#include "bake/planet/climate.h"

#include <math.h>
#include <stdlib.h>

#include "bake/planet/prepare.h"
#include "common/stable_math.h"

#define CELL_RAD (STABLE_PI / CLIMATE_ROWS)

// Cells are sampled in patches of a block, which is quicker than in rows.
enum { PATCH_COLUMNS = 16, PATCH_ROWS = PLANET_BLOCK / PATCH_COLUMNS, PATCHES_A_ROW = CLIMATE_COLUMNS / PATCH_COLUMNS };
_Static_assert(CLIMATE_COLUMNS % PATCH_COLUMNS == 0 && CLIMATE_ROWS % PATCH_ROWS == 0, "patches cover the map");

static void cell_of(int index, int *row, int *column)
{
    int patch = index / PLANET_BLOCK, inside = index % PLANET_BLOCK;
    *row = patch / PATCHES_A_ROW * PATCH_ROWS + inside / PATCH_COLUMNS;
    *column = patch % PATCHES_A_ROW * PATCH_COLUMNS + inside % PATCH_COLUMNS;
}

static void cell_direction(int index, double *x, double *y, double *z)
{
    int row, column;
    double sine, cosine, across;
    cell_of(index, &row, &column);
    stable_sincos_deg(90.0 - (row + 0.5) * 180.0 / CLIMATE_ROWS, z, &across);
    stable_sincos_deg((column + 0.5) * 360.0 / CLIMATE_COLUMNS - 180.0, &sine, &cosine);
    *x = across * cosine;
    *y = across * sine;
}

static enum status_code fill_ground(struct climate_ground *ground, const double *height, const double *warmth,
                                    double sea_m, struct status *status)
{
    for (int index = 0; index < CLIMATE_CELLS; index++) {
        int row, column;
        // Products of these are formed.
        if (!(fabs(height[index]) <= 1e60 && fabs(warmth[index]) <= 1e60))
            return status_fail(status, STATUS_INPUT, "expected fields within 1e60 everywhere in climate");
        cell_of(index, &row, &column);
        bool land = height[index] >= sea_m;
        ground->land[row][column] = land ? 1.0 : 0.0;
        ground->height_m[row][column] = land ? height[index] - (sea_m > -1e60 ? sea_m : 0.0) : 0.0;
        ground->warmth[row][column] = warmth[index];
    }
    return STATUS_OK;
}

static void make_level(struct climate *climate)
{
    climate->level = (struct raster_level){
        .columns = CLIMATE_COLUMNS,
        .rows = CLIMATE_ROWS,
        .wraps = true,
        .turn_columns = CLIMATE_COLUMNS,
        .row_rad = CELL_RAD,
        .pixel_rad = CELL_RAD,
        .store = RASTER_FLOAT,
        .channels = 1,
        .row_stride = CLIMATE_COLUMNS,
        .samples = climate->rain,
    };
    raster_level_set_zero(&climate->level, CLIMATE_COLUMNS / 2 - 0.5);
    raster_level_prepare_poles(&climate->level);
}

enum status_code climate_prepare(const struct preparation *preparation, uint32_t index, struct status *status)
{
    const struct graph_value *value = &preparation->graph->values[index];
    struct climate *climate = &preparation->tables->climates[preparation->tables->table_of[index]];
    struct climate_ground *ground = malloc(sizeof *ground);
    double *samples = malloc(2 * CLIMATE_CELLS * sizeof samples[0]);
    enum status_code code;
    if (ground && samples) {
        double *warmth = samples + CLIMATE_CELLS, rain_mm = preparation->graph->parameters[value->parameter];
        code = prepare_sample(preparation, value->input[0], value->input[1], CLIMATE_CELLS, cell_direction, CELL_RAD,
                              samples, warmth, status);
        if (code == STATUS_OK)
            code = fill_ground(ground, samples, warmth, preparation->sea_m, status);
        if (code == STATUS_OK)
            code = climate_model(climate->rain, ground, rain_mm, status);
    } else {
        code = status_fail_memory(status, "climate", sizeof *ground + 2 * CLIMATE_CELLS * sizeof samples[0]);
    }
    free(ground);
    free(samples);
    if (code == STATUS_OK)
        make_level(climate);
    return code;
}

void climate_sample(const struct climate *climate, struct field out, const double *x, const double *y, const double *z)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct raster_place place = raster_place_of(x[i], y[i], z[i]);
        struct raster_value value[RASTER_CHANNELS_MAX];
        raster_level_value(&climate->level, &place, 0.0, value);
        // Cubics may pass below the samples they go through.
        if (!(value[0].v > 0.0))
            value[0] = (struct raster_value){0};
        out.v[i] = value[0].v;
        if (!out.gx)
            continue;
        out.gx[i] = -value[0].by_lat * place.z * place.cos_lon - value[0].by_east * place.sin_lon;
        out.gy[i] = -value[0].by_lat * place.z * place.sin_lon + value[0].by_east * place.cos_lon;
        out.gz[i] = value[0].by_lat * place.cos_lat;
    }
}
