// SPDX-License-Identifier: MIT
#include "bake/planet/raster_level.h"

#include <math.h>

#include "bake/planet/raster_parallel.h"
#include "common/stable_math.h"

// The four columns that a longitude draws on.
struct taps {
    int column[4];
    double weight[4], slope[4]; // slope: d weight / d column coordinate
};

// One longitude of a level. In the gap of a regional raster it passes from the eastern edge's columns (taps) to the
// western edge's.
struct meridian {
    double column; // column coordinate, less than a turn
    struct taps taps;
    double west_share, share_slope; // 0 but in the gap; slope: by column coordinate
    double west_column;             // column coordinate as the western edge has it
};

// Catmull and Rom 1974, between samples 1 and 2 of four, 0 <= t <= 1.
static inline void cubic_weights(double t, double weight[4], double slope[4])
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

// 3 t^2 - 2 t^3 and its slope, for t in [0,1].
static double ease(double t, double *slope)
{
    *slope = 6.0 * t * (1.0 - t);
    return t * t * (3.0 - 2.0 * t);
}

static void taps_wrapped(const struct raster_level *level, double c, struct taps *taps)
{
    int whole = (int)c, columns = level->columns;
    cubic_weights(c - whole, taps->weight, taps->slope);
    for (int k = 0; k < 4; k++) {
        int column = whole + k - 1;
        while (column < 0)
            column += columns;
        while (column >= columns)
            column -= columns;
        taps->column[k] = column;
    }
}

// Edge columns go on outside.
static void taps_held(const struct raster_level *level, double c, struct taps *taps)
{
    // Two columns outside only the edge is left; so far the numbers stay small.
    c = c < -2.0 ? -2.0 : c > level->columns + 1.0 ? level->columns + 1.0 : c;
    int whole = (int)(c + 2.0) - 2, last = level->columns - 1;
    cubic_weights(c - whole, taps->weight, taps->slope);
    for (int k = 0; k < 4; k++) {
        int column = whole + k - 1;
        taps->column[k] = column < 0 ? 0 : column > last ? last : column;
    }
}

// Inside the region, and in the gap a quarter of it from either side, one side's columns; between them both.
static void meridian_regional(const struct raster_level *level, double c, struct meridian *at)
{
    struct raster_gap gap = raster_level_gap(level);
    double t = (c - gap.from) / gap.columns;
    at->west_column = c - level->turn_columns;
    taps_held(level, t < 1.0 ? c : at->west_column, &at->taps);
    if (t <= 0.0 || t >= 1.0)
        return;
    at->west_share = ease(t, &at->share_slope);
    at->share_slope /= gap.columns;
}

static void meridian_at(const struct raster_level *level, double lon_rad, struct meridian *at)
{
    double turn = level->turn_columns;
    double c = lon_rad * level->columns_per_rad + level->zero_column;
    if (c < 0.0)
        c += turn;
    while (c >= turn)
        c -= turn;
    if (!(c >= 0.0)) // not a number
        c = 0.0;
    at->column = c;
    at->west_share = 0.0;
    if (level->wraps)
        taps_wrapped(level, c, &at->taps);
    else
        meridian_regional(level, c, at);
}

static inline void load(const struct raster_level *level, int row, int channel, const int column[4], double values[4])
{
    size_t start = (size_t)row * level->row_stride + (size_t)channel, step = (size_t)level->channels;
    if (level->store == RASTER_FLOAT) {
        const float *samples = (const float *)level->samples + start;
        for (int k = 0; k < 4; k++)
            values[k] = (double)samples[(size_t)column[k] * step];
    } else if (level->store == RASTER_U16) {
        const uint16_t *samples = (const uint16_t *)level->samples + start;
        for (int k = 0; k < 4; k++)
            values[k] = raster_level_decode(level, samples[(size_t)column[k] * step]);
    } else {
        const uint8_t *samples = (const uint8_t *)level->samples + start;
        for (int k = 0; k < 4; k++)
            values[k] = raster_level_decode(level, samples[(size_t)column[k] * step]);
    }
}

static inline struct row_value taps_value(const struct raster_level *level, int row, int channel,
                                          const struct taps *taps)
{
    double s[4];
    load(level, row, channel, taps->column, s);
    const double *w = taps->weight, *d = taps->slope;
    return (struct row_value){
        .v = (w[0] * s[0] + w[1] * s[1]) + (w[2] * s[2] + w[3] * s[3]),
        .slope = (d[0] * s[0] + d[1] * s[1]) + (d[2] * s[2] + d[3] * s[3]),
    };
}

static inline struct row_value row_by_samples(const struct raster_level *level, int row, int channel,
                                              const struct meridian *at)
{
    struct row_value value = taps_value(level, row, channel, &at->taps);
    if (at->west_share == 0.0)
        return value;
    struct taps taps;
    taps_held(level, at->west_column, &taps);
    struct row_value west = taps_value(level, row, channel, &taps);
    double off = west.v - value.v;
    value.v += at->west_share * off;
    value.slope += at->west_share * (west.slope - value.slope) + at->share_slope * off;
    return value;
}

// The width of the mean is the row's own, so that it is constant along the row.
static inline struct row_value row_value(const struct raster_level *level, int row, int channel,
                                         const struct meridian *at, double spacing)
{
    struct row_value value = row_by_samples(level, row, channel, at);
    double width = level->row_columns ? spacing * level->row_columns[row] : 0.0;
    return width > 1.0 ? raster_parallel_mix(level, row, channel, at->column, width, value) : value;
}

// The field from its rows alone, by row and column coordinate.
struct grid_value {
    double v, by_row, by_column;
};

// Row coordinate of a place, with the whole part, which may lie beyond the poles.
static int row_of(const struct raster_level *level, const struct raster_place *place, double *rest)
{
    double colatitude = place->south ? STABLE_PI - place->rho_rad : place->rho_rad;
    double r = colatitude / level->row_rad - (level->nodes ? 0.0 : 0.5);
    if (!(r >= -0.5 && r <= level->rows)) // rounded over the pole, or not a number
        r = 0.0;
    int whole = (int)(r + 1.0) - 1;
    *rest = r - whole;
    return whole;
}

static struct grid_value grid_add(struct grid_value sum, double weight, double slope, struct row_value row)
{
    sum.v += weight * row.v;
    sum.by_row += slope * row.v;
    sum.by_column += weight * row.slope;
    return sum;
}

// All four rows on the near side of the poles, and none on a pole.
static void grid_inside(const struct raster_level *level, const struct raster_place *place, double spacing, int whole,
                        double rest, struct grid_value *value)
{
    double weight[4], slope[4];
    cubic_weights(rest, weight, slope);
    struct meridian here;
    meridian_at(level, place->lon_rad, &here);
    for (int channel = 0; channel < level->channels; channel++) {
        struct grid_value sum = {0.0, 0.0, 0.0};
        for (int k = 0; k < 4; k++)
            sum = grid_add(sum, weight[k], slope[k], row_value(level, whole + k - 1, channel, &here, spacing));
        value[channel] = sum;
    }
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

// Anywhere.
static void grid_near_pole(const struct raster_level *level, const struct raster_place *place, double spacing,
                           int whole, double rest, struct grid_value *value)
{
    double weight[4], slope[4];
    cubic_weights(rest, weight, slope);
    struct meridian sides[2];
    meridian_at(level, place->lon_rad, &sides[0]);
    meridian_at(level, place->lon_rad + STABLE_PI, &sides[1]);
    for (int channel = 0; channel < level->channels; channel++)
        value[channel] = (struct grid_value){0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        bool across;
        int row = row_over_poles(level, whole + k - 1, &across);
        bool is_pole = level->nodes && (row == 0 || row == level->rows - 1);
        for (int channel = 0; channel < level->channels; channel++) {
            struct row_value row_here = is_pole ? (struct row_value){level->pole_rows[row != 0][channel], 0.0}
                                                : row_value(level, row, channel, &sides[across], spacing);
            value[channel] = grid_add(value[channel], weight[k], slope[k], row_here);
        }
    }
}

void raster_level_set_zero(struct raster_level *level, double zero_column)
{
    double turn = level->turn_columns;
    double column = zero_column - turn * floor(zero_column / turn);
    level->zero_column = column < turn ? column : 0.0; // rounded up to a full turn
    level->columns_per_rad = turn / (2.0 * STABLE_PI);
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

void raster_level_value(const struct raster_level *level, const struct raster_place *place, double spacing,
                        struct raster_value value[RASTER_CHANNELS_MAX])
{
    struct grid_value grid[RASTER_CHANNELS_MAX];
    double rest, t_by_rho = 2.0 / level->row_rad, t = place->rho_rad * t_by_rho;
    int whole = row_of(level, place, &rest);
    spacing = spacing < level->pixel_rad ? spacing : level->pixel_rad; // wider ones look at mips
    if (whole >= 2 && whole + 3 < level->rows)
        grid_inside(level, place, spacing, whole, rest, grid);
    else
        grid_near_pole(level, place, spacing, whole, rest, grid);
    for (int channel = 0; channel < level->channels; channel++) {
        double by_lon = grid[channel].by_column * level->columns_per_rad;
        struct raster_value sum = {grid[channel].v, -grid[channel].by_row / level->row_rad, 0.0}; // rows go southward
        if (t < 1.0)
            sum = blend_to_pole(&level->poles[place->south][channel], place, t, t_by_rho, sum, by_lon);
        else
            sum.by_east = by_lon / place->cos_lat;
        value[channel] = sum;
    }
}

void raster_level_row(const struct raster_level *level, int row, double *values)
{
    size_t count = (size_t)level->columns * (size_t)level->channels;
    size_t start = (size_t)row * level->row_stride;
    for (size_t k = 0; k < count; k++)
        values[k] = raster_level_sample(level, start + k);
}
