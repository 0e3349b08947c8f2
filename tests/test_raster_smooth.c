// SPDX-License-Identifier: MIT
// How smooth a raster is: its gradient, and its poles.
#include "tests/raster_fixture.h"

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
            double lat = fixture_lat(&options, height, k / width), lon = fixture_lon(&options, width, k % width);
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

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_gradient_is_that_of_the_value_everywhere);
    CHECK_RUN(at_the_poles_it_has_one_value_and_one_gradient);
    CHECK_RUN(a_node_rasters_pole_is_the_mean_of_its_row);
    CHECK_RUN(a_node_rasters_pole_row_counts_as_its_mean_everywhere);
    CHECK_RUN(a_regional_node_rasters_pole_is_the_mean_all_around);
    CHECK_RUN(a_pixel_rasters_dome_is_round_at_the_pole);
    CHECK_RUN(a_slope_goes_straight_over_the_poles);
    return CHECK_END;
}
