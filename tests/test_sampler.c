// SPDX-License-Identifier: MIT
#include "bake/sampler.h"

#include "bake/srgb.h"
#include "common/srgb.h"
#include "tests/real_pack.h"

#define ALL_LAYERS 7u

static struct status status;

// A direction equally likely everywhere, or, one time in four, one on the lattice, where borders and corners are.
static struct double3 random_dir(void)
{
    if (check_random_below(4) == 0) {
        int64_t n = INT64_C(1) << check_random_below(10);
        return cube_sphere_lattice_dir((int)check_random_below(6), (int64_t)check_random_below((uint64_t)n + 1),
                                       (int64_t)check_random_below((uint64_t)n + 1), n);
    }
    double z = 2 * check_random_unit() - 1, angle = 360 * check_random_unit(), sine, cosine;
    stable_sincos_deg(angle, &sine, &cosine);
    double across = sqrt(1 - z * z);
    return double3_normalise((struct double3){across * cosine, across * sine, z});
}

static struct sampler *open_sampler(struct pack **pack, const char *path, int level_max, bool strict)
{
    struct sampler *sampler = NULL;
    if (pack_open(pack, path, &status) || sampler_new(&sampler, *pack, ALL_LAYERS, level_max, strict, &status)) {
        printf("%s\n", status.text);
        abort();
    }
    return sampler;
}

static void close_sampler(struct pack *pack, struct sampler *sampler)
{
    sampler_free(sampler);
    pack_close(pack);
}

static struct sampler_spot spot_at(struct sampler *sampler, struct double3 dir, bool *found)
{
    struct sampler_spot spot = {.heights = NULL};
    CHECK_TEXT(sampler_locate(sampler, dir, found, &spot, &status) == STATUS_OK, "%s", status.text);
    return spot;
}

// Levels 0..2 everywhere, one branch to level 5, and all of face 3 to level 3.
static struct sample_keys sparse_keys(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 2);
    keys_add_full(&set, 3, 3, 3);
    keys_add_branch(&set, (struct node){1, 5, 13, 22});
    keys_sort(&set);
    return set;
}

// ---- What a spot is ------------------------------------------------------------------------------------------

// Bilinear in the lattice of its face and level, so that interpolation gives it back exactly.
static double saddle(int face, int level, double i, double j)
{
    return 1000.0 * face + 100.0 * level + 3 * i - 5 * j + 2 * i * j;
}

static void saddle_sample(struct node node, int column, int row, struct double3 dir, struct real_sample *sample)
{
    (void)dir;
    int64_t n = tile_lattice_size(REAL_INTERVALS, node.level);
    double i = (double)node.x * REAL_INTERVALS + column, j = (double)n - ((double)node.y * REAL_INTERVALS + row);
    sample->height = (int32_t)saddle(node.face, node.level, i, j);
    sample->rgb[0] = (uint8_t)(node.level * 40);
    sample->rgb[1] = (uint8_t)(node.face * 40);
}

// The pack of sparse_keys, written once.
static const char *saddle_pack(const struct sample_keys *set)
{
    static bool written;
    struct pack_info info = sample_info(ALL_LAYERS, 3);
    if (!written)
        real_write(sample_path("b.terrane"), &info, set, saddle_sample);
    written = true;
    return sample_path("b.terrane");
}

static bool set_has_at(const struct sample_keys *set, struct cube_place place, int level)
{
    return keys_have(set, node_at(place.face, place.s, place.t, level));
}

static int expected_level(const struct sample_keys *set, struct cube_place place, int level_max)
{
    int level = level_max;
    while (level >= 0 && !set_has_at(set, place, level))
        level--;
    return level;
}

static void the_deepest_tile_at_or_above_the_cap_answers(void)
{
    struct sample_keys set = sparse_keys();
    for (int cap = 0; cap <= 6; cap++) {
        struct pack *pack;
        struct sampler *sampler = open_sampler(&pack, saddle_pack(&set), cap, true);
        int seen_deepest = 0;
        for (int k = 0; k < 4000; k++) {
            struct double3 dir = random_dir();
            if (k % 4 == 3) // often into the deep branch
                dir = cube_sphere_dir(1, (13 + 3 * check_random_unit() - 1) / 32, 1 - (22 + check_random_unit()) / 32);
            struct cube_place place = cube_sphere_locate(dir);
            bool found;
            struct sampler_spot spot = spot_at(sampler, dir, &found);
            CHECK(found && spot.node.level == expected_level(&set, place, cap < 5 ? cap : 5));
            seen_deepest += spot.node.level == 5;
            struct node node = node_at(place.face, place.s, place.t, spot.node.level);
            CHECK(tile_key_of(node) == tile_key_of(spot.node));
        }
        CHECK((seen_deepest > 100) == (cap >= 5));
        close_sampler(pack, sampler);
    }
    keys_free(&set);
}

static void heights_are_bilinear_in_s_and_t(void)
{
    struct sample_keys set = sparse_keys();
    struct pack *pack;
    struct sampler *sampler = open_sampler(&pack, saddle_pack(&set), TILE_LEVEL_MAX, true);
    for (int k = 0; k < 20000; k++) {
        struct double3 dir = random_dir();
        struct cube_place place = cube_sphere_locate(dir);
        bool found;
        struct sampler_spot spot = spot_at(sampler, dir, &found);
        double n = (double)tile_lattice_size(REAL_INTERVALS, spot.node.level);
        double expected = saddle(place.face, spot.node.level, place.s * n, place.t * n);
        CHECK_TEXT(found && fabs(sampler_height(&spot) - expected) <= 1e-9 * (1 + fabs(expected)), "%.17g %.17g",
                   sampler_height(&spot), expected);
    }
    close_sampler(pack, sampler);
    keys_free(&set);
}

static void samples_themselves_come_back_unchanged(void)
{
    struct sample_keys set = sparse_keys();
    struct pack *pack;
    struct sampler *sampler = open_sampler(&pack, saddle_pack(&set), TILE_LEVEL_MAX, true);
    struct node deep = {1, 5, 13, 22};
    for (int row = 1; row < REAL_INTERVALS; row++) {
        for (int column = 1; column < REAL_INTERVALS; column++) {
            struct double3 dir = tile_sample_dir(deep, REAL_INTERVALS, column, row);
            bool found;
            struct sampler_spot spot = spot_at(sampler, dir, &found);
            struct real_sample sample;
            saddle_sample(deep, column, row, dir, &sample);
            CHECK(found && sampler_height(&spot) == sample.height);
            double light[3];
            sampler_color(&spot, light);
            CHECK(light[0] == srgb_decode(200 / 255.0) && light[1] == srgb_decode(40 / 255.0) && light[2] == 0);
        }
    }
    close_sampler(pack, sampler);
    keys_free(&set);
}

static void answers_do_not_depend_on_what_was_asked_before(void)
{
    struct sample_keys set = sparse_keys();
    struct pack *pack;
    struct sampler *sampler = open_sampler(&pack, saddle_pack(&set), TILE_LEVEL_MAX, true);
    for (int k = 0; k < 300; k++) {
        struct double3 dir = random_dir();
        bool found, found_fresh;
        struct sampler_spot spot = spot_at(sampler, dir, &found);
        struct sampler *fresh;
        CHECK(sampler_new(&fresh, pack, ALL_LAYERS, TILE_LEVEL_MAX, true, &status) == STATUS_OK);
        struct sampler_spot other = spot_at(fresh, dir, &found_fresh);
        CHECK(found && found_fresh && sampler_height(&spot) == sampler_height(&other));
        sampler_free(fresh);
    }
    close_sampler(pack, sampler);
    keys_free(&set);
}

// ---- Values on the sphere ------------------------------------------------------------------------------------

static const struct double3 dome_axis = {0.36, -0.48, 0.8};

// The same smooth things for all faces and levels.
static void dome_sample(struct node node, int column, int row, struct double3 dir, struct real_sample *sample)
{
    (void)node;
    (void)column;
    (void)row;
    double h = double3_dot(dir, dome_axis);
    sample->height = (int32_t)floor(1e8 * h + 0.5);
    sample->normal = double3_normalise(double3_sub(dir, double3_scale(dome_axis, 0.3)));
    sample->rgb[0] = (uint8_t)(128 + 100 * dir.x);
    sample->rgb[1] = (uint8_t)(128 + 100 * dir.y);
    sample->rgb[2] = (uint8_t)(128 + 100 * dir.z);
}

static struct sampler *dome_sampler(struct pack **pack, double radius_m)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 2);
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, 3);
    info.radius_m = radius_m;
    real_write(sample_path("a.terrane"), &info, &set, dome_sample);
    keys_free(&set);
    return open_sampler(pack, sample_path("a.terrane"), TILE_LEVEL_MAX, true);
}

static void the_gradient_is_that_of_the_surface(void)
{
    struct pack *pack;
    struct sampler *sampler = dome_sampler(&pack, 6371000);
    for (int k = 0; k < 5000; k++) {
        struct double3 dir = random_dir();
        bool found;
        struct sampler_spot spot = spot_at(sampler, dir, &found);
        struct double3 g = sampler_gradient(&spot);
        double along = double3_dot(dome_axis, dir);
        struct double3 expected = double3_scale(double3_sub(dome_axis, double3_scale(dir, along)), 1e8);
        CHECK_TEXT(fabs(double3_dot(g, dir)) <= 1e-6 * 1e8, "not tangential: %g", double3_dot(g, dir));
        // A cell is 1/81 of a radian wide, and a chord is as steep as the surface somewhere in it.
        CHECK_TEXT(double3_length(double3_sub(g, expected)) <= 0.015 * 1e8, "%g",
                   double3_length(double3_sub(g, expected)));
    }
    close_sampler(pack, sampler);
}

static void the_gradient_is_the_derivative_of_the_height(void)
{
    struct pack *pack;
    struct sampler *sampler = dome_sampler(&pack, 6371000);
    int compared = 0;
    for (int k = 0; k < 3000; k++) {
        struct double3 dir = random_dir();
        bool found;
        struct sampler_spot spot = spot_at(sampler, dir, &found);
        if (spot.across < 0.1 || spot.across > 0.9 || spot.down < 0.1 || spot.down > 0.9)
            continue;
        compared++;
        struct double3 g = sampler_gradient(&spot);
        struct tangent_frame frame = cube_tangent_frame(spot.node.face, dir);
        double step = 1e-6;
        for (int axis = 0; axis < 2; axis++) {
            struct double3 way = double3_scale(axis ? frame.y : frame.x, step);
            struct sampler_spot after = spot_at(sampler, double3_normalise(double3_add(dir, way)), &found);
            double high = sampler_height(&after);
            struct sampler_spot before = spot_at(sampler, double3_normalise(double3_sub(dir, way)), &found);
            double slope = (high - sampler_height(&before)) / (2 * step);
            CHECK_TEXT(fabs(slope - double3_dot(g, way) / step) <= 1e-4 * 1e8, "%g", slope);
        }
    }
    CHECK(compared > 1000);
    close_sampler(pack, sampler);
}

static void normals_and_colors_are_those_of_the_place(void)
{
    // 16-bit normals above 1 km between samples, 8-bit ones below.
    static const double radii_m[2] = {6371000, 10000};
    for (int r = 0; r < 2; r++) {
        struct pack *pack;
        struct sampler *sampler = dome_sampler(&pack, radii_m[r]);
        double allowed = r == 0 ? 0.001 : 0.01;
        for (int k = 0; k < 5000; k++) {
            struct double3 dir = random_dir();
            bool found;
            struct sampler_spot spot = spot_at(sampler, dir, &found);
            CHECK(spot.normal_bits == (r == 0 ? 16 : 8));
            struct double3 n = sampler_normal(&spot);
            struct double3 expected = double3_normalise(double3_sub(dir, double3_scale(dome_axis, 0.3)));
            CHECK(fabs(double3_length(n) - 1) <= 1e-12);
            CHECK_TEXT(double3_length(double3_sub(n, expected)) <= allowed, "%g",
                       double3_length(double3_sub(n, expected)));
            double light[3];
            sampler_color(&spot, light);
            CHECK(fabs(light[0] - srgb_decode((128 + 100 * dir.x) / 255)) <= 0.01);
            CHECK(fabs(light[2] - srgb_decode((128 + 100 * dir.z) / 255)) <= 0.01);
        }
        close_sampler(pack, sampler);
    }
}

static void both_sides_of_a_border_agree(void)
{
    struct pack *pack;
    struct sampler *sampler = dome_sampler(&pack, 6371000);
    for (int k = 0; k < 3000; k++) {
        // A point on a face's rim or on a tile's border, and points just beside it.
        int64_t n = check_random_below(2) ? 1 : 4;
        double s = (double)check_random_below((uint64_t)n + 1) / (double)n, t = check_random_unit();
        struct double3 dir = cube_sphere_dir((int)check_random_below(6), s, t);
        bool found;
        struct sampler_spot here = spot_at(sampler, dir, &found);
        double height = sampler_height(&here);
        struct tangent_frame frame = cube_tangent_frame(here.node.face, dir);
        for (int side = -1; side <= 1; side += 2) {
            struct double3 beside = double3_normalise(double3_add(dir, double3_scale(frame.x, side * 1e-9)));
            struct sampler_spot there = spot_at(sampler, beside, &found);
            CHECK_TEXT(found && fabs(sampler_height(&there) - height) <= 1, "%g", sampler_height(&there) - height);
        }
    }
    close_sampler(pack, sampler);
}

static void the_poles_and_the_corners_of_the_cube_have_answers(void)
{
    struct pack *pack;
    struct sampler *sampler = dome_sampler(&pack, 6371000);
    for (int k = 0; k < 8 + 6; k++) {
        struct double3 dir = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
        if (k >= 8)
            dir = (struct double3){(k == 8) - (k == 9), (k == 10) - (k == 11), (k == 12) - (k == 13)};
        dir = double3_normalise(dir);
        bool found;
        struct sampler_spot spot = spot_at(sampler, dir, &found);
        double expected = floor(1e8 * double3_dot(dir, dome_axis) + 0.5);
        CHECK_TEXT(found && fabs(sampler_height(&spot) - expected) <= 1, "%g %g", sampler_height(&spot), expected);
    }
    close_sampler(pack, sampler);
}

// ---- Packs that lack something -------------------------------------------------------------------------------

static void a_missing_face_is_not_found(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 2, 2, 1);
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, 2);
    real_write(sample_path("a.terrane"), &info, &set, dome_sample);
    struct pack *pack;
    struct sampler *sampler = open_sampler(&pack, sample_path("a.terrane"), TILE_LEVEL_MAX, true);
    for (int k = 0; k < 500; k++) {
        struct double3 dir = random_dir();
        bool found;
        spot_at(sampler, dir, &found);
        CHECK(found == (cube_sphere_locate(dir).face == 2));
    }
    close_sampler(pack, sampler);
    keys_free(&set);
}

static void layers_that_the_pack_lacks_are_null(void)
{
    for (unsigned layers = 1; layers <= ALL_LAYERS; layers++) {
        struct sample_keys set = {0};
        keys_add_full(&set, 0, 5, 0);
        keys_sort(&set);
        struct pack_info info = sample_info(layers, 1);
        real_write(sample_path("a.terrane"), &info, &set, dome_sample);
        struct pack *pack;
        struct sampler *sampler = open_sampler(&pack, sample_path("a.terrane"), TILE_LEVEL_MAX, true);
        bool found;
        struct sampler_spot spot = spot_at(sampler, random_dir(), &found);
        CHECK(found && (spot.heights != NULL) == (layers >> LAYER_HEIGHT & 1) &&
              (spot.normals != NULL) == (layers >> LAYER_NORMAL & 1) &&
              (spot.colors != NULL) == (layers >> LAYER_COLOR & 1));
        close_sampler(pack, sampler);
        keys_free(&set);
    }
}

// A share holds tiles without their ancestors.
static void a_share_is_answered_from_below_the_cap_unless_strict(void)
{
    struct sample_keys set = {0};
    struct node parent = {4, 2, 1, 2};
    for (int child = 0; child < 4; child++)
        keys_add(&set, node_child(parent, child));
    struct node grandchild = node_child(node_child(node_child(parent, 1), 2), 0);
    keys_add(&set, grandchild); // its own parent is missing
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, 1);
    info.complete = false;
    info.share = 2;
    info.share_count = 3;
    real_write(sample_path("a.terrane"), &info, &set, dome_sample);
    for (int strict = 0; strict < 2; strict++) {
        for (int cap = 0; cap <= 5; cap++) {
            struct pack *pack;
            struct sampler *sampler = open_sampler(&pack, sample_path("a.terrane"), cap, strict);
            for (int k = 0; k < 400; k++) {
                double s = (1 + check_random_unit()) / 4, t = 1 - (2 + check_random_unit()) / 4;
                struct double3 dir = cube_sphere_dir(4, s, t);
                struct cube_place place = cube_sphere_locate(dir);
                int expected = expected_level(&set, place, cap);
                for (int level = cap + 1; expected < 0 && !strict && level <= 5; level++)
                    expected = set_has_at(&set, place, level) ? level : -1;
                bool found;
                struct sampler_spot spot = spot_at(sampler, dir, &found);
                CHECK(found == (expected >= 0) && (!found || spot.node.level == expected));
            }
            close_sampler(pack, sampler);
        }
    }
    keys_free(&set);
}

static void damage_is_reported(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 0);
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, 1);
    real_write(sample_path("a.terrane"), &info, &set, dome_sample);
    keys_free(&set);
    struct pack *pack;
    struct sampler *sampler = open_sampler(&pack, sample_path("a.terrane"), TILE_LEVEL_MAX, true);
    size_t size;
    uint8_t *bytes = sample_load(sample_path("a.terrane"), &size);
    for (size_t k = 1024 + 512; k < size; k++) // behind header and metadata
        bytes[k] ^= 0x10;
    sample_store(sample_path("a.terrane"), bytes, size);
    free(bytes);
    struct sampler_spot spot;
    bool found;
    for (int k = 0; k < 3; k++) { // again and again: what failed is not taken for loaded
        CHECK(sampler_locate(sampler, (struct double3){1, 0, 0}, &found, &spot, &status) == STATUS_INPUT);
        CHECK(!found && status.code == STATUS_INPUT);
    }
    close_sampler(pack, sampler);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    CHECK_RUN(the_deepest_tile_at_or_above_the_cap_answers);
    CHECK_RUN(heights_are_bilinear_in_s_and_t);
    CHECK_RUN(samples_themselves_come_back_unchanged);
    CHECK_RUN(answers_do_not_depend_on_what_was_asked_before);
    CHECK_RUN(the_gradient_is_that_of_the_surface);
    CHECK_RUN(the_gradient_is_the_derivative_of_the_height);
    CHECK_RUN(normals_and_colors_are_those_of_the_place);
    CHECK_RUN(both_sides_of_a_border_agree);
    CHECK_RUN(the_poles_and_the_corners_of_the_cube_have_answers);
    CHECK_RUN(a_missing_face_is_not_found);
    CHECK_RUN(layers_that_the_pack_lacks_are_null);
    CHECK_RUN(a_share_is_answered_from_below_the_cap_unless_strict);
    CHECK_RUN(damage_is_reported);
    sample_end();
    return CHECK_END;
}
