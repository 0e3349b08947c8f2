// SPDX-License-Identifier: MIT
// What one octave of a fractal needs, worked out once for a block of samples: its place in the sum, the lattice that it
// is looked up in, and how much of it a spacing lets through.
#ifndef TERRANE_BAKE_PLANET_OCTAVE_H
#define TERRANE_BAKE_PLANET_OCTAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/kernels.h"

#define OCTAVE_COUNT_MAX 32

// Octaves up to this frequency run in double, the rest in float; all run in float where samples are farther apart than
// 1.25e-6 radii. See kernels.h.
#define OCTAVE_DOUBLE_FREQUENCY 8.0
#define OCTAVE_DOUBLE_F_MAX 4e5
static inline bool octave_runs_in_double(double frequency, double f_max)
{
    return frequency <= OCTAVE_DOUBLE_FREQUENCY && f_max > OCTAVE_DOUBLE_F_MAX;
}

// Lattices are turned from octave to octave, in a cycle of so many: see octave.c.
#define OCTAVE_TURNS FRACTAL_TURNS
extern const double octave_turns[OCTAVE_TURNS][3][3];

struct octave {
    double frequency;    // lattice cells per planet radius
    double amplitude;    // gain^k
    double weight;       // of the band limit, 0 < weight <= 1
    int turn;            // of octave_turns
    double matrix[3][3]; // that turn times frequency: lattice place = matrix * position + offset
    double offset[3];    // within half a cell of 0, a multiple of 2^-21
    uint32_t seed[2];
};

// Fills in octaves[0..result-1], those that f_max lets through; of those before fractal->done only frequency, amplitude
// and weight. Pure.
int octaves_prepare(struct octave octaves[OCTAVE_COUNT_MAX], const struct fractal *fractal);

#endif
