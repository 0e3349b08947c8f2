// SPDX-License-Identifier: MIT
// The figures by which one planet's terrain is compared with another's, all weighted by area: shares and means of land
// and sea, percentiles, hypsometric curve, histogram, slopes, power per spherical-harmonic degree.
#ifndef TERRANE_BAKE_TERRAIN_STATS_H
#define TERRANE_BAKE_TERRAIN_STATS_H

#include <stdbool.h>

#include "bake/height_grid.h"
#include "bake/sphere_spectrum.h"

#define STATS_PERCENTILES 13
#define STATS_CURVE_STEPS 200 // of the hypsometric curve and of the slopes' quantiles, equal in share
#define STATS_BINS_MAX 400
#define STATS_BIN_M 250.0 // the histogram's bin for bodies with the relief of Earth
#define STATS_FITS 3
#define STATS_SLOPE_LATITUDE_DEG 60.0

extern const int stats_percentiles[STATS_PERCENTILES]; // 1, 5, 10, 20, ... 90, 95, 99

struct stats_fit_range {
    int low, high;
};
extern const struct stats_fit_range stats_fit_ranges[STATS_FITS]; // 3-20, 20-100, 100-300

struct terrain_stats {
    int width, level; // as in height_grid.h
    double radius_m, spacing_m, pack_spacing_m;

    bool has_sea, has_land, has_ocean;            // land and ocean: that there is a sea, and area of that kind
    double sea_m;                                 // land is what is not below it
    double land_share, mean_land_m, mean_ocean_m; // heights above the datum, not above the sea
    double mean_m, sd_m, min_m, max_m;
    double percentiles_m[STATS_PERCENTILES];    // height that this many percent of the area are below
    double hypsometry_m[STATS_CURVE_STEPS + 1]; // height that k / STATS_CURVE_STEPS of the area are above

    // Bins of 250 m where these come to 40 to 400, and else of the least width that is 1, 2.5 or 5 times a power of ten
    // and makes at most 160. Bin k begins at start_m + k bin_m, where start_m is a multiple of bin_m.
    double bin_m, start_m;
    int bin_count;
    double bins[STATS_BINS_MAX]; // shares of the area

    // Steepness within STATS_SLOPE_LATITUDE_DEG of the equator: the length of the forward differences to the east and
    // to the south over one cell. Meridians draw near to each other, so the eastern one is over less than spacing_m
    // there.
    double slope_deg[STATS_CURVE_STEPS + 1]; // that k / STATS_CURVE_STEPS of that area are below
    double slope_median_deg, slope_p90_deg, slope_p99_deg;

    int degree_max;
    int degree_trusted; // the heights between the pack's samples, being bilinear, lose 10 % of the power here
    double power_m2[SPECTRUM_DEGREE_MAX + 1];
    bool has_fit[STATS_FITS];
    double fits[STATS_FITS]; // exponent of S(l) ~ l^fit by least squares over the logarithms; where trusted
};

// grid: of a width that sphere_spectrum takes. stats is filled in whole.
enum status_code terrain_stats_measure(struct terrain_stats *stats, const struct height_grid *grid, bool has_sea,
                                       double sea_m, int thread_count, struct status *status);

// The width of the histogram's bins for heights from min_m to max_m.
double terrain_stats_bin(double min_m, double max_m);

// Least squares of ln power over ln degree, from low to high; false where a power is 0.
bool terrain_stats_fit(const double *power, int low, int high, double *exponent);

#endif
