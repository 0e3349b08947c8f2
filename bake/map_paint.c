// SPDX-License-Identifier: MIT
#include "bake/map_paint.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/height_picture.h"
#include "bake/relief.h"
#include "bake/sampler.h"
#include "bake/srgb.h"
#include "common/byteorder.h"
#include "common/stable_math.h"

// Pixels are painted in squares, which cross few tiles, rather than in rows, which cross a whole meridian's worth.
#define MAP_SQUARE 32
#define MAP_BARE_GRAY 128
// How much of the relief of the land the sea floor shows.
#define MAP_SEA_RELIEF 0.2
// Points along the equator at which the slopes of a planet are measured.
#define MAP_PROBE_WIDTH 128

// The local directions of a pixel's centre.
struct map_pixel {
    struct double3 up, east, north;
};

struct map_painter {
    struct map_request request;
    const struct pack *pack;
    const struct pack_info *info;
    struct sampler *sampler;
    double unit_m;
    struct srgb_table srgb;
    double exaggeration;
    uint64_t bare_pixels;
    double *sin_lon, *cos_lon; // of each column
};

static unsigned bit(enum layer_kind kind)
{
    return 1u << kind;
}

static enum status_code check_layers(const struct map_painter *painter, unsigned *layers, struct status *status)
{
    unsigned there = painter->info->layers, needed = 0;
    switch (painter->request.style) {
    case MAP_COLOR:
    case MAP_RELIEF: needed = bit(LAYER_COLOR); break;
    case MAP_NORMAL: needed = bit(LAYER_NORMAL); break;
    case MAP_HEIGHT:
    case MAP_RAW: needed = bit(LAYER_HEIGHT); break;
    }
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (needed & ~there & 1u << kind)
            return status_fail(status, STATUS_INPUT, "%s: has no %s layer", pack_path(painter->pack),
                               layer_names[kind]);
    }
    *layers = needed;
    if (painter->request.style == MAP_RELIEF) {
        if (!(there & (bit(LAYER_NORMAL) | bit(LAYER_HEIGHT))))
            return status_fail(status, STATUS_INPUT, "%s: has neither a normal nor a height layer, so no relief",
                               pack_path(painter->pack));
        *layers = there;
    }
    return STATUS_OK;
}

// The coarsest level with at least as many samples along the equator as there are pixels.
static int matching_level(int width, int intervals)
{
    int level = 0;
    while (level < TILE_LEVEL_MAX && 4 * tile_lattice_size(intervals, level) < width)
        level++;
    return level;
}

// Rise over run to the east and to the north.
static void local_slope(const struct map_painter *painter, const struct sampler_spot *spot,
                        const struct map_pixel *pixel, double *east, double *north)
{
    if (spot->normals) {
        struct double3 n = sampler_normal(spot);
        double up = double3_dot(n, pixel->up);
        up = up > 1e-3 ? up : 1e-3; // overhangs exist only in damaged tiles
        *east = -double3_dot(n, pixel->east) / up;
        *north = -double3_dot(n, pixel->north) / up;
        return;
    }
    struct double3 g = sampler_gradient(spot);
    double run = painter->info->radius_m / painter->unit_m + sampler_height(spot);
    *east = double3_dot(g, pixel->east) / run;
    *north = double3_dot(g, pixel->north) / run;
}

static bool is_sea(const struct map_painter *painter, const struct sampler_spot *spot)
{
    return painter->request.has_sea && spot->heights && sampler_height(spot) * painter->unit_m < painter->request.sea_m;
}

static struct map_pixel pixel_at(double sin_lat, double cos_lat, double sin_lon, double cos_lon)
{
    return (struct map_pixel){
        .up = {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat},
        .east = {-sin_lon, cos_lon, 0},
        .north = {-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat},
    };
}

// The root of the mean square slope of the land, on a coarse grid weighted by area.
static enum status_code measure_slopes(struct map_painter *painter, double *rms, struct status *status)
{
    double sum = 0, weight = 0;
    for (int row = 0; row < MAP_PROBE_WIDTH / 2; row++) {
        double sin_lat, cos_lat;
        stable_sincos_deg(90 - (row + 0.5) * (360.0 / MAP_PROBE_WIDTH), &sin_lat, &cos_lat);
        for (int column = 0; column < MAP_PROBE_WIDTH; column++) {
            double sin_lon, cos_lon;
            stable_sincos_deg((column + 0.5) * (360.0 / MAP_PROBE_WIDTH) - 180, &sin_lon, &cos_lon);
            struct map_pixel pixel = pixel_at(sin_lat, cos_lat, sin_lon, cos_lon);
            bool found;
            struct sampler_spot spot;
            enum status_code code = sampler_locate(painter->sampler, pixel.up, &found, &spot, status);
            if (code)
                return code;
            if (!found || is_sea(painter, &spot))
                continue;
            double east, north;
            local_slope(painter, &spot, &pixel, &east, &north);
            sum += cos_lat * (east * east + north * north);
            weight += cos_lat;
        }
    }
    *rms = weight > 0 ? sqrt(sum / weight) : 0;
    return STATUS_OK;
}

enum status_code map_painter_new(struct map_painter **painter, const struct pack *pack,
                                 const struct map_request *request, struct status *status)
{
    assert(request->width >= 2 && request->width <= MAP_WIDTH_MAX && request->width % 2 == 0);
    size_t columns_bytes = (size_t)request->width * sizeof(double);
    struct map_painter *made = calloc(1, sizeof *made);
    if (made) {
        made->sin_lon = malloc(columns_bytes);
        made->cos_lon = malloc(columns_bytes);
    }
    if (!made || !made->sin_lon || !made->cos_lon) {
        map_painter_free(made);
        return status_fail_memory(status, "map", 2 * columns_bytes);
    }
    made->request = *request;
    made->pack = pack;
    made->info = pack_get_info(pack);
    made->unit_m = height_unit_m(made->info->height_exponent);
    made->exaggeration = 1;
    srgb_prepare(&made->srgb);
    for (int column = 0; column < request->width; column++)
        stable_sincos_deg((column + 0.5) * 360 / request->width - 180, &made->sin_lon[column], &made->cos_lon[column]);

    bool automatic = request->level == MAP_LEVEL_AUTO;
    // Bilinear heights follow the ground well from two samples a pixel on; colours would glitter there.
    bool height = request->style == MAP_HEIGHT || request->style == MAP_RAW;
    int level = request->level;
    if (automatic)
        level = matching_level(height ? 2 * request->width : request->width, made->info->intervals);
    unsigned layers = 0;
    enum status_code code = check_layers(made, &layers, status);
    if (!code)
        code = sampler_new(&made->sampler, pack, layers, level, !automatic, status);
    if (!code && request->style == MAP_RELIEF) {
        double rms;
        code = measure_slopes(made, &rms, status);
        if (!code)
            made->exaggeration = relief_exaggeration(rms);
    }
    if (code) {
        map_painter_free(made);
        return code;
    }
    *painter = made;
    return STATUS_OK;
}

void map_painter_free(struct map_painter *painter)
{
    if (!painter)
        return;
    sampler_free(painter->sampler);
    free(painter->sin_lon);
    free(painter->cos_lon);
    free(painter);
}

size_t map_row_bytes(const struct map_request *request)
{
    return (size_t)request->width * (request->style == MAP_RAW ? 4 : 3);
}

uint64_t map_bare_pixels(const struct map_painter *painter)
{
    return painter->bare_pixels;
}

static int32_t height_units(const struct sampler_spot *spot)
{
    return (int32_t)floor(sampler_height(spot) + 0.5);
}

static void paint_color(const struct map_painter *painter, const struct sampler_spot *spot,
                        const struct map_pixel *pixel, uint8_t rgb[3])
{
    double light[3], shade = 1;
    sampler_color(spot, light);
    if (painter->request.style == MAP_RELIEF) {
        double east, north, k = painter->exaggeration;
        local_slope(painter, spot, pixel, &east, &north);
        if (is_sea(painter, spot))
            k *= MAP_SEA_RELIEF;
        shade = relief_shade(k * east, k * north);
    }
    for (int channel = 0; channel < 3; channel++)
        rgb[channel] = srgb_encode(&painter->srgb, light[channel] * shade);
}

static void paint_normal(const struct sampler_spot *spot, const struct map_pixel *pixel, uint8_t rgb[3])
{
    struct double3 n = sampler_normal(spot);
    double parts[3] = {double3_dot(n, pixel->east), double3_dot(n, pixel->north), double3_dot(n, pixel->up)};
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(floor(127 * parts[k] + 0.5) + 128);
}

static void paint_bare(const struct map_painter *painter, uint8_t *target)
{
    static const uint8_t gray[3] = {MAP_BARE_GRAY, MAP_BARE_GRAY, MAP_BARE_GRAY}, flat[3] = {128, 128, 255};
    switch (painter->request.style) {
    case MAP_COLOR:
    case MAP_RELIEF: memcpy(target, gray, 3); break;
    case MAP_NORMAL: memcpy(target, flat, 3); break;
    case MAP_HEIGHT: terrarium_encode(target, 0, painter->info->height_exponent); break;
    case MAP_RAW: put_i32le(target, 0); break;
    }
}

static enum status_code paint_pixel(struct map_painter *painter, const struct map_pixel *pixel, uint8_t *target,
                                    struct status *status)
{
    bool found;
    struct sampler_spot spot;
    enum status_code code = sampler_locate(painter->sampler, pixel->up, &found, &spot, status);
    if (code)
        return code;
    if (!found) {
        painter->bare_pixels++;
        paint_bare(painter, target);
        return STATUS_OK;
    }
    switch (painter->request.style) {
    case MAP_COLOR:
    case MAP_RELIEF: paint_color(painter, &spot, pixel, target); break;
    case MAP_NORMAL: paint_normal(&spot, pixel, target); break;
    case MAP_RAW: put_i32le(target, height_units(&spot)); break;
    case MAP_HEIGHT:
        if (!terrarium_encode(target, height_units(&spot), painter->info->height_exponent))
            return status_fail(status, STATUS_INPUT,
                               "%s: a height of %.6g m " TERRARIUM_BEYOND
                               "; take --raw, or --gray16 of terrane tile and extract",
                               pack_path(painter->pack), sampler_height(&spot) * painter->unit_m);
        break;
    }
    return STATUS_OK;
}

static enum status_code paint_square(struct map_painter *painter, int first_row, int row_count, int first_column,
                                     uint8_t *rows, struct status *status)
{
    int width = painter->request.width;
    size_t row_bytes = map_row_bytes(&painter->request), pixel_bytes = row_bytes / (size_t)width;
    int end_column = first_column + MAP_SQUARE < width ? first_column + MAP_SQUARE : width;
    for (int row = 0; row < row_count; row++) {
        double sin_lat, cos_lat;
        stable_sincos_deg(90 - (first_row + row + 0.5) * 360 / width, &sin_lat, &cos_lat);
        for (int column = first_column; column < end_column; column++) {
            struct map_pixel pixel = pixel_at(sin_lat, cos_lat, painter->sin_lon[column], painter->cos_lon[column]);
            uint8_t *target = rows + (size_t)row * row_bytes + (size_t)column * pixel_bytes;
            enum status_code code = paint_pixel(painter, &pixel, target, status);
            if (code)
                return code;
        }
    }
    return STATUS_OK;
}

enum status_code map_paint(struct map_painter *painter, int first_row, int row_count, uint8_t *rows,
                           struct status *status)
{
    assert(first_row >= 0 && row_count >= 0 && first_row + row_count <= painter->request.width / 2);
    size_t row_bytes = map_row_bytes(&painter->request);
    for (int row = 0; row < row_count; row += MAP_SQUARE) {
        int count = row_count - row < MAP_SQUARE ? row_count - row : MAP_SQUARE;
        for (int column = 0; column < painter->request.width; column += MAP_SQUARE) {
            enum status_code code =
                paint_square(painter, first_row + row, count, column, rows + (size_t)row * row_bytes, status);
            if (code)
                return code;
        }
    }
    return STATUS_OK;
}
