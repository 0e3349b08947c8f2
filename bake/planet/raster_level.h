// SPDX-License-Identifier: MIT
// One picture of a raster's chain as a smooth function on the sphere: level 0 is the picture itself, the others are its
// mips (raster_mip.h). Only raster*.c and climate.c include this.
//
// A level's column coordinate c counts columns eastward from the centre of column 0, its row coordinate counts rows
// southward from the centre of row 0; both are real numbers, and Catmull-Rom goes through the samples at whole ones.
// rho is the distance from the nearer pole in radians.
#ifndef TERRANE_BAKE_PLANET_RASTER_LEVEL_H
#define TERRANE_BAKE_PLANET_RASTER_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RASTER_CHANNELS_MAX 3

enum raster_store { RASTER_U8, RASTER_U16, RASTER_FLOAT };

// The plane that stands for the field within half a row of a pole: mean + rho (slope_x cos lon + slope_y sin lon).
struct raster_pole {
    double mean, slope_x, slope_y;
};

struct raster_level {
    int columns, rows;   // columns: without the repeated last one of a node raster
    bool nodes;          // first and last row stand on the poles; else half a row from them
    bool wraps;          // column 0 follows the last one
    double turn_columns; // columns in 360 degrees; equal to columns where it wraps
    double zero_column;  // column coordinate of longitude 0, in [0, turn_columns)
    double columns_per_rad;
    double row_rad;   // between rows
    double pixel_rad; // the spacing that this level carries

    enum raster_store store;
    int channels;
    size_t row_stride;   // samples from row to row
    const void *samples; // channels side by side
    const float *linear; // linear light of a U8 or U16 colour sample; NULL: samples as they are

    const double *row_columns; // of each row, the columns to a radian on the ground; NULL: rows are smooth already
    const double *sums;        // see raster_parallel.c

    struct raster_pole poles[2][RASTER_CHANNELS_MAX]; // north, south
    double pole_rows[2][RASTER_CHANNELS_MAX];         // mean of the first and last row, used for it where nodes
};

// A direction as the levels need it.
struct raster_place {
    double lon_rad, rho_rad;
    bool south;        // rho is from the south pole
    double cos_lat, z; // z is the sine of the latitude
    double cos_lon, sin_lon;
};

// dir must be a unit vector; at a pole longitude is 0.
struct raster_place raster_place_of(double x, double y, double z);

// v, by_lat (d/dlat) and by_east (d/dlon / cos lat), per radian.
struct raster_value {
    double v, by_lat, by_east;
};

// Fills in one value a channel. In rows with row_columns, what spacing (in radians, at most pixel_rad counts) is wider
// than is averaged along longitude. Pure; threads share the level.
void raster_level_value(const struct raster_level *level, const struct raster_place *place, double spacing,
                        struct raster_value value[RASTER_CHANNELS_MAX]);

// Fills in poles and pole_rows from everything else.
void raster_level_prepare_poles(struct raster_level *level);

// Linear light of a U8 or U16 sample where that is asked for, else the sample.
static inline double raster_level_decode(const struct raster_level *level, unsigned sample)
{
    return level->linear ? (double)level->linear[sample] : sample;
}

static inline double raster_level_sample(const struct raster_level *level, size_t at)
{
    switch (level->store) {
    case RASTER_U8: return raster_level_decode(level, ((const uint8_t *)level->samples)[at]);
    case RASTER_U16: return raster_level_decode(level, ((const uint16_t *)level->samples)[at]);
    default: return (double)((const float *)level->samples)[at];
    }
}

// Where a level that does not wrap passes from its eastern edge to the western one: the middle half of its gap.
struct raster_gap {
    double from, columns; // column coordinate where it begins, and how long it is
};

static inline struct raster_gap raster_level_gap(const struct raster_level *level)
{
    double east_border = level->nodes ? level->columns - 1.0 : level->columns - 0.5;
    double gap = level->turn_columns - (level->nodes ? level->columns - 1.0 : level->columns);
    return (struct raster_gap){east_border + 0.25 * gap, 0.5 * gap};
}

// Sets where longitude 0 lies and what follows from turn_columns; column may be any real number.
void raster_level_set_zero(struct raster_level *level, double zero_column);

// Row as doubles, linear light for colours: columns * channels values.
void raster_level_row(const struct raster_level *level, int row, double *values);

#endif
