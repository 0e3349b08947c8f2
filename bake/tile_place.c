// SPDX-License-Identifier: MIT
#include "bake/tile_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "bake/tile_place_avx2.h"

// Inlined for each size.
static inline void place(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots,
                         size_t slot_bytes, size_t size)
{
    size_t row_bytes = (size_t)side * size;
    for (int c = 0; c < piece->count; c++) {
        uint8_t *to = tile + (size_t)piece->top * row_bytes + (size_t)(piece->column + c * piece->step) * size;
        for (int row = 0; row < piece->height; row++, to += row_bytes, slots += slot_bytes)
            memcpy(to, slots, size);
    }
}

static void heights_base(int32_t *tile, int side, const struct tile_piece *piece, const int32_t *heights)
{
    place((uint8_t *)tile, side, piece, (const uint8_t *)heights, sizeof *heights, sizeof *heights);
}

static void pixels_base(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots)
{
    place(tile, side, piece, slots, TILE_SLOT_BYTES, 3);
}

static void wide_pixels_base(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots)
{
    place(tile, side, piece, slots, TILE_WIDE_SLOT_BYTES, 6);
}

static const struct tile_placer placer_base = {"base", heights_base, pixels_base, wide_pixels_base};
#if defined(__x86_64__)

// Else it is cut short, or its samples are a single row.
static bool fills_eight(const struct tile_piece *piece)
{
    return piece->height == TILE_ORDER_ROWS && piece->count >= 8;
}

static void heights_avx2(int32_t *tile, int side, const struct tile_piece *piece, const int32_t *heights)
{
    if (fills_eight(piece))
        tile_place_heights_avx2(tile, side, piece, heights);
    else
        heights_base(tile, side, piece, heights);
}

static void pixels_avx2(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots)
{
    if (fills_eight(piece))
        tile_place_pixels_avx2(tile, side, piece, slots);
    else
        pixels_base(tile, side, piece, slots);
}

static void wide_pixels_avx2(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots)
{
    if (fills_eight(piece))
        tile_place_wide_pixels_avx2(tile, side, piece, slots);
    else
        wide_pixels_base(tile, side, piece, slots);
}

static const struct tile_placer placer_avx2 = {"avx2", heights_avx2, pixels_avx2, wide_pixels_avx2};
#endif

const struct tile_placer *tile_placer_choose(void)
{
    const struct tile_placer *quick = tile_placer_named("avx2");
    return quick ? quick : &placer_base;
}

const struct tile_placer *tile_placer_named(const char *name)
{
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2"))
        return &placer_avx2;
#endif
    return strcmp(name, "base") == 0 ? &placer_base : NULL;
}
