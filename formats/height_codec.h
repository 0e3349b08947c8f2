// SPDX-License-Identifier: MIT
// Height layer <-> blob: second-order predictor, zig-zag, byte planes, deflate (pack.md, "Height blob").
// A constant tile is 8 bytes. Lossless for every int32 input.
//
// Blob: u8 predictor (1), u8 plane count P (0..4), u16 zero, then
//   P = 0: i32 little-endian, the height of all samples;
//   P > 0: a zlib stream of exactly P planes of side * side bytes, which ends with the blob. Predictor, residuals and
//          planes are defined in height_predict.h.
// There is one form for each tile, and others are refused: a constant tile has P = 0, and else the highest
// plane is not all zero. How the planes are deflated is free for a reader.
#ifndef TERRANE_FORMATS_HEIGHT_CODEC_H
#define TERRANE_FORMATS_HEIGHT_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

// Working memory for one encoder or decoder of tiles up to side samples a side. side: 1..TILE_SAMPLES_MAX.
size_t height_codec_scratch_bytes(int side);

size_t height_encode_bound(int side);

// heights: side x side. target: height_encode_bound(side) bytes. scratch: height_codec_scratch_bytes(side),
// aligned for uint64_t. Returns the length of the blob. Never fails.
size_t height_encode(uint8_t *target, const int32_t *heights, int side, void *scratch);

// Any bytes in blob are survived; STATUS_INPUT says what is wrong with them (without naming file or tile).
// Trailing bytes, planes more than 4 and streams that do not fill the planes exactly are refused. After a failure the
// contents of heights are undefined. Planes that are not deflated as we do it (deflate_decode.h), and bad ones, are for
// zlib, which takes some kilobytes of its own for the call; STATUS_RESOURCE when it cannot.
enum status_code height_decode(int32_t *heights, int side, const uint8_t *blob, size_t blob_bytes, void *scratch,
                               struct status *status);

#endif
