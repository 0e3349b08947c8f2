// SPDX-License-Identifier: MIT
// A colour as text: #rrggbb, six hexadecimal digits, sRGB.
#ifndef TERRANE_COMMON_TEXT_COLOR_H
#define TERRANE_COMMON_TEXT_COLOR_H

#include <stdbool.h>
#include <stdint.h>

// "#d9a066" gives 0xd9, 0xa0, 0x66. The whole text; any case. False otherwise, and rgb stays as it was.
bool parse_color(const char *text, uint8_t rgb[3]);

#endif
