// SPDX-License-Identifier: MIT
// What makes a walk through a field of craters quick changes nothing of what it finds: ruling out four cells at a time
// (crater_sieve.h) and what a thread keeps from block to block (crater_shelf.h).
#include <stdlib.h>

#include "bake/planet/crater_shelf.h"
#include "bake/planet/crater_sieve.h"
#include "tests/kernel_block.h"

static struct craters random_field(void)
{
    return (struct craters){.output = CRATER_HEIGHT,
                            .largest = exp(random_between(-6, 0)),
                            .smallest = check_random_below(3) ? 0 : exp(random_between(-9, -3)),
                            .density = check_random_below(8) ? random_between(0, 1.25) : 0,
                            .depth = 1,
                            .transition = 0.01,
                            .age = check_random_below(4) ? random_between(0, 1) : 0,
                            .radius_m = 1737400,
                            .seed = check_random(),
                            .f_max = exp(random_between(3, 17))};
}

static void random_middle(double middle[3])
{
    static struct block places;
    random_directions(&places);
    for (int k = 0; k < 3; k++)
        middle[k] = places.row[k][0];
}

struct found {
    int count;
    struct crater crater[4096];
};

static bool same_crater(const struct crater *a, const struct crater *b)
{
    return memcmp(a->center, b->center, sizeof a->center) == 0 && a->diameter == b->diameter && a->wear == b->wear &&
           a->age == b->age && a->level == b->level && a->bits == b->bits;
}

static bool same_craters(const struct found *a, const struct found *b)
{
    bool same = a->count == b->count;
    for (int k = 0; k < a->count && same; k++)
        same = same_crater(&a->crater[k], &b->crater[k]);
    return same;
}

static void go(struct found *found, struct crater_walk *walk)
{
    const int room = (int)(sizeof found->crater / sizeof *found->crater);
    found->count = 0;
    while (found->count < room && crater_walk_next(walk, &found->crater[found->count]))
        found->count++;
    CHECK(found->count < room);
}

// What there is to find in a ball, cell by cell, without the help of a sieve or a shelf.
static void go_alone(struct found *found, const struct craters *craters, int level, const double middle[3],
                     double radius, double reach, double wear_end)
{
    struct craters bare = *craters;
    struct crater_walk walk;
    bare.shelf = NULL;
    crater_walk_begin(&walk, &bare, level, middle, radius, reach, wear_end);
    walk.sieve = NULL;
    go(found, &walk);
}

static void a_sieve_loses_no_crater(void)
{
    static struct found quick, slow;
    int total = 0;
    if (!crater_sieve_choose()) {
        printf("  (this processor has no sieve)\n");
        return;
    }
    for (int round = 0; round < 4000; round++) {
        struct craters craters = random_field();
        int level = (int)check_random_below(CRATER_LEVELS_MAX);
        double middle[3], largest = craters.largest * pow(0.5, 0.5 * level);
        double radius = round % 3 ? largest * random_between(0, round % 50 ? 4 : 40) : 0;
        double reach = round % 2 ? 2.6 : 6.0, wear_end = round % 4 ? 2.0 : CRATER_RAYS_WEAR;
        struct crater_walk walk;
        random_middle(middle);
        crater_walk_begin(&walk, &craters, level, middle, radius, reach, wear_end);
        go(&quick, &walk);
        go_alone(&slow, &craters, level, middle, radius, reach, wear_end);
        CHECK_TEXT(same_craters(&quick, &slow), "level %d, radius %g: %d for %d", level, radius / largest, quick.count,
                   slow.count);
        total += slow.count;
    }
    CHECK_TEXT(total > 10000, "%d", total);
}

static void a_whole_level_goes_through_the_sieve(void)
{
    static struct found quick, slow;
    for (int level = 0; level < 7; level++) {
        struct craters craters = {.largest = 0.4, .density = 1, .age = 1, .seed = 5};
        const double middle[3] = {0, 0, 0};
        struct crater_walk walk;
        crater_walk_begin(&walk, &craters, level, middle, 4, 2.6, 2);
        go(&quick, &walk);
        go_alone(&slow, &craters, level, middle, 4, 2.6, 2);
        CHECK_TEXT(same_craters(&quick, &slow) && slow.count > 2, "level %d: %d for %d", level, quick.count,
                   slow.count);
    }
}

// Balls that wander in steps of all sizes, and jump now and then.
static void a_shelf_never_changes_what_is_found(void)
{
    static struct found kept, bare;
    static struct crater_shelf shelf;
    int from_shelf = 0, walks = 0;
    for (int round = 0; round < 60; round++) {
        struct craters craters = random_field();
        double reach = round % 2 ? 2.6 : 6.0, wear_end = round % 3 ? 2.0 : CRATER_RAYS_WEAR, middle[3];
        random_middle(middle);
        crater_shelf_clear(&shelf);
        craters.shelf = &shelf;
        for (int step = 0; step < 100; step++, walks++) {
            int level = (int)check_random_below(6) + 8 * (round % 5);
            double largest = craters.largest * pow(0.5, 0.5 * level), length = 0;
            double radius = check_random_below(3) ? largest * random_between(0, 1.2) : 0;
            for (int k = 0; k < 3; k++) {
                middle[k] += 0.3 * largest * random_between(-1, 1);
                length += middle[k] * middle[k];
            }
            for (int k = 0; k < 3; k++)
                middle[k] /= sqrt(length);
            if (check_random_below(20) == 0)
                random_middle(middle);
            struct crater_walk walk;
            crater_walk_begin(&walk, &craters, level, middle, radius, reach, wear_end);
            from_shelf += walk.kept != NULL;
            go(&kept, &walk);
            go_alone(&bare, &craters, level, middle, radius, reach, wear_end);
            CHECK_TEXT(same_craters(&kept, &bare), "level %d, radius %g: %d for %d", level, radius / largest,
                       kept.count, bare.count);
        }
    }
    CHECK_TEXT(from_shelf > walks / 10 && from_shelf < walks, "%d of %d", from_shelf, walks);
}

static void a_level_with_too_many_craters_is_not_kept(void)
{
    static struct found kept, bare;
    static struct crater_shelf shelf;
    struct craters craters = {.largest = 0.01, .density = 1.25, .age = 1, .seed = 9, .shelf = &shelf};
    const double middle[3] = {0.36, 0.48, 0.8};
    crater_shelf_clear(&shelf);
    for (int round = 0; round < 4; round++) {
        struct crater_walk walk;
        crater_walk_begin(&walk, &craters, 3, middle, 0, 30, 2);
        CHECK(walk.kept == NULL);
        go(&kept, &walk);
        go_alone(&bare, &craters, 3, middle, 0, 30, 2);
        CHECK(same_craters(&kept, &bare) && bare.count > CRATERS_KEPT_MAX);
    }
}

// Blocks side by side along a row of tiles, and two that are elsewhere.
static void heights_and_rays_do_not_depend_on_a_shelf(void)
{
    const struct kernels *kernels = kernels_choose();
    static struct crater_shelf shelf;
    for (int round = 0; round < 8; round++) {
        struct craters craters = random_field();
        double spacing = 0.5 / craters.f_max, middle[3];
        bool gradient = round % 2;
        craters.output = gradient ? CRATER_HEIGHT : CRATER_RAYS;
        crater_shelf_clear(&shelf);
        random_middle(middle);
        for (int number = 0; number < 40; number++) {
            static struct block places, with, without;
            for (int i = 0; i < PLANET_BLOCK; i++) {
                double at[3] = {middle[0] + spacing * (number * 16 + i / 8), middle[1] + spacing * (i % 8), middle[2]};
                double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
                for (int k = 0; k < 3; k++)
                    places.row[k][i] = at[k] / length;
            }
            if (number % 20 == 10)
                random_directions(&places);
            craters.shelf = &shelf;
            kernels->craters(block_field(&with, gradient), places.row[0], places.row[1], places.row[2], &craters);
            craters.shelf = NULL;
            kernels->craters(block_field(&without, gradient), places.row[0], places.row[1], places.row[2], &craters);
            CHECK(memcmp(&with, &without, (gradient ? 4 : 1) * sizeof with.row[0]) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_sieve_loses_no_crater);
    CHECK_RUN(a_whole_level_goes_through_the_sieve);
    CHECK_RUN(a_shelf_never_changes_what_is_found);
    CHECK_RUN(a_level_with_too_many_craters_is_not_kept);
    CHECK_RUN(heights_and_rays_do_not_depend_on_a_shelf);
    return CHECK_END;
}
