// SPDX-License-Identifier: MIT
// Heights as the samples of pictures.
#ifndef TERRANE_BAKE_HEIGHT_PICTURE_H
#define TERRANE_BAKE_HEIGHT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Terrarium (Mapzen's terrain tiles): height_m = R*256 + G + B/256 - 32768, so 1/256 m over -32768 m to 32768 m.
#define TERRARIUM_KEY "Encoding"
#define TERRARIUM_TEXT "Terrarium: height_m = R * 256 + G + B / 256 - 32768"
#define TERRARIUM_BEYOND "is beyond Terrarium's range, -32768 m to 32768 m"

// The nearest Terrarium value of a height in units of 2^exponent metres, exponent <= -8; exact where it is -8. False
// where the height does not fit; rgb is left alone then.
bool terrarium_encode(uint8_t rgb[3], int32_t units, int exponent);

// 0 for min, 65535 for max, rounded to nearest in between; all 0 where min = max.
void heights_to_gray16(uint16_t *gray, const int32_t *heights, size_t count, int32_t min, int32_t max);

#endif
