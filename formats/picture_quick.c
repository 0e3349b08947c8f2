// SPDX-License-Identifier: MIT
#include "formats/picture_quick.h"

#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"
#include "formats/crc.h"
#include "formats/deflate_decode.h"
#include "formats/picture_unfilter.h"
#include "formats/png_chunks.h"

struct part {
    const uint8_t *bytes;
    size_t size;
};

// The deflated data, where they are in one chunk and all checksums are right.
static bool find_data(struct part *data, const uint8_t *blob, size_t blob_bytes)
{
    int data_count = 0;
    for (size_t at = PNG_SIGNATURE_BYTES; at < blob_bytes;) {
        const uint8_t *chunk = blob + at, *type = chunk + 4;
        size_t size = get_u32be(chunk);
        if (get_u32be(chunk + PNG_CHUNK_HEAD_BYTES + size) != crc_of(type, 4 + size))
            return false;
        if (memcmp(type, "sRGB", 4) == 0 && (size != 1 || chunk[PNG_CHUNK_HEAD_BYTES] != 0))
            return false;
        if (memcmp(type, "IDAT", 4) == 0) {
            *data = (struct part){chunk + PNG_CHUNK_HEAD_BYTES, size};
            data_count++;
        }
        at += PNG_CHUNK_FRAME_BYTES + size;
    }
    return data_count == 1;
}

bool picture_decode_quick(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes)
{
    struct part data;
    if (!find_data(&data, blob, blob_bytes))
        return false;
    size_t pixel_bytes = 3 * (size_t)(bits / 8), row_bytes = (size_t)side * pixel_bytes;
    size_t filtered_bytes = (size_t)side * (row_bytes + 1);
    uint8_t *filtered = malloc(filtered_bytes + PICTURE_UNFILTER_SLACK_BYTES);
    if (!filtered)
        return false;
    memset(filtered + filtered_bytes, 0, PICTURE_UNFILTER_SLACK_BYTES);
    bool done = deflate_decode(filtered, filtered_bytes, data.bytes, data.size) &&
                picture_unfilter(samples, filtered, row_bytes, side, pixel_bytes);
    free(filtered);
    return done;
}
