// SPDX-License-Identifier: MIT
// PNG files made and read with zlib alone: the second opinion on everything that the program does through libpng. Tests
// only: running out of memory ends the program, and a file that is not whole and well formed is "false".
#ifndef TERRANE_TESTS_PLAIN_PNG_H
#define TERRANE_TESTS_PLAIN_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/byteorder.h"

// A file in memory that grows.
struct plain_bytes {
    uint8_t *bytes;
    size_t size;
};

static inline void *plain_alloc(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

static inline void plain_add(struct plain_bytes *file, const void *bytes, size_t size)
{
    file->bytes = plain_alloc(file->bytes, file->size + size);
    if (size)
        memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static inline void plain_free(struct plain_bytes *file)
{
    free(file->bytes);
    *file = (struct plain_bytes){NULL, 0};
}

static inline void plain_add_chunk(struct plain_bytes *file, const char *type, const void *bytes, size_t size)
{
    uint8_t word[4];
    put_u32be(word, (uint32_t)size);
    plain_add(file, word, 4);
    size_t start = file->size;
    plain_add(file, type, 4);
    plain_add(file, bytes, size);
    put_u32be(word, (uint32_t)crc32(0, file->bytes + start, (uInt)(size + 4)));
    plain_add(file, word, 4);
}

struct plain_header {
    uint32_t width, height;
    int bits, color; // color as in IHDR: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha
    int interlace;
};

static inline void plain_begin(struct plain_bytes *file, struct plain_header header)
{
    uint8_t ihdr[13] = {0};
    put_u32be(ihdr, header.width);
    put_u32be(ihdr + 4, header.height);
    ihdr[8] = (uint8_t)header.bits;
    ihdr[9] = (uint8_t)header.color;
    ihdr[12] = (uint8_t)header.interlace;
    plain_add(file, "\x89PNG\r\n\x1a\n", 8);
    plain_add_chunk(file, "IHDR", ihdr, sizeof ihdr);
}

static inline void plain_add_deflated(struct plain_bytes *file, const char *type, const void *bytes, size_t size)
{
    uLongf bound = compressBound((uLong)size);
    uint8_t *packed = plain_alloc(NULL, bound);
    if (compress2(packed, &bound, bytes, (uLong)size, 6) != Z_OK)
        abort();
    plain_add_chunk(file, type, packed, bound);
    free(packed);
}

static inline int plain_channels(int color)
{
    return color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 1;
}

// Samples of 8 or 16 bits, each in a uint16_t, as scanlines without a filter.
static inline void plain_add_samples(struct plain_bytes *file, struct plain_header header, const uint16_t *samples)
{
    size_t row = (size_t)header.width * (size_t)plain_channels(header.color);
    size_t row_bytes = 1 + row * (size_t)(header.bits / 8);
    uint8_t *lines = plain_alloc(NULL, row_bytes * header.height), *at = lines;
    for (uint32_t y = 0; y < header.height; y++) {
        *at++ = 0;
        for (size_t k = 0; k < row; k++) {
            uint16_t sample = samples[y * row + k];
            if (header.bits == 16)
                *at++ = (uint8_t)(sample >> 8);
            *at++ = (uint8_t)sample;
        }
    }
    plain_add_deflated(file, "IDAT", lines, row_bytes * header.height);
    free(lines);
}

static inline struct plain_bytes plain_png(struct plain_header header, const uint16_t *samples)
{
    struct plain_bytes file = {NULL, 0};
    plain_begin(&file, header);
    plain_add_samples(&file, header, samples);
    plain_add_chunk(&file, "IEND", NULL, 0);
    return file;
}

static inline void plain_save(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

// What a reader found: samples of any depth as uint16_t, and the tEXt chunks as "key=text\n" one after the other.
struct plain_picture {
    struct plain_header header;
    bool srgb;
    uint16_t *samples;
    struct plain_bytes texts; // ends in a zero byte
};

static inline void plain_picture_free(struct plain_picture *picture)
{
    free(picture->samples);
    plain_free(&picture->texts);
    memset(picture, 0, sizeof *picture);
}

static inline uint8_t plain_paeth(int left, int up, int corner)
{
    int p = left + up - corner, pl = abs(p - left), pu = abs(p - up), pc = abs(p - corner);
    return (uint8_t)(pl <= pu && pl <= pc ? left : pu <= pc ? up : corner);
}

static inline bool plain_unfilter(uint8_t *lines, const struct plain_header *header)
{
    size_t unit = (size_t)plain_channels(header->color) * (size_t)(header->bits / 8), row_bytes = header->width * unit;
    for (uint32_t y = 0; y < header->height; y++) {
        uint8_t *row = lines + y * (row_bytes + 1) + 1, *before = y ? row - row_bytes - 1 : NULL;
        for (size_t k = 0; k < row_bytes; k++) {
            int left = k >= unit ? row[k - unit] : 0, up = before ? before[k] : 0;
            int corner = before && k >= unit ? before[k - unit] : 0;
            switch (row[-1]) {
            case 0: break;
            case 1: row[k] = (uint8_t)(row[k] + left); break;
            case 2: row[k] = (uint8_t)(row[k] + up); break;
            case 3: row[k] = (uint8_t)(row[k] + (left + up) / 2); break;
            case 4: row[k] = (uint8_t)(row[k] + plain_paeth(left, up, corner)); break;
            default: return false;
            }
        }
    }
    return true;
}

static inline bool plain_unpack(struct plain_picture *picture, const struct plain_bytes *idat)
{
    const struct plain_header *header = &picture->header;
    size_t row = (size_t)header->width * (size_t)plain_channels(header->color), step = (size_t)header->bits / 8;
    uLongf size = (uLongf)((1 + row * step) * header->height), wanted = size;
    uint8_t *lines = plain_alloc(NULL, size);
    uLong taken = (uLong)idat->size;
    bool good = uncompress2(lines, &size, idat->bytes, &taken) == Z_OK && size == wanted && taken == idat->size &&
                plain_unfilter(lines, header);
    picture->samples = plain_alloc(NULL, row * header->height * sizeof *picture->samples);
    for (uint32_t y = 0; good && y < header->height; y++) {
        for (size_t k = 0; k < row; k++) {
            const uint8_t *at = lines + y * (1 + row * step) + 1 + k * step;
            picture->samples[y * row + k] = (uint16_t)(step == 2 ? at[0] << 8 | at[1] : at[0]);
        }
    }
    free(lines);
    return good;
}

static inline void plain_note_text(struct plain_bytes *texts, const uint8_t *data, size_t size)
{
    const uint8_t *zero = memchr(data, 0, size);
    if (!zero)
        return;
    plain_add(texts, data, (size_t)(zero - data));
    plain_add(texts, "=", 1);
    plain_add(texts, zero + 1, size - (size_t)(zero + 1 - data));
    plain_add(texts, "\n", 1);
}

// 8 or 16 bits, not interlaced. The whole file must be used up and every checksum right.
static inline bool plain_png_read(struct plain_picture *picture, const uint8_t *bytes, size_t size)
{
    memset(picture, 0, sizeof *picture);
    struct plain_bytes idat = {NULL, 0};
    bool good = size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0, ended = false;
    for (size_t at = 8; good && !ended;) {
        size_t length = size - at >= 12 ? get_u32be(bytes + at) : 0;
        if (size - at < 12 || length > size - at - 12)
            break;
        const uint8_t *type = bytes + at + 4, *data = type + 4;
        good = get_u32be(data + length) == (uint32_t)crc32(0, type, (uInt)(length + 4));
        if (memcmp(type, "IHDR", 4) == 0 && length == 13)
            picture->header = (struct plain_header){get_u32be(data), get_u32be(data + 4), data[8], data[9], data[12]};
        picture->srgb = picture->srgb || memcmp(type, "sRGB", 4) == 0;
        if (memcmp(type, "IDAT", 4) == 0)
            plain_add(&idat, data, length);
        if (memcmp(type, "tEXt", 4) == 0)
            plain_note_text(&picture->texts, data, length);
        at += 12 + length;
        ended = memcmp(type, "IEND", 4) == 0 && at == size;
    }
    plain_add(&picture->texts, "", 1);
    const struct plain_header *header = &picture->header;
    good = good && ended && (header->bits == 8 || header->bits == 16) && header->interlace == 0 && header->width > 0 &&
           header->height > 0 && plain_unpack(picture, &idat);
    plain_free(&idat);
    if (!good)
        plain_picture_free(picture);
    return good;
}

#endif
