// SPDX-License-Identifier: MIT
#include "bake/planet/crater.h"

#include <assert.h>
#include <math.h>

// Cells are this many diameters wide.
#define CELL 1.35
// Of the points that are near the sphere, at density 1.
#define PROBABILITY 0.4

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of z.
static uint64_t mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double level_diameter(const struct craters *craters, int level)
{
    double diameter = craters->largest;
    for (int k = 0; k < level; k++)
        diameter *= 0.70710678118654752440;
    return diameter;
}

int craters_level_count(const struct craters *craters)
{
    double least = CRATER_DIAMETER_MIN_PX * 0.5 / craters->f_max;
    least = craters->smallest > least ? craters->smallest : least;
    int count = 0;
    while (count < CRATER_LEVELS_MAX && level_diameter(craters, count) > least)
        count++;
    return count;
}

// ---- Walking --------------------------------------------------------------------------------------------

void crater_walk_begin(struct crater_walk *walk, const struct craters *craters, int level, const double middle[3],
                       double radius, double reach)
{
    double largest = level_diameter(craters, level), cell = CELL * largest;
    assert(largest > 0.0 && largest <= 1.0);
    // A point is up to half a cell above or below its crater's centre.
    double below = 1.0 - 0.5 * cell, above = 1.0 + 0.5 * cell;
    *walk = (struct crater_walk){.craters = craters,
                                 .level = level,
                                 .radius = radius,
                                 .reach = reach,
                                 .cell = cell,
                                 .largest = largest,
                                 .nearest = below * below,
                                 .farthest = above * above,
                                 // The shell's volume is cell (1 + cell^2 / 12) times the sphere's area.
                                 .probability = PROBABILITY * craters->density / (1.0 + cell * cell / 12.0)};
    walk->seed = mix64(mix64(craters->seed) + (uint64_t)level * UINT64_C(0xD1B54A32D192ED03));
    double far = (radius + 0.5 * reach * largest) * above;
    for (int k = 0; k < 3; k++) {
        walk->middle[k] = middle[k];
        double extent = far + 0.5 * cell * fabs(middle[k]);
        double low = middle[k] - extent, high = middle[k] + extent;
        walk->low[k] = (int64_t)floor((low > -above ? low : -above) / cell);
        walk->high[k] = (int64_t)floor((high < above ? high : above) / cell);
        walk->at[k] = walk->low[k];
    }
}

double crater_walk_span(const struct craters *craters, int level, double radius)
{
    return 2.0 * radius / (CELL * level_diameter(craters, level));
}

// Whether a cell has a part near the sphere: its middle is at most half its diagonal, 0.87 cells, from that part.
static bool cell_is_near_sphere(const struct crater_walk *walk)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        double middle = ((double)walk->at[k] + 0.5) * walk->cell;
        square += middle * middle;
    }
    double least = 1.0 - 1.37 * walk->cell, most = 1.0 + 1.37 * walk->cell;
    return square <= most * most && (least <= 0.0 || square >= least * least);
}

// The crater of the cell at walk->at, if it has one that reaches the ball.
static bool crater_of_cell(const struct crater_walk *walk, struct crater *crater)
{
    uint64_t key = (uint64_t)walk->at[0] * UINT64_C(0x9E3779B185EBCA87) +
                   (uint64_t)walk->at[1] * UINT64_C(0xC2B2AE3D27D4EB4F) +
                   (uint64_t)walk->at[2] * UINT64_C(0x165667B19E3779F9) + walk->seed;
    uint64_t place = mix64(key), kind = mix64(place + UINT64_C(0x9E3779B97F4A7C15));
    double point[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        point[k] = ((double)walk->at[k] + ((double)(place >> 21 * k & 0x1FFFFF) + 0.5) * 0x1p-21) * walk->cell;
        square += point[k] * point[k];
    }
    if (square <= walk->nearest || square >= walk->farthest || (double)(kind & 0xFFFFF) * 0x1p-20 >= walk->probability)
        return false;
    double length = sqrt(square), away = 0.0;
    crater->diameter = walk->largest / sqrt(1.0 + (double)(kind >> 20 & 0xFFFFF) * 0x1p-20);
    for (int k = 0; k < 3; k++) {
        crater->center[k] = point[k] / length;
        away += (crater->center[k] - walk->middle[k]) * (crater->center[k] - walk->middle[k]);
    }
    double far = walk->radius + 0.5 * walk->reach * crater->diameter;
    if (away > far * far || crater->diameter < walk->craters->smallest)
        return false;
    crater->age = (uint32_t)(kind >> 40);
    crater->wear = (double)crater->age * 0x1p-24 * walk->craters->age;
    crater->level = walk->level;
    crater->bits = mix64(kind + UINT64_C(0x9E3779B97F4A7C15));
    return true;
}

static void step_to_next_cell(struct crater_walk *walk)
{
    for (int k = 0; k < 3; k++) {
        if (++walk->at[k] <= walk->high[k] || k == 2)
            return;
        walk->at[k] = walk->low[k];
    }
}

bool crater_walk_next(struct crater_walk *walk, struct crater *crater)
{
    while (walk->at[2] <= walk->high[2]) {
        bool found = cell_is_near_sphere(walk) && crater_of_cell(walk, crater);
        step_to_next_cell(walk);
        if (found)
            return true;
    }
    return false;
}
