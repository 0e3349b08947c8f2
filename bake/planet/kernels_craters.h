// SPDX-License-Identifier: MIT
// Fields of impact craters. Part of kernels_template.c.
//
// A block is taken in runs of samples that lie close together, mostly one. For a run all craters that reach it are
// gathered once and then added, the oldest first. A crater that does not reach a sample changes none of its bits, so
// that neither the runs nor the other samples of a block matter.
#ifndef TERRANE_BAKE_PLANET_KERNELS_CRATERS_H
#define TERRANE_BAKE_PLANET_KERNELS_CRATERS_H

#include "bake/planet/crater.h"
#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_field.h"

// Older craters that are not larger are gone inside the rim and reappear between these radii.
#define CRATER_ERASE_START 0.9
#define CRATER_ERASE_END 1.4
// Two levels make a class: craters within a factor of 2. A crater erases its own class and the smaller ones.
#define CRATER_CLASSES (CRATER_LEVELS_MAX / 2)
// Craters of planet radius / 32 and more run in double, the rest in float, whose 2^-24 of the distance to the centre
// is then at most 1 mm on the Moon.
#define CRATER_DOUBLE_DIAMETER (1.0 / 32.0)
// A run with more craters is split. A single sample cannot have as many: its circle of 1.5 diameters meets 2.0 points
// on the average at the greatest density, 95 +- 10 in all levels.
#define CRATER_LIST_MAX 512

struct crater_run {
    const double *x, *y, *z;
    int count;
    double middle[3], radius; // a ball around the samples
};

struct crater_sum {
    double v[PLANET_BLOCK], gx[PLANET_BLOCK], gy[PLANET_BLOCK], gz[PLANET_BLOCK];
};

struct crater_list {
    int count;
    struct crater crater[CRATER_LIST_MAX];
    uint64_t order[CRATER_LIST_MAX]; // age, then place in the list
};

static inline int crater_class(const struct crater *crater)
{
    return crater->level / 2;
}

// Whether the ground that a crater has cleared can reach into the run.
static bool crater_erases(const struct crater *crater, const struct crater_run *run)
{
    double square = 0.0, far = run->radius + (CRATER_ERASE_END + 0.01) / (1.0 - CRATER_WOBBLE) * 0.5 * crater->diameter;
    for (int k = 0; k < 3; k++)
        square += (crater->center[k] - run->middle[k]) * (crater->center[k] - run->middle[k]);
    return square < far * far;
}

#define REAL float
#define REAL_SQRT sqrtf
#define REAL_ABS fabsf
#define REAL_ROUND 0x1.8p23f
#define NAME(x) x##_float
#include "bake/planet/kernels_crater.h"
#undef REAL
#undef REAL_SQRT
#undef REAL_ABS
#undef REAL_ROUND
#undef NAME

#define REAL double
#define REAL_SQRT sqrt
#define REAL_ABS fabs
#define REAL_ROUND ROUND
#define NAME(x) x##_double
#include "bake/planet/kernels_crater.h"
#undef REAL
#undef REAL_SQRT
#undef REAL_ABS
#undef REAL_ROUND
#undef NAME

static struct crater_run crater_run_of(const double *x, const double *y, const double *z, int first, int count)
{
    struct crater_run run = {x + first, y + first, z + first, count, {0}, 0.0};
    const double *place[3] = {run.x, run.y, run.z};
    for (int k = 0; k < 3; k++) {
        double low = place[k][0], high = low;
        for (int i = 1; i < count; i++) {
            low = place[k][i] < low ? place[k][i] : low;
            high = place[k][i] > high ? place[k][i] : high;
        }
        run.middle[k] = 0.5 * (low + high);
    }
    double farthest = 0.0;
    for (int i = 0; i < count; i++) {
        double dx = run.x[i] - run.middle[0], dy = run.y[i] - run.middle[1], dz = run.z[i] - run.middle[2];
        double square = dx * dx + dy * dy + dz * dz;
        farthest = square > farthest ? square : farthest;
    }
    run.radius = sqrt(farthest);
    return run;
}

// False where there are too many; for a single sample the first ones are taken then, which are the largest.
static bool gather_craters(struct crater_list *list, const struct craters *craters, const struct crater_run *run,
                           int level_count)
{
    list->count = 0;
    for (int level = 0; level < level_count; level++) {
        struct crater_walk walk;
        crater_walk_begin(&walk, craters, level, run->middle, run->radius,
                          (CRATER_EJECTA_END + 0.01) / (1.0 - CRATER_WOBBLE), 2.0);
        while (crater_walk_next(&walk, &list->crater[list->count])) {
            list->order[list->count] = (uint64_t)list->crater[list->count].age << 32 | (uint32_t)list->count;
            if (++list->count == CRATER_LIST_MAX)
                return run->count == 1;
        }
    }
    return true;
}

// The oldest first; of craters of one age the last first, so that no two are equal and any way of sorting will do.
// Shell's, with the gaps of Ciura (2001).
static void sort_craters(struct crater_list *list)
{
    static const int gaps[] = {132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (int i = gaps[g]; i < list->count; i++) {
            uint64_t moving = list->order[i];
            int to = i;
            for (; to >= gaps[g] && list->order[to - gaps[g]] < moving; to -= gaps[g])
                list->order[to] = list->order[to - gaps[g]];
            list->order[to] = moving;
        }
}

static void clear_sum(struct crater_sum *sum, int count, bool gradient)
{
    size_t bytes = (size_t)count * sizeof sum->v[0];
    memset(sum->v, 0, bytes);
    if (!gradient)
        return;
    memset(sum->gx, 0, bytes);
    memset(sum->gy, 0, bytes);
    memset(sum->gz, 0, bytes);
}

static void add_craters(struct field out, struct crater_sum sums[CRATER_CLASSES], const struct crater_run *run,
                        const struct crater_list *list, const struct craters *craters, int class_count)
{
    bool gradient = out.gx != NULL;
    for (int k = 0; k < class_count; k++)
        clear_sum(&sums[k], run->count, gradient);
    for (int i = 0; i < list->count; i++) {
        const struct crater *crater = &list->crater[(uint32_t)list->order[i]];
        if (crater->diameter >= CRATER_DOUBLE_DIAMETER)
            add_crater_double(sums, class_count, run, crater, craters, gradient);
        else
            add_crater_float(sums, class_count, run, crater, craters, gradient);
    }
    for (int k = 0; k < class_count; k++)
        for (int i = 0; i < run->count; i++) {
            out.v[i] += sums[k].v[i];
            if (!gradient)
                continue;
            out.gx[i] += sums[k].gx[i];
            out.gy[i] += sums[k].gy[i];
            out.gz[i] += sums[k].gz[i];
        }
}

// ---- Rays -----------------------------------------------------------------------------------------------

INLINE double ray_wave(const double *frequency, double phase, double stretch, double x, double y, double z)
{
    double t = stretch * (frequency[0] * x + frequency[1] * y + frequency[2] * z) + phase;
    double f = t - ((t + ROUND) - ROUND);
    return f * (8.0 - 16.0 * fabs(f));
}

// dark *= 1 - brightness: a halo around the rim, streaks that depend on the direction from the centre only.
STAGE void add_rays(double *restrict dark, const struct crater_run *run, const struct crater *crater,
                    const struct craters *craters)
{
    struct crater_shape shape;
    crater_shape(&shape, craters, crater);
    double fresh = 1.0 - crater->wear / CRATER_RAYS_WEAR, strength = fresh * shape.visible;
    double inverse = 2.0 / crater->diameter;
    double cx = crater->center[0], cy = crater->center[1], cz = crater->center[2];
    const double *x = run->x, *y = run->y, *z = run->z;
    KERNEL_LOOP
    for (int i = 0; i < run->count; i++) {
        double qx = (x[i] - cx) * inverse, qy = (y[i] - cy) * inverse, qz = (z[i] - cz) * inverse;
        double length = sqrt(qx * qx + qy * qy + qz * qz), inward = 1.0 / (length > 1e-9 ? length : 1e-9);
        qx *= inward;
        qy *= inward;
        qz *= inward;
        double broad = ray_wave(shape.frequency[0], shape.phase[0], 3.5, qx, qy, qz);
        double streak = 0.1 + 0.5 * broad + 0.45 * ray_wave(shape.frequency[1], shape.phase[1], 4.0, qx, qy, qz) +
                        0.4 * ray_wave(shape.frequency[2], shape.phase[2], 2.5, qx, qy, qz);
        double near = 1.0 - clamp_to((length - 0.8) / 1.6, 0.0, 1.0);
        // Between 2.6 and CRATER_RAYS_END radii long.
        double end = CRATER_RAYS_END - 1.0 - 1.7 * (1.0 - broad);
        double reach = 1.0 - clamp_to((length - 1.0) / end, 0.0, 1.0);
        double halo = 0.8 * near * near * (3.0 - 2.0 * near);
        double rays = 0.9 * reach * reach * clamp_to(streak, 0.0, 1.0);
        dark[i] *= 1.0 - strength * (halo + rays - halo * rays);
    }
}

static void sum_rays(double *out, const struct crater_run *run, const struct craters *craters, int level_count)
{
    for (int level = 0; level < level_count; level++) {
        struct crater_walk walk;
        struct crater crater;
        crater_walk_begin(&walk, craters, level, run->middle, run->radius, CRATER_RAYS_END + 0.01, CRATER_RAYS_WEAR);
        while (crater_walk_next(&walk, &crater))
            add_rays(out, run, &crater, craters);
    }
}

// ---- Blocks ---------------------------------------------------------------------------------------------

// The part of a block that begins at first, as a run of its own where it is compact and has not too many craters.
static bool sum_run(struct field out, const struct crater_run *run, const struct craters *craters, int level_count,
                    struct crater_list *list, struct crater_sum sums[CRATER_CLASSES])
{
    // Looking into the cells between samples costs more than a walk for each where they are far apart.
    double span = crater_walk_span(craters, level_count - 1, run->radius);
    if (span * span > run->count)
        return false;
    if (craters->output == CRATER_RAYS) {
        sum_rays(out.v, run, craters, level_count);
        return true;
    }
    if (!gather_craters(list, craters, run, level_count))
        return false;
    sort_craters(list);
    add_craters(out, sums, run, list, craters, (level_count + 1) / 2);
    return true;
}

static void sum_craters(struct field out, const double *x, const double *y, const double *z,
                        const struct craters *craters)
{
    assert(craters->output == CRATER_HEIGHT || !out.gx);
    SCRATCH struct crater_list list;
    SCRATCH struct crater_sum sums[CRATER_CLASSES];
    int level_count = craters_level_count(craters);
    fill(out, craters->output == CRATER_RAYS ? 1.0 : 0.0);
    for (int first = 0, count = PLANET_BLOCK; first < PLANET_BLOCK && level_count > 0;) {
        struct crater_run run = crater_run_of(x, y, z, first, count);
        struct field part = {out.v + first, NULL, NULL, NULL};
        if (out.gx)
            part = (struct field){out.v + first, out.gx + first, out.gy + first, out.gz + first};
        if (!sum_run(part, &run, craters, level_count, &list, sums)) {
            count /= 2;
            continue;
        }
        first += count;
        count = first & -first; // as long a run as its place allows
    }
    if (craters->output == CRATER_RAYS)
        affine(out, out, -1.0, 1.0); // from what is left dark
}

#endif
