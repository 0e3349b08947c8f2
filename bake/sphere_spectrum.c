// SPDX-License-Identifier: MIT
// A row and its mirror image about the equator share their Legendre functions but for the sign, so the rows are taken
// in pairs: sums of a pair meet the functions with even l - m, differences the others.
//
// The Legendre functions come from the standard recurrence over l from the sectoral ones (S. A. Holmes and
// W. E. Featherstone, J. Geodesy 76, 2002, equation 11). sin^m of the polar distance, which underflows toward the
// poles, is taken out of the recurrence and given to the data. What remains grows to 1e110 at most for degrees up to
// 512, and rows where sin^m is below 1e-140 add nothing.
#include "bake/sphere_spectrum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "bake/fft.h"
#include "common/stable_math.h"

// Sums run in this many lanes, so that compilers vectorise them without changing their order.
#define LANES 8
#define SINE_POWER_MIN 1e-140

// Rows in pairs: pair j is row j and row row_count - 1 - j.
struct spectrum {
    int width, pairs, degree_max;
    struct fft *fft;
    double *x, *sine,
        *weight; // of each pair's northern row: cosine and sine of the polar distance; half the row's share
    // [m][pair] Fourier coefficients of sums and differences.
    double *sum_re, *sum_im, *difference_re, *difference_im;
    double *power; // [m][l]
};

// One thread's.
struct spectrum_scratch {
    double *fft_re, *fft_im;     // width
    double *p, *p_before;        // pairs
    double *in_re[2], *in_im[2]; // pairs; sums and differences with sin^m and the weight
};

int spectrum_degree_max(int width)
{
    int quarter = width / 4 - 1;
    return quarter < SPECTRUM_DEGREE_MAX ? quarter : SPECTRUM_DEGREE_MAX;
}

enum status_code latitude_weights(double *weights, int row_count, struct status *status)
{
    assert(row_count >= 2 && row_count % 2 == 0);
    int turn = 2 * row_count;
    double *cosine = malloc((size_t)turn * sizeof *cosine), ignored;
    if (!cosine)
        return status_fail_memory(status, "latitude weights", (size_t)turn * sizeof *cosine);
    for (int k = 0; k < turn; k++)
        stable_sincos_deg(180.0 * k / row_count, &ignored, &cosine[k]);
    for (int row = 0; row < row_count; row++) {
        double sum = 0;
        int angle = 0; // k (2 row + 1), in units of pi / row_count
        for (int k = 1; k <= row_count / 2; k++) {
            angle = (angle + 2 * row + 1) % turn;
            sum += cosine[angle] / (4.0 * k * k - 1.0);
        }
        weights[row] = (1.0 - 2.0 * sum) / row_count;
    }
    free(cosine);
    return STATUS_OK;
}

static size_t scratch_count(const struct spectrum *spectrum)
{
    return 2 * (size_t)spectrum->width + 6 * (size_t)spectrum->pairs;
}

static struct spectrum_scratch scratch_of(const struct spectrum *spectrum, double *memory)
{
    size_t width = (size_t)spectrum->width, pairs = (size_t)spectrum->pairs;
    double *rest = memory + 2 * width;
    return (struct spectrum_scratch){
        .fft_re = memory,
        .fft_im = memory + width,
        .p = rest,
        .p_before = rest + pairs,
        .in_re = {rest + 2 * pairs, rest + 3 * pairs},
        .in_im = {rest + 4 * pairs, rest + 5 * pairs},
    };
}

// Both rows of a pair in one transform, one as the real and one as the imaginary part.
static void transform_pair(const struct spectrum *spectrum, const struct spectrum_scratch *scratch,
                           const float *heights, int pair)
{
    int width = spectrum->width;
    const float *north = heights + (size_t)pair * (size_t)width;
    const float *south = heights + (size_t)(2 * spectrum->pairs - 1 - pair) * (size_t)width;
    double *re = scratch->fft_re, *im = scratch->fft_im;
    for (int k = 0; k < width; k++) {
        re[k] = (double)north[k];
        im[k] = (double)south[k];
    }
    fft_forward(spectrum->fft, re, im);
    double scale = 0.5 / width;
    for (int m = 0; m <= spectrum->degree_max; m++) {
        int mirror = m == 0 ? 0 : width - m;
        double north_re = scale * (re[m] + re[mirror]), north_im = scale * (im[m] - im[mirror]);
        double south_re = scale * (im[m] + im[mirror]), south_im = scale * (re[mirror] - re[m]);
        size_t at = (size_t)m * (size_t)spectrum->pairs + (size_t)pair;
        spectrum->sum_re[at] = north_re + south_re;
        spectrum->sum_im[at] = north_im + south_im;
        spectrum->difference_re[at] = north_re - south_re;
        spectrum->difference_im[at] = north_im - south_im;
    }
}

static double whole_power(double base, int exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent & 1)
            result *= base;
        base *= base;
    }
    return result;
}

// The order's data times weight and sin^m. Returns the first pair, a multiple of LANES, that counts.
static int prepare_order(const struct spectrum *spectrum, const struct spectrum_scratch *scratch, int m)
{
    int first = -1;
    size_t row = (size_t)m * (size_t)spectrum->pairs;
    for (int j = 0; j < spectrum->pairs; j++) {
        double sine_power = whole_power(spectrum->sine[j], m);
        if (first < 0 && sine_power >= SINE_POWER_MIN)
            first = j / LANES * LANES;
        double factor = sine_power * spectrum->weight[j];
        scratch->in_re[0][j] = factor * spectrum->sum_re[row + (size_t)j];
        scratch->in_im[0][j] = factor * spectrum->sum_im[row + (size_t)j];
        scratch->in_re[1][j] = factor * spectrum->difference_re[row + (size_t)j];
        scratch->in_im[1][j] = factor * spectrum->difference_im[row + (size_t)j];
    }
    return first < 0 ? spectrum->pairs : first;
}

// before becomes a x now - b before, which is the next degree's function, and the square of its sum with the data is
// returned.
static double step(const struct spectrum *spectrum, int first, double a, double b, const double *now, double *before,
                   const double *in_re, const double *in_im)
{
    double re[LANES] = {0}, im[LANES] = {0};
    for (int j = first; j < spectrum->pairs; j += LANES) {
        for (int k = 0; k < LANES; k++) {
            double p = a * spectrum->x[j + k] * now[j + k] - b * before[j + k];
            before[j + k] = p;
            re[k] += p * in_re[j + k];
            im[k] += p * in_im[j + k];
        }
    }
    double sum_re = 0, sum_im = 0;
    for (int k = 0; k < LANES; k++) {
        sum_re += re[k];
        sum_im += im[k];
    }
    return sum_re * sum_re + sum_im * sum_im;
}

// All degrees of order m.
static void sum_order(const struct spectrum *spectrum, const struct spectrum_scratch *scratch, int m)
{
    int first = prepare_order(spectrum, scratch, m), degree_max = spectrum->degree_max;
    double *now = scratch->p, *before = scratch->p_before;
    double sectoral = m == 0 ? 1.0 : sqrt(2.0);
    for (int k = 1; k <= m; k++)
        sectoral *= sqrt((2.0 * k + 1.0) / (2.0 * k));
    for (int j = 0; j < spectrum->pairs; j++) {
        now[j] = 0;
        before[j] = -sectoral; // so that the first step, with a = 0 and b = 1, makes it the sectoral function
    }
    double *power = spectrum->power + (size_t)m * (size_t)(degree_max + 1);
    for (int l = m; l <= degree_max; l++) {
        double n = l, k = m, a = 0, b = 1;
        if (l > m) {
            a = sqrt((4 * n * n - 1) / (n * n - k * k));
            b = l == m + 1 ? 0 : sqrt((2 * n + 1) * ((n - 1) * (n - 1) - k * k) / ((2 * n - 3) * (n * n - k * k)));
        }
        int odd = (l - m) & 1;
        power[l] = step(spectrum, first, a, b, now, before, scratch->in_re[odd], scratch->in_im[odd]);
        double *kept = now;
        now = before;
        before = kept;
    }
}

static void spectrum_clear(struct spectrum *spectrum)
{
    fft_free(spectrum->fft);
    free(spectrum->x);
    free(spectrum->sum_re);
    free(spectrum->power);
}

static enum status_code spectrum_prepare(struct spectrum *spectrum, int width, int degree_max, struct status *status)
{
    size_t pairs = (size_t)width / 4, orders = (size_t)degree_max + 1, plane = pairs * orders;
    *spectrum = (struct spectrum){.width = width, .pairs = width / 4, .degree_max = degree_max};
    spectrum->x = malloc((2 * pairs + 2 * pairs) * sizeof(double));
    spectrum->sum_re = malloc(4 * plane * sizeof(double));
    spectrum->power = calloc(orders * orders, sizeof(double));
    if (!spectrum->x || !spectrum->sum_re || !spectrum->power)
        return status_fail_memory(status, "spectrum", (4 * plane + orders * orders) * sizeof(double));
    spectrum->sine = spectrum->x + pairs;
    spectrum->weight = spectrum->x + 2 * pairs; // of all rows, of which the northern half is used
    spectrum->sum_im = spectrum->sum_re + plane;
    spectrum->difference_re = spectrum->sum_re + 2 * plane;
    spectrum->difference_im = spectrum->sum_re + 3 * plane;
    for (int j = 0; j < spectrum->pairs; j++)
        stable_sincos_deg((j + 0.5) * 360 / width, &spectrum->sine[j], &spectrum->x[j]);
    enum status_code code = latitude_weights(spectrum->weight, width / 2, status);
    return code ? code : fft_new(&spectrum->fft, width, status);
}

enum status_code sphere_spectrum(double *power, int degree_max, const float *heights, int width, int thread_count,
                                 struct status *status)
{
    assert(width >= SPECTRUM_WIDTH_MIN && width <= SPECTRUM_WIDTH_MAX && (width & (width - 1)) == 0);
    assert(degree_max >= 0 && degree_max <= spectrum_degree_max(width) && thread_count >= 1);
    struct spectrum spectrum;
    enum status_code code = spectrum_prepare(&spectrum, width, degree_max, status);
    size_t scratch_size = code ? 0 : scratch_count(&spectrum) * (size_t)thread_count * sizeof(double);
    double *memory = code ? NULL : malloc(scratch_size);
    if (!code && !memory)
        code = status_fail_memory(status, "spectrum", scratch_size);
    if (code) {
        spectrum_clear(&spectrum);
        return code;
    }
    double *next = memory;
#pragma omp parallel num_threads(thread_count)
    {
        double *mine;
#pragma omp critical(spectrum_scratch)
        {
            mine = next;
            next += scratch_count(&spectrum);
        }
        struct spectrum_scratch scratch = scratch_of(&spectrum, mine);
#pragma omp for schedule(dynamic, 4)
        for (int pair = 0; pair < spectrum.pairs; pair++)
            transform_pair(&spectrum, &scratch, heights, pair);
#pragma omp for schedule(dynamic, 1)
        for (int m = 0; m <= degree_max; m++)
            sum_order(&spectrum, &scratch, m);
    }
    for (int l = 0; l <= degree_max; l++) {
        power[l] = 0;
        for (int m = 0; m <= l; m++)
            power[l] += spectrum.power[(size_t)m * (size_t)(degree_max + 1) + (size_t)l];
    }
    free(memory);
    spectrum_clear(&spectrum);
    return STATUS_OK;
}
