// SPDX-License-Identifier: MIT
// Where a raster's samples come out on the sphere, and how smoothly, up to a spacing of one pixel.
#include "tests/raster_fixture.h"

// Catmull-Rom in both directions leaves the range of its samples by at most (1 + 1/4)^2 - 1 on a side.
#define OVERSHOOT 0.5625

static void the_field_goes_through_every_sample(void)
{
    static const int sizes[][2] = {{64, 32}, {63, 31}, {7, 5}, {1, 9}, {9, 1}, {2, 2}, {1, 1}, {3, 40}, {90, 3}};
    static const struct raster_options options[] = {
        {0, 360, RASTER_PIXEL}, {-180, 180, RASTER_PIXEL}, {-23.5, 336.5, RASTER_PIXEL}, {-60, 75.5, RASTER_PIXEL},
        {0, 350, RASTER_PIXEL}, {20, 340, RASTER_NODE},    {200, 300, RASTER_NODE},
    };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int width = sizes[s][0], height = sizes[s][1];
        uint16_t *samples = fixture_noise(width, height);
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            bool nodes = options[o].registration == RASTER_NODE;
            if (nodes && (width < 2 || height < 2))
                continue;
            struct raster *raster = fixture_grey(width, height, samples, &options[o]);
            // Samples of a node raster's first and last row are averaged; they have a test of their own.
            int first = nodes ? width : 0, end = width * (nodes ? height - 1 : height);
            for (int start = first; start < end; start += PLANET_BLOCK) {
                struct double3 dirs[PLANET_BLOCK];
                double values[PLANET_BLOCK];
                for (int k = 0; k < PLANET_BLOCK; k++) {
                    int at = start + k < end ? start + k : end - 1;
                    dirs[k] = fixture_dir(fixture_lat(&options[o], height, at / width),
                                          fixture_lon(&options[o], width, at % width));
                }
                fixture_block(raster, dirs, values, FINE);
                for (int k = 0; k < PLANET_BLOCK && start + k < end; k++)
                    CHECK_TEXT(fabs(values[k] - samples[start + k]) < 1e-6, "%dx%d options %zu sample %d: %.9g, not %d",
                               width, height, o, start + k, values[k], samples[start + k]);
            }
            raster_free(raster);
        }
        free(samples);
    }
}

// One mark in each octant, an L with a long foot: 4 high and 3 wide in an 8 x 8 square, of a height of its own.
static void glyphs_in_every_octant_are_neither_mirrored_nor_turned(void)
{
    static const char *const glyph[4] = {"#..", "#..", "#..", "###"};
    static uint16_t samples[16 * 32];
    memset(samples, 0, sizeof samples);
    for (int octant = 0; octant < 8; octant++) {
        for (int k = 0; k < 12; k++) {
            int row = octant / 4 * 8 + 2 + k / 3, column = octant % 4 * 8 + 3 + k % 3;
            if (glyph[k / 3][k % 3] == '#')
                samples[row * 32 + column] = (uint16_t)(1000 * (octant + 1));
        }
    }
    struct raster *raster = fixture_grey(32, 16, samples, &fixture_pixel);
    // Corners of the octants, as signs of x, y, z, in the order in which the picture has them.
    static const int signs[8][3] = {{1, 1, 1},  {-1, 1, 1},  {-1, -1, 1},  {1, -1, 1},
                                    {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1}};
    for (int octant = 0; octant < 8; octant++) {
        double wanted = 1000.0 * (octant + 1);
        double west = octant % 4 * 90.0, north = octant < 4 ? 90.0 : 0.0, px = 11.25;
        struct double3 foot = fixture_dir(north - 5.5 * px, west + 5.5 * px); // right end of the foot
        struct double3 top = fixture_dir(north - 2.5 * px, west + 3.5 * px);
        CHECK(foot.x * signs[octant][0] > 0 && foot.y * signs[octant][1] > 0 && foot.z * signs[octant][2] > 0);
        CHECK(fabs(fixture_at(raster, foot, FINE).v - wanted) < 1e-6);
        CHECK(fabs(fixture_at(raster, top, FINE).v - wanted) < 1e-6);
        // The two mirrored places and the one turned by half are empty.
        CHECK(fabs(fixture_lat_lon(raster, north - 2.5 * px, west + 5.5 * px, FINE)) < 1e-6);
        CHECK(fabs(fixture_lat_lon(raster, north - 3.5 * px, west + 5.5 * px, FINE)) < 1e-6);
        CHECK(fabs(fixture_lat_lon(raster, north - 3.5 * px, west + 4.5 * px, FINE)) < 1e-6);
    }
    raster_free(raster);
}

// A smooth field: a few spherical harmonics.
static double smooth_field(struct double3 p)
{
    return 30000.0 + 8000.0 * p.x - 5000.0 * p.y + 7000.0 * p.z + 6000.0 * p.x * p.y - 4000.0 * p.y * p.z * p.z +
           3000.0 * (p.x * p.x * p.x - 3.0 * p.x * p.y * p.y);
}

static struct raster *smooth_raster(int width, int height, const struct raster_options *options)
{
    uint16_t *samples = plain_alloc(NULL, (size_t)width * (size_t)height * sizeof *samples);
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            struct double3 dir = fixture_dir(fixture_lat(options, height, row), fixture_lon(options, width, column));
            samples[row * width + column] = (uint16_t)floor(smooth_field(dir) + 0.5);
        }
    }
    struct raster *raster = fixture_grey(width, height, samples, options);
    free(samples);
    return raster;
}

static void all_ways_to_lay_the_grid_give_the_same_field(void)
{
    static const struct {
        int width, height;
        struct raster_options options;
    } grids[] = {
        {360, 180, {0, 360, RASTER_PIXEL}},   {360, 180, {-180, 180, RASTER_PIXEL}},
        {361, 181, {0, 360, RASTER_NODE}},    {360, 181, {0, 359, RASTER_NODE}},
        {361, 181, {-180, 180, RASTER_NODE}}, {333, 177, {-100, 260, RASTER_PIXEL}},
        {334, 180, {15, 375, RASTER_NODE}},   {360, 181, {-359.99999, -0.99999, RASTER_NODE}},
        {360, 180, {-360, 0, RASTER_PIXEL}},  {360, 180, {360, 720, RASTER_PIXEL}},
    };
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        struct raster *raster = smooth_raster(grids[g].width, grids[g].height, &grids[g].options);
        double worst = 0.0;
        for (int block = 0; block < 30; block++) {
            struct double3 dirs[PLANET_BLOCK];
            double values[PLANET_BLOCK];
            for (int k = 0; k < PLANET_BLOCK; k++) {
                dirs[k] = fixture_random_dir();
                // Some close to a pole, some close to Greenwich or the antimeridian.
                if (k % 10 == 0)
                    dirs[k] = fixture_dir(k % 20 ? 90.0 - check_random_unit() : check_random_unit() - 90.0, k);
                if (k % 10 == 5)
                    dirs[k] = fixture_dir(180.0 * check_random_unit() - 90.0, k % 20 == 5 ? 0.0 : 180.0 + 1e-9 * k);
            }
            fixture_block(raster, dirs, values, FINE);
            for (int k = 0; k < PLANET_BLOCK; k++)
                worst = fmax(worst, fabs(values[k] - smooth_field(dirs[k])));
        }
        // Rounding to whole samples is 0.5, with overshoot 0.8; interpolation itself is far below at a degree.
        CHECK_TEXT(worst < 1.2, "grid %zu is off by %g", g, worst);
        raster_free(raster);
    }
}

static void a_rolled_picture_with_a_shifted_west_is_the_same(void)
{
    enum { WIDTH = 48, HEIGHT = 25 };
    uint16_t *samples = fixture_noise(WIDTH, HEIGHT), *rolled = fixture_noise(WIDTH, HEIGHT);
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        rolled[k / WIDTH * WIDTH + (k % WIDTH + WIDTH / 2) % WIDTH] = samples[k];
    struct raster *from_zero = fixture_grey(WIDTH, HEIGHT, samples, &fixture_pixel);
    struct raster *from_west = fixture_grey(WIDTH, HEIGHT, rolled, &(struct raster_options){-180, 180, RASTER_PIXEL});
    static const double spacings[] = {FINE, 0.3, 0.7};
    for (int k = 0; k < 900; k++) {
        struct double3 dir = fixture_random_dir();
        struct fixture_value a = fixture_at(from_zero, dir, spacings[k % 3]);
        struct fixture_value b = fixture_at(from_west, dir, spacings[k % 3]);
        CHECK_TEXT(fabs(a.v - b.v) < 1e-2 * spacings[k % 3] + 1e-6, "%g and %g", a.v, b.v); // mips are floats
        CHECK(k % 3 || double3_length(double3_sub(a.gradient, b.gradient)) < 1e-3);
    }
    raster_free(from_zero);
    raster_free(from_west);
    free(samples);
    free(rolled);
}

// A ridge on the meridian of Greenwich and one on the antimeridian, in pictures that are cut there and elsewhere.
static void seams_do_not_show(void)
{
    static const struct raster_options options[] = {{0, 360, RASTER_PIXEL},  {-180, 180, RASTER_PIXEL},
                                                    {0, 360, RASTER_NODE},   {-180, 180, RASTER_NODE},
                                                    {0, 350, RASTER_NODE}, // 36 columns
                                                    {-90, 270, RASTER_PIXEL}};
    static const double spacings[] = {FINE, 0.15, 0.25, 0.5, 1.0};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        int nodes = options[o].registration == RASTER_NODE, width = o == 2 || o == 3 ? 37 : 36, height = 18 + nodes;
        uint16_t *samples = plain_alloc(NULL, (size_t)width * (size_t)height * sizeof *samples);
        for (int k = 0; k < width * height; k++) {
            // Even in longitude about both meridians.
            struct double3 dir =
                fixture_dir(fixture_lat(&options[o], height, k / width), fixture_lon(&options[o], width, k % width));
            samples[k] = (uint16_t)(30000.0 + 20000.0 * dir.z + (fabs(dir.y) < 0.25 ? 10000.0 : 0.0) + 5000.0 * dir.x);
        }
        struct raster *raster = fixture_grey(width, height, samples, &options[o]);
        for (int k = 0; k < 300; k++) {
            double lat = 178.0 * check_random_unit() - 89.0, spacing = spacings[k % 5];
            // Cells of other mips do not lie evenly about the meridian; but their field does not break there either.
            bool even = spacing == FINE || o < 2;
            double meridian = k & 1 ? 180.0 : 0.0, d = even && k % 3 ? 40.0 * check_random_unit() : 1e-9;
            double east = fixture_lat_lon(raster, lat, meridian + d, spacing);
            double west = fixture_lat_lon(raster, lat, meridian - d, spacing);
            CHECK_TEXT(fabs(east - west) < 0.02, "options %zu, lat %g, %g +- %g, spacing %g: %.9g and %.9g", o, lat,
                       meridian, d, spacing, east, west);
        }
        raster_free(raster);
        free(samples);
    }
}

static void a_regional_raster_holds_its_edges_and_closes_smoothly(void)
{
    for (int nodes = 0; nodes < 2; nodes++) {
        enum { WIDTH = 20, HEIGHT = 18 };
        struct raster_options options = {-30, 50, nodes ? RASTER_NODE : RASTER_PIXEL};
        uint16_t samples[WIDTH * HEIGHT];
        for (int k = 0; k < WIDTH * HEIGHT; k++)
            samples[k] = (uint16_t)(k % WIDTH == 0 ? 10000 : k % WIDTH == WIDTH - 1 ? 50000 : 30000);
        struct raster *raster = fixture_grey(WIDTH, HEIGHT, samples, &options);
        // The gap is 280 degrees; a quarter of it from either edge.
        CHECK(fabs(fixture_lat_lon(raster, 12, 56, FINE) - 50000.0) < 1e-6);
        CHECK(fabs(fixture_lat_lon(raster, 12, 119.9, FINE) - 50000.0) < 1e-6);
        CHECK(fabs(fixture_lat_lon(raster, 12, 190, FINE) - 30000.0) < 1e-6); // half way
        CHECK(fabs(fixture_lat_lon(raster, 12, 260.1, FINE) - 10000.0) < 1e-6);
        CHECK(fabs(fixture_lat_lon(raster, 12, -36, FINE) - 10000.0) < 1e-6);
        double before = fixture_lat_lon(raster, 12, -0.05, FINE), steepest = 0.0;
        for (int start = 0; start < 3600; start += 120) {
            struct double3 dirs[PLANET_BLOCK];
            double values[PLANET_BLOCK];
            for (int k = 0; k < PLANET_BLOCK; k++)
                dirs[k] = fixture_dir(12, (start + k) * 0.1 + 0.05);
            fixture_block(raster, dirs, values, FINE);
            for (int k = 0; k < 120; k++) {
                steepest = fmax(steepest, fabs(values[k] - before));
                before = values[k];
            }
        }
        // 20,000 over a column of 4 degrees at the edge, at most 1.5 times as steep on the way.
        CHECK_TEXT(steepest < 1.5 * 20000.0 / 40.0, "a step of %g in a tenth of a degree", steepest);
        raster_free(raster);
    }
}

static void tiny_rasters_stay_within_their_range(void)
{
    static const int sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 50}, {50, 1}, {3, 3}, {2, 3}, {5, 2}};
    static const struct raster_options options[] = {{0, 360, RASTER_PIXEL},
                                                    {0, 360, RASTER_NODE},
                                                    {10, 11, RASTER_PIXEL},
                                                    {10, 11, RASTER_NODE},
                                                    {-5, 350, RASTER_PIXEL}};
    for (int s = 0; s < 9; s++) {
        for (int o = 0; o < 5; o++) {
            if (options[o].registration == RASTER_NODE && (sizes[s][0] < 2 || sizes[s][1] < 2))
                continue;
            uint16_t *samples = fixture_noise(sizes[s][0], sizes[s][1]);
            double low = 65535.0, high = 0.0;
            for (int k = 0; k < sizes[s][0] * sizes[s][1]; k++)
                low = fmin(low, samples[k]), high = fmax(high, samples[k]);
            struct raster *raster = fixture_grey(sizes[s][0], sizes[s][1], samples, &options[o]);
            for (int k = 0; k < 100; k++) {
                struct fixture_value at = fixture_at(raster, fixture_random_dir(), 0.01 * (1 << k % 10));
                double slack = OVERSHOOT * (high - low) + 0.01;
                CHECK_TEXT(at.v >= low - slack && at.v <= high + slack, "%d x %d, options %d: %g out of %g to %g",
                           sizes[s][0], sizes[s][1], o, at.v, low, high);
                CHECK(isfinite(at.gradient.x) && isfinite(at.gradient.y) && isfinite(at.gradient.z));
            }
            raster_free(raster);
            free(samples);
        }
    }
}

static void colours_come_out_in_order_and_in_linear_light(void)
{
    // Red, green, blue, white, and the grey that is half of white's light within rounding.
    static const uint16_t samples[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 188, 188, 188};
    uint16_t wide[15];
    for (int k = 0; k < 15; k++)
        wide[k] = (uint16_t)(samples[k] * 257);
    for (int bits = 8; bits <= 16; bits += 8) {
        struct raster *raster =
            fixture_raster((struct plain_header){5, 1, bits, 2, 0}, bits == 8 ? samples : wide, &fixture_pixel);
        CHECK(raster_is_color(raster));
        double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[3][PLANET_BLOCK];
        for (int k = 0; k < PLANET_BLOCK; k++) {
            struct double3 dir = fixture_dir(0, k < 5 ? 36.0 + 72.0 * k : 2.9 * k);
            x[k] = dir.x, y[k] = dir.y, z[k] = dir.z;
        }
        raster_sample_color(raster, (double *const[3]){out[0], out[1], out[2]}, x, y, z, FINE);
        for (int k = 0; k < 12; k++)
            CHECK(fabs(out[k % 3][k / 3] - samples[k] / 255.0) < 1e-6);
        double grey = pow((188 / 255.0 + 0.055) / 1.055, 2.4); // IEC 61966-2-1
        CHECK(fabs(out[0][4] - grey) < 1e-6 && fabs(out[1][4] - grey) < 1e-6 && fabs(out[2][4] - grey) < 1e-6);
        for (int k = 0; k < PLANET_BLOCK; k++) { // where Catmull-Rom overshoots, too
            for (int channel = 0; channel < 3; channel++)
                CHECK(out[channel][k] >= 0.0 && out[channel][k] <= 1.0);
        }
        raster_free(raster);
    }
}

static void the_value_depends_neither_on_the_gradient_nor_on_the_block(void)
{
    uint16_t *samples = fixture_noise(30, 15);
    struct raster *raster = fixture_grey(30, 15, samples, &fixture_pixel);
    struct double3 dirs[PLANET_BLOCK];
    double values[PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++)
        dirs[k] = fixture_random_dir();
    for (int s = 0; s < 3; s++) {
        double spacing = 0.1 * (1 << s);
        fixture_block(raster, dirs, values, spacing);
        for (int k = 0; k < PLANET_BLOCK; k++)
            CHECK(fixture_at(raster, dirs[k], spacing).v == values[k]);
    }
    raster_free(raster);
    free(samples);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_field_goes_through_every_sample);
    CHECK_RUN(glyphs_in_every_octant_are_neither_mirrored_nor_turned);
    CHECK_RUN(all_ways_to_lay_the_grid_give_the_same_field);
    CHECK_RUN(a_rolled_picture_with_a_shifted_west_is_the_same);
    CHECK_RUN(seams_do_not_show);
    CHECK_RUN(a_regional_raster_holds_its_edges_and_closes_smoothly);
    CHECK_RUN(tiny_rasters_stay_within_their_range);
    CHECK_RUN(colours_come_out_in_order_and_in_linear_light);
    CHECK_RUN(the_value_depends_neither_on_the_gradient_nor_on_the_block);
    return CHECK_END;
}
