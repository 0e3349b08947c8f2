// SPDX-License-Identifier: MIT
// What a struct planet is. For the files that make it (planet.c, planet_file.c) and run it (planet_sample.c).
#ifndef TERRANE_BAKE_PLANET_PLANET_INTERNAL_H
#define TERRANE_BAKE_PLANET_PLANET_INTERNAL_H

#include "bake/planet/kernels.h"
#include "bake/planet/planet.h"
#include "bake/planet/program.h"
#include "bake/planet/raster_shelf.h"

#define PLANET_WANT_COUNT 4 // combinations of PLANET_WANT_GRADIENT and PLANET_WANT_COLOR
// Outputs of the programs, the second only where it is wanted.
#define PLANET_HEIGHT 0
#define PLANET_COLOR 1

struct planet {
    char *text;
    size_t length;
    char *name;
    double file_radius_m; // that lengths and heights of the text are for
    double radius_m;      // that is baked
    bool has_sea;
    double sea_m; // at file_radius_m
    bool has_air;
    double air[3]; // linear light
    const struct kernels *kernels;
    struct raster_shelf rasters;
    struct tables tables;
    // Indexed by what is wanted. lean: without the gradients that only colours need (program_compile_lean); no steps
    // where that is not worth it, else a block's run costs about lean_odds times what it saves.
    struct program programs[PLANET_WANT_COUNT], lean[PLANET_WANT_COUNT];
    int lean_odds[PLANET_WANT_COUNT];
};

#endif
