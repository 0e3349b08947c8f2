// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdbool.h>

#include "bake/plan.h"
#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "common/tile_grid.h"
#include "tests/check.h"

#define EARTH_M 6371000.0
#define LISTED_MAX 400000

static tile_key listed[LISTED_MAX];

static struct plan plan_of(int depth, unsigned faces, const char *const *regions, double radius_m)
{
    struct plan plan = {.depth = depth, .faces = faces};
    struct status status;
    for (; regions && *regions; regions++)
        CHECK(plan_parse_region(&plan.regions[plan.region_count++], *regions, &status) == STATUS_OK);
    plan_prepare(&plan, radius_m);
    return plan;
}

static size_t list_plan(const struct plan *plan)
{
    struct plan_walk walk;
    struct node node;
    size_t count = 0;
    plan_walk_begin(&walk, plan);
    while (plan_walk_next(&walk, &node) && count < LISTED_MAX)
        listed[count++] = tile_key_of(node);
    CHECK(count < LISTED_MAX);
    CHECK(!plan_walk_next(&walk, &node));
    return count;
}

// Keys grow, the walk has just what plan_contains and plan_count say, parents and siblings come along.
static size_t check_plan(const struct plan *plan)
{
    size_t count = list_plan(plan);
    uint64_t walked[TILE_LEVEL_MAX + 1] = {0}, counted[TILE_LEVEL_MAX + 1];
    for (size_t k = 0; k < count; k++) {
        struct node node = tile_key_node(listed[k]);
        walked[node.level]++;
        CHECK_TEXT(k == 0 || listed[k] > listed[k - 1], "key %zu does not grow", k);
        CHECK(plan_contains(plan, node));
        if (plan->share_count > 1 || node.level == 0)
            continue;
        CHECK(plan_contains(plan, node_parent(node)));
        for (int child = 0; child < 4; child++)
            CHECK(plan_contains(plan, node_child(node_parent(node), child)));
    }
    CHECK(plan_count(plan, counted) == count);
    for (int level = 0; level <= TILE_LEVEL_MAX; level++)
        CHECK_TEXT(walked[level] == counted[level], "level %d: walked %llu, counted %llu", level,
                   (unsigned long long)walked[level], (unsigned long long)counted[level]);
    return count;
}

static void full_plans_hold_every_node_of_their_levels(void)
{
    for (int depth = 0; depth <= 6; depth++) {
        struct plan plan = plan_of(depth, 63, NULL, EARTH_M);
        CHECK(check_plan(&plan) == 6 * (((size_t)1 << 2 * (depth + 1)) - 1) / 3);
    }
    struct plan deepest = plan_of(TILE_LEVEL_MAX, 63, NULL, EARTH_M);
    uint64_t per_level[TILE_LEVEL_MAX + 1];
    CHECK(plan_count(&deepest, per_level) == 6 * ((UINT64_C(1) << 50) - 1) / 3);
}

static void faces_limit_depth_and_regions_alike(void)
{
    const char *regions[] = {"0,45,900,7", "0,-90,900,7", NULL};
    struct plan plan = plan_of(2, 1 << 1 | 1 << 5, regions, EARTH_M);
    check_plan(&plan);
    size_t count = list_plan(&plan), deep = 0;
    for (size_t k = 0; k < count; k++) {
        struct node node = tile_key_node(listed[k]);
        CHECK(node.face == 1 || node.face == 5);
        deep += node.level == 7;
    }
    CHECK(deep > 0);
    struct plan one = plan_of(0, 1 << 3, NULL, EARTH_M);
    CHECK(check_plan(&one) == 1 && tile_key_node(listed[0]).face == 3);
}

// Least squared chord from the centre to a dense grid of points on the node, its borders included.
static double sampled_chord2(struct double3 center, struct node node, int steps)
{
    double n = (double)(UINT32_C(1) << node.level), least = 8;
    for (int i = 0; i <= steps; i++) {
        for (int j = 0; j <= steps; j++) {
            double s = ((double)node.x + (double)i / steps) / n, t = 1 - ((double)node.y + (double)j / steps) / n;
            struct double3 away = double3_sub(cube_sphere_dir(node.face, s, t), center);
            least = fmin(least, double3_dot(away, away));
        }
    }
    return least;
}

static void touching_agrees_with_dense_sampling(void)
{
    int touching = 0, apart = 0;
    for (int k = 0; k < 3000; k++) {
        int level = (int)check_random_below(5);
        struct node node = tile_key_node(
            tile_key_of((struct node){(int)check_random_below(6), level, (uint32_t)check_random_below(1u << level),
                                      (uint32_t)check_random_below(1u << level)}));
        double latitude = 180 * check_random_unit() - 90, longitude = 540 * check_random_unit() - 180;
        double radius_km = 12000 * pow(check_random_unit(), 3) + 1;
        struct plan plan = {
            .faces = 63, .region_count = 1, .regions = {{latitude, longitude, radius_km, 1, .chord2 = 0}}};
        plan_prepare(&plan, EARTH_M);
        const int steps = 40;
        double nearest = 2 * asin(fmin(1, sqrt(sampled_chord2(plan.regions[0].center, node, steps)) / 2));
        double radius = radius_km / 6371.0, step = 1.0 / ((double)(1 << level) * steps);
        bool touches = plan_region_touches(&plan.regions[0], node);
        if (nearest <= radius) {
            CHECK_TEXT(touches, "%.9g,%.9g,%.9g misses %d/%d/%u/%u", latitude, longitude, radius_km, node.face,
                       node.level, node.x, node.y);
            touching++;
        } else if (nearest > radius + 1.2 * step) {
            CHECK_TEXT(!touches, "%.9g,%.9g,%.9g touches %d/%d/%u/%u", latitude, longitude, radius_km, node.face,
                       node.level, node.x, node.y);
            apart++;
        }
    }
    CHECK(touching > 300 && apart > 300);
}

static void covering_means_that_every_point_is_inside(void)
{
    int covered = 0;
    for (int k = 0; k < 3000; k++) {
        int level = (int)check_random_below(4);
        struct node node = {(int)check_random_below(6), level, (uint32_t)check_random_below(1u << level),
                            (uint32_t)check_random_below(1u << level)};
        struct plan plan = {.faces = 63,
                            .region_count = 1,
                            .regions = {{180 * check_random_unit() - 90, 360 * check_random_unit(),
                                         20000 * check_random_unit() + 1, 1, .chord2 = 0}}};
        plan_prepare(&plan, EARTH_M);
        const struct plan_region *region = &plan.regions[0];
        double opposite = sampled_chord2(double3_scale(region->center, -1), node, 16);
        double farthest = 4 - opposite; // on a sphere the squared chords to opposite points add up to 4
        if (plan_region_covers(region, node)) {
            covered++;
            CHECK(farthest <= region->chord2 + 1e-12);
            CHECK(plan_region_touches(region, node));
        } else {
            // The grid has the corners; inside the sides the distance can only be a little larger.
            CHECK(farthest > region->chord2 - 0.02);
        }
    }
    CHECK(covered > 300);
}

static void touching_is_exact_to_a_nanometre_of_the_rim(void)
{
    // The side between nodes 0/1/0/0 and 0/1/1/0 is the meridian of longitude 0.
    struct node west = {0, 1, 0, 0}, east = {0, 1, 1, 0};
    for (int k = 0; k < 200; k++) {
        double longitude = 1e-3 * check_random_unit() + 1e-7, latitude = 40 * check_random_unit() + 1;
        double sine, cosine;
        stable_sincos_deg(latitude, &sine, &cosine);
        double gap_m = EARTH_M * asin(cosine * sin(longitude * STABLE_DEGREE));
        struct plan plan = {.faces = 63,
                            .region_count = 2,
                            .regions = {{latitude, longitude, (gap_m - 3e-9) / 1000, 2, .chord2 = 0},
                                        {latitude, longitude, (gap_m + 3e-9) / 1000, 2, .chord2 = 0}}};
        plan_prepare(&plan, EARTH_M);
        CHECK(!plan_region_touches(&plan.regions[0], west) && plan_region_touches(&plan.regions[1], west));
        CHECK(plan_region_touches(&plan.regions[0], east));
    }
}

static void discs_refine_just_the_nodes_that_they_touch(void)
{
    static const char *const cases[][3] = {
        {"12,180,700,6", NULL},                        // across the antimeridian
        {"-5,-179.9,300,6", NULL},                     //
        {"90,0,500,6", NULL},                          // holds a pole
        {"-89,77,500,6", NULL},                        //
        {"35.26438968,45,800,6", NULL},                // three faces at a corner
        {"10,20,0.001,6", NULL},                       // 1 m wide
        {"0,0,30000,4", NULL},                         // the whole planet
        {"0,0,12000,5", NULL},                         // more than half of it
        {"-33.9,18.4,900,5", "-30,22,400,6", NULL},    // overlapping
        {"51.5,359.9,400,6", "51.5,-0.1,300,5", NULL}, // one inside the other
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct plan plan = plan_of(2, 63, cases[k], EARTH_M);
        check_plan(&plan);
        // By brute force: each node below the full levels is there just when its parent is and touches.
        for (int level = 3; level <= plan.max_level; level++) {
            for (int face = 0; face < 6; face++) {
                for (uint32_t cell = 0; cell < 1u << 2 * level; cell++) {
                    struct node node = {face, level, cell & ((1u << level) - 1), cell >> level};
                    bool expected = false;
                    struct node parent = node_parent(node);
                    for (int r = 0; r < plan.region_count; r++)
                        expected |= plan.regions[r].level >= level && plan_region_touches(&plan.regions[r], parent);
                    expected = expected && plan_contains(&plan, parent);
                    if (plan_contains(&plan, node) != expected)
                        CHECK_TEXT(false, "case %zu, %d/%d/%u/%u", k, face, level, node.x, node.y);
                }
            }
        }
    }
}

static void a_place_is_refined_to_its_level_around_it(void)
{
    static const double radii_m[] = {10, 1737400, EARTH_M, 1e9};
    for (int k = 0; k < 40; k++) {
        double latitude = 180 * check_random_unit() - 90, longitude = 360 * check_random_unit() - 180;
        double radius_m = radii_m[k & 3];
        int level = 5 + (int)check_random_below(20);
        struct plan plan = {.depth = 1, .faces = 63, .region_count = 1};
        plan.regions[0] = (struct plan_region){
            .latitude_deg = latitude, .longitude_deg = longitude, .radius_km = radius_m * 1e-12, .level = level};
        plan_prepare(&plan, radius_m);
        struct cube_place at = cube_sphere_locate(geographic_dir(latitude, longitude));
        struct node node = node_at(at.face, at.s, at.t, level);
        CHECK(plan_contains(&plan, node));
        uint64_t per_level[TILE_LEVEL_MAX + 1];
        plan_count(&plan, per_level);
        CHECK(per_level[level] >= 4 && per_level[level] <= 12 && per_level[level] % 4 == 0);
        CHECK(check_plan(&plan) < 400);
    }
}

static void deep_and_wide_plans_are_counted_quickly(void)
{
    const char *regions[] = {"46.5,8,100,20", "-46.5,8,0.05,24", NULL};
    struct plan plan = plan_of(4, 63, regions, EARTH_M);
    uint64_t per_level[TILE_LEVEL_MAX + 1];
    plan_count(&plan, per_level);
    // A disc of 100 km has 31,416 km2; nodes of level 20 about 9.5 m a side near there.
    CHECK_TEXT(per_level[20] > 300000000 && per_level[20] < 500000000, "%llu", (unsigned long long)per_level[20]);
    CHECK_TEXT(per_level[24] > 20000 && per_level[24] < 40000, "%llu", (unsigned long long)per_level[24]);
    // And walks start at once.
    struct plan_walk walk;
    struct node node;
    plan_walk_begin(&walk, &plan);
    for (int k = 0; k < 100000; k++)
        CHECK(plan_walk_next(&walk, &node));
}

static void equal_plans_have_equal_regions_however_they_were_given(void)
{
    const char *a[] = {"10,190,50,7", "0,0,1,2", "-10,30,5,6", "10,190,50,7", NULL};
    const char *b[] = {"-10.0,30,5e0,6", "10,-170,50,7", NULL};
    struct plan p = plan_of(3, 63, a, EARTH_M), q = plan_of(3, 63, b, EARTH_M);
    CHECK(p.region_count == 2 && q.region_count == 2);
    for (int k = 0; k < 2; k++) {
        char left[PLAN_REGION_TEXT_MAX], right[PLAN_REGION_TEXT_MAX];
        plan_format_region(left, &p.regions[k]);
        plan_format_region(right, &q.regions[k]);
        CHECK_TEXT(strcmp(left, right) == 0, "%s, %s", left, right);
        CHECK(p.regions[k].chord2 == q.regions[k].chord2 && p.regions[k].center.x == q.regions[k].center.x);
    }
    CHECK(p.max_level == 7);
}

static int compare_keys(const void *a, const void *b)
{
    tile_key p = *(const tile_key *)a, q = *(const tile_key *)b;
    return p < q ? -1 : p > q;
}

static void shares_have_no_tile_in_common_and_make_up_the_plan(void)
{
    static const char *const regions[] = {"35.3,45,300,8", "-60,-100,40,10", NULL};
    static const uint32_t counts[] = {1, 2, 3, 7, 64, 500};
    static unsigned char taken[LISTED_MAX];
    for (int k = 0; k < 2; k++) {
        struct plan whole = plan_of(k == 0 ? 3 : 1, 63, k == 0 ? NULL : regions, EARTH_M);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            uint64_t total = 0, least = UINT64_MAX, most = 0, per_level[TILE_LEVEL_MAX + 1];
            size_t count = list_plan(&whole);
            memset(taken, 0, count);
            for (uint32_t share = 1; share <= counts[c]; share++) {
                struct plan part = whole;
                struct plan_walk walk;
                struct node node;
                plan_take_share(&part, share, counts[c]);
                uint64_t counted = plan_count(&part, per_level), walked = 0;
                tile_key last = 0;
                plan_walk_begin(&walk, &part);
                for (; plan_walk_next(&walk, &node); walked++) {
                    CHECK(walked == 0 || tile_key_of(node) > last);
                    last = tile_key_of(node);
                    tile_key *found = bsearch(&last, listed, count, sizeof last, compare_keys);
                    CHECK(found && taken[found - listed]++ == 0);
                }
                CHECK(walked == counted);
                total += counted;
                least = counted < least ? counted : least;
                most = counted > most ? counted : most;
            }
            CHECK(total == count && most - least <= 1);
        }
    }
}

static void nodes_are_found_by_their_number(void)
{
    const char *regions[] = {"35.3,45,300,7", NULL};
    struct plan plan = plan_of(2, 63, regions, EARTH_M);
    for (uint32_t share = 1; share <= 3; share++) {
        struct plan part = plan;
        plan_take_share(&part, share, 3);
        size_t count = list_plan(&part);
        uint64_t number = 0;
        struct node node;
        for (size_t k = 0; k < count; k++) {
            int level = tile_key_node(listed[k]).level;
            number = k > 0 && tile_key_node(listed[k - 1]).level == level ? number + 1 : 0;
            CHECK(plan_nth(&part, level, number, &node) && tile_key_of(node) == listed[k]);
        }
        CHECK(!plan_nth(&part, 7, number + 1, &node) && !plan_nth(&part, 8, 0, &node));
    }
}

static void shares_are_regions(void)
{
    // All tiles of a share lie between two places of the depth-first order: seen from level 0 they are few subtrees.
    struct plan plan = plan_of(5, 63, NULL, EARTH_M);
    plan_take_share(&plan, 5, 12);
    size_t count = check_plan(&plan), faces = 0;
    for (size_t k = 0; k < count; k++)
        faces |= (size_t)1 << tile_key_node(listed[k]).face;
    CHECK(count == 6 * 1365 / 12 + 1 && faces == 4);
}

static void odd_regions_are_refused(void)
{
    static const char *const bad[] = {
        "",           "1",         "1,2",       "1,2,3",     "1,2,3,4,5", "91,0,1,5", "-91,0,1,5",
        "0,-181,1,5", "0,361,1,5", "0,0,0,5",   "0,0,-1,5",  "0,0,1,25",  "0,0,1,-1", "0,0,1,2.5",
        "0,0,nan,5",  "inf,0,1,5", "0,0,1,5 ",  " 0,0,1,5",  "0,,1,5",    "0;0;1;5",  "0,0,1e999,5",
        "0,0,1,",     ",,,",       "0x1,0,1,5", "0,0,1,5km",
    };
    struct plan_region region = {.level = 77};
    struct status status;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        status.text[0] = 0;
        CHECK_TEXT(plan_parse_region(&region, bad[k], &status) == STATUS_USAGE && status.text[0], "\"%s\"", bad[k]);
    }
    CHECK(region.level == 77);
    CHECK(plan_parse_region(&region, "-32.9,360,.5,24", &status) == STATUS_OK);
    CHECK(region.latitude_deg == -32.9 && region.longitude_deg == 360 && region.radius_km == 0.5 && region.level == 24);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(full_plans_hold_every_node_of_their_levels);
    CHECK_RUN(faces_limit_depth_and_regions_alike);
    CHECK_RUN(touching_agrees_with_dense_sampling);
    CHECK_RUN(covering_means_that_every_point_is_inside);
    CHECK_RUN(touching_is_exact_to_a_nanometre_of_the_rim);
    CHECK_RUN(discs_refine_just_the_nodes_that_they_touch);
    CHECK_RUN(a_place_is_refined_to_its_level_around_it);
    CHECK_RUN(deep_and_wide_plans_are_counted_quickly);
    CHECK_RUN(equal_plans_have_equal_regions_however_they_were_given);
    CHECK_RUN(shares_have_no_tile_in_common_and_make_up_the_plan);
    CHECK_RUN(nodes_are_found_by_their_number);
    CHECK_RUN(shares_are_regions);
    CHECK_RUN(odd_regions_are_refused);
    return CHECK_END;
}
