// SPDX-License-Identifier: MIT
#include "bake/border_check.h"

#include "tests/real_pack.h"

static struct status status;
static struct border_report report;

// One sample that is made to differ from its neighbours'.
static struct fault {
    bool armed;
    tile_key key;
    int column, row;
    enum layer_kind kind;
    int steps; // of a normal; otherwise units or colour steps
} fault;

// A function of the direction alone, with normals tilted any way.
static void rough_sample(struct node node, int column, int row, struct double3 dir, struct real_sample *sample)
{
    uint64_t bits[3];
    memcpy(bits, &dir, sizeof bits);
    uint64_t hash = sample_hash(bits[0] ^ bits[1] << 1 ^ bits[2] << 2, 5);
    sample->height = (int32_t)(hash & 0xFFFFF);
    struct double3 tilt = {(double)(hash >> 20 & 255) - 128, (double)(hash >> 28 & 255) - 128,
                           (double)(hash >> 36 & 255) - 128};
    sample->normal = double3_normalise(double3_add(dir, double3_scale(tilt, 0.004)));
    for (int k = 0; k < 3; k++)
        sample->rgb[k] = (uint8_t)(hash >> (40 + 8 * k));
    if (!fault.armed || tile_key_of(node) != fault.key || column != fault.column || row != fault.row)
        return;
    switch (fault.kind) {
    case LAYER_HEIGHT: sample->height += fault.steps; break;
    case LAYER_COLOR: sample->rgb[2] = (uint8_t)(sample->rgb[2] + fault.steps); break;
    case LAYER_NORMAL:
        sample->normal = double3_normalise(
            double3_add(sample->normal, double3_scale(cube_tangent_frame(node.face, dir).x, fault.steps / 127.0)));
        break;
    }
}

static enum status_code check_pack(const struct sample_keys *set, unsigned layers, double radius_m, bool complete)
{
    struct pack_info info = sample_info(layers, 2);
    info.radius_m = radius_m;
    info.complete = complete;
    info.share_count = complete ? 1 : 2;
    real_write(sample_path("a.terrane"), &info, set, rough_sample);
    struct pack *pack;
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    enum status_code code = border_check(pack, &report, &status);
    pack_close(pack);
    return code;
}

static struct sample_keys full_keys(int depth)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, depth);
    keys_sort(&set);
    return set;
}

// 8-bit normals below 1 km between samples, 16-bit ones above.
static const double radii_m[2] = {10000, 6371000};

static void equal_borders_pass_and_each_pair_counts_once(void)
{
    struct sample_keys set = full_keys(2);
    for (int r = 0; r < 2; r++) {
        fault.armed = false;
        CHECK_TEXT(check_pack(&set, 7, radii_m[r], true) == STATUS_OK, "%s", status.text);
        CHECK(report.tiles == 6 + 24 + 96);
        CHECK(report.sides == 12 + 48 + 192); // two for each tile
        // Each corner where four tiles meet has two pairs; the eight of the cube have none.
        CHECK_TEXT(report.corners == 2 * ((26 - 8) + (98 - 8)), "%d", (int)report.corners);
        CHECK_TEXT(report.normal_steps_max > 0.7 && report.normal_steps_max <= 1.25, "%g", report.normal_steps_max);
    }
    keys_free(&set);
}

static bool text_names(struct node node)
{
    char name[NODE_TEXT_MAX];
    node_format(name, node);
    return strstr(status.text, name) != NULL;
}

// Sides and corners of every tile of two levels, every other one for each tile; so all edges and corners of the cube
// come up.
static void any_shared_sample_that_differs_is_found(void)
{
    static const int steps[LAYER_COUNT] = {[LAYER_HEIGHT] = 1, [LAYER_NORMAL] = 4, [LAYER_COLOR] = 1};
    struct sample_keys set = full_keys(1);
    fault.armed = true;
    for (size_t k = 0; k < set.count; k++) {
        for (int where = (int)(k & 1); where < 8; where += 2) {
            int along = where < 4 ? (where & 1) * REAL_INTERVALS : 1 + (int)check_random_below(REAL_INTERVALS - 1);
            int across = (where & 2) / 2 * REAL_INTERVALS;
            bool turned = where & 1;
            fault.key = set.keys[k];
            fault.column = where < 4 || !turned ? along : across;
            fault.row = where < 4 || !turned ? across : along;
            fault.kind = (enum layer_kind)check_random_below(LAYER_COUNT);
            fault.steps = steps[fault.kind];
            CHECK(check_pack(&set, 1u << fault.kind, radii_m[0], true) == STATUS_INPUT);
            CHECK_TEXT(text_names(tile_key_node(fault.key)) && strstr(status.text, layer_names[fault.kind]), "%s",
                       status.text);
        }
    }
    keys_free(&set);
}

static void samples_inside_tiles_are_their_own(void)
{
    struct sample_keys set = full_keys(1);
    fault = (struct fault){true, set.keys[7], 1, REAL_INTERVALS - 1, LAYER_HEIGHT, 1};
    CHECK(check_pack(&set, 1, radii_m[0], true) == STATUS_OK);
    keys_free(&set);
}

static void normals_must_be_equal_within_a_face(void)
{
    struct sample_keys set = full_keys(1);
    // The middle of face 0 at level 1: shared by four tiles of the face.
    fault =
        (struct fault){true, tile_key_of((struct node){0, 1, 0, 0}), REAL_INTERVALS, REAL_INTERVALS, LAYER_NORMAL, 1};
    CHECK(check_pack(&set, 1u << LAYER_NORMAL, radii_m[0], true) == STATUS_INPUT);
    keys_free(&set);
}

// Tiles that meet at a corner only, as regions may make them.
static void tiles_that_touch_at_a_corner_only_are_compared(void)
{
    struct node pairs[][2] = {
        {{2, 2, 1, 1}, {2, 2, 2, 2}},
        {{2, 2, 2, 1}, {2, 2, 1, 2}},
        {{0, 2, 3, 1}, {1, 2, 0, 2}}, // over the edge between two faces
        {{0, 2, 3, 2}, {1, 2, 0, 1}},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        struct sample_keys set = {0};
        keys_add(&set, pairs[k][0]);
        keys_add(&set, pairs[k][1]);
        keys_sort(&set);
        fault.armed = false;
        CHECK(check_pack(&set, 1, radii_m[0], false) == STATUS_OK);
        CHECK(report.corners == 1 && report.sides == 0);
        int failures = 0;
        for (int corner = 0; corner < 4; corner++) {
            fault = (struct fault){
                true, set.keys[0], corner % 2 * REAL_INTERVALS, corner / 2 * REAL_INTERVALS, LAYER_HEIGHT, 1};
            failures += check_pack(&set, 1, radii_m[0], false) == STATUS_INPUT;
        }
        CHECK_TEXT(failures == 1, "pair %zu: %d", k, failures);
        keys_free(&set);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    CHECK_RUN(equal_borders_pass_and_each_pair_counts_once);
    CHECK_RUN(any_shared_sample_that_differs_is_found);
    CHECK_RUN(samples_inside_tiles_are_their_own);
    CHECK_RUN(normals_must_be_equal_within_a_face);
    CHECK_RUN(tiles_that_touch_at_a_corner_only_are_compared);
    sample_end();
    return CHECK_END;
}
