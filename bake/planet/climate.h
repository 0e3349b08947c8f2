// SPDX-License-Identifier: MIT
// climate(height, warmth): rain as a field, from a model that runs once when the planet is loaded (climate_model.h).
// Its map is smooth in between (Catmull-Rom) and at the poles, as a raster is.
#ifndef TERRANE_BAKE_PLANET_CLIMATE_H
#define TERRANE_BAKE_PLANET_CLIMATE_H

#include "bake/planet/climate_model.h"
#include "bake/planet/kernels.h"
#include "bake/planet/raster_level.h"

struct preparation;

#define CLIMATES_MAX 8 // in one planet: each takes memory, and time when it is loaded

struct climate {
    struct raster_level level; // of rain
    float rain[CLIMATE_ROWS][CLIMATE_COLUMNS];
};

// Samples height and warmth of the graph's value index, a climate, and runs the model. STATUS_INPUT where a sample is
// not finite.
enum status_code climate_prepare(const struct preparation *preparation, uint32_t index, struct status *status);

// Rain in mm a year at unit directions, never below 0, with tangential gradient a radian where out has one.
void climate_sample(const struct climate *climate, struct field out, const double *x, const double *y, const double *z);

#endif
