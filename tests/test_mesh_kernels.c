// SPDX-License-Identifier: MIT
// The kernels of meshes (bake/planet/kernels_mesh.h), on nodes of their own.
#include <math.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "tests/check.h"
#include "tests/kernel_block.h"

// c[0] + c[1] x + c[2] y + c[3] x x y + c[4] x y y + c[5] x^3 y^3
static double cubic_at(const double c[6], double x, double y)
{
    return c[0] + c[1] * x + c[2] * y + c[3] * x * x * y + c[4] * x * y * y + c[5] * x * x * x * y * y * y;
}

static void fill_mesh(double *nodes, int step, int side, const double c[6])
{
    for (int column = 0; column < side; column++)
        for (int row = 0; row < side; row++)
            nodes[column * side + row] =
                cubic_at(c, (column - MESH_MARGIN) * step / 64.0, (row - MESH_MARGIN) * step / 64.0);
}

// From nodes as they are, or as floats: what is asked of the one holds for the other.
static void look(const struct kernels *kernels, bool narrow, double *out, const double *nodes,
                 const struct mesh_places *places)
{
    static float narrowed[37 * 37];
    if (!narrow) {
        kernels->mesh(out, nodes, places);
        return;
    }
    kernels->mesh_narrow(narrowed, nodes, 37 * 37);
    kernels->mesh_float(out, narrowed, places);
}

// Groups of single samples: of all of a tile, in columns.
static void places_of_column(struct mesh_places *places, int step, int column, int rows)
{
    *places = (struct mesh_places){.step = step, .side = 64 / step + 2 * MESH_MARGIN + 1, .run_count = 1};
    places->runs[0] = (struct mesh_run){0, PLANET_BLOCK / MESH_GROUP, false};
    for (int k = 0; k < PLANET_BLOCK; k++) {
        places->columns[k] = (uint16_t)column;
        places->rows[k] = (uint16_t)(k < rows ? k : rows - 1);
    }
}

static void check_cubics(const struct kernels *kernels, bool narrow, double most)
{
    static double nodes[37 * 37], turned[37 * 37], out[PLANET_BLOCK], back[PLANET_BLOCK];
    double c[6];
    for (int k = 0; k < 6; k++)
        c[k] = 2 * check_random_unit() - 1;
    for (int step = 2; step <= MESH_STEP_MAX; step *= 2) {
        int side = 64 / step + 2 * MESH_MARGIN + 1;
        fill_mesh(nodes, step, side, c);
        for (int k = 0; k < side * side; k++)
            turned[k] = nodes[side * side - 1 - k];
        for (int column = 0; column <= 64; column++) {
            struct mesh_places places;
            places_of_column(&places, step, column, 65);
            look(kernels, narrow, out, nodes, &places);
            places_of_column(&places, step, 64 - column, 65);
            look(kernels, narrow, back, turned, &places);
            for (int row = 0; row <= 64; row++) {
                CHECK(fabs(out[row] - cubic_at(c, column / 64.0, row / 64.0)) < most);
                CHECK(out[row] == back[64 - row]);
            }
        }
    }
}

static void a_mesh_is_exact_for_cubics_and_the_same_both_ways(void)
{
    for (int variant = 0; variant < KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant]);
        if (!kernels)
            continue;
        check_cubics(kernels, false, 1e-14);
        check_cubics(kernels, true, 4e-6);
    }
}

// Whole groups: rows row to row + 7 of 16 columns from column on, the one way or the other.
static void places_of_run(struct mesh_places *places, int step, int column, int row, bool backward)
{
    *places = (struct mesh_places){.step = step, .side = 64 / step + 2 * MESH_MARGIN + 1, .run_count = 1};
    places->runs[0] = (struct mesh_run){0, PLANET_BLOCK / MESH_GROUP, true};
    for (int k = 0; k < PLANET_BLOCK; k++) {
        int group = k / MESH_GROUP, last = PLANET_BLOCK / MESH_GROUP - 1;
        places->columns[k] = (uint16_t)(column + (backward ? last - group : group));
        places->rows[k] = (uint16_t)(row + k % MESH_GROUP);
    }
}

static void runs_of_groups_are_what_their_samples_are(void)
{
    static double nodes[37 * 37], whole[PLANET_BLOCK], single[PLANET_BLOCK], base[PLANET_BLOCK];
    for (int k = 0; k < 37 * 37; k++)
        nodes[k] = check_random_unit();
    for (int variant = 0; variant < 2 * KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant / 2]);
        bool narrow = variant % 2;
        for (int step = 2; kernels && step <= MESH_STEP_MAX; step *= 2)
            for (int column = 0; column <= 49; column += 7)
                for (int row = 0; row < 64; row += MESH_GROUP) {
                    struct mesh_places places;
                    places_of_run(&places, step, column, row, column % 2 == 1);
                    look(kernels, narrow, whole, nodes, &places);
                    look(kernels_named("base"), narrow, base, nodes, &places);
                    places.runs[0].whole = false;
                    look(kernels, narrow, single, nodes, &places);
                    CHECK_TEXT(memcmp(whole, single, sizeof whole) == 0, "step %d column %d row %d", step, column, row);
                    CHECK_TEXT(memcmp(whole, base, sizeof whole) == 0, "base, step %d column %d row %d", step, column,
                               row);
                }
    }
}

static void check_lines(bool narrow)
{
    static double nodes[37 * 37], column[37 * 37], row[37 * 37], out[PLANET_BLOCK], other[PLANET_BLOCK];
    const struct kernels *kernels = kernels_choose();
    for (int step = 2; step <= MESH_STEP_MAX; step *= 2) {
        int side = 64 / step + 2 * MESH_MARGIN + 1;
        struct mesh_places places;
        for (int k = 0; k < side * side; k++) {
            nodes[k] = check_random_unit();
            column[k] = k / side == MESH_MARGIN + 1 ? nodes[k] : NAN;
            row[k] = k % side == MESH_MARGIN + 1 ? nodes[k] : NAN;
        }
        places_of_column(&places, step, step, 65);
        look(kernels, narrow, out, nodes, &places);
        look(kernels, narrow, other, column, &places);
        CHECK_TEXT(memcmp(out, other, sizeof out) == 0, "column, step %d", step);
        for (int k = 0; k < PLANET_BLOCK; k++) {
            places.columns[k] = (uint16_t)(k < 65 ? k : 64);
            places.rows[k] = (uint16_t)step;
        }
        look(kernels, narrow, out, nodes, &places);
        look(kernels, narrow, other, row, &places);
        CHECK_TEXT(memcmp(out, other, sizeof out) == 0, "row, step %d", step);
    }
}

static void on_a_line_of_nodes_only_that_line_counts(void)
{
    check_lines(false);
    check_lines(true);
}

static void a_refined_mesh_is_what_the_wider_one_gives(void)
{
    static double wide[21 * 21], fine[37 * 37], between[21 * 37], out[PLANET_BLOCK];
    for (int variant = 0; variant < KERNEL_VARIANT_COUNT; variant++) {
        const struct kernels *kernels = kernels_named(kernel_variants[variant]);
        for (int k = 0; k < 21 * 21; k++)
            wide[k] = check_random_unit();
        if (!kernels)
            continue;
        kernels->mesh_refine(fine, wide, 21, between);
        for (int column = 0; column <= 64; column += 2) {
            struct mesh_places places;
            places_of_column(&places, 4, column, 65);
            kernels->mesh(out, wide, &places);
            for (int row = 0; row <= 64; row += 2)
                CHECK(fine[(column / 2 + MESH_MARGIN) * 37 + row / 2 + MESH_MARGIN] == out[row]);
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_mesh_is_exact_for_cubics_and_the_same_both_ways);
    CHECK_RUN(runs_of_groups_are_what_their_samples_are);
    CHECK_RUN(on_a_line_of_nodes_only_that_line_counts);
    CHECK_RUN(a_refined_mesh_is_what_the_wider_one_gives);
    return CHECK_END;
}
