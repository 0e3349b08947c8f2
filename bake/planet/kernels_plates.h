// SPDX-License-Identifier: MIT
// Plates and their pairs: how much each counts where. Part of kernels_template.c; kernels_belts.h goes on.
//
// Plate i has the weight w_i = softmax(K p.c_i), c_i its centre: no cell has an edge. What lies along a boundary is
// summed over pairs of plates, each times a weight G of the pair that is 1 along their boundary and 0 where a third
// plate takes over. With d, the distance of p from the plane between both centres, and their closing speed, both linear
// in p, a belt is G * (smoothstep of the closing speed) * (profile across, a function of d).
//
// Almost all weights are nearly 0 at a place. They are made exactly 0 there, by soft_excess, so that the plates and
// pairs that are 0 all over a block can be left out without changing a bit.
#ifndef TERRANE_BAKE_PLANET_KERNELS_PLATES_H
#define TERRANE_BAKE_PLANET_KERNELS_PLATES_H

#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"

#define SHARPNESS 22.0 // K, with more than this many plates their count
// Plates whose weight is below e^-18 of the nearest one's are left out: a jump of 2e-8.
#define WEIGHT_REACH 18.0
// A pair counts where both weights are well above the first of these, and the fourth power of their sum above the last.
#define BELT_WEIGHT_LOG 6.9 // e^-6.9 is passed 0.3 radians from the boundary
#define AGE_WEIGHT 1e-5
#define PAIR_WEIGHT 1e-3

// Everything about a block that pairs share. weight[j] is filled in for present plates only.
struct plate_block {
    double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK]; // on the unit sphere
    double shrink[PLANET_BLOCK];                              // 1 / distance of the given point from the centre
    double mean[3][PLANET_BLOCK];                             // sum of w_i c_i
    double weight[PLATES_MAX][PLANET_BLOCK];
    double sharpness;
    int present[PLATES_MAX], present_count;
    int active[PLATES_MAX], active_count; // those that may belong to a pair
};

// Of a pair, in radians; n and m are constant, so d and closing have them as gradients.
struct plate_pair {
    int i, j;
    double n[3], m[3];
    double side; // 1 where i rides over j, else -1
    double d[PLANET_BLOCK], closing[PLANET_BLOCK];
};

// 0 up to least, then about x - 2 least: C1. *slope is the derivative.
INLINE double soft_excess(double x, double least, double *slope)
{
    double excess = x > least ? x - least : 0.0, ratio = least / (excess + least);
    *slope = 1.0 - ratio * ratio;
    return excess * excess / (excess + least);
}

INLINE double smooth_rise(double x, double low, double high, double *slope)
{
    double t = clamp_to((x - low) / (high - low), 0.0, 1.0);
    *slope = 6.0 * t * (1.0 - t) / (high - low);
    return t * t * (3.0 - 2.0 * t);
}

// Whether a row has a number above least.
static bool any_above(const double *row, double least)
{
    int64_t count = 0;
    for (int i = 0; i < PLANET_BLOCK; i++)
        count += row[i] > least ? INT64_C(1) : INT64_C(0);
    return count > 0;
}

static void clear_field(struct field field)
{
    fill(field, 0.0);
}

// ---- Weights of plates ------------------------------------------------------------------------------------

STAGE void put_on_sphere(struct plate_block *restrict block, const struct points *at)
{
    const double *x = at->x, *y = at->y, *z = at->z;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double length = sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        // In the centre, which a warp may reach, no plate is nearer than another.
        double shrink = length == 0.0 ? 0.0 : 1.0 / length;
        block->shrink[i] = shrink;
        block->x[i] = x[i] * shrink;
        block->y[i] = y[i] * shrink;
        block->z[i] = z[i] * shrink;
    }
}

// Cosines of the distances from the centres, and the greatest of them.
STAGE void find_cosines(struct plate_block *restrict block, double *restrict nearest, const struct plates *plates)
{
    fill_row(nearest, -2.0);
    for (int k = 0; k < plates->count; k++) {
        double cx = plates->center[k][0], cy = plates->center[k][1], cz = plates->center[k][2];
        double *restrict cosine = block->weight[k];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            cosine[i] = block->x[i] * cx + block->y[i] * cy + block->z[i] * cz;
            nearest[i] = cosine[i] > nearest[i] ? cosine[i] : nearest[i];
        }
    }
}

// From the cosine of plate k to its weight before all are divided by their sum. False where it is 0 all over the block.
STAGE bool find_weight(struct plate_block *restrict block, int k, const double *restrict nearest)
{
    double *restrict row = block->weight[k];
    double sharpness = block->sharpness;
    int64_t count = 0;
    for (int i = 0; i < PLANET_BLOCK; i++)
        count += sharpness * (row[i] - nearest[i]) > -WEIGHT_REACH ? INT64_C(1) : INT64_C(0);
    if (count == 0)
        return false;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double behind = sharpness * (row[i] - nearest[i]);
        row[i] = behind > -WEIGHT_REACH ? exp_of(behind) : 0.0;
    }
    return true;
}

STAGE void find_weights(struct plate_block *restrict block, const struct plates *plates, double weight_min)
{
    SCRATCH double nearest[PLANET_BLOCK], sum[PLANET_BLOCK];
    find_cosines(block, nearest, plates);
    fill_row(sum, 0.0);
    for (int axis = 0; axis < 3; axis++)
        fill_row(block->mean[axis], 0.0);
    block->present_count = block->active_count = 0;
    for (int k = 0; k < plates->count; k++) {
        if (!find_weight(block, k, nearest))
            continue;
        block->present[block->present_count++] = k;
        const double *restrict row = block->weight[k], *center = plates->center[k];
        double cx = center[0], cy = center[1], cz = center[2];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            sum[i] += row[i];
            block->mean[0][i] += row[i] * cx;
            block->mean[1][i] += row[i] * cy;
            block->mean[2][i] += row[i] * cz;
        }
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        sum[i] = 1.0 / sum[i];
        block->mean[0][i] *= sum[i];
        block->mean[1][i] *= sum[i];
        block->mean[2][i] *= sum[i];
    }
    for (int k = 0; k < block->present_count; k++) {
        double *restrict row = block->weight[block->present[k]];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            row[i] *= sum[i];
        if (any_above(row, weight_min))
            block->active[block->active_count++] = block->present[k];
    }
}

// The gradient of w_i is K w_i (c_i - mean).
STAGE void find_bias(struct field out, const struct plate_block *restrict block, const struct plates *plates)
{
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz, sharpness = block->sharpness;
    clear_field(out);
    for (int k = 0; k < block->present_count; k++) {
        const double *row = block->weight[block->present[k]], *center = plates->center[block->present[k]];
        double bias = plates->bias[block->present[k]], cx = center[0], cy = center[1], cz = center[2];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            v[i] += row[i] * bias;
        if (!gx)
            continue;
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double steepness_of = sharpness * bias * row[i];
            gx[i] += steepness_of * (cx - block->mean[0][i]);
            gy[i] += steepness_of * (cy - block->mean[1][i]);
            gz[i] += steepness_of * (cz - block->mean[2][i]);
        }
    }
}

// ---- Pairs ------------------------------------------------------------------------------------------------

// n points from j to i. A plate moves with spin x p, so the two close with p . ((spin_i - spin_j) x n).
STAGE void find_pair(struct plate_pair *restrict pair, const struct plate_block *restrict block,
                     const struct plates *plates, int i, int j)
{
    const double *a = plates->center[i], *b = plates->center[j];
    double n[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double s[3];
    for (int k = 0; k < 3; k++) {
        n[k] = length > 0.0 ? n[k] / length : 0.0;
        s[k] = plates->spin[i][k] - plates->spin[j][k];
        pair->n[k] = n[k];
    }
    pair->i = i;
    pair->j = j;
    pair->side = plates->rank[i] > plates->rank[j] ? 1.0 : -1.0;
    pair->m[0] = s[1] * n[2] - s[2] * n[1];
    pair->m[1] = s[2] * n[0] - s[0] * n[2];
    pair->m[2] = s[0] * n[1] - s[1] * n[0];
    double nx = n[0], ny = n[1], nz = n[2], mx = pair->m[0], my = pair->m[1], mz = pair->m[2];
    KERNEL_LOOP
    for (int k = 0; k < PLANET_BLOCK; k++) {
        pair->d[k] = block->x[k] * nx + block->y[k] * ny + block->z[k] * nz;
        pair->closing[k] = block->x[k] * mx + block->y[k] * my + block->z[k] * mz;
    }
}

// How much of a plate's weight counts in a pair: 0 up to least, 1 far above. C1.
INLINE double pair_share(double weight, double least, double *slope)
{
    double excess = weight > least ? weight - least : 0.0, scale = 3.0 * least;
    double inverse = 1.0 / (excess * excess + scale * scale);
    *slope = 2.0 * excess * scale * scale * inverse * inverse;
    return excess * excess * inverse;
}

// The weight of a pair; false where it is 0 all over the block, and then out is not written.
STAGE bool find_pair_weight(struct field out, const struct plate_pair *pair, const struct plate_block *restrict block,
                            const struct plates *plates, double least)
{
    SCRATCH double by_i[PLANET_BLOCK], by_j[PLANET_BLOCK], value[PLANET_BLOCK];
    const double *wi = block->weight[pair->i], *wj = block->weight[pair->j];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double both = wi[i] + wj[i], square = both * both, slope, slope_i, slope_j;
        double main = soft_excess(square * square, PAIR_WEIGHT, &slope);
        double share_i = pair_share(wi[i], least, &slope_i), share_j = pair_share(wj[i], least, &slope_j);
        double rise = slope * 4.0 * square * both * share_i * share_j;
        value[i] = main * share_i * share_j;
        by_i[i] = block->sharpness * wi[i] * (rise + main * slope_i * share_j);
        by_j[i] = block->sharpness * wj[i] * (rise + main * share_i * slope_j);
    }
    if (!any_above(value, 0.0))
        return false;
    memcpy(out.v, value, sizeof value);
    double *const gradient[3] = {out.gx, out.gy, out.gz};
    for (int axis = 0; axis < 3 && out.gx; axis++) {
        double ci = plates->center[pair->i][axis], cj = plates->center[pair->j][axis];
        double *g = gradient[axis];
        const double *mean = block->mean[axis];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            g[i] = by_i[i] * (ci - mean[i]) + by_j[i] * (cj - mean[i]);
    }
    return true;
}

// The weight times how fast the pair closes (turn 1) or opens (turn -1): 0 below the speed low, 1 above high. False
// where it is 0 all over the block.
STAGE bool find_strength(struct field out, struct field weight, const struct plate_pair *pair, double turn, double low,
                         double high)
{
    SCRATCH double share[PLANET_BLOCK], slope[PLANET_BLOCK];
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        share[i] = smooth_rise(turn * pair->closing[i], low, high, &slope[i]);
        slope[i] *= turn * weight.v[i];
        v[i] = weight.v[i] * share[i];
    }
    if (!any_above(v, 0.0))
        return false;
    double *const gradient[3] = {out.gx, out.gy, out.gz};
    const double *const of_weight[3] = {weight.gx, weight.gy, weight.gz};
    for (int axis = 0; axis < 3 && out.gx; axis++) {
        double m = pair->m[axis], *g = gradient[axis];
        const double *gw = of_weight[axis];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            g[i] = share[i] * gw[i] + slope[i] * m;
    }
    return true;
}

#endif
