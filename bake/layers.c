// SPDX-License-Identifier: MIT
#include "bake/layers.h"

#include <stddef.h>

#include "bake/layer_loops.h"
#include "common/cube_sphere.h"

// For lists that are filled before they are read: the hardened build would clear them at every call.
#define UNCLEARED __attribute__((uninitialized))

bool layer_heights(int32_t *heights, const struct sample_run *run, double units_per_m, double lowest_m,
                   struct height_range *range)
{
    const struct layer_loops *loops = layer_loops_choose();
    const double *height_m = run->values.height_m;
    int done =
        loops->quick_heights ? loops->quick_heights(heights, run->count, height_m, units_per_m, lowest_m, range) : 0;
    return loops->heights(heights + done, run->count - done, height_m + done, units_per_m, lowest_m, range);
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

static size_t slot_bytes_of(int bits)
{
    return bits == 8 ? TILE_SLOT_BYTES : TILE_WIDE_SLOT_BYTES;
}

// Components of 16 bits are big-endian.
static void store_normal(uint8_t *slot, int bits, const int32_t components[3])
{
    for (int part = 0; part < 3; part++) {
        if (bits == 8) {
            slot[part] = (uint8_t)components[part];
        } else {
            slot[2 * part] = (uint8_t)(components[part] >> 8);
            slot[2 * part + 1] = (uint8_t)components[part];
        }
    }
}

// count samples, all in double.
static bool put_exact_normals(uint8_t *slots, int count, const struct normal_input *input, int bits,
                              const struct layer_loops *loops)
{
    UNCLEARED int32_t x[LAYER_BLOCK], y[LAYER_BLOCK], z[LAYER_BLOCK];
    int32_t *const components[3] = {x, y, z};
    bool good = loops->normals(components, count, input, bits == 8 ? 127 : 32767);
    for (int k = 0; k < count; k++)
        store_normal(slots + (size_t)k * slot_bytes_of(bits), bits, (const int32_t[3]){x[k], y[k], z[k]});
    return good;
}

// count samples, most of them by a quick loop.
static bool put_normals(uint8_t *slots, int count, const struct normal_input *input, int bits,
                        const struct layer_loops *loops)
{
    UNCLEARED uint8_t unsure[LAYER_BLOCK];
    if (!loops->quick_normals)
        return put_exact_normals(slots, count, input, bits, loops);
    int unsure_count = (bits == 8 ? loops->quick_normals : loops->quick_wide_normals)(slots, unsure, count, input);
    bool good = true;
    for (int k = 0; k < unsure_count; k++) {
        const struct normal_input here = normal_input_at(input, unsure[k]);
        good = put_exact_normals(slots + unsure[k] * slot_bytes_of(bits), 1, &here, bits, loops) && good;
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
    bool good = true;
    for (int first = 0; first < run->count; first += LAYER_BLOCK) {
        int count = run->count - first < LAYER_BLOCK ? run->count - first : LAYER_BLOCK;
        const struct normal_input here = normal_input_at(&input, first);
        good = put_normals(slots + (size_t)first * slot_bytes_of(bits), count, &here, bits, loops) && good;
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
    UNCLEARED uint8_t unsure[LAYER_BLOCK];
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
