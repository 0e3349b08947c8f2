// SPDX-License-Identifier: MIT
#include <string.h>

#include "bake/tile_lattice.h"
#include "bake/tile_order.h"
#include "tests/check.h"
#include "tests/random_node.h"

#define SAMPLES_MAX (TILE_SAMPLES_MAX * TILE_SAMPLES_MAX)

static double x[SAMPLES_MAX], y[SAMPLES_MAX], z[SAMPLES_MAX];
static uint16_t columns[SAMPLES_MAX], rows[SAMPLES_MAX];
static struct tile_lattice lattice;

static void directions_are_those_of_the_lattice_to_the_bit(void)
{
    static const int sizes[] = {32, 64, 128, 256, 512};
    for (int level = 0; level <= TILE_LEVEL_MAX; level++) {
        for (int k = 0; k < 6; k++) {
            int n = sizes[check_random_below(5)], side = n + 1, count = 1 + (int)check_random_below(2000);
            struct node node = random_node(level);
            node.face = k;
            for (int at = 0; at < count; at++) {
                columns[at] = (uint16_t)check_random_below((uint64_t)side);
                rows[at] = (uint16_t)check_random_below((uint64_t)side);
            }
            tile_lattice_prepare(&lattice, node, n);
            tile_lattice_dirs_at(&lattice, columns, rows, count, x, y, z);
            for (int at = 0; at < count; at++) {
                struct double3 expected = tile_sample_dir(node, n, columns[at], rows[at]);
                CHECK(memcmp(&expected.x, &x[at], 8) == 0 && memcmp(&expected.y, &y[at], 8) == 0 &&
                      memcmp(&expected.z, &z[at], 8) == 0);
            }
        }
    }
}

static void pieces_of_the_order_give_the_same(void)
{
    for (int round = 0; round < 48; round++) {
        int n = 32 << round % 5, side = n + 1, first = 0;
        struct node node = random_node((int)check_random_below(TILE_LEVEL_MAX + 1));
        node.face = round % 6;
        tile_lattice_prepare(&lattice, node, n);
        tile_order(side, 0, side * side, columns, rows);
        tile_lattice_dirs_at(&lattice, columns, rows, side * side, x, y, z);
        while (first < side * side) {
            static double px[SAMPLES_MAX], py[SAMPLES_MAX], pz[SAMPLES_MAX];
            int most = side * side - first, count = 1 + (int)check_random_below(700);
            const struct tile_piece piece = tile_order_piece(side, first, count < most ? count : most);
            int piece_count = piece.count * piece.height;
            size_t bytes = (size_t)piece_count * sizeof(double);
            tile_lattice_piece_dirs(&lattice, &piece, px, py, pz);
            CHECK(memcmp(px, x + first, bytes) == 0 && memcmp(py, y + first, bytes) == 0 &&
                  memcmp(pz, z + first, bytes) == 0);
            first += piece_count;
        }
    }
}

static void the_order_has_every_sample_once_however_it_is_cut(void)
{
    enum { SIDE_MOST = 257 };
    static uint16_t some_columns[999], some_rows[999];
    static uint8_t seen[SIDE_MOST * SIDE_MOST];
    for (int side = 33; side <= SIDE_MOST; side = 2 * side - 1) {
        int samples = side * side;
        memset(seen, 0, sizeof seen);
        tile_order(side, 0, samples, columns, rows);
        for (int k = 0; k < samples; k++)
            CHECK(columns[k] < side && rows[k] < side && seen[rows[k] * side + columns[k]]++ == 0);
        // Bands of rows, column by column, back and forth.
        CHECK(columns[0] == 0 && rows[TILE_ORDER_ROWS - 1] == TILE_ORDER_ROWS - 1 && columns[TILE_ORDER_ROWS] == 1);
        CHECK(columns[side * TILE_ORDER_ROWS] == side - 1 && rows[side * TILE_ORDER_ROWS] == TILE_ORDER_ROWS);
        for (int first = 0; first < samples;) {
            int count = 1 + (int)check_random_below(999);
            count = count < samples - first ? count : samples - first;
            tile_order(side, first, count, some_columns, some_rows);
            CHECK(memcmp(some_columns, columns + first, (size_t)count * sizeof columns[0]) == 0);
            CHECK(memcmp(some_rows, rows + first, (size_t)count * sizeof rows[0]) == 0);
            first += count;
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(directions_are_those_of_the_lattice_to_the_bit);
    CHECK_RUN(pieces_of_the_order_give_the_same);
    CHECK_RUN(the_order_has_every_sample_once_however_it_is_cut);
    return CHECK_END;
}
