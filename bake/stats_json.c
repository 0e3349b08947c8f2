// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bake/json_out.h"
#include "bake/stats_print.h"

// Further digits mean nothing.
static double rounded(double value, double step)
{
    return floor(value * step + 0.5) / step;
}

static void put_measure(struct json_out *json, const char *key, double value)
{
    json_double(json, key, rounded(value, 1e6));
}

static void put_share(struct json_out *json, const char *key, double value)
{
    json_double(json, key, rounded(value, 1e9));
}

static void put_measure_or_null(struct json_out *json, const char *key, bool there, double value)
{
    if (there)
        put_measure(json, key, value);
    else
        json_none(json, key);
}

static void put_head(struct json_out *json, const struct terrain_stats *stats, const struct metadata *metadata)
{
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, metadata->seed);
    json_i64(json, "schema", 1);
    json_text(json, "planet", metadata->planet);
    json_text(json, "seed", seed);
    json_double(json, "radius_m", stats->radius_m);
    json_i64(json, "width", stats->width);
    put_measure(json, "spacing_m", stats->spacing_m);
    json_i64(json, "level", stats->level);
    put_measure(json, "pack_spacing_m", stats->pack_spacing_m);
}

static void put_heights(struct json_out *json, const struct terrain_stats *stats)
{
    put_measure_or_null(json, "sea_m", stats->has_sea, stats->sea_m);
    if (stats->has_sea)
        put_share(json, "land_share", stats->land_share);
    else
        json_none(json, "land_share");
    put_measure_or_null(json, "mean_land_m", stats->has_land, stats->mean_land_m);
    put_measure_or_null(json, "mean_ocean_m", stats->has_ocean, stats->mean_ocean_m);
    put_measure(json, "mean_m", stats->mean_m);
    put_measure(json, "sd_m", stats->sd_m);
    put_measure(json, "min_m", stats->min_m);
    put_measure(json, "max_m", stats->max_m);
    json_open_object(json, "percentiles");
    for (int k = 0; k < STATS_PERCENTILES; k++) {
        char key[8];
        snprintf(key, sizeof key, "%d", stats_percentiles[k]);
        put_measure(json, key, stats->percentiles_m[k]);
    }
    json_end(json);
    // Pairs of a share and the height that it lies above.
    json_open_array(json, "hypsometry");
    for (int k = 0; k <= STATS_CURVE_STEPS; k++) {
        json_open_array(json, NULL);
        put_share(json, NULL, (double)k / STATS_CURVE_STEPS);
        put_measure(json, NULL, stats->hypsometry_m[k]);
        json_end(json);
    }
    json_end(json);
    json_open_object(json, "histogram");
    json_double(json, "bin_m", stats->bin_m);
    json_double(json, "start_m", stats->start_m);
    json_open_array(json, "shares");
    for (int k = 0; k < stats->bin_count; k++)
        put_share(json, NULL, stats->bins[k]);
    json_end(json);
    json_end(json);
}

static void put_slopes(struct json_out *json, const struct terrain_stats *stats)
{
    json_open_object(json, "slope");
    put_measure(json, "spacing_m", stats->spacing_m);
    json_double(json, "latitude_max_deg", STATS_SLOPE_LATITUDE_DEG);
    put_measure(json, "median_deg", stats->slope_median_deg);
    put_measure(json, "p90_deg", stats->slope_p90_deg);
    put_measure(json, "p99_deg", stats->slope_p99_deg);
    // Pairs of a share and the slope that it lies below.
    json_open_array(json, "quantiles");
    for (int k = 0; k <= STATS_CURVE_STEPS; k++) {
        json_open_array(json, NULL);
        put_share(json, NULL, (double)k / STATS_CURVE_STEPS);
        put_measure(json, NULL, stats->slope_deg[k]);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_spectrum(struct json_out *json, const struct terrain_stats *stats)
{
    json_i64(json, "lmax", stats->degree_max);
    json_i64(json, "lmax_trusted", stats->degree_trusted);
    json_open_array(json, "spectrum");
    for (int l = 0; l <= stats->degree_max; l++)
        put_share(json, NULL, stats->power_m2[l]);
    json_end(json);
    json_open_object(json, "spectrum_slopes");
    for (int k = 0; k < STATS_FITS; k++) {
        char key[16];
        snprintf(key, sizeof key, "%d-%d", stats_fit_ranges[k].low, stats_fit_ranges[k].high);
        put_measure_or_null(json, key, stats->has_fit[k], stats->fits[k]);
    }
    json_end(json);
}

void stats_print_json(const struct terrain_stats *stats, const struct metadata *metadata)
{
    struct json_out json = json_begin(stdout);
    json_open_object(&json, NULL);
    put_head(&json, stats, metadata);
    put_heights(&json, stats);
    put_slopes(&json, stats);
    put_spectrum(&json, stats);
    json_end(&json);
    putchar('\n');
}
