// SPDX-License-Identifier: MIT
#include "formats/png_chunks.h"

#include <string.h>

#include "common/byteorder.h"
#include "formats/crc.h"

#define COLOR_TYPE_RGB 2

const uint8_t png_signature[PNG_SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

void png_header_data(uint8_t data[PNG_HEADER_DATA_BYTES], int side, int bits)
{
    put_u32be(data, (uint32_t)side);
    put_u32be(data + 4, (uint32_t)side);
    data[8] = (uint8_t)bits;
    data[9] = COLOR_TYPE_RGB;
    data[10] = data[11] = data[12] = 0; // deflate, the five filters, not interlaced
}

uint8_t *png_frame_chunk(uint8_t *chunk, const char *type, size_t data_bytes)
{
    put_u32be(chunk, (uint32_t)data_bytes);
    memcpy(chunk + 4, type, 4);
    uint8_t *end = chunk + PNG_CHUNK_HEAD_BYTES + data_bytes;
    put_u32be(end, crc_of(chunk + 4, 4 + data_bytes));
    return end + 4;
}
