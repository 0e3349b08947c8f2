// SPDX-License-Identifier: MIT
#include "formats/height_predict.h"

#include <stddef.h>
#include <string.h>

#include "formats/height_predict_avx2.h"

// All arithmetic is on uint32_t, modulo 2^32; signed numbers are in two's complement.

static uint32_t fold(uint32_t residual)
{
    return residual << 1 ^ (0 - (residual >> 31));
}

static uint32_t unfold(uint32_t folded)
{
    return folded >> 1 ^ (0 - (folded & 1));
}

static uint32_t halved(uint32_t v)
{
    return (uint32_t)((int32_t)v >> 1); // arithmetic in every compiler that we know of
}

// The second-order prediction is W + N + (S >> 2) with S = 2 - 2NW - WW - NN, which has 34 bits. But -(S >> 2) is the
// mean of NW and M, rounded down, where M is the mean of WW and NN, rounded up; and a mean of two numbers needs no more
// bits than they have: a + b = 2(a & b) + (a ^ b) = 2(a | b) - (a ^ b). So this loop vectorises.
static uint32_t second_order(uint32_t w, uint32_t ww, uint32_t n, uint32_t nn, uint32_t nw)
{
    uint32_t middle = (ww | nn) - halved(ww ^ nn);
    return w + n - ((nw & middle) + halved(nw ^ middle));
}

// Folded residuals of one row. at is its first sample; the rows above lie before it in memory.
static void predict_row(uint32_t *restrict folded, const int32_t *heights, int row, int side)
{
    const int32_t *at = heights + (ptrdiff_t)row * side;
    const int32_t *north = row > 0 ? at - side : NULL;
    const int32_t *north2 = row > 1 ? north - side : NULL;
    folded[0] = fold((uint32_t)at[0] - (row > 0 ? (uint32_t)north[0] : 0));
    if (row == 0) {
        for (int k = 1; k < side; k++)
            folded[k] = fold((uint32_t)at[k] - (uint32_t)at[k - 1]);
        return;
    }
    int planar_end = row == 1 || side < 2 ? side : 2;
    for (int k = 1; k < planar_end; k++)
        folded[k] = fold((uint32_t)at[k] - ((uint32_t)at[k - 1] + (uint32_t)north[k] - (uint32_t)north[k - 1]));
    for (int k = planar_end; k < side; k++) {
        uint32_t prediction = second_order((uint32_t)at[k - 1], (uint32_t)at[k - 2], (uint32_t)north[k],
                                           (uint32_t)north2[k], (uint32_t)north[k - 1]);
        folded[k] = fold((uint32_t)at[k] - prediction);
    }
}

static uint32_t bits_of(const uint32_t *folded, int count)
{
    uint32_t bits = 0;
    for (int k = 0; k < count; k++)
        bits |= folded[k];
    return bits;
}

// Predicts a row and divides it among the planes.
static void put_row(uint8_t *planes, const int32_t *heights, int y, int side, uint32_t *row,
                    struct height_residual_bits *bits)
{
    size_t plane_bytes = (size_t)side * (size_t)side;
    predict_row(row, heights, y, side);
    uint32_t others = bits_of(row + 1, side - 1);
    *(y == 0 ? &bits->first : &bits->others) |= row[0];
    bits->others |= others;
    for (int plane = 0; plane < HEIGHT_PLANES_MAX; plane++) {
        uint8_t *restrict target = planes + (size_t)plane * plane_bytes + (size_t)y * (size_t)side;
        if ((row[0] | others) >> (8 * plane) == 0) {
            memset(target, 0, (size_t)side);
            continue;
        }
        for (int k = 0; k < side; k++)
            target[k] = (uint8_t)(row[k] >> (8 * plane));
    }
}

struct height_residual_bits height_to_planes_plain(uint8_t *planes, const int32_t *heights, int side, uint32_t *row)
{
    struct height_residual_bits bits = {0, 0};
    for (int y = 0; y < side; y++)
        put_row(planes, heights, y, side, row, &bits);
    return bits;
}

#if defined(__x86_64__)
// The first two samples of all rows but the first two. Returns the OR of their folded residuals.
static uint32_t put_first_columns(uint8_t *planes, const int32_t *heights, int side)
{
    size_t row_samples = (size_t)side, plane_bytes = row_samples * row_samples;
    uint32_t bits = 0;
    for (size_t at = 2 * row_samples; at < plane_bytes; at += row_samples) {
        uint32_t w = (uint32_t)heights[at], nw = (uint32_t)heights[at - row_samples];
        uint32_t n = (uint32_t)heights[at - row_samples + 1];
        uint32_t first = fold(w - nw), second = fold((uint32_t)heights[at + 1] - (w + n - nw));
        bits |= first | second;
        for (size_t plane = 0; plane < HEIGHT_PLANES_MAX; plane++) {
            planes[plane * plane_bytes + at] = (uint8_t)(first >> (8 * plane));
            planes[plane * plane_bytes + at + 1] = (uint8_t)(second >> (8 * plane));
        }
    }
    return bits;
}
#endif

struct height_residual_bits height_to_planes(uint8_t *planes, const int32_t *heights, int side, uint32_t *row)
{
#if defined(__x86_64__)
    if (side >= HEIGHT_INNER_SIDE_MIN && __builtin_cpu_supports("avx2")) {
        struct height_residual_bits bits = {0, put_first_columns(planes, heights, side)};
        bits.others |= height_inner_planes_avx2(planes, heights, side);
        for (int y = 0; y < 2; y++)
            put_row(planes, heights, y, side, row, &bits);
        return bits;
    }
#endif
    return height_to_planes_plain(planes, heights, side, row);
}

// Heights of one row from its unfolded residuals.
static void restore_row(int32_t *heights, const uint32_t *residuals, int row, int side)
{
    int32_t *at = heights + (ptrdiff_t)row * side;
    const int32_t *north = row > 0 ? at - side : NULL;
    const int32_t *north2 = row > 1 ? north - side : NULL;
    uint32_t w = residuals[0] + (row > 0 ? (uint32_t)north[0] : 0), ww = 0;
    at[0] = (int32_t)w;
    int planar_end = row == 1 || side < 2 ? side : 2;
    if (row == 0)
        planar_end = side;
    for (int k = 1; k < planar_end; k++) {
        ww = w;
        w += residuals[k] + (row > 0 ? (uint32_t)north[k] - (uint32_t)north[k - 1] : 0);
        at[k] = (int32_t)w;
    }
    for (int k = planar_end; k < side; k++) {
        // As second_order() has it, but in 64 bits and with W added last: each sample waits for one addition only.
        int64_t sum = 2 - 2 * (int64_t)north[k - 1] - north2[k] - (int32_t)ww;
        uint32_t next = (residuals[k] + (uint32_t)north[k] + (uint32_t)(sum >> 2)) + w;
        ww = w;
        w = next;
        at[k] = (int32_t)w;
    }
}

struct height_residual_bits height_from_planes(int32_t *heights, const uint8_t *planes, int plane_count, int side,
                                               uint32_t *row)
{
    size_t plane_bytes = (size_t)side * (size_t)side;
    struct height_residual_bits bits = {0, 0};
    for (int y = 0; y < side; y++) {
        const uint8_t *source = planes + (size_t)y * (size_t)side;
        for (int k = 0; k < side; k++)
            row[k] = source[k];
        for (int plane = 1; plane < plane_count; plane++) {
            source += plane_bytes;
            for (int k = 0; k < side; k++)
                row[k] |= (uint32_t)source[k] << (8 * plane);
        }
        *(y == 0 ? &bits.first : &bits.others) |= row[0];
        bits.others |= bits_of(row + 1, side - 1);
        for (int k = 0; k < side; k++)
            row[k] = unfold(row[k]);
        restore_row(heights, row, y, side);
    }
    return bits;
}
