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

// How far the farthest point of a cell is from a place along one axis, or its nearest where farthest is false.
static double axis_distance(const struct crater_walk *walk, int axis, double place, bool farthest)
{
    double middle = fabs(((double)walk->at[axis] + 0.5) * walk->cell - place), half = 0.5 * walk->cell;
    return farthest ? middle + half : middle > half ? middle - half : 0.0;
}

static double square_sum(double a, double b)
{
    return a * a + b * b;
}

// Sets the cells along x to be looked into at walk->at[1] and [2]: those that meet the shell and the ball.
static void begin_row(struct crater_walk *walk)
{
    double from_middle =
        square_sum(axis_distance(walk, 1, walk->middle[1], false), axis_distance(walk, 2, walk->middle[2], false));
    double least = square_sum(axis_distance(walk, 1, 0.0, false), axis_distance(walk, 2, 0.0, false));
    double most = square_sum(axis_distance(walk, 1, 0.0, true), axis_distance(walk, 2, 0.0, true));
    double in_ball = walk->ball * walk->ball - from_middle, in_shell = walk->farthest - least;
    walk->at[0] = 0;
    walk->row_end = -1;
    walk->gap_start = walk->gap_end = 0;
    if (in_ball < 0.0 || in_shell < 0.0)
        return;
    double half = sqrt(in_ball), outer = sqrt(in_shell);
    double low = walk->middle[0] - half, high = walk->middle[0] + half;
    walk->at[0] = (int64_t)floor((low > -outer ? low : -outer) / walk->cell);
    walk->row_end = (int64_t)floor((high < outer ? high : outer) / walk->cell);
    if (walk->nearest <= most)
        return;
    // Cells that are below the shell from end to end.
    double inner = sqrt(walk->nearest - most) / walk->cell;
    walk->gap_start = (int64_t)ceil(-inner);
    walk->gap_end = (int64_t)floor(inner);
}

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
                                 .ball = radius + 0.5 * reach * largest + 0.5 * cell,
                                 .nearest = below * below,
                                 .farthest = above * above,
                                 // The shell's volume is cell (1 + cell^2 / 12) times the sphere's area.
                                 .probability = PROBABILITY * craters->density / (1.0 + cell * cell / 12.0)};
    walk->seed = mix64(mix64(craters->seed) + (uint64_t)level * UINT64_C(0xD1B54A32D192ED03));
    for (int k = 0; k < 3; k++) {
        walk->middle[k] = middle[k];
        double low = middle[k] - walk->ball, high = middle[k] + walk->ball;
        walk->low[k] = (int64_t)floor((low > -above ? low : -above) / cell);
        walk->high[k] = (int64_t)floor((high < above ? high : above) / cell);
        walk->at[k] = walk->low[k];
    }
    begin_row(walk);
}

double crater_walk_span(const struct craters *craters, int level, double radius)
{
    return 2.0 * radius / (CELL * level_diameter(craters, level));
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

// From behind the end of a row to the beginning of the next. False at the end.
static bool step_to_next_row(struct crater_walk *walk)
{
    if (++walk->at[1] > walk->high[1]) {
        walk->at[1] = walk->low[1];
        if (++walk->at[2] > walk->high[2])
            return false;
    }
    begin_row(walk);
    return true;
}

bool crater_walk_next(struct crater_walk *walk, struct crater *crater)
{
    while (walk->at[2] <= walk->high[2]) {
        for (; walk->at[0] <= walk->row_end; walk->at[0]++) {
            if (walk->at[0] >= walk->gap_start && walk->at[0] < walk->gap_end) {
                walk->at[0] = walk->gap_end - 1;
                continue;
            }
            if (crater_of_cell(walk, crater)) {
                walk->at[0]++;
                return true;
            }
        }
        if (!step_to_next_row(walk))
            return false;
    }
    return false;
}
