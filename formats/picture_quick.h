// SPDX-License-Identifier: MIT
// A quicker way to read pictures as our writer makes them. Private to the picture codec.
#ifndef TERRANE_FORMATS_PICTURE_QUICK_H
#define TERRANE_FORMATS_PICTURE_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// blob: signature and chunks as picture_decode() demands them, but with contents of any kind. True where it has one
// IDAT in our form of deflate (deflate_decode.h), Paeth in every row, our sRGB chunk or none, and every checksum is
// right: libpng would give the same samples (it limits the length of IDAT, and deflate_decode() does so more strictly).
// False otherwise, and where there is no memory: then libpng is to look at it.
bool picture_decode_quick(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes);

#endif
