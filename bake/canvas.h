// SPDX-License-Identifier: MIT
// A picture to draw plots on: filled rectangles, anti-aliased lines and text, in sRGB as it is stored. Pixel (x, y)
// covers [x, x + 1] times [y, y + 1]; y grows downward. What lies outside is cut off. One thread's.
#ifndef TERRANE_BAKE_CANVAS_H
#define TERRANE_BAKE_CANVAS_H

#include <stdint.h>

#include "common/status.h"

struct canvas; // opaque

// Colours are 0xRRGGBB.
enum status_code canvas_new(struct canvas **canvas, int width, int height, uint32_t color, struct status *status);
void canvas_free(struct canvas *canvas); // NULL is fine

// RGB, rows from the top without padding.
const uint8_t *canvas_pixels(const struct canvas *canvas);

struct canvas_box {
    int left, top, right, bottom; // right and bottom are the first outside
};

// Everything that follows is cut to the box; the whole picture at the start.
void canvas_clip(struct canvas *canvas, struct canvas_box box);
void canvas_clip_none(struct canvas *canvas);

// Edges may lie inside pixels. opacity: 0 to 1.
void canvas_fill(struct canvas *canvas, double left, double top, double right, double bottom, uint32_t color,
                 double opacity);

struct canvas_point {
    double x, y;
};

// Round ends and corners; where the line meets itself it is no darker. Points may be far outside. A single point is a
// dot.
void canvas_line(struct canvas *canvas, const struct canvas_point *points, int count, double width_px, uint32_t color);

enum canvas_anchor { CANVAS_LEFT, CANVAS_MIDDLE, CANVAS_RIGHT };

// One line of ASCII; a hollow box stands for each other character (of UTF-8). size_px is the height of a capital. (x,
// y): the left, middle or right of the base line. canvas_text_up writes from the bottom to the top.
void canvas_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, double size_px, uint32_t color,
                 const char *text);
void canvas_text_up(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, double size_px,
                    uint32_t color, const char *text);
double canvas_text_width(double size_px, const char *text);

#endif
