// SPDX-License-Identifier: MIT
// The frame of a PNG file: signature and chunks (PNG specification, section 5). Private to the picture codec.
#ifndef TERRANE_FORMATS_PNG_CHUNKS_H
#define TERRANE_FORMATS_PNG_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#define PNG_SIGNATURE_BYTES 8
#define PNG_CHUNK_HEAD_BYTES 8   // length and type
#define PNG_CHUNK_FRAME_BYTES 12 // these and the CRC
#define PNG_HEADER_DATA_BYTES 13 // of IHDR

extern const uint8_t png_signature[PNG_SIGNATURE_BYTES];

// The 13 bytes of IHDR for a picture of side x side RGB, 8 or 16 bits, not interlaced.
void png_header_data(uint8_t data[PNG_HEADER_DATA_BYTES], int side, int bits);

// Frames data_bytes bytes that already lie at chunk + PNG_CHUNK_HEAD_BYTES. Returns the end of the chunk.
uint8_t *png_frame_chunk(uint8_t *chunk, const char *type, size_t data_bytes);

#endif
