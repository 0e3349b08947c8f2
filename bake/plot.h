// SPDX-License-Identifier: MIT
// One diagram on a canvas: axes with ticks and numbers, grid, curves, bars, a legend.
#ifndef TERRANE_BAKE_PLOT_H
#define TERRANE_BAKE_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/canvas.h"

#define PLOT_CURVE_MAX 1024 // points

struct plot_axis {
    double low, high; // low < high; with log, 0 < low and high at most 1e12 low
    bool log;
    const char *label;
};

struct plot {
    struct canvas *canvas;
    struct canvas_box box; // of the data; numbers and labels stand to the left of it and below
    const char *title;     // above it
    struct plot_axis x, y;
};

struct plot_curve {
    const struct canvas_point *points; // in the units of the axes; those that a logarithm cannot show are left out
    int count;                         // at most PLOT_CURVE_MAX
    double width_px;
    uint32_t color; // 0xRRGGBB
};

// Ground, grid, ticks, numbers, labels and title.
void plot_frame(const struct plot *plot);

void plot_curve(const struct plot *plot, const struct plot_curve *curve);

// A bar from the lower end of the y axis to y, between two values of x.
void plot_bar(const struct plot *plot, double x_low, double x_high, double y, uint32_t color);

// Darkens the ground from x_low to the right end.
void plot_shade(const struct plot *plot, double x_low);

struct plot_legend_entry {
    const char *text;
    uint32_t color;
    double width_px;
};

enum plot_corner { PLOT_UPPER_LEFT, PLOT_UPPER_RIGHT, PLOT_LOWER_RIGHT };
void plot_legend(const struct plot *plot, enum plot_corner corner, const struct plot_legend_entry *entries, int count);

#endif
