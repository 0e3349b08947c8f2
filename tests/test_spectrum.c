// SPDX-License-Identifier: MIT
// Spectra of fields whose spectra are known in closed form; area weights, quantiles, fits and bins of the statistics.
#include <math.h>

#include "bake/distribution.h"
#include "bake/fft.h"
#include "bake/sphere_spectrum.h"
#include "bake/terrain_stats.h"
#include "common/stable_math.h"
#include "tests/check.h"

#define WIDTH_SMALL 256
#define WIDTH 512
#define WIDTH_MAX 2048
#define THREADS 2

static float heights[WIDTH_MAX * (WIDTH_MAX / 2)];
static double power[SPECTRUM_DEGREE_MAX + 1];

// A field of the cosine of the polar distance and the longitude in radians.
typedef double field_function(double z, double longitude);

static void fill(int width, field_function *field)
{
    for (int row = 0; row < width / 2; row++) {
        double z = sin((90 - (row + 0.5) * 360 / width) * STABLE_DEGREE);
        for (int k = 0; k < width; k++)
            heights[row * width + k] = (float)field(z, ((k + 0.5) * 360 / width - 180) * STABLE_DEGREE);
    }
}

static void measure(int width)
{
    struct status status;
    CHECK(sphere_spectrum(power, spectrum_degree_max(width), heights, width, THREADS, &status) == STATUS_OK);
}

// The field has the power expected at the degree, and nothing at the others.
static void check_single(int width, int degree, double expected, field_function *field)
{
    fill(width, field);
    measure(width);
    CHECK_TEXT(fabs(power[degree] - expected) <= 1e-6 * expected, "degree %d: %.12g, not %.12g", degree, power[degree],
               expected);
    double others = 0;
    for (int l = 0; l <= spectrum_degree_max(width); l++)
        others += l == degree ? 0 : power[l];
    CHECK_TEXT(others < 1e-9 * expected, "degree %d: others have %.3g of %.3g", degree, others, expected);
}

static double constant_field(double z, double longitude)
{
    return z + longitude < 100 ? -250 : 0;
}

static double dipole_field(double z, double longitude)
{
    (void)longitude;
    return 900 * z;
}

// x y z, which is Y_3,-2 / sqrt(105).
static double xyz_field(double z, double longitude)
{
    return 1800 * z * (1 - z * z) * cos(longitude) * sin(longitude);
}

static void harmonics_in_closed_form_have_their_power(void)
{
    check_single(WIDTH, 0, 250 * 250, constant_field);
    check_single(WIDTH, 1, 900.0 * 900 / 3, dipole_field);
    check_single(WIDTH, 3, 1800.0 * 1800 / 105, xyz_field);
}

// Adds a harmonic of degree l and order m with a mean square of a million: sin^m of the polar distance times the
// Gegenbauer polynomial of degree l - m and index m + 1/2 (from the recurrence over its degree) times cos(m longitude).
// By (d/dz)^m P_l = (2m - 1)!! C and the norm of the P_lm, its mean square is
// (l+m)! / (l-m)! / (2m - 1)!!^2 / (2 l + 1), and half of that for m > 0.
static void add_harmonic(int width, int l, int m)
{
    double index = m + 0.5, log_mean = lgamma(l + m + 1) - lgamma(l - m + 1) - log(2 * l + 1) - (m > 0 ? log(2) : 0);
    for (int odd = 1; odd < 2 * m; odd += 2)
        log_mean -= 2 * log(odd);
    for (int row = 0; row < width / 2; row++) {
        double angle = (row + 0.5) * 2 * STABLE_PI / width, z = cos(angle);
        double before = 0, now = 1;
        for (int n = 1; n <= l - m; n++) {
            double next = (2 * z * (n + index - 1) * now - (n + 2 * index - 2) * before) / n;
            before = now;
            now = next;
        }
        double amplitude = 1000 * now * exp(m * log(sin(angle)) - log_mean / 2);
        for (int k = 0; k < width; k++)
            heights[row * width + k] += (float)(amplitude * cos(m * ((k + 0.5) * 2 * STABLE_PI / width + 0.3)));
    }
}

static void check_million(int l)
{
    CHECK_TEXT(fabs(power[l] - 1e6) <= 1, "degree %d: %.12g", l, power[l]);
    power[l] = 0;
}

static void check_nothing_left(int width)
{
    double others = 0;
    for (int l = 0; l <= spectrum_degree_max(width); l++)
        others += power[l];
    CHECK_TEXT(others < 1e-3, "%.3g", others);
}

static void harmonics_of_any_order_have_their_power(void)
{
    static const int harmonics[][2] = {{0, 0}, {1, 1}, {3, 2}, {40, 40}, {100, 7}, {127, 0}, {127, 63}, {127, 127}};
    for (size_t k = 0; k < sizeof harmonics / sizeof harmonics[0]; k++) {
        memset(heights, 0, sizeof heights);
        add_harmonic(WIDTH, harmonics[k][0], harmonics[k][1]);
        measure(WIDTH);
        check_million(harmonics[k][0]);
        check_nothing_left(WIDTH);
    }
}

// Orders near the degree are those that underflow toward the poles.
static void the_highest_degrees_hold_their_digits(void)
{
    static const int harmonics[][2] = {{500, 500}, {505, 3}, {480, 250}, {511, 460}, {506, 0}};
    CHECK(spectrum_degree_max(WIDTH_MAX) == 511);
    memset(heights, 0, sizeof heights);
    for (int k = 0; k < 5; k++)
        add_harmonic(WIDTH_MAX, harmonics[k][0], harmonics[k][1]);
    measure(WIDTH_MAX);
    for (int k = 0; k < 5; k++)
        check_million(harmonics[k][0]);
    check_nothing_left(WIDTH_MAX);
}

// A zonal harmonic about an axis that is not the planet's: of all orders, and of one degree.
static double axis[3];
static int zonal_degree;
static double tilted_field(double z, double longitude)
{
    double across = sqrt(1 - z * z);
    double x = across * cos(longitude) * axis[0] + across * sin(longitude) * axis[1] + z * axis[2];
    double before = 1, now = x;
    for (int l = 2; l <= zonal_degree; l++) {
        double next = ((2 * l - 1) * x * now - (l - 1) * before) / l;
        before = now;
        now = next;
    }
    return 1000 * now;
}

static void choose_axis(void)
{
    double turn = 2 * STABLE_PI * check_random_unit();
    axis[2] = 2 * check_random_unit() - 1;
    axis[0] = sqrt(1 - axis[2] * axis[2]) * cos(turn);
    axis[1] = sqrt(1 - axis[2] * axis[2]) * sin(turn);
}

static void tilted_zonal_harmonics_have_one_degree(void)
{
    static const int degrees[] = {1, 2, 17, 62, 63};
    for (int k = 0; k < 5; k++) {
        choose_axis();
        zonal_degree = degrees[k];
        check_single(WIDTH_SMALL, zonal_degree, 1e6 / (2 * zonal_degree + 1), tilted_field);
    }
}

static void the_powers_sum_to_the_mean_square(void)
{
    static float sum[WIDTH_SMALL * (WIDTH_SMALL / 2)];
    struct status status;
    for (int k = 0; k < 12; k++) {
        choose_axis();
        zonal_degree = 1 + (int)check_random_below(63);
        fill(WIDTH_SMALL, tilted_field);
        for (int i = 0; i < WIDTH_SMALL * (WIDTH_SMALL / 2); i++)
            sum[i] = (k > 0 ? sum[i] : 0) + heights[i];
    }
    memcpy(heights, sum, sizeof sum);
    measure(WIDTH_SMALL);
    static double weights[WIDTH_SMALL / 2];
    CHECK(latitude_weights(weights, WIDTH_SMALL / 2, &status) == STATUS_OK);
    double square = 0, total = 0;
    for (int i = 0; i < WIDTH_SMALL * (WIDTH_SMALL / 2); i++)
        square += weights[i / WIDTH_SMALL] / WIDTH_SMALL * (double)sum[i] * (double)sum[i];
    for (int l = 0; l <= spectrum_degree_max(WIDTH_SMALL); l++)
        total += power[l];
    CHECK_TEXT(fabs(total - square) < 1e-9 * square, "%.12g, not %.12g", total, square);
}

static void the_number_of_threads_changes_no_bit(void)
{
    struct status status;
    double again[SPECTRUM_DEGREE_MAX + 1];
    for (int i = 0; i < WIDTH * (WIDTH / 2); i++)
        heights[i] = (float)check_random_unit();
    measure(WIDTH);
    for (int threads = 1; threads <= 5; threads += 2) {
        CHECK(sphere_spectrum(again, 127, heights, WIDTH, threads, &status) == STATUS_OK);
        CHECK(memcmp(again, power, 128 * sizeof power[0]) == 0);
    }
}

static void area_weights_sum_to_one_and_integrate_polynomials(void)
{
    static const int counts[] = {2, 4, 32, 90, 128, 1024};
    static double weights[1024];
    struct status status;
    for (int k = 0; k < 6; k++) {
        int rows = counts[k];
        CHECK(latitude_weights(weights, rows, &status) == STATUS_OK);
        double sum = 0, square = 0, fourth = 0;
        for (int row = 0; row < rows; row++) {
            double z = cos((row + 0.5) * STABLE_PI / rows);
            CHECK(weights[row] > 0 && fabs(weights[row] - weights[rows - 1 - row]) < 1e-15);
            sum += weights[row];
            square += weights[row] * z * z;
            fourth += weights[row] * z * z * z * z;
        }
        CHECK(fabs(sum - 1) < 1e-14);
        CHECK(rows < 4 || fabs(square - 1.0 / 3) < 1e-14);
        CHECK(rows < 8 || fabs(fourth - 1.0 / 5) < 1e-14);
        // Close to the area of the row's zone.
        for (int row = 0; row < rows && rows >= 32; row++) {
            double zone = (cos(row * STABLE_PI / rows) - cos((row + 1) * STABLE_PI / rows)) / 2;
            CHECK(fabs(weights[row] / zone - 1) < 0.35);
        }
    }
}

static void the_transform_is_the_sum_that_defines_it(void)
{
    double re[64], im[64], re_before[64], im_before[64];
    for (int count = 2; count <= 64; count *= 2) {
        struct fft *fft;
        struct status status;
        CHECK(fft_new(&fft, count, &status) == STATUS_OK);
        for (int k = 0; k < count; k++) {
            re_before[k] = re[k] = check_random_unit();
            im_before[k] = im[k] = check_random_unit();
        }
        fft_forward(fft, re, im);
        for (int n = 0; n < count; n++) {
            double sum_re = 0, sum_im = 0;
            for (int k = 0; k < count; k++) {
                double c = cos(2 * STABLE_PI * k * n / count), s = -sin(2 * STABLE_PI * k * n / count);
                sum_re += c * re_before[k] - s * im_before[k];
                sum_im += c * im_before[k] + s * re_before[k];
            }
            CHECK(fabs(sum_re - re[n]) < 1e-12 && fabs(sum_im - im[n]) < 1e-12);
        }
        fft_free(fft);
    }
}

static void quantiles_weigh_their_values(void)
{
    struct distribution *d;
    struct status status;
    // 0 to 1 evenly, with twice the weight from 0.5 on: a third of the weight lies below 0.5.
    CHECK(distribution_new(&d, 0, 1, &status) == STATUS_OK);
    for (int k = 0; k <= 100000; k++)
        distribution_add(d, k / 100000.0, k < 50000 ? 1 : 2);
    distribution_seal(d);
    CHECK(distribution_quantile(d, 0) == 0 && distribution_quantile(d, 1) == 1);
    CHECK(fabs(distribution_quantile(d, 1.0 / 3) - 0.5) < 1e-4);
    CHECK(fabs(distribution_quantile(d, 1.0 / 6) - 0.25) < 1e-4);
    CHECK(fabs(distribution_quantile(d, 2.0 / 3) - 0.75) < 1e-4);
    CHECK(distribution_below(d, -1) == 0 && distribution_below(d, 2) == 1);
    CHECK(fabs(distribution_below(d, 0.75) - 2.0 / 3) < 1e-4);
    double before = 0;
    for (int k = 0; k <= 1000; k++) {
        double value = distribution_quantile(d, k / 1000.0);
        CHECK(value >= before && value <= 1);
        before = value;
    }
    distribution_free(d);
}

static void quantiles_of_few_values_are_these(void)
{
    struct distribution *d;
    struct status status;
    CHECK(distribution_new(&d, -7, -7, &status) == STATUS_OK);
    distribution_add(d, -7, 3);
    distribution_seal(d);
    CHECK(distribution_quantile(d, 0) == -7 && distribution_quantile(d, 0.5) == -7 &&
          distribution_quantile(d, 1) == -7);
    CHECK(distribution_below(d, -7) == 0 && distribution_below(d, -6) == 1);
    distribution_free(d);
    CHECK(distribution_new(&d, 0, 100, &status) == STATUS_OK);
    distribution_add(d, 0, 0.25);
    distribution_add(d, 50, 0);
    distribution_add(d, 100, 0.75);
    distribution_seal(d);
    CHECK(distribution_quantile(d, 0.2) < 0.01 && distribution_quantile(d, 0.3) > 99.99);
    distribution_free(d);
}

static void a_power_law_is_fitted_exactly(void)
{
    double law[101], exponent;
    for (int l = 1; l <= 100; l++)
        law[l] = 5e6 * pow(l, -2.25);
    CHECK(terrain_stats_fit(law, 3, 20, &exponent) && fabs(exponent + 2.25) < 1e-12);
    CHECK(terrain_stats_fit(law, 20, 100, &exponent) && fabs(exponent + 2.25) < 1e-12);
    law[50] = 0;
    CHECK(!terrain_stats_fit(law, 20, 100, &exponent));
}

static void bins_are_250_m_or_of_a_round_width_that_fits(void)
{
    CHECK(terrain_stats_bin(-10000, 6600) == 250 && terrain_stats_bin(-8000, 21000) == 250);
    CHECK(terrain_stats_bin(-500, 1000) == 10 && terrain_stats_bin(-34, 36) == 0.5 && terrain_stats_bin(5, 5) == 1);
    for (int k = 0; k < 20000; k++) {
        double low = -pow(10, 16 * check_random_unit() - 8), high = pow(10, 16 * check_random_unit() - 8);
        double bin = terrain_stats_bin(low, high), count = floor(high / bin) - floor(low / bin) + 1;
        CHECK_TEXT(count >= 40 && count <= STATS_BINS_MAX, "%g to %g: %g bins of %g", low, high, count, bin);
        double ten = pow(10, floor(log10(bin * 1.0001))), part = bin / ten;
        CHECK_TEXT(fabs(part - 1) < 1e-9 || fabs(part - 2.5) < 1e-9 || fabs(part - 5) < 1e-9, "%g", bin);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(harmonics_in_closed_form_have_their_power);
    CHECK_RUN(harmonics_of_any_order_have_their_power);
    CHECK_RUN(the_highest_degrees_hold_their_digits);
    CHECK_RUN(tilted_zonal_harmonics_have_one_degree);
    CHECK_RUN(the_powers_sum_to_the_mean_square);
    CHECK_RUN(the_number_of_threads_changes_no_bit);
    CHECK_RUN(area_weights_sum_to_one_and_integrate_polynomials);
    CHECK_RUN(the_transform_is_the_sum_that_defines_it);
    CHECK_RUN(quantiles_weigh_their_values);
    CHECK_RUN(quantiles_of_few_values_are_these);
    CHECK_RUN(a_power_law_is_fitted_exactly);
    CHECK_RUN(bins_are_250_m_or_of_a_round_width_that_fits);
    return CHECK_END;
}
