// SPDX-License-Identifier: MIT
#include "formats/picture_codec.h"

#include <assert.h>
#include <string.h>

#include "common/arena.h"
#include "common/tile_grid.h"
#include "formats/deflate_encode.h"
#include "formats/picture_filter.h"
#include "formats/png_chunks.h"

static size_t row_size(int side, int bits)
{
    assert(side >= 1 && side <= TILE_SAMPLES_MAX && (bits == 8 || bits == 16));
    return (size_t)side * 3 * (size_t)(bits / 8);
}

static size_t filtered_size(int side, int bits)
{
    return (size_t)side * (1 + row_size(side, bits));
}

size_t picture_encode_scratch_bytes(int side, int bits)
{
    return arena_bound(1, filtered_size(side, bits)) + arena_bound(1, deflate_scratch_bytes());
}

size_t picture_encode_bound(int side, int bits)
{
    size_t frames = 4 * PNG_CHUNK_FRAME_BYTES; // IHDR, sRGB, IDAT, IEND
    return PNG_SIGNATURE_BYTES + frames + PNG_HEADER_DATA_BYTES + 1 + deflate_bound(filtered_size(side, bits));
}

size_t picture_encode(uint8_t *target, const uint8_t *samples, int side, int bits, bool srgb, void *scratch)
{
    struct arena arena = arena_over(scratch, picture_encode_scratch_bytes(side, bits));
    size_t row_bytes = row_size(side, bits), filtered_bytes = filtered_size(side, bits);
    uint8_t *filtered = arena_take(&arena, 1, filtered_bytes);
    struct deflate_scratch *deflate = arena_take(&arena, 1, deflate_scratch_bytes());
    assert(filtered && deflate);
    picture_filter(filtered, samples, row_bytes, side, row_bytes / (size_t)side);

    uint8_t *chunk = target + PNG_SIGNATURE_BYTES;
    memcpy(target, png_signature, PNG_SIGNATURE_BYTES);
    png_header_data(chunk + PNG_CHUNK_HEAD_BYTES, side, bits);
    chunk = png_frame_chunk(chunk, "IHDR", PNG_HEADER_DATA_BYTES);
    if (srgb) {
        chunk[PNG_CHUNK_HEAD_BYTES] = 0; // perceptual
        chunk = png_frame_chunk(chunk, "sRGB", 1);
    }
    size_t deflated_bytes = deflate_encode(chunk + PNG_CHUNK_HEAD_BYTES, filtered, filtered_bytes,
                                           deflate_even_block(filtered_bytes), deflate);
    chunk = png_frame_chunk(chunk, "IDAT", deflated_bytes);
    chunk = png_frame_chunk(chunk, "IEND", 0);
    return (size_t)(chunk - target);
}
