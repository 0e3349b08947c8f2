// SPDX-License-Identifier: MIT
// How an octave of noise sees the samples of a block: in which cells, and where in them. Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_PLACING_H
#define TERRANE_BAKE_PLANET_KERNELS_PLACING_H

#include "bake/planet/kernels_lanes.h"
#include "bake/planet/kernels_places.h"

// What the loops over a block need, along each axis.
struct placing_floats {
    bool one_cell; // all samples lie in one cell, whose number is cell
    bool far;      // fixed holds the places; else they are turned * frequency - middle + start
    const double *turned[3];
    double frequency, start[3], middle[3];
    uint32_t cell[3];
    uint64_t fixed[3][PLANET_BLOCK];
};

struct placing_doubles {
    bool one_cell, far; // never far
    const double *turned[3];
    double frequency, offset[3];
};

// ROUND and what float octaves have in the high word of cell 0: an octave is the same noise in float and in double.
#define DOUBLES_START (ROUND + 0x41380000)

// LANES samples: numbers of the cells, modulo 2^32, and from their middles, -0.5..0.5.
struct cell_floats {
    VECTOR(uint32_t, LANES) x, y, z;
    FLOATS dx, dy, dz;
};

struct cell_doubles {
    VECTOR(uint32_t, LANES / 2) x, y, z;
    DOUBLES dx, dy, dz;
};

STAGE void find_fixed_places(uint64_t *restrict fixed, const double *restrict turned, double frequency, double offset)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        fixed[i] = fixed_place(turned[i], frequency, offset);
}

// fixed_place says what a float octave sees. In loops the same bits come for less where the place itself, or less the
// middle of the one cell that all lie in, is a number of less than 2^19 cells.
static void place_floats(struct placing_floats *placing, const struct places *places, const struct turned *turned,
                         const struct octave *octave)
{
    const double f = octave->frequency;
    placing->one_cell = places->block->near;
    placing->frequency = f;
    for (int axis = 0; axis < 3; axis++) {
        placing->turned[axis] = turned->at[axis];
        placing->start[axis] = octave->offset[axis] + FIXED_START;
        placing->one_cell = placing->one_cell && (turned->high[axis] - turned->low[axis]) * f < 1.5;
    }
    for (int axis = 0; axis < 3 && placing->one_cell; axis++) {
        double offset = octave->offset[axis], low = turned->low[axis];
        uint64_t first = fixed_place(low, f, offset), last = fixed_place(turned->high[axis], f, offset);
        placing->cell[axis] = (uint32_t)(first >> 32);
        // Away from 0 only, where taking the middle away is exact.
        double middle = (scaled_place(low, f) + ROUND) - ROUND;
        placing->middle[axis] = fabs(middle) < 0x1p18 ? 0.0 : middle;
        placing->one_cell = first >> 32 == last >> 32;
    }
    placing->far = !placing->one_cell && !(places->block->near && f <= PLACES_QUICK_FREQUENCY);
    for (int axis = 0; axis < 3 && placing->far; axis++)
        find_fixed_places(placing->fixed[axis], turned->at[axis], f, octave->offset[axis]);
}

static void place_doubles(struct placing_doubles *placing, const struct places *places, const struct turned *turned,
                          const struct octave *octave)
{
    placing->one_cell = places->block->near;
    placing->far = false;
    placing->frequency = octave->frequency;
    for (int axis = 0; axis < 3; axis++) {
        double first = turned->low[axis] * octave->frequency + octave->offset[axis] + DOUBLES_START;
        double last = turned->high[axis] * octave->frequency + octave->offset[axis] + DOUBLES_START;
        placing->turned[axis] = turned->at[axis];
        placing->offset[axis] = octave->offset[axis];
        placing->one_cell = placing->one_cell && first == last;
    }
}

// Along one axis.
INLINE void cell_along_floats(VECTOR(uint32_t, LANES) * cell, FLOATS *d, const struct placing_floats *placing, int axis,
                              int i, bool one_cell, bool far)
{
    struct doubles at;
    if (far) {
        memcpy(&at.first, &placing->fixed[axis][i], sizeof at.first);
        memcpy(&at.second, &placing->fixed[axis][i + LANES / 2], sizeof at.second);
    } else {
        at = load_ordered(placing->turned[axis] + i);
        at.first = at.first * placing->frequency;
        at.second = at.second * placing->frequency;
        if (one_cell) {
            at.first = at.first - placing->middle[axis];
            at.second = at.second - placing->middle[axis];
        }
        at.first = at.first + placing->start[axis];
        at.second = at.second + placing->start[axis];
    }
    VECTOR(uint32_t, LANES) fraction = (VECTOR(uint32_t, LANES))LOW_WORDS(at) ^ 0x80000000u;
    *d = __builtin_convertvector((VECTOR(int32_t, LANES))fraction, FLOATS) * 0x1p-32f;
    *cell = (VECTOR(uint32_t, LANES))HIGH_WORDS(at);
    if (one_cell)
        *cell = (VECTOR(uint32_t, LANES)){0} + placing->cell[axis];
}

INLINE struct cell_floats cell_at_floats(const struct placing_floats *placing, int i, bool one_cell, bool far)
{
    struct cell_floats cell;
    cell_along_floats(&cell.x, &cell.dx, placing, 0, i, one_cell, far);
    cell_along_floats(&cell.y, &cell.dy, placing, 1, i, one_cell, far);
    cell_along_floats(&cell.z, &cell.dz, placing, 2, i, one_cell, far);
    return cell;
}

INLINE void cell_along_doubles(VECTOR(uint32_t, LANES / 2) * cell, DOUBLES *d, const struct placing_doubles *placing,
                               int axis, int i)
{
    DOUBLES place = load_samples(placing->turned[axis], i) * placing->frequency + placing->offset[axis],
            rounded = place + DOUBLES_START;
    *cell = __builtin_convertvector((VECTOR(uint64_t, LANES / 2)) rounded, VECTOR(uint32_t, LANES / 2));
    *d = place - (rounded - DOUBLES_START);
}

INLINE struct cell_doubles cell_at_doubles(const struct placing_doubles *placing, int i, bool one_cell, bool far)
{
    struct cell_doubles cell;
    (void)one_cell, (void)far;
    cell_along_doubles(&cell.x, &cell.dx, placing, 0, i);
    cell_along_doubles(&cell.y, &cell.dy, placing, 1, i);
    cell_along_doubles(&cell.z, &cell.dz, placing, 2, i);
    return cell;
}

#endif
