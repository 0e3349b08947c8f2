// SPDX-License-Identifier: MIT
// What planet_sample promises of every planet: it depends on nothing but direction and spacing, keeps the band limit,
// follows seed and radius, finds its rasters, and gives the same bits everywhere.
#include <math.h>
#include <unistd.h>

#include "bake/planet/kernels.h"
#include "common/byteorder.h"
#include "common/tile_grid.h"
#include "formats/sha256.h"
#include "tests/plain_png.h"
#include "tests/planet_help.h"

#define RADIUS_M 6371000.0
#define FINE_M 100.0

// ---- Purity ---------------------------------------------------------------------------------------------

static const unsigned everything = PLANET_WANT_GRADIENT | PLANET_WANT_COLOR;

// Loaded once, since that takes a while; freed at the end.
static struct planet *earthlike_loaded;

static const struct planet *earthlike(void)
{
    CHECK(strcmp(builtin_planets[0].name, "earthlike") == 0);
    if (!earthlike_loaded)
        earthlike_loaded = load_text(builtin_planets[0].text);
    return earthlike_loaded;
}

static bool same_sample(const struct sampled *a, int i, const struct sampled *b, int k)
{
    return a->height[i] == b->height[k] && a->gx[i] == b->gx[k] && a->gy[i] == b->gy[k] && a->gz[i] == b->gz[k] &&
           a->red[i] == b->red[k] && a->green[i] == b->green[k] && a->blue[i] == b->blue[k];
}

static void a_sample_does_not_depend_on_its_block(void)
{
    const struct planet *planet = earthlike();
    struct double3 dirs[PLANET_BLOCK];
    struct sampled whole, part;
    // Half of them a patch, half all over the planet.
    patch_dirs(dirs, 3000 / RADIUS_M);
    for (int i = 0; i < PLANET_BLOCK; i += 2)
        dirs[i] = random_dir();
    sample_dirs(&whole, planet, dirs, PLANET_BLOCK, 3000, everything);
    for (int round = 0; round < 15; round++) {
        int first = (int)check_random_below(PLANET_BLOCK),
            count = 1 + (int)check_random_below((uint64_t)(PLANET_BLOCK - first));
        sample_dirs(&part, planet, dirs + first, count, 3000, everything);
        for (int i = 0; i < count; i++)
            CHECK(same_sample(&whole, first + i, &part, i));
    }
}

static void what_is_wanted_does_not_change_what_comes(void)
{
    const struct planet *planet = earthlike();
    struct double3 dirs[PLANET_BLOCK];
    struct sampled all, some;
    for (double spacing = 1; spacing < 1e6; spacing *= 30) {
        patch_dirs(dirs, spacing / 6371e3);
        sample_dirs(&all, planet, dirs, PLANET_BLOCK, spacing, everything);
        for (unsigned want = 0; want < everything; want++) {
            some = all;
            memset(some.height, 0, sizeof some.height);
            if (want & PLANET_WANT_GRADIENT)
                memset(some.gx, 0, sizeof some.gx);
            if (want & PLANET_WANT_COLOR)
                memset(some.red, 0, sizeof some.red);
            sample_dirs(&some, planet, dirs, PLANET_BLOCK, spacing, want);
            for (int i = 0; i < PLANET_BLOCK; i++)
                CHECK(same_sample(&all, i, &some, i));
        }
    }
}

// The corner of three faces and points on an edge, on every level, from all sides.
static void faces_agree_on_shared_samples(void)
{
    const struct planet *planet = earthlike();
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        for (int side = 0; side < NODE_SIDE_COUNT; side++) {
            enum node_side back;
            bool reversed;
            int level = 3 + 5 * side;
            uint32_t last = (UINT32_C(1) << level) - 1;
            struct node node = {face, level, side == SIDE_EAST ? last : 0, side == SIDE_SOUTH ? last : 0};
            struct node other = node_neighbour(node, (enum node_side)side, &back, &reversed);
            struct double3 here[33], there[33];
            for (int k = 0; k <= 32; k++) {
                int along = reversed ? 32 - k : k;
                int column = side == SIDE_WEST ? 0 : side == SIDE_EAST ? 32 : k;
                int row = side == SIDE_NORTH ? 0 : side == SIDE_SOUTH ? 32 : k;
                here[k] = tile_sample_dir(node, 32, column, row);
                column = back == SIDE_WEST ? 0 : back == SIDE_EAST ? 32 : along;
                row = back == SIDE_NORTH ? 0 : back == SIDE_SOUTH ? 32 : along;
                there[32 - k] = tile_sample_dir(other, 32, column, row);
            }
            struct sampled a, b;
            double spacing = tile_spacing_m(RADIUS_M, 32, level);
            sample_dirs(&a, planet, here, 33, spacing, everything);
            sample_dirs(&b, planet, there, 33, spacing, everything);
            CHECK(other.face != face);
            for (int k = 0; k <= 32; k++)
                CHECK(same_sample(&a, k, &b, 32 - k));
        }
    }
}

static void threads_share_a_planet(void)
{
    enum { BLOCKS = 24 };
    const struct planet *planet = earthlike();
    static struct double3 dirs[BLOCKS][PLANET_BLOCK];
    static struct sampled one[BLOCKS], many[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            dirs[block][i] = random_dir();
        sample_dirs(&one[block], planet, dirs[block], PLANET_BLOCK, 5e4, everything);
    }
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int block = 0; block < BLOCKS; block++)
        sample_dirs(&many[block], planet, dirs[block], PLANET_BLOCK, 5e4, everything);
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < PLANET_BLOCK; i++)
            CHECK(same_sample(&one[block], i, &many[block], i));
    }
}

// ---- Seeds, radius, band limit --------------------------------------------------------------------------

static void seeds_tell_noises_apart(void)
{
    CHECK(height_of("height = fbm(2e6) - fbm(2e6)", some_dir) != 0);
    CHECK(height_of("height = fbm(2e6, seed = 5) - fbm(2e6, seed = 5)", some_dir) == 0);
    CHECK(height_of("height = fbm(2e6, seed = 5) - fbm(2e6, seed = 6)", some_dir) != 0);
    CHECK(height_of("height = noise(2e6, seed = 5) - fbm(2e6, octaves = 1, seed = 5)", some_dir) == 0);
    // The first call in the text is number 1, also where it is evaluated after the second.
    CHECK(height_of("height = fbm(2e6, at = warp(1e5, 1e6))", some_dir) ==
          height_of("height = fbm(2e6, seed = 1, at = warp(1e5, 1e6, seed = 2))", some_dir));
    double text_seed = height_of("height = fbm(2e6, seed = 1)", some_dir);
    struct planet *two = load_seed("height = fbm(2e6, seed = 1)", 2);
    CHECK(height_at(two, some_dir, FINE_M) != text_seed);
    planet_free(two);
    struct planet *far = load_seed("height = fbm(2e6, seed = 1)", UINT64_MAX);
    CHECK(height_at(far, some_dir, FINE_M) != text_seed);
    planet_free(far);
}

// All tell the bake's seeds and their own apart, and calls with equal arguments agree.
static void features_and_random_numbers_have_seeds(void)
{
    static const char *const calls[] = {"cells(1e6, %s)", "cells(1e6, \"value\", %s)",
                                        "craters(3e6, smallest = 1e6, %s)", "random(2, 3, %s)"};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char one[100], other[100], text[300];
        snprintf(one, sizeof one, calls[i], "seed = 5");
        snprintf(other, sizeof other, calls[i], "seed = 6");
        snprintf(text, sizeof text, "height = %s - %s", one, one);
        CHECK(height_of(text, some_dir) == 0);
        snprintf(text, sizeof text, "height = %s - %s", one, other);
        CHECK_TEXT(height_of(text, some_dir) != 0, "%s", text);
        snprintf(text, sizeof text, "height = %s", one);
        struct planet *two = load_seed(text, UINT64_MAX);
        CHECK_TEXT(height_at(two, some_dir, FINE_M) != height_of(text, some_dir), "%s", text);
        planet_free(two);
    }
    double sum = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct planet *planet = load_seed("height = random(-3, 7)", seed);
        double number = height_at(planet, some_dir, FINE_M);
        CHECK(number >= -3 && number <= 7);
        sum += number / 60;
        planet_free(planet);
    }
    CHECK_TEXT(fabs(sum - 2) < 1.5, "mean %g", sum);
}

// Noise of a very long wavelength is linear, so what a warp changes about it is a product of the displacement with a
// vector. If the displacements were parallel everywhere, two such products would keep their ratio.
static void warps_move_each_axis_by_itself(void)
{
    static const char bent[] = "fbm(1e12, octaves = 1, seed = %d, at = warp(1e6, 3e6, seed = 9)) - "
                               "fbm(1e12, octaves = 1, seed = %d)";
    double ratio[2];
    for (int place = 0; place < 2; place++) {
        struct double3 dir = place ? (struct double3){0, 0, 1} : some_dir;
        double moved[2];
        for (int k = 0; k < 2; k++) {
            char expression[200], text[220];
            snprintf(expression, sizeof expression, bent, k + 1, k + 1);
            snprintf(text, sizeof text, "height = %s", expression);
            moved[k] = height_of(text, dir);
        }
        ratio[place] = moved[0] / moved[1];
    }
    CHECK_TEXT(fabs(ratio[0] - ratio[1]) > 1e-3 * fabs(ratio[0]), "%g and %g", ratio[0], ratio[1]);
}

static void radius_scales_the_whole_body(void)
{
    const struct builtin_planet *builtin = &builtin_planets[0];
    const struct planet *own = earthlike();
    struct planet *half, *odd;
    struct status status;
    CHECK(load_with(&half, builtin->text, NULL, 1, RADIUS_M / 2, &status) == STATUS_OK);
    CHECK(load_with(&odd, builtin->text, NULL, 1, 123456.7, &status) == STATUS_OK);
    CHECK(planet_radius_m(half) == RADIUS_M / 2 && planet_radius_m(odd) == 123456.7);
    struct double3 dirs[PLANET_BLOCK];
    struct sampled a, b, c;
    for (int i = 0; i < PLANET_BLOCK; i++)
        dirs[i] = random_dir();
    double scale = 123456.7 / RADIUS_M;
    sample_dirs(&a, own, dirs, PLANET_BLOCK, 1e4, everything);
    sample_dirs(&b, half, dirs, PLANET_BLOCK, 0.5e4, everything);
    sample_dirs(&c, odd, dirs, PLANET_BLOCK, scale * 1e4, everything);
    for (int i = 0; i < PLANET_BLOCK; i++) {
        CHECK(b.height[i] == a.height[i] / 2 && b.gx[i] == a.gx[i] / 2 && b.red[i] == a.red[i]);
        CHECK(fabs(c.height[i] - a.height[i] * scale) <= 1e-9 * fabs(a.height[i] * scale) + 1e-12);
        CHECK(fabs(c.gy[i] - a.gy[i] * scale) <= 1e-6 * fabs(a.gy[i] * scale) + 1e-9);
    }
    planet_free(half);
    planet_free(odd);
}

// Along a great circle, sampled four times finer than the spacing: the share of the variance that lies above the limit
// of half a cycle a spacing.
static double variance_above_limit(const struct planet *planet, double spacing_rad, int samples)
{
    double *heights = malloc((size_t)samples * sizeof heights[0]);
    for (int first = 0; first < samples; first += PLANET_BLOCK) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled sampled;
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double angle = 2 * M_PI * (first + i) / samples;
            dirs[i] = double3_normalise((struct double3){cos(angle), 0.8 * sin(angle), 0.6 * sin(angle)});
        }
        sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, spacing_rad * RADIUS_M, 0);
        memcpy(heights + first, sampled.height, sizeof sampled.height);
    }
    double total = 0, above = 0;
    for (int k = 1; k < samples / 2; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < samples; i++) {
            int turn = (int)((long)k * i % samples);
            re += heights[i] * cos(2 * M_PI * turn / samples);
            im += heights[i] * sin(2 * M_PI * turn / samples);
        }
        total += re * re + im * im;
        if (k > samples / 8)
            above += re * re + im * im;
    }
    free(heights);
    return above / total;
}

static void coarse_samples_carry_no_finer_detail(void)
{
    enum { SAMPLES = 1024 };
    struct planet *planet = load_text("height = 3000 * fbm(1e6, octaves = 20, gain = 0.6) + "
                                      "800 * ridged(6e5, octaves = 20, gain = 0.5)");
    double spacing = 2 * M_PI / SAMPLES * 4;
    double limited = variance_above_limit(planet, spacing, SAMPLES);
    double unlimited = variance_above_limit(planet, spacing / 64, SAMPLES);
    CHECK_TEXT(limited < 0.01, "%g of the variance is above the limit", limited);
    CHECK_TEXT(unlimited > 0.02, "only %g where there is no limit: the test sees nothing", unlimited);
    planet_free(planet);
}

// ---- Quantiles ------------------------------------------------------------------------------------------

static void quantile_is_the_share_of_area_below(void)
{
    enum { POINTS = 100 * PLANET_BLOCK };
    static const double shares[] = {0.01, 0.1, 0.3, 0.5, 0.71, 0.9, 0.99};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct planet *planet = load_seed("height = quantile(fbm(5e6, octaves = 6) + 0.2 * x)", seed);
        int below[7] = {0};
        for (int first = 0; first < POINTS; first += PLANET_BLOCK) {
            struct double3 dirs[PLANET_BLOCK];
            struct sampled sampled;
            for (int i = 0; i < PLANET_BLOCK; i++)
                dirs[i] = random_dir();
            sample_dirs(&sampled, planet, dirs, PLANET_BLOCK, 1e5, 0);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                CHECK(sampled.height[i] >= 0 && sampled.height[i] <= 1);
                for (int k = 0; k < 7; k++)
                    below[k] += sampled.height[i] < shares[k];
            }
        }
        // Four standard deviations of a random sample's share.
        for (int k = 0; k < 7; k++)
            CHECK_TEXT(fabs((double)below[k] / POINTS - shares[k]) <
                           4 * sqrt(shares[k] * (1 - shares[k]) / POINTS) + 1e-3,
                       "seed %d: %g below %g", (int)seed, (double)below[k] / POINTS, shares[k]);
        planet_free(planet);
    }
}

static void quantile_looks_at_the_large_only(void)
{
    struct planet *planet = load_text("height = quantile(z + 100 * noise(50e3))");
    CHECK(fabs(height_at(planet, some_dir, 200e3) - 0.9) < 1e-3);
    planet_free(planet);
}

static void quantile_of_flats_counts_what_is_below(void)
{
    // A third of the sphere lies below z = -1/3, and there the field is flat; a sixth above z = 2/3.
    struct double3 low = double3_normalise((struct double3){0.1, 0, -0.9}), high = {0, 0, 1};
    struct double3 middle = {sqrt(8.0 / 9), 0, 1.0 / 3};
    static const char text[] = "height = quantile(clamp(z, -0.333333333, 0.666666666))";
    CHECK(height_of(text, low) == 0);
    CHECK(fabs(height_of(text, middle) - 2.0 / 3) < 1e-3);
    CHECK(fabs(height_of(text, high) - 5.0 / 6) < 1e-3);
    CHECK(height_of("height = quantile(clamp(z, 3, 4))", middle) == 0);
    CHECK(fabs(height_of("height = quantile(1e-40 * z)", middle) - 2.0 / 3) < 1e-3);
    CHECK(fabs(height_of("height = quantile(1e40 * z)", middle) - 2.0 / 3) < 1e-3);
}

// ---- Rasters --------------------------------------------------------------------------------------------

enum { COLUMNS = 8, ROWS = 4 };

// Samples of 8 bits, the same channels in every pixel.
static void write_png(const char *path, int color, const uint16_t *pixel)
{
    struct plain_header header = {COLUMNS, ROWS, 8, color, 0};
    int channels = plain_channels(color);
    uint16_t samples[COLUMNS * ROWS * 3];
    for (int i = 0; i < COLUMNS * ROWS * channels; i++)
        samples[i] = pixel[i % channels];
    struct plain_bytes file = plain_png(header, samples);
    plain_save(path, file.bytes, file.size);
    plain_free(&file);
}

// As raster.h defines it.
static void check_raster_hash(const struct planet *planet, int index, uint8_t channels, const uint16_t *pixel)
{
    uint8_t head[10] = {COLUMNS, 0, 0, 0, ROWS, 0, 0, 0, channels, 8}, expected[SHA256_BYTES], digest[SHA256_BYTES];
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, head, sizeof head);
    for (int i = 0; i < COLUMNS * ROWS * channels; i++)
        sha256_add(&hash, &(uint8_t){(uint8_t)pixel[i % channels]}, 1);
    sha256_finish(&hash, expected);
    planet_raster_sha256(planet, index, digest);
    CHECK(memcmp(digest, expected, sizeof digest) == 0);
}

static void rasters_are_found_beside_the_planet_file(void)
{
    char folder[] = "/tmp/terrane-test-XXXXXX", grey[64], color[64], path[64];
    CHECK(mkdtemp(folder));
    snprintf(grey, sizeof grey, "%s/grey.png", folder);
    snprintf(color, sizeof color, "%s/color.png", folder);
    snprintf(path, sizeof path, "%s/a.planet", folder);
    static const uint16_t grey_pixel[1] = {40}, green_pixel[3] = {0, 255, 0};
    write_png(grey, 0, grey_pixel);
    write_png(color, 2, green_pixel);
    FILE *file = fopen(path, "wb");
    fprintf(file,
            "file = \"nowhere.png\"\nheight = raster(file, scale = 10, offset = -5) + raster(\"%s\") + "
            "raster(file, registration = \"node\") - raster(file)\n"
            "color = raster(\"color.png\")",
            grey);
    fclose(file);
    struct planet *planet;
    struct status status;
    struct planet_source source = {.name = path};
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT);
    CHECK_TEXT(strstr(status.text, "a.planet:2:17: ") && strstr(status.text, "nowhere.png"), "%s", status.text);
    const char *overrides[] = {"file=grey.png"};
    source.overrides = overrides;
    source.override_count = 1;
    CHECK_TEXT(planet_load(&planet, &source, &status) == STATUS_OK, "%s", status.text);
    struct sampled sampled;
    sample_dirs(&sampled, planet, &some_dir, 1, FINE_M, everything);
    CHECK(fabs(sampled.height[0] - (40 * 10 - 5 + 40 + 40 - 40)) < 1e-9 && fabs(sampled.gx[0]) < 1e-6);
    CHECK(sampled.green[0] == 1 && sampled.red[0] == 0 && sampled.blue[0] == 0);
    check_raster_hash(planet, 0, 1, grey_pixel);
    check_raster_hash(planet, 1, 1, grey_pixel); // by another path
    check_raster_hash(planet, 2, 1, grey_pixel); // in another way
    check_raster_hash(planet, 3, 3, green_pixel);
    CHECK(planet_raster_count(planet) == 4);
    planet_free(planet);
    file = fopen(path, "wb");
    fputs("height = 1\ncolor = raster(\"color.png\", scale = 2)", file);
    fclose(file);
    source.override_count = 0;
    CHECK(planet_load(&planet, &source, &status) == STATUS_INPUT);
    CHECK_TEXT(strstr(status.text, "a.planet:2:9: expected no 'scale'"), "%s", status.text);
    unlink(grey);
    unlink(color);
    unlink(path);
    CHECK(rmdir(folder) == 0);
}

// ---- The same bits everywhere ---------------------------------------------------------------------------

static void hash_doubles(struct sha256 *hash, const double *values)
{
    for (int i = 0; i < PLANET_BLOCK; i++) {
        uint64_t bits;
        uint8_t bytes[8];
        memcpy(&bits, &values[i], sizeof bits);
        put_u64le(bytes, bits);
        sha256_add(hash, bytes, sizeof bytes);
    }
}

static void hash_planet(char text[2 * SHA256_BYTES + 1], const struct planet *planet)
{
    struct sha256 hash;
    uint8_t digest[SHA256_BYTES];
    sha256_begin(&hash);
    for (double spacing = 0.5; spacing < 2e6; spacing *= 9) {
        struct double3 dirs[PLANET_BLOCK];
        struct sampled s;
        // Patches, as tiles are made of; of lattice points of three faces, whose bits are known on every machine.
        for (int i = 0; i < PLANET_BLOCK; i++) {
            int64_t n = INT64_C(1) << 24, step = 1 + (int64_t)(spacing * (double)n / 1e7);
            dirs[i] = cube_sphere_lattice_dir(i % 3, n / 7 * 3 + i / 8 * step, n / 5 + i % 8 * step, n);
        }
        sample_dirs(&s, planet, dirs, PLANET_BLOCK, spacing, everything);
        const double *const parts[] = {s.height, s.gx, s.gy, s.gz, s.red, s.green, s.blue};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            hash_doubles(&hash, parts[k]);
    }
    sha256_finish(&hash, digest);
    sha256_text(text, digest);
}

// Golden: a change here is a change of every pack of these planets, and needs a new generator version.
static void builtins_give_the_same_bits_everywhere(void)
{
    static const struct {
        const char *name, *digest;
    } golden[] = {
        {"earthlike", "88614682cf7d643c1e945b50989d1044525175074e8b54384430efdf136e5fb2"},
        {"ice", "52809aa2f7fcc2d64b05527714bebfa6042d05da0d63d83f4ee5aa7ccc2cbe17"},
        {"lava", "7cfb0c615386ad0411d35f521d73cccfc3c823143567613916e53a4ba4c23e9e"},
        {"mars", "2a0ba7544f12ae65a87834b35beb3c0d075b5b63e625be6a12a9171a947c80ff"},
        {"moon", "4c353e853218d36acb1761d774ff21a80926c265768cd1a12a441cae72cdb939"},
        {"ocean", "7f7c651bf3a3796be30496c53db3ccee7edc16a2a7dbab42ebc2e73030f8bb1b"},
        {"plain", "0ec62830347e565d568afd7fce4e767b1a79b5fc5dd2113d6674c282ddd184cd"},
    };
    static const char *const variants[] = {"base", "avx2", "avx512"};
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        struct planet *planet = load_text(builtin_named(golden[i].name)->text);
        CHECK(strcmp(planet_name(planet), golden[i].name) == 0);
        for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++) {
            const struct kernels *kernels = kernels_named(variants[k]);
            char text[2 * SHA256_BYTES + 1];
            if (!kernels)
                continue;
            planet_use_kernels(planet, kernels);
            hash_planet(text, planet);
            CHECK_TEXT(strcmp(text, golden[i].digest) == 0, "%s with %s: %s", golden[i].name, variants[k], text);
        }
        planet_free(planet);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_sample_does_not_depend_on_its_block);
    CHECK_RUN(what_is_wanted_does_not_change_what_comes);
    CHECK_RUN(faces_agree_on_shared_samples);
    CHECK_RUN(threads_share_a_planet);
    CHECK_RUN(seeds_tell_noises_apart);
    CHECK_RUN(features_and_random_numbers_have_seeds);
    CHECK_RUN(warps_move_each_axis_by_itself);
    CHECK_RUN(radius_scales_the_whole_body);
    CHECK_RUN(coarse_samples_carry_no_finer_detail);
    CHECK_RUN(quantile_is_the_share_of_area_below);
    CHECK_RUN(quantile_looks_at_the_large_only);
    CHECK_RUN(quantile_of_flats_counts_what_is_below);
    CHECK_RUN(rasters_are_found_beside_the_planet_file);
    CHECK_RUN(builtins_give_the_same_bits_everywhere);
    planet_free(earthlike_loaded);
    return CHECK_END;
}
