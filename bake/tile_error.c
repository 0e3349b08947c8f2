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

// Points of the surface: directions, and distances from the planet's middle.
struct surface {
    double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], reach[PLANET_BLOCK];
};

// The samples on either side of points first..first + count - 1 of the set: directions and distances.
struct ends {
    double x[2 * PLANET_BLOCK], y[2 * PLANET_BLOCK], z[2 * PLANET_BLOCK], reach[2 * PLANET_BLOCK];
};

static void find_ends(struct ends *ends, const struct tile_lattice *lattice, const int32_t *heights, double radius_m,
                      double unit_m, int first, int count)
{
    uint16_t columns[2 * PLANET_BLOCK], rows[2 * PLANET_BLOCK];
    int side = lattice->intervals + 1;
    for (int k = 0; k < count; k++) {
        struct error_point at = tile_error_point(lattice->intervals, first + k);
        for (int end = 0; end < 2; end++) {
            int column = (at.column2 + end) >> 1, row = (at.row2 + end) >> 1;
            columns[2 * k + end] = (uint16_t)column;
            rows[2 * k + end] = (uint16_t)row;
            // They are all over the tile, which has left the near caches.
            __builtin_prefetch(&heights[row * side + column]);
        }
    }
    tile_lattice_dirs_at(lattice, columns, rows, 2 * count, ends->x, ends->y, ends->z);
    for (int k = 0; k < 2 * count; k++)
        ends->reach[k] = radius_m + heights[rows[k] * side + columns[k]] * unit_m;
}

// Halfway between the two ends of each.
static void find_surface(struct surface *surface, const struct ends *ends, int count)
{
    for (int k = 0; k < count; k++) {
        int a = 2 * k, b = 2 * k + 1;
        double x = 0.5 * (ends->x[a] * ends->reach[a] + ends->x[b] * ends->reach[b]);
        double y = 0.5 * (ends->y[a] * ends->reach[a] + ends->y[b] * ends->reach[b]);
        double z = 0.5 * (ends->z[a] * ends->reach[a] + ends->z[b] * ends->reach[b]);
        double reach = sqrt(x * x + y * y + z * z);
        surface->x[k] = x / reach;
        surface->y[k] = y / reach;
        surface->z[k] = z / reach;
        surface->reach[k] = reach;
    }
}

bool tile_error_units(uint32_t *error, const struct planet *planet, const struct tile_lattice *lattice,
                      const int32_t *heights, double unit_m, void *scratch)
{
    _Alignas(ARENA_ALIGNMENT) struct surface surface;
    _Alignas(ARENA_ALIGNMENT) double height_m[PLANET_BLOCK];
    struct ends ends;
    double largest_m = 0, radius_m = planet_radius_m(planet);
    double spacing_m = tile_spacing_m(radius_m, lattice->intervals, TILE_LEVEL_MAX);
    double tile_m = tile_spacing_m(radius_m, lattice->intervals, lattice->node.level);
    int total = tile_error_point_count(lattice->intervals);
    for (int first = 0; first < total; first += PLANET_BLOCK) {
        int count = total - first < PLANET_BLOCK ? total - first : PLANET_BLOCK;
        find_ends(&ends, lattice, heights, radius_m, unit_m, first, count);
        find_surface(&surface, &ends, count);
        planet_sample_scattered(planet, scratch, count, surface.x, surface.y, surface.z, spacing_m, tile_m, height_m);
        for (int k = 0; k < count; k++) {
            double away_m = fabs(surface.reach[k] - radius_m - height_m[k]);
            if (!(away_m < 4294967295.0 * unit_m))
                return false;
            largest_m = away_m > largest_m ? away_m : largest_m;
        }
    }
    *error = (uint32_t)ceil(largest_m / unit_m);
    return true;
}
