// SPDX-License-Identifier: MIT
// What a mask is over a whole block is told apart at every sample, in every vector width.
#include "tests/kernel_block.h"

static const char *const variants[] = {"base", "avx2", "avx512"};
static const struct kernels *kernels;

static void fill_row(double *row, double value)
{
    for (int i = 0; i < PLANET_BLOCK; i++)
        row[i] = value;
}

static void one_other_sample_is_seen_wherever_it_is(void)
{
    static struct block block;
    double *row = block.row[0];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        for (int one = 0; one < 2; one++) {
            const double others[] = {0.5, one ? nextafter(1, 0) : 5e-324, one ? -1.0 : 2.0, one ? NAN : INFINITY};
            for (int k = 0; k < 4; k++) {
                fill_row(row, one);
                CHECK(kernels->is_filled(row, one) && kernels->clamps_to(row, one));
                row[i] = others[k];
                CHECK_TEXT(!kernels->is_filled(row, one) && !kernels->clamps_to(row, one), "%g at %d", row[i], i);
            }
        }
        fill_row(row, 0);
        row[i] = NAN;
        CHECK(!kernels->is_filled(row, 0));
    }
}

static void what_clamps_to_an_end_lies_at_or_beyond_it(void)
{
    static struct block block;
    double *row = block.row[0];
    for (int i = 0; i < PLANET_BLOCK; i++)
        row[i] = i % 4 == 0 ? 0.0 : i % 4 == 1 ? -0.0 : i % 4 == 2 ? -INFINITY : NAN;
    CHECK(kernels->clamps_to(row, false) && !kernels->clamps_to(row, true));
    for (int i = 0; i < PLANET_BLOCK; i++)
        row[i] = i % 3 == 0 ? 1.0 : i % 3 == 1 ? INFINITY : 7.0;
    CHECK(kernels->clamps_to(row, true) && !kernels->clamps_to(row, false));
}

static void both_zeros_are_zero(void)
{
    static struct block block;
    for (int i = 0; i < PLANET_BLOCK; i++)
        block.row[0][i] = i % 2 ? 0.0 : -0.0;
    CHECK(kernels->is_filled(block.row[0], 0.0));
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        kernels = kernels_named(variants[v]);
        if (!kernels)
            continue;
        CHECK_RUN(one_other_sample_is_seen_wherever_it_is);
        CHECK_RUN(what_clamps_to_an_end_lies_at_or_beyond_it);
        CHECK_RUN(both_zeros_are_zero);
    }
    return CHECK_END;
}
