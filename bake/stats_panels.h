// SPDX-License-Identifier: MIT
// The four diagrams of a planet's statistics, each drawn into a box of a canvas, with real planets beside it where
// their heights compare.
#ifndef TERRANE_BAKE_STATS_PANELS_H
#define TERRANE_BAKE_STATS_PANELS_H

#include <stdbool.h>
#include <stddef.h>

#include "bake/canvas.h"
#include "bake/terrain_stats.h"

#define STATS_NAME_CHARACTERS 30

// A drawing of one planet's figures: canvas, stats and name are given, stats_drawing_prepare fills in the rest.
struct stats_drawing {
    struct canvas *canvas;
    const struct terrain_stats *stats;
    char name[4 * STATS_NAME_CHARACTERS + 4]; // of the planet, as far as there is room
    bool beside;                              // heights are drawn with those of the references
    double unit_m;                            // of the heights' axes
    const char *height_label;
    double low_m, high_m; // of the heights' axes
};

// Chooses the heights' axes. Bodies with a small part or a multiple of the references' relief are drawn alone.
void stats_drawing_prepare(struct stats_drawing *d);

void stats_draw_hypsometry(const struct stats_drawing *d, struct canvas_box box);
void stats_draw_histogram(const struct stats_drawing *d, struct canvas_box box);
void stats_draw_slopes(const struct stats_drawing *d, struct canvas_box box);
void stats_draw_spectrum(const struct stats_drawing *d, struct canvas_box box);

// "6371 km", "19.5 km", "250 m".
void stats_length_text(char *text, size_t size, double length_m);

#endif
