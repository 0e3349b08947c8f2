// SPDX-License-Identifier: MIT
// What a mask is over a whole block. Part of kernels_template.c.
//
// Counting has no branch and so is vectorised; the first samples are counted alone, since most masks that fail do so
// there.
#ifndef TERRANE_BAKE_PLANET_KERNELS_MASK_H
#define TERRANE_BAKE_PLANET_KERNELS_MASK_H

#include "bake/planet/kernels_common.h"

#define MASK_FIRST 16

INLINE int64_t count_equal(const double *row, int from, int to, double value)
{
    int64_t count = 0;
#pragma omp simd reduction(+ : count)
    for (int i = from; i < to; i++)
        count += row[i] == value ? INT64_C(1) : INT64_C(0);
    return count;
}

static bool is_filled(const double *row, double value)
{
    return count_equal(row, 0, MASK_FIRST, value) == MASK_FIRST &&
           count_equal(row, MASK_FIRST, PLANET_BLOCK, value) == PLANET_BLOCK - MASK_FIRST;
}

INLINE int64_t count_above_zero(const double *row, int from, int to)
{
    int64_t count = 0;
#pragma omp simd reduction(+ : count)
    for (int i = from; i < to; i++)
        count += row[i] > 0.0 ? INT64_C(1) : INT64_C(0);
    return count;
}

INLINE int64_t count_from_one(const double *row, int from, int to)
{
    int64_t count = 0;
#pragma omp simd reduction(+ : count)
    for (int i = from; i < to; i++)
        count += row[i] >= 1.0 ? INT64_C(1) : INT64_C(0);
    return count;
}

static bool clamps_to(const double *row, bool one)
{
    if (one)
        return count_from_one(row, 0, MASK_FIRST) == MASK_FIRST &&
               count_from_one(row, MASK_FIRST, PLANET_BLOCK) == PLANET_BLOCK - MASK_FIRST;
    return count_above_zero(row, 0, MASK_FIRST) == 0 && count_above_zero(row, MASK_FIRST, PLANET_BLOCK) == 0;
}

#endif
