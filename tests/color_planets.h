// SPDX-License-Identifier: MIT
// Random planets whose colours look at fields that the height does not, so that their gradients are for them alone.
#ifndef TERRANE_TESTS_COLOR_PLANETS_H
#define TERRANE_TESTS_COLOR_PLANETS_H

#include <stdio.h>

#include "tests/planet_help.h"

struct color_writer {
    char text[4096];
    size_t length;
    int fields, colors;
};

#define COLOR_WRITE(writer, ...)                                                                                       \
    ((writer)->length +=                                                                                               \
     (size_t)snprintf((writer)->text + (writer)->length, sizeof(writer)->text - (writer)->length, __VA_ARGS__))

static inline int color_below(int count)
{
    return (int)check_random_below((uint64_t)count);
}

static inline void color_write_field(struct color_writer *w)
{
    static const char *const kinds[] = {"fbm", "billow", "ridged"}, *const cells[] = {"distance", "edge", "value"};
    int a = w->fields > 0 ? color_below(w->fields) : 0, b = w->fields > 0 ? color_below(w->fields) : 0,
        seed = 1 + color_below(1000);
    int wavelength_km = 20 + color_below(3000), kind = w->fields < 2 ? 0 : color_below(16);
    const char *noise = kinds[color_below(3)];
    COLOR_WRITE(w, "f%d = ", w->fields++);
    switch (kind) {
    case 0:
    case 1:
        COLOR_WRITE(w, "%s(%de3, octaves = %d, seed = %d)\n", noise, wavelength_km, 1 + color_below(12), seed);
        break;
    case 2: COLOR_WRITE(w, "f%d + 0.3 * f%d\n", a, b); break;
    case 3: COLOR_WRITE(w, "f%d * f%d\n", a, b); break;
    case 4: COLOR_WRITE(w, "mix(f%d, 0.4 * f%d - 0.1, smoothstep(-0.3, 0.3, z))\n", a, b); break;
    case 5: COLOR_WRITE(w, "max(f%d, f%d)\n", a, b); break;
    case 6: COLOR_WRITE(w, "curve(f%d, -1, 0, -0.2, 0.1, 0.3, 0.15, 1, 1)\n", a); break;
    case 7: COLOR_WRITE(w, "smoothstep(0.4, -0.3, f%d) - abs(f%d)\n", a, b); break;
    case 8: COLOR_WRITE(w, "sin(90 * f%d) + 0.2 * y\n", a); break;
    case 9: COLOR_WRITE(w, "0.5 * f%d / (2 + clamp(f%d, -0.7, 0.7))\n", a, b); break;
    case 10: COLOR_WRITE(w, "cells(%de3, \"%s\", seed = %d)\n", wavelength_km, cells[color_below(3)], seed); break;
    case 11:
        COLOR_WRITE(w, "fbm(%de3, octaves = 6, gain = clamp(0.5 + 0.2 * f%d, 0.2, 0.7), seed = %d)\n", wavelength_km, a,
                    seed);
        break;
    case 12:
        COLOR_WRITE(w, "%s(%de3, octaves = 5, at = warp(30e3, 900e3, octaves = 2, seed = %d))\n", noise, wavelength_km,
                    seed);
        break;
    case 13: COLOR_WRITE(w, "exp(-2 * f%d * f%d)\n", a, a); break;
    case 14: COLOR_WRITE(w, "pow(abs(f%d), 1.7) - 0.01 * latitude\n", a); break;
    default: COLOR_WRITE(w, "coarse(f%d, 60e3)\n", a); break;
    }
}

static inline void color_write_color(struct color_writer *w)
{
    int last = w->colors > 0 ? w->colors - 1 : 0, f = color_below(w->fields), g = color_below(w->fields);
    COLOR_WRITE(w, "c%d = ", w->colors);
    switch (w->colors == 0 ? 0 : color_below(5)) {
    case 0: COLOR_WRITE(w, "ramp(f%d, -1, #105030, -0.1, #605040, 0.2, #a09080, 0.2, #c0a080, 1, #f0e0d0)\n", f); break;
    case 1: COLOR_WRITE(w, "mix(c%d, #dfe3e6, above(f%d, 0.15, width = %g))\n", last, f, color_below(2) * 0.02); break;
    case 2: COLOR_WRITE(w, "select(f%d, -0.05, c%d, ramp(f%d, 0, #55702c, 1, #8a7a60))\n", f, last, g); break;
    case 3: COLOR_WRITE(w, "c%d * (0.5 + 0.5 * smoothstep(-0.5, 0.2, f%d))\n", last, f); break;
    default: COLOR_WRITE(w, "ramp(f%d, -0.2, c%d, 0.1, #7a4c34, 0.3, #ffffff)\n", f, last); break;
    }
    w->colors++;
}

static inline struct planet *random_color_planet(void)
{
    static struct color_writer w;
    w = (struct color_writer){0};
    while (w.fields < 6)
        color_write_field(&w);
    while (w.colors < 3)
        color_write_color(&w);
    COLOR_WRITE(&w, "height = 3000 * fbm(2000e3, octaves = 9)\ncolor = c%d\n", w.colors - 1);
    CHECK(w.length < sizeof w.text);
    return load_text(w.text);
}

#endif
