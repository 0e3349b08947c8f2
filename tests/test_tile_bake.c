// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdbool.h>

#include "common/byteorder.h"
#include "formats/height_codec.h"
#include "formats/picture_codec.h"
#include "tests/tile_help.h"

static int bits_of(const struct planet *planet, int intervals, int level)
{
    return normal_bits(tile_spacing_m(planet_radius_m(planet), intervals, level));
}

// A decoded normal in planet-fixed axes.
static struct double3 world_normal(const uint8_t *normals, int bits, int index, int face, struct double3 dir)
{
    double q[3];
    for (int k = 0; k < 3; k++)
        q[k] = bits == 8 ? (normals[3 * index + k] - 128) / 127.0
                         : (normals[6 * index + 2 * k] * 256 + normals[6 * index + 2 * k + 1] - 32768) / 32767.0;
    struct tangent_frame frame = cube_tangent_frame(face, dir);
    return double3_add(double3_scale(frame.x, q[0]),
                       double3_add(double3_scale(frame.y, q[1]), double3_scale(frame.z, q[2])));
}

// ---- Borders -------------------------------------------------------------------------------------------

static int side_index(enum node_side side, int k, int n)
{
    switch (side) {
    case SIDE_WEST: return k * (n + 1);
    case SIDE_EAST: return k * (n + 1) + n;
    case SIDE_NORTH: return k;
    default: return n * (n + 1) + k;
    }
}

// Steps of a component that normals of two faces may differ by: each is rounded to half a step, the frames differ.
#define NORMAL_STEPS 1.25

static void check_shared_side(struct tile_worker *a, struct tile_worker *b, const struct planet *planet,
                              struct node node, enum node_side side)
{
    enum node_side back;
    bool reversed;
    struct node other = node_neighbour(node, side, &back, &reversed);
    struct pack_entry entry;
    bake(a, node, &entry);
    bake(b, other, &entry);
    int bits = bits_of(planet, N, node.level);
    double step = bits == 8 ? 1 / 127.0 : 1 / 32767.0;
    for (int k = 0; k <= N; k++) {
        int left = side_index(side, k, N), right = side_index(back, reversed ? N - k : k, N);
        CHECK(tile_worker_heights(a)[left] == tile_worker_heights(b)[right]);
        CHECK(memcmp(tile_worker_colors(a) + 3 * left, tile_worker_colors(b) + 3 * right, 3) == 0);
        struct double3 dir = tile_sample_dir(node, N, left % SIDE, left / SIDE);
        struct double3 p = world_normal(tile_worker_normals(a), bits, left, node.face, dir);
        struct double3 q = world_normal(tile_worker_normals(b), bits, right, other.face, dir);
        // Compared in the frame of the first, as components are stored.
        struct tangent_frame frame = cube_tangent_frame(node.face, dir);
        struct double3 d = double3_sub(p, q);
        double most =
            fmax(fabs(double3_dot(d, frame.x)), fmax(fabs(double3_dot(d, frame.y)), fabs(double3_dot(d, frame.z))));
        CHECK_TEXT(most <= NORMAL_STEPS * step, "%.3f steps at %d/%d/%u/%u", most / step, node.face, node.level, node.x,
                   node.y);
        if (node.face == other.face)
            CHECK(memcmp(tile_worker_normals(a) + left * 3 * bits / 8, tile_worker_normals(b) + right * 3 * bits / 8,
                         (size_t)(3 * bits / 8)) == 0);
    }
}

static void neighbours_share_their_border_samples_over_all_edges(void)
{
    for (int p = 0; builtin_planets[p].name; p++) {
        const char *text = p == 0 ? rough_text : builtin_planets[p - 1].text;
        struct planet *planet = planet_of_text(text, 0);
        struct tile_worker *a = worker_of(planet, N, ALL_LAYERS), *b = worker_of(planet, N, ALL_LAYERS);
        // Of the worlds one level; whole packs of them are compared in tests/test_cli_worlds.py.
        for (int level = p == 0 ? 0 : 11; level <= 20; level += p == 0 ? 5 : 11) {
            uint32_t last = (UINT32_C(1) << level) - 1, middle = last / 3;
            // A side of each face at each edge, its two ends (the cube's corners among them), and one inside.
            for (int face = 0; face < CUBE_FACE_COUNT; face++) {
                check_shared_side(a, b, planet, (struct node){face, level, 0, middle}, SIDE_WEST);
                check_shared_side(a, b, planet, (struct node){face, level, last, 0}, SIDE_EAST);
                check_shared_side(a, b, planet, (struct node){face, level, last, 0}, SIDE_NORTH);
                check_shared_side(a, b, planet, (struct node){face, level, 0, last}, SIDE_SOUTH);
                check_shared_side(a, b, planet, (struct node){face, level, last, last}, SIDE_SOUTH);
                check_shared_side(a, b, planet, random_node(level), (enum node_side)check_random_below(4));
            }
        }
        tile_worker_free(a);
        tile_worker_free(b);
        planet_free(planet);
    }
}

static void three_faces_agree_at_the_corners_of_the_cube(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    const int corner_index[4] = {0, N, N * SIDE, N * SIDE + N};
    for (int level = 0; level <= 20; level += 5) {
        int32_t heights[8];
        uint8_t colors[8][3];
        int seen[8] = {0};
        uint32_t last = (UINT32_C(1) << level) - 1;
        for (int face = 0; face < CUBE_FACE_COUNT; face++) {
            for (int c = 0; c < 4; c++) {
                struct node node = {face, level, c & 1 ? last : 0, c & 2 ? last : 0};
                struct pack_entry entry;
                bake(worker, node, &entry);
                struct double3 dir = tile_sample_dir(node, N, corner_index[c] % SIDE, corner_index[c] / SIDE);
                int corner = (dir.x > 0) | (dir.y > 0) << 1 | (dir.z > 0) << 2;
                int32_t height = tile_worker_heights(worker)[corner_index[c]];
                const uint8_t *color = tile_worker_colors(worker) + 3 * corner_index[c];
                if (seen[corner]++ == 0) {
                    heights[corner] = height;
                    memcpy(colors[corner], color, 3);
                }
                CHECK(height == heights[corner] && memcmp(color, colors[corner], 3) == 0);
            }
        }
        for (int corner = 0; corner < 8; corner++)
            CHECK(seen[corner] == 3);
    }
    tile_worker_free(worker);
    planet_free(planet);
}

// ---- Layers --------------------------------------------------------------------------------------------

static void heights_are_the_function_rounded_to_units_as_near_as_a_mesh_is(void)
{
    static const double radii_m[] = {0, 10, 2e8, 1737400};
    for (int k = 0; k < 4; k++) {
        struct planet *planet = planet_of_text(rough_text, radii_m[k]);
        struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
        void *scratch = aligned_alloc(64, (planet_scratch_bytes(planet) + 63) / 64 * 64);
        planet_scratch_begin(planet, scratch);
        double unit_m = height_unit_m(height_unit_exponent(planet_radius_m(planet)));
        for (int level = 0; level <= 24; level += 4) {
            struct node node = random_node(level);
            struct pack_entry entry;
            // What a mesh may be off (bake/planet/mesh.h), and a float's rounding.
            double radius_m = planet_radius_m(planet), spacing_m = tile_spacing_m(radius_m, N, level);
            double mesh_units =
                fmax(0.1, fmin(1e-3 * spacing_m, 1.6e-7 * radius_m) / unit_m) + 4e-10 * radius_m / unit_m;
            bake(worker, node, &entry);
            int32_t least = INT32_MAX, most = INT32_MIN;
            for (int at = 0; at < SIDE * SIDE; at++) {
                _Alignas(64) double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], h[PLANET_BLOCK];
                int32_t height = tile_worker_heights(worker)[at];
                least = height < least ? height : least;
                most = height > most ? height : most;
                if (check_random_below(20) > 0)
                    continue;
                struct double3 dir = tile_sample_dir(node, N, at % SIDE, at / SIDE);
                x[0] = dir.x, y[0] = dir.y, z[0] = dir.z;
                planet_sample(planet, scratch, 1, x, y, z, spacing_m, 0, &(struct planet_block){.height_m = h});
                CHECK(fabs(h[0] / unit_m - height) <= 0.5 + mesh_units);
            }
            CHECK(least == entry.height_min && most == entry.height_max && (least < most || level > 18));
        }
        free(scratch);
        tile_worker_free(worker);
        planet_free(planet);
    }
}

static void a_flat_planet_is_exactly_flat(void)
{
    struct planet *planet = planet_of_text("radius = 6371000\nheight = 0 * x\ncolor = #336699\n", 0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        for (int level = 0; level <= 16; level += 4) {
            struct pack_entry entry;
            bake(worker, (struct node){face, level, 0, (UINT32_C(1) << level) - 1}, &entry);
            int bits = bits_of(planet, N, level);
            for (int at = 0; at < SIDE * SIDE; at++) {
                static const uint8_t flat8[3] = {128, 128, 255}, flat16[6] = {128, 0, 128, 0, 255, 255};
                const uint8_t *flat = bits == 8 ? flat8 : flat16;
                CHECK(memcmp(tile_worker_normals(worker) + at * 3 * bits / 8, flat, (size_t)(3 * bits / 8)) == 0);
                CHECK(memcmp(tile_worker_colors(worker) + 3 * at, "\x33\x66\x99", 3) == 0);
                CHECK(tile_worker_heights(worker)[at] == 0);
            }
            // Only the sag of the chords is left: spacing^2 / (8 radius) along a cell's diagonal.
            double spacing_m = tile_spacing_m(6371000, N, level), sag_m = 2 * spacing_m * spacing_m / (8 * 6371000);
            CHECK(entry.error <= (uint32_t)ceil(sag_m * 256 * 1.3) && entry.error >= sag_m * 256 * 0.4);
        }
    }
    tile_worker_free(worker);
    planet_free(planet);
}

static double height_at(const struct planet *planet, void *scratch, struct double3 dir, double spacing_m)
{
    _Alignas(64) double x[PLANET_BLOCK] = {dir.x}, y[PLANET_BLOCK] = {dir.y}, z[PLANET_BLOCK] = {dir.z},
                        h[PLANET_BLOCK];
    planet_sample(planet, scratch, 1, x, y, z, spacing_m, 0, &(struct planet_block){.height_m = h});
    return h[0];
}

static void normals_are_those_of_the_height_function(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    void *scratch = aligned_alloc(64, (planet_scratch_bytes(planet) + 63) / 64 * 64);
    planet_scratch_begin(planet, scratch);
    double radius_m = planet_radius_m(planet), steepest = 0;
    for (int level = 0; level <= 16; level += 2) {
        for (int face = 0; face < CUBE_FACE_COUNT; face++) {
            struct node node = random_node(level);
            struct pack_entry entry;
            node.face = face;
            bake(worker, node, &entry);
            double spacing_m = tile_spacing_m(radius_m, N, level),
                   e = fmin(0.1 * spacing_m, 0.02 * spacing_m + 6) / radius_m;
            int bits = bits_of(planet, N, level);
            for (int k = 0; k < 20; k++) {
                int at = (int)check_random_below(SIDE * SIDE);
                struct double3 dir = tile_sample_dir(node, N, at % SIDE, at / SIDE);
                struct tangent_frame frame = cube_tangent_frame(face, dir);
                struct double3 ends[4];
                for (int d = 0; d < 4; d++) {
                    struct double3 along = double3_scale(d < 2 ? frame.x : frame.y, d & 1 ? e : -e);
                    struct double3 near = double3_normalise(double3_add(dir, along));
                    ends[d] = double3_scale(near, radius_m + height_at(planet, scratch, near, spacing_m));
                }
                // The surface's own normal, from differences in space.
                struct double3 n =
                    double3_normalise(double3_cross(double3_sub(ends[1], ends[0]), double3_sub(ends[3], ends[2])));
                struct double3 stored = world_normal(tile_worker_normals(worker), bits, at, face, dir);
                double step = bits == 8 ? 1 / 127.0 : 1 / 32767.0;
                double away = double3_length(double3_sub(n, stored));
                CHECK_TEXT(away < 0.9 * step + 2e-4, "level %d: %.5f steps", level, away / step);
                steepest = fmax(steepest, 1 - double3_dot(n, dir));
            }
        }
    }
    CHECK(steepest > 0.01); // there was something to see
    free(scratch);
    tile_worker_free(worker);
    planet_free(planet);
}

static void a_dome_is_bright_on_the_side_of_the_light(void)
{
    // A dome of 300 km on a small planet at the centre of each face in turn.
    static const char *const axes[6] = {"x", "y", "z", "-x", "-y", "-z"};
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        char text[120];
        snprintf(text, sizeof text, "radius = 1000000\nheight = 300000 * exp(-8 * (1 - (%s)))\n", axes[face]);
        struct planet *planet = planet_of_text(text, 0);
        struct tile_worker *worker = worker_of(planet, N, 1u << LAYER_NORMAL | 1u << LAYER_HEIGHT);
        struct pack_entry entry;
        struct node node = {face, 0, 0, 0};
        bake(worker, node, &entry);
        int bits = bits_of(planet, N, 0), middle = N / 2;
        int top = middle * SIDE + middle;
        CHECK(entry.height_max == tile_worker_heights(worker)[top]);
        for (int axis = 0; axis < 3; axis++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                struct double3 light = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
                // Flanks an eighth of the face away from the top, to all four sides.
                static const int steps[4][2] = {{4, 0}, {-4, 0}, {0, 4}, {0, -4}};
                for (int d = 0; d < 4; d++) {
                    int column = middle + steps[d][0], row = middle + steps[d][1], at = row * SIDE + column;
                    struct double3 dir = tile_sample_dir(node, N, column, row);
                    struct double3 ahead = double3_sub(dir, tile_sample_dir(node, N, middle, middle));
                    double facing = double3_dot(double3_normalise(ahead), light);
                    double bright = double3_dot(world_normal(tile_worker_normals(worker), bits, at, face, dir), light);
                    double level_ground = double3_dot(dir, light);
                    if (facing > 0.9)
                        CHECK(bright > level_ground + 0.1);
                    if (facing < -0.9)
                        CHECK(bright < level_ground - 0.1);
                }
            }
        }
        tile_worker_free(worker);
        planet_free(planet);
    }
}

static void coarse_tiles_have_wide_normals(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    // 785.4 km / (32 * 2^level): over 1 km down to level 4.
    CHECK(bits_of(planet, N, 4) == 16 && bits_of(planet, N, 5) == 8);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    for (int level = 4; level <= 5; level++) {
        struct pack_entry entry;
        struct status status;
        bake(worker, random_node(level), &entry);
        static uint8_t samples[SIDE * SIDE * 6];
        int bits = level == 4 ? 16 : 8;
        CHECK(picture_decode(samples, SIDE, bits, entry.blobs[LAYER_NORMAL], entry.lengths[LAYER_NORMAL], &status) ==
              STATUS_OK);
        CHECK(memcmp(samples, tile_worker_normals(worker), layer_bytes(LAYER_NORMAL, SIDE, bits)) == 0);
    }
    tile_worker_free(worker);
    planet_free(planet);
}

static void blobs_decode_to_the_layers_and_hash_to_the_leaves(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    void *scratch = malloc(height_codec_scratch_bytes(SIDE));
    for (int level = 0; level <= 20; level += 4) {
        static int32_t heights[SIDE * SIDE];
        static uint8_t bytes[SIDE * SIDE * 6];
        struct pack_entry entry;
        struct status status;
        uint8_t digest[SHA256_BYTES];
        struct node node = random_node(level);
        bake(worker, node, &entry);
        CHECK(entry.key == tile_key_of(node));
        CHECK(height_decode(heights, SIDE, entry.blobs[LAYER_HEIGHT], entry.lengths[LAYER_HEIGHT], scratch, &status) ==
              STATUS_OK);
        CHECK(memcmp(heights, tile_worker_heights(worker), sizeof heights) == 0);
        for (int at = 0; at < SIDE * SIDE; at++)
            put_i32le(bytes + 4 * at, heights[at]);
        sha256_of(digest, bytes, sizeof heights);
        CHECK(memcmp(digest, entry.content[LAYER_HEIGHT], SHA256_BYTES) == 0);
        CHECK(picture_decode(bytes, SIDE, 8, entry.blobs[LAYER_COLOR], entry.lengths[LAYER_COLOR], &status) ==
              STATUS_OK);
        CHECK(memcmp(bytes, tile_worker_colors(worker), SIDE * SIDE * 3) == 0);
        sha256_of(digest, bytes, SIDE * SIDE * 3);
        CHECK(memcmp(digest, entry.content[LAYER_COLOR], SHA256_BYTES) == 0);
    }
    free(scratch);
    tile_worker_free(worker);
    planet_free(planet);
}

static void layers_do_not_depend_on_which_others_are_wanted(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *all = worker_of(planet, N, ALL_LAYERS);
    for (unsigned layers = 1; layers < ALL_LAYERS; layers++) {
        struct tile_worker *some = worker_of(planet, N, layers);
        struct node node = random_node(5);
        struct pack_entry whole, part;
        bake(all, node, &whole);
        bake(some, node, &part);
        CHECK(whole.error == part.error && whole.height_min == part.height_min && whole.height_max == part.height_max);
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            if (layers >> kind & 1) {
                CHECK(part.lengths[kind] == whole.lengths[kind] && part.crcs[kind] == whole.crcs[kind]);
                CHECK(memcmp(part.blobs[kind], whole.blobs[kind], whole.lengths[kind]) == 0);
                CHECK(memcmp(part.content[kind], whole.content[kind], SHA256_BYTES) == 0);
            } else {
                CHECK(part.lengths[kind] == 0 && !part.blobs[kind]);
            }
        }
        CHECK(!(layers & 2u) == !tile_worker_normals(some) && !(layers & 4u) == !tile_worker_colors(some));
        tile_worker_free(some);
    }
    tile_worker_free(all);
    planet_free(planet);
}

static void a_tile_does_not_depend_on_the_tiles_before_it(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *used = worker_of(planet, N, ALL_LAYERS);
    for (int k = 0; k < 8; k++) {
        struct tile_worker *fresh = worker_of(planet, N, ALL_LAYERS);
        struct pack_entry a, b;
        struct node node = random_node(2 * k);
        bake(used, random_node(20), &a);
        bake(used, node, &a);
        bake(fresh, node, &b);
        CHECK(a.error == b.error && memcmp(a.lengths, b.lengths, sizeof a.lengths) == 0 &&
              memcmp(a.crcs, b.crcs, sizeof a.crcs) == 0 && memcmp(a.content, b.content, sizeof a.content) == 0);
        tile_worker_free(fresh);
    }
    tile_worker_free(used);
    planet_free(planet);
}

static void parents_and_children_agree_where_there_is_no_finer_detail(void)
{
    // `plain` has the same height at every spacing, so every second sample of a child is one of the parent's.
    const char *text = NULL;
    for (int p = 0; builtin_planets[p].name; p++)
        text = strcmp(builtin_planets[p].name, "plain") == 0 ? builtin_planets[p].text : text;
    struct planet *planet = planet_of_text(text, 0);
    struct tile_worker *a = worker_of(planet, N, 1), *b = worker_of(planet, N, 1);
    for (int level = 0; level < 23; level += 3) {
        struct node node = random_node(level);
        struct pack_entry entry;
        bake(a, node, &entry);
        for (int child = 0; child < 4; child++) {
            bake(b, node_child(node, child), &entry);
            for (int at = 0; at < (N / 2 + 1) * (N / 2 + 1); at++) {
                int column = at % (N / 2 + 1), row = at / (N / 2 + 1);
                int here = (row + (child >> 1) * N / 2) * SIDE + column + (child & 1) * N / 2;
                CHECK(tile_worker_heights(a)[here] == tile_worker_heights(b)[2 * row * SIDE + 2 * column]);
            }
        }
    }
    tile_worker_free(a);
    tile_worker_free(b);
    planet_free(planet);
}

// ---- Golden bits ---------------------------------------------------------------------------------------

// Of ranges, errors and leaf hashes. If it has to change, METADATA_GENERATOR_CONTENT changes with it.
#define GOLDEN "d1ab379adff0cab6eee09769a248dc2fa5d9bf8e1999d736a6263c529467cf72"

static void tiles_stay_as_they_are(void)
{
    struct planet *planet =
        planet_of_text("radius = 6371000\nheight = 900 * x - 600 * z + 2400 * x * y + 300\n"
                       "color = ramp(height, -3000, #0a1f4a, 0, #6fb0c0, 0, #d8c890, 2500, #f0f0f0)\n",
                       0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    static const struct node nodes[] = {{0, 0, 0, 0}, {2, 5, 17, 3}, {4, 12, 4095, 77}, {5, 24, 1, 16777215}};
    struct sha256 hash;
    uint8_t digest[SHA256_BYTES], numbers[12];
    char text[2 * SHA256_BYTES + 1];
    sha256_begin(&hash);
    for (size_t k = 0; k < sizeof nodes / sizeof nodes[0]; k++) {
        struct pack_entry entry;
        bake(worker, nodes[k], &entry);
        put_i32le(numbers, entry.height_min);
        put_i32le(numbers + 4, entry.height_max);
        put_u32le(numbers + 8, entry.error);
        sha256_add(&hash, numbers, sizeof numbers);
        sha256_add(&hash, entry.content, sizeof entry.content);
    }
    sha256_finish(&hash, digest);
    sha256_text(text, digest);
    CHECK_TEXT(strcmp(text, GOLDEN) == 0, "%s", text);
    tile_worker_free(worker);
    planet_free(planet);
}

// ---- Refusals ------------------------------------------------------------------------------------------

static void refused(const char *text, double radius_m, const char *words)
{
    struct planet *planet = planet_of_text(text, radius_m);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    struct pack_entry entry;
    struct status status = {0};
    enum status_code code = STATUS_OK;
    for (int face = 0; face < CUBE_FACE_COUNT && code == STATUS_OK; face++)
        code = tile_bake(worker, (struct node){face, 1, 0, 0}, &entry, &status);
    CHECK_TEXT(code == STATUS_INPUT && strstr(status.text, words) && strstr(status.text, "test: tile "), "%d %s",
               (int)code, status.text);
    tile_worker_free(worker);
    planet_free(planet);
}

// A planet is tried out when it is loaded, so the trouble is near one sample of a tile only, which none of the points
// tried there is near: in the middle of node 0/1/0/0.
#define NEAR_ONE_SAMPLE                                                                                                \
    "radius = 1000\na = x - 0.862856\nb = y + 0.357407\nc = z - 0.357407\n"                                            \
    "near = max(1 - 1e6 * (a * a + b * b + c * c), 0)\n"

static void heights_that_cannot_be_stored_are_refused_naming_planet_and_place(void)
{
    refused(NEAR_ONE_SAMPLE "height = 1e200 * (1e200 * near)\n", 0, "height is not finite");
    refused(NEAR_ONE_SAMPLE "height = min(1e200 * near, 1) + 1e-200 * ((1e200 * near) * (1e200 * near))\n", 0,
            "not finite");
    refused(NEAR_ONE_SAMPLE "height = -901 * near\n", 0, "below -0.9 of the radius");
    refused(NEAR_ONE_SAMPLE "height = 5200 * near\n", 0, "out of range");
}

// Defines a field that is 1 at a sample of node 0/1/0/0, offset radians beside it along y, and 0 over a thousandth of a
// radian away.
static void define_spot(char *text, size_t size, const char *name, int column, int row, double offset)
{
    struct double3 dir = tile_sample_dir((struct node){0, 1, 0, 0}, N, column, row);
    snprintf(text, size,
             "%s_a = x - (%.17g)\n%s_b = y - (%.17g)\n%s_c = z - (%.17g)\n"
             "%s = max(1 - 1e6 * (%s_a * %s_a + %s_b * %s_b + %s_c * %s_c), 0)\n",
             name, dir.x, name, dir.y + offset, name, dir.z, name, name, name, name, name, name, name);
}

static void refused_at(const char *text, int column, int row, const char *words)
{
    struct planet *planet = planet_of_text(text, 0);
    struct tile_worker *worker = worker_of(planet, N, ALL_LAYERS);
    struct node node = {0, 1, 0, 0};
    struct pack_entry entry;
    struct status status = {0};
    double latitude_deg, longitude_deg;
    char place[200];
    geographic_of(tile_sample_dir(node, N, column, row), &latitude_deg, &longitude_deg);
    snprintf(place, sizeof place, "test: tile 0/1/0/0: near %.5f,%.5f the %s", latitude_deg, longitude_deg, words);
    CHECK(tile_bake(worker, node, &entry, &status) == STATUS_INPUT);
    CHECK_TEXT(strcmp(status.text, place) == 0, "\"%s\" for \"%s\"", status.text, place);
    tile_worker_free(worker);
    planet_free(planet);
}

// Columns of eight rows follow each other: columns 15 to 17 of row 16 are in one block, not at its start.
static void what_cannot_be_stored_is_named_where_it_is_first(void)
{
    static const char color[] = "bad = 1e300 * spot\ncolor = #808080 * (1 + (bad * bad - bad * bad))\n";
    char text[2000] = "radius = 1000\n", *end = text + strlen(text);
    size_t size = sizeof text - strlen(text);
    define_spot(end, size, "spot", 16, 16, 0);
    strcat(strcat(end, "height = 0 * x\n"), color);
    refused_at(text, 16, 16, "colour is not a number");
    // The slope is infinite beside the middle of the spot.
    define_spot(end, size, "spot", 16, 16, 3e-4);
    strcat(end, "height = (1e307 * spot) * (1e-307 * spot)\n");
    refused_at(text, 16, 16, "slope is not finite");
    // A height after a colour, and before it.
    for (int column = 15; column <= 17; column += 2) {
        define_spot(end, size, "spot", 16, 16, 0);
        strcat(end, color);
        define_spot(text + strlen(text), sizeof text - strlen(text), "pit", column, 16, 0);
        strcat(end, "height = -901 * pit\n");
        refused_at(text, column < 16 ? column : 16, 16,
                   column < 16 ? "height is below -0.9 of the radius" : "colour is not a number");
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(neighbours_share_their_border_samples_over_all_edges);
    CHECK_RUN(three_faces_agree_at_the_corners_of_the_cube);
    CHECK_RUN(heights_are_the_function_rounded_to_units_as_near_as_a_mesh_is);
    CHECK_RUN(a_flat_planet_is_exactly_flat);
    CHECK_RUN(normals_are_those_of_the_height_function);
    CHECK_RUN(a_dome_is_bright_on_the_side_of_the_light);
    CHECK_RUN(coarse_tiles_have_wide_normals);
    CHECK_RUN(blobs_decode_to_the_layers_and_hash_to_the_leaves);
    CHECK_RUN(layers_do_not_depend_on_which_others_are_wanted);
    CHECK_RUN(a_tile_does_not_depend_on_the_tiles_before_it);
    CHECK_RUN(parents_and_children_agree_where_there_is_no_finer_detail);
    CHECK_RUN(tiles_stay_as_they_are);
    CHECK_RUN(heights_that_cannot_be_stored_are_refused_naming_planet_and_place);
    CHECK_RUN(what_cannot_be_stored_is_named_where_it_is_first);
    return CHECK_END;
}
