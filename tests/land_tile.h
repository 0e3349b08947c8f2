// SPDX-License-Identifier: MIT
// Synthetic land for tests and benchmarks of the codecs: heights, normals and colours with the texture of baked tiles,
// made from nothing but integer hashes and exact arithmetic, so that every machine measures the same bytes.
#ifndef TERRANE_TESTS_LAND_TILE_H
#define TERRANE_TESTS_LAND_TILE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/splitmix64.h"

struct land_kind {
    int side;           // samples a side
    double spacing_m;   // between samples
    double persistence; // amplitude of an octave over that of the one twice as coarse: 0.5 smooth, 0.57 rough
    uint64_t seed;
};

#define LAND_UNIT_M 0x1p-8
#define LAND_LONGEST_M 5e6
#define LAND_AMPLITUDE_M 4500.0

static inline double land_hash(int64_t x, int64_t y, uint64_t seed)
{
    uint64_t z = (uint64_t)x * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)y * UINT64_C(0xC2B2AE3D27D4EB4F) ^ seed;
    return (double)(splitmix64_mix(z) >> 11) * 0x1p-52 - 1.0;
}

// Value noise in [-1, 1] with a quintic blend.
static inline double land_noise(double x, double y, uint64_t seed)
{
    double cell_x = floor(x), cell_y = floor(y), fx = x - cell_x, fy = y - cell_y;
    double bx = fx * fx * fx * (fx * (fx * 6 - 15) + 10), by = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
    int64_t i = (int64_t)cell_x, j = (int64_t)cell_y;
    double south = land_hash(i, j, seed), north = land_hash(i, j + 1, seed);
    south += bx * (land_hash(i + 1, j, seed) - south);
    north += bx * (land_hash(i + 1, j + 1, seed) - north);
    return south + by * (north - south);
}

// fBm with octaves from longest_m down to two samples, each turned against the last so that no lattice shows.
static inline double land_fbm(double x_m, double y_m, double longest_m, const struct land_kind *kind, uint64_t seed)
{
    double sum = 0, amplitude = 1, wave_m = longest_m;
    for (uint64_t octave = 0; wave_m >= 2 * kind->spacing_m; octave++) {
        double turned_m = 0.8 * x_m - 0.6 * y_m;
        y_m = 0.6 * x_m + 0.8 * y_m;
        x_m = turned_m;
        sum += amplitude * land_noise(x_m / wave_m, y_m / wave_m, seed + octave * UINT64_C(0x632BE59BD9B4E019));
        amplitude *= kind->persistence;
        wave_m *= 0.5;
    }
    return sum;
}

static inline uint8_t land_byte(double v)
{
    double scaled = floor(v * 255 + 0.5);
    return (uint8_t)(scaled < 0 ? 0 : scaled > 255 ? 255 : scaled);
}

static inline void land_color(uint8_t *rgb, double height_m, double slope, double moisture, double texel)
{
    static const double palette[4][3] = {
        {0.16, 0.29, 0.07}, {0.48, 0.42, 0.24}, {0.37, 0.34, 0.31}, {0.93, 0.94, 0.96}};
    double weights[4] = {0.5 + 0.5 * moisture, 0.5 - 0.5 * moisture, slope * 2, (height_m - 2500) / 1500};
    double sum = 0, mix[3] = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        double weight = weights[k] < 0.02 ? 0.02 : weights[k] > 2 ? 2 : weights[k];
        sum += weight;
        for (int c = 0; c < 3; c++)
            mix[c] += weight * palette[k][c];
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = land_byte(sqrt(mix[c] / sum) * (1 + 0.04 * texel));
}

// heights: side^2 units of LAND_UNIT_M. normals, colors: side^2 RGB, 8 bits.
static inline void land_make(const struct land_kind *kind, int32_t *heights, uint8_t *normals, uint8_t *colors)
{
    int side = kind->side, wide = side + 2;
    double x0 = land_hash(1, 2, kind->seed) * 4e6, y0 = land_hash(3, 4, kind->seed) * 4e6;
    double *field = malloc((size_t)wide * (size_t)wide * sizeof *field);
    if (!field)
        abort();
    for (int row = 0; row < wide; row++) {
        for (int column = 0; column < wide; column++)
            field[row * wide + column] =
                LAND_AMPLITUDE_M * land_fbm(x0 + (column - 1) * kind->spacing_m, y0 + (row - 1) * kind->spacing_m,
                                            LAND_LONGEST_M, kind, kind->seed);
    }
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            const double *at = field + (row + 1) * wide + column + 1;
            double dx = (at[1] - at[-1]) / (2 * kind->spacing_m), dy = (at[wide] - at[-wide]) / (2 * kind->spacing_m);
            double length = sqrt(1 + dx * dx + dy * dy), normal[3] = {-dx / length, dy / length, 1 / length};
            size_t k = (size_t)row * (size_t)side + (size_t)column;
            heights[k] = (int32_t)floor(at[0] / LAND_UNIT_M + 0.5);
            for (int c = 0; c < 3; c++)
                normals[3 * k + (size_t)c] = (uint8_t)(floor(127 * normal[c] + 0.5) + 128);
            double x_m = x0 + column * kind->spacing_m, y_m = y0 + row * kind->spacing_m;
            double moisture = land_fbm(x_m, y_m, 2e6, kind, kind->seed + 77);
            double texel = land_fbm(x_m, y_m, 16 * kind->spacing_m, kind, kind->seed + 99);
            land_color(colors + 3 * k, at[0], sqrt(dx * dx + dy * dy), moisture, texel);
        }
    }
    free(field);
}

#endif
