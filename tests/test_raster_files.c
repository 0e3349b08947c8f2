// SPDX-License-Identifier: MIT
// Rasters as files: byte order, hash, real data, and the same bits everywhere.
#include "tests/raster_fixture.h"

#define MOLA "tests/data/mars_mola_1440x720_u16.png"

// The hash as the header words it.
static void expected_hash(struct plain_header header, const uint16_t *samples, uint8_t digest[SHA256_BYTES])
{
    struct sha256 hash;
    uint8_t head[10];
    put_u32le(head, header.width);
    put_u32le(head + 4, header.height);
    head[8] = header.color == 2 ? 3 : 1;
    head[9] = (uint8_t)header.bits;
    sha256_begin(&hash);
    sha256_add(&hash, head, sizeof head);
    for (size_t k = 0; k < (size_t)header.width * header.height * head[8]; k++) {
        uint8_t word[2];
        put_u16le(word, samples[k]);
        sha256_add(&hash, word, header.bits == 16 ? 2 : 1);
    }
    sha256_finish(&hash, digest);
}

// A ramp through every value, so that swapped bytes or a lost channel cannot hide.
static void a_ramp_of_every_kind_is_read_in_the_right_byte_order(void)
{
    enum { WIDTH = 256, HEIGHT = 256 };
    for (int kind = 0; kind < 4; kind++) {
        struct plain_header header = {WIDTH, HEIGHT, kind & 1 ? 16 : 8, kind & 2 ? 2 : 0, 0};
        int channels = kind & 2 ? 3 : 1;
        uint16_t *samples = plain_alloc(NULL, sizeof *samples * WIDTH * HEIGHT * (size_t)channels);
        for (int k = 0; k < WIDTH * HEIGHT; k++) {
            for (int channel = 0; channel < channels; channel++)
                samples[k * channels + channel] =
                    (uint16_t)(((k + 21845 * channel) & 0xffff) >> (header.bits == 8 ? 8 : 0));
        }
        struct raster *raster = fixture_raster(header, samples, &fixture_pixel);
        CHECK(raster_is_color(raster) == (channels == 3));
        uint8_t digest[SHA256_BYTES], wanted[SHA256_BYTES];
        raster_sha256(raster, digest);
        expected_hash(header, samples, wanted);
        CHECK(memcmp(digest, wanted, SHA256_BYTES) == 0);
        for (int row = 0; row < HEIGHT && channels == 1; row += 37) {
            for (int column = 0; column < WIDTH; column += 41) {
                double lat = 90.0 - (row + 0.5) * 180.0 / HEIGHT, lon = (column + 0.5) * 360.0 / WIDTH;
                CHECK(fabs(fixture_lat_lon(raster, lat, lon, 1e-6) - samples[row * WIDTH + column]) < 1e-6);
            }
        }
        raster_free(raster);
        free(samples);
    }
}

static void the_hash_tells_size_and_kind_and_samples_but_not_the_file(void)
{
    uint16_t samples[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const struct plain_header headers[] = {
        {4, 3, 8, 0, 0}, {3, 4, 8, 0, 0}, {4, 3, 16, 0, 0}, {4, 1, 8, 2, 0}, {12, 1, 8, 0, 0}};
    uint8_t digests[7][SHA256_BYTES];
    for (int k = 0; k < 5; k++) {
        struct raster *raster = fixture_raster(headers[k], samples, &fixture_pixel);
        raster_sha256(raster, digests[k]);
        raster_free(raster);
        for (int i = 0; i < k; i++)
            CHECK(memcmp(digests[i], digests[k], SHA256_BYTES) != 0);
    }
    // The same picture with a gamma, a comment and another registration; and with one sample changed.
    for (int k = 5; k < 7; k++) {
        struct plain_bytes file = {NULL, 0};
        struct raster *raster;
        struct status status;
        samples[7] = (uint16_t)(k == 5 ? 8 : 9);
        plain_begin(&file, headers[0]);
        plain_add_chunk(&file, "gAMA", "\0\0\xb1\x8f", 4);
        plain_add_chunk(&file, "tEXt", "Comment\0hello", 13);
        plain_add_samples(&file, headers[0], samples);
        plain_add_chunk(&file, "IEND", NULL, 0);
        CHECK(fixture_load(&raster, file.bytes, file.size, &fixture_node, &status) == STATUS_OK);
        raster_sha256(raster, digests[k]);
        raster_free(raster);
        plain_free(&file);
        CHECK((memcmp(digests[0], digests[k], SHA256_BYTES) == 0) == (k == 5));
    }
}

static void mars_has_its_extremes_where_they_are(void)
{
    struct raster *mars;
    struct status status;
    enum status_code code = raster_load(&mars, MOLA, &fixture_pixel, &status);
    CHECK_TEXT(code == STATUS_OK, "%s", status.text);
    if (code != STATUS_OK)
        return;
    // At the spacing of 128 intervals a tile on level 4.
    double spacing = STABLE_PI / 2 / (128 << 4);
    CHECK(spacing < raster_pixel_rad(mars));
    CHECK(fabs(fixture_lat_lon(mars, 17.375, 226.875, spacing) - 32768.0 - 21134.0) < 1e-6);
    CHECK(fabs(fixture_lat_lon(mars, -32.875, 62.125, spacing) - 32768.0 + 8068.0) < 1e-6);
    CHECK(fabs(fixture_lat_lon(mars, 17.375, 226.875 - 360.0, spacing) - 32768.0 - 21134.0) < 1e-6);
    // Nothing stands higher or lies deeper, but by what Catmull-Rom overshoots.
    double low = 1e9, high = -1e9;
    for (int block = 0; block < 400; block++) {
        struct double3 dirs[PLANET_BLOCK];
        double values[PLANET_BLOCK];
        for (int k = 0; k < PLANET_BLOCK; k++)
            dirs[k] = fixture_random_dir();
        fixture_block(mars, dirs, values, spacing);
        for (int k = 0; k < PLANET_BLOCK; k++)
            low = fmin(low, values[k] - 32768.0), high = fmax(high, values[k] - 32768.0);
    }
    CHECK_TEXT(low > -8168.0 && low < -7000.0 && high < 21434.0 && high > 15000.0, "%g to %g", low, high);
    raster_free(mars);
}

// Bits of values, gradients and colours over all that a raster does: other bits would be another planet.
static void its_bits_are_the_golden_ones(void)
{
    struct sha256 hash;
    sha256_begin(&hash);
    static const struct raster_options options[] = {
        {0, 360, RASTER_PIXEL}, {-180, 180, RASTER_NODE}, {20, 95.5, RASTER_PIXEL}, {20, 95.5, RASTER_NODE}};
    for (int g = 0; g < 8; g++) {
        bool color = g >= 4;
        struct plain_header header = {33, 18, 16, color ? 2 : 0, 0};
        uint16_t *samples = fixture_noise(99, 18);
        struct raster *raster = fixture_raster(header, samples, &options[g % 4]);
        for (int block = 0; block < 20; block++) {
            static double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[4][PLANET_BLOCK];
            for (int k = 0; k < PLANET_BLOCK; k++) {
                struct double3 dir = k % 4 ? fixture_random_dir() : fixture_dir(89.0 + k / 128.0, k);
                x[k] = dir.x, y[k] = dir.y, z[k] = dir.z;
            }
            double spacing = 0.05 * (1 << block % 6) * 1.3;
            if (color)
                raster_sample_color(raster, (double *const[3]){out[0], out[1], out[2]}, x, y, z, spacing);
            else
                raster_sample(raster, (struct field){out[0], out[1], out[2], out[3]}, x, y, z, spacing);
            for (int k = 0; k < (color ? 3 : 4) * PLANET_BLOCK; k++) {
                uint64_t bits;
                uint8_t bytes[8];
                memcpy(&bits, &out[k / PLANET_BLOCK][k % PLANET_BLOCK], sizeof bits);
                put_u64le(bytes, bits);
                sha256_add(&hash, bytes, sizeof bytes);
            }
        }
        raster_free(raster);
        free(samples);
    }
    uint8_t digest[SHA256_BYTES];
    char text[2 * SHA256_BYTES + 1];
    sha256_finish(&hash, digest);
    sha256_text(text, digest);
    // Random numbers are in it: another seed gives another hash.
    CHECK_TEXT(check_seed_value != 20261130 ||
                   strcmp(text, "20fda25152258933103a77550c7309b4f508417f84dfba7c1c367dac288338d3") == 0,
               "%s", text);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_ramp_of_every_kind_is_read_in_the_right_byte_order);
    CHECK_RUN(the_hash_tells_size_and_kind_and_samples_but_not_the_file);
    CHECK_RUN(mars_has_its_extremes_where_they_are);
    CHECK_RUN(its_bits_are_the_golden_ones);
    return CHECK_END;
}
