// SPDX-License-Identifier: MIT
#include "bake/tile_error.h"

#include <assert.h>
#include <math.h>

#include "common/arena.h"

#define BLOCK_CELLS 8
#define SIDE_STEP 32

int tile_error_point_count(int intervals)
{
    int blocks = intervals / BLOCK_CELLS;
    return blocks * blocks + NODE_SIDE_COUNT * (intervals / SIDE_STEP);
}

struct error_point tile_error_point(int intervals, int index)
{
    int blocks = intervals / BLOCK_CELLS, inner = blocks * blocks;
    assert(index >= 0 && index < tile_error_point_count(intervals));
    if (index >= inner) {
        // Symmetric about a side's middle, so that both tiles at a border look at the same samples.
        int along = 2 * ((index - inner) / NODE_SIDE_COUNT * SIDE_STEP + SIDE_STEP / 2);
        switch ((index - inner) % NODE_SIDE_COUNT) {
        case SIDE_WEST: return (struct error_point){0, along};
        case SIDE_EAST: return (struct error_point){2 * intervals, along};
        case SIDE_NORTH: return (struct error_point){along, 0};
        default: return (struct error_point){along, 2 * intervals};
        }
    }
    int bx = index % blocks, by = index / blocks;
    // Any mixing will do: the cell in the block must not follow the planet's or the tile's grid.
    uint32_t mixed = ((uint32_t)bx * 0x9E3779B1u ^ (uint32_t)by * 0x85EBCA6Bu) * 0xC2B2AE35u;
    int column = bx * BLOCK_CELLS + (int)(mixed >> 29), row = by * BLOCK_CELLS + (int)(mixed >> 26 & 7);
    int kind = (bx + 2 * by) & 3; // centre, west-east edge, north-south edge, centre
    return (struct error_point){2 * column + (kind != 2), 2 * row + (kind != 1)};
}

// Where the tile's surface is at a point of the set.
static struct double3 surface_point(const struct tile_lattice *lattice, const int32_t *heights, double radius_m,
                                    double unit_m, struct error_point at)
{
    int side = lattice->intervals + 1;
    struct double3 sum = {0, 0, 0};
    for (int end = 0; end < 2; end++) {
        int column = (at.column2 + end) >> 1, row = (at.row2 + end) >> 1;
        double reach = radius_m + heights[row * side + column] * unit_m;
        sum = double3_add(sum, double3_scale(tile_lattice_dir(lattice, column, row), reach));
    }
    return double3_scale(sum, 0.5);
}

bool tile_error_units(uint32_t *error, const struct planet *planet, const struct tile_lattice *lattice,
                      const int32_t *heights, double unit_m, void *scratch)
{
    _Alignas(ARENA_ALIGNMENT) double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], height_m[PLANET_BLOCK];
    double reach[PLANET_BLOCK], largest_m = 0, radius_m = planet_radius_m(planet);
    double spacing_m = tile_spacing_m(radius_m, lattice->intervals, TILE_LEVEL_MAX);
    double tile_m = tile_spacing_m(radius_m, lattice->intervals, lattice->node.level);
    int total = tile_error_point_count(lattice->intervals);
    for (int first = 0; first < total; first += PLANET_BLOCK) {
        int count = total - first < PLANET_BLOCK ? total - first : PLANET_BLOCK;
        for (int k = 0; k < count; k++) {
            struct error_point at = tile_error_point(lattice->intervals, first + k);
            struct double3 point = surface_point(lattice, heights, radius_m, unit_m, at);
            reach[k] = double3_length(point);
            x[k] = point.x / reach[k];
            y[k] = point.y / reach[k];
            z[k] = point.z / reach[k];
        }
        planet_sample_scattered(planet, scratch, count, x, y, z, spacing_m, tile_m, height_m);
        for (int k = 0; k < count; k++) {
            double away_m = fabs(reach[k] - radius_m - height_m[k]);
            if (!(away_m < 4294967295.0 * unit_m))
                return false;
            largest_m = away_m > largest_m ? away_m : largest_m;
        }
    }
    *error = (uint32_t)ceil(largest_m / unit_m);
    return true;
}
