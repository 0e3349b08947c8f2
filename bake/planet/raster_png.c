// SPDX-License-Identifier: MIT
#include "bake/planet/raster_png.h"

#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/raster.h"
#include "common/byteorder.h"
#include "formats/file_io.h"

// Signature and IHDR without its checksum.
#define HEADER_BYTES 29
#define BUFFER_BYTES 32768

// deflate makes at most 258 bytes out of 2 bits, so a file is never worth more than this many times its size.
#define DEFLATE_RATIO_MAX 1032

#define ACCEPTED "rasters are PNG files, grey or RGB, 8 or 16 bits, not interlaced, without transparency"

struct reader {
    const char *path;
    int fd;
    uint64_t size_bytes, offset;
    size_t at, filled; // of the buffer
    uint8_t buffer[BUFFER_BYTES];
    png_structp png;
    png_infop info;
    struct status *status;
    enum status_code failed; // STATUS_OK until then
};

// Looks at the header without libpng, so that nothing is allocated on the word of a liar.
static enum status_code read_header(struct raster_image *image, struct reader *reader)
{
    const char *path = reader->path;
    struct status *status = reader->status;
    static const uint8_t start[16] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    uint8_t header[HEADER_BYTES];
    if (reader->size_bytes < HEADER_BYTES)
        return status_fail(status, STATUS_INPUT, "%s: is not a PNG file: %s", path, ACCEPTED);
    enum status_code code = file_read_at(reader->fd, header, HEADER_BYTES, 0, path, status);
    if (code != STATUS_OK)
        return code;
    if (memcmp(header, start, sizeof start) != 0)
        return status_fail(status, STATUS_INPUT, "%s: is not a PNG file: %s", path, ACCEPTED);

    uint32_t width = get_u32be(header + 16), height = get_u32be(header + 20);
    int bits = header[24], color = header[25], interlace = header[28];
    bool grey = color == PNG_COLOR_TYPE_GRAY, rgb = color == PNG_COLOR_TYPE_RGB;
    if ((!grey && !rgb) || (bits != 8 && bits != 16) || interlace != PNG_INTERLACE_NONE) {
        const char *kind = color == PNG_COLOR_TYPE_PALETTE ? "palette" : color & PNG_COLOR_MASK_ALPHA ? "alpha" : "";
        return status_fail(status, STATUS_INPUT, "%s: %s%s%d-bit%s: %s", path, kind, *kind ? ", " : "", bits,
                           interlace ? ", interlaced" : "", ACCEPTED);
    }
    uint64_t samples = (uint64_t)width * height * (grey ? 1 : 3);
    if (width == 0 || height == 0)
        return status_fail(status, STATUS_INPUT, "%s: has no samples (%u x %u)", path, width, height);
    if (width > RASTER_SIDE_MAX || height > RASTER_SIDE_MAX || samples > RASTER_SAMPLES_MAX)
        return status_fail(status, STATUS_INPUT,
                           "%s: is %u x %u x %d; at most %d a side and %llu samples are read: scale it down", path,
                           width, height, grey ? 1 : 3, RASTER_SIDE_MAX, (unsigned long long)RASTER_SAMPLES_MAX);
    if ((samples * (uint64_t)(bits / 8) + height) / DEFLATE_RATIO_MAX > reader->size_bytes)
        return status_fail(status, STATUS_INPUT, "%s: truncated: %llu bytes cannot hold %u x %u samples", path,
                           (unsigned long long)reader->size_bytes, width, height);
    image->width = (int)width;
    image->height = (int)height;
    image->channels = grey ? 1 : 3;
    image->bits = bits;
    return STATUS_OK;
}

static void on_error(png_structp png, png_const_charp text)
{
    struct reader *reader = png_get_error_ptr(png);
    if (reader->failed == STATUS_OK)
        reader->failed = status_fail(reader->status, STATUS_INPUT, "%s: damaged PNG file: %s", reader->path, text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text; // only about chunks that are not looked at
}

static void on_read(png_structp png, png_bytep target, size_t size)
{
    struct reader *reader = png_get_io_ptr(png);
    while (size > 0) {
        if (reader->at == reader->filled) {
            uint64_t left = reader->size_bytes - reader->offset;
            if (left == 0)
                png_error(png, "truncated");
            reader->at = 0;
            reader->filled = left < BUFFER_BYTES ? (size_t)left : BUFFER_BYTES;
            reader->failed =
                file_read_at(reader->fd, reader->buffer, reader->filled, reader->offset, reader->path, reader->status);
            if (reader->failed != STATUS_OK)
                png_longjmp(png, 1);
            reader->offset += reader->filled;
        }
        size_t part = reader->filled - reader->at < size ? reader->filled - reader->at : size;
        memcpy(target, reader->buffer + reader->at, part);
        reader->at += part;
        target += part;
        size -= part;
    }
}

// PNG rows are big-endian; the hash is over little-endian ones.
static void store_row(struct raster_image *image, int y, uint8_t *row, struct sha256 *hash)
{
    size_t count = (size_t)image->width * (size_t)image->channels;
    if (image->bits == 8) {
        memcpy((uint8_t *)image->samples + (size_t)y * count, row, count);
        sha256_add(hash, row, count);
        return;
    }
    uint16_t *target = (uint16_t *)image->samples + (size_t)y * count;
    for (size_t k = 0; k < count; k++) {
        target[k] = (uint16_t)(row[2 * k] << 8 | row[2 * k + 1]);
        put_u16le(row + 2 * k, target[k]);
    }
    sha256_add(hash, row, 2 * count);
}

static void hash_begin(struct sha256 *hash, const struct raster_image *image)
{
    uint8_t head[10];
    put_u32le(head, (uint32_t)image->width);
    put_u32le(head + 4, (uint32_t)image->height);
    head[8] = (uint8_t)image->channels;
    head[9] = (uint8_t)image->bits;
    sha256_begin(hash);
    sha256_add(hash, head, sizeof head);
}

// libpng leaves by longjmp from anywhere in here; all that is allocated belongs to the caller.
static void read_rows(struct reader *reader, struct raster_image *image, uint8_t *row, struct sha256 *hash)
{
    png_structp png = reader->png;
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_read_fn(png, reader, on_read);
    png_set_user_limits(png, RASTER_SIDE_MAX, RASTER_SIDE_MAX);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    // No ancillary chunk is parsed but the one that says that a colour means "nothing here".
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, (png_const_bytep) "tRNS", 1);
    png_read_info(png, reader->info);
    if (png_get_valid(png, reader->info, PNG_INFO_tRNS))
        png_error(png, "has a transparent colour (tRNS), which rasters cannot have");
    size_t row_bytes = (size_t)image->width * (size_t)image->channels * (size_t)(image->bits / 8);
    if (png_get_image_width(png, reader->info) != (png_uint_32)image->width ||
        png_get_image_height(png, reader->info) != (png_uint_32)image->height ||
        png_get_rowbytes(png, reader->info) != row_bytes)
        png_error(png, "it changed while it was read");
    for (int y = 0; y < image->height; y++) {
        png_read_row(png, row, NULL);
        store_row(image, y, row, hash);
    }
    png_read_end(png, NULL);
}

static enum status_code read_image(struct raster_image *image, struct reader *reader)
{
    enum status_code code = read_header(image, reader);
    if (code != STATUS_OK)
        return code;
    size_t row_bytes = (size_t)image->width * (size_t)image->channels * (size_t)(image->bits / 8);
    size_t image_bytes = row_bytes * (size_t)image->height;
    uint8_t *row = malloc(row_bytes);
    image->samples = malloc(image_bytes);
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!row || !image->samples || !reader->info) {
        reader->failed = status_fail_memory(reader->status, reader->path, image_bytes);
    } else {
        struct sha256 hash;
        hash_begin(&hash, image);
        read_rows(reader, image, row, &hash);
        sha256_finish(&hash, image->sha256);
    }
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(row);
    return reader->failed;
}

enum status_code raster_png_read(struct raster_image *image, const char *path, struct status *status)
{
    struct reader reader = {.path = path, .status = status};
    memset(image, 0, sizeof *image);
    enum status_code code = file_open_read(&reader.fd, &reader.size_bytes, path, status);
    if (code != STATUS_OK)
        return code;
    code = read_image(image, &reader);
    struct status ignored;
    enum status_code closed = file_close(reader.fd, path, code == STATUS_OK ? status : &ignored);
    if (code == STATUS_OK)
        code = closed;
    if (code != STATUS_OK)
        raster_image_free(image);
    return code;
}

void raster_image_free(struct raster_image *image)
{
    free(image->samples);
    image->samples = NULL;
}
