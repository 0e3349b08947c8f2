// SPDX-License-Identifier: MIT
// Height layer <-> blob: second-order predictor, zig-zag, byte planes, deflate (pack.md, "Height blob").
// A constant tile is 8 bytes. Lossless for every int32 input.
#ifndef TERRANE_FORMATS_HEIGHT_CODEC_H
#define TERRANE_FORMATS_HEIGHT_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

// Working memory for one encoder or decoder of tiles up to side samples a side.
size_t height_codec_scratch_bytes(int side);

size_t height_encode_bound(int side);

// heights: side x side. target: height_encode_bound(side) bytes. scratch: height_codec_scratch_bytes(side),
// aligned for uint64_t. Returns the length of the blob. Never fails.
size_t height_encode(uint8_t *target, const int32_t *heights, int side, void *scratch);

// Any bytes in blob are survived; STATUS_INPUT says what is wrong with them (without naming file or tile).
// Trailing bytes, planes more than 4 and streams that do not fill the planes exactly are refused.
enum status_code height_decode(int32_t *heights, int side, const uint8_t *blob, size_t blob_bytes, void *scratch,
                               struct status *status);

#endif
