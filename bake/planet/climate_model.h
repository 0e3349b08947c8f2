// SPDX-License-Identifier: MIT
// Where rain falls: moisture that winds carry over a coarse map of the planet until it is steady.
//
// The map is equirectangular, row 0 northernmost, column 0 from longitude -180 eastward; cells are the means of their
// area. Winds depend on latitude only: trades and polar easterlies, westerlies between, each with its part along the
// meridian. Air takes up water over the sea, toward what it can hold at that warmth (e^(0.062 warmth), about 6 % a
// degree), a little over land, and loses it where the general circulation lifts it and where it is blown up slopes.
//
// Such models are too wet at the equator and too dry near the poles, so the mean of each parallel is drawn half way to
// the one of Earth's land (Legates and Willmott 1990); what differs along the parallel stays.
#ifndef TERRANE_BAKE_PLANET_CLIMATE_MODEL_H
#define TERRANE_BAKE_PLANET_CLIMATE_MODEL_H

#include "common/status.h"

#define CLIMATE_COLUMNS 256
#define CLIMATE_ROWS 128
#define CLIMATE_CELLS (CLIMATE_COLUMNS * CLIMATE_ROWS)

struct climate_ground {
    double height_m[CLIMATE_ROWS][CLIMATE_COLUMNS]; // above the sea, 0 on it
    double warmth[CLIMATE_ROWS][CLIMATE_COLUMNS];   // degrees Celsius at the ground
    double land[CLIMATE_ROWS][CLIMATE_COLUMNS];     // share of the cell, 0 to 1
};

// Fills in rain in mm a year, whose mean over the planet is mean_mm; numbers of the ground must be finite. Pure, with
// memory of its own while it runs; takes about 50 ms.
enum status_code climate_model(float rain[CLIMATE_ROWS][CLIMATE_COLUMNS], const struct climate_ground *ground,
                               double mean_mm, struct status *status);

#endif
