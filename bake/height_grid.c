// SPDX-License-Identifier: MIT
#include "bake/height_grid.h"

#include <assert.h>
#include <stdlib.h>

#include "bake/interrupt.h"
#include "bake/map_paint.h"
#include "common/byteorder.h"

// Rows that a thread takes at a time.
#define BAND_ROWS 32

static int matching_level(int width, int intervals, int level_max)
{
    int level = 0;
    while (level < level_max && 4 * tile_lattice_size(intervals, level) < 2 * (int64_t)width)
        level++;
    return level;
}

static enum status_code check_pack(const struct pack *pack, struct status *status)
{
    if (!(pack_get_info(pack)->layers & 1u << LAYER_HEIGHT))
        return status_fail(status, STATUS_INPUT, "%s: has no height layer", pack_path(pack));
    if (pack_full_depth(pack) < 0)
        return status_fail(status, STATUS_INPUT,
                           "%s: is incomplete: no level has all its tiles on all six faces; bake the whole planet, or "
                           "merge the shares",
                           pack_path(pack));
    return STATUS_OK;
}

// One band through row_bytes * BAND_ROWS bytes.
static enum status_code sample_band(struct height_grid *grid, struct map_painter *painter, int row, double unit_m,
                                    uint8_t *bytes, struct status *status)
{
    int left = grid->width / 2 - row, rows = left < BAND_ROWS ? left : BAND_ROWS;
    enum status_code code = map_paint(painter, row, rows, bytes, status);
    if (!code)
        code = interrupt_check(status);
    if (code)
        return code;
    size_t count = (size_t)rows * (size_t)grid->width;
    float *target = grid->heights_m + (size_t)row * (size_t)grid->width;
    for (size_t k = 0; k < count; k++)
        target[k] = (float)(unit_m * get_i32le(bytes + 4 * k));
    return STATUS_OK;
}

// One thread's part: bands first, first + step, ...
static enum status_code sample_bands(struct height_grid *grid, const struct pack *pack, int first, int step,
                                     struct status *status)
{
    struct map_request request = {.width = grid->width, .style = MAP_RAW, .level = grid->level};
    double unit_m = height_unit_m(pack_get_info(pack)->height_exponent);
    struct map_painter *painter;
    enum status_code code = map_painter_new(&painter, pack, &request, status);
    if (code)
        return code;
    size_t band_bytes = map_row_bytes(&request) * BAND_ROWS;
    uint8_t *bytes = malloc(band_bytes);
    if (!bytes)
        code = status_fail_memory(status, "map", band_bytes);
    for (int row = first * BAND_ROWS; row < grid->width / 2 && !code; row += step * BAND_ROWS)
        code = sample_band(grid, painter, row, unit_m, bytes, status);
    if (!code && map_bare_pixels(painter) > 0)
        code = status_fail(status, STATUS_INPUT, "%s: is incomplete: tiles of level %d are missing", pack_path(pack),
                           grid->level);
    free(bytes);
    map_painter_free(painter);
    return code;
}

enum status_code height_grid_sample(struct height_grid *grid, const struct pack *pack, int width, int thread_count,
                                    struct status *status)
{
    assert(width >= 2 && width <= MAP_WIDTH_MAX && width % 2 == 0 && thread_count >= 1);
    *grid = (struct height_grid){0};
    enum status_code code = check_pack(pack, status);
    if (code)
        return code;
    const struct pack_info *info = pack_get_info(pack);
    size_t bytes = (size_t)width * (size_t)(width / 2) * sizeof(float);
    *grid = (struct height_grid){
        .width = width,
        .heights_m = malloc(bytes),
        .level = matching_level(width, info->intervals, pack_full_depth(pack)),
        .radius_m = info->radius_m,
        .spacing_m = STABLE_PI * info->radius_m / (width / 2),
    };
    if (!grid->heights_m)
        return status_fail_memory(status, "heights", bytes);
    grid->pack_spacing_m = tile_spacing_m(info->radius_m, info->intervals, grid->level);
#pragma omp parallel for num_threads(thread_count) schedule(static, 1)
    for (int thread = 0; thread < thread_count; thread++) {
        struct status trouble;
        enum status_code outcome = sample_bands(grid, pack, thread, thread_count, &trouble);
#pragma omp critical(height_grid_trouble)
        if (outcome && !code) {
            code = outcome;
            *status = trouble;
        }
    }
    if (code)
        height_grid_free(grid);
    return code;
}

void height_grid_free(struct height_grid *grid)
{
    free(grid->heights_m);
    grid->heights_m = NULL;
}
