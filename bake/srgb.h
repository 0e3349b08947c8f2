// SPDX-License-Identifier: MIT
// Linear light to sRGB (IEC 61966-2-1) in 8 bits, rounded exactly: the code whose decoded value is nearest on the
// curve, found by comparing with thresholds instead of raising to powers. Same bits everywhere.
#ifndef TERRANE_BAKE_SRGB_H
#define TERRANE_BAKE_SRGB_H

#include <stdint.h>

// Cells are narrower than the least distance of two thresholds (1 / (255 * 12.92)), so each holds at most one.
#define SRGB_CELLS 4096

struct srgb_table {
    double threshold[257];        // the least linear value of code k, k = 1..255; [256] is over 1
    uint8_t code[SRGB_CELLS + 1]; // of the lower end of each cell
};

void srgb_prepare(struct srgb_table *table);

// linear is cut to [0, 1]; it must be a number.
static inline uint8_t srgb_encode(const struct srgb_table *table, double linear)
{
    double y = linear > 0 ? linear < 1 ? linear : 1 : 0;
    int code = table->code[(int)(y * SRGB_CELLS)];
    return (uint8_t)(code + (y >= table->threshold[code + 1]));
}

#endif
