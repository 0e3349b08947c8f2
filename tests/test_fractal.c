// SPDX-License-Identifier: MIT
// Sums of octaves: gradients with and without warps, the band limit, ranges and means.
#include "bake/planet/octave.h"
#include "tests/kernel_block.h"

static const struct kernels *kernels;

static struct fractal fractal_of(enum fractal_kind kind, double frequency, int octaves)
{
    return (struct fractal){.kind = kind,
                            .frequency = frequency,
                            .octaves = octaves,
                            .gain = 0.6,
                            .lacunarity = 2.03,
                            .seed = check_random(),
                            .f_max = INFINITY};
}

// A fractal at positions that are warped a number of times by polynomials, with its own gain or that of a polynomial.
struct warped {
    struct fractal fractal;
    bool has_gain;
    struct polynomial gain;
    struct polynomial warp[2][3];
    int warps;
};

static struct warped warped_of(struct fractal fractal, int warps)
{
    struct warped warped = {.fractal = fractal, .warps = warps};
    for (int w = 0; w < 2; w++)
        for (int k = 0; k < 3; k++)
            warped.warp[w][k] = random_polynomial();
    return warped;
}

static void evaluate(struct block *out, const struct warped *warped, struct block *places, bool gradient)
{
    static struct block moved[2], jacobian[2][3], w[3], gain;
    struct points at = block_points(places);
    for (int k = 0; k < warped->warps; k++) {
        struct points next = block_points(&moved[k]);
        for (int j = 0; j < 9 && gradient; j++)
            next.jacobian[j] = jacobian[k][j / 3].row[j % 3];
        // The warping fields are functions of the position, not of the warped place.
        for (int j = 0; j < 3; j++)
            polynomial_field(block_field(&w[j], gradient), &warped->warp[k][j], places);
        kernels->warp(&next, &at, 0.3, block_field(&w[0], gradient), block_field(&w[1], gradient),
                      block_field(&w[2], gradient));
        at = next;
    }
    if (warped->has_gain) {
        polynomial_field(block_field(&gain, gradient), &warped->gain, places);
        kernels->fractal_gain(block_field(out, gradient), &at, block_field(&gain, gradient), &warped->fractal);
    } else {
        kernels->fractal(block_field(out, gradient), &at, &warped->fractal);
    }
}

// The gain is between 0.3 and 0.9 nearly everywhere.
static struct warped gained_of(struct fractal fractal, int warps)
{
    struct warped warped = warped_of(fractal, warps);
    warped.has_gain = true;
    warped.gain = random_polynomial();
    for (int k = 0; k < 7; k++)
        warped.gain.c[k] *= 0.1;
    warped.gain.c[0] += 0.6;
    return warped;
}

// The largest difference between gradient and difference quotient over a step, relative to the steepest slope there is.
static double gradient_error(const struct warped *warped, double step)
{
    static struct block places, moved, exact, up, down;
    random_directions(&places);
    evaluate(&exact, warped, &places, true);
    double worst = 0, steepest = 0;
    for (int k = 0; k < 3; k++) {
        moved = places;
        for (int i = 0; i < PLANET_BLOCK; i++)
            moved.row[k][i] = places.row[k][i] + step;
        evaluate(&up, warped, &moved, false);
        for (int i = 0; i < PLANET_BLOCK; i++)
            moved.row[k][i] = places.row[k][i] - step;
        evaluate(&down, warped, &moved, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double quotient = (up.row[0][i] - down.row[0][i]) / (2 * step), slope = exact.row[1 + k][i];
            worst = fabs(quotient - slope) > worst ? fabs(quotient - slope) : worst;
            steepest = fabs(slope) > steepest ? fabs(slope) : steepest;
        }
    }
    return worst / steepest;
}

static void gradients_of_double_octaves_are_those_of_the_values(void)
{
    for (int round = 0; round < 60; round++) {
        enum fractal_kind kind = (enum fractal_kind)(round % 3);
        struct warped warped = warped_of(fractal_of(kind, random_between(0.5, 0.9), 4), round / 3 % 3);
        if (round % 2)
            warped.fractal.f_max = random_between(1.5, 12.0); // with faded and missing octaves
        // Where f_max is low all octaves run in float, which wider differences smooth over.
        bool wide = round % 2;
        double error = gradient_error(&warped, wide ? 1e-4 : 1e-6);
        CHECK_TEXT(error < (wide ? 1e-2 : 1e-6), "kind %d, %d warps: %g", kind, warped.warps, error);
    }
}

static void gradients_of_float_octaves_are_those_of_the_values(void)
{
    for (int round = 0; round < 60; round++) {
        enum fractal_kind kind = (enum fractal_kind)(round % 3);
        struct warped warped = warped_of(fractal_of(kind, random_between(65.0, 100.0), 3), round / 3 % 3);
        if (round % 2)
            warped.fractal.f_max = random_between(110.0, 600.0);
        double error = gradient_error(&warped, 2e-6);
        CHECK_TEXT(error < 5e-3, "kind %d, %d warps: %g", kind, warped.warps, error);
    }
}

static void gradients_follow_a_gain_that_is_a_field(void)
{
    for (int round = 0; round < 60; round++) {
        enum fractal_kind kind = (enum fractal_kind)(round % 3);
        bool fine = round % 4 > 1;
        struct warped warped = gained_of(
            fractal_of(kind, fine ? random_between(65.0, 100.0) : random_between(0.5, 0.9), 4), round / 3 % 3);
        if (round % 2)
            warped.fractal.f_max = fine ? random_between(110.0, 600.0) : random_between(1.5, 12.0);
        bool wide = round % 2 && !fine;
        double error = gradient_error(&warped, wide ? 1e-4 : fine ? 2e-6 : 1e-6);
        CHECK_TEXT(error < (wide ? 1e-2 : fine ? 5e-3 : 1e-6), "kind %d, %d warps: %g", kind, warped.warps, error);
    }
}

static void the_same_gain_everywhere_is_the_gain_of_the_fractal(void)
{
    for (int round = 0; round < 30; round++) {
        static struct block places, plain, gained, gain;
        random_directions(&places);
        struct fractal fractal = fractal_of((enum fractal_kind)(round % 3), 3.0, 12);
        fractal.gain = round < 3 ? 0.0 : round < 6 ? 2.0 : random_between(0, 2);
        if (round % 2)
            fractal.f_max = random_between(4.0, 4000.0);
        struct points at = block_points(&places);
        kernels->fractal(block_field(&plain, true), &at, &fractal);
        kernels->fill(block_field(&gain, true), fractal.gain);
        double reach[2] = {0.0, 0.0}; // what values and gradients add up to, about
        for (int k = 0; k < fractal.octaves; k++) {
            reach[0] += pow(fractal.gain, k);
            reach[1] += pow(fractal.gain * fractal.lacunarity, k) * fractal.frequency;
        }
        fractal.gain = 17.0; // is not looked at
        kernels->fractal_gain(block_field(&gained, true), &at, block_field(&gain, true), &fractal);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double size = (k ? 3.0 * 4096 : 1.0) * 4096; // of gain^11, and frequency 3 * 2^12
                // fBm's amplitude and the sum of its gradients are rounded to float.
                double allowed = 3e-15 * size + (fractal.kind == FRACTAL_FBM ? 3e-7 * reach[k > 0] : 0.0);
                CHECK_TEXT(fabs(plain.row[k][i] - gained.row[k][i]) < allowed, "kind %d row %d: %g for %g",
                           fractal.kind, k, gained.row[k][i], plain.row[k][i]);
            }
    }
}

static void a_gain_out_of_its_range_is_clamped_and_flat(void)
{
    static struct block places, one, two, gain;
    random_directions(&places);
    struct points at = block_points(&places);
    const double out_of_range[][2] = {{-3.0, 0.0}, {7.0, 2.0}, {NAN, 0.0}, {INFINITY, 2.0}};
    for (int kind = FRACTAL_FBM; kind <= FRACTAL_RIDGED; kind++)
        for (int k = 0; k < 4; k++) {
            struct fractal fractal = fractal_of((enum fractal_kind)kind, 3.0, 5);
            struct field steep = block_field(&gain, true);
            kernels->fill(steep, out_of_range[k][0]);
            for (int i = 0; i < PLANET_BLOCK; i++)
                steep.gx[i] = steep.gy[i] = k == 2 ? NAN : 1e6;
            kernels->fractal_gain(block_field(&one, true), &at, steep, &fractal);
            kernels->fill(steep, out_of_range[k][1]);
            kernels->fractal_gain(block_field(&two, true), &at, steep, &fractal);
            CHECK_TEXT(memcmp(&one, &two, sizeof one) == 0, "kind %d gain %g", kind, out_of_range[k][0]);
        }
}

static void values_do_not_depend_on_whether_the_gradient_is_wanted(void)
{
    for (int round = 0; round < 12; round++) {
        static struct block places, with, without;
        random_directions(&places);
        struct warped warped = warped_of(fractal_of((enum fractal_kind)(round % 3), 3.0, 12), round % 2);
        warped.fractal.f_max = round & 1 ? INFINITY : 1000.0;
        evaluate(&with, &warped, &places, true);
        evaluate(&without, &warped, &places, false);
        CHECK(memcmp(with.row[0], without.row[0], sizeof with.row[0]) == 0);
        warped = gained_of(warped.fractal, round % 2);
        evaluate(&with, &warped, &places, true);
        evaluate(&without, &warped, &places, false);
        CHECK(memcmp(with.row[0], without.row[0], sizeof with.row[0]) == 0);
    }
}

static void a_sample_does_not_depend_on_the_others_in_its_block(void)
{
    for (int round = 0; round < 12; round++) {
        static struct block places, copies, together, alone;
        random_directions(&places);
        struct warped warped = warped_of(fractal_of((enum fractal_kind)(round % 3), 3.0, 12), 0);
        evaluate(&together, &warped, &places, round & 1);
        for (int i = 0; i < PLANET_BLOCK; i += 31) {
            for (int j = 0; j < PLANET_BLOCK; j++)
                for (int k = 0; k < 3; k++)
                    copies.row[k][j] = places.row[k][i];
            evaluate(&alone, &warped, &copies, round & 1); // all in one cell of every octave
            for (int k = 0; k < (round & 1 ? 4 : 1); k++)
                CHECK_TEXT(together.row[k][i] == alone.row[k][0] && alone.row[k][0] == alone.row[k][127],
                           "row %d: %a for %a", k, alone.row[k][0], together.row[k][i]);
        }
    }
}

// Near samples take short cuts, one that is far out or at no place at all takes them from its whole block, and fine
// octaves have ways of their own, as has a block of copies, which lies in one cell: all give the same bits.
static void fine_octaves_and_places_far_out_do_not_change_the_others(void)
{
    for (int round = 0; round < 24; round++) {
        static struct block places, copies, odd, near, one, other;
        random_directions(&places);
        struct fractal fractal = fractal_of((enum fractal_kind)(round % 3), 3.0, 28);
        struct points at = block_points(&places), odd_at = block_points(&odd), copies_at = block_points(&copies);
        odd = places;
        odd.row[round % 2][17] = round % 4 < 2 ? 5.0 : round % 8 < 4 ? NAN : INFINITY;
        bool gradient = round & 1;
        kernels->fractal(block_field(&near, gradient), &at, &fractal);
        kernels->fractal(block_field(&other, gradient), &odd_at, &fractal);
        CHECK(isnan(other.row[0][17]) == (round % 4 >= 2));
        for (int j = 0; j < PLANET_BLOCK; j++)
            for (int k = 0; k < 3; k++)
                copies.row[k][j] = places.row[k][round];
        kernels->fractal(block_field(&one, gradient), &copies_at, &fractal);
        for (int k = 0; k < (gradient ? 4 : 1); k++) {
            CHECK(one.row[k][5] == near.row[k][round]);
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK_TEXT(i == 17 || near.row[k][i] == other.row[k][i], "row %d: %a for %a", k, other.row[k][i],
                           near.row[k][i]);
        }
    }
}

// Value rows of a fractal at the same places with another count of octaves and limit.
static void evaluate_limited(double out[PLANET_BLOCK], struct block *places, struct fractal fractal, int octaves,
                             double f_max)
{
    fractal.octaves = octaves;
    fractal.f_max = f_max;
    struct points at = block_points(places);
    kernels->fractal((struct field){out, NULL, NULL, NULL}, &at, &fractal);
}

static void the_band_limit_weighs_octaves_linearly_and_stops(void)
{
    for (int kind = FRACTAL_FBM; kind <= FRACTAL_BILLOW; kind++) {
        static struct block places;
        static _Alignas(64) double one[PLANET_BLOCK], two[PLANET_BLOCK], limited[PLANET_BLOCK];
        random_directions(&places);
        struct fractal fractal = fractal_of((enum fractal_kind)kind, 20.0, 2);
        double second = 20.0 * fractal.lacunarity;
        evaluate_limited(one, &places, fractal, 1, INFINITY);
        evaluate_limited(two, &places, fractal, 2, INFINITY);
        for (int step = 0; step <= 8; step++) {
            double share = step / 4.0 - 0.5; // of the way from f to 1.5 f
            evaluate_limited(limited, &places, fractal, 2, second * (1.0 + 0.5 * share));
            double weight = share < 0 ? 0 : share > 1 ? 1 : share;
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK_TEXT(fabs(limited[i] - (one[i] + weight * (two[i] - one[i]))) < 1e-6, "kind %d share %g", kind,
                           share);
        }
        evaluate_limited(limited, &places, fractal, 2, 20.0);
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK(limited[i] == 0.0);
    }
}

static double mean_of(struct fractal fractal, int rounds)
{
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        static struct block places, out;
        random_directions(&places);
        struct points at = block_points(&places);
        fractal.seed = check_random();
        kernels->fractal(block_field(&out, false), &at, &fractal);
        for (int i = 0; i < PLANET_BLOCK; i++)
            sum += out.row[0][i];
    }
    return sum / (rounds * PLANET_BLOCK);
}

static void fbm_and_billow_have_mean_zero(void)
{
    for (int kind = FRACTAL_FBM; kind <= FRACTAL_BILLOW; kind++) {
        struct fractal fractal = fractal_of((enum fractal_kind)kind, 400.0, 1);
        double mean = mean_of(fractal, 2000);
        CHECK_TEXT(fabs(mean) < 0.004, "kind %d: %g", kind, mean);
    }
}

static void ridges_keep_their_mean_where_the_band_limit_takes_octaves(void)
{
    struct fractal fractal = fractal_of(FRACTAL_RIDGED, 300.0, 5);
    double whole = mean_of(fractal, 600);
    for (int step = 0; step < 10; step++) {
        fractal.f_max = 300.0 * pow(1.6, step) * 0.9;
        double mean = mean_of(fractal, 600);
        // Octaves depend on each other only through the weight, whose covariance with its own ridge this leaves out.
        CHECK_TEXT(fabs(mean / whole - 1.0) < 0.03, "f_max %g: %g for %g", fractal.f_max, mean, whole);
    }
}

static void missing_ridges_stand_at_their_mean(void)
{
    static struct block places;
    static _Alignas(64) double one[PLANET_BLOCK], five[PLANET_BLOCK];
    random_directions(&places);
    struct fractal fractal = fractal_of(FRACTAL_RIDGED, 30.0, 1);
    evaluate_limited(one, &places, fractal, 1, 60.0);
    evaluate_limited(five, &places, fractal, 5, 60.0); // only the first of five
    for (int i = 0; i < PLANET_BLOCK; i++) {
        const double mean = 0.6712;
        double expected = one[i], before = 0.5 + 0.5 * one[i], gain = 1.0;
        for (int k = 1; k < 5; k++) {
            gain *= fractal.gain;
            expected += gain * mean * (0.45 + 0.55 * before);
            before = 0.5 * before + 0.5 * mean;
        }
        CHECK_TEXT(fabs(five[i] - expected) < 1e-12, "%g for %g", five[i], expected);
    }
}

static void ridges_lie_between_zero_and_the_sum_of_gains(void)
{
    double low = 1, high = 0;
    for (int round = 0; round < 300; round++) {
        static struct block places, out;
        random_directions(&places);
        struct points at = block_points(&places);
        struct fractal fractal = fractal_of(FRACTAL_RIDGED, 50.0, 3); // 1 + 0.6 + 0.36
        fractal.f_max = round & 1 ? INFINITY : 130.0;
        kernels->fractal(block_field(&out, false), &at, &fractal);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            low = out.row[0][i] < low ? out.row[0][i] : low;
            high = out.row[0][i] > high ? out.row[0][i] : high;
        }
    }
    CHECK_TEXT(low >= 0.0 && low < 0.4, "%g", low);
    CHECK_TEXT(high <= 1.96 && high > 1.7, "%g", high);
}

static void octaves_carry_gain_and_turned_lattices_of_their_frequency(void)
{
    struct fractal fractal = fractal_of(FRACTAL_FBM, 1.5, 32);
    struct octave octaves[OCTAVE_COUNT_MAX];
    CHECK(octaves_prepare(octaves, &fractal) == 32);
    for (int k = 0; k < 32; k++) {
        double f = 1.5 * pow(2.03, k);
        CHECK(fabs(octaves[k].frequency / f - 1) < 1e-13 && fabs(octaves[k].amplitude / pow(0.6, k) - 1) < 1e-13);
        for (int i = 0; i < 3; i++) {
            CHECK(octaves[k].offset[i] >= -0.5 && octaves[k].offset[i] <= 0.5);
            for (int j = 0; j < 3; j++) {
                const double *a = octaves[k].matrix[i], *b = octaves[k].matrix[j];
                double product = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (f * f);
                CHECK_TEXT(fabs(product - (i == j)) < 1e-12, "octave %d rows %d %d: %g", k, i, j, product);
            }
            // No axis of an octave lies within 15 degrees of one of the next.
            for (int j = 0; k && j < 3; j++) {
                const double *a = octaves[k].matrix[i], *b = octaves[k - 1].matrix[j];
                double cosine = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (f * f / 2.03);
                CHECK_TEXT(fabs(cosine) < 0.966, "octave %d axes %d %d: %g", k, i, j, cosine);
            }
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    CHECK_RUN(gradients_of_double_octaves_are_those_of_the_values);
    CHECK_RUN(gradients_of_float_octaves_are_those_of_the_values);
    CHECK_RUN(gradients_follow_a_gain_that_is_a_field);
    CHECK_RUN(the_same_gain_everywhere_is_the_gain_of_the_fractal);
    CHECK_RUN(a_gain_out_of_its_range_is_clamped_and_flat);
    CHECK_RUN(values_do_not_depend_on_whether_the_gradient_is_wanted);
    CHECK_RUN(a_sample_does_not_depend_on_the_others_in_its_block);
    CHECK_RUN(fine_octaves_and_places_far_out_do_not_change_the_others);
    CHECK_RUN(the_band_limit_weighs_octaves_linearly_and_stops);
    CHECK_RUN(fbm_and_billow_have_mean_zero);
    CHECK_RUN(ridges_keep_their_mean_where_the_band_limit_takes_octaves);
    CHECK_RUN(missing_ridges_stand_at_their_mean);
    CHECK_RUN(ridges_lie_between_zero_and_the_sum_of_gains);
    CHECK_RUN(octaves_carry_gain_and_turned_lattices_of_their_frequency);
    return CHECK_END;
}
