// SPDX-License-Identifier: MIT
#include "bake/planet/raster_parallel.h"

#include <math.h>

#include "common/stable_math.h"

// A partial sum stands at every so many columns: half a byte a sample, and at most 15 samples are added up anew.
#define SUM_COLUMNS 16

static size_t sums_in_row(const struct raster_level *level)
{
    return ((size_t)level->columns / SUM_COLUMNS + 1) * (size_t)level->channels;
}

static double sample(const struct raster_level *level, int row, int column, int channel)
{
    size_t in_row = (size_t)column * (size_t)level->channels + (size_t)channel;
    return raster_level_sample(level, (size_t)row * level->row_stride + in_row);
}

size_t raster_parallel_doubles(const struct raster_level *level)
{
    return (size_t)level->rows * (1 + sums_in_row(level));
}

static void sum_row(const struct raster_level *level, int row, int channel, double *sums)
{
    double sum = 0.0;
    for (int column = 0; column <= level->columns; column++) {
        if (column % SUM_COLUMNS == 0)
            sums[column / SUM_COLUMNS * level->channels + channel] = sum;
        if (column < level->columns)
            sum += sample(level, row, column, channel);
    }
}

void raster_parallel_prepare(struct raster_level *level, double *tables)
{
    double *sums = tables + level->rows;
    for (int row = 0; row < level->rows; row++) {
        bool is_pole = level->nodes && (row == 0 || row == level->rows - 1); // counts as its mean anyway
        double sine = is_pole ? 1.0 : stable_sin((row + (level->nodes ? 0.0 : 0.5)) * level->row_rad);
        tables[row] = level->columns_per_rad / sine;
        for (int channel = 0; channel < level->channels; channel++)
            sum_row(level, row, channel, sums + (size_t)row * sums_in_row(level));
    }
    level->row_columns = tables;
    level->sums = sums;
}

// Sum of the samples before a column, which may be the one after the last; exact where grey.
static double sum_before(const struct raster_level *level, int row, int channel, int column)
{
    int block = column / SUM_COLUMNS;
    double sum = level->sums[(size_t)row * sums_in_row(level) + (size_t)(block * level->channels + channel)];
    for (int k = block * SUM_COLUMNS; k < column; k++)
        sum += sample(level, row, k, channel);
    return sum;
}

// The line through a row's samples: its value at a column coordinate, and its integral up to there from column 0 in two
// parts, the larger of which is exact where grey, so that differences of integrals lose nothing.
struct reach {
    double v, exact, rest;
};

// From column 0 to the last, or to the first again where it wraps.
static struct reach reach_in_picture(const struct raster_level *level, int row, int channel, double c)
{
    int k = (int)c < level->columns ? (int)c : level->columns - 1;
    double t = c - k, first = sample(level, row, 0, channel), here = sample(level, row, k, channel);
    double step = (k + 1 < level->columns ? sample(level, row, k + 1, channel) : first) - here;
    return (struct reach){
        .v = here + t * step,
        .exact = sum_before(level, row, channel, k) + 0.5 * (here - first),
        .rest = t * (here + 0.5 * t * step),
    };
}

// From the last column to the first again: the eastern edge, in the gap's middle half the passage, the western edge.
static struct reach reach_in_gap(const struct raster_level *level, int row, int channel, double c)
{
    struct raster_gap gap = raster_level_gap(level);
    double last = level->columns - 1.0, past = c - gap.from, t = past / gap.columns;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    struct reach reach = reach_in_picture(level, row, channel, last);
    double step = sample(level, row, 0, channel) - reach.v;
    double beyond = past > gap.columns ? past - gap.columns : 0.0;
    reach.rest += (c - last) * reach.v + step * (gap.columns * t * t * t * (1.0 - 0.5 * t) + beyond);
    reach.v += step * t * t * (3.0 - 2.0 * t);
    return reach;
}

static struct reach reach_in_turn(const struct raster_level *level, int row, int channel, double c)
{
    if (level->wraps || c <= level->columns - 1.0)
        return reach_in_picture(level, row, channel, c);
    return reach_in_gap(level, row, channel, c);
}

// To any column coordinate.
static struct reach reach_to(const struct raster_level *level, int row, int channel, double c)
{
    double turn = level->turn_columns, turns = floor(c / turn);
    c -= turns * turn;
    c = c < 0.0 ? 0.0 : c > turn ? turn : c; // rounded over
    struct reach reach = reach_in_turn(level, row, channel, c);
    if (turns != 0.0) {
        struct reach whole = reach_in_turn(level, row, channel, turn);
        reach.exact += turns * whole.exact;
        reach.rest += turns * whole.rest;
    }
    return reach;
}

struct row_value raster_parallel_mix(const struct raster_level *level, int row, int channel, double c, double width,
                                     struct row_value value)
{
    double t = width - 1.0, share = t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
    double over = width < level->turn_columns ? width : level->turn_columns;
    struct reach from = reach_to(level, row, channel, c - 0.5 * over);
    struct reach to = reach_to(level, row, channel, c + 0.5 * over);
    double mean = ((to.exact - from.exact) + (to.rest - from.rest)) / over, slope = (to.v - from.v) / over;
    return (struct row_value){
        .v = value.v + share * (mean - value.v),
        .slope = value.slope + share * (slope - value.slope),
    };
}
