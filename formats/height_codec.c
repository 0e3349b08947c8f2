// SPDX-License-Identifier: MIT
#include "formats/height_codec.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <zlib.h>

#include "common/arena.h"
#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "formats/deflate_decode.h"
#include "formats/deflate_encode.h"
#include "formats/height_predict.h"

#define HEAD_BYTES 4
#define CONSTANT_BLOB_BYTES 8

static size_t plane_size(int side)
{
    assert(side >= 1 && side <= TILE_SAMPLES_MAX);
    return (size_t)side * (size_t)side;
}

struct height_scratch {
    uint8_t *planes;
    uint32_t *row;
    struct deflate_scratch *deflate;
};

size_t height_codec_scratch_bytes(int side)
{
    return arena_bound(HEIGHT_PLANES_MAX, plane_size(side)) + arena_bound((size_t)side, sizeof(uint32_t)) +
           arena_bound(1, deflate_scratch_bytes());
}

static struct height_scratch divide_scratch(void *scratch, int side)
{
    struct arena arena = arena_over(scratch, height_codec_scratch_bytes(side));
    struct height_scratch parts;
    parts.planes = arena_take(&arena, HEIGHT_PLANES_MAX, plane_size(side));
    parts.row = arena_take(&arena, (size_t)side, sizeof *parts.row);
    parts.deflate = arena_take(&arena, 1, deflate_scratch_bytes());
    assert(parts.planes && parts.row && parts.deflate);
    return parts;
}

size_t height_encode_bound(int side)
{
    return HEAD_BYTES + deflate_bound(HEIGHT_PLANES_MAX * plane_size(side));
}

size_t height_encode(uint8_t *target, const int32_t *heights, int side, void *scratch)
{
    struct height_scratch parts = divide_scratch(scratch, side);
    struct height_residual_bits bits = height_to_planes(parts.planes, heights, side, parts.row);
    int plane_count = 0;
    if (bits.others != 0) {
        for (uint32_t left = bits.first | bits.others; left != 0; left >>= 8)
            plane_count++;
    }
    target[0] = HEIGHT_PREDICTOR;
    target[1] = (uint8_t)plane_count;
    put_u16le(target + 2, 0);
    if (plane_count == 0) {
        put_i32le(target + HEAD_BYTES, heights[0]);
        return CONSTANT_BLOB_BYTES;
    }
    size_t plane_bytes = plane_size(side);
    return HEAD_BYTES + deflate_encode(target + HEAD_BYTES, parts.planes, (size_t)plane_count * plane_bytes,
                                       deflate_even_block(plane_bytes), parts.deflate);
}

// Inflates source into exactly target_bytes bytes. What is not as we write it is zlib's to read or to refuse.
static enum status_code inflate_exactly(uint8_t *target, size_t target_bytes, const uint8_t *source,
                                        size_t source_bytes, struct status *status)
{
    if (source_bytes > UINT32_MAX)
        return status_fail(status, STATUS_INPUT, "height blob: too long");
    if (deflate_decode(target, target_bytes, source, source_bytes))
        return STATUS_OK;
    z_stream stream = {.next_in = (z_const Bytef *)source, .avail_in = (uInt)source_bytes};
    int result = inflateInit(&stream);
    if (result != Z_OK)
        return status_fail(status, result == Z_MEM_ERROR ? STATUS_RESOURCE : STATUS_INTERNAL,
                           "height blob: zlib cannot start (%d)", result);
    stream.next_out = target;
    stream.avail_out = (uInt)target_bytes;
    result = inflate(&stream, Z_FINISH);
    size_t bytes_left = stream.avail_in, room_left = stream.avail_out;
    bool starved = result == Z_BUF_ERROR && bytes_left == 0 && room_left > 0;
    inflateEnd(&stream);
    if (result == Z_MEM_ERROR)
        return status_fail(status, STATUS_RESOURCE, "height blob: zlib is out of memory");
    if (starved)
        return status_fail(status, STATUS_INPUT, "height blob: cut short");
    if (result == Z_BUF_ERROR || result == Z_OK)
        return status_fail(status, STATUS_INPUT, "height blob: holds more than its planes");
    if (result != Z_STREAM_END)
        return status_fail(status, STATUS_INPUT, "height blob: broken zlib stream");
    if (room_left > 0)
        return status_fail(status, STATUS_INPUT, "height blob: %zu bytes of its planes are missing", room_left);
    if (bytes_left > 0)
        return status_fail(status, STATUS_INPUT, "height blob: %zu bytes after its end", bytes_left);
    return STATUS_OK;
}

static enum status_code decode_constant(int32_t *heights, size_t sample_count, const uint8_t *blob, size_t blob_bytes,
                                        struct status *status)
{
    if (blob_bytes != CONSTANT_BLOB_BYTES)
        return status_fail(status, STATUS_INPUT, "height blob: a constant tile has 8 bytes, not %zu", blob_bytes);
    int32_t height = get_i32le(blob + HEAD_BYTES);
    for (size_t k = 0; k < sample_count; k++)
        heights[k] = height;
    return STATUS_OK;
}

enum status_code height_decode(int32_t *heights, int side, const uint8_t *blob, size_t blob_bytes, void *scratch,
                               struct status *status)
{
    struct height_scratch parts = divide_scratch(scratch, side);
    if (blob_bytes < HEAD_BYTES)
        return status_fail(status, STATUS_INPUT, "height blob: cut short");
    int plane_count = blob[1];
    if (blob[0] != HEIGHT_PREDICTOR)
        return status_fail(status, STATUS_INPUT, "height blob: unknown predictor %d", blob[0]);
    if (plane_count > HEIGHT_PLANES_MAX)
        return status_fail(status, STATUS_INPUT, "height blob: %d planes, at most 4 are possible", plane_count);
    if (get_u16le(blob + 2) != 0)
        return status_fail(status, STATUS_INPUT, "height blob: reserved bytes are not zero");
    if (plane_count == 0)
        return decode_constant(heights, plane_size(side), blob, blob_bytes, status);

    enum status_code code = inflate_exactly(parts.planes, (size_t)plane_count * plane_size(side), blob + HEAD_BYTES,
                                            blob_bytes - HEAD_BYTES, status);
    if (code != STATUS_OK)
        return code;
    struct height_residual_bits bits = height_from_planes(heights, parts.planes, plane_count, side, parts.row);
    if (bits.others == 0)
        return status_fail(status, STATUS_INPUT, "height blob: a constant tile not in its short form");
    if ((bits.first | bits.others) >> (8 * (plane_count - 1)) == 0)
        return status_fail(status, STATUS_INPUT, "height blob: the highest plane is all zero");
    return STATUS_OK;
}
