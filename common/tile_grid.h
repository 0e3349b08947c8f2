// SPDX-License-Identifier: MIT
// The lattice of samples that tiles stand on.
//
// A tile of N intervals has (N+1) x (N+1) samples on the lattice points of its node, borders
// included; N is 32, 64, 128, 256 or 512. Sample (column, row) of node (x,y) is lattice point
// i = xN + column, j = n - (yN + row) of a face with n = N 2^level intervals: row 0 is the tile's
// largest t. So the last column of a tile is the first of its eastern neighbour, and so on.
#ifndef TERRANE_COMMON_TILE_GRID_H
#define TERRANE_COMMON_TILE_GRID_H

#include <stdint.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "common/tile_key.h"

#define TILE_INTERVALS_MIN 32
#define TILE_INTERVALS_MAX 512
#define TILE_SAMPLES_MAX (TILE_INTERVALS_MAX + 1)

#define RADIUS_MIN_M 10.0
#define RADIUS_MAX_M 1e9

static inline int tile_intervals_valid(long intervals)
{
    return intervals == 32 || intervals == 64 || intervals == 128 || intervals == 256 || intervals == 512;
}

// Intervals along a side of a face at a level: N 2^level, at most 2^33.
static inline int64_t tile_lattice_size(int intervals, int level)
{
    return (int64_t)intervals << level;
}

static inline struct double3 tile_sample_dir(struct node node, int intervals, int column, int row)
{
    int64_t n = tile_lattice_size(intervals, node.level);
    return cube_sphere_lattice_dir(node.face, (int64_t)node.x * intervals + column,
                                   n - ((int64_t)node.y * intervals + row), n);
}

// Distance between neighbouring samples at a level: quarter circumference / (N 2^level).
static inline double tile_spacing_m(double radius_m, int intervals, int level)
{
    return STABLE_PI / 2 * radius_m / (double)tile_lattice_size(intervals, level);
}

// Heights are stored as multiples of 2^exponent metres, the largest power of two that is at most
// min(1/256 m, radius * 1e-9): -8 from 3,906,250 m on, -27 at 10 m.
static inline int height_unit_exponent(double radius_m)
{
    int exponent = -8;
    double unit_m = 0x1p-8;
    while (unit_m > radius_m * 1e-9) {
        unit_m *= 0.5;
        exponent--;
    }
    return exponent;
}

static inline double height_unit_m(int exponent)
{
    return 1.0 / (double)(UINT64_C(1) << -exponent);
}

#endif
