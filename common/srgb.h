// SPDX-License-Identifier: MIT
// From encoded sRGB to linear light (IEC 61966-2-1), the same bits everywhere.
#ifndef TERRANE_COMMON_SRGB_H
#define TERRANE_COMMON_SRGB_H

#include "common/stable_math.h"

// encoded and the result are in [0,1].
static inline double srgb_decode(double encoded)
{
    if (encoded <= 0.04045)
        return encoded / 12.92;
    double y = (encoded + 0.055) / 1.055, root = stable_root5(y);
    return y * y * root * root; // y^2.4
}

#endif
