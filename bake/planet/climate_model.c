// SPDX-License-Identifier: MIT
#include "bake/planet/climate_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/stable_math.h"

enum { COLUMNS = CLIMATE_COLUMNS, ROWS = CLIMATE_ROWS };

// Columns beside a row that repeat those of its other end, so that what blows around the planet needs no modulo.
#define PAD 8
#define STRIDE (COLUMNS + 2 * PAD)
// Steps until nothing changes any more: the trades need 150 to cross an ocean.
#define STEPS 240
// Cells of the equator that air moves in a step, for a wind of 1 m/s.
#define CELLS_A_STEP 0.16
// Meridians crowd toward the poles; no closer than this.
#define CROWDING_MAX 6.0
// Exchange with each neighbour in a step.
#define DIFFUSION 0.075

// Each step the share of the lacking moisture that sea and land give, and how far land fills the air.
#define SEA_GIVES 0.11
#define LAND_GIVES 0.024
#define LAND_FILLS 0.7
// Each step the share of the moisture that rains out: where the circulation lifts by 1, where the wind climbs 1 km a
// cell at 1 m/s, at most.
#define LIFT_RAINS 0.04
#define SLOPE_RAINS 0.05
#define RAINS_MAX 0.5

// A map with columns to spare on both sides and a row on both ends.
struct padded {
    double cell[ROWS + 2][STRIDE];
};

struct model {
    struct padded moisture, moved;
    struct padded height;
    double capacity[ROWS][COLUMNS], land[ROWS][COLUMNS], rains[ROWS][COLUMNS], rain[ROWS][COLUMNS];
    // Of each row: winds in m/s to the east and north, columns a cell of the equator has, lift.
    double east[ROWS], north[ROWS], crowding[ROWS], lift[ROWS];
};

static double bell(double x)
{
    return stable_exp(-x * x);
}

static double latitude_of(int row)
{
    return 90.0 - (row + 0.5) * 180.0 / ROWS;
}

static void set_winds(struct model *model)
{
    for (int row = 0; row < ROWS; row++) {
        double latitude = latitude_of(row), away = fabs(latitude), sine, cosine;
        double poleward = latitude > 0 ? 1.0 : -1.0;
        stable_sincos_deg(latitude, &sine, &cosine);
        double crowding = 1.0 / cosine;
        model->crowding[row] = crowding < CROWDING_MAX ? crowding : CROWDING_MAX;
        model->east[row] =
            -6.0 * bell(away / 20.0) + 8.0 * bell((away - 50.0) / 14.0) - 3.0 * bell((away - 78.0) / 10.0);
        // Three cells of circulation: toward the equator, toward the pole, toward the equator.
        double strength = away < 30.0 ? -3.0 : away < 60.0 ? 3.5 : -1.0;
        stable_sincos_deg(away * 6.0, &sine, &cosine);
        model->north[row] = poleward * strength * fabs(sine);
        double lift =
            0.6 + 0.85 * bell(away / 10.0) + 1.2 * bell((away - 62.0) / 16.0) - 0.36 * bell((away - 25.0) / 9.0);
        model->lift[row] = lift > 0.08 ? lift : 0.08;
    }
}

static void wrap_columns(struct padded *map)
{
    for (int row = 0; row < ROWS + 2; row++)
        for (int k = 0; k < PAD; k++) {
            map->cell[row][k] = map->cell[row][k + COLUMNS];
            map->cell[row][PAD + COLUMNS + k] = map->cell[row][PAD + k];
        }
}

// Beyond the poles the outermost rows go on.
static void close_map(struct padded *map)
{
    memcpy(map->cell[0], map->cell[1], sizeof map->cell[0]);
    memcpy(map->cell[ROWS + 1], map->cell[ROWS], sizeof map->cell[0]);
    wrap_columns(map);
}

static void blend_rows(double *restrict out, const double *restrict above, const double *restrict here,
                       const double *restrict below, double share)
{
    for (int k = 0; k < STRIDE; k++)
        out[k] = share * above[k] + (1.0 - 2.0 * share) * here[k] + share * below[k];
}

// Mixes every cell with its eight neighbours: out gets the cells within the padding.
static void diffuse(double (*restrict out)[COLUMNS], const struct padded *restrict map, double share)
{
    for (int row = 0; row < ROWS; row++) {
        double mixed[STRIDE];
        blend_rows(mixed, map->cell[row], map->cell[row + 1], map->cell[row + 2], share);
        for (int k = 0; k < COLUMNS; k++)
            out[row][k] =
                share * mixed[PAD + k - 1] + (1.0 - 2.0 * share) * mixed[PAD + k] + share * mixed[PAD + k + 1];
    }
}

// Share of the moisture that rains out in a step in each cell.
static void set_rains(struct model *model, const struct climate_ground *ground)
{
    for (int row = 0; row < ROWS; row++)
        memcpy(&model->height.cell[row + 1][PAD], ground->height_m[row], sizeof ground->height_m[row]);
    close_map(&model->height);
    diffuse(model->rain, &model->height, 0.25);
    for (int row = 0; row < ROWS; row++)
        memcpy(&model->height.cell[row + 1][PAD], model->rain[row], sizeof model->rain[row]);
    close_map(&model->height);
    for (int row = 0; row < ROWS; row++) {
        const double *above = &model->height.cell[row][PAD], *here = &model->height.cell[row + 1][PAD];
        const double *below = &model->height.cell[row + 2][PAD];
        for (int k = 0; k < COLUMNS; k++) {
            double to_east = (here[k + 1] - here[k - 1]) / 2.0 * model->crowding[row];
            double climbs = model->east[row] * to_east + model->north[row] * (above[k] - below[k]) / 2.0;
            double share = LIFT_RAINS * model->lift[row] + (climbs > 0.0 ? SLOPE_RAINS * climbs / 1000.0 : 0.0);
            model->rains[row][k] = share < RAINS_MAX ? share : RAINS_MAX;
        }
    }
}

static void set_ground(struct model *model, const struct climate_ground *ground)
{
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < COLUMNS; k++) {
            double warmth = ground->warmth[row][k];
            warmth = warmth < -90.0 ? -90.0 : warmth > 90.0 ? 90.0 : warmth;
            model->capacity[row][k] = stable_exp(0.062 * warmth);
            model->land[row][k] = ground->land[row][k];
            model->moisture.cell[row + 1][PAD + k] = 0.6 * model->capacity[row][k] * (1.0 - 0.6 * model->land[row][k]);
        }
}

// Moisture comes from where the wind was a step ago (semi-Lagrangian, bilinear). All of a row comes from the same way
// off, so every cell of it has the same four weights.
static void blow_row(struct model *model, int row)
{
    double west = model->east[row] * CELLS_A_STEP * model->crowding[row], south = model->north[row] * CELLS_A_STEP;
    double whole_west = floor(west), whole_south = floor(south);
    double along = west - whole_west, down = south - whole_south;
    int from = row + (int)whole_south, next = from + 1;
    from = from < 0 ? 0 : from > ROWS - 1 ? ROWS - 1 : from;
    next = next < 0 ? 0 : next > ROWS - 1 ? ROWS - 1 : next;
    const double *restrict a = &model->moisture.cell[from + 1][PAD - (int)whole_west];
    const double *restrict b = &model->moisture.cell[next + 1][PAD - (int)whole_west];
    double *restrict out = &model->moved.cell[row + 1][PAD];
    double a_here = (1.0 - down) * (1.0 - along), a_west = (1.0 - down) * along;
    double b_here = down * (1.0 - along), b_west = down * along;
    for (int k = 0; k < COLUMNS; k++)
        out[k] = a_here * a[k] + a_west * a[k - 1] + b_here * b[k] + b_west * b[k - 1];
}

// Rain of a step, from moisture after it was mixed; what is more than the air can hold falls too, by halves.
static void rain_row(struct model *model, int row, double *restrict moisture)
{
    const double *restrict capacity = model->capacity[row], *restrict land = model->land[row];
    const double *restrict rains = model->rains[row];
    double *restrict rain = model->rain[row];
    for (int k = 0; k < COLUMNS; k++) {
        double q = rain[k]; // diffuse() put it there
        double lacks = capacity[k] - q, land_lacks = LAND_FILLS * capacity[k] - q;
        q += (1.0 - land[k]) * SEA_GIVES * (lacks > 0.0 ? lacks : 0.0) +
             land[k] * LAND_GIVES * (land_lacks > 0.0 ? land_lacks : 0.0);
        double excess = q - capacity[k], falls = q * rains[k] + 0.5 * (excess > 0.0 ? excess : 0.0);
        rain[k] = falls;
        moisture[k] = q - falls;
    }
}

static double row_mean(const double *cells)
{
    double sum = 0.0;
    for (int k = 0; k < COLUMNS; k++)
        sum += cells[k];
    return sum / COLUMNS;
}

static void level_row(double *cells)
{
    double mean = row_mean(cells);
    for (int k = 0; k < COLUMNS; k++)
        cells[k] = mean;
}

static void step_model(struct model *model)
{
    close_map(&model->moisture);
    for (int row = 0; row < ROWS; row++)
        blow_row(model, row);
    close_map(&model->moved);
    diffuse(model->rain, &model->moved, DIFFUSION);
    for (int row = 0; row < ROWS; row++)
        rain_row(model, row, &model->moisture.cell[row + 1][PAD]);
    level_row(&model->moisture.cell[1][PAD]);
    level_row(&model->moisture.cell[ROWS][PAD]);
}

// Along longitude as widely on the ground as a cell of the equator is, and the rows at the poles to one value.
static void smooth_rain(struct model *model)
{
    for (int row = 0; row < ROWS; row++)
        memcpy(&model->moved.cell[row + 1][PAD], model->rain[row], sizeof model->rain[row]);
    close_map(&model->moved);
    diffuse(model->rain, &model->moved, 0.25);
    for (int row = 0; row < ROWS; row++) {
        double *rain = model->rain[row];
        int passes = (int)(2.0 * (model->crowding[row] * model->crowding[row] - 1.0));
        for (int pass = 0; pass < passes; pass++) {
            double first = rain[0], west = rain[COLUMNS - 1];
            for (int k = 0; k < COLUMNS; k++) {
                double here = rain[k], east = k + 1 < COLUMNS ? rain[k + 1] : first;
                rain[k] = 0.25 * west + 0.5 * here + 0.25 * east;
                west = here;
            }
        }
    }
    level_row(model->rain[0]);
    level_row(model->rain[ROWS - 1]);
}

// Mean rain on Earth's land in a latitude, mm a year: the middles of ten degrees, straight between them.
static double observed_rain(double latitude)
{
    static const double observed[] = {1254, 812, 493, 543, 611, 715, 510, 291, 200};
    double at = (fabs(latitude) - 5.0) / 10.0;
    if (at <= 0.0)
        return observed[0];
    if (at >= 8.0)
        return observed[8];
    int below = (int)at;
    return observed[below] + (at - below) * (observed[below + 1] - observed[below]);
}

// Scales rows half way to what is observed, and all to the wanted mean.
static void finish_rain(float rain[ROWS][COLUMNS], const struct model *model, double mean_mm)
{
    double mean[ROWS], area[ROWS], model_sum = 0.0, observed_sum = 0.0, area_sum = 0.0, sum = 0.0;
    for (int row = 0; row < ROWS; row++) {
        double sine_north, sine_south, cosine;
        stable_sincos_deg(90.0 - row * 180.0 / ROWS, &sine_north, &cosine);
        stable_sincos_deg(90.0 - (row + 1) * 180.0 / ROWS, &sine_south, &cosine);
        area[row] = sine_north - sine_south;
        mean[row] = row_mean(model->rain[row]);
        model_sum += area[row] * mean[row];
        observed_sum += area[row] * observed_rain(latitude_of(row));
        area_sum += area[row];
    }
    double scale[ROWS];
    for (int row = 0; row < ROWS; row++) {
        double wanted = observed_rain(latitude_of(row)) / observed_sum * model_sum;
        // A parallel without any rain gets none; one with next to none is raised tenfold at most.
        double raise = mean[row] > 0.1 * wanted ? wanted / mean[row] : 10.0;
        scale[row] = 0.5 + 0.5 * raise;
        sum += area[row] * scale[row] * mean[row];
    }
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < COLUMNS; k++)
            rain[row][k] = (float)(model->rain[row][k] * (scale[row] * mean_mm * area_sum / sum));
}

enum status_code climate_model(float rain[CLIMATE_ROWS][CLIMATE_COLUMNS], const struct climate_ground *ground,
                               double mean_mm, struct status *status)
{
    struct model *model = malloc(sizeof *model);
    if (!model)
        return status_fail_memory(status, "climate", sizeof *model);
    set_winds(model);
    set_rains(model, ground);
    set_ground(model, ground);
    for (int step = 0; step < STEPS; step++)
        step_model(model);
    smooth_rain(model);
    finish_rain(rain, model, mean_mm);
    free(model);
    return STATUS_OK;
}
