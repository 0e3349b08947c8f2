// SPDX-License-Identifier: MIT
// Nodes, their keys and their neighbours; which node holds a point; the text form.
#include "common/tile_key.h"

#include <math.h>

#include "common/tile_grid.h"
#include "tests/check.h"
#include "tests/random_node.h"

static bool same_node(struct node a, struct node b)
{
    return a.face == b.face && a.level == b.level && a.x == b.x && a.y == b.y;
}

// A node of any level; half of them touch the rim of the face.
static struct node random_rim_node(void)
{
    struct node node = random_node((int)check_random_below(25));
    uint32_t last = (UINT32_C(1) << node.level) - 1;
    switch (check_random_below(8)) {
    case 0: node.x = 0; break;
    case 1: node.x = last; break;
    case 2: node.y = 0; break;
    case 3: node.y = last; break;
    default: break;
    }
    return node;
}

// ---- keys ----

// Calls visit for every node of a level.
static void for_all_nodes(int level, void (*visit)(struct node node))
{
    uint32_t count = UINT32_C(1) << level;
    for (int face = 0; face < 6; face++) {
        for (uint32_t y = 0; y < count; y++) {
            for (uint32_t x = 0; x < count; x++)
                visit((struct node){face, level, x, y});
        }
    }
}

static uint8_t seen[6 * 4096];

static void check_packing(struct node node)
{
    tile_key key = tile_key_of(node);
    CHECK(tile_key_valid(key) && same_node(tile_key_node(key), node));
    uint64_t place = ((uint64_t)node.face << 2 * node.level) + (key & 0xFFFFFFFFFFFF);
    CHECK(place < sizeof seen && !seen[place]);
    if (place < sizeof seen)
        seen[place] = 1;
}

static void keys_unpack_and_fill_each_level_without_gaps(void)
{
    for (int level = 0; level <= 6; level++) {
        memset(seen, 0, sizeof seen);
        for_all_nodes(level, check_packing);
        for (size_t k = 0; k < (size_t)6 << 2 * level; k++)
            CHECK(seen[k]);
    }
}

static void keys_unpack_to_level_24(void)
{
    for (int k = 0; k < 100000; k++) {
        struct node node = random_rim_node();
        CHECK(node_valid(node) && same_node(tile_key_node(tile_key_of(node)), node));
    }
}

// Canonical order as its definition says: level, face, then the bits of y and x from the top.
static bool before(struct node a, struct node b)
{
    if (a.level != b.level)
        return a.level < b.level;
    if (a.face != b.face)
        return a.face < b.face;
    for (int bit = 23; bit >= 0; bit--) {
        if ((a.y >> bit & 1) != (b.y >> bit & 1))
            return (a.y >> bit & 1) < (b.y >> bit & 1);
        if ((a.x >> bit & 1) != (b.x >> bit & 1))
            return (a.x >> bit & 1) < (b.x >> bit & 1);
    }
    return false;
}

static void keys_order_by_level_then_face_then_morton(void)
{
    for (int k = 0; k < 100000; k++) {
        struct node a = random_rim_node(), b = random_rim_node();
        if (k % 2)
            b.level = a.level, b.x = a.x ^ (a.x & 1), b.y = a.y;
        if (k % 4 == 1)
            b.face = a.face;
        CHECK((tile_key_of(a) < tile_key_of(b)) == before(a, b));
    }
    CHECK(morton_encode(1, 0) == 1 && morton_encode(0, 1) == 2 && morton_encode(0xFFFFFF, 0) == 0x555555555555);
    CHECK(tile_key_of((struct node){5, 24, 0xFFFFFF, 0xFFFFFF}) == UINT64_C(0x00C5FFFFFFFFFFFF));
}

static void keys_of_no_node_are_invalid(void)
{
    CHECK(!tile_key_valid(UINT64_C(25) << 51));
    CHECK(!tile_key_valid(UINT64_C(6) << 48) && !tile_key_valid(UINT64_C(7) << 48));
    CHECK(!tile_key_valid(1));                            // level 0 has one node a face
    CHECK(!tile_key_valid((UINT64_C(3) << 51) | 1 << 6)); // level 3 has 64
    CHECK(tile_key_valid((UINT64_C(3) << 51) | 63));
    CHECK(!tile_key_valid(UINT64_MAX) && !tile_key_valid(UINT64_C(1) << 63));
    int valid = 0;
    for (int k = 0; k < 100000; k++) {
        tile_key key = check_random() >> check_random_below(64);
        if (tile_key_valid(key)) {
            valid++;
            CHECK(node_valid(tile_key_node(key)) && tile_key_of(tile_key_node(key)) == key);
        }
    }
    CHECK(valid > 100);
}

static void parents_of_children_are_the_node(void)
{
    for (int k = 0; k < 100000; k++) {
        struct node node = random_node((int)check_random_below(24));
        tile_key first = tile_key_of(node_child(node, 0));
        for (int child = 0; child < 4; child++) {
            struct node small = node_child(node, child);
            CHECK(node_valid(small) && same_node(node_parent(small), node) && node_child_index(small) == child);
            // The children follow each other in canonical order, in the order of their numbers.
            CHECK(tile_key_of(small) == first + (tile_key)child);
        }
    }
}

static void children_cover_the_parent_lattice(void)
{
    // Corner samples of the parent are corner samples of the children: 0 west north, 1 east, 2 south, 3 both.
    for (int k = 0; k < 20000; k++) {
        struct node node = random_node((int)check_random_below(24));
        for (int child = 0; child < 4; child++) {
            int column = child & 1 ? 32 : 0, row = child >> 1 ? 32 : 0;
            struct double3 a = tile_sample_dir(node, 32, column, row);
            struct double3 b = tile_sample_dir(node_child(node, child), 32, column, row);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
        }
    }
}

// ---- neighbours ----

static struct double3 side_sample(struct node node, enum node_side side, int k)
{
    switch (side) {
    case SIDE_WEST: return tile_sample_dir(node, 32, 0, k);
    case SIDE_EAST: return tile_sample_dir(node, 32, 32, k);
    case SIDE_NORTH: return tile_sample_dir(node, 32, k, 0);
    case SIDE_SOUTH: break;
    }
    return tile_sample_dir(node, 32, k, 32);
}

static int crossings;

// The neighbour over a side is mutual, and the samples of both sides are the same directions in the order that
// reversed tells.
static void check_neighbours(struct node node)
{
    for (int side = 0; side < NODE_SIDE_COUNT; side++) {
        enum node_side back, home;
        bool reversed, reversed_back;
        struct node other = node_neighbour(node, (enum node_side)side, &back, &reversed);
        CHECK(node_valid(other) && other.level == node.level && !same_node(other, node));
        crossings += other.face != node.face;
        struct node again = node_neighbour(other, back, &home, &reversed_back);
        CHECK_TEXT(same_node(again, node) && (int)home == side && reversed == reversed_back, "%d/%d/%u/%u side %d",
                   node.face, node.level, node.x, node.y, side);
        CHECK(same_node(node_neighbour(node, (enum node_side)side, NULL, NULL), other));
        for (int k = 0; k <= 32; k += node.level < 4 ? 1 : 8) {
            struct double3 a = side_sample(node, (enum node_side)side, k);
            struct double3 b = side_sample(other, back, reversed ? 32 - k : k);
            CHECK_TEXT(a.x == b.x && a.y == b.y && a.z == b.z, "%d/%d/%u/%u side %d sample %d", node.face, node.level,
                       node.x, node.y, side, k);
        }
    }
}

static void neighbours_are_mutual_over_all_24_edge_pairings_to_level_5(void)
{
    for (int level = 0; level <= 5; level++) {
        crossings = 0;
        for_all_nodes(level, check_neighbours);
        CHECK(crossings == 24 << level);
    }
}

static void neighbours_are_mutual_to_level_24(void)
{
    crossings = 0;
    for (int k = 0; k < 20000; k++)
        check_neighbours(random_rim_node());
    CHECK(crossings > 5000);
}

static void neighbours_within_a_face_are_one_step_away(void)
{
    struct node node = {4, 10, 500, 77};
    CHECK(same_node(node_neighbour(node, SIDE_WEST, NULL, NULL), (struct node){4, 10, 499, 77}));
    CHECK(same_node(node_neighbour(node, SIDE_EAST, NULL, NULL), (struct node){4, 10, 501, 77}));
    CHECK(same_node(node_neighbour(node, SIDE_NORTH, NULL, NULL), (struct node){4, 10, 500, 76}));
    CHECK(same_node(node_neighbour(node, SIDE_SOUTH, NULL, NULL), (struct node){4, 10, 500, 78}));
}

// ---- which node holds a point ----

// Whether the closed rectangle of a node holds (s,t), by exact comparisons.
static bool holds(struct node node, double s, double t)
{
    double size = ldexp(1, -node.level);
    return node.x * size <= s && s <= (node.x + 1) * size && 1 - (node.y + 1) * size <= t && t <= 1 - node.y * size;
}

static void a_point_on_a_boundary_belongs_to_the_larger_x_and_y(void)
{
    for (int k = 0; k < 200000; k++) {
        int level = 1 + (int)check_random_below(24);
        uint32_t count = UINT32_C(1) << level, x = 1 + (uint32_t)check_random_below(count - 1),
                 y = 1 + (uint32_t)check_random_below(count - 1);
        // The corner where nodes (x-1..x, y-1..y) meet.
        double s = x * ldexp(1, -level), t = 1 - y * ldexp(1, -level);
        for (int a = -1; a <= 1; a++) {
            for (int b = -1; b <= 1; b++) {
                // One unit in the last place to either side, or on it.
                double near_s = a ? nextafter(s, a) : s, near_t = b ? nextafter(t, b) : t;
                struct node node = node_at(3, near_s, near_t, level);
                CHECK_TEXT(node.x == (a < 0 ? x - 1 : x) && node.y == (b > 0 ? y - 1 : y), "%a %a level %d", near_s,
                           near_t, level);
                CHECK(holds(node, near_s, near_t) && node.face == 3 && node.level == level);
            }
        }
    }
}

static void a_point_on_the_rim_belongs_to_the_last_node(void)
{
    for (int level = 0; level <= 24; level++) {
        uint32_t last = (UINT32_C(1) << level) - 1;
        struct node low = node_at(1, 0.0, 0.0, level), high = node_at(1, 1.0, 1.0, level);
        CHECK(low.x == 0 && low.y == last && high.x == last && high.y == 0);
        struct node inside = node_at(1, nextafter(0, 1), nextafter(0, 1), level);
        CHECK(inside.x == 0 && inside.y == last);
        inside = node_at(1, nextafter(1, 0), nextafter(1, 0), level);
        CHECK(inside.x == last && inside.y == 0);
    }
}

static void any_point_lies_in_its_node_and_in_the_parents_of_it(void)
{
    for (int k = 0; k < 100000; k++) {
        double s = check_random_unit(), t = check_random_unit();
        struct node node = node_at(2, s, t, 24);
        for (int level = 23; level >= 0; level--) {
            CHECK(holds(node, s, t));
            node = node_parent(node);
            CHECK(same_node(node, node_at(2, s, t, level)));
        }
    }
}

// The way of sample, verify and plan: from a direction. A lattice direction is found on its node's boundary
// exactly, and so is one with every component one unit in the last place off.
static void directions_on_a_boundary_are_found_in_the_same_node_one_ulp_around(void)
{
    for (int k = 0; k < 50000; k++) {
        int face = (int)check_random_below(6), level = 1 + (int)check_random_below(24);
        int64_t n = INT64_C(1) << level;
        int64_t i = 1 + (int64_t)check_random_below((uint64_t)n - 1),
                j = 1 + (int64_t)check_random_below((uint64_t)n - 1);
        struct double3 dir = cube_sphere_lattice_dir(face, i, j, n);
        for (int step = -1; step <= 1; step++) {
            struct double3 near = dir;
            if (step) {
                near.x = nextafter(dir.x, step * 2.0);
                near.y = nextafter(dir.y, -step * 2.0);
                near.z = nextafter(dir.z, step * 2.0);
            }
            struct cube_place place = cube_sphere_locate(near);
            struct node node = node_at(place.face, place.s, place.t, level);
            CHECK_TEXT(node.face == face && node.x == (uint32_t)i && node.y == (uint32_t)(n - j), "%d %d %lld %lld",
                       face, level, (long long)i, (long long)j);
        }
    }
}

// A little off the boundary, by a thousandth of the finest sample spacing, the node is the one on that side.
static void directions_beside_a_boundary_are_found_in_the_node_of_that_side(void)
{
    const double off = 0x1p-43;
    for (int k = 0; k < 50000; k++) {
        int face = (int)check_random_below(6), level = 1 + (int)check_random_below(24);
        uint32_t count = UINT32_C(1) << level, x = 1 + (uint32_t)check_random_below(count - 1),
                 y = 1 + (uint32_t)check_random_below(count - 1);
        double s = x * ldexp(1, -level), t = 1 - y * ldexp(1, -level);
        for (int quarter = 0; quarter < 4; quarter++) {
            double near_s = s + (quarter & 1 ? off : -off), near_t = t + (quarter & 2 ? off : -off);
            struct cube_place place = cube_sphere_locate(cube_sphere_dir(face, near_s, near_t));
            struct node node = node_at(place.face, place.s, place.t, level);
            CHECK(node.face == face && node.x == (quarter & 1 ? x : x - 1) && node.y == (quarter & 2 ? y - 1 : y));
        }
    }
}

static void the_middle_of_a_tile_is_located_in_it(void)
{
    for (int k = 0; k < 100000; k++) {
        struct node node = random_rim_node();
        struct cube_place place = cube_sphere_locate(tile_sample_dir(node, 32, 16, 16));
        CHECK(same_node(node_at(place.face, place.s, place.t, node.level), node));
        CHECK(holds(node, place.s, place.t));
    }
}

// ---- text ----

static void text_returns(void)
{
    for (int k = 0; k < 20000; k++) {
        struct node node = random_rim_node(), back;
        char text[NODE_TEXT_MAX];
        int length = node_format(text, node);
        CHECK(length == (int)strlen(text) && length < NODE_TEXT_MAX);
        CHECK(node_parse(text, &back) && same_node(back, node));
    }
    char text[NODE_TEXT_MAX];
    node_format(text, (struct node){5, 24, 16777215, 3});
    CHECK(strcmp(text, "5/24/16777215/3") == 0);
}

static void text_that_is_not_exactly_a_node_is_refused(void)
{
    static const char *const texts[] = {
        "",
        "0",
        "0/0/0",
        "0/0/0/0/",
        "0/0/0/0/0",
        "/0/0/0/0",
        "0//0/0",
        " 0/0/0/0",
        "0/0/0/0 ",
        "0/0/0/0x",
        "-0/0/0/0",
        "+0/0/0/0",
        "00/0/0/0",
        "0/01/0/0",
        "0/1/1/00",
        "6/0/0/0",
        "0/25/0/0",
        "0/0/1/0",
        "0/0/0/1",
        "0/3/8/0",
        "0/3/0/8",
        "0/1/0x1/0",
        "0/1/1e0/0",
        "0/1/1.0/0",
        "0,0,0,0",
        "a/b/c/d",
        "0/0/0/0\n",
        "0/24/16777216/0",
        "0/1/4294967296/0",
        "0/1/4294967297/0",
        "0/24/18446744073709551616/0",
        "4294967296/0/0/0",
        "0/4294967296/0/0",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        struct node node;
        CHECK_TEXT(!node_parse(texts[k], &node), "'%s'", texts[k]);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(keys_unpack_and_fill_each_level_without_gaps);
    CHECK_RUN(keys_unpack_to_level_24);
    CHECK_RUN(keys_order_by_level_then_face_then_morton);
    CHECK_RUN(keys_of_no_node_are_invalid);
    CHECK_RUN(parents_of_children_are_the_node);
    CHECK_RUN(children_cover_the_parent_lattice);
    CHECK_RUN(neighbours_are_mutual_over_all_24_edge_pairings_to_level_5);
    CHECK_RUN(neighbours_are_mutual_to_level_24);
    CHECK_RUN(neighbours_within_a_face_are_one_step_away);
    CHECK_RUN(a_point_on_a_boundary_belongs_to_the_larger_x_and_y);
    CHECK_RUN(a_point_on_the_rim_belongs_to_the_last_node);
    CHECK_RUN(any_point_lies_in_its_node_and_in_the_parents_of_it);
    CHECK_RUN(directions_on_a_boundary_are_found_in_the_same_node_one_ulp_around);
    CHECK_RUN(directions_beside_a_boundary_are_found_in_the_node_of_that_side);
    CHECK_RUN(the_middle_of_a_tile_is_located_in_it);
    CHECK_RUN(text_returns);
    CHECK_RUN(text_that_is_not_exactly_a_node_is_refused);
    return CHECK_END;
}
