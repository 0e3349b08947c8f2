// SPDX-License-Identifier: MIT
#include "bake/planet/raster_mip.h"

#include <assert.h>
#include <math.h>

#include "common/stable_math.h"

// One direction of a grid as cells side by side: all of width 1, or, where samples stand on both ends, half cells
// there.
struct axis {
    int count;
    bool half_ends;
};

static int axis_length(struct axis axis)
{
    return axis.half_ends ? axis.count - 1 : axis.count;
}

// Where cell k begins; cell count begins at the end.
static double axis_border(struct axis axis, int k)
{
    if (!axis.half_ends)
        return k;
    return k == 0 ? 0.0 : k == axis.count ? axis.count - 1.0 : k - 0.5;
}

static struct axis rows_of(const struct raster_level *level)
{
    return (struct axis){level->rows, level->nodes};
}

static struct axis columns_of(const struct raster_level *level)
{
    return (struct axis){level->columns, level->nodes && !level->wraps};
}

static double column_rad(const struct raster_level *level)
{
    return 2.0 * STABLE_PI / level->turn_columns;
}

// Halved where that brings cells of cell_rad nearer to pixel_rad.
static int reduced(struct axis axis, double cell_rad, double pixel_rad)
{
    int length = axis_length(axis);
    return cell_rad < 0.75 * pixel_rad ? (length + 1) / 2 : length;
}

bool raster_mip_shape(struct raster_level *mip, const struct raster_level *level)
{
    struct axis rows = rows_of(level), columns = columns_of(level);
    double cell_rad = column_rad(level);
    if (rows.count == 1 && columns.count == 1)
        return false;
    // The finest axis that can still be halved decides; in square grids that is twice the old pixel.
    double finest = rows.count > 1 && (columns.count == 1 || level->row_rad < cell_rad) ? level->row_rad : cell_rad;
    double pixel_rad = 2.0 * (finest > level->pixel_rad ? finest : level->pixel_rad);
    *mip = (struct raster_level){
        .columns = reduced(columns, cell_rad, pixel_rad),
        .rows = reduced(rows, level->row_rad, pixel_rad),
        .wraps = level->wraps,
        .pixel_rad = pixel_rad,
        .store = RASTER_FLOAT,
        .channels = level->channels,
    };
    mip->row_rad = STABLE_PI / mip->rows;
    double ratio = (double)mip->columns / axis_length(columns);
    mip->turn_columns = level->wraps ? mip->columns : level->turn_columns * ratio;
    // Column coordinates count from a cell's centre, which is half a cell from its border but on it in a half cell.
    double inset = columns.half_ends ? 0.0 : 0.5;
    raster_level_set_zero(mip, (level->zero_column + inset) * ratio - 0.5);
    mip->row_stride = (size_t)mip->columns * (size_t)mip->channels;
    return true;
}

// Cells of an axis that a cell of the coarser one covers, by how much.
struct overlap {
    int first, count;
    double share[4];
};

static struct overlap overlap_of(struct axis axis, int coarse_count, int cell)
{
    double length = axis_length(axis);
    double low = cell * length / coarse_count, high = (cell + 1) * length / coarse_count;
    int k = (int)low; // never beyond: cells are at most 1 wide
    while (k > 0 && axis_border(axis, k) > low)
        k--;
    while (k < axis.count - 1 && axis_border(axis, k + 1) <= low)
        k++;
    struct overlap overlap = {.first = k};
    for (; k < axis.count && axis_border(axis, k) < high; k++) {
        double from = axis_border(axis, k), to = axis_border(axis, k + 1);
        assert(overlap.count < 4);
        overlap.share[overlap.count++] = (to < high ? to : high) - (from > low ? from : low);
    }
    return overlap;
}

// Shares of latitude to shares of area: of a band between two latitudes, by the sine of its middle.
static void weigh_by_area(struct overlap *overlap, struct axis axis, int coarse_count, int cell)
{
    double length = axis_length(axis), at = cell * length / coarse_count;
    for (int k = 0; k < overlap->count; k++) {
        double share = overlap->share[k];
        double middle = STABLE_PI * (at + 0.5 * share) / length, half = STABLE_PI * 0.5 * share / length;
        overlap->share[k] = stable_sin(middle) * stable_sin(half);
        at += share;
    }
}

// sum += weight * row.
static void add_row(double *sum, const double *row, size_t count, double weight)
{
    for (size_t k = 0; k < count; k++)
        sum[k] += weight * row[k];
}

// Integral of a row's channel, cells side by side from 0, up to real column c: periodic, or going on with its edges.
static double integral_to(const double *integral, const struct raster_level *mip, double c)
{
    int count = mip->columns;
    double turns = 0.0;
    if (mip->wraps && (c < 0.0 || c > count)) {
        turns = floor(c / count);
        c -= turns * count;
    }
    int k = c < 0.0 ? 0 : c >= count ? count - 1 : (int)c;
    return turns * integral[count] + integral[k] + (c - k) * (integral[k + 1] - integral[k]);
}

// Means over width columns around each.
static void smooth_row(float *row, const struct raster_level *mip, double width, double *integral)
{
    for (int channel = 0; channel < mip->channels; channel++) {
        integral[0] = 0.0;
        for (int k = 0; k < mip->columns; k++)
            integral[k + 1] = integral[k] + (double)row[k * mip->channels + channel];
        for (int k = 0; k < mip->columns; k++) {
            double from = k + 0.5 - 0.5 * width, to = k + 0.5 + 0.5 * width;
            double sum = integral_to(integral, mip, to) - integral_to(integral, mip, from);
            row[k * mip->channels + channel] = (float)(sum / width);
        }
    }
}

// How many columns of a row make pixel_rad on the ground, at most all around.
static double smoothing_width(const struct raster_level *mip, int row)
{
    double sine = stable_sin((row + 0.5) * mip->row_rad); // of the distance from the pole
    double width = mip->pixel_rad / (column_rad(mip) * sine);
    return width < mip->turn_columns ? width : mip->turn_columns;
}

// The mean of level's rows under row of mip, columns as level's.
static void mean_rows(double *mean, const struct raster_level *mip, int row, const struct raster_level *level,
                      double *values)
{
    struct axis axis = rows_of(level);
    struct overlap overlap = overlap_of(axis, mip->rows, row);
    weigh_by_area(&overlap, axis, mip->rows, row);
    size_t count = (size_t)level->columns * (size_t)level->channels;
    double sum = 0.0;
    for (int k = 0; k < overlap.count; k++)
        sum += overlap.share[k];
    for (size_t k = 0; k < count; k++)
        mean[k] = 0.0;
    for (int k = 0; k < overlap.count; k++) {
        raster_level_row(level, overlap.first + k, values);
        add_row(mean, values, count, overlap.share[k] / sum);
    }
}

// Cells of a row to the coarser cells of a mip's row.
static void reduce_row(float *target, const struct raster_level *mip, const double *row, const struct overlap *overlaps,
                       double cell)
{
    int channels = mip->channels;
    for (int column = 0; column < mip->columns; column++) {
        const struct overlap *overlap = &overlaps[column];
        for (int channel = 0; channel < channels; channel++) {
            double sum = 0.0;
            for (int k = 0; k < overlap->count; k++)
                sum += overlap->share[k] * row[(overlap->first + k) * channels + channel];
            target[column * channels + channel] = (float)(sum / cell);
        }
    }
}

size_t raster_mip_scratch_bytes(const struct raster_level *mip, const struct raster_level *level)
{
    size_t row = (size_t)level->columns * (size_t)level->channels, columns = (size_t)mip->columns;
    return 2 * arena_bound(row, sizeof(double)) + arena_bound(columns + 1, sizeof(double)) +
           arena_bound(columns, sizeof(struct overlap));
}

void raster_mip_fill(struct raster_level *mip, float *samples, const struct raster_level *level, struct arena scratch)
{
    size_t row_samples = (size_t)level->columns * (size_t)level->channels;
    double *mean = arena_take(&scratch, row_samples, sizeof *mean);
    double *values = arena_take(&scratch, row_samples, sizeof *values);
    double *integral = arena_take(&scratch, (size_t)mip->columns + 1, sizeof *integral);
    struct overlap *overlaps = arena_take(&scratch, (size_t)mip->columns, sizeof *overlaps);
    assert(mean && values && integral && overlaps);
    struct axis columns = columns_of(level);
    for (int column = 0; column < mip->columns; column++)
        overlaps[column] = overlap_of(columns, mip->columns, column);
    double cell = (double)axis_length(columns) / mip->columns;
    for (int row = 0; row < mip->rows; row++) {
        float *target = samples + (size_t)row * mip->row_stride;
        mean_rows(mean, mip, row, level, values);
        reduce_row(target, mip, mean, overlaps, cell);
        double width = smoothing_width(mip, row);
        if (width > 1.0 && mip->columns > 1)
            smooth_row(target, mip, width, integral);
    }
    mip->samples = samples;
    raster_level_prepare_poles(mip);
}
