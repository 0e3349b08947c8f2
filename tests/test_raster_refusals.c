// SPDX-License-Identifier: MIT
// Rasters that are refused: damaged, lying, too large, of another kind, or not there.
#include <errno.h>
#include <sys/stat.h>

#include "formats/file_io.h"
#include "tests/raster_fixture.h"

#define MOLA "tests/data/mars_mola_1440x720_u16.png"

// Loading must fail as bad input, saying so.
static void check_refused(const void *bytes, size_t size, const char *reason)
{
    struct raster *raster = (struct raster *)1;
    struct status status = {0};
    enum status_code code = fixture_load(&raster, bytes, size, &fixture_pixel, &status);
    CHECK_TEXT(code == STATUS_INPUT && status.code == STATUS_INPUT, "%s: code %d, %s", reason, code, status.text);
    CHECK(raster == NULL || code == STATUS_OK);
    CHECK_TEXT(strstr(status.text, "/tmp/terrane-raster-") == status.text, "%s", status.text);
    CHECK_TEXT(strstr(status.text, reason), "wanted \"%s\": %s", reason, status.text);
    if (code == STATUS_OK)
        raster_free(raster);
}

static struct plain_bytes small_file(void)
{
    static const uint16_t samples[15] = {1, 2, 3, 40000, 50000, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return plain_png((struct plain_header){5, 3, 16, 0, 0}, samples);
}

static void a_file_cut_anywhere_is_refused(void)
{
    struct plain_bytes file = small_file();
    for (size_t size = 0; size < file.size; size++)
        check_refused(file.bytes, size, "");
    plain_free(&file);
}

static void a_file_with_any_bit_flipped_is_refused(void)
{
    struct plain_bytes file = small_file();
    for (size_t k = 0; k < 8 * file.size; k++) {
        file.bytes[k / 8] ^= (uint8_t)(1u << k % 8);
        check_refused(file.bytes, file.size, "");
        file.bytes[k / 8] ^= (uint8_t)(1u << k % 8);
    }
    plain_free(&file);
}

// A picture of the given header over somebody else's samples.
static void check_header_refused(struct plain_header header, const char *reason)
{
    static const uint16_t samples[64];
    struct plain_bytes file = {NULL, 0};
    plain_begin(&file, header);
    plain_add_samples(&file, (struct plain_header){4, 4, 16, 2, 0}, samples);
    plain_add_chunk(&file, "IEND", NULL, 0);
    check_refused(file.bytes, file.size, reason);
    plain_free(&file);
}

static void a_header_that_lies_is_refused(void)
{
    check_header_refused((struct plain_header){4, 5, 16, 2, 0}, "damaged PNG file");
    check_header_refused((struct plain_header){5, 4, 16, 2, 0}, "damaged PNG file");
    check_header_refused((struct plain_header){4, 3, 16, 2, 0}, "damaged PNG file");
    check_header_refused((struct plain_header){4, 4, 8, 2, 0}, "damaged PNG file");
    check_header_refused((struct plain_header){0, 4, 16, 2, 0}, "has no samples");
    check_header_refused((struct plain_header){4, 0, 16, 2, 0}, "has no samples");
    // Within the limits, but no 100 bytes hold that much: nothing may be allocated for it.
    check_header_refused((struct plain_header){40000, 40000, 16, 0, 0}, "cannot hold");
    check_header_refused((struct plain_header){65536, 32768, 8, 0, 0}, "cannot hold");
    check_header_refused((struct plain_header){400, 1000, 8, 0, 0}, "cannot hold");
}

static void what_is_too_large_is_refused_with_the_limit(void)
{
    check_header_refused((struct plain_header){65537, 1, 16, 0, 0}, "at most 65536 a side");
    check_header_refused((struct plain_header){1, 65537, 16, 0, 0}, "at most 65536 a side");
    check_header_refused((struct plain_header){65536, 32769, 8, 0, 0}, "2147483648 samples");
    check_header_refused((struct plain_header){40000, 20000, 8, 2, 0}, "2147483648 samples");
    check_header_refused((struct plain_header){0x7fffffff, 0x7fffffff, 16, 2, 0}, "scale it down");
    check_header_refused((struct plain_header){0xffffffff, 0xffffffff, 16, 2, 0}, "scale it down");
}

static void other_kinds_of_png_are_refused_by_name(void)
{
    check_header_refused((struct plain_header){4, 4, 8, 3, 0}, "palette");
    check_header_refused((struct plain_header){4, 4, 8, 4, 0}, "alpha");
    check_header_refused((struct plain_header){4, 4, 16, 6, 0}, "alpha");
    check_header_refused((struct plain_header){4, 4, 16, 0, 1}, "interlaced");
    check_header_refused((struct plain_header){4, 4, 1, 0, 0}, "1-bit: rasters are PNG files, grey or RGB");
    check_header_refused((struct plain_header){4, 4, 2, 0, 0}, "2-bit");
    check_header_refused((struct plain_header){4, 4, 4, 0, 0}, "4-bit");
    check_header_refused((struct plain_header){4, 4, 7, 2, 0}, "7-bit");
    check_refused("\xff\xd8\xff\xe0 a photograph, not a PNG file at all", 40, "is not a PNG file");
    check_refused("", 0, "is not a PNG file");
}

// Puts a chunk between header and samples, and leaves out the end where whole is not set.
static struct plain_bytes file_with(const char *type, const void *data, size_t size, bool whole)
{
    static const uint16_t samples[15];
    struct plain_header header = {5, 3, 8, 0, 0};
    struct plain_bytes file = {NULL, 0};
    plain_begin(&file, header);
    plain_add_chunk(&file, type, data, size);
    plain_add_samples(&file, header, samples);
    if (whole)
        plain_add_chunk(&file, "IEND", NULL, 0);
    return file;
}

static void transparent_colours_and_missing_ends_are_refused(void)
{
    struct plain_bytes file = file_with("tRNS", "\0\0", 2, true);
    check_refused(file.bytes, file.size, "transparent colour");
    plain_free(&file);
    file = file_with("tEXt", "Key\0text", 8, false);
    check_refused(file.bytes, file.size, "truncated");
    plain_free(&file);
    file = file_with("ABCD", "what is this", 12, true); // critical and unknown
    check_refused(file.bytes, file.size, "damaged PNG file");
    plain_free(&file);
    file = file_with("tEXt", "Key\0text", 8, true);
    file.bytes[33 + 8] ^= 1; // spoils the text's checksum
    check_refused(file.bytes, file.size, "damaged PNG file");
    plain_free(&file);
}

static void bombs_beside_the_samples_do_not_go_off(void)
{
    // 64 MB of zeros in a compressed text and in a colour profile: neither is looked at.
    size_t size = (size_t)64 << 20;
    uint8_t *zeros = calloc(1, size);
    struct plain_bytes packed = {NULL, 0};
    plain_add(&packed, "Bomb\0\0", 6);
    uLongf bound = compressBound((uLong)size);
    uint8_t *deflated = plain_alloc(NULL, bound);
    CHECK(compress2(deflated, &bound, zeros, (uLong)size, 1) == Z_OK);
    plain_add(&packed, deflated, bound);
    free(deflated);
    free(zeros);
    static const char *const types[] = {"zTXt", "iCCP"};
    for (int k = 0; k < 2; k++) {
        struct plain_bytes file = file_with(types[k], packed.bytes, packed.size, true);
        struct raster *raster;
        struct status status;
        enum status_code code = fixture_load(&raster, file.bytes, file.size, &fixture_pixel, &status);
        CHECK_TEXT(code == STATUS_OK, "%s", status.text);
        if (code == STATUS_OK)
            raster_free(raster);
        plain_free(&file);
    }
    plain_free(&packed);
}

static void options_out_of_range_are_refused(void)
{
    static const struct raster_options options[] = {
        {0, 361, RASTER_PIXEL},       {10, 10, RASTER_PIXEL}, {180, -180, RASTER_PIXEL}, {-361, -100, RASTER_PIXEL},
        {361, 400, RASTER_PIXEL},     {0, NAN, RASTER_PIXEL}, {NAN, 360, RASTER_NODE},   {0, INFINITY, RASTER_PIXEL},
        {-INFINITY, 0, RASTER_PIXEL}, {0, 1e-9, RASTER_NODE}, {0, 360.1, RASTER_NODE}};
    struct plain_bytes file = small_file();
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        struct raster *raster;
        struct status status;
        CHECK(fixture_load(&raster, file.bytes, file.size, &options[k], &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, "west") && strstr(status.text, "east"), "%s", status.text);
    }
    plain_free(&file);
    static const uint16_t samples[4];
    for (uint32_t side = 1; side <= 4; side += 3) {
        struct raster *raster;
        struct status status;
        file = plain_png((struct plain_header){side, 4 / side, 8, 0, 0}, samples);
        CHECK(fixture_load(&raster, file.bytes, file.size, &fixture_node, &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, "node registration"), "%s", status.text);
        plain_free(&file);
    }
}

static void paths_that_are_no_files_are_refused(void)
{
    char folder[] = "/tmp/terrane-raster-XXXXXX";
    CHECK(mkdtemp(folder));
    char missing[64], pipe[64];
    snprintf(missing, sizeof missing, "%s/missing.png", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    CHECK(mkfifo(pipe, 0600) == 0);
    const char *const paths[] = {folder, missing, pipe, ""};
    for (int k = 0; k < 4; k++) {
        struct raster *raster;
        struct status status;
        CHECK(raster_load(&raster, paths[k], &fixture_pixel, &status) == STATUS_INPUT);
        CHECK(raster == NULL && strstr(status.text, paths[k]));
    }
    unlink(pipe);
    rmdir(folder);
}

static int reads_left;

static int64_t failing_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    if (reads_left-- > 0)
        return pread(fd, bytes, size, offset);
    errno = EIO;
    return -1;
}

static void a_disk_that_fails_is_reported_with_its_reason(void)
{
    int64_t (*real)(int, void *, size_t, int64_t) = file_system.pread;
    for (int good = 0; good < 60; good += good < 3 ? 1 : 19) {
        reads_left = good;
        file_system.pread = failing_pread;
        struct raster *raster;
        struct status status;
        enum status_code code = raster_load(&raster, MOLA, &fixture_pixel, &status);
        file_system.pread = real;
        if (code == STATUS_OK)
            raster_free(raster);
        // 1,376,242 bytes are read in over 40 pieces.
        CHECK_TEXT((code == STATUS_OK) == (good > 43), "%d reads", good);
        CHECK_TEXT(code == STATUS_OK ||
                       (code == STATUS_INPUT && strstr(status.text, MOLA) && strstr(status.text, "Input/output error")),
                   "%s", status.text);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_file_cut_anywhere_is_refused);
    CHECK_RUN(a_file_with_any_bit_flipped_is_refused);
    CHECK_RUN(a_header_that_lies_is_refused);
    CHECK_RUN(what_is_too_large_is_refused_with_the_limit);
    CHECK_RUN(other_kinds_of_png_are_refused_by_name);
    CHECK_RUN(transparent_colours_and_missing_ends_are_refused);
    CHECK_RUN(bombs_beside_the_samples_do_not_go_off);
    CHECK_RUN(options_out_of_range_are_refused);
    CHECK_RUN(paths_that_are_no_files_are_refused);
    CHECK_RUN(a_disk_that_fails_is_reported_with_its_reason);
    return CHECK_END;
}
