// SPDX-License-Identifier: MIT
#include "bake/planet/raster.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/raster_level.h"
#include "bake/planet/raster_mip.h"
#include "bake/planet/raster_parallel.h"
#include "bake/planet/raster_png.h"
#include "common/srgb.h"
#include "common/stable_math.h"

// 65,536 columns halve 17 times; a few more where the axes take turns.
#define LEVELS_MAX 40

// A raster closes around the planet if it does to this share of a column.
#define CLOSE_COLUMNS 0.01

struct raster {
    struct raster_image image;
    float *linear; // of a colour's samples, NULL where grey
    int level_count;
    struct raster_level levels[LEVELS_MAX]; // pixel_rad grows
    double *parallels;                      // tables of level 0
    float *mips;                            // samples of levels 1.., one after the other
};

static enum status_code make_linear(struct raster *raster, const char *path, struct status *status)
{
    size_t count = (size_t)1 << raster->image.bits;
    raster->linear = malloc(count * sizeof *raster->linear);
    if (!raster->linear)
        return status_fail_memory(status, path, count * sizeof *raster->linear);
    for (size_t k = 0; k < count; k++)
        raster->linear[k] = (float)srgb_decode((double)k / (double)(count - 1));
    return STATUS_OK;
}

// Lays the picture on the sphere: level 0.
static enum status_code place_picture(struct raster *raster, const char *path, const struct raster_options *options,
                                      struct status *status)
{
    const struct raster_image *image = &raster->image;
    double west = options->west_deg, span = options->east_deg - options->west_deg;
    bool nodes = options->registration == RASTER_NODE;
    if (!(west >= -360.0 && west <= 360.0 && span >= 0.001 && span < 360.001))
        return status_fail(status, STATUS_INPUT,
                           "%s: west %g and east %g: wanted -360 <= west < east <= west + 360, and 0.001 between them",
                           path, west, options->east_deg);
    if (nodes && (image->width < 2 || image->height < 2))
        return status_fail(status, STATUS_INPUT, "%s: is %d x %d; node registration needs two columns and rows", path,
                           image->width, image->height);
    int intervals = nodes ? image->width - 1 : image->width;
    double column_deg = span / intervals, rest = (360.0 - span) / column_deg; // columns that are missing
    struct raster_level level = {
        .columns = image->width,
        .rows = image->height,
        .nodes = nodes,
        .turn_columns = 360.0 / column_deg,
        .row_rad = STABLE_PI / (nodes ? image->height - 1 : image->height),
        .store = image->bits == 8 ? RASTER_U8 : RASTER_U16,
        .channels = image->channels,
        .row_stride = (size_t)image->width * (size_t)image->channels,
        .samples = image->samples,
        .linear = raster->linear,
    };
    if (fabs(rest) <= CLOSE_COLUMNS || (nodes && fabs(rest - 1.0) <= CLOSE_COLUMNS)) {
        level.wraps = true;
        level.columns = fabs(rest) <= CLOSE_COLUMNS ? intervals : image->width;
        level.turn_columns = level.columns;
    }
    raster_level_set_zero(&level, -west / 360.0 * level.turn_columns - (nodes ? 0.0 : 0.5));
    double column_rad = 2.0 * STABLE_PI / level.turn_columns;
    bool by_row = level.rows > 1 && (level.columns == 1 || level.row_rad < column_rad);
    level.pixel_rad = by_row ? level.row_rad : column_rad;
    raster_level_prepare_poles(&level);
    raster->levels[0] = level;
    raster->level_count = 1;
    return STATUS_OK;
}

static enum status_code make_parallels(struct raster *raster, const char *path, struct status *status)
{
    size_t count = raster_parallel_doubles(&raster->levels[0]);
    raster->parallels = malloc(count * sizeof *raster->parallels);
    if (!raster->parallels)
        return status_fail_memory(status, path, count * sizeof *raster->parallels);
    raster_parallel_prepare(&raster->levels[0], raster->parallels);
    return STATUS_OK;
}

static enum status_code make_mips(struct raster *raster, const char *path, struct status *status)
{
    struct raster_level *levels = raster->levels;
    size_t total = 0;
    while (raster->level_count < LEVELS_MAX) {
        struct raster_level *mip = &levels[raster->level_count];
        if (!raster_mip_shape(mip, mip - 1))
            break;
        total += (size_t)mip->rows * mip->row_stride;
        raster->level_count++;
    }
    if (raster->level_count == 1)
        return STATUS_OK;
    size_t scratch_bytes = raster_mip_scratch_bytes(&levels[1], &levels[0]);
    void *scratch = malloc(scratch_bytes);
    raster->mips = malloc(total * sizeof *raster->mips);
    if (!scratch || !raster->mips) {
        free(scratch);
        return status_fail_memory(status, path, total * sizeof *raster->mips + scratch_bytes);
    }
    float *samples = raster->mips;
    for (int k = 1; k < raster->level_count; k++) {
        raster_mip_fill(&levels[k], samples, &levels[k - 1], arena_over(scratch, scratch_bytes));
        samples += (size_t)levels[k].rows * levels[k].row_stride;
    }
    free(scratch);
    return STATUS_OK;
}

enum status_code raster_load(struct raster **raster, const char *path, const struct raster_options *options,
                             struct status *status)
{
    struct raster *made = calloc(1, sizeof *made);
    *raster = NULL;
    if (!made)
        return status_fail_memory(status, path, sizeof *made);
    enum status_code code = raster_png_read(&made->image, path, status);
    if (code == STATUS_OK && made->image.channels == 3)
        code = make_linear(made, path, status);
    if (code == STATUS_OK)
        code = place_picture(made, path, options, status);
    if (code == STATUS_OK)
        code = make_parallels(made, path, status);
    if (code == STATUS_OK)
        code = make_mips(made, path, status);
    if (code != STATUS_OK) {
        raster_free(made);
        return code;
    }
    *raster = made;
    return STATUS_OK;
}

void raster_free(struct raster *raster)
{
    if (!raster)
        return;
    raster_image_free(&raster->image);
    free(raster->linear);
    free(raster->parallels);
    free(raster->mips);
    free(raster);
}

bool raster_is_color(const struct raster *raster)
{
    return raster->image.channels == 3;
}

void raster_sha256(const struct raster *raster, uint8_t digest[SHA256_BYTES])
{
    memcpy(digest, raster->image.sha256, SHA256_BYTES);
}

double raster_pixel_rad(const struct raster *raster)
{
    return raster->levels[0].pixel_rad;
}

// log2 of x >= 1, with the same bits everywhere; exact for powers of two.
static double log2_of(double x)
{
    double whole = 0.0;
    while (x >= 2.0) {
        x *= 0.5;
        whole += 1.0;
    }
    // ln x = 2 artanh z, |z| <= 1/3: 20 terms leave 1e-20.
    double z = (x - 1.0) / (x + 1.0), sum = 0.0;
    for (int k = 39; k >= 1; k -= 2)
        sum = sum * z * z + 1.0 / k;
    return whole + 2.0 * z * sum * 1.44269504088896340736;
}

// The two levels around a spacing, and how much of the coarser one.
struct mixture {
    const struct raster_level *fine, *coarse;
    double coarse_share; // 0: coarse is not looked at
};

static struct mixture mixture_of(const struct raster *raster, double spacing)
{
    int k = 0;
    while (k + 1 < raster->level_count && spacing >= raster->levels[k + 1].pixel_rad)
        k++;
    const struct raster_level *fine = &raster->levels[k];
    struct mixture mixture = {fine, fine, 0.0};
    // A hair above one pixel, which rounding of the same spacing may give, is one pixel.
    if (k + 1 == raster->level_count || !(spacing > fine->pixel_rad * (1.0 + 1e-9)))
        return mixture;
    mixture.coarse = fine + 1;
    mixture.coarse_share = log2_of(spacing / fine->pixel_rad) / log2_of(mixture.coarse->pixel_rad / fine->pixel_rad);
    return mixture;
}

static void mixture_value(const struct mixture *mixture, const struct raster_place *place, double spacing,
                          struct raster_value value[RASTER_CHANNELS_MAX])
{
    raster_level_value(mixture->fine, place, spacing, value);
    if (mixture->coarse_share == 0.0)
        return;
    struct raster_value coarse[RASTER_CHANNELS_MAX];
    raster_level_value(mixture->coarse, place, spacing, coarse);
    for (int k = 0; k < mixture->fine->channels; k++) {
        value[k].v += mixture->coarse_share * (coarse[k].v - value[k].v);
        value[k].by_lat += mixture->coarse_share * (coarse[k].by_lat - value[k].by_lat);
        value[k].by_east += mixture->coarse_share * (coarse[k].by_east - value[k].by_east);
    }
}

void raster_sample(const struct raster *raster, struct field out, const double *x, const double *y, const double *z,
                   double spacing)
{
    assert(!raster_is_color(raster));
    struct mixture mixture = mixture_of(raster, spacing);
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct raster_place place = raster_place_of(x[k], y[k], z[k]);
        struct raster_value value[RASTER_CHANNELS_MAX];
        mixture_value(&mixture, &place, spacing, value);
        out.v[k] = value[0].v;
        if (!out.gx)
            continue;
        // north = (-sin lat cos lon, -sin lat sin lon, cos lat), east = (-sin lon, cos lon, 0).
        out.gx[k] = -value[0].by_lat * place.z * place.cos_lon - value[0].by_east * place.sin_lon;
        out.gy[k] = -value[0].by_lat * place.z * place.sin_lon + value[0].by_east * place.cos_lon;
        out.gz[k] = value[0].by_lat * place.cos_lat;
    }
}

void raster_sample_color(const struct raster *raster, double *const out[3], const double *x, const double *y,
                         const double *z, double spacing)
{
    assert(raster_is_color(raster));
    struct mixture mixture = mixture_of(raster, spacing);
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct raster_place place = raster_place_of(x[k], y[k], z[k]);
        struct raster_value value[RASTER_CHANNELS_MAX];
        mixture_value(&mixture, &place, spacing, value);
        for (int channel = 0; channel < 3; channel++) {
            double v = value[channel].v;
            out[channel][k] = v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
        }
    }
}
