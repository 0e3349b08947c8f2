// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "bake/planet/planet_internal.h"
#include "common/arena.h"

_Static_assert((PLANET_WANT_GRADIENT | PLANET_WANT_COLOR) == PLANET_WANT_COUNT - 1, "programs are indexed by wants");

size_t planet_scratch_bytes(const struct planet *planet)
{
    uint32_t lane_count = 0;
    for (int want = 0; want < PLANET_WANT_COUNT; want++) {
        if (planet->programs[want].lane_count > lane_count)
            lane_count = planet->programs[want].lane_count;
    }
    return (size_t)lane_count * PLANET_BLOCK * sizeof(double);
}

// Kernels work on whole blocks: the rest of a short one repeats its last sample.
static void fill_lane(double *lane, const double *values, int count)
{
    memcpy(lane, values, (size_t)count * sizeof lane[0]);
    for (int i = count; i < PLANET_BLOCK; i++)
        lane[i] = values[count - 1];
}

// Takes the part along the direction out and scales from planet radii to metres.
static void write_gradient(const struct planet_block *out, const double *lanes, const uint16_t *gradient, int count,
                           double scale)
{
    const double *x = lanes, *y = x + PLANET_BLOCK, *z = y + PLANET_BLOCK;
    const double *gx = lanes + (size_t)gradient[0] * PLANET_BLOCK;
    const double *gy = lanes + (size_t)gradient[1] * PLANET_BLOCK;
    const double *gz = lanes + (size_t)gradient[2] * PLANET_BLOCK;
    for (int i = 0; i < count; i++) {
        double along = gx[i] * x[i] + gy[i] * y[i] + gz[i] * z[i];
        out->gradient_x[i] = (gx[i] - along * x[i]) * scale;
        out->gradient_y[i] = (gy[i] - along * y[i]) * scale;
        out->gradient_z[i] = (gz[i] - along * z[i]) * scale;
    }
}

static void write_channel(double *out, const double *lane, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = lane[i] > 0 ? lane[i] < 1 ? lane[i] : 1 : 0;
}

void planet_sample(const struct planet *planet, void *scratch, int count, const double *x, const double *y,
                   const double *z, double spacing_m, unsigned want, const struct planet_block *out)
{
    assert(count >= 1 && count <= PLANET_BLOCK && spacing_m > 0 && want < PLANET_WANT_COUNT);
    const struct program *program = &planet->programs[want];
    double *lanes = scratch;
    fill_lane(lanes, x, count);
    fill_lane(lanes + PLANET_BLOCK, y, count);
    fill_lane(lanes + 2 * PLANET_BLOCK, z, count);
    program_run(program, &planet->tables, planet->kernels, lanes, spacing_m / planet->radius_m);

    double scale = planet->radius_m / planet->file_radius_m;
    const uint16_t *height = program->steps[program->height].lane;
    const double *values = lanes + (size_t)height[0] * PLANET_BLOCK;
    for (int i = 0; i < count; i++)
        out->height_m[i] = values[i] * scale;
    if (want & PLANET_WANT_GRADIENT)
        write_gradient(out, lanes, height + 1, count, scale);
    if (want & PLANET_WANT_COLOR) {
        const uint16_t *color = program->steps[program->color].lane;
        write_channel(out->red, lanes + (size_t)color[0] * PLANET_BLOCK, count);
        write_channel(out->green, lanes + (size_t)color[1] * PLANET_BLOCK, count);
        write_channel(out->blue, lanes + (size_t)color[2] * PLANET_BLOCK, count);
    }
}
