// SPDX-License-Identifier: MIT
#include "bake/layers.h"

#include <stddef.h>

#include "bake/layer_loops.h"
#include "common/cube_sphere.h"

bool layer_heights(int32_t *heights, const struct sample_run *run, double units_per_m, double lowest_m,
                   struct height_range *range)
{
    return layer_loops_choose()->heights(heights, run->count, run->values.height_m, units_per_m, lowest_m, range);
}

static struct normal_input normal_input_at(const struct normal_input *input, int first)
{
    struct normal_input here = *input;
    for (int k = 0; k < 3; k++) {
        here.dir[k] += first;
        here.gradient[k] += first;
    }
    here.height_m += first;
    return here;
}

// One sample of 8 bits in double.
static bool put_exact_normal(uint8_t *slot, const struct normal_input *input, const struct layer_loops *loops)
{
    int32_t x, y, z;
    int32_t *const components[3] = {&x, &y, &z};
    bool good = loops->normals(components, 1, input, 127);
    slot[0] = (uint8_t)x;
    slot[1] = (uint8_t)y;
    slot[2] = (uint8_t)z;
    return good;
}

// count samples of 8 bits, most of them in float.
static bool put_quick_normals(uint8_t *slots, int count, const struct normal_input *input,
                              const struct layer_loops *loops)
{
    uint8_t unsure[LAYER_BLOCK];
    int unsure_count = loops->quick_normals(slots, unsure, count, input);
    bool good = true;
    for (int k = 0; k < unsure_count; k++) {
        const struct normal_input here = normal_input_at(input, unsure[k]);
        good = put_exact_normal(slots + TILE_SLOT_BYTES * unsure[k], &here, loops) && good;
    }
    return good;
}

// count samples of 8 bits, or of 16, big-endian.
static bool put_normals(uint8_t *slots, int count, const struct normal_input *input, int bits,
                        const struct layer_loops *loops)
{
    int32_t x[LAYER_BLOCK], y[LAYER_BLOCK], z[LAYER_BLOCK];
    int32_t *const components[3] = {x, y, z};
    bool good = loops->normals(components, count, input, bits == 8 ? 127 : 32767);
    for (int k = 0; k < count; k++) {
        for (int part = 0; part < 3; part++) {
            if (bits == 8) {
                slots[TILE_SLOT_BYTES * k + part] = (uint8_t)components[part][k];
            } else {
                slots[TILE_WIDE_SLOT_BYTES * k + 2 * part] = (uint8_t)(components[part][k] >> 8);
                slots[TILE_WIDE_SLOT_BYTES * k + 2 * part + 1] = (uint8_t)components[part][k];
            }
        }
    }
    return good;
}

bool layer_normals(uint8_t *slots, const struct sample_run *run, int face, double radius_m, int bits)
{
    const struct cube_face_frame *frame = &cube_face_frames[face];
    const struct cube_axis axes[3] = {frame->s, frame->t, frame->out};
    const double *const dir[3] = {run->x, run->y, run->z};
    const double *const gradient[3] = {run->values.gradient_x, run->values.gradient_y, run->values.gradient_z};
    const struct layer_loops *loops = layer_loops_choose();
    struct normal_input input = {.height_m = run->values.height_m, .radius_m = radius_m};
    for (int k = 0; k < 3; k++) {
        input.dir[k] = dir[axes[k].axis];
        input.gradient[k] = gradient[axes[k].axis];
        input.sign[k] = axes[k].sign;
    }
    size_t slot_bytes = bits == 8 ? TILE_SLOT_BYTES : TILE_WIDE_SLOT_BYTES;
    bool good = true;
    for (int first = 0; first < run->count; first += LAYER_BLOCK) {
        int count = run->count - first < LAYER_BLOCK ? run->count - first : LAYER_BLOCK;
        const struct normal_input here = normal_input_at(&input, first);
        if (bits == 8 && loops->quick_normals)
            good = put_quick_normals(slots + (size_t)first * TILE_SLOT_BYTES, count, &here, loops) && good;
        else
            good = put_normals(slots + (size_t)first * slot_bytes, count, &here, bits, loops) && good;
    }
    return good;
}

static bool put_exact_color(uint8_t *slots, int number, const double *const channels[3], const struct srgb_table *table)
{
    bool good = true;
    for (int channel = 0; channel < 3; channel++) {
        double linear = channels[channel][number];
        good = good && linear == linear;
        slots[TILE_SLOT_BYTES * number + channel] = srgb_encode(table, linear);
    }
    return good;
}

// At most LAYER_BLOCK samples.
static bool put_colors(uint8_t *slots, int count, const double *const channels[3], const struct srgb_table *table,
                       const struct layer_loops *loops)
{
    uint8_t unsure[LAYER_BLOCK];
    bool good = true;
    if (!loops->quick_colors) {
        for (int k = 0; k < count; k++)
            good = put_exact_color(slots, k, channels, table) && good;
        return good;
    }
    int unsure_count = loops->quick_colors(slots, unsure, count, channels);
    for (int k = 0; k < unsure_count; k++)
        good = put_exact_color(slots, unsure[k], channels, table) && good;
    return good;
}

bool layer_colors(uint8_t *slots, const struct sample_run *run, const struct srgb_table *table)
{
    const struct layer_loops *loops = layer_loops_choose();
    bool good = true;
    for (int first = 0; first < run->count; first += LAYER_BLOCK) {
        int count = run->count - first < LAYER_BLOCK ? run->count - first : LAYER_BLOCK;
        const double *const here[3] = {run->values.red + first, run->values.green + first, run->values.blue + first};
        good = put_colors(slots + (size_t)first * TILE_SLOT_BYTES, count, here, table, loops) && good;
    }
    return good;
}
