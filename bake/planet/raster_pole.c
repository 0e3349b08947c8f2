// SPDX-License-Identifier: MIT
// What a level is at its poles: mean and first harmonic of the circles next to each.
#include "bake/planet/raster_level.h"

#include "common/stable_math.h"

// Points in the gap of a regional raster.
#define GAP_POINTS 64

// f = mean + x cos lon + y sin lon + higher harmonics, around a row.
struct circle {
    double mean, x, y;
};

struct sum {
    double weight, value;
    double x, y; // of (value - mean) cos lon and sin lon
};

static double sample(const struct raster_level *level, int row, int column, int channel)
{
    size_t in_row = (size_t)column * (size_t)level->channels + (size_t)channel;
    return raster_level_sample(level, (size_t)row * level->row_stride + in_row);
}

static void add(struct sum *sum, const struct raster_level *level, double column, double weight, double value,
                double mean)
{
    double sine, cosine;
    stable_sincos_deg((column - level->zero_column) * (360.0 / level->turn_columns), &sine, &cosine);
    sum->weight += weight;
    sum->value += weight * value;
    sum->x += weight * (value - mean) * cosine;
    sum->y += weight * (value - mean) * sine;
}

static struct sum sum_around(const struct raster_level *level, int row, int channel, double mean)
{
    struct sum sum = {0.0, 0.0, 0.0, 0.0};
    int last = level->columns - 1;
    for (int column = 0; column <= last; column++)
        add(&sum, level, column, 1.0, sample(level, row, column, channel), mean);
    if (level->wraps)
        return sum;
    double gap = level->turn_columns - level->columns, border = last + 0.5;
    for (int k = 0; k < GAP_POINTS; k++) {
        double at = (k + 0.5) / GAP_POINTS, t = at < 0.25 ? 0.0 : at > 0.75 ? 1.0 : 2.0 * at - 0.5;
        double west = t * t * (3.0 - 2.0 * t);
        double value = (1.0 - west) * sample(level, row, last, channel) + west * sample(level, row, 0, channel);
        add(&sum, level, border + at * gap, gap / GAP_POINTS, value, mean);
    }
    return sum;
}

static struct circle circle_of(const struct raster_level *level, int row, int channel)
{
    struct circle circle = {0.0, 0.0, 0.0};
    struct sum sum = sum_around(level, row, channel, 0.0);
    circle.mean = sum.value / sum.weight;
    // One or two columns cannot tell a harmonic.
    if (level->wraps && level->columns < 3)
        return circle;
    sum = sum_around(level, row, channel, circle.mean);
    circle.x = 2.0 * sum.x / sum.weight;
    circle.y = 2.0 * sum.y / sum.weight;
    return circle;
}

// Value and slope of Catmull-Rom along a meridian over the pole, for a mean (even over the pole) and a first harmonic
// (odd over it).
static struct raster_pole pole_of(const struct raster_level *level, bool south, int channel)
{
    int rows = level->rows, first = south ? rows - 1 : 0, second = rows == 1 ? 0 : south ? rows - 2 : 1;
    struct circle near = circle_of(level, first, channel), next = circle_of(level, second, channel);
    if (level->nodes) // the pole is a row
        return (struct raster_pole){near.mean, next.x / level->row_rad, next.y / level->row_rad};
    return (struct raster_pole){
        .mean = (9.0 * near.mean - next.mean) / 8.0,
        .slope_x = (2.75 * near.x - 0.25 * next.x) / level->row_rad,
        .slope_y = (2.75 * near.y - 0.25 * next.y) / level->row_rad,
    };
}

void raster_level_prepare_poles(struct raster_level *level)
{
    for (int south = 0; south < 2; south++) {
        for (int channel = 0; channel < level->channels; channel++) {
            level->pole_rows[south][channel] = circle_of(level, south ? level->rows - 1 : 0, channel).mean;
            level->poles[south][channel] = pole_of(level, south != 0, channel);
        }
    }
}
