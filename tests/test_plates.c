// SPDX-License-Identifier: MIT
// plates(): gradients, smoothness, what lies where, and that outputs share one evaluation.
#include <float.h>

#include "bake/planet/planet_internal.h"
#include "bake/planet/plates.h"
#include "tests/kernel_block.h"
#include "tests/planet_help.h"

#define FINE_M 50.0
#define THREES (PLANET_BLOCK / 3) // a place and two beside it

static const char *const names[PLATE_PARTS] = {"bias", "trench", "arc", "orogen", "highland", "side", "ridge", "age"};

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

static struct block outputs[2][PLATE_PARTS];

// All parts with their gradients at count directions.
static void evaluate(struct block results[PLATE_PARTS], const struct plates *plates, const struct double3 *dirs,
                     int count)
{
    static struct block places;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        const struct double3 *dir = &dirs[i < count ? i : count - 1];
        places.row[0][i] = dir->x;
        places.row[1][i] = dir->y;
        places.row[2][i] = dir->z;
    }
    struct points at = block_points(&places);
    struct field all[PLATE_PARTS];
    for (int part = 0; part < PLATE_PARTS; part++)
        all[part] = block_field(&results[part], true);
    kernels_choose()->plates(all, &at, plates);
}

static double slope_along(const struct block *result, int i, struct double3 along)
{
    return result->row[1][i] * along.x + result->row[2][i] * along.y + result->row[3][i] * along.z;
}

// Jumps of 2e-8 where a far plate comes in show as 1e-3 in one difference, so outputs are looked at in their size.
static void check_gradients(int count, double width, double allowed)
{
    static struct plates plates;
    double step = 1e-5, greatest[PLATE_PARTS] = {0};
    plates_prepare(&plates, count, width, check_random());
    for (int round = 0; round < 6; round++) {
        struct double3 dirs[3 * THREES], along[THREES];
        for (int i = 0; i < THREES; i++) {
            dirs[3 * i] = random_dir();
            along[i] = across(dirs[3 * i]);
            dirs[3 * i + 1] = moved(dirs[3 * i], along[i], step);
            dirs[3 * i + 2] = moved(dirs[3 * i], along[i], -step);
        }
        evaluate(outputs[0], &plates, dirs, 3 * THREES);
        for (int part = 0; part < PLATE_PARTS; part++)
            for (int i = 0; i < THREES; i++) {
                const struct block *result = &outputs[0][part];
                double slope = slope_along(result, 3 * i, along[i]);
                double difference = (result->row[0][3 * i + 1] - result->row[0][3 * i + 2]) / (2 * step);
                CHECK_TEXT(fabs(slope - difference) < allowed * (1 + fabs(slope)), "%s: %.9g, differences give %.9g",
                           names[part], slope, difference);
                greatest[part] = fabs(slope) > greatest[part] ? fabs(slope) : greatest[part];
            }
    }
    for (int part = 0; part < PLATE_PARTS; part++)
        CHECK_TEXT(greatest[part] > 0.1, "%s is flat", names[part]);
}

static void gradients_match_differences(void)
{
    check_gradients(22, 1, 3e-3);
    check_gradients(40, 0.5, 1e-2);
    check_gradients(9, 1.7, 3e-3);
}

// The sum of all outputs, in kilometres.
static void sum_of_parts(char text[1200], const char *arguments)
{
    int length = snprintf(text, 1200, "height = 0");
    for (int part = 0; part < PLATE_PARTS; part++)
        length += snprintf(text + length, 1200 - (size_t)length, " + %g * plates(\"%s\"%s)",
                           part == PLATE_AGE ? 1 / 6371.0 : 1000, names[part], arguments);
}

static void gradients_go_through_warps(void)
{
    static const char *const arguments[] = {", at = warp(1e6, 5e6, 2, 0.4)",
                                            ", 9, 1.7, at = warp(2e6, 9e6, 2, 0.4, at = warp(1e6, 9e6, 1))"};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        sum_of_parts(text, arguments[k]);
        struct planet *planet = load_seed(text, check_random_below(1000));
        double step = 1e-5;
        for (int i = 0; i < 60; i++) {
            struct double3 dir = random_dir(), along = across(dir);
            struct double3 three[3] = {dir, moved(dir, along, step), moved(dir, along, -step)};
            struct sampled s;
            sample_dirs(&s, planet, three, 3, FINE_M, PLANET_WANT_GRADIENT);
            double slope = s.gx[0] * along.x + s.gy[0] * along.y + s.gz[0] * along.z;
            double difference = (s.height[1] - s.height[2]) / (2 * step);
            CHECK_TEXT(fabs(slope - difference) < 10 + 0.01 * fabs(slope), "%.9g, differences give %.9g", slope,
                       difference);
        }
        planet_free(planet);
    }
}

// A third of the way around the planet in small steps, the gradient never changes much from one to the next.
static void outputs_have_no_creases(void)
{
    static struct plates plates;
    struct double3 a = random_dir(), b = across(a), dirs[PLANET_BLOCK];
    double step = 2e-4, last[PLATE_PARTS] = {0}, worst[PLATE_PARTS] = {0};
    plates_prepare(&plates, 22, 1, check_random());
    for (int first = 0; first * step < 2; first += PLANET_BLOCK) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[i] = moved(double3_scale(a, cos((first + i) * step)), b, sin((first + i) * step));
        evaluate(outputs[0], &plates, dirs, PLANET_BLOCK);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            struct double3 along =
                double3_sub(double3_scale(b, cos((first + i) * step)), double3_scale(a, sin((first + i) * step)));
            for (int part = 0; part < PLATE_PARTS; part++) {
                double slope = slope_along(&outputs[0][part], i, along);
                if (first + i > 0 && fabs(slope - last[part]) > worst[part])
                    worst[part] = fabs(slope - last[part]);
                last[part] = slope;
            }
        }
    }
    for (int part = 0; part < PLATE_PARTS; part++) {
        // A trench, the sharpest, is 0.0062 wide: its gradient changes by 2 / 0.0062^2 a radian, more where two meet.
        double sharpest = part == PLATE_TRENCH ? 8e4 : part == PLATE_ARC || part == PLATE_RIDGE ? 2e4 : 6e3;
        CHECK_TEXT(worst[part] < sharpest * step, "%s: the gradient jumps by %g", names[part], worst[part]);
    }
}

static void random_plates(struct plates *plates)
{
    plates_prepare(plates, 2 + (int)check_random_below(PLATES_MAX - 1), random_between(0.1, 2), check_random());
}

static void parts_are_the_same_alone_and_without_gradient(void)
{
    const struct kernels *kernels = kernels_choose();
    static struct plates plates;
    static struct block places;
    for (int round = 0; round < 2; round++) {
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
    for (int round = 0; round < 4; round++) {
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
    static struct plates plates;
    double sum[PLATE_PARTS] = {0}, least[PLATE_PARTS], most[PLATE_PARTS], young = 0, ridges = 0, clash = 0;
    plates_prepare(&plates, 22, 1, check_random());
    for (int part = 0; part < PLATE_PARTS; part++)
        least[part] = DBL_MAX, most[part] = -DBL_MAX;
    for (int block = 0; block < 50; block++) {
        struct double3 dirs[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[i] = random_dir();
        evaluate(outputs[0], &plates, dirs, PLANET_BLOCK);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            for (int part = 0; part < PLATE_PARTS; part++) {
                double v = outputs[0][part].row[0][i];
                sum[part] += v / (50 * PLANET_BLOCK);
                least[part] = v < least[part] ? v : least[part];
                most[part] = v > most[part] ? v : most[part];
            }
            bool ridge = outputs[0][PLATE_RIDGE].row[0][i] > 0.6;
            clash += ridge && outputs[0][PLATE_OROGEN].row[0][i] > 0.6;
            ridges += ridge;
            young += ridge && outputs[0][PLATE_AGE].row[0][i] < 0.12;
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
    CHECK_TEXT(ridges > 5 && young > 0.7 * ridges && clash <= 0.12 * ridges, "%g ridges, %g young, %g clashes", ridges,
               young, clash);
}

static void width_scales_the_belts(void)
{
    static struct plates plates[2];
    double wide[2] = {0, 0};
    plates_prepare(&plates[0], 22, 0.5, 1);
    plates_prepare(&plates[1], 22, 2, 1);
    for (int round = 0; round < 16; round++) {
        struct double3 dirs[PLANET_BLOCK];
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[i] = random_dir();
        for (int k = 0; k < 2; k++) {
            evaluate(outputs[k], &plates[k], dirs, PLANET_BLOCK);
            for (int i = 0; i < PLANET_BLOCK; i++)
                wide[k] += outputs[k][PLATE_OROGEN].row[0][i];
        }
    }
    CHECK_TEXT(wide[1] > 2.5 * wide[0] && wide[1] < 9 * wide[0], "%g and %g", wide[0], wide[1]);
}

static double bias_here(const char *arguments, uint64_t seed)
{
    char text[100];
    snprintf(text, sizeof text, "height = plates(\"bias\"%s)", arguments);
    struct planet *planet = load_seed(text, seed);
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
    for (int k = 0; k < 2; k++) {
        char text[1200];
        sum_of_parts(text, k ? ", 64" : ", 2");
        CHECK(isfinite(height_of(text, some_dir)));
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
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        check_refused(texts[k][0], NULL, STATUS_INPUT, "P:1:", texts[k][1]);
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
