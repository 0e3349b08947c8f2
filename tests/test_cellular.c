// SPDX-License-Identifier: MIT
// Cellular noise: a true distance to points of cells, without seams, with its gradient and its mean.
#include "bake/planet/octave.h"
#include "tests/kernel_block.h"

static const struct kernels *kernels;

static const char *const kind_names[] = {"distance", "edge", "value"};

// Frequencies on both sides of the border between double and float.
static struct cellular cellular_of(enum cellular_kind kind, double jitter, int round)
{
    return (struct cellular){.kind = kind,
                             .frequency = round & 1 ? 31.0 : 47.0,
                             .jitter = jitter,
                             .seed = round % 5 == 4 ? UINT64_MAX - (uint64_t)round : (uint64_t)round,
                             .f_max = INFINITY};
}

static void evaluate(struct block *out, struct block *places, const struct cellular *cellular, bool gradient)
{
    struct points at = block_points(places);
    kernels->cellular(block_field(out, gradient), &at, cellular);
}

static void without_jitter_it_is_the_distance_to_a_cubic_lattice(void)
{
    for (int round = 0; round < 20; round++) {
        static struct block places, distance, edge;
        struct cellular cellular = cellular_of(CELLULAR_DISTANCE, 0, round);
        struct fractal fractal = {.frequency = cellular.frequency,
                                  .octaves = 1,
                                  .gain = 1,
                                  .lacunarity = 2,
                                  .seed = cellular.seed,
                                  .f_max = INFINITY};
        struct octave octaves[OCTAVE_COUNT_MAX];
        octaves_prepare(octaves, &fractal);
        random_directions(&places);
        evaluate(&distance, &places, &cellular, false);
        cellular.kind = CELLULAR_EDGE;
        evaluate(&edge, &places, &cellular, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double square = 0, steepest = 0;
            for (int k = 0; k < 3; k++) {
                const double *m = octaves[0].matrix[k];
                double q =
                    m[0] * places.row[0][i] + m[1] * places.row[1][i] + m[2] * places.row[2][i] + octaves[0].offset[k];
                square += (q - nearbyint(q)) * (q - nearbyint(q));
                steepest = fmax(steepest, fabs(q - nearbyint(q)));
            }
            double nearest = sqrt(square), next = sqrt(square + 1 - 2 * steepest);
            CHECK_TEXT(fabs(distance.row[0][i] - nearest) < 1e-6, "%g, not %g", distance.row[0][i], nearest);
            CHECK(fabs(edge.row[0][i] - (fmin(next, 1) - nearest)) < 1e-6);
        }
    }
}

// One unit a unit of length, away from the point: only the distance to a point that does not move is like that.
static void the_gradient_of_the_distance_has_length_1(void)
{
    int beyond = 0;
    for (int round = 0; round < 60; round++) {
        static struct block places, out;
        struct cellular cellular = cellular_of(CELLULAR_DISTANCE, 1, round);
        random_directions(&places);
        evaluate(&out, &places, &cellular, true);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double x = out.row[1][i], y = out.row[2][i], z = out.row[3][i];
            double length = sqrt(x * x + y * y + z * z) / cellular.frequency;
            CHECK(out.row[0][i] > 0 && out.row[0][i] <= 1);
            CHECK_TEXT(fabs(length - (out.row[0][i] < 1)) < 1e-5, "%g at %g", length, out.row[0][i]);
            beyond += out.row[0][i] == 1;
        }
    }
    CHECK_TEXT(beyond < 60, "%d beyond the reach of a cell", beyond);
}

static void gradients_are_those_of_the_values_at_warped_points_too(void)
{
    const double step = 1e-6;
    for (int kind = CELLULAR_DISTANCE; kind <= CELLULAR_VALUE; kind++) {
        int misses = 0, creased = 0;
        for (int round = 0; round < 30; round++) {
            static struct block places, exact, up, down, moved, jacobian[3];
            struct cellular cellular = cellular_of((enum cellular_kind)kind, 0.8, 2 * round + 1); // in double
            random_directions(&places);
            // At points that are the places stretched by 2, 1 and -1.5.
            const double stretch[3] = {2, 1, -1.5};
            for (int k = 0; k < 9; k++)
                for (int i = 0; i < PLANET_BLOCK; i++)
                    jacobian[k / 3].row[k % 3][i] = k % 4 == 0 ? stretch[k / 4] : 0;
            struct points at = block_points(&places);
            for (int k = 0; k < 9; k++)
                at.jacobian[k] = jacobian[k / 3].row[k % 3];
            kernels->cellular(block_field(&exact, true), &at, &cellular);
            for (int k = 0; k < 3; k++) {
                moved = places;
                for (int i = 0; i < PLANET_BLOCK; i++)
                    moved.row[k][i] += step * stretch[k];
                evaluate(&up, &moved, &cellular, false);
                for (int i = 0; i < PLANET_BLOCK; i++)
                    moved.row[k][i] -= 2 * step * stretch[k];
                evaluate(&down, &moved, &cellular, false);
                for (int i = 0; i < PLANET_BLOCK; i++) {
                    double ahead = up.row[0][i] - exact.row[0][i], behind = exact.row[0][i] - down.row[0][i];
                    // Over a crease the two sides differ, and their mean is off by up to half of that.
                    double half = fabs(ahead - behind) / 2;
                    creased += half > 5e-3 * step * cellular.frequency;
                    misses += !(fabs((ahead + behind) / 2 - step * exact.row[1 + k][i]) < 0.01 * step + half);
                }
            }
        }
        CHECK_TEXT(misses == 0 && creased < 40, "%s: %d wrong, %d at creases", kind_names[kind], misses, creased);
    }
}

static void there_are_no_jumps_but_of_values_between_cells(void)
{
    for (int kind = CELLULAR_DISTANCE; kind <= CELLULAR_VALUE; kind++) {
        int jumps = 0, different = 0;
        for (int round = 0; round < 100; round++) {
            static struct block places, out;
            struct cellular cellular = cellular_of((enum cellular_kind)kind, 1, round);
            random_directions(&places);
            double start[3] = {places.row[0][0], places.row[1][0], places.row[2][0]}, step = 1e-3;
            for (int i = 0; i < PLANET_BLOCK; i++) {
                places.row[0][i] = start[0] + i * step;
                places.row[1][i] = start[1] - i * step * 0.7;
                places.row[2][i] = start[2] + i * step * 0.5;
            }
            evaluate(&out, &places, &cellular, false);
            for (int i = 1; i < PLANET_BLOCK; i++) {
                double change = fabs(out.row[0][i] - out.row[0][i - 1]);
                jumps += change > 2 * 1.33 * step * cellular.frequency;
                different += change > 0;
            }
        }
        CHECK_TEXT(kind == CELLULAR_VALUE ? jumps > 200 && different < 3000 : jumps == 0 && different > 12000,
                   "%s: %d jumps, %d changes", kind_names[kind], jumps, different);
    }
}

static void values_are_spread_evenly(void)
{
    int counts[8] = {0};
    for (int round = 0; round < 100; round++) {
        static struct block places, out;
        struct cellular cellular = cellular_of(CELLULAR_VALUE, 1, round);
        random_directions(&places);
        evaluate(&out, &places, &cellular, true);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            CHECK(out.row[0][i] >= -1 && out.row[0][i] <= 1 && out.row[1][i] == 0);
            counts[(int)(4 * (out.row[0][i] + 0.999999))]++;
        }
    }
    for (int k = 0; k < 8; k++)
        CHECK_TEXT(abs(counts[k] - 1600) < 240, "eighth %d: %d", k, counts[k]);
}

static void what_the_spacing_cannot_carry_is_at_its_mean(void)
{
    for (int kind = CELLULAR_DISTANCE; kind <= CELLULAR_VALUE; kind++)
        for (int j = 0; j <= 4; j++) {
            static struct block places, out, half;
            double sum = 0;
            for (int round = 0; round < 60; round++) {
                struct cellular cellular = cellular_of((enum cellular_kind)kind, j / 4.0, round);
                random_directions(&places);
                evaluate(&out, &places, &cellular, false);
                for (int i = 0; i < PLANET_BLOCK; i++)
                    sum += out.row[0][i] / (60 * PLANET_BLOCK);
                cellular.f_max = cellular.frequency * 1.25; // half of it
                evaluate(&half, &places, &cellular, false);
                double detail = out.row[0][7];
                cellular.f_max = cellular.frequency;
                evaluate(&out, &places, &cellular, true);
                CHECK(fabs(half.row[0][7] - 0.5 * (detail + out.row[0][7])) < 1e-12);
                CHECK(out.row[1][7] == 0 && out.row[0][0] == out.row[0][7]);
            }
            CHECK_TEXT(fabs(sum - out.row[0][0]) < (kind == CELLULAR_VALUE ? 0.03 : 0.015),
                       "%s: %g on the average, not %g", kind_names[kind], sum, out.row[0][0]);
        }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    CHECK_RUN(without_jitter_it_is_the_distance_to_a_cubic_lattice);
    CHECK_RUN(the_gradient_of_the_distance_has_length_1);
    CHECK_RUN(gradients_are_those_of_the_values_at_warped_points_too);
    CHECK_RUN(there_are_no_jumps_but_of_values_between_cells);
    CHECK_RUN(values_are_spread_evenly);
    CHECK_RUN(what_the_spacing_cannot_carry_is_at_its_mean);
    return CHECK_END;
}
