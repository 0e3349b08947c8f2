// SPDX-License-Identifier: MIT
#include "bake/height_picture.h"

#include <assert.h>

bool terrarium_encode(uint8_t rgb[3], int32_t units, int exponent)
{
    assert(exponent <= -8 && exponent >= -40);
    int64_t step = INT64_C(1) << (-8 - exponent); // units in 1/256 m
    int64_t shifted = units + step / 2;
    // Rounds to nearest, halves up; the division of a negative number rounds the wrong way.
    int64_t value = shifted >= 0 ? shifted / step : -((step - 1 - shifted) / step);
    value += INT64_C(32768) * 256;
    if (value < 0 || value >= INT64_C(1) << 24)
        return false;
    rgb[0] = (uint8_t)(value >> 16);
    rgb[1] = (uint8_t)(value >> 8);
    rgb[2] = (uint8_t)value;
    return true;
}

void heights_to_gray16(uint16_t *gray, const int32_t *heights, size_t count, int32_t min, int32_t max)
{
    int64_t range = (int64_t)max - min;
    for (size_t k = 0; k < count; k++) {
        int64_t above = (int64_t)heights[k] - min;
        assert(above >= 0 && above <= range);
        gray[k] = (uint16_t)(range > 0 ? (above * 65535 + range / 2) / range : 0);
    }
}
