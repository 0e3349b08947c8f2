// SPDX-License-Identifier: MIT
#include "bake/planet/raster_level.h"

#include <math.h>

#include "common/stable_math.h"

// Columns that a longitude draws on: four, eight where a regional raster passes from one edge's values to the other's.
struct taps {
    int count;
    int column[8];
    double weight[8], slope[8]; // slope: d weight / d column coordinate
};

// Catmull and Rom 1974, between samples 1 and 2 of four, 0 <= t <= 1.
static void cubic_weights(double t, double weight[4], double slope[4])
{
    weight[0] = ((-0.5 * t + 1.0) * t - 0.5) * t;
    weight[1] = (1.5 * t - 2.5) * t * t + 1.0;
    weight[2] = ((-1.5 * t + 2.0) * t + 0.5) * t;
    weight[3] = (0.5 * t - 0.5) * t * t;
    slope[0] = (-1.5 * t + 2.0) * t - 0.5;
    slope[1] = (4.5 * t - 5.0) * t;
    slope[2] = (-4.5 * t + 4.0) * t + 0.5;
    slope[3] = (1.5 * t - 1.0) * t;
}

// Three t^2 - two t^3 and its slope, for t in [0,1].
static double ease(double t, double *slope)
{
    *slope = 6.0 * t * (1.0 - t);
    return t * t * (3.0 - 2.0 * t);
}

static void taps_wrapped(const struct raster_level *level, double c, struct taps *taps)
{
    double whole = floor(c);
    cubic_weights(c - whole, taps->weight, taps->slope);
    taps->count = 4;
    for (int k = 0; k < 4; k++) {
        int column = (int)whole + k - 1;
        while (column < 0)
            column += level->columns;
        while (column >= level->columns)
            column -= level->columns;
        taps->column[k] = column;
    }
}

// Four taps at place first..first+3, edge columns repeated outside and everything multiplied by share.
static void taps_held(const struct raster_level *level, double c, double share, struct taps *taps, int first)
{
    // Two columns outside only the edge is left; so far the numbers stay small.
    c = c < -2.0 ? -2.0 : c > level->columns + 1.0 ? level->columns + 1.0 : c;
    double whole = floor(c);
    cubic_weights(c - whole, taps->weight + first, taps->slope + first);
    for (int k = 0; k < 4; k++) {
        int column = (int)whole + k - 1;
        taps->column[first + k] = column < 0 ? 0 : column >= level->columns ? level->columns - 1 : column;
        taps->weight[first + k] *= share;
        taps->slope[first + k] *= share;
    }
    taps->count = first + 4;
}

// Inside the region, and in the gap a quarter of it from either side, one side's columns; between them both.
static void taps_regional(const struct raster_level *level, double c, struct taps *taps)
{
    double east_border = level->nodes ? level->columns - 1.0 : level->columns - 0.5;
    double gap = level->turn_columns - (level->nodes ? level->columns - 1.0 : level->columns);
    double t = ((c - east_border) / gap - 0.25) * 2.0;
    if (t <= 0.0 || t >= 1.0) {
        taps_held(level, t <= 0.0 ? c : c - level->turn_columns, 1.0, taps, 0);
        return;
    }
    double growth, west = ease(t, &growth);
    taps_held(level, c, 1.0, taps, 0);
    taps_held(level, c - level->turn_columns, 1.0, taps, 4);
    growth *= 2.0 / gap;
    for (int k = 0; k < 8; k++) {
        double share = k < 4 ? 1.0 - west : west;
        taps->slope[k] = taps->slope[k] * share + taps->weight[k] * (k < 4 ? -growth : growth);
        taps->weight[k] *= share;
    }
}

static void taps_at(const struct raster_level *level, double lon_rad, struct taps *taps)
{
    double turn = level->turn_columns;
    double c = lon_rad * (turn / (2.0 * STABLE_PI)) + level->zero_column;
    c -= turn * floor(c / turn);
    if (!(c >= 0.0 && c < turn)) // rounded up to a full turn, or not a number
        c = 0.0;
    if (level->wraps)
        taps_wrapped(level, c, taps);
    else
        taps_regional(level, c, taps);
}

static void load(const struct raster_level *level, int row, int channel, const struct taps *taps, double *values)
{
    size_t start = (size_t)row * level->row_stride + (size_t)channel, step = (size_t)level->channels;
    const uint8_t *bytes = level->samples;
    const uint16_t *words = level->samples;
    const float *floats = level->samples;
    switch (level->store) {
    case RASTER_U8:
        for (int k = 0; k < taps->count; k++) {
            uint8_t sample = bytes[start + (size_t)taps->column[k] * step];
            values[k] = level->linear ? (double)level->linear[sample] : sample;
        }
        break;
    case RASTER_U16:
        for (int k = 0; k < taps->count; k++) {
            uint16_t sample = words[start + (size_t)taps->column[k] * step];
            values[k] = level->linear ? (double)level->linear[sample] : sample;
        }
        break;
    default:
        for (int k = 0; k < taps->count; k++)
            values[k] = (double)floats[start + (size_t)taps->column[k] * step];
        break;
    }
}

// The row's value and its slope by column.
static double row_value(const struct raster_level *level, int row, int channel, const struct taps *taps, double *slope)
{
    double values[8], sum = 0.0, sum_slope = 0.0;
    load(level, row, channel, taps, values);
    for (int k = 0; k < taps->count; k++) {
        sum += taps->weight[k] * values[k];
        sum_slope += taps->slope[k] * values[k];
    }
    *slope = sum_slope;
    return sum;
}

// Beyond a pole the rows go on with those of the other side.
static int row_over_poles(const struct raster_level *level, int row, bool *across)
{
    int rows = level->rows, skip = level->nodes ? 0 : 1;
    *across = false;
    while (row < 0 || row >= rows) {
        row = row < 0 ? -skip - row : 2 * rows - 2 + skip - row;
        *across = !*across;
    }
    return row;
}

// The field from its rows alone, value by row and column coordinate.
struct grid_value {
    double v, by_row, by_column;
};

struct rows {
    int row[4];
    bool across[4];
    double weight[4], slope[4];
};

static struct grid_value grid_value(const struct raster_level *level, int channel, const struct rows *rows,
                                    const struct taps taps[2])
{
    struct grid_value sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        int row = rows->row[k];
        double value, slope = 0.0;
        if (level->nodes && (row == 0 || row == level->rows - 1))
            value = level->pole_rows[row != 0][channel];
        else
            value = row_value(level, row, channel, &taps[rows->across[k]], &slope);
        sum.v += rows->weight[k] * value;
        sum.by_row += rows->slope[k] * value;
        sum.by_column += rows->weight[k] * slope;
    }
    return sum;
}

// Picks the rows around a distance from a pole and the columns there; returns with taps[1], half a turn away, only
// where a row needs it.
static void grid_at(const struct raster_level *level, const struct raster_place *place, struct rows *rows,
                    struct taps taps[2])
{
    double colatitude = place->south ? STABLE_PI - place->rho_rad : place->rho_rad;
    double r = colatitude / level->row_rad - (level->nodes ? 0.0 : 0.5);
    if (!(r >= -0.5 && r <= level->rows)) // not a number
        r = 0.0;
    double whole = floor(r);
    cubic_weights(r - whole, rows->weight, rows->slope);
    bool any_across = false;
    for (int k = 0; k < 4; k++) {
        rows->row[k] = row_over_poles(level, (int)whole + k - 1, &rows->across[k]);
        any_across = any_across || rows->across[k];
    }
    taps_at(level, place->lon_rad, &taps[0]);
    if (any_across)
        taps_at(level, place->lon_rad + STABLE_PI, &taps[1]);
}

struct raster_place raster_place_of(double x, double y, double z)
{
    struct raster_place place = {.z = z, .south = z < 0.0, .cos_lat = sqrt(x * x + y * y), .cos_lon = 1.0};
    place.rho_rad = stable_atan2(place.cos_lat, fabs(z));
    if (place.cos_lat > 0.0) {
        place.lon_rad = stable_atan2(y, x);
        place.cos_lon = x / place.cos_lat;
        place.sin_lon = y / place.cos_lat;
    }
    return place;
}

// Within half a row of a pole (t < 1): from the rows' field to the pole's plane, C1, so that the pole has one value and
// one gradient. The rows' field alone has a value of its own on each meridian there.
static struct raster_value blend_to_pole(const struct raster_pole *pole, const struct raster_place *place, double t,
                                         double t_by_rho, struct raster_value rows, double rows_by_lon)
{
    double growth, share = ease(t, &growth);
    double rho = place->rho_rad, cos_lat = place->cos_lat, rho_by_lat = place->south ? 1.0 : -1.0;
    double plane_by_rho = pole->slope_x * place->cos_lon + pole->slope_y * place->sin_lon;
    double plane_by_arc = pole->slope_y * place->cos_lon - pole->slope_x * place->sin_lon;
    double plane = pole->mean + rho * plane_by_rho;
    double off = rows.v - plane, rows_by_rho = rows.by_lat * rho_by_lat;
    double by_rho = plane_by_rho + share * (rows_by_rho - plane_by_rho) + growth * t_by_rho * off;
    // share vanishes with the square of cos_lat, so both quotients stay small.
    double rho_of_arc = cos_lat > 0.0 ? rho / cos_lat : 1.0;
    double share_of_arc = cos_lat > 0.0 ? share / cos_lat : 0.0;
    return (struct raster_value){
        .v = plane + share * off,
        .by_lat = by_rho * rho_by_lat,
        .by_east = share_of_arc * rows_by_lon + (1.0 - share) * rho_of_arc * plane_by_arc,
    };
}

void raster_level_value(const struct raster_level *level, const struct raster_place *place,
                        struct raster_value value[RASTER_CHANNELS_MAX])
{
    struct rows rows;
    struct taps taps[2];
    grid_at(level, place, &rows, taps);
    double t_by_rho = 2.0 / level->row_rad, t = place->rho_rad * t_by_rho;
    for (int channel = 0; channel < level->channels; channel++) {
        struct grid_value grid = grid_value(level, channel, &rows, taps);
        double by_lon = grid.by_column * (level->turn_columns / (2.0 * STABLE_PI));
        struct raster_value sum = {grid.v, -grid.by_row / level->row_rad, 0.0}; // rows go southward
        if (t < 1.0)
            sum = blend_to_pole(&level->poles[place->south][channel], place, t, t_by_rho, sum, by_lon);
        else
            sum.by_east = by_lon / place->cos_lat;
        value[channel] = sum;
    }
}

void raster_level_row(const struct raster_level *level, int row, double *values)
{
    for (int column = 0; column < level->columns; column++) {
        struct taps one = {.count = 1, .column = {column}};
        for (int channel = 0; channel < level->channels; channel++)
            load(level, row, channel, &one, values + column * level->channels + channel);
    }
}
