// SPDX-License-Identifier: MIT
// Where impact craters lie, how large and how old they are, and what shape each has: one by one, in double, for the
// kernels that add them up and for tests that count them.
//
// A field has levels, each with craters of D0 / sqrt(2) < D <= D0, D0 = largest / sqrt(2)^level. A level is a lattice
// of cells of 1.9 D0 through space. Each cell has one point at a random place in it; points within half a cell of the
// unit sphere (one for each cell^2 of its area) are projected onto it and kept with a probability, the same in every
// level. With D^-2 spread evenly within a level that makes N(>D) = 0.22 density D^-2 for each unit of area, the law of
// ground that is saturated with craters (Moore 1980; 14 % of geometric saturation).
#ifndef TERRANE_BAKE_PLANET_CRATER_H
#define TERRANE_BAKE_PLANET_CRATER_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/kernels.h"

// The smallest level is largest / 2^24.
#define CRATER_LEVELS_MAX 48
// A crater fades in between these diameters, in samples.
#define CRATER_DIAMETER_MIN_PX 2.2
#define CRATER_DIAMETER_FULL_PX 5.0
#define CRATER_WAVES 3
// The rim's radius differs from D / 2 by at most this share.
#define CRATER_WOBBLE 0.08
// Radii at which an ejecta blanket and rays end.
#define CRATER_EJECTA_END 2.6
#define CRATER_RAYS_END 6.0
// Rays are there up to this wear.
#define CRATER_RAYS_WEAR 0.12

struct crater {
    double center[3]; // on the unit sphere
    double diameter;  // in planet radii, along the chord
    double wear;      // 0 just made .. 1 almost gone
    uint32_t age;     // the order in which they were made: the greater, the earlier
    int level;
    uint64_t bits; // random, for its shape
};

// Levels with craters that f_max lets through at all.
int craters_level_count(const struct craters *craters);

struct crater_walk;
// Of count cells, 1 to 64, of a walk's row from x on: bit k where cell x + k may have a crater that the walk is to
// find; the others have none. See crater_sieve.h.
typedef uint64_t crater_sieve(const struct crater_walk *walk, int64_t x, int count);

// A search through one level for the craters of which a part may lie within radius of middle: those whose rims, times
// reach, touch that ball. Always in the same order, by cell; a smaller ball gives a part of what a larger one gives.
struct crater_walk {
    const struct craters *craters;
    int level;
    double middle[3];
    double radius, reach, wear_end;
    double cell, largest; // of the level
    // In cells: middle, the ball around it in which all points of such craters lie, and between which distances from
    // the planet's middle points are kept.
    double place[3], ball, below, above;
    uint64_t seed;
    // A cell's random bits: of 20 of them a crater is there below kept_below, of 24 it is less worn than wear_end below
    // fresh_below; the second is only near.
    uint64_t kept_below, fresh_below;
    int64_t low[3], high[3], at[3];
    int64_t row_end, gap_start, gap_end; // of the row of cells at at[1], at[2], which is looked into from row_at on
    int64_t row_at;
    // Cells from piece on that are still to be looked into, a bit each.
    int64_t piece;
    uint64_t pending;
    crater_sieve *sieve; // or NULL
    // Where a shelf has all that can be found (crater_shelf.h), these are gone through instead, from number next on.
    const struct crater_level *kept;
    int next;
};

// What the random bits of a cell of the walk's row come from: its place.
#define CRATER_KEY_X UINT64_C(0x9E3779B185EBCA87)
static inline uint64_t crater_key(const struct crater_walk *walk, int64_t x)
{
    return (uint64_t)x * CRATER_KEY_X + (uint64_t)walk->at[1] * UINT64_C(0xC2B2AE3D27D4EB4F) +
           (uint64_t)walk->at[2] * UINT64_C(0x165667B19E3779F9) + walk->seed;
}

// Only craters with a wear below wear_end. A radius of 4 around 0 finds all.
void crater_walk_begin(struct crater_walk *walk, const struct craters *craters, int level, const double middle[3],
                       double radius, double reach, double wear_end);
bool crater_walk_next(struct crater_walk *walk, struct crater *crater);

// The most cells along an axis that a walk over a ball of that radius looks into.
double crater_walk_span(const struct craters *craters, int level, double radius);

// Lengths in radii of the rim, heights in depths of the crater: floor, wall and ejecta are
//   inner(y) = rim - 1 + max(0, (y - floor) / (1 - floor))^2, outer(y) = rim y^-3 (1 - smoothstep(1.5, 2.6, y)),
// the lower of the two, rounded off where they are closer than softness, and a bump
//   peak (1 - ((y - peak_at) / peak_width)^2)^3,
// where y is the distance from the centre times 1 + sum of wobble[k] wave(frequency[k] . place + phase[k]).
struct crater_shape {
    double visible;  // the band limit's weight
    double height_m; // metres that a depth of 1 stands for, times that
    double rim, floor, softness;
    double peak, peak_at, peak_width;
    double erase; // share of older craters, those that are not larger, that is gone inside the rim
    double frequency[CRATER_WAVES][3], phase[CRATER_WAVES], wobble[CRATER_WAVES];
};

void crater_shape(struct crater_shape *shape, const struct craters *craters, const struct crater *crater);

#endif
