// SPDX-License-Identifier: MIT
// The loops behind layers.h, compiled once for every machine and once for AVX2; the processor decides at run time.
// Plain C without contraction, in which nothing is added up across samples (only the least and the greatest height are
// found, which no order changes): all give the same bits.
//
// The quick loops are for AVX2 with FMA alone. That of heights does the same in double. Those of pixels, in float but
// for wide normals, are exact enough for all but a few in a thousand samples: those whose value lies so near to a step
// between two codes that its error could carry it over. These are listed as unsure, and the caller works them out by
// the loops in double. So the results are theirs, at a fraction of the time.
#ifndef TERRANE_BAKE_LAYER_LOOPS_H
#define TERRANE_BAKE_LAYER_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

// Samples of one call at most; their numbers fit a byte.
#define LAYER_BLOCK 256

// Nearer than this part of a code to a step a value is unsure. The quick loops are off by less than half of it.
#define NORMAL_UNSURE_WITHIN 0x1p-11f
#define WIDE_NORMAL_UNSURE_WITHIN 0x1p-14
#define COLOR_UNSURE_WITHIN 0x1p-10f

// What normals are made of, along the axes s, t, outward of a face, whose signs are applied.
struct normal_input {
    const double *dir[3], *gradient[3], *height_m;
    double sign[3], radius_m;
};

// The least and the greatest of some heights; least > greatest where there are none.
struct height_range {
    int32_t least, greatest;
};

struct layer_loops {
    const char *name;
    // heights[k] = floor(height_m[k] * units_per_m + 0.5). *range grows to hold them. False where one is under
    // lowest_m, out of range or no number.
    bool (*heights)(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                    struct height_range *range);
    // The same for the first few samples, none of which is to be refused; returns how many it has done. NULL where
    // there is no such loop.
    int (*quick_heights)(int32_t *heights, int count, const double *height_m, double units_per_m, double lowest_m,
                         struct height_range *range);
    // The stored components round(scale n) + scale + 1, in double; scale is 127 or 32767. False where one is no unit
    // vector: a gradient that is not finite, or too long to be squared.
    bool (*normals)(int32_t *const components[3], int count, const struct normal_input *input, double scale);
    // The same for scale 127 as pixels in slots of TILE_SLOT_BYTES. unsure[LAYER_BLOCK] gets the numbers of the samples
    // that are, among them all that normals() would refuse, and what their pixels hold is free. Returns how many. NULL
    // where there is no such loop.
    int (*quick_normals)(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
    // The same for scale 32767 as pixels in slots of TILE_WIDE_SLOT_BYTES, in double. There is one where the other is.
    int (*quick_wide_normals)(uint8_t *slots, uint8_t *unsure, int count, const struct normal_input *input);
    // sRGB codes of linear light in the same way; what is no number is unsure. NULL where there is no such loop.
    int (*quick_colors)(uint8_t *slots, uint8_t *unsure, int count, const double *const channels[3]);
};

// The quickest that this processor has.
const struct layer_loops *layer_loops_choose(void);

// "base" or "avx2"; NULL where this processor lacks it.
const struct layer_loops *layer_loops_named(const char *name);

#endif
