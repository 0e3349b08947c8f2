// SPDX-License-Identifier: MIT
// Pictures as PNG files: samples come back through our own reader, through libpng and through an unfilter of the test's
// own, constant ones nearly vanish, and odd files are refused.
//
// `test_picture_codec write DIR` writes some of the files for tests/test_png_by_python.py, with their samples beside.
#include <stdbool.h>
#include <zlib.h>

#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "formats/deflate_encode.h"
#include "formats/picture_codec.h"
#include "formats/picture_filter.h"
#include "formats/picture_quick.h"
#include "formats/picture_unfilter.h"
#include "formats/png_chunks.h"
#include "tests/check.h"
#include "tests/guard_page.h"
#include "tests/land_tile.h"
#include "tests/tiny_inflate.h"

#define SAMPLES_MAX ((size_t)TILE_SAMPLES_MAX * TILE_SAMPLES_MAX * 6)

static struct guard_page blob_guard, samples_guard, scratch_guard;
static uint8_t samples[SAMPLES_MAX];

static size_t samples_size(int side, int bits)
{
    return (size_t)side * (size_t)side * 3 * (size_t)(bits / 8);
}

static int nearest(int west, int north, int northwest)
{
    int p = west + north - northwest, a = abs(p - west), b = abs(p - north), c = abs(p - northwest);
    return a <= b && a <= c ? west : b <= c ? north : northwest;
}

// Undoes filters by the text of the PNG specification; knows Paeth only, which is all that we write.
static bool unfilter(uint8_t *bytes, const uint8_t *filtered, int side, int bits)
{
    size_t pixel = (size_t)(3 * bits / 8), row_bytes = (size_t)side * pixel;
    for (size_t y = 0; y < (size_t)side; y++) {
        if (*filtered++ != 4)
            return false;
        for (size_t k = 0; k < row_bytes; k++) {
            uint8_t *at = bytes + y * row_bytes + k;
            int west = k >= pixel ? at[-(ptrdiff_t)pixel] : 0, north = y > 0 ? at[-(ptrdiff_t)row_bytes] : 0;
            int northwest = k >= pixel && y > 0 ? at[-(ptrdiff_t)row_bytes - (ptrdiff_t)pixel] : 0;
            *at = (uint8_t)(*filtered++ + nearest(west, north, northwest));
        }
    }
    return true;
}

// Reads one of our files without libpng: the chunks in order with right CRCs, tiny_inflate, unfilter.
static bool decode_by_the_book(uint8_t *bytes, int side, int bits, bool srgb, const uint8_t *blob, size_t blob_bytes)
{
    static uint8_t filtered[SAMPLES_MAX + TILE_SAMPLES_MAX];
    const char *types[4] = {"IHDR", "sRGB", "IDAT", "IEND"};
    size_t at = 8, filtered_bytes = samples_size(side, bits) + (size_t)side;
    bool good = memcmp(blob, "\211PNG\r\n\032\n", 8) == 0;
    for (int k = 0; good && k < 4; k++) {
        if (k == 1 && !srgb)
            continue;
        size_t size_bytes = get_u32be(blob + at);
        const uint8_t *data = blob + at + 8;
        good = at + 12 + size_bytes <= blob_bytes && memcmp(blob + at + 4, types[k], 4) == 0 &&
               get_u32be(data + size_bytes) == crc32(0, blob + at + 4, (uInt)(4 + size_bytes));
        if (k == 0)
            good = good && get_u32be(data) == (uint32_t)side && get_u32be(data + 4) == (uint32_t)side &&
                   data[8] == bits && memcmp(data + 9, "\2\0\0\0", 4) == 0;
        else if (k == 2)
            good = good && tiny_inflate(filtered, filtered_bytes, data, size_bytes) == (long)filtered_bytes;
        at += 12 + size_bytes;
    }
    return good && at == blob_bytes && unfilter(bytes, filtered, side, bits);
}

static size_t encode(uint8_t **blob, int side, int bits, bool srgb)
{
    size_t bound = picture_encode_bound(side, bits), scratch_bytes = picture_encode_scratch_bytes(side, bits);
    uint8_t *target = guard_page_tail(&blob_guard, bound);
    size_t blob_bytes = picture_encode(target, guard_page_copy(&samples_guard, samples, samples_size(side, bits)), side,
                                       bits, srgb, guard_page_tail(&scratch_guard, (scratch_bytes + 7) & ~(size_t)7));
    CHECK(blob_bytes <= bound);
    *blob = guard_page_tail(&blob_guard, blob_bytes);
    memmove(*blob, target, blob_bytes);
    return blob_bytes;
}

// Encodes samples[] and decodes them four times: as readers do, by our own reader, by libpng and by the book.
static size_t come_back(int side, int bits, bool srgb)
{
    static uint8_t decoded[SAMPLES_MAX];
    uint8_t *blob;
    struct status status = {0};
    size_t size_bytes = samples_size(side, bits), blob_bytes = encode(&blob, side, bits, srgb);
    uint8_t *target = guard_page_tail(&samples_guard, size_bytes);
    memset(target, 0x55, size_bytes);
    CHECK_TEXT(picture_decode(target, side, bits, blob, blob_bytes, &status) == STATUS_OK, "%s", status.text);
    CHECK(memcmp(target, samples, size_bytes) == 0);
    memset(target, 0x55, size_bytes);
    CHECK(picture_decode_quick(target, side, bits, blob, blob_bytes) && memcmp(target, samples, size_bytes) == 0);
    memset(target, 0x55, size_bytes);
    CHECK(picture_decode_by_libpng(target, side, bits, blob, blob_bytes, &status) == STATUS_OK);
    CHECK(memcmp(target, samples, size_bytes) == 0);
    CHECK(decode_by_the_book(decoded, side, bits, srgb, blob, blob_bytes));
    CHECK(memcmp(decoded, samples, size_bytes) == 0);
    return blob_bytes;
}

#define KINDS 6
static void fill(int side, int bits, int kind)
{
    size_t size_bytes = samples_size(side, bits), row_bytes = size_bytes / (size_t)side;
    for (size_t k = 0; k < size_bytes; k++) {
        uint64_t v = check_random();
        samples[k] = (uint8_t)(kind == 0   ? v
                               : kind == 1 ? (v & 1) * 255
                               : kind == 2 ? k % row_bytes * 3 + k / row_bytes * 7
                               : kind == 3 ? k / row_bytes
                               : kind == 4 ? k % row_bytes / 3
                                           : 128 + (v & 3));
    }
}

static void all_pictures_come_back(void)
{
    static const int sides[] = {1, 2, 3, 5, 6, 33, 65, 129};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        for (int kind = 0; kind < KINDS; kind++) {
            for (int bits = 8; bits <= 16; bits += 8) {
                fill(sides[k], bits, kind);
                come_back(sides[k], bits, kind % 2);
            }
        }
    }
    fill(TILE_SAMPLES_MAX, 16, 0);
    come_back(TILE_SAMPLES_MAX, 16, true);
    fill(TILE_SAMPLES_MAX, 8, 5);
    come_back(TILE_SAMPLES_MAX, 8, true);
}

// Over two million triples of bytes, against the specification's own wording.
static void the_filter_is_paeth_for_all_bytes(void)
{
    uint8_t rows[2 * 6], filtered[2 * 7], wanted[2 * 6];
    for (int north = 0; north < 256; north += 1 + (north > 6 && north < 246)) {
        for (int northwest = 0; northwest < 256; northwest++) {
            for (int west = 0; west < 256; west += 3) {
                uint8_t given[12] = {
                    (uint8_t)northwest, 0, 255, (uint8_t)north, 3, 9, (uint8_t)west, 8, 77, 100, 1, 254};
                memcpy(rows, given, sizeof rows);
                picture_filter(filtered, rows, 6, 2, 3);
                if (filtered[7 + 4] != (uint8_t)(100 - nearest(west, north, northwest))) {
                    CHECK_TEXT(false, "west %d north %d northwest %d", west, north, northwest);
                    return;
                }
            }
        }
    }
    CHECK(filtered[0] == 4 && filtered[7] == 4);
    CHECK(unfilter(wanted, filtered, 2, 8) && memcmp(wanted, rows, sizeof rows) == 0);
}

// Rows long enough for vectors, which must end where the rows do.
static void the_filter_is_paeth_in_rows_of_any_length(void)
{
    static uint8_t wanted[40 * (150 * 6 + 1)];
    for (int round = 0; round < 300; round++) {
        int row_count = 1 + (int)check_random_below(5);
        size_t pixel_bytes = round % 2 ? 3 : 6, row_bytes = pixel_bytes * (1 + check_random_below(150));
        size_t size_bytes = (size_t)row_count * row_bytes, filtered_bytes = size_bytes + (size_t)row_count, at = 0;
        uint8_t *source = guard_page_tail(&samples_guard, size_bytes);
        uint8_t mask = round % 3 ? 255 : 3;
        for (size_t k = 0; k < size_bytes; k++)
            source[k] = (uint8_t)(check_random() & mask);
        for (size_t k = 0; k < size_bytes; k++) {
            bool first_row = k < row_bytes, first_pixel = k % row_bytes < pixel_bytes;
            int west = first_pixel ? 0 : source[k - pixel_bytes], north = first_row ? 0 : source[k - row_bytes];
            int northwest = first_row || first_pixel ? 0 : source[k - row_bytes - pixel_bytes];
            if (k % row_bytes == 0)
                wanted[at++] = 4;
            wanted[at++] = (uint8_t)(source[k] - nearest(west, north, northwest));
        }
        uint8_t *filtered = guard_page_tail(&blob_guard, filtered_bytes);
        picture_filter(filtered, source, row_bytes, row_count, pixel_bytes);
        CHECK(memcmp(filtered, wanted, filtered_bytes) == 0);
        memset(filtered, 0x55, filtered_bytes);
        picture_filter_plain(filtered, source, row_bytes, row_count, pixel_bytes);
        CHECK(memcmp(filtered, wanted, filtered_bytes) == 0);
    }
}

static size_t put_chunk(uint8_t *file, size_t at, const char *type, const void *data, size_t size_bytes)
{
    put_u32be(file + at, (uint32_t)size_bytes);
    memcpy(file + at + 4, type, 4);
    if (size_bytes > 0)
        memcpy(file + at + 8, data, size_bytes);
    put_u32be(file + at + 8 + size_bytes, (uint32_t)crc32(0, file + at + 4, (uInt)(4 + size_bytes)));
    return at + 12 + size_bytes;
}

// The filtered bytes end at a guard page with the slack that is promised, and no more.
static void rows_come_back_the_same_without_vectors(void)
{
    static const uint8_t others[] = {0, 1, 2, 3, 5, 255};
    static uint8_t plain[40 * 40 * 6];
    for (int round = 0; round < 400; round++) {
        int row_count = 1 + (int)check_random_below(40);
        size_t pixel_bytes = round % 2 ? 3 : 6, row_bytes = pixel_bytes * (1 + check_random_below(40));
        size_t size_bytes = (size_t)row_count * row_bytes, filtered_bytes = size_bytes + (size_t)row_count;
        uint8_t *filtered = guard_page_tail(&blob_guard, filtered_bytes + PICTURE_UNFILTER_SLACK_BYTES);
        for (size_t k = 0; k < filtered_bytes; k++)
            filtered[k] = k % (row_bytes + 1) == 0 ? 4 : (uint8_t)check_random();
        uint8_t *target = guard_page_tail(&samples_guard, size_bytes);
        CHECK(picture_unfilter(target, filtered, row_bytes, row_count, pixel_bytes));
        CHECK(picture_unfilter_plain(plain, filtered, row_bytes, row_count, pixel_bytes));
        CHECK(memcmp(target, plain, size_bytes) == 0);
        uint8_t other = others[round % (int)sizeof others];
        filtered[check_random_below((uint64_t)row_count) * (row_bytes + 1)] = other;
        CHECK_TEXT(!picture_unfilter(target, filtered, row_bytes, row_count, pixel_bytes), "filter %d", other);
        CHECK_TEXT(!picture_unfilter_plain(plain, filtered, row_bytes, row_count, pixel_bytes), "filter %d", other);
    }
}

// With right checksums, but not as we write them: libpng reads them.
static void pictures_of_others_are_read_by_libpng(void)
{
    uint8_t file[2000];
    uint8_t *blob, *target = guard_page_tail(&samples_guard, samples_size(9, 8));
    struct status status;
    fill(9, 8, 5);
    size_t blob_bytes = encode(&blob, 9, 8, true), size_bytes = samples_size(9, 8), data_at = 8 + 25 + 13;
    size_t data_bytes = get_u32be(blob + data_at);
    // The data in two chunks, and another rendering intent.
    for (int kind = 0; kind < 2; kind++) {
        memcpy(file, blob, 8 + 25);
        size_t at = put_chunk(file, 8 + 25, "sRGB", kind ? "\1" : "", 1);
        at = put_chunk(file, at, "IDAT", blob + data_at + 8, kind ? data_bytes : 7);
        if (kind == 0)
            at = put_chunk(file, at, "IDAT", blob + data_at + 15, data_bytes - 7);
        at = put_chunk(file, at, "IEND", NULL, 0);
        CHECK(at <= blob_bytes + 12 && !picture_decode_quick(target, 9, 8, file, at));
        memset(target, 0x55, size_bytes);
        CHECK(picture_decode(target, 9, 8, file, at, &status) == STATUS_OK);
        CHECK(memcmp(target, samples, size_bytes) == 0);
    }
}

// Black pixels in a stored block after empty_count empty ones. Returns the length of the file.
static size_t put_after_empty_blocks(uint8_t *file, size_t empty_count)
{
    uint8_t rows[9 * 28] = {0}, header[PNG_HEADER_DATA_BYTES];
    uint8_t *data = malloc(2 + 5 * empty_count + 5 + sizeof rows + 4), *at = data + 2;
    for (size_t y = 0; y < 9; y++)
        rows[28 * y] = 4;
    memcpy(data, "\x78\1", 2);
    for (size_t k = 0; k <= empty_count; k++, at += 5) {
        bool last = k == empty_count;
        at[0] = last;
        put_u16le(at + 1, last ? sizeof rows : 0);
        put_u16le(at + 3, (uint16_t) ~(last ? sizeof rows : 0));
    }
    memcpy(at, rows, sizeof rows);
    put_u32be(at + sizeof rows, (uint32_t)adler32(1, rows, sizeof rows));
    png_header_data(header, 9, 8);
    memcpy(file, png_signature, PNG_SIGNATURE_BYTES);
    size_t end = put_chunk(file, PNG_SIGNATURE_BYTES, "IHDR", header, sizeof header);
    end = put_chunk(file, end, "IDAT", data, (size_t)(at - data) + sizeof rows + 4);
    free(data);
    return put_chunk(file, end, "IEND", NULL, 0);
}

// The shortest that libpng refuses have some 64 KiB. What our own reader takes must end well before.
static void data_too_long_for_libpng_are_refused(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 13000, 14000};
    static uint8_t file[80000];
    int quick = 0, read = 0, count = sizeof counts / sizeof *counts;
    for (int k = 0; k < count; k++) {
        uint8_t pixels[9 * 27], black[9 * 27] = {0};
        struct status status;
        size_t size_bytes = put_after_empty_blocks(file, counts[k]);
        enum status_code wanted = picture_decode_by_libpng(pixels, 9, 8, file, size_bytes, &status);
        memset(pixels, 1, sizeof pixels);
        CHECK_TEXT(picture_decode(pixels, 9, 8, file, size_bytes, &status) == wanted, "%zu blocks", counts[k]);
        CHECK(wanted || memcmp(pixels, black, sizeof black) == 0);
        quick += picture_decode_quick(pixels, 9, 8, file, size_bytes);
        read += wanted == STATUS_OK;
    }
    CHECK_TEXT(quick > 0 && quick < read && read < count, "%d quick, %d read", quick, read);
}

static void constant_pictures_nearly_vanish(void)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        for (size_t k = 0; k < sizeof samples; k++)
            samples[k] = (uint8_t)(17 + k % (size_t)(3 * bits / 8) * 31);
        size_t large = come_back(513, bits, true), usual = come_back(129, bits, true);
        CHECK_TEXT(large < 3000 && usual < 500, "%zu and %zu bytes", large, usual);
    }
}

static void land_is_a_third_of_its_samples(void)
{
    static int32_t heights[129 * 129];
    static uint8_t normals[129 * 129 * 3];
    struct land_kind kind = {129, 153, 0.57, 5};
    land_make(&kind, heights, normals, samples);
    size_t colors = come_back(129, 8, true);
    memcpy(samples, normals, sizeof normals);
    size_t size_bytes = come_back(129, 8, false);
    CHECK_TEXT(colors < sizeof normals / 3 && size_bytes < sizeof normals / 4, "%zu, %zu", colors, size_bytes);
}

static enum status_code decode_guarded(int side, int bits, const uint8_t *bytes, size_t size_bytes,
                                       struct status *status)
{
    return picture_decode(guard_page_tail(&samples_guard, samples_size(side, bits)), side, bits,
                          guard_page_copy(&blob_guard, bytes, size_bytes), size_bytes, status);
}

static size_t small_file(uint8_t *whole, int bits, bool srgb)
{
    uint8_t *blob;
    fill(9, bits, 5);
    size_t blob_bytes = encode(&blob, 9, bits, srgb);
    memcpy(whole, blob, blob_bytes);
    return blob_bytes;
}

static void every_truncation_is_refused(void)
{
    uint8_t whole[2000];
    struct status status;
    for (int bits = 8; bits <= 16; bits += 8) {
        size_t blob_bytes = small_file(whole, bits, true);
        for (size_t cut = 0; cut < blob_bytes; cut++)
            CHECK_TEXT(decode_guarded(9, bits, whole, cut, &status) == STATUS_INPUT, "%zu of %zu", cut, blob_bytes);
        CHECK(decode_guarded(9, bits, whole, blob_bytes, &status) == STATUS_OK);
        for (size_t extra = 1; extra < 20; extra++)
            CHECK(decode_guarded(9, bits, whole, blob_bytes + extra, &status) == STATUS_INPUT);
    }
}

static void every_flipped_bit_is_refused(void)
{
    uint8_t whole[2000];
    struct status status;
    size_t blob_bytes = small_file(whole, 8, true);
    for (size_t bit = 0; bit < 8 * blob_bytes; bit++) {
        whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK_TEXT(decode_guarded(9, 8, whole, blob_bytes, &status) == STATUS_INPUT, "bit %zu", bit);
        whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

// A file of 3 x 3 black pixels with right CRCs, to be bent: header bytes 8 to 12, image data of data_bytes bytes before
// deflating, one more chunk before the data if extra is not NULL, adler_change added to the checksum of the zlib
// stream.
struct bent {
    uint8_t header[5];
    size_t data_bytes;
    const char *extra;
    uint8_t adler_change;
    uint8_t first_filter;
    size_t trailing; // bytes in IDAT after the zlib stream
};

static const struct bent straight = {.header = {8, 2, 0, 0, 0}, .data_bytes = 30};

static size_t bend(uint8_t *file, const struct bent *bent)
{
    uint8_t header[13] = {0, 0, 0, 3, 0, 0, 0, 3}, rows[100] = {0}, deflated[300];
    uLongf deflated_bytes = sizeof deflated - 20;
    memcpy(header + 8, bent->header, 5);
    rows[0] = bent->first_filter;
    CHECK(compress2(deflated, &deflated_bytes, rows, bent->data_bytes, 9) == Z_OK);
    deflated[deflated_bytes - 1] = (uint8_t)(deflated[deflated_bytes - 1] + bent->adler_change);
    memset(deflated + deflated_bytes, 0, bent->trailing);
    memcpy(file, "\211PNG\r\n\032\n", 8);
    size_t at = put_chunk(file, 8, "IHDR", header, 13);
    if (bent->extra)
        at = put_chunk(file, at, bent->extra, "\0\0\0\0\0\0", 6);
    at = put_chunk(file, at, "IDAT", deflated, deflated_bytes + bent->trailing);
    return put_chunk(file, at, "IEND", NULL, 0);
}

static void refuse(const struct bent *bent, const char *reason)
{
    uint8_t file[500];
    struct status status = {0};
    CHECK_TEXT(decode_guarded(3, 8, file, bend(file, bent), &status) == STATUS_INPUT, "%s", reason);
    CHECK_TEXT(strstr(status.text, reason), "%s, not %s", status.text, reason);
}

static void odd_files_are_refused_with_a_reason(void)
{
    uint8_t file[500];
    struct status status;
    CHECK(decode_guarded(3, 8, file, bend(file, &straight), &status) == STATUS_OK);
    static const uint8_t headers[][5] = {{16, 2, 0, 0, 0}, {8, 0, 0, 0, 0}, {8, 6, 0, 0, 0}, {8, 3, 0, 0, 0},
                                         {8, 2, 1, 0, 0},  {8, 2, 0, 1, 0}, {8, 2, 0, 0, 1}};
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        struct bent bent = straight;
        memcpy(bent.header, headers[k], 5);
        refuse(&bent, "not 3 x 3 RGB of 8 bits");
    }
    static const char *const chunks[] = {"PLTE", "tRNS", "gAMA", "iCCP", "tEXt", "ABCD", "abcd", "IHDR", "IEND"};
    for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
        struct bent bent = straight;
        bent.extra = chunks[k];
        refuse(&bent, chunks[k]);
    }
    struct bent bent = straight;
    bent.extra = "sRGB"; // of six bytes
    refuse(&bent, "sRGB");
    bent = straight;
    bent.data_bytes = 29;
    refuse(&bent, "Not enough");
    bent.data_bytes = 31;
    refuse(&bent, "Too much");
    bent = straight;
    bent.adler_change = 1;
    refuse(&bent, "incorrect data check");
    bent = straight;
    bent.trailing = 1;
    refuse(&bent, "Extra compressed data");
    bent = straight;
    bent.first_filter = 5;
    refuse(&bent, "filter");
    CHECK(decode_guarded(4, 8, file, bend(file, &straight), &status) == STATUS_INPUT);
    CHECK(decode_guarded(3, 16, file, bend(file, &straight), &status) == STATUS_INPUT);
}

// H, S, D, E: the chunks IHDR, sRGB, IDAT, IEND of a good file, in this order.
static bool order_is_read(const char *order)
{
    uint8_t straight_file[500], file[500];
    struct status status;
    bend(straight_file, &straight);
    size_t at = 8, data_bytes = get_u32be(straight_file + 33);
    memcpy(file, straight_file, at);
    for (; *order; order++) {
        at = *order == 'H'   ? put_chunk(file, at, "IHDR", straight_file + 16, 13)
             : *order == 'S' ? put_chunk(file, at, "sRGB", "", 1)
             : *order == 'D' ? put_chunk(file, at, "IDAT", straight_file + 41, data_bytes)
                             : put_chunk(file, at, "IEND", NULL, 0);
    }
    return decode_guarded(3, 8, file, at, &status) == STATUS_OK;
}

static void chunks_out_of_order_are_refused(void)
{
    static const char *const orders[] = {"SHDE", "HDSE", "HSSDE", "HE", "HSE",   "HDED", "HHDE", "HSHDE", "HDEE",
                                         "DHE",  "DE",   "HED",   "HD", "HDSDE", "E",    "H",    ""};
    CHECK(order_is_read("HDE") && order_is_read("HSDE"));
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        CHECK_TEXT(!order_is_read(orders[k]), "%s", orders[k]);
}

static void several_data_chunks_in_a_row_are_read(void)
{
    static uint8_t file[4000];
    uint8_t whole[2000];
    struct status status = {0};
    size_t blob_bytes = small_file(whole, 8, false), data = 8 + 25, data_bytes = get_u32be(whole + data), at = data;
    memcpy(file, whole, data);
    for (size_t k = 0; k < data_bytes; k += 100)
        at = put_chunk(file, at, "IDAT", whole + data + 8 + k, data_bytes - k < 100 ? data_bytes - k : 100);
    at = put_chunk(file, at, "IEND", NULL, 0);
    CHECK(at > blob_bytes);
    CHECK_TEXT(decode_guarded(9, 8, file, at, &status) == STATUS_OK, "%s", status.text);
    CHECK(memcmp(guard_page_tail(&samples_guard, samples_size(9, 8)), samples, samples_size(9, 8)) == 0);
}

static void check_golden(int side, int bits, bool srgb, const char *wanted)
{
    char text[2 * 120 + 1];
    uint8_t *blob;
    size_t blob_bytes = encode(&blob, side, bits, srgb);
    if (blob_bytes <= 120) {
        for (size_t k = 0; k < blob_bytes; k++)
            snprintf(text + 2 * k, 3, "%02x", blob[k]);
    } else {
        snprintf(text, sizeof text, "%zu bytes, CRC %08lx", blob_bytes, crc32(0, blob, (uInt)blob_bytes));
    }
    CHECK_TEXT(strcmp(text, wanted) == 0, "side %d, %d bits is %s", side, bits, text);
}

// Should this fail, packs made before and after differ: if that is meant, DEFLATE_PROFILE must grow.
static void the_bytes_stay(void)
{
    for (size_t k = 0; k < 4 * 4 * 6; k++)
        samples[k] = (uint8_t)(k * k);
    check_golden(2, 8, true,
                 "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73000000017352474200aece1ce9000000194"
                 "94441547801010e00f1ff04000104090f150424303c2d333906010164528f80010000000049454e44ae426082");
    check_golden(4, 16, false, "168 bytes, CRC 1c66d1fc");
    uint32_t state = 7;
    for (size_t k = 0; k < samples_size(257, 8); k++) {
        state = state * 1664525 + 1013904223;
        samples[k] = (uint8_t)(k / 771 + k % 771 / 5 + (state >> 28) * (k % 3));
    }
    check_golden(257, 8, true, "114094 bytes, CRC 43b398a4");
    check_golden(129, 16, false, "57770 bytes, CRC 479c34a9");
}

static int write_file(const char *folder, const char *name, const uint8_t *bytes, size_t size_bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size_bytes, file) != size_bytes || fclose(file) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

// DIR/<k>.png and DIR/<k>.raw for every kind of picture and several sizes.
static int write_pictures(const char *folder)
{
    static const int sides[] = {1, 2, 33, 129, 257};
    int failed = 0, count = 0;
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        for (int kind = 0; kind < KINDS; kind++, count++) {
            char name[32];
            uint8_t *blob;
            int bits = kind % 2 ? 16 : 8;
            fill(sides[k], bits, kind);
            size_t blob_bytes = encode(&blob, sides[k], bits, kind < 3);
            snprintf(name, sizeof name, "%d.png", count);
            failed |= write_file(folder, name, blob, blob_bytes);
            snprintf(name, sizeof name, "%d.raw", count);
            failed |= write_file(folder, name, samples, samples_size(sides[k], bits));
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    blob_guard = guard_page_new(picture_encode_bound(TILE_SAMPLES_MAX, 16));
    samples_guard = guard_page_new(SAMPLES_MAX);
    scratch_guard = guard_page_new(picture_encode_scratch_bytes(TILE_SAMPLES_MAX, 16) + 7);
    if (argc == 3 && strcmp(argv[1], "write") == 0)
        return write_pictures(argv[2]);
    CHECK_RUN(all_pictures_come_back);
    CHECK_RUN(the_filter_is_paeth_for_all_bytes);
    CHECK_RUN(the_filter_is_paeth_in_rows_of_any_length);
    CHECK_RUN(rows_come_back_the_same_without_vectors);
    CHECK_RUN(pictures_of_others_are_read_by_libpng);
    CHECK_RUN(data_too_long_for_libpng_are_refused);
    CHECK_RUN(constant_pictures_nearly_vanish);
    CHECK_RUN(land_is_a_third_of_its_samples);
    CHECK_RUN(every_truncation_is_refused);
    CHECK_RUN(every_flipped_bit_is_refused);
    CHECK_RUN(odd_files_are_refused_with_a_reason);
    CHECK_RUN(chunks_out_of_order_are_refused);
    CHECK_RUN(several_data_chunks_in_a_row_are_read);
    CHECK_RUN(the_bytes_stay);
    guard_page_free(&blob_guard);
    guard_page_free(&samples_guard);
    guard_page_free(&scratch_guard);
    return CHECK_END;
}
