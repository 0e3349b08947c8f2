// SPDX-License-Identifier: MIT
// Normal and colour layers <-> blob: a whole PNG file (IHDR, sRGB for colour, IDAT, IEND) that any tool opens,
// written with one fixed filter and our own deflate so that its bytes are the same everywhere. Pictures as we write
// them are read by our own code too (picture_quick.h), all others by libpng.
//
// Samples are RGB, 8 bits or big-endian 16 bits a component, rows from the top, without padding.
#ifndef TERRANE_FORMATS_PICTURE_CODEC_H
#define TERRANE_FORMATS_PICTURE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

// Working memory for encoding pictures up to side x side of the given bits (8 or 16). side: 1..TILE_SAMPLES_MAX.
size_t picture_encode_scratch_bytes(int side, int bits);
size_t picture_encode_bound(int side, int bits);

// Returns the length of the PNG file in target (room: picture_encode_bound). srgb adds the sRGB chunk, with
// perceptual intent. scratch: picture_encode_scratch_bytes, aligned for uint64_t.
size_t picture_encode(uint8_t *target, const uint8_t *samples, int side, int bits, bool srgb, void *scratch);

// Accepts only side x side RGB of the given bits, not interlaced, in a file of IHDR, perhaps sRGB, IDAT (one or
// several) and IEND and nothing else: other chunks could ask for other colours than the samples. Any bytes are
// survived, and STATUS_INPUT says what is wrong (without naming file or tile). Memory is
// taken for the call, bounded by the picture's size; STATUS_RESOURCE when there is none. samples: side * side * 3 *
// bits / 8 bytes, undefined after a failure.
enum status_code picture_decode(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes,
                                struct status *status);

// The same answer by libpng alone, also for our own pictures: for tests.
enum status_code picture_decode_by_libpng(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes,
                                          struct status *status);

#endif
