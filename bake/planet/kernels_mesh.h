// SPDX-License-Identifier: MIT
// Meshes of nodes that are a power of two samples apart (mesh.h). Part of kernels_template.c.
//
// Between four nodes a, b, c, d the cubic through them (Lagrange). At the fraction j/16 from b to c its weights are
// rational numbers that a double holds to half a unit of the last place, and those of 1 - j/16 are the same ones
// reversed; sums pair the outer and the inner nodes, so that the way an edge is walked along leaves no trace. On a
// node, the node's number itself is taken, so that what lies across an edge is never looked at.
#ifndef TERRANE_BAKE_PLANET_KERNELS_MESH_H
#define TERRANE_BAKE_PLANET_KERNELS_MESH_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_lanes.h"

#define OUTER_WEIGHT(j) ((double)-(j) * (16 - (j)) * (32 - (j)) / 24576.0)
#define INNER_WEIGHT(j) ((double)(256 - (j) * (j)) * (32 - (j)) / 8192.0)
#define MESH_WEIGHTS(j)                                                                                                \
    {                                                                                                                  \
        OUTER_WEIGHT(j), INNER_WEIGHT(j), INNER_WEIGHT(16 - (j)), OUTER_WEIGHT(16 - (j))                               \
    }
static const double mesh_weights[MESH_STEP_MAX][4] = {
    MESH_WEIGHTS(0),  MESH_WEIGHTS(1),  MESH_WEIGHTS(2),  MESH_WEIGHTS(3),  MESH_WEIGHTS(4),  MESH_WEIGHTS(5),
    MESH_WEIGHTS(6),  MESH_WEIGHTS(7),  MESH_WEIGHTS(8),  MESH_WEIGHTS(9),  MESH_WEIGHTS(10), MESH_WEIGHTS(11),
    MESH_WEIGHTS(12), MESH_WEIGHTS(13), MESH_WEIGHTS(14), MESH_WEIGHTS(15),
};

// The same by weight, for samples that follow each other, of which sample 0 is on a node.
#define MESH_ROW(weight, step)                                                                                         \
    {                                                                                                                  \
        weight(0), weight(16 / step * (1 % step)), weight(16 / step * (2 % step)), weight(16 / step * (3 % step)),     \
            weight(16 / step * (4 % step)), weight(16 / step * (5 % step)), weight(16 / step * (6 % step)),            \
            weight(16 / step * (7 % step)), weight(16 / step * (8 % step)), weight(16 / step * (9 % step)),            \
            weight(16 / step * (10 % step)), weight(16 / step * (11 % step)), weight(16 / step * (12 % step)),         \
            weight(16 / step * (13 % step)), weight(16 / step * (14 % step)), weight(16 / step * (15 % step)),         \
    }
#define OTHER_INNER_WEIGHT(j) INNER_WEIGHT(16 - (j))
#define OTHER_OUTER_WEIGHT(j) OUTER_WEIGHT(16 - (j))
#define MESH_ROWS(step)                                                                                                \
    {                                                                                                                  \
        MESH_ROW(OUTER_WEIGHT, step), MESH_ROW(INNER_WEIGHT, step), MESH_ROW(OTHER_INNER_WEIGHT, step),                \
            MESH_ROW(OTHER_OUTER_WEIGHT, step)                                                                         \
    }
static const double mesh_rows_4[4][MESH_STEP_MAX] = MESH_ROWS(4), mesh_rows_8[4][MESH_STEP_MAX] = MESH_ROWS(8),
                    mesh_rows_16[4][MESH_STEP_MAX] = MESH_ROWS(16);

INLINE double mesh_cubic(double a, double b, double c, double d, const double w[4])
{
    return (w[0] * a + w[3] * d) + (w[1] * b + w[2] * c);
}

// count samples between the same four nodes, with weights w[k][from ..].
INLINE void mesh_rows(double *restrict out, const double *n, const double w[4][MESH_STEP_MAX], int from, int count)
{
    double a = n[-1], b = n[0], c = n[1], d = n[2];
    const double *w0 = w[0] + from, *w1 = w[1] + from, *w2 = w[2] + from, *w3 = w[3] + from;
    KERNEL_LOOP
    for (int k = 0; k < count; k++)
        out[k] = (w0[k] * a + w3[k] * d) + (w1[k] * b + w2[k] * c);
}

// Every second sample is on one of four nodes, the others are half way.
INLINE void mesh_rows_2(double *restrict out, const double *n)
{
    VECTOR(double, 4) a, b, c, d;
    __builtin_memcpy(&a, n - 1, sizeof a);
    __builtin_memcpy(&b, n, sizeof b);
    __builtin_memcpy(&c, n + 1, sizeof c);
    __builtin_memcpy(&d, n + 2, sizeof d);
    VECTOR(double, 4)
    half = (OUTER_WEIGHT(8) * a + OUTER_WEIGHT(8) * d) + (INNER_WEIGHT(8) * b + INNER_WEIGHT(8) * c);
    a = __builtin_shufflevector(b, half, 0, 4, 1, 5);
    d = __builtin_shufflevector(b, half, 2, 6, 3, 7);
    // Not memcpy, which hardened builds call where they cannot see how large its target is.
    __builtin_memcpy(out, &a, sizeof a);
    __builtin_memcpy(out + 4, &d, sizeof d);
}

// Samples row .. row + MESH_GROUP - 1 of a column of nodes; row is a multiple of MESH_GROUP.
INLINE void mesh_column(double *restrict out, const double *nodes, int row, int step)
{
    const double *n = nodes + MESH_MARGIN + row / step;
    switch (step) {
    case 2: mesh_rows_2(out, n); return; // has the nodes as they are
    case 4:
        mesh_rows(out, n, mesh_rows_4, 0, 4);
        mesh_rows(out + 4, n + 1, mesh_rows_4, 0, 4);
        out[4] = n[1];
        break;
    case 8: mesh_rows(out, n, mesh_rows_8, 0, 8); break;
    default: mesh_rows(out, n, mesh_rows_16, row % 16, 8); break;
    }
    if (row % step == 0)
        out[0] = n[0];
}

// One sample anywhere.
static double mesh_sample(const double *nodes, const struct mesh_places *places, int column, int row)
{
    int step = places->step, side = places->side, x = column % step, y = row % step;
    const double *n = nodes + (size_t)(MESH_MARGIN + column / step) * (size_t)side + MESH_MARGIN + row / step;
    const double *w = mesh_weights[y * (MESH_STEP_MAX / step)];
    double along[4] = {0};
    for (int k = -1; k < 3; k++) {
        const double *c = n + k * side;
        if (k == 0 || x != 0)
            along[k + 1] = y == 0 ? c[0] : mesh_cubic(c[-1], c[0], c[1], c[2], w);
    }
    return x == 0 ? along[1]
                  : mesh_cubic(along[0], along[1], along[2], along[3], mesh_weights[x * (MESH_STEP_MAX / step)]);
}

INLINE void mesh_between(double *restrict to, const double (*n)[MESH_GROUP], const double w[4])
{
    double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    KERNEL_LOOP
    for (int k = 0; k < MESH_GROUP; k++)
        to[k] = (w0 * n[-1][k] + w3 * n[2][k]) + (w1 * n[0][k] + w2 * n[1][k]);
}

INLINE void mesh_copy(double *restrict to, const double *from)
{
    KERNEL_LOOP
    for (int k = 0; k < MESH_GROUP; k++)
        to[k] = from[k];
}

INLINE void mesh_whole_run(double *restrict out, const double *nodes, const struct mesh_places *places,
                           const struct mesh_run *run, int step)
{
    SCRATCH double along[PLANET_BLOCK / MESH_GROUP + 4][MESH_GROUP];
    const uint16_t *columns = &places->columns[run->first * MESH_GROUP];
    int row = places->rows[run->first * MESH_GROUP], one = columns[0], other = columns[(run->count - 1) * MESH_GROUP];
    int low = (one < other ? one : other) / step - 1, high = (one < other ? other : one) / step + 2;
    const double *from = nodes + (MESH_MARGIN + low) * places->side;
    ptrdiff_t ahead = (one < other ? 16 : -16) * places->side + MESH_MARGIN + row / step - 1;
    for (int k = low; k <= high; k++, from += places->side) {
        __builtin_prefetch(from + ahead);
        __builtin_prefetch(from + ahead + MESH_GROUP / step + 2);
        mesh_column(along[k - low], from, row, step);
    }
    double *to = out + run->first * MESH_GROUP;
    for (int g = 0; g < run->count; g++, to += MESH_GROUP) {
        int column = columns[g * MESH_GROUP], x = column % step;
        if (x == 0)
            mesh_copy(to, along[column / step - low]);
        else
            mesh_between(to, &along[column / step - low], mesh_weights[x * (MESH_STEP_MAX / step)]);
    }
}

// The loop, of which a constant step leaves what it needs.
INLINE void mesh_loop(double *restrict out, const double *nodes, const struct mesh_places *places, int step)
{
    for (int r = 0; r < places->run_count; r++) {
        const struct mesh_run *run = &places->runs[r];
        if (run->whole) {
            mesh_whole_run(out, nodes, places, run, step);
            continue;
        }
        for (int i = run->first * MESH_GROUP; i < (run->first + run->count) * MESH_GROUP; i++)
            out[i] = mesh_sample(nodes, places, places->columns[i], places->rows[i]);
    }
}

STAGE void mesh_values(double *out, const double *nodes, const struct mesh_places *places)
{
    switch (places->step) {
    case 2: mesh_loop(out, nodes, places, 2); break;
    case 4: mesh_loop(out, nodes, places, 4); break;
    case 8: mesh_loop(out, nodes, places, 8); break;
    default: mesh_loop(out, nodes, places, 16); break;
    }
}

// Nodes -MESH_MARGIN .. of half the step along a column.
STAGE void mesh_refine_column(double *restrict fine, const double *restrict coarse, int side)
{
    // The first and the last of the coarse ones only help the middles beside them.
    KERNEL_LOOP
    for (int k = 1; k < side - 2; k++) {
        fine[2 * k - 2] = coarse[k];
        fine[2 * k - 1] = (OUTER_WEIGHT(8) * coarse[k - 1] + OUTER_WEIGHT(8) * coarse[k + 2]) +
                          (INNER_WEIGHT(8) * coarse[k] + INNER_WEIGHT(8) * coarse[k + 1]);
    }
    fine[2 * (side - 2) - 2] = coarse[side - 2];
}

STAGE void mesh_middle(double *restrict out, const double *a, const double *b, const double *c, const double *d,
                       int count)
{
    KERNEL_LOOP
    for (int k = 0; k < count; k++)
        out[k] = (OUTER_WEIGHT(8) * a[k] + OUTER_WEIGHT(8) * d[k]) + (INNER_WEIGHT(8) * b[k] + INNER_WEIGHT(8) * c[k]);
}

static void mesh_refine(double *fine, const double *coarse, int side, double *between)
{
    int fine_side = 2 * side - 5;
    for (int k = 0; k < side; k++)
        mesh_refine_column(between + (size_t)k * (size_t)fine_side, coarse + (size_t)k * (size_t)side, side);
    for (int k = 0; k < fine_side; k++) {
        const double *from = between + (size_t)(k / 2 + 1) * (size_t)fine_side;
        if (k % 2 == 0)
            memcpy(fine + (size_t)k * (size_t)fine_side, from, (size_t)fine_side * sizeof *from);
        else
            mesh_middle(fine + (size_t)k * (size_t)fine_side, from - fine_side, from, from + fine_side,
                        from + 2 * (size_t)fine_side, fine_side);
    }
}

#endif
