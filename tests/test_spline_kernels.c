// SPDX-License-Identifier: MIT
// The kernels of lattices (bake/planet/kernels_spline.h), on coefficients of their own.
#include <math.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "tests/check.h"
#include "tests/kernel_block.h"

#define CELLS 5

// Value, gradient and the nine second derivatives.
enum { VALUE, GRADIENT, HESSIAN = 4, PARTS = 13 };
struct result {
    _Alignas(64) double part[PARTS][PLANET_BLOCK];
};

static _Alignas(64) double coefficients[CELLS * 64];

static void random_coefficients(void)
{
    for (int k = 0; k < CELLS * 64; k++)
        coefficients[k] = random_between(-1, 1);
}

// Runs of up to longest samples in one cell.
static void random_places(struct lattice_places *places, int longest)
{
    for (int i = 0, left = 0, cell = 0; i < PLANET_BLOCK; i++, left--) {
        if (left == 0) {
            left = 1 + (int)check_random_below((uint64_t)longest);
            cell = (int)check_random_below(CELLS);
        }
        places->cell[i] = cell;
        for (int axis = 0; axis < 3; axis++)
            places->at[axis][i] = check_random_below(10) == 0 ? 0 : check_random_unit();
    }
}

static void evaluate(struct result *out, const struct kernels *kernels, const struct lattice_places *places,
                     double scale)
{
    double *rows[PARTS];
    for (int k = 0; k < PARTS; k++)
        rows[k] = out->part[k];
    kernels->spline_curvature(rows + GRADIENT, rows + HESSIAN, places, coefficients, scale);
    kernels->spline(rows, places, coefficients, scale);
}

static void weigh(double w[3][4], double t)
{
    double s = 1 - t, t2 = t * t, s2 = s * s;
    const double value[4] = {s2 * s * (1.0 / 6), (3 * t2 * t - 6 * t2 + 4) * (1.0 / 6),
                             (3 * s2 * s - 6 * s2 + 4) * (1.0 / 6), t2 * t * (1.0 / 6)};
    const double slope[4] = {-0.5 * s * s, 1.5 * t * t - 2 * t, 2 * s - 1.5 * s * s, 0.5 * t * t};
    const double curvature[4] = {s, 3 * t - 2, 3 * s - 2, t};
    memcpy(w[0], value, sizeof value);
    memcpy(w[1], slope, sizeof slope);
    memcpy(w[2], curvature, sizeof curvature);
}

static double mix(const double *c, int stride, const double w[4])
{
    return (c[0] * w[0] + c[stride] * w[1]) + (c[2 * stride] * w[2] + c[3 * stride] * w[3]);
}

// One derivative of one sample, of order[k] along axis k: along z, then y, then x.
static double one_by_one(const struct lattice_places *places, int i, const int order[3])
{
    double w[3][3][4], layer[16], row[4];
    for (int axis = 0; axis < 3; axis++)
        weigh(w[axis], places->at[axis][i]);
    for (int k = 0; k < 16; k++)
        layer[k] = mix(coefficients + 64 * places->cell[i] + k, 16, w[2][order[2]]);
    for (int k = 0; k < 4; k++)
        row[k] = mix(layer + k, 4, w[1][order[1]]);
    return mix(row, 1, w[0][order[0]]);
}

static void splines_are_those_of_each_sample_by_itself_at_every_width(void)
{
    static struct lattice_places places;
    static struct result result;
    const double scale = 3;
    random_coefficients();
    for (int variant = 0; variant < KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant]);
        for (int longest = 1; kernels && longest <= PLANET_BLOCK; longest *= 2) {
            random_places(&places, longest);
            evaluate(&result, kernels, &places, scale);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                CHECK(result.part[VALUE][i] == one_by_one(&places, i, (const int[3]){0, 0, 0}));
                for (int a = 0; a < 3; a++) {
                    int order[3] = {a == 0, a == 1, a == 2};
                    CHECK(result.part[GRADIENT + a][i] == one_by_one(&places, i, order) * scale);
                    for (int b = 0; b < 3; b++) {
                        int both[3] = {order[0] + (b == 0), order[1] + (b == 1), order[2] + (b == 2)};
                        CHECK(result.part[HESSIAN + 3 * a + b][i] == one_by_one(&places, i, both) * (scale * scale));
                    }
                }
            }
        }
    }
}

static void a_value_is_the_same_whatever_else_is_wanted(void)
{
    static struct lattice_places places;
    static struct result result, alone;
    random_coefficients();
    for (int variant = 0; variant < KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant]);
        if (!kernels)
            continue;
        random_places(&places, 9);
        evaluate(&result, kernels, &places, 2);
        double *const value[4] = {alone.part[0], NULL, NULL, NULL};
        double *const gradient[3] = {alone.part[1], alone.part[2], alone.part[3]};
        kernels->spline(value, &places, coefficients, 2);
        kernels->spline_curvature(gradient, NULL, &places, coefficients, 2);
        CHECK(memcmp(alone.part, result.part, 4 * sizeof alone.part[0]) == 0);
    }
}

static void places_are_the_floor_and_the_rest(void)
{
    static struct lattice_places places;
    static struct block at;
    for (int variant = 0; variant < KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant]);
        if (!kernels)
            continue;
        random_directions(&at);
        double scale = random_between(1, 5e5);
        for (int i = 0; i < 8; i++) // on a node, and just below one
            for (int axis = 0; axis < 3; axis++)
                at.row[axis][i] = i < 4 ? (i - 2) / scale : nextafter((i - 6) / scale, -2);
        kernels->lattice_places(&places, at.row[0], at.row[1], at.row[2], scale);
        for (int i = 0; i < PLANET_BLOCK; i++)
            for (int axis = 0; axis < 3; axis++) {
                double place = at.row[axis][i] * scale;
                CHECK(places.low[axis][i] == (int)floor(place));
                CHECK(places.at[axis][i] == place - floor(place));
            }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(splines_are_those_of_each_sample_by_itself_at_every_width);
    CHECK_RUN(a_value_is_the_same_whatever_else_is_wanted);
    CHECK_RUN(places_are_the_floor_and_the_rest);
    return CHECK_END;
}
