// SPDX-License-Identifier: MIT
#include "bake/layer_loops.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "bake/layer_quick_avx2.h"

// Iterations do not depend on each other and the arrays do not overlap.
#define LOOP_WITH_BAD _Pragma("omp simd reduction(|:bad)")
#define BODY static inline __attribute__((always_inline))

// Builds for sanitizers and coverage optimise too little to vectorise, which clang would report for each loop.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

BODY bool heights_body(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                       struct height_range *range)
{
    int32_t least = range->least, greatest = range->greatest;
    int bad = 0;
    for (int k = 0; k < count; k++) {
        double units = floor(height_m[k] * units_per_m + 0.5);
        // Also false for what is not a number.
        int good = (height_m[k] >= lowest_m) & (units >= -2147483648.0) & (units <= 2147483647.0);
        int32_t height = (int32_t)(good ? units : 0.0);
        heights[k] = height;
        least = height < least ? height : least;
        greatest = height > greatest ? height : greatest;
        bad |= !good;
    }
    *range = (struct height_range){least, greatest};
    return !bad;
}

// Into [-1, 1], also what is not a number.
BODY double cut(double x)
{
    return x > -1.0 ? (x < 1.0 ? x : 1.0) : -1.0;
}

// With dir = (a,b,c) the frame's x is (1,0,0) - a dir and its y (0,c,-b), both over the length of the latter; the
// gradient has no part along dir.
BODY bool normals_body(int32_t *const components[3], int count, const struct normal_input *input, double scale)
{
    const double *dt = input->dir[1], *dout = input->dir[2], *height_m = input->height_m;
    const double *gs = input->gradient[0], *gt = input->gradient[1], *gout = input->gradient[2];
    int32_t *qx = components[0], *qy = components[1], *qz = components[2];
    double ss = input->sign[0], st = input->sign[1], so = input->sign[2], radius_m = input->radius_m;
    int bad = 0;
    LOOP_WITH_BAD for (int k = 0; k < count; k++)
    {
        double b = st * dt[k], c = so * dout[k];
        double ga = ss * gs[k], gb = st * gt[k], gc = so * gout[k];
        double over_across = 1.0 / sqrt(b * b + c * c);
        double x = -ga * over_across, y = (b * gc - c * gb) * over_across, z = radius_m + height_m[k];
        double over_length = 1.0 / sqrt(x * x + y * y + z * z);
        x *= over_length;
        y *= over_length;
        z *= over_length;
        double length2 = x * x + y * y + z * z;
        bad |= !(length2 > 0.99) | !(length2 < 1.01);
        // round(scale n) + scale + 1: positive before it is cut to an integer, so cutting is rounding down.
        qx[k] = (int32_t)(scale * cut(x) + (scale + 1.5));
        qy[k] = (int32_t)(scale * cut(y) + (scale + 1.5));
        qz[k] = (int32_t)(scale * cut(z) + (scale + 1.5));
    }
    return !bad;
}

// All of the above once more under another name and for another target.
#define LAYER_LOOPS(width, target)                                                                                     \
    target static bool heights_##width(int32_t *heights, int count, const double *height_m, double units_per_m,        \
                                       double lowest_m, struct height_range *range)                                    \
    {                                                                                                                  \
        return heights_body(heights, count, height_m, units_per_m, lowest_m, range);                                   \
    }                                                                                                                  \
    target static bool normals_##width(int32_t *const components[3], int count, const struct normal_input *input,      \
                                       double scale)                                                                   \
    {                                                                                                                  \
        return normals_body(components, count, input, scale);                                                          \
    }

LAYER_LOOPS(base, )
static const struct layer_loops loops_base = {"base", heights_base, NULL, normals_base, NULL, NULL, NULL};
#if defined(__x86_64__)
LAYER_LOOPS(avx2, __attribute__((target("avx2"))))
static const struct layer_loops loops_avx2 = {"avx2",           heights_avx2,       quick_heights_avx2,
                                              normals_avx2,     quick_normals_avx2, quick_wide_normals_avx2,
                                              quick_colors_avx2};
#endif

const struct layer_loops *layer_loops_choose(void)
{
    const struct layer_loops *quick = layer_loops_named("avx2");
    return quick ? quick : &loops_base;
}

const struct layer_loops *layer_loops_named(const char *name)
{
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &loops_avx2;
#endif
    return strcmp(name, "base") == 0 ? &loops_base : NULL;
}
