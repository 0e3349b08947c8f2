// SPDX-License-Identifier: MIT
// Small rasters for tests: written as PNG by zlib alone, loaded, and asked at latitudes and longitudes.
#ifndef TERRANE_TESTS_RASTER_FIXTURE_H
#define TERRANE_TESTS_RASTER_FIXTURE_H

#include <math.h>
#include <unistd.h>

#include "bake/planet/raster.h"
#include "common/stable_math.h"
#include "common/vec3.h"
#include "tests/check.h"
#include "tests/plain_png.h"

// The whole planet from Greenwich.
static const struct raster_options fixture_pixel = {0.0, 360.0, RASTER_PIXEL};
static const struct raster_options fixture_node = {0.0, 360.0, RASTER_NODE};

// Spacing that asks for the picture alone.
#define FINE 1e-6

static inline double fixture_column_deg(const struct raster_options *options, int width)
{
    int intervals = options->registration == RASTER_NODE ? width - 1 : width;
    return (options->east_deg - options->west_deg) / intervals;
}

// Every sample's own place, written down from the header's words alone.
static inline double fixture_lon(const struct raster_options *options, int width, int column)
{
    double inset = options->registration == RASTER_NODE ? 0.0 : 0.5;
    return options->west_deg + (column + inset) * fixture_column_deg(options, width);
}

static inline double fixture_lat(const struct raster_options *options, int height, int row)
{
    return options->registration == RASTER_NODE ? 90.0 - row * 180.0 / (height - 1)
                                                : 90.0 - (row + 0.5) * 180.0 / height;
}

// Saves bytes under a name of its own, loads them and removes the file.
static inline enum status_code fixture_load(struct raster **raster, const void *bytes, size_t size,
                                            const struct raster_options *options, struct status *status)
{
    char path[] = "/tmp/terrane-raster-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || close(fd) != 0)
        abort();
    enum status_code code = raster_load(raster, path, options, status);
    unlink(path);
    return code;
}

static inline struct raster *fixture_raster(struct plain_header header, const uint16_t *samples,
                                            const struct raster_options *options)
{
    struct plain_bytes file = plain_png(header, samples);
    struct raster *raster;
    struct status status;
    if (fixture_load(&raster, file.bytes, file.size, options, &status) != STATUS_OK) {
        printf("%s\n", status.text);
        abort();
    }
    plain_free(&file);
    return raster;
}

// 16-bit grey.
static inline struct raster *fixture_grey(int width, int height, const uint16_t *samples,
                                          const struct raster_options *options)
{
    return fixture_raster((struct plain_header){(uint32_t)width, (uint32_t)height, 16, 0, 0}, samples, options);
}

static inline uint16_t *fixture_noise(int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    uint16_t *samples = plain_alloc(NULL, count * sizeof *samples);
    for (size_t k = 0; k < count; k++)
        samples[k] = (uint16_t)check_random_below(65536);
    return samples;
}

static inline struct double3 fixture_dir(double lat_deg, double lon_deg)
{
    double sin_lat, cos_lat, sin_lon, cos_lon;
    stable_sincos_deg(lat_deg, &sin_lat, &cos_lat);
    stable_sincos_deg(lon_deg, &sin_lon, &cos_lon);
    return (struct double3){cos_lat * cos_lon, cos_lat * sin_lon, sin_lat};
}

static inline struct double3 fixture_random_dir(void)
{
    struct double3 v;
    do {
        v = (struct double3){check_random_unit() - 0.5, check_random_unit() - 0.5, check_random_unit() - 0.5};
    } while (double3_length(v) < 0.05 || double3_length(v) > 0.5);
    return double3_normalise(v);
}

struct fixture_value {
    double v;
    struct double3 gradient;
};

// The first of a block; the others are elsewhere.
static inline struct fixture_value fixture_at(const struct raster *raster, struct double3 dir, double spacing)
{
    static double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], out[4][PLANET_BLOCK];
    x[0] = dir.x, y[0] = dir.y, z[0] = dir.z;
    for (int k = 1; k < PLANET_BLOCK; k++)
        x[k] = 0.6, y[k] = -0.8, z[k] = 0.0;
    struct field field = {out[0], out[1], out[2], out[3]};
    raster_sample(raster, field, x, y, z, spacing);
    return (struct fixture_value){out[0][0], {out[1][0], out[2][0], out[3][0]}};
}

// Values of a whole block of directions.
static inline void fixture_block(const struct raster *raster, const struct double3 dirs[PLANET_BLOCK],
                                 double values[PLANET_BLOCK], double spacing)
{
    static double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK];
    for (int k = 0; k < PLANET_BLOCK; k++)
        x[k] = dirs[k].x, y[k] = dirs[k].y, z[k] = dirs[k].z;
    raster_sample(raster, (struct field){values, NULL, NULL, NULL}, x, y, z, spacing);
}

static inline double fixture_lat_lon(const struct raster *raster, double lat_deg, double lon_deg, double spacing)
{
    return fixture_at(raster, fixture_dir(lat_deg, lon_deg), spacing).v;
}

#endif
