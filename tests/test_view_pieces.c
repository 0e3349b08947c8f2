// SPDX-License-Identifier: MIT
// Pieces of wide leaves: the very surface, normals and colours of their leaf, with smaller triangles.
#include <math.h>

#include "common/stable_math.h"
#include "tests/check.h"
#include "view/ground.h"
#include "view/stream.h"
#include "view/tile_piece.h"

#define RADIUS_M 6371000.0

static double hills_m(struct double3 dir)
{
    return 5000 * sin(40 * dir.x + 1) * sin(37 * dir.y) + 2000 * sin(90 * dir.z);
}

struct leaf {
    struct node node;
    int intervals;
    double *heights_m;
    struct tile_data *data;
};

static void leaf_make(struct leaf *leaf, struct node node, int intervals)
{
    size_t samples = (size_t)(intervals + 1) * (size_t)(intervals + 1);
    leaf->node = node;
    leaf->intervals = intervals;
    leaf->heights_m = malloc(samples * sizeof *leaf->heights_m);
    leaf->data = tile_data_over(malloc(tile_data_bytes(intervals)), intervals);
    for (size_t k = 0; k < samples; k++) {
        int column = (int)k % (intervals + 1), row = (int)k / (intervals + 1);
        leaf->heights_m[k] = hills_m(tile_sample_dir(node, intervals, column, row));
        leaf->data->normals[2 * k] = (int16_t)(check_random() & 0x3FFF);
        leaf->data->normals[2 * k + 1] = (int16_t)(check_random() & 0x3FFF);
        for (size_t c = 0; c < 4; c++)
            leaf->data->colors[4 * k + c] = (uint8_t)check_random();
    }
}

static void leaf_free(struct leaf *leaf)
{
    free(leaf->heights_m);
    free(leaf->data);
}

// Heights as drawn, on the ground that the viewer walks on.
static void set_ground(struct ground *ground, int intervals, const double *heights_m)
{
    static float mesh_m[65 * 65];
    int quads = tile_mesh_quads(intervals), step = intervals / quads;
    for (int k = 0; k < (quads + 1) * (quads + 1); k++)
        mesh_m[k] = (float)heights_m[k / (quads + 1) * step * (intervals + 1) + k % (quads + 1) * step];
    ground_set(ground, 0, mesh_m);
}

static double drawn_m(const struct ground *ground, struct double3 dir)
{
    double height_m = HUGE_VAL;
    CHECK(ground_height_m(ground, dir, &height_m));
    return height_m;
}

static struct node random_piece(struct node leaf, int levels)
{
    struct node node = leaf;
    for (int k = 0; k < levels; k++)
        node = node_child(node, (int)check_random_below(4));
    return node;
}

static void a_piece_has_the_surface_of_its_leaf(void)
{
    static const int sizes[] = {32, 64, 128};
    for (int k = 0; k < 12; k++) {
        int intervals = sizes[k % 3];
        struct leaf leaf;
        leaf_make(&leaf, (struct node){k % 6, 2, (uint32_t)check_random_below(4), (uint32_t)check_random_below(4)},
                  intervals);
        struct ground *whole, *cut;
        struct status status;
        CHECK(ground_new(&whole, intervals, RADIUS_M, 1, &status) == STATUS_OK);
        CHECK(ground_new(&cut, intervals, RADIUS_M, 1, &status) == STATUS_OK);
        set_ground(whole, intervals, leaf.heights_m);
        struct stream_draw draw = {leaf.node, 0, 15, 0};
        ground_follow(whole, &draw, 1);

        struct leaf piece;
        leaf_make(&piece, random_piece(leaf.node, 1 + k % 7), intervals);
        tile_piece_cut(piece.data, piece.heights_m, piece.node, leaf.data, leaf.heights_m, leaf.node, intervals,
                       RADIUS_M);
        set_ground(cut, intervals, piece.heights_m);
        struct stream_draw cut_draw = {piece.node, 0, 15, 0};
        ground_follow(cut, &cut_draw, 1);
        double size = 1.0 / (double)(UINT32_C(1) << piece.node.level);
        for (int p = 0; p < 300; p++) {
            struct double3 dir = cube_sphere_dir(piece.node.face, (piece.node.x + check_random_unit()) * size,
                                                 1 - (piece.node.y + check_random_unit()) * size);
            double a = drawn_m(whole, dir), b = drawn_m(cut, dir);
            double cell_m = tile_spacing_m(RADIUS_M, tile_mesh_quads(intervals), 2);
            CHECK_TEXT(fabs(a - b) < 1e-4 * cell_m, "%.6f and %.6f m, %d levels down", a, b, piece.node.level - 2);
        }
        ground_free(whole);
        ground_free(cut);
        leaf_free(&leaf);
        leaf_free(&piece);
    }
}

static void a_piece_has_the_texels_of_its_leaf_where_they_are_the_same(void)
{
    struct leaf leaf, piece;
    leaf_make(&leaf, (struct node){2, 1, 1, 0}, 64);
    leaf_make(&piece, random_piece(leaf.node, 3), 64);
    tile_piece_cut(piece.data, piece.heights_m, piece.node, leaf.data, leaf.heights_m, leaf.node, 64, RADIUS_M);
    int column0 = (int)(piece.node.x * 64 / 8 - leaf.node.x * 64),
        row0 = (int)(piece.node.y * 64 / 8 - leaf.node.y * 64);
    for (int row = 0; row <= 64; row += 8) {
        for (int column = 0; column <= 64; column += 8) {
            size_t to = (size_t)(row * 65 + column), from = (size_t)((row0 + row / 8) * 65 + column0 + column / 8);
            CHECK(memcmp(piece.data->normals + 2 * to, leaf.data->normals + 2 * from, 4) == 0);
            CHECK(memcmp(piece.data->colors + 4 * to, leaf.data->colors + 4 * from, 4) == 0);
            CHECK(fabs(piece.heights_m[to] - leaf.heights_m[from]) < 1e-6);
        }
    }
    // Between texels: halfway.
    const uint8_t *a = leaf.data->colors + 4 * (size_t)(row0 * 65 + column0), *b = a + 4;
    CHECK(abs(piece.data->colors[4 * 4] - (a[0] + b[0]) / 2) <= 1);
    leaf_free(&leaf);
    leaf_free(&piece);
}

static void only_wide_triangles_are_cut(void)
{
    CHECK(tile_piece_wanted((struct node){.level = 4}, 128, RADIUS_M));
    CHECK(!tile_piece_wanted((struct node){.level = 12}, 128, RADIUS_M));
    CHECK(!tile_piece_wanted((struct node){.level = 0}, 32, 10));
    CHECK(tile_piece_wanted((struct node){.level = 10}, 32, 1e9));
    CHECK(!tile_piece_wanted((struct node){.level = TILE_LEVEL_MAX}, 32, 1e12));
    // The sag holds: no point of the leaf's triangles is further below its lowest vertex.
    CHECK(tile_piece_sag_m((struct node){.level = 0}, 32, RADIUS_M) > RADIUS_M * (1 - cos(STABLE_PI / 4 / 32)));
}

// A pack that is full to level 3, with pieces below where they are wanted.
static bool shallow_pack(void *context, struct node node, struct stream_record *record)
{
    (void)context;
    bool piece = node.level >= 3;
    *record = (struct stream_record){.present = true,
                                     .descends = node.level < 3 || tile_piece_wanted(node, 128, RADIUS_M),
                                     .near_only = piece,
                                     .height_min_m = -3000,
                                     .height_max_m = 3000,
                                     .error_m = piece ? 0 : 1000};
    return true;
}

static void pieces_are_few_and_only_under_the_eye(void)
{
    struct stream *stream;
    struct status status;
    struct stream_config config = {.radius_m = RADIUS_M,
                                   .intervals = 128,
                                   .tile_bytes = 1,
                                   .budget_bytes = 4000,
                                   .detail_px = 1.5,
                                   .error_limit_px = 1,
                                   .uploads_per_frame = 1000,
                                   .slots = 4000,
                                   .occluder_m = RADIUS_M - 4000,
                                   .lookup = shallow_pack};
    CHECK(stream_new(&stream, &config, &status) == STATUS_OK);
    for (int high = 0; high < 2; high++) {
        struct camera camera = {20, 30, RADIUS_M + (high ? 3e6 : 2), 40, -20, 60, 1280, 720};
        for (int k = 0; k < 60; k++) {
            struct node node;
            stream_update(stream, &camera, high * 10 + k * 0.016);
            while (stream_take(stream, &node))
                stream_deliver(stream, node, false, &config);
        }
        CHECK(stream_is_full(stream));
        int count, pieces = 0, deepest = 0;
        const struct stream_draw *draws = stream_draws(stream, &count);
        for (int k = 0; k < count; k++) {
            pieces += draws[k].node.level > 3;
            deepest = draws[k].node.level > deepest ? draws[k].node.level : deepest;
        }
        CHECK_TEXT(high ? pieces == 0 : pieces > 3 && pieces < 60, "%d pieces", pieces);
        CHECK(high || !tile_piece_wanted((struct node){.level = deepest}, 128, RADIUS_M));
    }
    stream_free(stream);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_piece_has_the_surface_of_its_leaf);
    CHECK_RUN(a_piece_has_the_texels_of_its_leaf_where_they_are_the_same);
    CHECK_RUN(only_wide_triangles_are_cut);
    CHECK_RUN(pieces_are_few_and_only_under_the_eye);
    return CHECK_END;
}
