// SPDX-License-Identifier: MIT
// Fields of impact craters: how many there are and where, their shape, their gradients, and that neither the block nor
// the vector width matters.
#include "bake/planet/crater.h"
#include "tests/kernel_block.h"

static const struct kernels *kernels;

// A field on the Moon, with detail down to spacing_m.
static struct craters moon(double largest_m, double spacing_m, uint64_t seed)
{
    const double radius_m = 1737400;
    return (struct craters){.output = CRATER_HEIGHT,
                            .largest = largest_m / radius_m,
                            .density = 1,
                            .depth = 1,
                            .transition = 18e3 / radius_m,
                            .age = 1,
                            .radius_m = radius_m,
                            .seed = seed,
                            .f_max = 0.5 * radius_m / spacing_m};
}

static const uint64_t seeds[] = {0, 1, 77, UINT64_MAX};
#define SEED_COUNT (sizeof seeds / sizeof *seeds)

// ---- Counting -------------------------------------------------------------------------------------------

// Calls visit for each crater of the levels that the spacing shows.
static void visit_all(const struct craters *craters, void (*visit)(const struct crater *crater, void *data), void *data)
{
    for (int level = 0; level < craters_level_count(craters); level++) {
        struct crater_walk walk;
        struct crater crater;
        crater_walk_begin(&walk, craters, level, (const double[3]){0, 0, 0}, 4.0, CRATER_EJECTA_END, 2.0);
        while (crater_walk_next(&walk, &crater))
            visit(&crater, data);
    }
}

struct census {
    double larger[8]; // craters of more than 1/2^k of the largest diameter
    double octant[8];
    double largest;
    bool fits; // all on the sphere, sizes and wear in their ranges
};

static void count_crater(const struct crater *crater, void *data)
{
    struct census *census = data;
    for (int k = 0; k < 8; k++)
        census->larger[k] += crater->diameter > ldexp(census->largest, -k);
    const double *c = crater->center;
    census->octant[(c[0] > 0) + 2 * (c[1] > 0) + 4 * (c[2] > 0)]++;
    double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    census->fits = census->fits && fabs(square - 1) < 1e-14 && crater->wear >= 0 && crater->wear < 1 &&
                   crater->diameter <= census->largest * 1.0000001;
}

static struct census census_of(const struct craters *craters)
{
    struct census census = {.largest = craters->largest, .fits = true};
    visit_all(craters, count_crater, &census);
    return census;
}

static void counts_follow_the_inverse_square_of_the_diameter(void)
{
    for (size_t s = 0; s < SEED_COUNT; s++) {
        struct craters craters = moon(1000e3, 1000e3 / 32 / 2.2, seeds[s]);
        struct census census = census_of(&craters);
        CHECK(census.fits);
        double slope = log2(census.larger[5] / census.larger[2]) / 3;
        CHECK_TEXT(fabs(slope - 2) < 0.15, "slope %g", slope);
        // 0.22 / D^2 for each unit of area, less those above the largest.
        for (int k = 2; k < 6; k++) {
            double diameter = ldexp(craters.largest, -k);
            double expected = 4 * M_PI * 0.2216 * (1 / (diameter * diameter) - 1 / (craters.largest * craters.largest));
            CHECK_TEXT(fabs(census.larger[k] / expected - 1) < 4 / sqrt(expected) + 0.01, "%g craters, not %g",
                       census.larger[k], expected);
        }
    }
}

static void density_scales_the_count(void)
{
    struct craters craters = moon(500e3, 500e3 / 16 / 2.2, 5);
    double one = census_of(&craters).larger[4];
    craters.density = 0.25;
    double quarter = census_of(&craters).larger[4];
    CHECK_TEXT(fabs(quarter / one - 0.25) < 0.04, "%g of %g", quarter, one);
    craters.density = 0;
    CHECK(census_of(&craters).larger[4] == 0);
}

static void smallest_and_age_bound_what_there_is(void)
{
    struct craters craters = moon(500e3, 1e3, 5);
    craters.smallest = craters.largest / 10;
    craters.age = 0.3;
    for (int level = 0; level < CRATER_LEVELS_MAX; level++) {
        struct crater_walk walk;
        struct crater crater;
        if (level >= craters_level_count(&craters))
            break;
        CHECK(level < 8);
        crater_walk_begin(&walk, &craters, level, (const double[3]){0, 0, 0}, 4.0, CRATER_EJECTA_END, 2.0);
        while (crater_walk_next(&walk, &crater))
            CHECK(crater.diameter >= craters.smallest && crater.wear < 0.3);
    }
}

static void octants_have_equal_shares(void)
{
    for (size_t s = 0; s < SEED_COUNT; s++) {
        struct craters craters = moon(150e3, 150e3 / 4 / 2.2, seeds[s]);
        struct census census = census_of(&craters);
        double total = 0;
        for (int k = 0; k < 8; k++)
            total += census.octant[k];
        for (int k = 0; k < 8; k++)
            CHECK_TEXT(fabs(census.octant[k] - total / 8) < 4 * sqrt(total / 8), "octant %d: %g of %g", k,
                       census.octant[k], total);
    }
}

static double distance_between(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

#define LIST_MAX 4000

// All craters of a level, in the order of the walk.
static int list_level(struct crater list[LIST_MAX], const struct craters *craters, int level)
{
    struct crater_walk walk;
    int count = 0;
    crater_walk_begin(&walk, craters, level, (const double[3]){0, 0, 0}, 4.0, CRATER_EJECTA_END, 2.0);
    while (count < LIST_MAX && crater_walk_next(&walk, &list[count]))
        count++;
    CHECK(count < LIST_MAX);
    return count;
}

static void a_small_walk_finds_all_that_reaches_it(void)
{
    static struct crater all[LIST_MAX];
    struct craters craters = moon(300e3, 1e3, 9);
    for (int level = 0; level < 4; level++) {
        int count = list_level(all, &craters, level), missed = 0;
        for (int round = 0; round < 6; round++) {
            static struct block places;
            double radius = round % 3 * 0.01;
            random_directions(&places);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                const double middle[3] = {places.row[0][i], places.row[1][i], places.row[2][i]};
                struct crater_walk walk;
                struct crater found;
                crater_walk_begin(&walk, &craters, level, middle, radius, CRATER_EJECTA_END, 2.0);
                for (int k = 0; k < count; k++) {
                    double far = radius + 0.5 * CRATER_EJECTA_END * all[k].diameter;
                    if (distance_between(all[k].center, middle) <= far)
                        missed += !(crater_walk_next(&walk, &found) &&
                                    memcmp(found.center, all[k].center, sizeof found.center) == 0);
                }
                missed += crater_walk_next(&walk, &found);
            }
        }
        CHECK_TEXT(missed == 0, "level %d: %d missed", level, missed);
    }
}

// ---- Shape ----------------------------------------------------------------------------------------------

static struct crater_shape shape_of(double diameter_m, double wear)
{
    struct craters craters = moon(1000e3, 1, 1);
    struct crater crater = {.diameter = diameter_m / craters.radius_m, .wear = wear, .bits = 12345};
    struct crater_shape shape;
    crater_shape(&shape, &craters, &crater);
    return shape;
}

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

static void depths_and_rims_are_those_of_pike(void)
{
    struct crater_shape small = shape_of(5e3, 0), middle = shape_of(40e3, 0), large = shape_of(100e3, 0);
    CHECK_TEXT(near(small.height_m, 1e3 * 0.196 * pow(5, 1.01), 0.03), "%g", small.height_m);
    CHECK_TEXT(near(middle.height_m, 1e3 * 1.044 * pow(40, 0.301), 0.05), "%g", middle.height_m);
    CHECK_TEXT(near(large.height_m, 1e3 * 1.044 * pow(100, 0.301), 0.05), "%g", large.height_m);
    CHECK(near(small.rim * small.height_m, 1e3 * 0.036 * pow(5, 1.014), 0.05));
    CHECK(near(large.rim * large.height_m, 1e3 * 0.236 * pow(100, 0.399), 0.05));
    CHECK(small.floor < 0.05 && large.floor > 0.5 && small.peak == 0 && large.peak > 0.2);
    struct crater_shape old = shape_of(5e3, 0.999);
    CHECK(old.height_m < 0.15 * small.height_m && old.height_m > 0.1 * small.height_m);
}

// ---- Sampling -------------------------------------------------------------------------------------------

// A patch of 16 x 8 places that far apart around a random direction.
static void random_patch(struct block *places, double spacing)
{
    random_directions(places);
    double x = places->row[0][0], y = places->row[1][0], z = places->row[2][0];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double p[3] = {x + spacing * (i % 16), y + spacing * (i / 16) * 0.9, z - spacing * (i % 16) * 0.3};
        double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++)
            places->row[k][i] = p[k] / length;
    }
}

static void sample(struct block *out, const struct craters *craters, const struct block *places, bool gradient)
{
    kernels->craters(block_field(out, gradient), places->row[0], places->row[1], places->row[2], craters);
}

static void a_sample_is_the_same_alone_and_in_any_block(void)
{
    for (int round = 0; round < 12; round++) {
        static struct block places, together, alone, mixed, mixed_out;
        double spacing_m = (const double[]){5000, 300, 20, 1}[round % 4];
        struct craters craters = moon(900e3, spacing_m, (uint64_t)round);
        bool gradient = round % 3 > 0;
        craters.density = round % 2 ? 1.25 : 1;
        if (round == 6 || round == 9)
            craters.output = CRATER_RAYS, gradient = false;
        random_patch(&places, spacing_m / craters.radius_m);
        random_directions(&mixed);
        for (int i = 0; i < PLANET_BLOCK; i += 7) // one in seven of a block that is scattered over the sphere
            for (int k = 0; k < 3; k++)
                mixed.row[k][i] = places.row[k][i];
        sample(&together, &craters, &places, gradient);
        sample(&mixed_out, &craters, &mixed, gradient);
        for (int i = 0; i < PLANET_BLOCK; i += 7) {
            static struct block same;
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < PLANET_BLOCK; j++)
                    same.row[k][j] = places.row[k][i];
            sample(&alone, &craters, &same, gradient);
            for (int k = 0; k < (gradient ? 4 : 1); k++) {
                CHECK_TEXT(memcmp(&alone.row[k][5], &together.row[k][i], sizeof(double)) == 0,
                           "%g alone, %g in a patch", alone.row[k][5], together.row[k][i]);
                CHECK_TEXT(memcmp(&alone.row[k][5], &mixed_out.row[k][i], sizeof(double)) == 0,
                           "%g alone, %g among others", alone.row[k][5], mixed_out.row[k][i]);
            }
        }
    }
}

static void all_variants_and_both_wants_give_the_same_bits(void)
{
    for (int round = 0; round < 6; round++) {
        static struct block places, one, other;
        struct craters craters = moon(900e3, 30, (uint64_t)round);
        random_patch(&places, 30 / craters.radius_m);
        sample(&one, &craters, &places, true);
        sample(&other, &craters, &places, false);
        CHECK(memcmp(one.row[0], other.row[0], sizeof one.row[0]) == 0);
        for (int v = 0; v < KERNEL_VARIANT_COUNT; v++) {
            const struct kernels *variant = kernels_named(kernel_variants[v]);
            if (!variant)
                continue;
            variant->craters(block_field(&other, true), places.row[0], places.row[1], places.row[2], &craters);
            CHECK_TEXT(memcmp(&one, &other, sizeof one) == 0, "%s", kernel_variants[v]);
        }
    }
}

// In the middle of a crater that no younger one reaches there is its own floor, however deep the older ones around are.
static void the_young_wipe_out_the_old(void)
{
    static struct crater all[LIST_MAX];
    static struct block places, out;
    struct craters craters = moon(100e3, 1e3, 12);
    craters.smallest = 0.71 * craters.largest; // one level
    int count = list_level(all, &craters, 0), compared = 0;
    for (int i = 0; i < count; i++) {
        double around = 0;
        bool youngest = true, inside_older = false;
        for (int k = 0; k < count; k++) {
            double far = 2 * distance_between(all[i].center, all[k].center) / all[k].diameter;
            if (k == i || far > 2.9)
                continue;
            struct crater_shape other;
            crater_shape(&other, &craters, &all[k]);
            around += other.height_m;
            youngest = youngest && all[k].age > all[i].age;
            inside_older = inside_older || far < 0.7;
        }
        if (!youngest || !inside_older)
            continue;
        struct crater_shape own;
        crater_shape(&own, &craters, &all[i]);
        double floor_m = own.height_m * (own.rim - 1 + (own.peak_at == 0 ? own.peak : 0));
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < PLANET_BLOCK; j++)
                places.row[k][j] = all[i].center[k];
        sample(&out, &craters, &places, false);
        CHECK_TEXT(fabs(out.row[0][0] - floor_m) <= 0.06 * around, "%g m, not %g", out.row[0][0], floor_m);
        compared++;
    }
    CHECK_TEXT(compared > 5, "only %d", compared);
}

// Differences over a step that is short against the smallest craters.
static void gradients_are_those_of_the_heights(void)
{
    int compared = 0;
    double steepest = 0;
    for (int round = 0; round < 40; round++) {
        static struct block places, exact, up, down, moved;
        double spacing_m = (const double[]){9000, 1000, 50, 2}[round % 4], radius_m = 1737400;
        struct craters craters = moon(900e3, spacing_m, (uint64_t)round);
        double step = spacing_m / radius_m * 2e-2;
        random_patch(&places, 3 * spacing_m / radius_m);
        sample(&exact, &craters, &places, true);
        for (int k = 0; k < 3; k++) {
            moved = places;
            for (int i = 0; i < PLANET_BLOCK; i++)
                moved.row[k][i] += step;
            sample(&up, &craters, &moved, false);
            for (int i = 0; i < PLANET_BLOCK; i++)
                moved.row[k][i] -= 2 * step;
            sample(&down, &craters, &moved, false);
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double quotient = (up.row[0][i] - down.row[0][i]) / (2 * step * radius_m);
                double slope = exact.row[1 + k][i] / radius_m;
                // Heights are good to 2^-24 of kilometres.
                CHECK_TEXT(fabs(quotient - slope) < 0.025 + 1e-4 / (step * radius_m),
                           "spacing %g m: slope %g, difference %g", spacing_m, slope, quotient);
                steepest = fmax(steepest, fabs(slope));
                compared++;
            }
        }
    }
    CHECK(compared > 10000 && steepest > 0.3);
}

// Heights and gradients do not jump, whatever border of cells, runs or craters lies between two places.
static void there_are_no_seams(void)
{
    double radius_m = 1737400, spacing_m = 100, largest = 0;
    struct craters craters = moon(400e3, spacing_m, 3);
    for (int round = 0; round < 60; round++) {
        static struct block places, out;
        random_directions(&places);
        double start[3] = {places.row[0][0], places.row[1][0], places.row[2][0]};
        for (int i = 0; i < PLANET_BLOCK; i++) { // 2 m apart
            double p[3] = {start[0] + i * 2 / radius_m, start[1] - i * 1.2 / radius_m, start[2]};
            double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (int k = 0; k < 3; k++)
                places.row[k][i] = p[k] / length;
        }
        sample(&out, &craters, &places, true);
        for (int i = 1; i < PLANET_BLOCK; i++) {
            double rise = 0, step = 0;
            for (int k = 0; k < 3; k++) {
                double d = places.row[k][i] - places.row[k][i - 1];
                rise += 0.5 * d * (out.row[1 + k][i] + out.row[1 + k][i - 1]);
                step += fabs(d) * radius_m;
            }
            double miss = fabs(out.row[0][i] - out.row[0][i - 1] - rise);
            largest = fmax(largest, miss / step);
        }
    }
    CHECK_TEXT(largest < 0.03, "off by %g of the step", largest);
}

static void craters_fade_in_with_the_detail(void)
{
    static struct block places, coarse, fine;
    struct craters craters = moon(100e3, 50e3, 4);
    random_directions(&places);
    CHECK(craters_level_count(&craters) == 0);
    sample(&coarse, &craters, &places, true);
    for (int i = 0; i < PLANET_BLOCK; i++)
        CHECK(coarse.row[0][i] == 0 && coarse.row[1][i] == 0);
    double last = 0;
    for (double spacing_m = 46e3; spacing_m > 5e3; spacing_m *= 0.97) { // no jump from one spacing to the next
        craters.f_max = 0.5 * craters.radius_m / spacing_m;
        sample(&fine, &craters, &places, false);
        double change = 0;
        for (int i = 0; i < PLANET_BLOCK; i++)
            change = fmax(change, fabs(fine.row[0][i] - coarse.row[0][i]));
        CHECK_TEXT(change < 900, "%g m at %g m", change, spacing_m);
        last = fmax(last, change);
        coarse = fine;
    }
    CHECK(last > 10);
}

static void rays_are_shares_and_come_from_the_same_craters(void)
{
    static struct block places, rays;
    struct craters craters = moon(300e3, 2e3, 8);
    double most = 0, sum = 0;
    craters.output = CRATER_RAYS;
    for (int round = 0; round < 30; round++) {
        random_directions(&places);
        sample(&rays, &craters, &places, false);
        for (int i = 0; i < PLANET_BLOCK; i++) {
            CHECK(rays.row[0][i] >= 0 && rays.row[0][i] <= 1);
            most = fmax(most, rays.row[0][i]);
            sum += rays.row[0][i];
        }
    }
    CHECK_TEXT(most > 0.5 && sum > 1, "at most %g", most);
    struct crater_walk walk;
    struct crater crater;
    int fresh = 0;
    crater_walk_begin(&walk, &craters, 2, (const double[3]){0, 0, 0}, 4.0, CRATER_EJECTA_END, 2.0);
    while (crater_walk_next(&walk, &crater)) {
        if (crater.wear > 0.3 * CRATER_RAYS_WEAR)
            continue;
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < PLANET_BLOCK; i++)
                places.row[k][i] = crater.center[k];
        sample(&rays, &craters, &places, false);
        CHECK_TEXT(rays.row[0][0] > 0.5, "%g", rays.row[0][0]);
        fresh++;
    }
    CHECK(fresh > 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    kernels = kernels_choose();
    CHECK_RUN(counts_follow_the_inverse_square_of_the_diameter);
    CHECK_RUN(density_scales_the_count);
    CHECK_RUN(smallest_and_age_bound_what_there_is);
    CHECK_RUN(octants_have_equal_shares);
    CHECK_RUN(a_small_walk_finds_all_that_reaches_it);
    CHECK_RUN(depths_and_rims_are_those_of_pike);
    CHECK_RUN(a_sample_is_the_same_alone_and_in_any_block);
    CHECK_RUN(all_variants_and_both_wants_give_the_same_bits);
    CHECK_RUN(the_young_wipe_out_the_old);
    CHECK_RUN(gradients_are_those_of_the_heights);
    CHECK_RUN(there_are_no_seams);
    CHECK_RUN(craters_fade_in_with_the_detail);
    CHECK_RUN(rays_are_shares_and_come_from_the_same_craters);
    return CHECK_END;
}
