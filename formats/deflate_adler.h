// SPDX-License-Identifier: MIT
// The checksum at the end of a zlib stream (RFC 1950), several times faster than zlib's own where there is SSE2.
// Private to our deflate and inflate.
#ifndef TERRANE_FORMATS_DEFLATE_ADLER_H
#define TERRANE_FORMATS_DEFLATE_ADLER_H

#include <stddef.h>
#include <stdint.h>

uint32_t deflate_adler(const uint8_t *bytes, size_t size_bytes);

#endif
