// SPDX-License-Identifier: MIT
#include "bake/planet/crater.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bake/planet/crater_shelf.h"
#include "bake/planet/crater_sieve.h"
#include "common/splitmix64.h"

// Cells are this many diameters wide.
#define CELL 1.9
// Of the points that are near the sphere, at density 1; 1 at the greatest, 1.25.
#define PROBABILITY 0.8

// From one level to the next.
#define SMALLER 0.70710678118654752440

static double level_diameter(const struct craters *craters, int level)
{
    double *kept = craters->shelf ? &craters->shelf->levels[level].largest : NULL, diameter = craters->largest;
    if (kept && *kept > 0.0)
        return *kept;
    for (int k = 0; k < level; k++)
        diameter *= SMALLER;
    if (kept)
        *kept = diameter;
    return diameter;
}

int craters_level_count(const struct craters *craters)
{
    double least = CRATER_DIAMETER_MIN_PX * 0.5 / craters->f_max;
    least = craters->smallest > least ? craters->smallest : least;
    int count = 0;
    for (double diameter = craters->largest; count < CRATER_LEVELS_MAX && diameter > least; diameter *= SMALLER)
        count++;
    return count;
}

// ---- Walking --------------------------------------------------------------------------------------------

// floor() without a call of the C library, for numbers that fit.
static int64_t whole_below(double x)
{
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

// How far a cell's nearest and farthest points are from a place, along one axis and in cells.
static double least_distance(int64_t at, double place)
{
    double middle = fabs((double)at + 0.5 - place);
    return middle > 0.5 ? middle - 0.5 : 0.0;
}

static double most_distance(int64_t at)
{
    return fabs((double)at + 0.5) + 0.5;
}

static double square_sum(double a, double b)
{
    return a * a + b * b;
}

// Sets the cells along x to be looked into at walk->at[1] and [2]: those that meet the shell and the ball. All in
// cells.
static void begin_row(struct crater_walk *walk)
{
    const int64_t y = walk->at[1], z = walk->at[2];
    double in_ball =
        walk->ball * walk->ball - square_sum(least_distance(y, walk->place[1]), least_distance(z, walk->place[2]));
    double in_shell = walk->above * walk->above - square_sum(least_distance(y, 0.0), least_distance(z, 0.0));
    walk->row_at = 0;
    walk->row_end = -1;
    walk->gap_start = walk->gap_end = 0;
    if (in_ball < 0.0 || in_shell < 0.0)
        return;
    if (walk->sieve && walk->high[0] - walk->low[0] < 4) { // they go through the sieve at once
        walk->row_at = walk->low[0];
        walk->row_end = walk->high[0];
        return;
    }
    double half = sqrt(in_ball);
    walk->row_at = whole_below(walk->place[0] - half);
    walk->row_end = whole_below(walk->place[0] + half);
    if (walk->row_end - walk->row_at < 8) // not worth more square roots
        return;
    int64_t outer = whole_below(sqrt(in_shell));
    walk->row_at = walk->row_at > -outer - 1 ? walk->row_at : -outer - 1;
    walk->row_end = walk->row_end < outer ? walk->row_end : outer;
    double under = walk->below * walk->below - square_sum(most_distance(y), most_distance(z));
    if (under <= 0.0)
        return;
    // Cells that are below the shell from end to end.
    double inner = sqrt(under);
    walk->gap_end = whole_below(inner);
    walk->gap_start = -walk->gap_end;
}

void crater_walk_begin(struct crater_walk *walk, const struct craters *craters, int level, const double middle[3],
                       double radius, double reach, double wear_end)
{
    double largest = level_diameter(craters, level), cell = CELL * largest;
    assert(largest > 0.0 && largest <= 1.0);
    // A point is up to half a cell above or below its crater's centre.
    double below = 1.0 - 0.5 * cell, above = 1.0 + 0.5 * cell;
    *walk = (struct crater_walk){.craters = craters,
                                 .level = level,
                                 .radius = radius,
                                 .reach = reach,
                                 .wear_end = wear_end,
                                 .cell = cell,
                                 .largest = largest,
                                 .ball = (radius + 0.5 * reach * largest) / cell + 0.5,
                                 .below = below / cell,
                                 .above = above / cell,
                                 .sieve = crater_sieve_choose()};
    // The shell's volume is cell (1 + cell^2 / 12) times the sphere's area.
    double probability = PROBABILITY * craters->density / (1.0 + cell * cell / 12.0);
    walk->kept_below = (uint64_t)-whole_below(-0x1p20 * probability);
    walk->fresh_below = wear_end < craters->age ? (uint64_t)(wear_end / craters->age * 0x1p24) + 2 : UINT64_C(1) << 24;
    walk->seed = splitmix64_mix(splitmix64_mix(craters->seed) + (uint64_t)level * UINT64_C(0xD1B54A32D192ED03));
    memcpy(walk->middle, middle, sizeof walk->middle);
    if (craters->shelf && (walk->kept = crater_shelf_look(craters->shelf, walk)))
        return;
    for (int k = 0; k < 3; k++) {
        walk->place[k] = middle[k] / cell;
        double low = walk->place[k] - walk->ball, high = walk->place[k] + walk->ball;
        walk->low[k] = whole_below(low > -walk->above ? low : -walk->above);
        walk->high[k] = whole_below(high < walk->above ? high : walk->above);
        walk->at[k] = walk->low[k];
    }
    begin_row(walk);
}

double crater_walk_span(const struct craters *craters, int level, double radius)
{
    return 2.0 * radius / (CELL * level_diameter(craters, level));
}

static bool reaches_ball(const struct crater_walk *walk, const struct crater *crater)
{
    double away = 0.0, far = walk->radius + 0.5 * walk->reach * crater->diameter;
    for (int k = 0; k < 3; k++)
        away += (crater->center[k] - walk->middle[k]) * (crater->center[k] - walk->middle[k]);
    return away <= far * far;
}

// The crater of the cell at walk->at, if it has one that reaches the ball.
static bool crater_of_cell(const struct crater_walk *walk, struct crater *crater)
{
    uint64_t kind = splitmix64_mix(crater_key(walk, walk->at[0]));
    double wear = (double)(kind >> 40) * 0x1p-24 * walk->craters->age;
    if ((kind & 0xFFFFF) >= walk->kept_below || wear >= walk->wear_end)
        return false;
    uint64_t jitter = splitmix64_mix(kind + UINT64_C(0x9E3779B97F4A7C15));
    double point[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        point[k] = (double)walk->at[k] + ((double)(jitter >> 21 * k & 0x1FFFFF) + 0.5) * 0x1p-21;
        square += point[k] * point[k];
    }
    if (square <= walk->below * walk->below || square >= walk->above * walk->above)
        return false;
    double length = sqrt(square);
    crater->diameter = walk->largest / sqrt(1.0 + (double)(kind >> 20 & 0xFFFFF) * 0x1p-20);
    for (int k = 0; k < 3; k++)
        crater->center[k] = point[k] / length;
    if (!reaches_ball(walk, crater) || crater->diameter < walk->craters->smallest)
        return false;
    crater->age = (uint32_t)(kind >> 40);
    crater->wear = wear;
    crater->level = walk->level;
    crater->bits = splitmix64_mix(jitter + UINT64_C(0x9E3779B97F4A7C15));
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

static bool next_kept(struct crater_walk *walk, struct crater *crater)
{
    while (walk->next < walk->kept->count) {
        const struct crater *kept = &walk->kept->crater[walk->next++];
        if (reaches_ball(walk, kept)) {
            *crater = *kept;
            return true;
        }
    }
    return false;
}

// The next cells of the row, none of them in the gap. False at the end of the row.
static bool next_piece(struct crater_walk *walk)
{
    int64_t at = walk->row_at, end = walk->row_end;
    if (at >= walk->gap_start && at < walk->gap_end)
        at = walk->gap_end;
    if (at < walk->gap_start && end >= walk->gap_start && walk->gap_start < walk->gap_end)
        end = walk->gap_start - 1;
    if (at > end)
        return false;
    int count = end - at < 64 ? (int)(end - at) + 1 : 64;
    walk->piece = at;
    walk->row_at = at + count;
    if (walk->sieve)
        walk->pending = walk->sieve(walk, at, count);
    else
        walk->pending = UINT64_MAX >> (64 - count);
    return true;
}

bool crater_walk_next(struct crater_walk *walk, struct crater *crater)
{
    if (walk->kept)
        return next_kept(walk, crater);
    while (walk->at[2] <= walk->high[2]) {
        while (walk->pending != 0) {
            walk->at[0] = walk->piece + __builtin_ctzll(walk->pending);
            walk->pending &= walk->pending - 1;
            if (crater_of_cell(walk, crater))
                return true;
        }
        if (!next_piece(walk) && !step_to_next_row(walk))
            return false;
    }
    return false;
}
