// SPDX-License-Identifier: MIT
// Where a raster's samples come out on the sphere, and how smoothly, up to a spacing of one pixel.
#include "tests/raster_fixture.h"

// Spacing that asks for the picture alone.
#define FINE 1e-6

// Catmull-Rom in both directions leaves the range of its samples by at most (1 + 1/4)^2 - 1 on a side.
#define OVERSHOOT 0.5625

static double degrees_between(const struct raster_options *options, int width)
{
    int intervals = options->registration == RASTER_NODE ? width - 1 : width;
    return (options->east_deg - options->west_deg) / intervals;
}

// Every sample's own place, written down from the header's words alone.
static double sample_lon(const struct raster_options *options, int width, int column)
{
    double inset = options->registration == RASTER_NODE ? 0.0 : 0.5;
    return options->west_deg + (column + inset) * degrees_between(options, width);
}

static double sample_lat(const struct raster_options *options, int height, int row)
{
    return options->registration == RASTER_NODE ? 90.0 - row * 180.0 / (height - 1)
                                                : 90.0 - (row + 0.5) * 180.0 / height;
}

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
                    dirs[k] = fixture_dir(sample_lat(&options[o], height, at / width),
                                          sample_lon(&options[o], width, at % width));
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
            struct double3 dir = fixture_dir(sample_lat(options, height, row), sample_lon(options, width, column));
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
                fixture_dir(sample_lat(&options[o], height, k / width), sample_lon(&options[o], width, k % width));
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

// Central differences along two tangents.
static void check_gradient(const struct raster *raster, struct double3 dir, double spacing, double scale)
{
    struct fixture_value here = fixture_at(raster, dir, spacing);
    struct double3 axis = fabs(dir.z) < 0.8 ? (struct double3){0, 0, 1} : (struct double3){1, 0, 0};
    struct double3 a = double3_normalise(double3_cross(dir, axis)), b = double3_cross(dir, a);
    const double step = 1e-6;
    CHECK(fabs(double3_dot(here.gradient, dir)) < 1e-9 * scale);
    for (int k = 0; k < 2; k++) {
        struct double3 along = k ? b : a;
        struct double3 ahead = double3_normalise(double3_add(dir, double3_scale(along, step)));
        struct double3 behind = double3_normalise(double3_sub(dir, double3_scale(along, step)));
        double numeric = (fixture_at(raster, ahead, spacing).v - fixture_at(raster, behind, spacing).v) / (2 * step);
        double analytic = double3_dot(here.gradient, along);
        CHECK_TEXT(fabs(numeric - analytic) < 2e-4 * scale, "at %g %g %g, spacing %g: %g, by differences %g", dir.x,
                   dir.y, dir.z, spacing, analytic, numeric);
    }
}

static void the_gradient_is_that_of_the_value_everywhere(void)
{
    static const struct {
        int width, height;
        struct raster_options options;
    } grids[] = {{40, 20, {0, 360, RASTER_PIXEL}},   {41, 21, {0, 360, RASTER_NODE}},
                 {13, 9, {-180, 180, RASTER_PIXEL}}, {20, 20, {30, 200, RASTER_PIXEL}},
                 {20, 21, {30, 200, RASTER_NODE}},   {11, 6, {0, 350, RASTER_PIXEL}}};
    static const double spacings[] = {FINE, 0.2, 0.5, 1.3};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        uint16_t *samples = fixture_noise(grids[g].width, grids[g].height);
        struct raster *raster = fixture_grey(grids[g].width, grids[g].height, samples, &grids[g].options);
        double row_rad = STABLE_PI / grids[g].height;
        for (int k = 0; k < 160; k++) {
            struct double3 dir = fixture_random_dir();
            double from_pole = row_rad / STABLE_DEGREE * 0.7 * check_random_unit(), sign = k & 1 ? 1.0 : -1.0;
            if (k % 4 == 1)
                dir = fixture_dir(sign * (90.0 - from_pole), 360.0 * check_random_unit());
            if (k % 4 == 2) // astride Greenwich and the antimeridian
                dir = fixture_dir(160.0 * check_random_unit() - 80.0, (k & 4 ? 180.0 : 0.0) + sign * 1e-5);
            // Noise between columns crowded at the pole is steepest: a full range over a column there.
            double lon_scale = grids[g].width / (2.0 * STABLE_PI) / fmax(sqrt(1.0 - dir.z * dir.z), 0.5 * row_rad);
            check_gradient(raster, dir, spacings[k / 4 % 4], 65535.0 * (1.0 / row_rad + lon_scale));
        }
        raster_free(raster);
        free(samples);
    }
}

static void at_the_poles_it_has_one_value_and_one_gradient(void)
{
    static const int sizes[][2] = {{40, 20}, {41, 21}, {7, 3}, {2, 2}, {5, 2}};
    for (int g = 0; g < 20; g++) {
        const int *size = sizes[g % 5];
        struct raster_options options = g & 1 ? fixture_node : fixture_pixel;
        if (g % 4 == 2)
            options.east_deg = 200.0;
        uint16_t *samples = fixture_noise(size[0], size[1]);
        struct raster *raster = fixture_grey(size[0], size[1], samples, &options);
        for (int south = 0; south < 2; south++) {
            double sign = south ? -1.0 : 1.0, spacing = g < 10 ? FINE : 0.6;
            struct fixture_value pole = fixture_at(raster, (struct double3){0, 0, sign}, spacing);
            double slope = double3_length(pole.gradient);
            CHECK(isfinite(pole.v) && isfinite(slope) && slope < 1e6);
            for (double distance = 1e-3; distance > 1e-170; distance *= distance < 1e-12 ? 1e-20 : 0.1) {
                for (int k = 0; k < 6; k++) {
                    double lon = 60.0 * k + 0.3;
                    struct double3 dir = fixture_dir(0, lon);
                    dir.x *= distance, dir.y *= distance;
                    dir.z = sign * sqrt(1.0 - distance * distance);
                    struct fixture_value near = fixture_at(raster, dir, spacing);
                    CHECK_TEXT(fabs(near.v - pole.v) < 1e-6 + distance * (slope + 1e6), "%d: %g from the pole: %g, %g",
                               g, distance, near.v, pole.v);
                    double turned = double3_length(double3_sub(near.gradient, pole.gradient));
                    CHECK_TEXT(turned < 1e-3 + 1e9 * distance, "%d: %g from the pole the gradient turns by %g", g,
                               distance, turned);
                }
            }
        }
        raster_free(raster);
        free(samples);
    }
}

static void a_node_rasters_pole_is_the_mean_of_its_row(void)
{
    uint16_t samples[5 * 4] = {100, 200, 300, 600, 100, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 50, 0, 0, 10, 999};
    struct raster *raster = fixture_grey(5, 4, samples, &fixture_node); // the fifth column repeats the first
    CHECK(fabs(fixture_lat_lon(raster, 90, 0, FINE) - 300.0) < 1e-9);
    CHECK(fabs(fixture_lat_lon(raster, 90, 123, FINE) - 300.0) < 1e-9);
    CHECK(fabs(fixture_lat_lon(raster, -90, 0, FINE) - 15.0) < 1e-9);
    raster_free(raster);
}

// What differs within a node raster's pole row is noise, and nowhere to be seen.
static void a_node_rasters_pole_row_counts_as_its_mean_everywhere(void)
{
    enum { WIDTH = 24, HEIGHT = 13 };
    uint16_t *noisy = fixture_noise(WIDTH, HEIGHT), *even = fixture_noise(WIDTH, HEIGHT);
    memcpy(even, noisy, sizeof *noisy * WIDTH * HEIGHT);
    for (int south = 0; south < 2; south++) {
        for (int column = 0; column < WIDTH; column++) {
            int at = south * (HEIGHT - 1) * WIDTH + column;
            noisy[at] = (uint16_t)(column % 2 ? 30000 + 777 * (column / 2) : 30000 - 777 * (column / 2));
            even[at] = 30000;
        }
    }
    static const struct raster_options options = {0, 345, RASTER_NODE}; // 24 columns all around
    struct raster *a = fixture_grey(WIDTH, HEIGHT, noisy, &options), *b = fixture_grey(WIDTH, HEIGHT, even, &options);
    for (int k = 0; k < 400; k++) {
        struct double3 dir = fixture_dir((k & 1 ? 1 : -1) * (90.0 - 45.0 * check_random_unit()), 0.9 * k);
        CHECK(fabs(fixture_at(a, dir, FINE).v - fixture_at(b, dir, FINE).v) < 1e-6);
    }
    raster_free(a);
    raster_free(b);
    free(noisy);
    free(even);
}

static void a_regional_node_rasters_pole_is_the_mean_all_around(void)
{
    // Half a circle of three columns; the gap goes from the last to the first.
    uint16_t samples[3 * 3] = {1000, 5000, 3000, 0, 0, 0, 0, 0, 0};
    struct raster *raster = fixture_grey(3, 3, samples, &(struct raster_options){0, 180, RASTER_NODE});
    double region = (1000.0 + 2.0 * 5000.0 + 3000.0) / 4.0, gap = (1000.0 + 3000.0) / 2.0;
    CHECK(fabs(fixture_lat_lon(raster, 90, 0, FINE) - 0.5 * (region + gap)) < 1e-9);
    raster_free(raster);
}

// Rings around the pole go on over it as Catmull-Rom does along any meridian, flattened towards the middle.
static void a_pixel_rasters_dome_is_round_at_the_pole(void)
{
    uint16_t samples[8 * 6];
    for (int k = 0; k < 48; k++)
        samples[k] = (uint16_t)(k < 8 ? 1000 : k < 16 ? 2000 : 3000);
    struct raster *raster = fixture_grey(8, 6, samples, &fixture_pixel);
    CHECK(fabs(fixture_lat_lon(raster, 90, 0, FINE) - 875.0) < 1e-9); // (9 * 1000 - 2000) / 8
    for (int k = 0; k <= 50; k++) {
        double t = k / 50.0; // of half a row of 30 degrees
        double cubic = 875.0 + 125.0 * t * t, wanted = 875.0 + t * t * (3.0 - 2.0 * t) * (cubic - 875.0);
        CHECK(fabs(fixture_lat_lon(raster, 90.0 - 15.0 * t, 7.0 * k, FINE) - wanted) < 1e-6);
    }
    raster_free(raster);
}

// A plain tilted over the pole must come out as a plain: neither a dimple nor a flat spot in the last half cell.
static void a_slope_goes_straight_over_the_poles(void)
{
    for (int g = 0; g < 2; g++) {
        struct raster_options options = g ? fixture_node : fixture_pixel;
        int width = 72 + g, height = 36 + g;
        uint16_t *samples = plain_alloc(NULL, (size_t)width * (size_t)height * sizeof *samples);
        for (int k = 0; k < width * height; k++) {
            double lat = sample_lat(&options, height, k / width), lon = sample_lon(&options, width, k % width);
            double rho = 90.0 - fabs(lat), sine, cosine;
            stable_sincos_deg(lon, &sine, &cosine);
            samples[k] = (uint16_t)floor(30000.5 + 200.0 * rho * cosine + 100.0 * rho * sine);
        }
        struct raster *raster = fixture_grey(width, height, samples, &options);
        for (int k = 0; k < 500; k++) {
            double rho = 8.0 * check_random_unit(), lon = 360.0 * check_random_unit(), sine, cosine;
            stable_sincos_deg(lon, &sine, &cosine);
            double wanted = 30000.0 + 200.0 * rho * cosine + 100.0 * rho * sine;
            double v = fixture_lat_lon(raster, k & 1 ? 90.0 - rho : rho - 90.0, lon, FINE);
            CHECK_TEXT(fabs(v - wanted) < 2.0, "%g degrees from the pole: %g, not %g", rho, v, wanted);
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
    CHECK_RUN(the_gradient_is_that_of_the_value_everywhere);
    CHECK_RUN(at_the_poles_it_has_one_value_and_one_gradient);
    CHECK_RUN(a_node_rasters_pole_is_the_mean_of_its_row);
    CHECK_RUN(a_node_rasters_pole_row_counts_as_its_mean_everywhere);
    CHECK_RUN(a_regional_node_rasters_pole_is_the_mean_all_around);
    CHECK_RUN(a_pixel_rasters_dome_is_round_at_the_pole);
    CHECK_RUN(a_slope_goes_straight_over_the_poles);
    CHECK_RUN(a_regional_raster_holds_its_edges_and_closes_smoothly);
    CHECK_RUN(tiny_rasters_stay_within_their_range);
    CHECK_RUN(colours_come_out_in_order_and_in_linear_light);
    CHECK_RUN(the_value_depends_neither_on_the_gradient_nor_on_the_block);
    return CHECK_END;
}
