// SPDX-License-Identifier: MIT
// Statistics of real planets, to hold others against: figures as in terrain_stats.h, and curves for plots.
//
// Earth and Mars were measured by `terrane stats` at width 2048, as raster planets baked to depth 3 with 128 intervals:
// ETOPO5 (NOAA), 5 minutes of arc, with the ice as ground, and MOLA MEGDR (NASA PDS) with 4 samples a degree. The
// Moon's figures were measured by another program with the same conventions on the GLD100 terrain model (NASA, ASU,
// DLR).
#ifndef TERRANE_BAKE_PLANET_REFERENCE_H
#define TERRANE_BAKE_PLANET_REFERENCE_H

#include <stdbool.h>

#include "bake/canvas.h"
#include "bake/terrain_stats.h"

#define PLANET_REFERENCES 3

struct reference_curve {
    const struct canvas_point *points;
    int count;
};

struct planet_reference {
    const char *name;
    bool has_sea; // the three figures that follow are there
    double land_share, mean_land_m, mean_ocean_m;
    double mean_m, sd_m, min_m, max_m;
    double percentiles_m[STATS_PERCENTILES];
    double slope_spacing_m, slope_median_deg, slope_p90_deg, slope_p99_deg;
    double fits[STATS_FITS];
    struct reference_curve hypsometry; // share of the area, 0 to 1, and the height that it is above
    struct reference_curve histogram; // middles of bins of STATS_BIN_M, and the share of the area in each; may be empty
    struct reference_curve slopes;    // degrees, and the share of the area that is less steep
    struct reference_curve spectrum;  // degree l, and S(l) in square metres
};

extern const struct planet_reference planet_references[PLANET_REFERENCES]; // Earth, Mars, Moon

#endif
