// SPDX-License-Identifier: MIT
#include "formats/png_rows.h"

#include <assert.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#define COMPRESSION_LEVEL 6

struct png_rows {
    png_structp png;
    png_infop info;
    png_sink_function *sink;
    void *sink_context;
    struct status *status;   // of the call under way
    enum status_code failed; // STATUS_OK until then
    int rows_left;
    int bits;
    size_t row_samples;
    uint8_t *row; // one row as PNG has it: 16 bits big-endian; NULL where 8 bits
};

static void on_error(png_structp png, png_const_charp text)
{
    struct png_rows *rows = png_get_error_ptr(png);
    if (rows->failed == STATUS_OK)
        rows->failed = status_fail(rows->status, STATUS_RESOURCE, "writing a PNG picture: %s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text; // what it could warn of is asserted here
}

static void on_write(png_structp png, png_bytep bytes, size_t size)
{
    struct png_rows *rows = png_get_io_ptr(png);
    rows->failed = rows->sink(rows->sink_context, bytes, size, rows->status);
    if (rows->failed != STATUS_OK)
        png_longjmp(png, 1);
}

static void on_flush(png_structp png)
{
    (void)png; // the sink's owner flushes
}

static bool key_is_valid(const char *key)
{
    size_t length = strlen(key);
    if (length < 1 || length > 79 || key[0] == ' ' || key[length - 1] == ' ')
        return false;
    for (size_t k = 0; k < length; k++) {
        if (key[k] < 0x20 || key[k] > 0x7e)
            return false;
    }
    return true;
}

// libpng leaves the functions whose name begins with run_ by longjmp from anywhere; they allocate nothing themselves.
static void run_header(struct png_rows *rows, const struct png_picture *picture)
{
    static const int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB};
    png_structp png = rows->png;
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_write_fn(png, rows, on_write, on_flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_IHDR(png, rows->info, (png_uint_32)picture->width, (png_uint_32)picture->height, rows->bits,
                 colors[picture->kind], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (picture->srgb)
        png_set_sRGB(png, rows->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, rows->info);
}

static void run_chunk(struct png_rows *rows, const uint8_t *bytes, size_t size)
{
    if (setjmp(png_jmpbuf(rows->png)))
        return;
    png_write_chunk(rows->png, (png_const_bytep) "tEXt", bytes, size);
}

static void run_row(struct png_rows *rows, const uint8_t *row)
{
    if (setjmp(png_jmpbuf(rows->png)))
        return;
    png_write_row(rows->png, row);
}

static void run_end(struct png_rows *rows)
{
    if (setjmp(png_jmpbuf(rows->png)))
        return;
    png_write_end(rows->png, NULL);
}

// Key, zero, text.
static void write_text(struct png_rows *rows, const struct png_text_pair *pair)
{
    assert(key_is_valid(pair->key));
    size_t key_size = strlen(pair->key) + 1, text_size = strlen(pair->text);
    uint8_t *chunk = malloc(key_size + text_size);
    if (!chunk) {
        rows->failed = status_fail_memory(rows->status, "writing a PNG picture", key_size + text_size);
        return;
    }
    memcpy(chunk, pair->key, key_size);
    for (size_t k = 0; k < text_size; k++) {
        char byte = pair->text[k];
        chunk[key_size + k] = (uint8_t)((byte >= 0x20 && byte <= 0x7e) || byte == '\n' ? byte : '?');
    }
    run_chunk(rows, chunk, key_size + text_size);
    free(chunk);
}

enum status_code png_rows_begin(struct png_rows **rows, const struct png_picture *picture, png_sink_function *sink,
                                void *sink_context, struct status *status)
{
    assert(picture->width >= 1 && picture->height >= 1);
    *rows = NULL;
    struct png_rows *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail_memory(status, "writing a PNG picture", sizeof *made);
    bool color = picture->kind == PNG_RGB8 || picture->kind == PNG_RGB16;
    made->bits = picture->kind == PNG_GRAY16 || picture->kind == PNG_RGB16 ? 16 : 8;
    made->rows_left = picture->height;
    made->row_samples = (size_t)picture->width * (color ? 3 : 1);
    made->sink = sink;
    made->sink_context = sink_context;
    made->status = status;
    size_t row_bytes = made->row_samples * 2;
    made->row = made->bits == 16 ? malloc(row_bytes) : NULL;
    made->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, made, on_error, on_warning);
    made->info = made->png ? png_create_info_struct(made->png) : NULL;
    if (!made->info || (made->bits == 16 && !made->row))
        made->failed = status_fail_memory(status, "writing a PNG picture", row_bytes);
    if (made->failed == STATUS_OK)
        run_header(made, picture);
    for (int k = 0; k < picture->text_count && made->failed == STATUS_OK; k++)
        write_text(made, &picture->texts[k]);
    enum status_code code = made->failed;
    if (code == STATUS_OK)
        *rows = made;
    else
        png_rows_free(made);
    return code;
}

enum status_code png_rows_write(struct png_rows *rows, const void *samples, int row_count, struct status *status)
{
    assert(rows->failed == STATUS_OK && row_count >= 0 && row_count <= rows->rows_left);
    rows->status = status;
    for (int k = 0; k < row_count && rows->failed == STATUS_OK; k++) {
        size_t at = (size_t)k * rows->row_samples;
        if (rows->bits == 8) {
            run_row(rows, (const uint8_t *)samples + at);
            continue;
        }
        const uint16_t *from = (const uint16_t *)samples + at;
        for (size_t i = 0; i < rows->row_samples; i++) {
            rows->row[2 * i] = (uint8_t)(from[i] >> 8);
            rows->row[2 * i + 1] = (uint8_t)from[i];
        }
        run_row(rows, rows->row);
    }
    rows->rows_left -= row_count;
    return rows->failed;
}

enum status_code png_rows_finish(struct png_rows *rows, struct status *status)
{
    assert(rows->failed == STATUS_OK && rows->rows_left == 0);
    rows->status = status;
    run_end(rows);
    enum status_code code = rows->failed;
    png_rows_free(rows);
    return code;
}

void png_rows_free(struct png_rows *rows)
{
    if (!rows)
        return;
    png_destroy_write_struct(&rows->png, &rows->info);
    free(rows->row);
    free(rows);
}
