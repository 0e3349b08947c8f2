// SPDX-License-Identifier: MIT
// Any bytes as a height blob: survived, and what decodes is encoded again to a blob that decodes to the same.
// Input: a byte for the side and whether the rest is the blob itself or planes that are yet to be deflated, so that the
// fuzzer gets past zlib's checksum.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/height_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Plane count and reserved bytes from the data, then the rest deflated.
static size_t make_blob(uint8_t *blob, size_t room, const uint8_t *data, size_t size)
{
    uLongf deflated = room - 4;
    blob[0] = 1;
    memcpy(blob + 1, data, 3);
    blob[1] %= 6;
    if (compress2(blob + 4, &deflated, data + 3, size - 3, 1) != Z_OK)
        abort();
    return deflated + 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5)
        return 0;
    int side = 1 + (data[0] >> 1) % 40;
    size_t area = (size_t)side * (size_t)side, blob_bytes = size - 1, room = compressBound(size) + 4;
    bool planes = data[0] & 1;
    uint8_t *blob = malloc(planes ? room : blob_bytes), *again = malloc(height_encode_bound(side));
    int32_t *heights = malloc(area * sizeof *heights), *back = malloc(area * sizeof *back);
    void *scratch = malloc(height_codec_scratch_bytes(side));
    struct status status;
    if (planes)
        blob_bytes = make_blob(blob, room, data + 1, size - 1);
    else
        memcpy(blob, data + 1, blob_bytes);

    enum status_code code = height_decode(heights, side, blob, blob_bytes, scratch, &status);
    if (code == STATUS_OK) {
        size_t again_bytes = height_encode(again, heights, side, scratch);
        // There is one head for each tile.
        if (memcmp(again, blob, 4) != 0 ||
            height_decode(back, side, again, again_bytes, scratch, &status) != STATUS_OK ||
            memcmp(heights, back, area * sizeof *back) != 0)
            abort();
    } else if (code != STATUS_INPUT || !status.text[0]) {
        abort();
    }
    free(blob);
    free(again);
    free(heights);
    free(back);
    free(scratch);
    return 0;
}
