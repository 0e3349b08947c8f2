// SPDX-License-Identifier: MIT
// Values of 16 octaves of gradient noise beside the libraries that Debian has, where they are installed: libnoise (its
// own sum of octaves over its double lattice noise at standard quality) and stb_perlin (single precision). One JSON
// object a line, nanoseconds a sample by thread CPU time, medians of rounds in which all take turns.
//   bench_rivals [ROUNDS]
//   {"bench":"fbm value","octaves":16,"who":"terrane avx2","ns":…}
// The samples are a tile of level 9, 256 x 256 in patches of 16 x 8, the first octave one cell a radius.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_STB_PERLIN
#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>
#endif

#include "bake/planet/kernels.h"
#include "common/clock.h"

#define SIDE 256
#define SAMPLES (SIDE * SIDE)
#define BLOCKS (SAMPLES / PLANET_BLOCK)
#define OCTAVES 16
#define ROUNDS_MAX 99

static _Alignas(64) double places[BLOCKS][3][PLANET_BLOCK];
static volatile double sink; // so that no call can be left out

static void place_samples(void)
{
    const double width = 2.0 / 512;
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < PLANET_BLOCK; i++) {
            int column = b % (SIDE / 16) * 16 + i % 16, row = b / (SIDE / 16) * 8 + i / 16;
            double p[3] = {0.3 + width * column / SIDE, 0.1 + width * row / SIDE, 1.0};
            double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (int k = 0; k < 3; k++)
                places[b][k][i] = p[k] / length;
        }
}

static void terrane_block(const struct kernels *kernels, double (*p)[PLANET_BLOCK])
{
    static _Alignas(64) double values[PLANET_BLOCK];
    const struct points at = {p[0], p[1], p[2], {NULL}};
    const struct fractal fractal = {
        .kind = FRACTAL_FBM, .frequency = 1, .octaves = OCTAVES, .gain = 0.5, .lacunarity = 2, .seed = 1, .f_max = 5e4};
    kernels->fractal((struct field){values, NULL, NULL, NULL}, &at, &fractal);
    sink = values[0];
}

#ifdef HAVE_LIBNOISE
// C++: noise::GradientCoherentNoise3D(x, y, z, seed, NoiseQuality) under its name for the linker.
double libnoise_gradient(double x, double y, double z, int seed,
                         int quality) __asm__("_ZN5noise23GradientCoherentNoise3DEdddiNS_12NoiseQualityE");

// What its module::Perlin does.
static void libnoise_block(const struct kernels *kernels, double (*p)[PLANET_BLOCK])
{
    (void)kernels;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = p[0][i], y = p[1][i], z = p[2][i], weight = 1, sum = 0;
        for (int octave = 0; octave < OCTAVES; octave++) {
            sum += weight * libnoise_gradient(x, y, z, octave, 1);
            x *= 2, y *= 2, z *= 2, weight *= 0.5;
        }
        sink = sum;
    }
}
#endif

#ifdef HAVE_STB_PERLIN
static void stb_block(const struct kernels *kernels, double (*p)[PLANET_BLOCK])
{
    (void)kernels;
    for (int i = 0; i < PLANET_BLOCK; i++)
        sink = (double)stb_perlin_fbm_noise3((float)p[0][i], (float)p[1][i], (float)p[2][i], 2, 0.5f, OCTAVES);
}
#endif

struct rival {
    const char *name;
    void (*block)(const struct kernels *kernels, double (*p)[PLANET_BLOCK]);
    const char *kernels;
};

static const struct rival rivals[] = {
    {"terrane base", terrane_block, "base"},     {"terrane avx2", terrane_block, "avx2"},
    {"terrane avx512", terrane_block, "avx512"},
#ifdef HAVE_LIBNOISE
    {"libnoise", libnoise_block, "base"},
#endif
#ifdef HAVE_STB_PERLIN
    {"stb_perlin", stb_block, "base"},
#endif
};
#define RIVALS ((int)(sizeof rivals / sizeof *rivals))

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    static double seconds[RIVALS][ROUNDS_MAX];
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    place_samples();
    for (int round = 0; round < rounds; round++)
        for (int r = 0; r < RIVALS; r++) {
            const struct kernels *kernels = kernels_named(rivals[r].kernels);
            double start = clock_thread_seconds();
            for (int b = 0; kernels && b < BLOCKS; b++)
                rivals[r].block(kernels, places[b]);
            seconds[r][round] = clock_thread_seconds() - start;
        }
    for (int r = 0; r < RIVALS; r++) {
        qsort(seconds[r], (size_t)rounds, sizeof(double), compare_doubles);
        if (kernels_named(rivals[r].kernels))
            printf("{\"bench\":\"fbm value\",\"octaves\":%d,\"who\":\"%s\",\"ns\":%.2f}\n", OCTAVES, rivals[r].name,
                   1e9 * seconds[r][rounds / 2] / SAMPLES);
    }
    return 0;
}
