// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>

#include "bake/stats_print.h"

static void put(const char *label, bool there, double value, int digits, const char *unit)
{
    if (there)
        printf("%-22s %12.*f %s\n", label, digits, value, unit);
    else
        printf("%-22s %12s\n", label, "-");
}

void stats_print_table(const struct terrain_stats *stats, const struct metadata *metadata)
{
    printf("%s, seed %" PRIu64 "\n", metadata->planet, metadata->seed);
    put("land", stats->has_sea, 100 * stats->land_share, 1, "%");
    put("mean land", stats->has_land, stats->mean_land_m, 0, "m");
    put("mean ocean", stats->has_ocean, stats->mean_ocean_m, 0, "m");
    put("mean", true, stats->mean_m, 0, "m");
    put("sd", true, stats->sd_m, 0, "m");
    put("lowest", true, stats->min_m, 0, "m");
    put("highest", true, stats->max_m, 0, "m");
    for (int k = 0; k < STATS_PERCENTILES; k++) {
        char label[24];
        snprintf(label, sizeof label, "%d %%", stats_percentiles[k]);
        put(label, true, stats->percentiles_m[k], 0, "m");
    }
    put("slope median", true, stats->slope_median_deg, 3, "deg");
    put("slope 90 %", true, stats->slope_p90_deg, 2, "deg");
    put("slope 99 %", true, stats->slope_p99_deg, 2, "deg");
    for (int k = 0; k < STATS_FITS; k++) {
        char label[24];
        snprintf(label, sizeof label, "S(l) l=%d-%d", stats_fit_ranges[k].low, stats_fit_ranges[k].high);
        put(label, stats->has_fit[k], stats->fits[k], 2, "");
    }
}
