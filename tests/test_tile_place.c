// SPDX-License-Identifier: MIT
// Samples in evaluation order end where the order says, whatever places them, and nothing else is touched.
#include <stdbool.h>

#include "bake/tile_place.h"
#include "tests/check.h"

#define SIDE 65
#define SAMPLES (SIDE * SIDE)
#define EMPTY 0xA5

static const char *const names[] = {"base", "avx2"};
#define WIDTHS (sizeof names / sizeof *names)

enum kind { HEIGHTS, PIXELS, WIDE_PIXELS, KINDS };
static const size_t slot_bytes[KINDS] = {sizeof(int32_t), TILE_SLOT_BYTES, TILE_WIDE_SLOT_BYTES};
static const size_t sample_bytes[KINDS] = {sizeof(int32_t), 3, 6};

static int32_t slots[2 * SAMPLES], tile[2 * SAMPLES];
static uint16_t columns[SAMPLES], rows[SAMPLES];

static void place(const struct tile_placer *placer, enum kind kind, const struct tile_piece *piece, const uint8_t *from)
{
    if (kind == HEIGHTS)
        placer->heights(tile, SIDE, piece, (const int32_t *)(const void *)from);
    else
        (kind == PIXELS ? placer->pixels : placer->wide_pixels)((uint8_t *)tile, SIDE, piece, from);
}

// Places samples first..first + count - 1 by pieces, then looks for them by columns and rows.
static void check_stretch(const struct tile_placer *placer, enum kind kind, int first, int count)
{
    static bool filled[SAMPLES];
    size_t size = sample_bytes[kind];
    memset(tile, EMPTY, sizeof tile);
    memset(filled, 0, sizeof filled);
    for (int k = first; k < first + count;) {
        const struct tile_piece piece = tile_order_piece(SIDE, k, first + count - k);
        CHECK(piece.count >= 1 && piece.height >= 1 && piece.height <= TILE_ORDER_ROWS);
        place(placer, kind, &piece, (const uint8_t *)slots + (size_t)k * slot_bytes[kind]);
        k += piece.count * piece.height;
    }
    tile_order(SIDE, first, count, columns, rows);
    for (int k = 0; k < count; k++) {
        int at = rows[k] * SIDE + columns[k];
        filled[at] = true;
        CHECK_TEXT(memcmp((uint8_t *)tile + (size_t)at * size,
                          (const uint8_t *)slots + (size_t)(first + k) * slot_bytes[kind], size) == 0,
                   "%s, kind %d: sample %d at column %d, row %d", placer->name, (int)kind, first + k, columns[k],
                   rows[k]);
    }
    for (size_t byte = 0; byte < sizeof tile; byte++) {
        if (byte >= SAMPLES * size || !filled[byte / size])
            CHECK(((const uint8_t *)tile)[byte] == EMPTY);
    }
}

static void every_sample_goes_to_its_column_and_row(void)
{
    for (size_t k = 0; k < sizeof slots / sizeof *slots; k++)
        slots[k] = (int32_t)check_random_below(UINT64_C(1) << 31);
    for (size_t width = 0; width < WIDTHS; width++) {
        const struct tile_placer *placer = tile_placer_named(names[width]);
        for (enum kind kind = HEIGHTS; placer && kind < KINDS; kind++) {
            check_stretch(placer, kind, 0, SAMPLES);
            for (int round = 0; round < 100; round++) {
                int first = (int)check_random_below(SAMPLES), most = SAMPLES - first;
                check_stretch(placer, kind, first, 1 + (int)check_random_below((uint64_t)(most < 999 ? most : 999)));
            }
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_sample_goes_to_its_column_and_row);
    return CHECK_END;
}
