// SPDX-License-Identifier: MIT
#include "bake/terrain_stats.h"

#include <math.h>
#include <stdlib.h>

#include "bake/distribution.h"
#include "common/stable_math.h"

// Grid cells per sample of the pack, in degrees: half a sample each is the Nyquist degree, an eighth loses 10 %.
#define TRUSTED_SHARE 8
#define BINS_LEAST 40
#define BINS_WANTED 160

const int stats_percentiles[STATS_PERCENTILES] = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99};
const struct stats_fit_range stats_fit_ranges[STATS_FITS] = {{3, 20}, {20, 100}, {100, 300}};

static double bins_between(double min_m, double max_m, double bin_m)
{
    return floor(max_m / bin_m) - floor(min_m / bin_m) + 1;
}

double terrain_stats_bin(double min_m, double max_m)
{
    double count = bins_between(min_m, max_m, STATS_BIN_M);
    if (count >= BINS_LEAST && count <= STATS_BINS_MAX)
        return STATS_BIN_M;
    if (!(max_m > min_m))
        return 1;
    static const double steps[3] = {1, 2.5, 5};
    double ten = 1e-12;
    for (;; ten *= 10) {
        for (int k = 0; k < 3; k++) {
            // From one meter on the powers are exact; below, the width is rounded as its decimal form is.
            double bin_m = ten >= 0.5 ? steps[k] * floor(ten + 0.5) : steps[k] / floor(1 / ten + 0.5);
            if (bins_between(min_m, max_m, bin_m) <= BINS_WANTED)
                return bin_m;
        }
    }
}

bool terrain_stats_fit(const double *power, int low, int high, double *exponent)
{
    double count = high - low + 1, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int l = low; l <= high; l++) {
        if (!(power[l] >= 1e-300))
            return false;
        double x = stable_log(l), y = stable_log(power[l]);
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_xy += x * y;
    }
    *exponent = (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
    return true;
}

// What a pass over the grid's rows needs.
struct measuring {
    struct terrain_stats *stats;
    const struct height_grid *grid;
    const double *weights; // of a row
    int rows;
};

static const float *row_of(const struct measuring *m, int row)
{
    return m->grid->heights_m + (size_t)row * (size_t)m->grid->width;
}

static void measure_means(const struct measuring *m)
{
    struct terrain_stats *stats = m->stats;
    double sum = 0, land = 0, sum_land = 0;
    stats->min_m = stats->max_m = (double)row_of(m, 0)[0];
    for (int row = 0; row < m->rows; row++) {
        const float *heights = row_of(m, row);
        double row_sum = 0, row_land = 0, row_sum_land = 0;
        for (int k = 0; k < m->grid->width; k++) {
            double height = (double)heights[k];
            row_sum += height;
            if (height >= stats->sea_m) {
                row_land += 1;
                row_sum_land += height;
            }
            stats->min_m = height < stats->min_m ? height : stats->min_m;
            stats->max_m = height > stats->max_m ? height : stats->max_m;
        }
        double weight = m->weights[row] / m->grid->width;
        sum += weight * row_sum;
        land += weight * row_land;
        sum_land += weight * row_sum_land;
    }
    stats->mean_m = sum;
    stats->has_land = stats->has_sea && land > 0;
    stats->has_ocean = stats->has_sea && stats->min_m < stats->sea_m;
    // The weights' sum is 1 to rounding only.
    stats->land_share = stats->has_ocean ? land : 1;
    if (stats->has_land)
        stats->mean_land_m = sum_land / land;
    if (stats->has_ocean)
        stats->mean_ocean_m = (sum - sum_land) / (1 - land);
}

static void measure_deviation(const struct measuring *m)
{
    double sum = 0;
    for (int row = 0; row < m->rows; row++) {
        const float *heights = row_of(m, row);
        double row_sum = 0;
        for (int k = 0; k < m->grid->width; k++) {
            double off = (double)heights[k] - m->stats->mean_m;
            row_sum += off * off;
        }
        sum += m->weights[row] / m->grid->width * row_sum;
    }
    m->stats->sd_m = sqrt(sum);
}

static void fill_histogram(const struct measuring *m)
{
    struct terrain_stats *stats = m->stats;
    stats->bin_m = terrain_stats_bin(stats->min_m, stats->max_m);
    double first = floor(stats->min_m / stats->bin_m);
    stats->start_m = first * stats->bin_m;
    stats->bin_count = (int)bins_between(stats->min_m, stats->max_m, stats->bin_m);
    for (int row = 0; row < m->rows; row++) {
        const float *heights = row_of(m, row);
        double weight = m->weights[row] / m->grid->width;
        for (int k = 0; k < m->grid->width; k++)
            stats->bins[(int)(floor((double)heights[k] / stats->bin_m) - first)] += weight;
    }
}

static enum status_code measure_heights(const struct measuring *m, struct status *status)
{
    struct terrain_stats *stats = m->stats;
    measure_means(m);
    measure_deviation(m);
    fill_histogram(m);
    struct distribution *heights;
    enum status_code code = distribution_new(&heights, stats->min_m, stats->max_m, status);
    if (code)
        return code;
    for (int row = 0; row < m->rows; row++) {
        for (int k = 0; k < m->grid->width; k++)
            distribution_add(heights, (double)row_of(m, row)[k], m->weights[row]);
    }
    distribution_seal(heights);
    for (int k = 0; k < STATS_PERCENTILES; k++)
        stats->percentiles_m[k] = distribution_quantile(heights, stats_percentiles[k] / 100.0);
    for (int k = 0; k <= STATS_CURVE_STEPS; k++)
        stats->hypsometry_m[k] = distribution_quantile(heights, (double)(STATS_CURVE_STEPS - k) / STATS_CURVE_STEPS);
    distribution_free(heights);
    return STATUS_OK;
}

// Rise over run at each place of a row that has one to its south.
static void row_slopes(const struct measuring *m, int row, double *slopes)
{
    const float *here = row_of(m, row), *south = row_of(m, row + 1);
    double sine, cosine, run_m = m->grid->spacing_m;
    stable_sincos_deg(90 - (row + 0.5) * 180 / m->rows, &sine, &cosine);
    for (int k = 0; k < m->grid->width; k++) {
        int east = k + 1 < m->grid->width ? k + 1 : 0;
        double by_east = ((double)here[east] - (double)here[k]) / (run_m * cosine);
        double by_south = ((double)south[k] - (double)here[k]) / run_m;
        slopes[k] = sqrt(by_east * by_east + by_south * by_south);
    }
}

// The rows within STATS_SLOPE_LATITUDE_DEG: first, and one after the last.
static void slope_rows(const struct measuring *m, int *first, int *end)
{
    *first = 0;
    while (90 - (*first + 0.5) * 180 / m->rows >= STATS_SLOPE_LATITUDE_DEG)
        ++*first;
    *end = m->rows - *first;
}

static double slope_quantile(const struct distribution *slopes, double share)
{
    return stable_atan(distribution_quantile(slopes, share)) / STABLE_DEGREE;
}

static enum status_code measure_slopes(const struct measuring *m, double *row_memory, struct status *status)
{
    int first, end;
    double most = 0;
    slope_rows(m, &first, &end);
    for (int row = first; row < end; row++) {
        row_slopes(m, row, row_memory);
        for (int k = 0; k < m->grid->width; k++)
            most = row_memory[k] > most ? row_memory[k] : most;
    }
    struct distribution *slopes;
    enum status_code code = distribution_new(&slopes, 0, most, status);
    if (code)
        return code;
    for (int row = first; row < end; row++) {
        row_slopes(m, row, row_memory);
        for (int k = 0; k < m->grid->width; k++)
            distribution_add(slopes, row_memory[k], m->weights[row]);
    }
    distribution_seal(slopes);
    for (int k = 0; k <= STATS_CURVE_STEPS; k++)
        m->stats->slope_deg[k] = slope_quantile(slopes, (double)k / STATS_CURVE_STEPS);
    m->stats->slope_median_deg = slope_quantile(slopes, 0.5);
    m->stats->slope_p90_deg = slope_quantile(slopes, 0.9);
    m->stats->slope_p99_deg = slope_quantile(slopes, 0.99);
    distribution_free(slopes);
    return STATUS_OK;
}

static enum status_code measure_spectrum(const struct measuring *m, int thread_count, struct status *status)
{
    struct terrain_stats *stats = m->stats;
    stats->degree_max = spectrum_degree_max(m->grid->width);
    double around = 2 * STABLE_PI * stats->radius_m / stats->pack_spacing_m;
    int trusted = (int)floor(around / TRUSTED_SHARE + 0.5);
    stats->degree_trusted = trusted < stats->degree_max ? trusted : stats->degree_max;
    enum status_code code =
        sphere_spectrum(stats->power_m2, stats->degree_max, m->grid->heights_m, m->grid->width, thread_count, status);
    for (int k = 0; k < STATS_FITS && !code; k++) {
        struct stats_fit_range range = stats_fit_ranges[k];
        stats->has_fit[k] = range.high <= stats->degree_trusted &&
                            terrain_stats_fit(stats->power_m2, range.low, range.high, &stats->fits[k]);
    }
    return code;
}

enum status_code terrain_stats_measure(struct terrain_stats *stats, const struct height_grid *grid, bool has_sea,
                                       double sea_m, int thread_count, struct status *status)
{
    *stats = (struct terrain_stats){
        .width = grid->width,
        .level = grid->level,
        .radius_m = grid->radius_m,
        .spacing_m = grid->spacing_m,
        .pack_spacing_m = grid->pack_spacing_m,
        .has_sea = has_sea,
        .sea_m = has_sea ? sea_m : 0,
    };
    int rows = grid->width / 2;
    double *memory = malloc((size_t)(rows + grid->width) * sizeof *memory);
    if (!memory)
        return status_fail_memory(status, "statistics", (size_t)(rows + grid->width) * sizeof *memory);
    struct measuring m = {stats, grid, memory, rows};
    enum status_code code = latitude_weights(memory, rows, status);
    if (!code)
        code = measure_heights(&m, status);
    if (!code)
        code = measure_slopes(&m, memory + rows, status);
    if (!code)
        code = measure_spectrum(&m, thread_count, status);
    free(memory);
    return code;
}
