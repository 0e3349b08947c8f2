// SPDX-License-Identifier: MIT
#include "common/text_color.h"

#include <string.h>

bool parse_color(const char *text, uint8_t rgb[3])
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return false;
    for (int k = 0; k < 6; k++) {
        char c = text[k + 1];
        int digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        rgb[k / 2] = (uint8_t)(k & 1 ? rgb[k / 2] * 16 + digit : digit);
    }
    return true;
}
