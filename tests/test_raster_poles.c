// SPDX-License-Identifier: MIT
// Rasters up to a spacing of one pixel where meridians crowd: rows averaged along longitude.
#include "tests/raster_fixture.h"

#define MOLA "tests/data/mars_mola_1440x720_u16.png"
#define MARS_RADIUS_M 3389500.0
#define NOISE_M 500.0

static const struct {
    int width, height;
    struct raster_options options;
} grids[] = {{720, 360, {0, 360, RASTER_PIXEL}},   {361, 181, {-180, 180, RASTER_NODE}},
             {200, 180, {30, 200, RASTER_PIXEL}},  {171, 181, {30, 200, RASTER_NODE}},
             {300, 100, {-20, 340, RASTER_PIXEL}}, {17, 90, {0, 360, RASTER_PIXEL}}};
#define GRIDS (sizeof grids / sizeof *grids)

static struct raster *noise_raster(size_t g)
{
    uint16_t *samples = fixture_noise(grids[g].width, grids[g].height);
    struct raster *raster = fixture_grey(grids[g].width, grids[g].height, samples, &grids[g].options);
    free(samples);
    return raster;
}

// |latitude| 80 to 89.99, ever closer to the pole.
static struct double3 polar_dir(int k)
{
    double rho = pow(10.0, 1.0 - 3.0 * check_random_unit());
    return fixture_dir(k & 1 ? 90.0 - rho : rho - 90.0, 360.0 * check_random_unit());
}

static void the_gradient_of_noise_is_bounded_by_its_range_over_the_spacing(void)
{
    for (size_t g = 0; g < GRIDS; g++) {
        struct raster *raster = noise_raster(g);
        double steepest = 0.0;
        for (int k = 0; k < 3000; k++) {
            double spacing = raster_pixel_rad(raster) / (1 << k % 4);
            struct fixture_value at = fixture_at(raster, polar_dir(k / 4), spacing);
            steepest = fmax(steepest, double3_length(at.gradient) * spacing / 65535.0);
        }
        CHECK_TEXT(steepest < 3.5, "grid %zu: %g ranges over a spacing", g, steepest);
        raster_free(raster);
    }
}

static void the_gradient_is_that_of_the_value_at_the_same_spacing(void)
{
    for (size_t g = 0; g < GRIDS; g++) {
        struct raster *raster = noise_raster(g);
        for (int k = 0; k < 600; k++) {
            // Less than a column on the ground, even here: the slope of a mean has kinks.
            const double step = 1e-8;
            double spacing = raster_pixel_rad(raster) * (1.0 + k % 7) / 7.0;
            struct double3 dir = k % 3 ? polar_dir(k) : fixture_random_dir();
            struct double3 axis = fabs(dir.z) < 0.8 ? (struct double3){0, 0, 1} : (struct double3){1, 0, 0};
            struct double3 a = double3_normalise(double3_cross(dir, axis)), b = double3_cross(dir, a);
            struct fixture_value here = fixture_at(raster, dir, spacing);
            for (int i = 0; i < 2; i++) {
                struct double3 along = double3_scale(i ? b : a, step);
                double ahead = fixture_at(raster, double3_normalise(double3_add(dir, along)), spacing).v;
                double behind = fixture_at(raster, double3_normalise(double3_sub(dir, along)), spacing).v;
                double numeric = (ahead - behind) / (2.0 * step), analytic = double3_dot(here.gradient, i ? b : a);
                CHECK_TEXT(fabs(numeric - analytic) < 5e-3 * 65535.0 / spacing,
                           "grid %zu at z = %g, spacing %g: %g, by differences %g", g, dir.z, spacing, analytic,
                           numeric);
            }
        }
        raster_free(raster);
    }
}

// Angle in degrees between two surfaces of a planet that slope by gradients in metres a radian.
static double angle_between(struct double3 dir, struct double3 a, struct double3 b, double radius_m)
{
    struct double3 m = double3_normalise(double3_sub(dir, double3_scale(a, 1.0 / radius_m)));
    struct double3 n = double3_normalise(double3_sub(dir, double3_scale(b, 1.0 / radius_m)));
    return asin(fmin(1.0, double3_length(double3_cross(m, n)))) / STABLE_DEGREE;
}

// As the heights of a tile's samples have it.
static struct double3 gradient_by_spacing(const struct raster *raster, struct double3 dir, double spacing)
{
    struct double3 a = double3_normalise(double3_cross(dir, (struct double3){1, 0, 0})), b = double3_cross(dir, a);
    struct double3 sum = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        struct double3 along = double3_scale(i ? b : a, 0.5 * spacing);
        double ahead = fixture_at(raster, double3_normalise(double3_add(dir, along)), spacing).v;
        double behind = fixture_at(raster, double3_normalise(double3_sub(dir, along)), spacing).v;
        sum = double3_add(sum, double3_scale(i ? b : a, (ahead - behind) / spacing));
    }
    return sum;
}

static double worst_normal(const struct raster *raster, double lat, double spacing, double unit_m)
{
    double worst = 0.0;
    for (int k = 0; k < 720; k++) {
        struct double3 dir = fixture_dir(lat, 0.5 * k + 0.1);
        struct double3 at = double3_scale(fixture_at(raster, dir, spacing).gradient, unit_m);
        struct double3 wanted = double3_scale(gradient_by_spacing(raster, dir, spacing), unit_m);
        worst = fmax(worst, angle_between(dir, at, wanted, MARS_RADIUS_M));
    }
    return worst;
}

static void normals_lie_as_the_heights_do(void)
{
    static const double lats[] = {89.99, 89.9, -89.9, 89.7, -89.2, 88.0, -85.0};
    struct raster *mars;
    struct status status;
    enum status_code code = raster_load(&mars, MOLA, &fixture_pixel, &status);
    CHECK_TEXT(code == STATUS_OK, "%s", status.text);
    if (code != STATUS_OK)
        return;
    uint16_t *samples = fixture_noise(1440, 720);
    struct raster *noise = fixture_grey(1440, 720, samples, &fixture_pixel);
    for (int k = 0; k < 7; k++) {
        for (int level = 2; level < 6; level++) {
            double spacing = STABLE_PI / 2 / (128 << level);
            double angle = worst_normal(mars, lats[k], spacing, 1.0);
            CHECK_TEXT(angle < (level < 4 ? 3.5 : 7.0), "Mars at %g, level %d: %g degrees", lats[k], level, angle);
            // A mean's slope is the difference of two points of its line: of white noise, up to all of its range.
            double allowed = 1.25 * atan(NOISE_M / (spacing * MARS_RADIUS_M)) / STABLE_DEGREE;
            angle = worst_normal(noise, lats[k], spacing, NOISE_M / 65535.0);
            CHECK_TEXT(angle < allowed, "noise at %g, level %d: %g degrees", lats[k], level, angle);
        }
    }
    raster_free(mars);
    raster_free(noise);
    free(samples);
}

static void at_the_pole_it_has_one_value_and_one_gradient(void)
{
    for (size_t g = 0; g < GRIDS; g++) {
        struct raster *raster = noise_raster(g);
        for (int k = 0; k < 80; k++) {
            double sign = k & 1 ? -1.0 : 1.0, spacing = raster_pixel_rad(raster) / (1 << k / 2 % 4);
            struct fixture_value pole = fixture_at(raster, (struct double3){0, 0, sign}, spacing);
            struct fixture_value near = fixture_at(raster, fixture_dir(sign * (90.0 - 1e-9), 4.5 * k), spacing);
            CHECK_TEXT(fabs(near.v - pole.v) < 0.01, "grid %zu: %g and %g", g, pole.v, near.v);
            CHECK(double3_length(double3_sub(near.gradient, pole.gradient)) < 1e-4 * 65535.0 / spacing);
        }
        raster_free(raster);
    }
}

// The line through a row's samples as the header words it, by column coordinate.
static double line_at(const uint16_t *row, size_t g, double c)
{
    int width = grids[g].width, nodes = grids[g].options.registration == RASTER_NODE;
    double turn = 360.0 / fixture_column_deg(&grids[g].options, width);
    bool wraps = fabs(turn - (width - nodes)) < 0.01;
    int columns = wraps ? (int)(turn + 0.5) : width;
    c -= turn * floor(c / turn);
    int k = (int)c;
    if (wraps || c < columns - 1)
        return row[k] + (c - k) * (row[(k + 1) % columns] - row[k]);
    double border = columns - (nodes ? 1.0 : 0.5), gap = turn - (columns - nodes);
    double t = fmin(1.0, fmax(0.0, ((c - border) / gap - 0.25) * 2.0));
    return row[columns - 1] + t * t * (3.0 - 2.0 * t) * (row[0] - row[columns - 1]);
}

static void a_row_is_the_mean_of_its_line_over_the_spacing(void)
{
    for (size_t g = 0; g < GRIDS; g++) {
        int width = grids[g].width, height = grids[g].height;
        uint16_t *samples = fixture_noise(width, height);
        struct raster *raster = fixture_grey(width, height, samples, &grids[g].options);
        double column_deg = fixture_column_deg(&grids[g].options, width),
               west = fixture_lon(&grids[g].options, width, 0);
        for (int k = 0; k < 60; k++) {
            int row = 1 + k % 5, at = k & 1 ? row : height - 1 - row;
            double lat = fixture_lat(&grids[g].options, height, at), c = check_random_unit() * 360.0 / column_deg;
            double spacing = raster_pixel_rad(raster) * (0.5 + 0.5 * check_random_unit());
            double columns = spacing / (column_deg * STABLE_DEGREE * cos(lat * STABLE_DEGREE)), sum = 0.0;
            if (columns < 2.0)
                continue;
            for (int i = 0; i < 20000; i++)
                sum += line_at(samples + at * width, g, c + columns * ((i + 0.5) / 20000.0 - 0.5));
            double v = fixture_lat_lon(raster, lat, west + c * column_deg, spacing);
            CHECK_TEXT(fabs(v - sum / 20000.0) < 2.0, "grid %zu row %d, %g columns at %g: %g, not %g", g, at, columns,
                       c, v, sum / 20000.0);
        }
        raster_free(raster);
        free(samples);
    }
}

static void rows_keep_their_means(void)
{
    enum { WIDTH = 180, HEIGHT = 90 };
    uint16_t *samples = fixture_noise(WIDTH, HEIGHT);
    struct raster *raster = fixture_grey(WIDTH, HEIGHT, samples, &fixture_pixel);
    for (int row = 0; row < HEIGHT; row++) {
        double mean = 0.0, found = 0.0;
        for (int column = 0; column < WIDTH; column++) {
            double lat = fixture_lat(&fixture_pixel, HEIGHT, row), lon = fixture_lon(&fixture_pixel, WIDTH, column);
            mean += samples[row * WIDTH + column] / (double)WIDTH;
            found += fixture_lat_lon(raster, lat, lon, raster_pixel_rad(raster)) / WIDTH;
        }
        CHECK_TEXT(fabs(found - mean) < 1e-3, "row %d: %.9g, not %.9g", row, found, mean);
    }
    raster_free(raster);
    free(samples);
}

static void from_the_samples_to_the_mean_nothing_jumps(void)
{
    for (size_t g = 0; g < GRIDS; g++) {
        struct raster *raster = noise_raster(g);
        double pixel = raster_pixel_rad(raster);
        for (int k = 0; k < 12; k++) {
            // Through all spacings in one place, and through all latitudes at one spacing.
            double lat = 45.0 + 44.9 * check_random_unit(), lon = 360.0 * check_random_unit();
            double before = fixture_lat_lon(raster, lat, lon, 0.0);
            for (int i = 1; i <= 500; i++) {
                double v = fixture_lat_lon(raster, lat, lon, pixel * pow(2.0, (i - 500.0) / 50.0));
                CHECK_TEXT(fabs(v - before) < 0.03 * 65535.0, "grid %zu, lat %g, lon %g: %g to %g", g, lat, lon, before,
                           v);
                before = v;
            }
            for (int i = 0; i < 200; i++) {
                lat = 40.0 + 0.25 * i + 0.1 * check_random_unit();
                struct fixture_value a = fixture_at(raster, fixture_dir(lat, lon), 0.7 * pixel);
                struct fixture_value b = fixture_at(raster, fixture_dir(lat + 1e-7, lon), 0.7 * pixel);
                CHECK(fabs(a.v - b.v) < 1.0);
                CHECK(double3_length(double3_sub(a.gradient, b.gradient)) < 1e-3 * 65535.0 / pixel);
            }
        }
        raster_free(raster);
    }
}

static void colours_are_averaged_as_light(void)
{
    enum { WIDTH = 360, HEIGHT = 180 };
    uint16_t *samples = plain_alloc(NULL, sizeof *samples * WIDTH * HEIGHT * 3);
    for (int k = 0; k < WIDTH * HEIGHT * 3; k++)
        samples[k] = (uint16_t)((k / 3 + k % 3) % 2 ? 255 : 0); // green where red and blue are not
    struct raster *raster = fixture_raster((struct plain_header){WIDTH, HEIGHT, 8, 2, 0}, samples, &fixture_pixel);
    double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[3][PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct double3 dir = fixture_dir(k & 1 ? 89.2 : -89.2, 0.3 * k);
        x[k] = dir.x, y[k] = dir.y, z[k] = dir.z;
    }
    raster_sample_color(raster, (double *const[3]){out[0], out[1], out[2]}, x, y, z, 0.7 * raster_pixel_rad(raster));
    for (int k = 0; k < PLANET_BLOCK; k++) {
        for (int channel = 0; channel < 3; channel++)
            CHECK_TEXT(fabs(out[channel][k] - 0.5) < 0.05, "channel %d: %g", channel, out[channel][k]);
    }
    raster_free(raster);
    free(samples);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_gradient_of_noise_is_bounded_by_its_range_over_the_spacing);
    CHECK_RUN(the_gradient_is_that_of_the_value_at_the_same_spacing);
    CHECK_RUN(normals_lie_as_the_heights_do);
    CHECK_RUN(at_the_pole_it_has_one_value_and_one_gradient);
    CHECK_RUN(a_row_is_the_mean_of_its_line_over_the_spacing);
    CHECK_RUN(rows_keep_their_means);
    CHECK_RUN(from_the_samples_to_the_mean_nothing_jumps);
    CHECK_RUN(colours_are_averaged_as_light);
    return CHECK_END;
}
