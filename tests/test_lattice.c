// SPDX-License-Identifier: MIT
// coarse and erode: fields that are looked up on lattices in space (bake/planet/lattice.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "tests/check.h"
#include "tests/planet_help.h"

#define RADIUS_M 6371000.0

static void a_coarse_field_is_nearly_the_field_where_that_is_smooth(void)
{
    // Waves of 50 pitches, and of 10, where 0.5 % of the height may be lost.
    struct planet *smooth = load_text("height = 1000 * fbm(500e3, 1, seed = 3)");
    struct planet *coarse = load_text("height = coarse(1000 * fbm(500e3, 1, seed = 3), 10e3)");
    struct planet *coarser = load_text("height = coarse(1000 * fbm(500e3, 1, seed = 3), 50e3)");
    for (int i = 0; i < 20; i++) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled plain, looked_up, loose;
        patch_dirs(dirs, 1e-5);
        sample_dirs(&plain, smooth, dirs, PLANET_BLOCK, 60, PLANET_WANT_GRADIENT);
        sample_dirs(&looked_up, coarse, dirs, PLANET_BLOCK, 60, PLANET_WANT_GRADIENT);
        sample_dirs(&loose, coarser, dirs, PLANET_BLOCK, 60, PLANET_WANT_GRADIENT);
        for (int k = 0; k < PLANET_BLOCK; k++) {
            CHECK_TEXT(fabs(plain.height[k] - looked_up.height[k]) < 0.1, "%g", plain.height[k] - looked_up.height[k]);
            CHECK(fabs(plain.gx[k] - looked_up.gx[k]) < 2e-3 * 1000 * RADIUS_M / 500e3);
            CHECK(fabs(plain.height[k] - loose.height[k]) < 15);
            CHECK(fabs(plain.height[k] - loose.height[k]) < 15 && plain.height[k] != loose.height[k]);
        }
    }
    planet_free(smooth);
    planet_free(coarse);
    planet_free(coarser);
}

static void a_coarse_field_has_nothing_much_finer_than_its_pitch(void)
{
    struct planet *planet = load_text("height = 1000 * coarse(noise(50e3, seed = 5), 100e3)");
    struct double3 dirs[PLANET_BLOCK];
    struct sampled s;
    patch_dirs(dirs, 1e-3);
    sample_dirs(&s, planet, dirs, PLANET_BLOCK, 6e3, 0);
    for (int k = 0; k < PLANET_BLOCK; k++)
        CHECK(s.height[k] == 0);
    planet_free(planet);
}

// A lattice that is looked up again after a lattice inside another one was filled in with its help.
static void a_lattice_may_be_used_again_in_the_middle_of_a_run(void)
{
    struct planet *planet = load_text("first = coarse(fbm(900e3, 4, seed = 1), 40e3)\n"
                                      "last = coarse(fbm(800e3, 4, seed = 2), 40e3)\n"
                                      "wide = coarse(2 * first + fbm(3000e3, 3, seed = 3), 160e3)\n"
                                      "height = 100 * (first + wide + last)\n");
    void *scratch = new_scratch(planet);
    for (int i = 0; i < 20; i++) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled fresh, used, again;
        patch_dirs(dirs, 1e-3);
        sample_dirs(&fresh, planet, dirs, PLANET_BLOCK, 6e3, PLANET_WANT_GRADIENT);
        sample_into(&used, planet, scratch, dirs, PLANET_BLOCK, 6e3, PLANET_WANT_GRADIENT);
        sample_into(&again, planet, scratch, dirs, PLANET_BLOCK, 6e3, PLANET_WANT_GRADIENT);
        CHECK(memcmp(fresh.height, used.height, sizeof fresh.height) == 0);
        CHECK(memcmp(fresh.height, again.height, sizeof fresh.height) == 0);
        CHECK(memcmp(fresh.gx, again.gx, sizeof fresh.gx) == 0);
    }
    free(scratch);
    planet_free(planet);
}

// Alone, in a block, and after other places have thrown out what the scratch had kept.
static void samples_depend_neither_on_their_block_nor_on_what_was_asked_before(void)
{
    static const char *const texts[] = {
        "height = coarse(2000 * fbm(900e3, 5), 20e3) + coarse(100 * fbm(300e3, 4), 5e3)",
        "a = coarse(fbm(2000e3, 3), 90e3)\nheight = 500 * coarse(a * fbm(400e3, 3) + quantile(a), 7e3) + 100 * a",
        "b = 4000 * fbm(200e3, 3)\nheight = b + erode(b, 30e3, 12)",
    };
    for (int t = 0; t < 3; t++) {
        struct planet *planet = load_text(texts[t]);
        void *scratch = new_scratch(planet);
        for (int i = 0; i < 12; i++) {
            struct double3 dirs[PLANET_BLOCK];
            struct sampled fresh, again, alone;
            double spacing_m = (double[]){50, 700, 4000, 40e3}[i % 4];
            patch_dirs(dirs, spacing_m / RADIUS_M);
            unsigned want = i % 3 == 0 ? 0 : PLANET_WANT_GRADIENT;
            sample_dirs(&fresh, planet, dirs, PLANET_BLOCK, spacing_m, want);
            sample_into(&again, planet, scratch, dirs, PLANET_BLOCK, spacing_m, want);
            CHECK(memcmp(fresh.height, again.height, sizeof fresh.height) == 0);
            if (want)
                CHECK(memcmp(fresh.gx, again.gx, sizeof fresh.gx) == 0);
            for (int k = 0; k < PLANET_BLOCK; k += 37) {
                sample_into(&alone, planet, scratch, &dirs[k], 1, spacing_m, want);
                CHECK(alone.height[0] == fresh.height[k]);
                CHECK(!want || alone.gz[0] == fresh.gz[k]);
            }
        }
        free(scratch);
        planet_free(planet);
    }
}

// Height differences against gradients, where the tile's lattices are used: along a line of step radians. Where the
// ground bends sharply (waves that are squeezed where the slope turns quickly) the slope must lie between those to both
// sides, nearly; there must not be too many such places.
static void check_gradient_at(const char *text, double spacing_m, double step, double tolerance)
{
    struct planet *planet = load_text(text);
    double largest = 0;
    int bends = 0;
    for (int i = 0; i < 80; i++) {
        struct double3 dir = random_dir(), tangent = double3_normalise(double3_cross(dir, random_dir()));
        struct double3 dirs[3] = {dir, double3_normalise(double3_add(dir, double3_scale(tangent, step))),
                                  double3_normalise(double3_sub(dir, double3_scale(tangent, step)))};
        struct sampled s;
        sample_dirs(&s, planet, dirs, 3, spacing_m, PLANET_WANT_GRADIENT);
        double analytic = s.gx[0] * tangent.x + s.gy[0] * tangent.y + s.gz[0] * tangent.z;
        double ahead = (s.height[1] - s.height[0]) / step, behind = (s.height[0] - s.height[2]) / step;
        double size = sqrt(s.gx[0] * s.gx[0] + s.gy[0] * s.gy[0] + s.gz[0] * s.gz[0]) + 1e-3 * RADIUS_M;
        double error = fabs(analytic - 0.5 * (ahead + behind)) / size;
        largest = error > largest ? error : largest;
        double bend = fabs(ahead - behind) / size;
        bends += bend > 20 * tolerance;
        CHECK_TEXT(error < tolerance + bend, "%s: at %g m: %g against %g and %g", text, spacing_m, analytic, ahead,
                   behind);
    }
    CHECK_TEXT(largest > 0 && bends < 40, "%s: %d of 80 bend too sharply", text, bends);
    planet_free(planet);
}

static void gradients_are_those_of_the_heights(void)
{
    check_gradient_at("height = coarse(2000 * fbm(900e3, 5), 20e3)", 500, 1e-5, 1e-4);
    check_gradient_at("height = coarse(2000 * fbm(900e3, 5), 20e3)", 50e3, 1e-5, 5e-3);
    check_gradient_at("a = coarse(fbm(2000e3, 3), 90e3)\nheight = 5e3 * coarse(a * fbm(400e3, 3) + a * a, 9e3)", 500,
                      1e-5, 1e-4);
    // A ground that is noise in double, so that the gullies' own rounding is what is seen at all.
    check_gradient_at("b = 10000 * fbm(900e3, 1)\nheight = b + erode(b, 60e3, octaves = 4)", 7, 3e-7, 4e-3);
    check_gradient_at("b = 10000 * fbm(900e3, 1)\nheight = b + erode(b, 60e3, octaves = 7)", 7, 3e-7, 4e-3);
    for (int octaves = 1; octaves < 12; octaves += 3) {
        char text[200];
        snprintf(text, sizeof text, "b = 10000 * fbm(450e3, 2)\nheight = b + erode(b, 60e3, octaves = %d)", octaves);
        check_gradient_at(text, 3000, 6e-6, 1e-2);
    }
}

// Gullies: none where it is flat or the samples are too far apart, as many metres as their length allows elsewhere.
static void erosion_cuts_slopes_and_leaves_plains(void)
{
    struct planet *flat = load_text("height = erode(0 * x, 30e3, 12)");
    struct planet *hills = load_text("height = erode(6000 * fbm(150e3, 2), 30e3, 12)");
    struct double3 dirs[PLANET_BLOCK];
    double deepest = 0, mean = 0;
    int count = 0;
    for (int i = 0; i < 60; i++) {
        struct sampled s;
        patch_dirs(dirs, 3e-4);
        sample_dirs(&s, flat, dirs, PLANET_BLOCK, 100, 0);
        for (int k = 0; k < PLANET_BLOCK; k++)
            CHECK_TEXT(fabs(s.height[k]) < 1e-9, "%g", s.height[k]);
        sample_dirs(&s, hills, dirs, PLANET_BLOCK, 100, 0);
        for (int k = 0; k < PLANET_BLOCK; k++, count++) {
            mean += s.height[k];
            deepest = fabs(s.height[k]) > deepest ? fabs(s.height[k]) : deepest;
        }
        sample_dirs(&s, hills, dirs, PLANET_BLOCK, 14e3, 0);
        CHECK(s.height[0] == 0 && s.height[100] == 0);
    }
    mean /= count;
    CHECK_TEXT(deepest > 300 && deepest < 8000, "%g", deepest);
    CHECK_TEXT(fabs(mean) < 0.08 * deepest, "mean %g of %g", mean, deepest);
    planet_free(flat);
    planet_free(hills);
}

static void lattices_give_the_same_bits_in_every_vector_width(void)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    for (int i = 0; i < 8; i++) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled first, other;
        patch_dirs(dirs, i % 2 ? 1e-5 : 1e-7);
        for (int k = 0; k < 3; k++) {
            const struct kernels *kernels = kernels_named(names[k]);
            if (!kernels)
                continue;
            struct planet *planet =
                load_text("b = coarse(9000 * fbm(200e3, 3), 5e3)\nheight = b + erode(b, 30e3, 14)\n");
            planet_use_kernels(planet, kernels);
            sample_dirs(k == 0 ? &first : &other, planet, dirs, PLANET_BLOCK, i % 2 ? 64 : 1, PLANET_WANT_GRADIENT);
            planet_free(planet);
            if (k == 0)
                continue;
            CHECK_TEXT(memcmp(first.height, other.height, sizeof first.height) == 0, "%s", names[k]);
            CHECK_TEXT(memcmp(first.gx, other.gx, sizeof first.gx) == 0, "%s", names[k]);
            CHECK_TEXT(memcmp(first.gy, other.gy, sizeof first.gy) == 0, "%s", names[k]);
            CHECK_TEXT(memcmp(first.gz, other.gz, sizeof first.gz) == 0, "%s", names[k]);
        }
    }
}

// Neighbours 0.1 m apart: no steps, no noise of rounding.
static void eroded_ground_is_smooth_at_a_tenth_of_a_metre(void)
{
    struct planet *planet = load_text("b = coarse(9000 * fbm(200e3, 3), 5e3)\nheight = b + erode(b, 30e3, 12)");
    for (int i = 0; i < 20; i++) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled s;
        patch_dirs(dirs, 0.1 / RADIUS_M);
        sample_dirs(&s, planet, dirs, PLANET_BLOCK, 0.1, 0);
        for (int k = 8; k + 8 < PLANET_BLOCK; k++) {
            double bend = s.height[k - 8] - 2 * s.height[k] + s.height[k + 8];
            CHECK_TEXT(fabs(bend) < 0.06, "%g", bend);
        }
    }
    planet_free(planet);
}

static void what_cannot_be_a_lattice_is_refused(void)
{
    check_refused("height = coarse(x, 1)", NULL, STATUS_INPUT,
                  "P:1:", "expected a 'pitch' between a millionth and a quarter of the radius");
    check_refused("height = coarse(x, 3000e3)", NULL, STATUS_INPUT, "P:1:", "expected a 'pitch'");
    check_refused("height = coarse(#ffffff, 30e3)", NULL, STATUS_INPUT, "P:1:", "expected a field or number for 'f'");
    check_refused("height = erode(above(x, 0, 1))", NULL, STATUS_INPUT,
                  "P:1:", "expected a field with a gradient to erode");
    check_refused("height = erode(x, 1)", NULL, STATUS_INPUT, "P:1:", "expected a 'wavelength' between");
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_coarse_field_is_nearly_the_field_where_that_is_smooth);
    CHECK_RUN(a_coarse_field_has_nothing_much_finer_than_its_pitch);
    CHECK_RUN(a_lattice_may_be_used_again_in_the_middle_of_a_run);
    CHECK_RUN(samples_depend_neither_on_their_block_nor_on_what_was_asked_before);
    CHECK_RUN(gradients_are_those_of_the_heights);
    CHECK_RUN(erosion_cuts_slopes_and_leaves_plains);
    CHECK_RUN(lattices_give_the_same_bits_in_every_vector_width);
    CHECK_RUN(eroded_ground_is_smooth_at_a_tenth_of_a_metre);
    CHECK_RUN(what_cannot_be_a_lattice_is_refused);
    return CHECK_END;
}
