// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "bake/planet_reference.h"
#include "bake/stats_print.h"

#define COLUMNS (1 + PLANET_REFERENCES) // the planet, then the references

struct cell {
    bool there;
    double value;
};

// Digits behind the point for figures of about this size: four in all, but at most four behind it.
static int digits_for(double size)
{
    int digits = 0;
    for (; digits < 4 && size < 1000; digits++)
        size *= 10;
    return digits;
}

// own_digits: behind the point of the planet's figure; digits: of the references'.
static void put_row(const char *label, const char *unit, int own_digits, int digits, const struct cell cells[COLUMNS])
{
    char head[48];
    snprintf(head, sizeof head, "%s%s%s", label, *unit ? ", " : "", unit);
    printf("%-24s", head);
    for (int k = 0; k < COLUMNS; k++) {
        if (cells[k].there)
            printf(" %11.*f", k == 0 ? own_digits : digits, cells[k].value + 0.0);
        else
            printf(" %11s", "-");
    }
    putchar('\n');
}

// One row out of the planet's figure and the same figure of each reference; has: that its figure is there.
#define PUT_ROW(label, unit, own_digits, digits, own_has, own, has, figure)                                            \
    do {                                                                                                               \
        struct cell cells_[COLUMNS] = {{own_has, own}};                                                                \
        for (int i_ = 0; i_ < PLANET_REFERENCES; i_++) {                                                               \
            const struct planet_reference *of = &planet_references[i_];                                                \
            cells_[1 + i_] = (struct cell){has, figure};                                                               \
        }                                                                                                              \
        put_row(label, unit, own_digits, digits, cells_);                                                              \
    } while (0)

static void put_heights(const struct terrain_stats *stats)
{
    int digits = digits_for(stats->max_m - stats->min_m);
    PUT_ROW("land", "% of area", 1, 1, stats->has_sea, 100 * stats->land_share, of->has_sea, 100 * of->land_share);
    PUT_ROW("mean land", "m", digits, 0, stats->has_land, stats->mean_land_m, of->has_sea, of->mean_land_m);
    PUT_ROW("mean sea floor", "m", digits, 0, stats->has_ocean, stats->mean_ocean_m, of->has_sea, of->mean_ocean_m);
    PUT_ROW("mean", "m", digits, 0, true, stats->mean_m, true, of->mean_m);
    PUT_ROW("standard deviation", "m", digits, 0, true, stats->sd_m, true, of->sd_m);
    PUT_ROW("lowest", "m", digits, 0, true, stats->min_m, true, of->min_m);
    for (int k = 0; k < STATS_PERCENTILES; k++) {
        char label[32];
        snprintf(label, sizeof label, "%d %% are below", stats_percentiles[k]);
        PUT_ROW(label, "m", digits, 0, true, stats->percentiles_m[k], true, of->percentiles_m[k]);
    }
    PUT_ROW("highest", "m", digits, 0, true, stats->max_m, true, of->max_m);
}

static void put_slopes(const struct terrain_stats *stats)
{
    PUT_ROW("slopes over", "km", digits_for(stats->spacing_m / 1000), 2, true, stats->spacing_m / 1000, true,
            of->slope_spacing_m / 1000);
    PUT_ROW("  median", "deg", 3, 3, true, stats->slope_median_deg, true, of->slope_median_deg);
    PUT_ROW("  90 % are below", "deg", 2, 2, true, stats->slope_p90_deg, true, of->slope_p90_deg);
    PUT_ROW("  99 % are below", "deg", 2, 2, true, stats->slope_p99_deg, true, of->slope_p99_deg);
}

static void put_spectrum(const struct terrain_stats *stats)
{
    for (int k = 0; k < STATS_FITS; k++) {
        char label[32];
        snprintf(label, sizeof label, "S(l) ~ l^, %d to %d", stats_fit_ranges[k].low, stats_fit_ranges[k].high);
        PUT_ROW(label, "", 2, 2, stats->has_fit[k], stats->fits[k], true, of->fits[k]);
    }
}

void stats_print_table(const struct terrain_stats *stats, const struct metadata *metadata)
{
    printf("%s, seed %" PRIu64 ": level %d, %.4g km between its samples; %d x %d points, %.4g km apart\n",
           metadata->planet, metadata->seed, stats->level, stats->pack_spacing_m / 1000, stats->width, stats->width / 2,
           stats->spacing_m / 1000);
    printf("the spectrum is good to degree %d of %d\n\n", stats->degree_trusted, stats->degree_max);
    printf("%-24s %11s", "", "this planet");
    for (int k = 0; k < PLANET_REFERENCES; k++)
        printf(" %11s", planet_references[k].name);
    putchar('\n');
    put_heights(stats);
    put_slopes(stats);
    put_spectrum(stats);
}
