// SPDX-License-Identifier: MIT
// plates(): gradients, smoothness, what lies where, and that outputs share one evaluation.
#include <float.h>

#include "bake/planet/planet_internal.h"
#include "bake/planet/plates.h"
#include "tests/kernel_block.h"
#include "tests/planet_help.h"

#define FINE_M 1000.0
#define THREES (PLANET_BLOCK / 3) // a place and two beside it

static const char *const names[PLATE_PARTS] = {"bias", "trench", "arc", "orogen", "highland", "side", "ridge", "age"};

// height = the output of plates(), in its own unit (age in radians), with more arguments.
static struct planet *load_part(int part, const char *arguments, uint64_t seed)
{
    char text[200];
    snprintf(text, sizeof text, "height = %s * plates(\"%s\"%s)", part == PLATE_AGE ? "1 / 6371e3" : "1", names[part],
             arguments);
    return load_seed(text, seed);
}

// One direction across dir.
static struct double3 across(struct double3 dir)
{
    struct double3 other = random_dir();
    return double3_normalise(double3_sub(other, double3_scale(dir, double3_dot(other, dir))));
}

static struct double3 moved(struct double3 dir, struct double3 along, double step)
{
    struct double3 there = {dir.x + step * along.x, dir.y + step * along.y, dir.z + step * along.z};
    return double3_normalise(there);
}

static void check_gradients(const char *arguments, double allowed)
{
    double step = 1e-5;
    for (int part = 0; part < PLATE_PARTS; part++) {
        struct planet *planet = load_part(part, arguments, check_random_below(1000));
        double greatest = 0;
        for (int round = 0; round < 3; round++) {
            struct double3 dirs[3 * THREES], along[THREES];
            for (int i = 0; i < THREES; i++) {
                dirs[3 * i] = random_dir();
                along[i] = across(dirs[3 * i]);
                dirs[3 * i + 1] = moved(dirs[3 * i], along[i], step);
                dirs[3 * i + 2] = moved(dirs[3 * i], along[i], -step);
            }
            struct sampled s;
            sample_dirs(&s, planet, dirs, 3 * THREES, FINE_M, PLANET_WANT_GRADIENT);
            for (int i = 0; i < THREES; i++) {
                double slope = s.gx[3 * i] * along[i].x + s.gy[3 * i] * along[i].y + s.gz[3 * i] * along[i].z;
                double difference = (s.height[3 * i + 1] - s.height[3 * i + 2]) / (2 * step);
                CHECK_TEXT(fabs(slope - difference) < allowed * (1 + fabs(slope)), "%s%s: %.9g, differences give %.9g",
                           names[part], arguments, slope, difference);
                greatest = fabs(slope) > greatest ? fabs(slope) : greatest;
            }
        }
        CHECK_TEXT(greatest > 0.1, "%s%s is flat", names[part], arguments);
        planet_free(planet);
    }
}

// Jumps of 2e-8 where a far plate comes in show as 1e-3 in one difference, so outputs are looked at in their size.
static void gradients_match_differences(void)
{
    check_gradients("", 3e-3);
    check_gradients(", 40, 0.5", 1e-2);
}

static void gradients_go_through_warps(void)
{
    check_gradients(", at = warp(1e6, 5e6, 2, 0.4)", 1e-2);
    check_gradients(", 9, 1.7, at = warp(2e6, 9e6, 2, 0.4, at = warp(1e6, 9e6, 1))", 1e-2);
}

// A third of the way around the planet in small steps, the gradient never changes much from one to the next.
static void outputs_have_no_creases(void)
{
    for (int part = 0; part < PLATE_PARTS; part++) {
        struct planet *planet = load_part(part, "", check_random_below(1000));
        struct double3 a = random_dir(), b = across(a), dirs[PLANET_BLOCK];
        double step = 2e-4, last = NAN, worst = 0;
        for (int first = 0; first * step < 2; first += PLANET_BLOCK) {
            struct sampled sampled;
            for (int i = 0; i < PLANET_BLOCK; i++)
                dirs[i] =
                    double3_normalise(moved(double3_scale(a, cos((first + i) * step)), b, sin((first + i) * step)));
            sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, FINE_M, PLANET_WANT_GRADIENT);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                struct double3 along = double3_normalise(
                    double3_sub(double3_scale(b, cos((first + i) * step)), double3_scale(a, sin((first + i) * step))));
                double slope = sampled.gx[i] * along.x + sampled.gy[i] * along.y + sampled.gz[i] * along.z;
                if (fabs(slope - last) > worst)
                    worst = fabs(slope - last);
                last = slope;
            }
        }
        // A trench, the sharpest, is 0.0062 wide: its gradient changes by 2 / 0.0062^2 a radian, more where two meet.
        double sharpest = part == PLATE_TRENCH ? 8e4 : part == PLATE_ARC || part == PLATE_RIDGE ? 2e4 : 6e3;
        CHECK_TEXT(worst < sharpest * step, "%s: the gradient jumps by %g", names[part], worst);
        planet_free(planet);
    }
}

static void random_plates(struct plates *plates)
{
    plates_prepare(plates, 2 + (int)check_random_below(PLATES_MAX - 1), random_between(0.1, 2), check_random());
}

static struct block outputs[2][PLATE_PARTS];

static void parts_are_the_same_alone_and_without_gradient(void)
{
    const struct kernels *kernels = kernels_choose();
    static struct plates plates;
    static struct block places;
    for (int round = 0; round < 3; round++) {
        random_plates(&plates);
        random_directions(&places);
        struct points at = block_points(&places);
        struct field all[PLATE_PARTS], one[PLATE_PARTS];
        for (int part = 0; part < PLATE_PARTS; part++)
            all[part] = block_field(&outputs[0][part], true);
        kernels->plates(all, &at, &plates);
        for (int part = 0; part < PLATE_PARTS; part++)
            for (int gradient = 0; gradient < 2; gradient++) {
                memset(one, 0, sizeof one);
                one[part] = block_field(&outputs[1][part], gradient);
                kernels->plates(one, &at, &plates);
                CHECK(memcmp(outputs[0][part].row, outputs[1][part].row, (gradient ? 4 : 1) * sizeof places.row[0]) ==
                      0);
            }
    }
}

static void samples_do_not_depend_on_their_block(void)
{
    const struct kernels *kernels = kernels_choose();
    static struct plates plates;
    static struct block places, alone;
    for (int round = 0; round < 8; round++) {
        random_plates(&plates);
        random_directions(&places);
        struct points at = block_points(&places), same = block_points(&alone);
        struct field together[PLATE_PARTS], single[PLATE_PARTS];
        for (int part = 0; part < PLATE_PARTS; part++) {
            together[part] = block_field(&outputs[0][part], true);
            single[part] = block_field(&outputs[1][part], true);
        }
        kernels->plates(together, &at, &plates);
        int chosen = (int)check_random_below(PLANET_BLOCK);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                alone.row[k][i] = places.row[k][chosen];
        kernels->plates(single, &same, &plates);
        for (int part = 0; part < PLATE_PARTS; part++)
            for (int k = 0; k < 4; k++)
                CHECK(outputs[0][part].row[k][chosen] == outputs[1][part].row[k][chosen]);
    }
}

static void odd_points_do_no_harm(void)
{
    const struct kernels *kernels = kernels_choose();
    static struct plates plates;
    static struct block places;
    random_plates(&plates);
    random_directions(&places);
    for (int k = 0; k < 3; k++) {
        places.row[k][3] = 0;
        places.row[k][5] = NAN;
        places.row[k][7] = INFINITY;
    }
    struct points at = block_points(&places);
    struct field all[PLATE_PARTS];
    for (int part = 0; part < PLATE_PARTS; part++)
        all[part] = block_field(&outputs[0][part], true);
    kernels->plates(all, &at, &plates);
    for (int part = 0; part < PLATE_PARTS; part++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double result = outputs[0][part].row[k][i];
                CHECK(i == 5 || i == 7 ? isnan(result) : isfinite(result));
            }
}

// Averages over many points: what is where a field is high.
static void belts_lie_where_plates_meet_and_ridges_where_they_part(void)
{
    double sum[PLATE_PARTS] = {0}, least[PLATE_PARTS], most[PLATE_PARTS], young = 0, ridges = 0, clash = 0;
    struct planet *planets[PLATE_PARTS];
    uint64_t seed = check_random_below(1000);
    static struct sampled sampled[PLATE_PARTS];
    int blocks = 60;
    for (int part = 0; part < PLATE_PARTS; part++) {
        planets[part] = load_part(part, "", seed);
        least[part] = DBL_MAX, most[part] = -DBL_MAX;
    }
    for (int block = 0; block < blocks; block++) {
        struct double3 dirs[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[i] = random_dir();
        for (int part = 0; part < PLATE_PARTS; part++)
            sample_dirs(&sampled[part], planets[part], dirs, PLANET_BLOCK, FINE_M, 0);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            for (int part = 0; part < PLATE_PARTS; part++) {
                double v = sampled[part].height[i];
                sum[part] += v / (blocks * PLANET_BLOCK);
                least[part] = v < least[part] ? v : least[part];
                most[part] = v > most[part] ? v : most[part];
            }
            clash += sampled[PLATE_RIDGE].height[i] > 0.6 && sampled[PLATE_OROGEN].height[i] > 0.6;
            if (sampled[PLATE_RIDGE].height[i] > 0.6) {
                ridges++;
                young += sampled[PLATE_AGE].height[i] < 0.12;
            }
        }
    }
    CHECK(least[PLATE_BIAS] >= -1 && most[PLATE_BIAS] <= 1 && most[PLATE_BIAS] - least[PLATE_BIAS] > 1);
    for (int part = PLATE_TRENCH; part <= PLATE_RIDGE; part++)
        CHECK_TEXT(least[part] > (part == PLATE_SIDE ? -1.2 : -1e-12) && most[part] > 0.4 && most[part] < 2,
                   "%s %g .. %g", names[part], least[part], most[part]);
    CHECK(least[PLATE_SIDE] < -0.3);
    CHECK_TEXT(least[PLATE_AGE] >= 0 && least[PLATE_AGE] < 0.05 && most[PLATE_AGE] < 0.75 + 1e-12 &&
                   most[PLATE_AGE] > 0.6,
               "age %g .. %g", least[PLATE_AGE], most[PLATE_AGE]);
    CHECK(sum[PLATE_TRENCH] < sum[PLATE_ARC] && sum[PLATE_ARC] < sum[PLATE_OROGEN] &&
          sum[PLATE_OROGEN] < sum[PLATE_HIGHLAND] && sum[PLATE_HIGHLAND] < 0.25);
    CHECK_TEXT(ridges > 5 && young > 0.9 * ridges && clash <= 0.02 * ridges, "%g ridges, %g young, %g clashes", ridges,
               young, clash);
    for (int part = 0; part < PLATE_PARTS; part++)
        planet_free(planets[part]);
}

static void width_scales_the_belts(void)
{
    const char *const widths[2] = {", width = 0.5", ", width = 2"};
    double wide[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        struct planet *planet = load_part(PLATE_OROGEN, widths[k], 1);
        for (int round = 0; round < 40; round++) {
            struct double3 dirs[PLANET_BLOCK];
            struct sampled sampled;
            for (int i = 0; i < PLANET_BLOCK; i++)
                dirs[i] = random_dir();
            sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, FINE_M, 0);
            for (int i = 0; i < PLANET_BLOCK; i++)
                wide[k] += sampled.height[i];
        }
        planet_free(planet);
    }
    CHECK_TEXT(wide[1] > 3 * wide[0] && wide[1] < 5 * wide[0], "%g and %g", wide[0], wide[1]);
}

static double bias_here(const char *arguments, uint64_t seed)
{
    struct planet *planet = load_part(PLATE_BIAS, arguments, seed);
    double value = height_at(planet, some_dir, FINE_M);
    planet_free(planet);
    return value;
}

static void seeds_and_counts_make_other_plates(void)
{
    CHECK(bias_here("", 1) == bias_here(", seed = 1", 1));
    CHECK(bias_here("", 1) == bias_here("", 1) && bias_here("", 1) != bias_here("", 2));
    CHECK(bias_here(", seed = 2", 1) != bias_here("", 1));
    CHECK(bias_here(", 23", 1) != bias_here(", 22", 1));
    for (int part = 0; part < PLATE_PARTS; part++)
        for (int k = 0; k < 2; k++) {
            struct planet *planet = load_part(part, k ? ", 64" : ", 2", 1);
            CHECK(isfinite(height_at(planet, some_dir, FINE_M)));
            planet_free(planet);
        }
}

static int bundles_of(const char *text)
{
    struct planet *planet = load_text(text);
    int count = 0;
    for (uint32_t i = 0; i < planet->programs[PLANET_WANT_GRADIENT].step_count; i++)
        count += planet->programs[PLANET_WANT_GRADIENT].steps[i].op == GRAPH_PLATES;
    planet_free(planet);
    return count;
}

static void outputs_of_the_same_plates_share_one_evaluation(void)
{
    CHECK(bundles_of("height = plates(\"side\") * plates(\"age\") + plates(\"arc\", seed = 1)") == 1);
    CHECK(bundles_of("height = plates(\"side\") * plates(\"age\", 21) + plates(\"arc\", seed = 2)") == 3);
    double product = height_of("height = plates(\"side\")", some_dir) * height_of("height = plates(\"age\")", some_dir);
    CHECK(product != 0 && height_of("height = plates(\"side\") * plates(\"age\")", some_dir) == product);
}

static void wrong_arguments_are_refused(void)
{
    static const char *const texts[][2] = {
        {"height = plates(\"bias\", 1)", "2 to 64"},      {"height = plates(\"bias\", 65)", "2 to 64"},
        {"height = plates(\"bias\", 2.5)", "whole"},      {"height = plates(\"bias\", width = 3)", "0.1 to 2"},
        {"height = plates(\"coast\")", "\"trench\""},     {"height = plates(1)", "a string"},
        {"height = plates(\"bias\", at = x)", "a point"},
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        struct planet *planet;
        struct status status;
        CHECK(load_with(&planet, texts[k][0], NULL, 1, 0, &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, texts[k][1]) && strncmp(status.text, "P:1:", 4) == 0, "%s", status.text);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(gradients_match_differences);
    CHECK_RUN(gradients_go_through_warps);
    CHECK_RUN(outputs_have_no_creases);
    CHECK_RUN(parts_are_the_same_alone_and_without_gradient);
    CHECK_RUN(samples_do_not_depend_on_their_block);
    CHECK_RUN(odd_points_do_no_harm);
    CHECK_RUN(belts_lie_where_plates_meet_and_ridges_where_they_part);
    CHECK_RUN(width_scales_the_belts);
    CHECK_RUN(seeds_and_counts_make_other_plates);
    CHECK_RUN(outputs_of_the_same_plates_share_one_evaluation);
    CHECK_RUN(wrong_arguments_are_refused);
    return CHECK_END;
}
