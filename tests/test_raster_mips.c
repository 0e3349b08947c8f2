// SPDX-License-Identifier: MIT
// Rasters seen from afar: at a spacing of more than one pixel.
#include "tests/raster_fixture.h"

// Mean over the sphere, on a grid of Fibonacci points.
static double sphere_mean(const struct raster *raster, double spacing, int count)
{
    double sum = 0.0;
    for (int start = 0; start < count; start += PLANET_BLOCK) {
        struct double3 dirs[PLANET_BLOCK];
        double values[PLANET_BLOCK];
        for (int k = 0; k < PLANET_BLOCK; k++) {
            double z = 1.0 - (2.0 * (start + k) + 1.0) / count, lon = 222.49223594996 * (start + k);
            double sine, cosine, r = sqrt(1.0 - z * z);
            stable_sincos_deg(fmod(lon, 360.0), &sine, &cosine);
            dirs[k] = (struct double3){r * cosine, r * sine, z};
        }
        fixture_block(raster, dirs, values, spacing);
        for (int k = 0; k < PLANET_BLOCK; k++)
            sum += values[k];
    }
    return sum / count;
}

// Mean of the samples, each weighed by its cell's area.
static double area_mean(const uint16_t *samples, int width, int height, bool nodes)
{
    double sum = 0.0, weights = 0.0;
    for (int row = 0; row < height; row++) {
        double top = nodes ? fmax(row - 0.5, 0.0) / (height - 1) : (double)row / height;
        double bottom = nodes ? fmin(row + 0.5, height - 1.0) / (height - 1) : (row + 1.0) / height;
        double area = cos(STABLE_PI * top) - cos(STABLE_PI * bottom);
        int columns = nodes ? width - 1 : width; // the last one repeats the first
        for (int column = 0; column < columns; column++)
            sum += area * samples[row * width + column];
        weights += area * columns;
    }
    return sum / weights;
}

static void every_mip_keeps_the_mean_of_the_sphere(void)
{
    static const int sizes[][3] = {{64, 32, 0}, {61, 33, 0}, {45, 17, 0}, {65, 33, 1}, {42, 28, 1}, {16, 64, 0}};
    for (int g = 0; g < 6; g++) {
        int width = sizes[g][0], height = sizes[g][1], nodes = sizes[g][2];
        uint16_t *samples = fixture_noise(width, height);
        for (int k = 0; k < width * height; k++) // something to lose: unlike north and south, east and west
            samples[k] = (uint16_t)(samples[k] / 4 + (k / width) * 20000 / height + (k % width) * 20000 / width);
        for (int row = 0; nodes && row < height; row++)
            samples[row * width + width - 1] = samples[row * width];
        struct raster *raster = fixture_grey(width, height, samples, nodes ? &fixture_node : &fixture_pixel);
        double mean = area_mean(samples, width, height, nodes), pixel = raster_pixel_rad(raster);
        for (int k = 0; k < 9; k++) {
            double found = sphere_mean(raster, pixel * (1 << k), 200 * PLANET_BLOCK);
            CHECK_TEXT(fabs(found - mean) < 1e-3 * 65535.0, "%d x %d at %d pixels: %g, not %g", width, height, 1 << k,
                       found, mean);
        }
        // From very far it is one value.
        CHECK_TEXT(fabs(fixture_lat_lon(raster, 20, 30, 100.0) - mean) < 1e-2, "%d x %d: %.9g, not %.9g", width, height,
                   fixture_lat_lon(raster, 20, 30, 100.0), mean);
        raster_free(raster);
        free(samples);
    }
}

// But for the crowding of meridians: at the equator and under a spacing that fits in its row nothing is averaged.
static void up_to_one_pixel_no_mip_is_used(void)
{
    uint16_t *samples = fixture_noise(48, 24);
    struct raster *raster = fixture_grey(48, 24, samples, &fixture_pixel);
    double pixel = raster_pixel_rad(raster);
    CHECK(fabs(pixel - STABLE_PI / 24) < 1e-15);
    for (int k = 0; k < 200; k++) {
        struct double3 dir = fixture_random_dir();
        double v = fixture_at(raster, dir, pixel).v;
        CHECK(v == fixture_at(raster, dir, STABLE_PI / 48 * 2.0).v);
        CHECK(v == fixture_at(raster, dir, pixel * (1.0 + 4e-16)).v); // the same, rounded otherwise
        CHECK(v != fixture_at(raster, dir, pixel * 1.01).v);
        // The next row but one towards the pole draws on it, too.
        double lat = asin(fabs(dir.z)) + 2.0 * pixel;
        double near = fixture_at(raster, dir, 1e-9).v;
        CHECK(near == fixture_at(raster, dir, 0.0).v);
        CHECK(lat > STABLE_PI / 2 || near == fixture_at(raster, dir, 0.999 * pixel * cos(lat)).v);
    }
    raster_free(raster);
    free(samples);
}

static void a_checkerboard_becomes_grey(void)
{
    enum { WIDTH = 64, HEIGHT = 32 };
    uint16_t samples[WIDTH * HEIGHT];
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        samples[k] = (uint16_t)((k % WIDTH + k / WIDTH) % 2 ? 60000 : 10000);
    struct raster *raster = fixture_grey(WIDTH, HEIGHT, samples, &fixture_pixel);
    double pixel = raster_pixel_rad(raster), widest = 0.0;
    for (int k = 0; k < 500; k++) {
        struct double3 dir = fixture_random_dir();
        CHECK(fabs(fixture_at(raster, dir, 2.0 * pixel).v - 35000.0) < 0.01);
        CHECK(fabs(fixture_at(raster, dir, 5.0 * pixel).v - 35000.0) < 0.01);
        widest = fmax(widest, fabs(fixture_at(raster, dir, pixel).v - 35000.0));
    }
    CHECK(widest > 20000.0); // near, it is one
    raster_free(raster);
}

// Stripes along the meridians are ever finer on the ground towards a pole.
static void meridian_stripes_do_not_alias_at_the_poles(void)
{
    enum { WIDTH = 720, HEIGHT = 360, PERIOD = 12 };
    uint16_t *samples = plain_alloc(NULL, sizeof *samples * WIDTH * HEIGHT);
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        samples[k] = (uint16_t)(k % PERIOD < PERIOD / 2 ? 50000 : 20000);
    struct raster *raster = fixture_grey(WIDTH, HEIGHT, samples, &fixture_pixel);
    double pixel = raster_pixel_rad(raster);
    for (int k = 1; k <= 2; k++) {
        double spread[4] = {0.0};
        static const double lats[4] = {89.9, 87.0, -80.0, 5.0};
        for (int i = 0; i < 4; i++) {
            double low = 1e9, high = -1e9;
            for (int j = 0; j < 240; j++) {
                double v = fixture_lat_lon(raster, lats[i], 0.05 * j, pixel * (1 << k));
                low = fmin(low, v), high = fmax(high, v);
            }
            spread[i] = high - low;
        }
        // A period is 6 degrees of longitude: 0.01, 0.3, 1.04 and 6 degrees on the ground, and a pixel 1 or 2.
        CHECK_TEXT(spread[0] < 300.0 && spread[1] < 1500.0, "%g %g", spread[0], spread[1]);
        CHECK_TEXT(spread[2] < 30000.0 / (k == 1 ? 1.5 : 5.0), "%g", spread[2]);
        CHECK_TEXT(spread[3] > 28000.0, "%g", spread[3]);
    }
    raster_free(raster);
    free(samples);
}

static void parallels_keep_their_detail_up_to_the_poles(void)
{
    enum { WIDTH = 240, HEIGHT = 120 };
    uint16_t *samples = plain_alloc(NULL, sizeof *samples * WIDTH * HEIGHT);
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        samples[k] = (uint16_t)(k / WIDTH / 4 % 2 ? 50000 : 20000);
    struct raster *raster = fixture_grey(WIDTH, HEIGHT, samples, &fixture_pixel);
    double pixel = raster_pixel_rad(raster);
    for (int ring = 0; ring < 10; ring++) {
        double v = fixture_lat_lon(raster, 90.0 - 1.5 * (4 * ring + 2), 77.0 * ring, 2.0 * pixel);
        CHECK_TEXT(fabs(v - (ring % 2 ? 50000.0 : 20000.0)) < 5000.0, "ring %d: %g", ring, v);
    }
    raster_free(raster);
    free(samples);
}

static void between_two_mips_it_goes_evenly_by_the_logarithm(void)
{
    static const struct raster_options regional = {10, 100, RASTER_PIXEL};
    for (int g = 0; g < 2; g++) {
        uint16_t *samples = fixture_noise(50, 30);
        struct raster *raster = fixture_grey(50, 30, samples, g ? &regional : &fixture_pixel);
        double pixel = raster_pixel_rad(raster);
        for (int k = 0; k < 100; k++) {
            struct double3 dir = fixture_random_dir();
            double base = pixel * (1 << k % 4);
            struct fixture_value a = fixture_at(raster, dir, base), b = fixture_at(raster, dir, 2.0 * base);
            struct fixture_value middle = fixture_at(raster, dir, base * sqrt(2.0));
            struct fixture_value quarter = fixture_at(raster, dir, base * sqrt(sqrt(2.0)));
            CHECK(fabs(middle.v - 0.5 * (a.v + b.v)) < 1e-6);
            CHECK(fabs(quarter.v - (0.75 * a.v + 0.25 * b.v)) < 1e-6);
            struct double3 mean = double3_scale(double3_add(a.gradient, b.gradient), 0.5);
            CHECK(double3_length(double3_sub(middle.gradient, mean)) < 1e-4);
            CHECK(fabs(fixture_at(raster, dir, base * (1.0 - 1e-10)).v - a.v) < 0.1);
            CHECK(fabs(fixture_at(raster, dir, base * (1.0 + 1e-10)).v - a.v) < 0.1);
        }
        raster_free(raster);
        free(samples);
    }
}

static void mips_stay_within_the_range_of_the_picture(void)
{
    static const int sizes[][2] = {{64, 32}, {37, 19}, {5, 40}, {40, 5}};
    for (int g = 0; g < 4; g++) {
        int width = sizes[g][0], height = sizes[g][1];
        uint16_t *samples = fixture_noise(width, height);
        for (int k = 0; k < width * height; k++)
            samples[k] = samples[k] & 1 ? 40000 : 20000;
        struct raster *raster = fixture_grey(width, height, samples, &fixture_pixel);
        for (int k = 0; k < 400; k++) {
            double v = fixture_at(raster, fixture_random_dir(), raster_pixel_rad(raster) * (1 << (1 + k % 7))).v;
            // Catmull-Rom both ways leaves a range by at most 0.5625 of it.
            CHECK_TEXT(v > 20000.0 - 11250.0 && v < 40000.0 + 11250.0, "%g", v);
        }
        raster_free(raster);
        free(samples);
    }
}

// Halving cells, noise loses half of its amplitude a mip, and more where columns crowd.
static void noise_fades_with_the_spacing(void)
{
    uint16_t *samples = fixture_noise(256, 128);
    struct raster *raster = fixture_grey(256, 128, samples, &fixture_pixel);
    double pixel = raster_pixel_rad(raster), before = 0.0;
    for (int k = 0; k < 5; k++) {
        double sum = 0.0;
        for (int block = 0; block < 40; block++) {
            struct double3 dirs[PLANET_BLOCK];
            double values[PLANET_BLOCK];
            for (int i = 0; i < PLANET_BLOCK; i++)
                dirs[i] = fixture_random_dir();
            fixture_block(raster, dirs, values, pixel * (1 << k));
            for (int i = 0; i < PLANET_BLOCK; i++)
                sum += (values[i] - 32767.5) * (values[i] - 32767.5);
        }
        double deviation = sqrt(sum / (40 * PLANET_BLOCK));
        CHECK_TEXT(k == 0 || (deviation > 0.3 * before && deviation < 0.6 * before), "mip %d: %g after %g", k,
                   deviation, before);
        before = deviation;
    }
    raster_free(raster);
    free(samples);
}

// Mips lie where the picture lies: what grows evenly eastward does so from any distance.
static void mips_of_regional_rasters_do_not_shift(void)
{
    static const struct raster_options options[] = {
        {20, 120, RASTER_PIXEL}, {20, 120, RASTER_NODE}, {-40, 77, RASTER_NODE}, {200, 333, RASTER_PIXEL}};
    static const int widths[] = {40, 41, 38, 27};
    for (int g = 0; g < 4; g++) {
        int width = widths[g], nodes = options[g].registration == RASTER_NODE;
        double span = options[g].east_deg - options[g].west_deg, column_deg = span / (width - nodes);
        uint16_t samples[41 * 30];
        for (int k = 0; k < width * 30; k++)
            samples[k] = (uint16_t)floor(10000.5 + 400.0 * (k % width + (nodes ? 0.0 : 0.5)) * column_deg);
        struct raster *raster = fixture_grey(width, 30, samples, &options[g]);
        for (int k = 0; k < 60; k++) {
            double spacing = raster_pixel_rad(raster) * (k % 2 ? 2.0 : 3.7), share = 0.3 + 0.4 * check_random_unit();
            double v =
                fixture_lat_lon(raster, 40.0 * check_random_unit() - 20.0, options[g].west_deg + share * span, spacing);
            CHECK_TEXT(fabs(v - 10000.0 - 400.0 * share * span) < 20.0, "options %d: %g, not %g", g, v,
                       10000.0 + 400.0 * share * span);
        }
        raster_free(raster);
    }
}

static void colours_are_averaged_as_light(void)
{
    enum { WIDTH = 16, HEIGHT = 8 };
    uint16_t samples[WIDTH * HEIGHT * 3];
    for (int k = 0; k < WIDTH * HEIGHT * 3; k++)
        samples[k] = (uint16_t)(k / 3 % 2 ? 255 : 0);
    struct raster *raster = fixture_raster((struct plain_header){WIDTH, HEIGHT, 8, 2, 0}, samples, &fixture_pixel);
    double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[3][PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct double3 dir = fixture_random_dir();
        x[k] = dir.x, y[k] = dir.y, z[k] = dir.z;
    }
    raster_sample_color(raster, (double *const[3]){out[0], out[1], out[2]}, x, y, z, 2.0 * raster_pixel_rad(raster));
    for (int k = 0; k < PLANET_BLOCK; k++)
        CHECK(fabs(out[0][k] - 0.5) < 1e-6 && fabs(out[1][k] - 0.5) < 1e-6 && fabs(out[2][k] - 0.5) < 1e-6);
    raster_free(raster);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_mip_keeps_the_mean_of_the_sphere);
    CHECK_RUN(up_to_one_pixel_no_mip_is_used);
    CHECK_RUN(a_checkerboard_becomes_grey);
    CHECK_RUN(meridian_stripes_do_not_alias_at_the_poles);
    CHECK_RUN(parallels_keep_their_detail_up_to_the_poles);
    CHECK_RUN(between_two_mips_it_goes_evenly_by_the_logarithm);
    CHECK_RUN(mips_stay_within_the_range_of_the_picture);
    CHECK_RUN(noise_fades_with_the_spacing);
    CHECK_RUN(mips_of_regional_rasters_do_not_shift);
    CHECK_RUN(colours_are_averaged_as_light);
    return CHECK_END;
}
