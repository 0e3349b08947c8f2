// SPDX-License-Identifier: MIT
// A small alphabet for labels of plots: printable ASCII, 5 columns by 9 rows, the last two of them below the base line.
#ifndef TERRANE_BAKE_BITMAP_FONT_H
#define TERRANE_BAKE_BITMAP_FONT_H

#include <stdint.h>

#define FONT_COLUMNS 5
#define FONT_ROWS 9
#define FONT_BASE_ROW 6 // the last row above the base line
#define FONT_ADVANCE 6  // columns from one glyph to the next

// The glyph's rows from the top; bit 4 is the left column. A hollow box for what is not printable ASCII.
const uint8_t *font_glyph(unsigned char character);

#endif
