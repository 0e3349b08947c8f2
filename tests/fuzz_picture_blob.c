// SPDX-License-Identifier: MIT
// Any bytes as a picture: survived, and what decodes is encoded again to a file that decodes to the same. Input: a byte
// for the side and one for what the rest is:
//   0 the file as it is
//   1 a file whose CRCs are yet to be set right
//   2 the zlib stream of a file
//   3 the filtered rows of a file
// so that the fuzzer gets past CRCs and checksum, to libpng's rows and to ours.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/byteorder.h"
#include "formats/picture_codec.h"
#include "formats/png_chunks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void repair_checksums(uint8_t *file, size_t size)
{
    for (size_t at = 8; size >= 12 && at <= size - 12;) {
        size_t data_bytes = get_u32be(file + at);
        if (data_bytes > size - 12 - at)
            return;
        put_u32be(file + at + 8 + data_bytes, (uint32_t)crc32(0, file + at + 4, (uInt)(4 + data_bytes)));
        at += 12 + data_bytes;
    }
}

// A file around an IDAT chunk of these bytes, deflated first where compress is set.
static size_t frame(uint8_t *file, size_t room, int side, int bits, const uint8_t *data, size_t size, int compress)
{
    memcpy(file, png_signature, PNG_SIGNATURE_BYTES);
    uint8_t *chunk = file + PNG_SIGNATURE_BYTES;
    png_header_data(chunk + PNG_CHUNK_HEAD_BYTES, side, bits);
    chunk = png_frame_chunk(chunk, "IHDR", PNG_HEADER_DATA_BYTES);
    uLongf data_bytes = size;
    if (compress) {
        data_bytes = room - 100;
        if (compress2(chunk + PNG_CHUNK_HEAD_BYTES, &data_bytes, data, size, 1) != Z_OK)
            abort();
    } else {
        memcpy(chunk + PNG_CHUNK_HEAD_BYTES, data, size);
    }
    chunk = png_frame_chunk(chunk, "IDAT", data_bytes);
    return (size_t)(png_frame_chunk(chunk, "IEND", 0) - file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    int side = 1 + data[0] % 12, bits = data[0] & 128 ? 16 : 8, kind = data[1] % 4;
    size_t samples_bytes = (size_t)side * (size_t)side * 3 * (size_t)(bits / 8), room = compressBound(size) + 100;
    size_t file_bytes = size - 2;
    uint8_t *file = malloc(kind < 2 ? file_bytes : room), *again = malloc(picture_encode_bound(side, bits));
    uint8_t *samples = malloc(samples_bytes), *back = malloc(samples_bytes);
    void *scratch = malloc(picture_encode_scratch_bytes(side, bits));
    struct status status;
    if (kind < 2)
        memcpy(file, data + 2, file_bytes);
    else
        file_bytes = frame(file, room, side, bits, data + 2, size - 2, kind == 3);
    if (kind == 1)
        repair_checksums(file, file_bytes);

    enum status_code code = picture_decode(samples, side, bits, file, file_bytes, &status);
    if (code == STATUS_OK) {
        if (picture_decode_by_libpng(back, side, bits, file, file_bytes, &status) != STATUS_OK ||
            memcmp(samples, back, samples_bytes) != 0)
            abort();
        size_t again_bytes = picture_encode(again, samples, side, bits, kind % 2, scratch);
        if (picture_decode(back, side, bits, again, again_bytes, &status) != STATUS_OK ||
            memcmp(samples, back, samples_bytes) != 0)
            abort();
    } else if (code != STATUS_INPUT || !status.text[0]) {
        abort();
    }
    free(file);
    free(again);
    free(samples);
    free(back);
    free(scratch);
    return 0;
}
