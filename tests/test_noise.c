// SPDX-License-Identifier: MIT
// What one octave of noise looks like: its statistics everywhere and for every seed, that no direction of the lattice
// shows, that it is smooth across cells, and that it stays so 0.1 m apart on Earth.
#include "bake/planet/octave.h"
#include "tests/kernel_block.h"

static const struct kernels *kernels;

static const uint64_t seeds[] = {
    0, 1, 2, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX, 123456789, UINT64_C(0xFFFFFFFF)};
#define SEED_COUNT (sizeof seeds / sizeof *seeds)

static struct fractal one_octave(double frequency, uint64_t seed)
{
    return (struct fractal){.kind = FRACTAL_FBM,
                            .frequency = frequency,
                            .octaves = 1,
                            .gain = 0.5,
                            .lacunarity = 2.0,
                            .seed = seed,
                            .f_max = INFINITY};
}

static void evaluate(struct block *out, struct block *places, const struct fractal *fractal, bool gradient)
{
    struct points at = block_points(places);
    kernels->fractal(block_field(out, gradient), &at, fractal);
}

static void every_octant_and_seed_has_the_same_statistics(void)
{
    for (size_t s = 0; s < SEED_COUNT; s++)
        for (int octant = 0; octant < 8; octant++) {
            // Float and double octaves by turns, up to ten radii out, so that no cell is met twice.
            struct fractal fractal = one_octave(octant & 1 ? 7.9 : 8.1, seeds[s]);
            double sum = 0, squares = 0, slopes = 0;
            int count = 0;
            for (int round = 0; round < 60; round++) {
                static struct block places, out;
                random_directions(&places);
                for (int i = 0; i < PLANET_BLOCK; i++) {
                    double radius = random_between(2.0, 10.0);
                    for (int k = 0; k < 3; k++)
                        places.row[k][i] = radius * (octant >> k & 1 ? -1 : 1) * fabs(places.row[k][i]);
                }
                evaluate(&out, &places, &fractal, true);
                for (int i = 0; i < PLANET_BLOCK; i++, count++) {
                    sum += out.row[0][i];
                    squares += out.row[0][i] * out.row[0][i];
                    for (int k = 1; k < 4; k++)
                        slopes += out.row[k][i] * out.row[k][i];
                }
            }
            double mean = sum / count, deviation = sqrt(squares / count - mean * mean);
            double slope = sqrt(slopes / (3 * count)) / fractal.frequency;
            CHECK_TEXT(fabs(mean) < 0.02, "seed %zu octant %d: mean %g", s, octant, mean);
            // 0.25777 by integration over the cell.
            CHECK_TEXT(fabs(deviation - 0.2578) < 0.012, "seed %zu octant %d: deviation %g", s, octant, deviation);
            CHECK_TEXT(fabs(slope - 0.673) < 0.02, "seed %zu octant %d: gradient %g", s, octant, slope);
        }
}

static void values_fill_their_range_and_keep_to_it(void)
{
    double low = 0, high = 0;
    int beyond = 0;
    for (int round = 0; round < 4000; round++) {
        static struct block places, out;
        random_directions(&places);
        struct fractal fractal = one_octave(500.0, check_random());
        evaluate(&out, &places, &fractal, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            low = out.row[0][i] < low ? out.row[0][i] : low;
            high = out.row[0][i] > high ? out.row[0][i] : high;
            beyond += fabs(out.row[0][i]) > 1.15;
        }
    }
    // In the middle of a cell whose eight gradients all point to or away from it, (1,1,1) * 1.35 long.
    const double most = 1.35 * 1.5;
    CHECK_TEXT(low > -most && low < -0.9 && high < most && high > 0.9, "%g..%g", low, high);
    // 51 of 384 million are, so of the half million here one or none.
    CHECK_TEXT(beyond <= 3, "%d beyond 1.15", beyond);
}

// Places on the lattice of a one-octave fractal: the position whose lattice place is (qx,qy,qz).
static void place_at_lattice(struct block *places, int i, const struct octave *octave, double qx, double qy, double qz)
{
    // The matrix is a rotation times the frequency, so its inverse is the transpose / frequency^2.
    double d[3] = {qx - octave->offset[0], qy - octave->offset[1], qz - octave->offset[2]};
    for (int k = 0; k < 3; k++)
        places->row[k][i] = (octave->matrix[0][k] * d[0] + octave->matrix[1][k] * d[1] + octave->matrix[2][k] * d[2]) /
                            (octave->frequency * octave->frequency);
}

// Mean product of noise at pairs of places one lattice step apart, divided by the variance.
static double correlation_over(const int step[3], double frequency, int rounds)
{
    double products = 0, squares = 0;
    for (int round = 0; round < rounds; round++) {
        struct fractal fractal = one_octave(frequency, check_random());
        struct octave octave[OCTAVE_COUNT_MAX];
        octaves_prepare(octave, &fractal);
        static struct block here, there, a, b;
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double q[3];
            for (int k = 0; k < 3; k++)
                q[k] = random_between(-frequency, frequency);
            place_at_lattice(&here, i, octave, q[0], q[1], q[2]);
            place_at_lattice(&there, i, octave, q[0] + step[0], q[1] + step[1], q[2] + step[2]);
        }
        evaluate(&a, &here, &fractal, false);
        evaluate(&b, &there, &fractal, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            products += a.row[0][i] * b.row[0][i];
            squares += 0.5 * (a.row[0][i] * a.row[0][i] + b.row[0][i] * b.row[0][i]);
        }
    }
    return products / squares;
}

static void lattice_steps_of_two_and_more_are_uncorrelated_in_every_direction(void)
{
    static const int steps[][3] = {{2, 0, 0},    {0, 2, 0},   {0, 0, 2},    {2, 2, 0},     {0, 2, -2},  {3, 0, 0},
                                   {0, 3, 0},    {0, 0, 3},   {4, 0, 0},    {0, 0, 8},     {16, 0, 0},  {0, 32, 0},
                                   {0, 0, 64},   {64, 64, 0}, {256, 0, 0},  {0, 512, 0},   {0, 0, 512}, {1024, 0, 0},
                                   {0, 2048, 0}, {2, 3, 0},   {100, -7, 5}, {-3, 90, 200}, {0, 0, 4096}};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        double correlation = correlation_over(steps[s], 5000.0, 120);
        // Standard error 1 / sqrt(15,360) = 0.008.
        CHECK_TEXT(fabs(correlation) < 0.04, "step %d %d %d: %g", steps[s][0], steps[s][1], steps[s][2], correlation);
    }
}

static void no_direction_of_the_lattice_is_steeper_than_another(void)
{
    // Second moments of the gradient in the lattice's own axes: equal, and no two axes go together.
    double moments[3][3] = {{0}};
    int count = 0;
    for (int round = 0; round < 400; round++, count += PLANET_BLOCK) {
        struct fractal fractal = one_octave(1000.0, check_random());
        struct octave octave[OCTAVE_COUNT_MAX];
        octaves_prepare(octave, &fractal);
        static struct block places, out;
        random_directions(&places);
        evaluate(&out, &places, &fractal, true);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double g[3];
            for (int k = 0; k < 3; k++)
                g[k] = (octave->matrix[k][0] * out.row[1][i] + octave->matrix[k][1] * out.row[2][i] +
                        octave->matrix[k][2] * out.row[3][i]) /
                       (octave->frequency * octave->frequency);
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    moments[j][k] += g[j] * g[k];
        }
    }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            double expected = j == k ? 0.6725 * 0.6725 : 0.0;
            CHECK_TEXT(fabs(moments[j][k] / count - expected) < 0.015, "%d %d: %g", j, k, moments[j][k] / count);
        }
    // One cell along an axis, where two cells share four corners: -0.0442 by integration over the cell.
    static const int axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        double correlation = correlation_over(axes[k], 5000.0, 120);
        CHECK_TEXT(fabs(correlation - -0.0442) < 0.035, "axis %d: %g", k, correlation);
    }
}

static void seeds_and_octaves_are_independent(void)
{
    static struct block places, first, second;
    for (int pair = 0; pair < 12; pair++) {
        // Neighbouring seeds, seeds apart by one bit, by the constants of the mixer, then octave 0 against octave 1.
        static const uint64_t apart[11] = {1,
                                           2,
                                           UINT64_C(1) << 31,
                                           UINT64_C(1) << 32,
                                           UINT64_C(1) << 63,
                                           UINT64_MAX,
                                           UINT64_C(0x9E3779B97F4A7C15),
                                           UINT64_C(0xD1B54A32D192ED03),
                                           1000,
                                           UINT64_C(0xFFFFFFFF),
                                           UINT64_C(1) << 48};
        double products = 0, squares = 0;
        for (int round = 0; round < 120; round++) {
            random_directions(&places);
            uint64_t seed = check_random();
            struct fractal fractal = one_octave(800.0, seed), other = one_octave(800.0, seed + apart[pair % 11]);
            evaluate(&first, &places, &fractal, false);
            if (pair == 11) {
                other = fractal;
                other.octaves = 2;
                other.gain = 1.0;
            }
            evaluate(&second, &places, &other, false);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double a = first.row[0][i], b = pair == 11 ? second.row[0][i] - a : second.row[0][i];
                products += a * b;
                squares += 0.5 * (a * a + b * b);
            }
        }
        CHECK_TEXT(fabs(products / squares) < 0.04, "pair %d: %g", pair, products / squares);
    }
}

static void value_and_gradient_are_continuous_across_cells(void)
{
    for (int round = 0; round < 100; round++) {
        bool is_double = round & 1;
        struct fractal fractal = one_octave(is_double ? 7.5 : 200.0, check_random());
        struct octave octave[OCTAVE_COUNT_MAX];
        octaves_prepare(octave, &fractal);
        static struct block below, above, a, b;
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double q[3] = {random_between(-30, 30), random_between(-30, 30), random_between(-30, 30)};
            double low[3], high[3];
            for (int k = 0; k < 3; k++) {
                // Borders between cells are at half-integers; one, two or all three axes are on one.
                bool on_border = k == i % 3 || i % 7 == k || i % 5 == 0;
                double at = floor(q[k]) + 0.5;
                low[k] = on_border ? at - 1e-11 : q[k];
                high[k] = on_border ? at + 1e-11 : q[k];
            }
            place_at_lattice(&below, i, octave, low[0], low[1], low[2]);
            place_at_lattice(&above, i, octave, high[0], high[1], high[2]);
        }
        evaluate(&a, &below, &fractal, true);
        evaluate(&b, &above, &fractal, true);
        for (int i = 0; i < PLANET_BLOCK; i++)
            for (int k = 0; k < 4; k++) {
                double difference = fabs(a.row[k][i] - b.row[k][i]) / (k ? fractal.frequency : 1.0);
                CHECK_TEXT(difference < (is_double ? 1e-9 : 5e-6), "row %d: %g apart", k, difference);
            }
    }
}

static void double_octaves_have_continuous_second_derivatives(void)
{
    const double step = 1e-5; // cells
    for (int round = 0; round < 40; round++) {
        struct fractal fractal = one_octave(7.0, check_random());
        struct octave octave[OCTAVE_COUNT_MAX];
        octaves_prepare(octave, &fractal);
        int axis = round % 3;
        static struct block places[3], out[3];
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double q[3] = {random_between(-15, 15), random_between(-15, 15), random_between(-15, 15)};
            q[axis] = floor(q[axis]) + 0.5;
            for (int side = -1; side <= 1; side++) {
                double moved[3] = {q[0], q[1], q[2]};
                moved[axis] += side * step;
                place_at_lattice(&places[side + 1], i, octave, moved[0], moved[1], moved[2]);
            }
        }
        for (int side = 0; side < 3; side++)
            evaluate(&out[side], &places[side], &fractal, true);
        for (int i = 0; i < PLANET_BLOCK; i++)
            for (int k = 1; k < 4; k++) {
                double left = (out[1].row[k][i] - out[0].row[k][i]) / step / fractal.frequency;
                double right = (out[2].row[k][i] - out[1].row[k][i]) / step / fractal.frequency;
                // Third derivatives are below some 200; a jump of the second would be of order 1.
                CHECK_TEXT(fabs(right - left) < 300 * step, "axis %d: %g and %g", axis, left, right);
            }
    }
}

// A row of samples spacing_m apart on Earth from a random place, in a random direction.
static void row_on_earth(struct block *places, double spacing_m)
{
    static struct block random;
    random_directions(&random);
    double step = spacing_m / 6371000.0;
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double p[3], length = 0;
        for (int k = 0; k < 3; k++) {
            p[k] = random.row[k][0] + i * step * random.row[k][1];
            length += p[k] * p[k];
        }
        for (int k = 0; k < 3; k++)
            places->row[k][i] = p[k] / sqrt(length);
    }
}

static void samples_a_decimetre_apart_on_earth_are_smooth_at_every_wavelength(void)
{
    int repeated = 0, total = 0;
    for (double frequency = 0.7; frequency < 6.4e6; frequency *= 1.9) {
        double cells = 0.1 / 6371000.0 * frequency; // a step
        for (int round = 0; round < 20; round++) {
            static struct block places, out;
            row_on_earth(&places, 0.1);
            struct fractal fractal = one_octave(frequency, check_random());
            evaluate(&out, &places, &fractal, false);
            const double *v = out.row[0];
            // Rounding of the value, and of the place in float or of the direction itself.
            double rounding = frequency <= OCTAVE_DOUBLE_FREQUENCY ? 1e-15 * frequency + 1e-15 : 6e-7;
            for (int i = 1; i + 1 < PLANET_BLOCK; i++) {
                double first = v[i] - v[i - 1], second = v[i + 1] - 2 * v[i] + v[i - 1];
                CHECK_TEXT(fabs(first) < 5 * cells + rounding, "f %g: step %g", frequency, first);
                CHECK_TEXT(fabs(second) < 40 * cells * cells + 2 * rounding, "f %g: bend %g", frequency, second);
                // A step of 10^-5 cells is a hundred units of a float's last place.
                repeated += first == 0.0 && cells > 1e-5;
                total += cells > 1e-5;
            }
        }
    }
    CHECK_TEXT(total > 20000 && repeated * 200 < total, "%d of %d repeated", repeated, total);
}

static void a_fractal_down_to_one_metre_never_repeats_a_value(void)
{
    for (int round = 0; round < 30; round++) {
        static struct block places, out;
        row_on_earth(&places, 0.1);
        struct fractal fractal = one_octave(1.4, check_random());
        fractal.octaves = 22;
        fractal.lacunarity = 2.03;
        fractal.gain = 0.55;
        fractal.f_max = 0.5 * 6371000.0 / 0.1;
        evaluate(&out, &places, &fractal, true);
        for (int i = 1; i < PLANET_BLOCK; i++) {
            double step = out.row[0][i] - out.row[0][i - 1];
            CHECK(step != 0.0);
            // Along the row the gradient, 3-D and at both ends, foretells the step.
            double foretold = 0;
            for (int k = 0; k < 3; k++)
                foretold +=
                    0.5 * (out.row[1 + k][i] + out.row[1 + k][i - 1]) * (places.row[k][i] - places.row[k][i - 1]);
            CHECK_TEXT(fabs(step - foretold) < 3e-6, "step %g, foretold %g", step, foretold);
        }
    }
}

static void places_far_outside_are_harmless(void)
{
    static struct block places, out;
    const double odd[] = {0.0, -0.0, 1e-320, 1e6, -1e9, 1e15, -1e18, 1e300, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < PLANET_BLOCK; i++)
        for (int k = 0; k < 3; k++)
            places.row[k][i] = odd[(i * (k + 1) + k * 5) % 11];
    for (int gradient = 0; gradient < 2; gradient++)
        for (int octaves = 1; octaves <= 32; octaves += 31) {
            struct fractal fractal = one_octave(3.0, 1);
            fractal.octaves = octaves;
            evaluate(&out, &places, &fractal, gradient);
            // Where all three are near enough to be exact, the noise is what it is anywhere.
            for (int i = 0; i < PLANET_BLOCK && octaves == 1; i++) {
                bool near = true;
                for (int k = 0; k < 3; k++)
                    near = near && fabs(places.row[k][i]) < 1e14;
                CHECK_TEXT(!near || fabs(out.row[0][i]) < 1.3, "%g", out.row[0][i]);
            }
        }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    CHECK_RUN(every_octant_and_seed_has_the_same_statistics);
    CHECK_RUN(values_fill_their_range_and_keep_to_it);
    CHECK_RUN(lattice_steps_of_two_and_more_are_uncorrelated_in_every_direction);
    CHECK_RUN(no_direction_of_the_lattice_is_steeper_than_another);
    CHECK_RUN(seeds_and_octaves_are_independent);
    CHECK_RUN(value_and_gradient_are_continuous_across_cells);
    CHECK_RUN(double_octaves_have_continuous_second_derivatives);
    CHECK_RUN(samples_a_decimetre_apart_on_earth_are_smooth_at_every_wavelength);
    CHECK_RUN(a_fractal_down_to_one_metre_never_repeats_a_value);
    CHECK_RUN(places_far_outside_are_harmless);
    return CHECK_END;
}
