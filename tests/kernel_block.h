// SPDX-License-Identifier: MIT
// Blocks of samples for the tests of the planet engine's kernels: memory for fields, random directions, and fields that
// are known functions of the position.
#ifndef TERRANE_TESTS_KERNEL_BLOCK_H
#define TERRANE_TESTS_KERNEL_BLOCK_H

#include <math.h>
#include <stdbool.h>

#include "bake/planet/kernels.h"
#include "tests/check.h"

// Room for one field with gradient, or four rows of anything.
struct block {
    _Alignas(64) double row[4][PLANET_BLOCK];
};

static inline struct field block_field(struct block *block, bool gradient)
{
    struct field field = {block->row[0], NULL, NULL, NULL};
    if (gradient)
        field = (struct field){block->row[0], block->row[1], block->row[2], block->row[3]};
    return field;
}

// Positions: rows 0..2 are x, y, z.
static inline struct points block_points(struct block *places)
{
    return (struct points){places->row[0], places->row[1], places->row[2], {NULL}};
}

static inline double random_between(double low, double high)
{
    return low + (high - low) * check_random_unit();
}

static inline void random_directions(struct block *places)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x, y, z, square;
        do {
            x = random_between(-1, 1), y = random_between(-1, 1), z = random_between(-1, 1);
            square = x * x + y * y + z * z;
        } while (square < 0.01 || square > 1.0);
        places->row[0][i] = x / sqrt(square);
        places->row[1][i] = y / sqrt(square);
        places->row[2][i] = z / sqrt(square);
    }
}

// With up to so many knots, some of them at one place.
static inline struct ramp random_ramp(int count_max)
{
    struct ramp ramp = {.count = 1 + (int)check_random_below((uint64_t)count_max)};
    double x = -2.0;
    for (int k = 0; k < ramp.count; k++) {
        if (check_random_below(3))
            x += random_between(0.001, 0.5);
        ramp.x[k] = x;
        ramp.red[k] = check_random_unit();
        ramp.green[k] = check_random_unit();
        ramp.blue[k] = check_random_unit();
    }
    ramp_prepare(&ramp);
    return ramp;
}

// The field c[0] + c[1] x + c[2] y + c[3] z + c[4] x y + c[5] y z + c[6] z^2 with its gradient.
struct polynomial {
    double c[7];
};

static inline struct polynomial random_polynomial(void)
{
    struct polynomial polynomial;
    for (int k = 0; k < 7; k++)
        polynomial.c[k] = random_between(-1, 1);
    return polynomial;
}

static inline void polynomial_field(struct field out, const struct polynomial *polynomial, const struct block *places)
{
    const double *c = polynomial->c;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = places->row[0][i], y = places->row[1][i], z = places->row[2][i];
        out.v[i] = c[0] + c[1] * x + c[2] * y + c[3] * z + c[4] * x * y + c[5] * y * z + c[6] * z * z;
        if (!out.gx)
            continue;
        out.gx[i] = c[1] + c[4] * y;
        out.gy[i] = c[2] + c[4] * x + c[5] * z;
        out.gz[i] = c[3] + c[5] * y + 2 * c[6] * z;
    }
}

static const char *const kernel_variants[] = {"base", "avx2", "avx512"};
#define KERNEL_VARIANT_COUNT 3

#endif
