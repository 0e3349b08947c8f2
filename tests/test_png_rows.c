// SPDX-License-Identifier: MIT
// Pictures written row by row, read back by a decoder that is not libpng.
#include "formats/png_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formats/file_io.h"
#include "tests/check.h"
#include "tests/plain_png.h"

// A sink that keeps everything, and fails once it holds limit bytes.
struct memory_sink {
    struct plain_bytes file;
    size_t limit, largest; // largest: piece that came
};

static enum status_code memory_append(void *sink, const void *bytes, size_t size, struct status *status)
{
    struct memory_sink *to = sink;
    if (size > to->limit - to->file.size)
        return status_fail_errno(status, STATUS_RESOURCE, ENOSPC, "sink");
    plain_add(&to->file, bytes, size);
    to->largest = size > to->largest ? size : to->largest;
    return STATUS_OK;
}

static int channels_of(enum png_kind kind)
{
    return kind == PNG_RGB8 || kind == PNG_RGB16 ? 3 : 1;
}

static int bits_of(enum png_kind kind)
{
    return kind == PNG_GRAY16 || kind == PNG_RGB16 ? 16 : 8;
}

// Writes samples (one in each uint16_t) in bands of band rows.
static enum status_code write_picture(const struct png_picture *picture, const uint16_t *samples, int band,
                                      struct memory_sink *sink, struct status *status)
{
    struct png_rows *rows;
    enum status_code code = png_rows_begin(&rows, picture, memory_append, sink, status);
    if (code != STATUS_OK) {
        CHECK(rows == NULL);
        return code;
    }
    size_t row = (size_t)picture->width * (size_t)channels_of(picture->kind);
    uint8_t *bytes = plain_alloc(NULL, row * (size_t)band);
    for (int y = 0; y < picture->height && code == STATUS_OK; y += band) {
        int count = picture->height - y < band ? picture->height - y : band;
        const uint16_t *from = samples + (size_t)y * row;
        for (size_t k = 0; k < row * (size_t)count; k++)
            bytes[k] = (uint8_t)from[k];
        code = png_rows_write(rows, bits_of(picture->kind) == 16 ? (const void *)from : bytes, count, status);
    }
    free(bytes);
    if (code == STATUS_OK)
        return png_rows_finish(rows, status);
    png_rows_free(rows);
    return code;
}

static void fill(uint16_t *samples, size_t count, int bits, bool smooth)
{
    for (size_t k = 0; k < count; k++)
        samples[k] = (uint16_t)((smooth ? k * 37 : check_random()) & (bits == 16 ? 0xffff : 0xff));
}

static void every_kind_and_size_reads_back(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 70}, {65, 3}, {259, 31}, {2, 2}, {300, 1}};
    static const enum png_kind kinds[] = {PNG_GRAY8, PNG_GRAY16, PNG_RGB8, PNG_RGB16};
    for (int which = 0; which < 4; which++) {
        enum png_kind kind = kinds[which];
        for (int k = 0; k < 12; k++) {
            struct png_picture picture = {.width = sizes[k / 2][0], .height = sizes[k / 2][1], .kind = kind};
            size_t count = (size_t)picture.width * (size_t)picture.height * (size_t)channels_of(kind);
            uint16_t *samples = plain_alloc(NULL, count * sizeof *samples);
            fill(samples, count, bits_of(kind), k & 1);
            struct memory_sink sink = {.limit = SIZE_MAX};
            struct status status;
            CHECK(write_picture(&picture, samples, 1 + k % 5, &sink, &status) == STATUS_OK);
            struct plain_picture read;
            bool good = plain_png_read(&read, sink.file.bytes, sink.file.size);
            CHECK_TEXT(good, "kind %d, size %d x %d", which, picture.width, picture.height);
            if (good) {
                CHECK(read.header.width == (uint32_t)picture.width && read.header.height == (uint32_t)picture.height);
                CHECK(read.header.bits == bits_of(kind) && read.header.color == (channels_of(kind) == 3 ? 2 : 0));
                CHECK(memcmp(read.samples, samples, count * sizeof *samples) == 0);
                CHECK(!read.srgb && strcmp((char *)read.texts.bytes, "") == 0);
            }
            plain_picture_free(&read);
            plain_free(&sink.file);
            free(samples);
        }
    }
}

static void texts_and_srgb_are_in_the_file(void)
{
    static const struct png_text_pair texts[] = {
        {"Height", "height_m = R*256 + G + B/256 - 32768"}, {"Odd", "caf\xc3\xa9\x01 two\nlines"}, {"Empty", ""}};
    struct png_picture picture = {
        .width = 3, .height = 2, .kind = PNG_RGB8, .srgb = true, .texts = texts, .text_count = 3};
    uint16_t samples[18] = {255, 1, 2, 3};
    struct memory_sink sink = {.limit = SIZE_MAX};
    struct status status;
    CHECK(write_picture(&picture, samples, 2, &sink, &status) == STATUS_OK);
    struct plain_picture read;
    CHECK(plain_png_read(&read, sink.file.bytes, sink.file.size));
    CHECK(read.srgb);
    CHECK(read.texts.bytes && strcmp((char *)read.texts.bytes, "Height=height_m = R*256 + G + B/256 - 32768\n"
                                                               "Odd=caf??? two\nlines\nEmpty=\n") == 0);
    plain_picture_free(&read);
    plain_free(&sink.file);
}

static void a_sink_that_fills_up_at_any_byte_is_a_resource_failure(void)
{
    uint16_t samples[40 * 30];
    fill(samples, 40 * 30, 16, false);
    static const struct png_text_pair text = {"Key", "text"};
    struct png_picture picture = {.width = 40, .height = 30, .kind = PNG_GRAY16, .texts = &text, .text_count = 1};
    struct memory_sink whole = {.limit = SIZE_MAX};
    struct status status;
    CHECK(write_picture(&picture, samples, 7, &whole, &status) == STATUS_OK);
    CHECK(whole.file.size > 2400);
    for (size_t limit = 0; limit < whole.file.size; limit += limit < 200 ? 1 : 13) {
        struct memory_sink sink = {.limit = limit};
        status.text[0] = 0;
        CHECK(write_picture(&picture, samples, 7, &sink, &status) == STATUS_RESOURCE);
        CHECK_TEXT(strstr(status.text, "sink: No space left"), "limit %zu: %s", limit, status.text);
        plain_free(&sink.file);
    }
    plain_free(&whole.file);
}

static enum status_code file_sink(void *appender, const void *bytes, size_t size, struct status *status)
{
    return file_append(appender, bytes, size, status);
}

static void a_file_gets_the_same_bytes_and_a_full_device_is_reported(void)
{
    uint16_t samples[64 * 64];
    fill(samples, 64 * 64, 16, false);
    struct png_picture picture = {.width = 64, .height = 64, .kind = PNG_GRAY16};
    struct memory_sink memory = {.limit = SIZE_MAX};
    struct status status;
    CHECK(write_picture(&picture, samples, 64, &memory, &status) == STATUS_OK);

    char path[] = "/tmp/terrane-png-rows-XXXXXX";
    int fds[2] = {mkstemp(path), open("/dev/full", O_WRONLY)};
    CHECK(fds[0] >= 0 && fds[1] >= 0);
    for (int k = 0; k < 2; k++) {
        static uint8_t buffer[1024];
        struct file_appender appender;
        file_appender_begin(&appender, fds[k], k ? "/dev/full" : path, 0, buffer, sizeof buffer);
        struct png_rows *rows;
        CHECK(png_rows_begin(&rows, &picture, file_sink, &appender, &status) == STATUS_OK);
        enum status_code code = png_rows_write(rows, samples, 64, &status);
        if (k == 0) {
            CHECK(code == STATUS_OK && png_rows_finish(rows, &status) == STATUS_OK);
            CHECK(file_append_flush(&appender, &status) == STATUS_OK);
            uint8_t *bytes = plain_alloc(NULL, memory.file.size + 1);
            CHECK(pread(fds[k], bytes, memory.file.size + 1, 0) == (ssize_t)memory.file.size);
            CHECK(memcmp(bytes, memory.file.bytes, memory.file.size) == 0);
            free(bytes);
        } else {
            CHECK(code == STATUS_RESOURCE && strstr(status.text, "/dev/full") && strstr(status.text, "No space"));
            png_rows_free(rows);
        }
        close(fds[k]);
    }
    unlink(path);
    plain_free(&memory.file);
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static enum status_code count_bytes(void *sink, const void *bytes, size_t size, struct status *status)
{
    (void)bytes, (void)status;
    *(uint64_t *)sink += size;
    return STATUS_OK;
}

// 60 MB of samples through a few rows.
static void memory_does_not_grow_with_the_height(void)
{
    struct png_picture picture = {.width = 2000, .height = 10000, .kind = PNG_RGB8};
    static uint8_t row[6000];
    uint64_t total = 0;
    struct status status;
    struct png_rows *rows;
    CHECK(png_rows_begin(&rows, &picture, count_bytes, &total, &status) == STATUS_OK);
    CHECK(png_rows_write(rows, row, 1, &status) == STATUS_OK);
    long before = peak_kib();
    for (int y = 1; y < picture.height; y++)
        CHECK(png_rows_write(rows, row, 1, &status) == STATUS_OK);
    CHECK_TEXT(peak_kib() - before < 8192, "%ld KiB more", peak_kib() - before);
    CHECK(png_rows_finish(rows, &status) == STATUS_OK);
    CHECK(total > 10000);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(memory_does_not_grow_with_the_height); // first, while the peak is low
    CHECK_RUN(every_kind_and_size_reads_back);
    CHECK_RUN(texts_and_srgb_are_in_the_file);
    CHECK_RUN(a_sink_that_fills_up_at_any_byte_is_a_resource_failure);
    CHECK_RUN(a_file_gets_the_same_bytes_and_a_full_device_is_reported);
    return CHECK_END;
}
