// SPDX-License-Identifier: MIT
#include "bake/planet/octave.h"

#include <assert.h>

#include "common/splitmix64.h"

// Quaternions (0,3,-6,2), (0,3,6,2), (1,-1,-2,-1) and (1,-2,-1,-1). Of all with components up to 7 they keep the axes
// of any two lattices, and of each and the cube that the tiles lie on, furthest apart: 31 degrees. Octaves that share a
// turn are lacunarity^4 apart in size, and shifted. So few turns let a block be turned once for several octaves.
const double octave_turns[OCTAVE_TURNS][3][3] = {
    {{-31.0 / 49, -36.0 / 49, 12.0 / 49}, {-36.0 / 49, 23.0 / 49, -24.0 / 49}, {12.0 / 49, -24.0 / 49, -41.0 / 49}},
    {{-31.0 / 49, 36.0 / 49, 12.0 / 49}, {36.0 / 49, 23.0 / 49, 24.0 / 49}, {12.0 / 49, 24.0 / 49, -41.0 / 49}},
    {{-3.0 / 7, 6.0 / 7, -2.0 / 7}, {2.0 / 7, 3.0 / 7, 6.0 / 7}, {6.0 / 7, 2.0 / 7, -3.0 / 7}},
    {{3.0 / 7, 6.0 / 7, 2.0 / 7}, {2.0 / 7, -3.0 / 7, 6.0 / 7}, {6.0 / 7, -2.0 / 7, -3.0 / 7}}};

static double band_weight(double f_max, double frequency)
{
    double weight = (f_max - frequency) / (0.5 * frequency);
    return weight < 1.0 ? weight : 1.0;
}

// From the mixed seed of the fractal: mixing again keeps the octaves of one seed from being those of another, shifted.
static void octave_seed(struct octave *octave, uint64_t mixed_seed, int k)
{
    uint64_t bits = splitmix64_mix(mixed_seed + (uint64_t)k * UINT64_C(0xD1B54A32D192ED03));
    octave->seed[0] = (uint32_t)bits;
    octave->seed[1] = (uint32_t)(bits >> 32);
    bits = splitmix64_mix(bits + UINT64_C(0x9E3779B97F4A7C15));
    for (int i = 0; i < 3; i++)
        octave->offset[i] = (double)(bits >> 21 * i & 0x1FFFFF) * 0x1p-21 - 0.5;
}

// In which lattice it is looked up.
static void place_octave(struct octave *octave, uint64_t mixed_seed, int k)
{
    octave->turn = k % OCTAVE_TURNS;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            octave->matrix[i][j] = octave->frequency * octave_turns[octave->turn][i][j];
    octave_seed(octave, mixed_seed, k);
}

int octaves_prepare(struct octave octaves[OCTAVE_COUNT_MAX], const struct fractal *fractal)
{
    assert(fractal->octaves >= 1 && fractal->octaves <= OCTAVE_COUNT_MAX);
    assert(fractal->frequency > 0.0 && fractal->lacunarity > 1.0);
    double frequency = fractal->frequency, amplitude = 1.0;
    uint64_t mixed_seed = splitmix64_mix(fractal->seed + UINT64_C(0x9E3779B97F4A7C15));
    int count = 0;
    while (count < fractal->octaves) {
        struct octave *octave = &octaves[count];
        octave->frequency = frequency;
        octave->amplitude = amplitude;
        octave->weight = band_weight(fractal->f_max, frequency);
        if (!(octave->weight > 0.0))
            break;
        if (count >= fractal->done)
            place_octave(octave, mixed_seed, count);
        frequency *= fractal->lacunarity;
        amplitude *= fractal->gain;
        count++;
    }
    return count;
}
