// SPDX-License-Identifier: MIT
// A block's places in the lattices of a fractal's octaves. Part of kernels_template.c.
//
// The positions are turned once for all octaves that share a turn; an octave then only scales and shifts them. Float
// octaves find the place in a cell in fixed point, with 32 bits of fraction.
#ifndef TERRANE_BAKE_PLANET_KERNELS_PLACES_H
#define TERRANE_BAKE_PLANET_KERNELS_PLACES_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"
#include "bake/planet/kernels_lanes.h"
#include "bake/planet/octave.h"

struct places {
    const struct points *at;
    struct turned_block *block;
    bool in_turns; // octaves come turn by turn, and the block is no one else's: all turns take the memory of the first
    int turn;      // that is there
};

#define PLACES_NEAR 2.0
// Near positions have turned coordinates within 2 sqrt(3), so up to this frequency cells are within +-2^19.
#define PLACES_QUICK_FREQUENCY 0x1p17

// Doubles from 2^20 to 2^21 have 32 bits of fraction: their low word is the fraction, the high word a constant and the
// integer. START is for the fraction to be 0 at the low end of cell 0, which has its middle at 0.
#define FIXED_START (0x1.8p20 + 0.5)

STAGE bool all_near(const struct points *at)
{
    const double *x = at->x, *y = at->y, *z = at->z;
    int near_count = 0;
#pragma omp simd reduction(+ : near_count)
    for (int i = 0; i < PLANET_BLOCK; i++) // none that is not a number
        near_count += (fabs(x[i]) <= PLACES_NEAR) & (fabs(y[i]) <= PLACES_NEAR) & (fabs(z[i]) <= PLACES_NEAR);
    return near_count == PLANET_BLOCK;
}

// Of the bits of ready, those before are the turns'.
#define BLOCK_STARTED (1u << OCTAVE_TURNS)

static void start_block(struct turned_block *block, const struct points *at)
{
    const double *const rows[3] = {at->x, at->y, at->z};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < PLANET_BLOCK; i += LANES) {
            struct doubles samples = load_ordered(rows[axis] + i);
            store_ordered(block->ordered[axis] + i, samples.first, samples.second);
        }
    block->near = all_near(at);
    block->ready = BLOCK_STARTED;
}

// own: memory for where the fractal has none from before.
static void start_places(struct places *places, const struct points *at, const struct fractal *fractal,
                         struct turned_block *own, bool in_turns)
{
    own->ready = 0;
    places->at = at;
    places->block = fractal->block ? fractal->block : own;
    places->in_turns = in_turns && !fractal->block;
    places->turn = -1;
    if (places->block->ready == 0)
        start_block(places->block, at);
}

// The sum of no octaves: nothing, but not a number where a position is infinite or not a number.
static void start_sum(struct field out, const struct places *places)
{
    fill(out, 0.0);
    if (places->block->near)
        return;
    const double *x = places->at->x, *y = places->at->y, *z = places->at->z;
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        v[i] = (x[i] - x[i]) + (y[i] - y[i]) + (z[i] - z[i]);
        if (gx)
            gx[i] = gy[i] = gz[i] = v[i];
    }
}

STAGE void turn_row(struct turned *restrict turned, int axis, double at[3][PLANET_BLOCK], const double row[3])
{
    const double rx = row[0], ry = row[1], rz = row[2];
    const int half = PLANET_BLOCK / 2;
    double *turn = turned->at[axis];
    // Two of each, so that comparisons need not wait for the one before. Whatever the order, the least is the least.
    double low0 = INFINITY, high0 = -INFINITY, low1 = INFINITY, high1 = -INFINITY;
#pragma omp simd reduction(min : low0, low1) reduction(max : high0, high1)
    for (int i = 0; i < half; i++) {
        double place0 = rx * at[0][i] + ry * at[1][i] + rz * at[2][i];
        double place1 = rx * at[0][half + i] + ry * at[1][half + i] + rz * at[2][half + i];
        turn[i] = place0;
        turn[half + i] = place1;
        low0 = place0 < low0 ? place0 : low0;
        low1 = place1 < low1 ? place1 : low1;
        high0 = place0 > high0 ? place0 : high0;
        high1 = place1 > high1 ? place1 : high1;
    }
    turned->low[axis] = low0 < low1 ? low0 : low1;
    turned->high[axis] = high0 > high1 ? high0 : high1;
}

// Where turns take the same memory one after the other, all that an octave needs stays in the first-level cache.
static const struct turned *turned_for(struct places *places, int turn)
{
    struct turned_block *block = places->block;
    struct turned *turned = &block->turned[places->in_turns ? 0 : turn];
    bool ready = places->in_turns ? places->turn == turn : block->ready >> turn & 1;
    for (int axis = 0; axis < 3 && !ready; axis++)
        turn_row(turned, axis, block->ordered, octave_turns[turn][axis]);
    places->turn = turn;
    block->ready |= 1u << turn;
    return turned;
}

INLINE double scaled_place(double turned, double frequency)
{
    return clamp_to(turned * frequency, -0x1p50, 0x1p50);
}

// The place that a float octave sees: the number of the cell, modulo 2^32 and up to a constant, in the high word, where
// it is in the cell, from the low end, in the low one. The nearest integer is taken away first, which is exact.
INLINE uint64_t fixed_place(double turned, double frequency, double offset)
{
    double place = scaled_place(turned, frequency), rounded = place + ROUND;
    double rest = place - (rounded - ROUND);
    return double_bits(rest + (offset + FIXED_START)) + (double_bits(rounded) << 32);
}

#endif
