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

#define REAL double
#define NAME(x) x##_double
#include "bake/planet/kernels_mesh_values.h"
#undef REAL
#undef NAME

#define REAL float
#define NAME(x) x##_float
#include "bake/planet/kernels_mesh_values.h"
#undef REAL
#undef NAME

STAGE void mesh_narrow(float *restrict narrow, const double *restrict nodes, int count)
{
    KERNEL_LOOP
    for (int k = 0; k < count; k++)
        narrow[k] = (float)nodes[k];
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
