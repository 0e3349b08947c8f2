// SPDX-License-Identifier: MIT
#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "formats/picture_codec.h"
#include "formats/picture_quick.h"
#include "formats/png_chunks.h"

// What libpng's callbacks know.
struct reader {
    const uint8_t *at;
    size_t left;
    char trouble[200]; // the first error or warning, empty for none
    bool out_of_memory;
};

static void note_trouble(png_structp png, png_const_charp message)
{
    struct reader *reader = png_get_error_ptr(png);
    if (!reader->trouble[0]) {
        strncpy(reader->trouble, message, sizeof reader->trouble - 1);
        reader->trouble[sizeof reader->trouble - 1] = 0;
    }
}

static void on_error(png_structp png, png_const_charp message)
{
    note_trouble(png, message);
    png_longjmp(png, 1);
}

static void on_read(png_structp png, png_bytep target, size_t size_bytes)
{
    struct reader *reader = png_get_io_ptr(png);
    if (size_bytes > reader->left)
        png_error(png, "cut short");
    memcpy(target, reader->at, size_bytes);
    reader->at += size_bytes;
    reader->left -= size_bytes;
}

static png_voidp on_malloc(png_structp png, png_alloc_size_t size_bytes)
{
    struct reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(size_bytes);
    if (!memory)
        reader->out_of_memory = true;
    return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

// Demands signature, the IHDR that we write, perhaps sRGB, IDAT, IEND and the end of the file, so that libpng never
// sees anything that could make it allocate or convert. CRCs are left to libpng.
static enum status_code check_chunks(const uint8_t *blob, size_t blob_bytes, int side, int bits, struct status *status)
{
    enum { HEADER, COLOR_SPACE, DATA, MORE_DATA, END } next = HEADER;
    if (blob_bytes < PNG_SIGNATURE_BYTES || memcmp(blob, png_signature, PNG_SIGNATURE_BYTES) != 0)
        return status_fail(status, STATUS_INPUT, "picture: not a PNG file");
    uint8_t header[PNG_HEADER_DATA_BYTES];
    png_header_data(header, side, bits);
    size_t at = PNG_SIGNATURE_BYTES;
    while (next != END) {
        size_t left = blob_bytes - at;
        if (left < PNG_CHUNK_FRAME_BYTES || get_u32be(blob + at) > left - PNG_CHUNK_FRAME_BYTES)
            return status_fail(status, STATUS_INPUT, "picture: cut short");
        const char *type = (const char *)blob + at + 4;
        const uint8_t *data = blob + at + PNG_CHUNK_HEAD_BYTES;
        size_t data_bytes = get_u32be(blob + at);
        if (next == HEADER && memcmp(type, "IHDR", 4) == 0) {
            if (data_bytes != PNG_HEADER_DATA_BYTES || memcmp(data, header, PNG_HEADER_DATA_BYTES) != 0)
                return status_fail(status, STATUS_INPUT, "picture: not %d x %d RGB of %d bits without interlace", side,
                                   side, bits);
            next = COLOR_SPACE;
        } else if (next == COLOR_SPACE && memcmp(type, "sRGB", 4) == 0) {
            next = DATA;
        } else if (next != HEADER && memcmp(type, "IDAT", 4) == 0) {
            next = MORE_DATA;
        } else if (next == MORE_DATA && memcmp(type, "IEND", 4) == 0 && data_bytes == 0) {
            next = END;
        } else {
            return status_fail(status, STATUS_INPUT, "picture: unexpected chunk '%.4s'", type);
        }
        at += PNG_CHUNK_FRAME_BYTES + data_bytes;
    }
    if (at != blob_bytes)
        return status_fail(status, STATUS_INPUT, "picture: %zu bytes after its end", blob_bytes - at);
    return STATUS_OK;
}

// The only function that libpng jumps back to: nothing that it changes after setjmp() is used afterwards.
static bool read_rows(png_structp png, png_infop info, uint8_t *samples, int side, size_t row_bytes)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_read_info(png, info);
    if (png_get_rowbytes(png, info) != row_bytes)
        png_error(png, "rows of another length");
    for (int y = 0; y < side; y++)
        png_read_row(png, samples + (size_t)y * row_bytes, NULL);
    png_read_end(png, NULL);
    return true;
}

static enum status_code decode_checked(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes,
                                       struct status *status)
{
    struct reader reader = {.at = blob, .left = blob_bytes};
    png_structp png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, on_error, note_trouble, &reader, on_malloc, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool started = info != NULL, whole = false; // destroying sets info to NULL
    if (started) {
        png_set_read_fn(png, &reader, on_read);
        png_set_user_limits(png, (png_uint_32)side, (png_uint_32)side);
        png_set_chunk_malloc_max(png, 64 << 10);
        whole = read_rows(png, info, samples, side, (size_t)side * 3 * (size_t)(bits / 8));
    }
    png_destroy_read_struct(&png, &info, NULL);
    if (reader.out_of_memory || !started)
        return status_fail(status, STATUS_RESOURCE, "picture: libpng cannot start or is out of memory");
    if (!whole || reader.trouble[0])
        return status_fail(status, STATUS_INPUT, "picture: %s", reader.trouble);
    return STATUS_OK;
}

enum status_code picture_decode(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes,
                                struct status *status)
{
    assert(side >= 1 && side <= TILE_SAMPLES_MAX && (bits == 8 || bits == 16));
    enum status_code code = check_chunks(blob, blob_bytes, side, bits, status);
    if (code != STATUS_OK || picture_decode_quick(samples, side, bits, blob, blob_bytes))
        return code;
    return decode_checked(samples, side, bits, blob, blob_bytes, status);
}

enum status_code picture_decode_by_libpng(uint8_t *samples, int side, int bits, const uint8_t *blob, size_t blob_bytes,
                                          struct status *status)
{
    enum status_code code = check_chunks(blob, blob_bytes, side, bits, status);
    return code ? code : decode_checked(samples, side, bits, blob, blob_bytes, status);
}
