// SPDX-License-Identifier: MIT
// What lies along the boundaries of plates, and plates() as a whole. Part of kernels_template.c, after
// kernels_plates.h.
#ifndef TERRANE_BAKE_PLANET_KERNELS_BELTS_H
#define TERRANE_BAKE_PLANET_KERNELS_BELTS_H

#include "bake/planet/kernels_plates.h"

// Distances from opening boundaries, in radians: a boundary that does not open counts as this much further away, far
// from all the distance is AGE_MOST, and the nearest of several is found with weights e^(-AGE_DECAY distance).
#define AGE_CLOSED 0.6
#define AGE_MOST 0.75
#define AGE_DECAY 9.0
#define AGE_LEAST 1.1708796207911744e-3 // e^(-AGE_DECAY AGE_MOST)
// |d| is softened so that ridges and ages have no crease.
#define CREST_SOFTNESS 0.004

// ---- Belts ------------------------------------------------------------------------------------------------

// out += strength * profile, a function of d with that slope.
STAGE void add_belt(struct field out, struct field strength, const double *restrict profile,
                    const double *restrict slope, const struct plate_pair *pair)
{
    double *v = out.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += strength.v[i] * profile[i];
    double *const gradient[3] = {out.gx, out.gy, out.gz};
    const double *const of_strength[3] = {strength.gx, strength.gy, strength.gz};
    for (int axis = 0; axis < 3 && out.gx; axis++) {
        double n = pair->n[axis], *g = gradient[axis];
        const double *gs = of_strength[axis];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            g[i] += profile[i] * gs[i] + strength.v[i] * slope[i] * n;
    }
}

// A bell around middle, of other width before it (on the side of the plate that goes under) than behind it. scale turns
// d into the distance toward the plate that rides over, in belt widths.
STAGE void bell_profile(double *restrict profile, double *restrict slope, const struct plate_pair *pair, double scale,
                        double middle, double before, double behind)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double off = scale * pair->d[i] - middle, inverse = off < 0.0 ? 1.0 / before : 1.0 / behind;
        double t = off * inverse;
        profile[i] = exp_of(-t * t);
        slope[i] = -2.0 * t * inverse * scale * profile[i];
    }
}

// The plate that rides over gets a push up, the one that goes under one down.
STAGE void side_profile(double *restrict profile, double *restrict slope, const struct plate_pair *pair, double scale)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double s = scale * pair->d[i], rise_slope, fall_slope;
        double rise = smooth_rise(s, -0.02, 0.03, &rise_slope), fall = smooth_rise(s, 0.03, -0.03, &fall_slope);
        double over = exp_of(-s * s / (0.13 * 0.13)), under = 0.7 * exp_of(-s * s / (0.10 * 0.10));
        profile[i] = rise * over - fall * under;
        slope[i] = scale * (over * (rise_slope - 2.0 * s / (0.13 * 0.13) * rise) -
                            under * (fall_slope - 2.0 * s / (0.10 * 0.10) * fall));
    }
}

STAGE void ridge_profile(double *restrict profile, double *restrict slope, const struct plate_pair *pair, double scale)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double s = scale * pair->d[i], length = sqrt(s * s + CREST_SOFTNESS * CREST_SOFTNESS);
        profile[i] = exp_of((CREST_SOFTNESS - length) / 0.02);
        slope[i] = -profile[i] / 0.02 * (s / length) * scale;
    }
}

static void add_closing_belts(const struct field *out, struct field strength, const struct plate_pair *pair,
                              double width)
{
    static const struct {
        enum plate_part part;
        double middle, before, behind;
    } bells[] = {{PLATE_TRENCH, -0.003, 0.0062, 0.0062},
                 {PLATE_ARC, 0.022, 0.012, 0.012},
                 {PLATE_OROGEN, 0.040, 0.034, 0.034},
                 {PLATE_HIGHLAND, 0.05, 0.06, 0.115}};
    SCRATCH double profile[PLANET_BLOCK], slope[PLANET_BLOCK];
    double scale = pair->side / width;
    for (size_t k = 0; k < sizeof bells / sizeof *bells; k++) {
        if (!out[bells[k].part].v)
            continue;
        bell_profile(profile, slope, pair, scale, bells[k].middle, bells[k].before, bells[k].behind);
        add_belt(out[bells[k].part], strength, profile, slope, pair);
    }
    if (out[PLATE_SIDE].v) {
        side_profile(profile, slope, pair, scale);
        add_belt(out[PLATE_SIDE], strength, profile, slope, pair);
    }
}

static void add_belts(const struct field *out, struct field weight, const struct plate_pair *pair, double width)
{
    SCRATCH double memory[4][PLANET_BLOCK], profile[PLANET_BLOCK], slope[PLANET_BLOCK];
    struct field strength = {memory[0], NULL, NULL, NULL};
    if (weight.gx)
        strength = (struct field){memory[0], memory[1], memory[2], memory[3]};
    if (find_strength(strength, weight, pair, 1.0, 0.06, 0.46))
        add_closing_belts(out, strength, pair, width);
    if (out[PLATE_RIDGE].v && find_strength(strength, weight, pair, -1.0, 0.015, 0.31)) {
        ridge_profile(profile, slope, pair, 1.0 / width);
        add_belt(out[PLATE_RIDGE], strength, profile, slope, pair);
    }
}

// ---- Age --------------------------------------------------------------------------------------------------

// distance += x a, sum += x with a the distance from this pair's boundary, x = weight * soft_excess(e^(-AGE_DECAY a)).
STAGE void add_distance(struct field distance, struct field sum, struct field weight, const struct plate_pair *pair)
{
    SCRATCH double a[PLANET_BLOCK], by_d[PLANET_BLOCK], by_closing[PLANET_BLOCK], near[PLANET_BLOCK],
        near_slope[PLANET_BLOCK];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double d = pair->d[i], length = sqrt(d * d + CREST_SOFTNESS * CREST_SOFTNESS), slope;
        double opening = smooth_rise(-pair->closing[i], 0.015, 0.31, &slope);
        a[i] = (length - CREST_SOFTNESS) + (1.0 - opening) * AGE_CLOSED;
        by_d[i] = d / length;
        by_closing[i] = AGE_CLOSED * slope;
        double share = exp_of(-AGE_DECAY * a[i]);
        near[i] = soft_excess(share, AGE_LEAST, &slope);
        near_slope[i] = -AGE_DECAY * share * slope;
    }
    if (!any_above(near, 0.0))
        return;
    double *const to[6] = {distance.gx, distance.gy, distance.gz, sum.gx, sum.gy, sum.gz};
    const double *const of_weight[3] = {weight.gx, weight.gy, weight.gz};
    for (int axis = 0; axis < 3 && sum.gx; axis++) {
        double n = pair->n[axis], m = pair->m[axis], *to_distance = to[axis], *to_sum = to[3 + axis];
        const double *gw = of_weight[axis];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double ga = by_d[i] * n + by_closing[i] * m;
            double gx = near[i] * gw[i] + weight.v[i] * near_slope[i] * ga;
            to_distance[i] += a[i] * gx + weight.v[i] * near[i] * ga;
            to_sum[i] += gx;
        }
    }
    double *v = distance.v, *total = sum.v;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = weight.v[i] * near[i];
        v[i] += x * a[i];
        total[i] += x;
    }
}

// Far from all boundaries, where the sum is 0, the distance is AGE_MOST.
static void finish_distance(struct field distance, struct field sum)
{
    affine(distance, distance, 1.0, AGE_LEAST * AGE_MOST);
    affine(sum, sum, 1.0, AGE_LEAST);
    divide(distance, distance, sum);
}

// ---- All together -----------------------------------------------------------------------------------------

// From the gradient by the point on the sphere to that by the position of the sample.
STAGE void pull_gradient(struct field out, const struct plate_block *restrict block, const struct points *at)
{
    double *gx = out.gx, *gy = out.gy, *gz = out.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double along = gx[i] * block->x[i] + gy[i] * block->y[i] + gz[i] * block->z[i], shrink = block->shrink[i];
        gx[i] = (gx[i] - along * block->x[i]) * shrink;
        gy[i] = (gy[i] - along * block->y[i]) * shrink;
        gz[i] = (gz[i] - along * block->z[i]) * shrink;
    }
    double *const *j = at->jacobian;
    if (!j[0])
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double x = gx[i], y = gy[i], z = gz[i];
        gx[i] = j[0][i] * x + j[3][i] * y + j[6][i] * z;
        gy[i] = j[1][i] * x + j[4][i] * y + j[7][i] * z;
        gz[i] = j[2][i] * x + j[5][i] * y + j[8][i] * z;
    }
}

// A point that is no number has no plates, which would make 0 of it.
static void pass_on_nan(double *v, const struct plate_block *restrict block)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += 0.0 * block->x[i];
}

static void plate_fields(const struct field out[PLATE_PARTS], const struct points *at, const struct plates *plates)
{
    SCRATCH struct plate_block block;
    SCRATCH struct plate_pair pair;
    SCRATCH double memory[8][PLANET_BLOCK];
    bool gradient = false, belts = false;
    for (int part = 0; part < PLATE_PARTS; part++) {
        gradient = gradient || out[part].gx;
        belts = belts || (out[part].v && part != PLATE_BIAS && part != PLATE_AGE);
    }
    struct field weight = {memory[0], NULL, NULL, NULL}, sum = {memory[4], NULL, NULL, NULL};
    if (gradient) {
        weight = (struct field){memory[0], memory[1], memory[2], memory[3]};
        sum = (struct field){memory[4], memory[5], memory[6], memory[7]};
    }
    // Wider belts reach further from their boundary.
    double belt_weight = exp_of(-BELT_WEIGHT_LOG * (plates->width > 1.0 ? plates->width : 1.0));
    bool age = out[PLATE_AGE].v != NULL;
    block.sharpness = plates->count > SHARPNESS ? plates->count : SHARPNESS;
    put_on_sphere(&block, at);
    find_weights(&block, plates, age && AGE_WEIGHT < belt_weight ? AGE_WEIGHT : belt_weight);
    if (out[PLATE_BIAS].v)
        find_bias(out[PLATE_BIAS], &block, plates);
    for (int part = PLATE_BIAS + 1; part < PLATE_PARTS; part++)
        if (out[part].v)
            clear_field(out[part]);
    clear_field(sum);
    for (int a = 0; a < block.active_count; a++)
        for (int b = a + 1; b < block.active_count && (belts || age); b++) {
            find_pair(&pair, &block, plates, block.active[a], block.active[b]);
            if (belts && find_pair_weight(weight, &pair, &block, plates, belt_weight))
                add_belts(out, weight, &pair, plates->width);
            if (age && find_pair_weight(weight, &pair, &block, plates, AGE_WEIGHT))
                add_distance(out[PLATE_AGE], sum, weight, &pair);
        }
    if (age)
        finish_distance(out[PLATE_AGE], sum);
    for (int part = 0; part < PLATE_PARTS; part++) {
        if (out[part].v)
            pass_on_nan(out[part].v, &block);
        if (out[part].gx)
            pull_gradient(out[part], &block, at);
    }
}

#endif
