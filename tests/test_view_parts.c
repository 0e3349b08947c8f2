// SPDX-License-Identifier: MIT
// The viewer's small parts: camera paths, frame times, tile geometry, the drawn ground.
#include <math.h>

#include "common/stable_math.h"
#include "tests/check.h"
#include "view/flight_path.h"
#include "view/frame_stats.h"
#include "view/ground.h"
#include "view/tile_geometry.h"

#define RADIUS_M 6371000.0

// ---- Camera paths --------------------------------------------------------------------------------------

static enum status_code parse(struct flight_path *path, const char *text, struct status *status)
{
    return flight_path_parse(path, text, strlen(text), "f.txt", status);
}

static void a_path_is_read_line_by_line_and_odd_ones_are_named(void)
{
    struct flight_path path;
    struct status status;
    CHECK(parse(&path, "# time lat lon alt heading pitch\n0 10 20 1000 0 -30\n\n  1.5\t11 21 900 10 -20\r\n",
                &status) == STATUS_OK);
    CHECK(path.count == 2 && path.points[1].time_s == 1.5 && path.points[1].pitch_deg == -20);
    flight_path_free(&path);
    static const struct {
        const char *text, *says;
    } odd[] = {{"", "no points"},
               {"# nothing\n", "no points"},
               {"0 10 20 1000 0\n", "f.txt:1:"},
               {"0 10 20 1000 0 -30 7\n", "f.txt:1:"},
               {"0 10 20 1000 0 -30\n0 10 20 1000 0 -30\n", "f.txt:2: times must grow"},
               {"0 91 20 1000 0 -30\n", "f.txt:1:"},
               {"0 nan 20 1000 0 -30\n", "f.txt:1:"},
               {"0 10 20 1e400 0 -30\n", "f.txt:1:"},
               {"0 10 20 1000 0 -95\n", "f.txt:1:"},
               {"zero 10 20 1000 0 -30\n", "f.txt:1:"},
               {"0 10 20 10x0 0 -30\n", "f.txt:1:"}};
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
        CHECK_TEXT(parse(&path, odd[k].text, &status) == STATUS_INPUT, "%s", odd[k].text);
        CHECK_TEXT(strstr(status.text, odd[k].says) != NULL, "%s", status.text);
    }
}

static void any_bytes_are_survived_as_a_path(void)
{
    static const char pieces[] = "0123456789.eE+- \t\r\n#x,";
    for (int k = 0; k < 3000; k++) {
        char text[200];
        size_t length = check_random_below(sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = k % 3 ? pieces[check_random_below(sizeof pieces - 1)] : (char)check_random();
        struct flight_path path;
        struct status status;
        if (flight_path_parse(&path, text, length, "f", &status) == STATUS_OK)
            flight_path_free(&path);
    }
}

static void a_camera_passes_through_the_points_of_its_path(void)
{
    struct flight_path path;
    struct status status;
    struct camera camera = {.fov_deg = 60, .width_px = 100, .height_px = 100};
    CHECK(parse(&path, "0 10 350 1000 350 -30\n2 12 -8 4000 10 -10\n3 90 0 0.5 0 -90\n", &status) == STATUS_OK);
    flight_path_at(&path, 0, RADIUS_M, &camera);
    CHECK(camera.latitude_deg == 10 && fabs(camera.longitude_deg + 10) < 1e-12 && camera.radius_m == RADIUS_M + 1000);
    flight_path_at(&path, 1, RADIUS_M, &camera);
    CHECK(fabs(camera.latitude_deg - 11) < 0.01 && fabs(camera.longitude_deg + 9) < 0.01);
    CHECK_TEXT(fabs(camera.radius_m - RADIUS_M - 2000) < 1e-6, "%g", camera.radius_m - RADIUS_M); // by ratio
    CHECK(camera.heading_deg < 1e-9 || camera.heading_deg > 360 - 1e-9);                          // the short way round
    CHECK(fabs(camera.pitch_deg + 20) < 1e-12);
    flight_path_at(&path, 99, RADIUS_M, &camera);
    CHECK(fabs(camera.latitude_deg - 90) < 1e-9 && camera.pitch_deg == -90);
    flight_path_at(&path, -5, RADIUS_M, &camera);
    CHECK(camera.latitude_deg == 10);
    flight_path_free(&path);
}

// ---- Frame times ---------------------------------------------------------------------------------------

static void percentiles_are_of_the_frames_that_were(void)
{
    struct frame_stats *stats = calloc(1, sizeof *stats);
    CHECK(frame_stats_percentile(stats, stats->frame_ms, 0.5) == 0);
    for (int k = 1; k <= 1000; k++)
        frame_stats_add(stats, 1001 - k, k);
    CHECK(fabs(frame_stats_percentile(stats, stats->frame_ms, 0.5) - 500) <= 1);
    CHECK(fabs(frame_stats_percentile(stats, stats->cpu_ms, 0.99) - 990) <= 1);
    CHECK(stats->frame_ms_max == 1000);
    CHECK(frame_stats_recent(stats, stats->frame_ms, 10, 1) == 10);
    for (int k = 0; k < FRAME_STATS_KEPT; k++)
        frame_stats_add(stats, 7, 7);
    CHECK(frame_stats_percentile(stats, stats->frame_ms, 1) == 7 && stats->frame_ms_max == 1000);
    free(stats);
}

// ---- Geometry ------------------------------------------------------------------------------------------

static double bumpy_m(struct double3 dir)
{
    return 4000 * sin(9 * dir.x + 1) * sin(8 * dir.y) + 900 * sin(60 * dir.z);
}

static void fill(double *heights_m, struct node node, int intervals)
{
    for (int k = 0; k < (intervals + 1) * (intervals + 1); k++)
        heights_m[k] = bumpy_m(tile_sample_dir(node, intervals, k % (intervals + 1), k / (intervals + 1)));
}

static void vertices_are_where_their_samples_are(void)
{
    static double heights_m[129 * 129];
    static const int sizes[] = {32, 64, 128};
    for (int k = 0; k < 30; k++) {
        int intervals = sizes[k % 3], quads = tile_mesh_quads(intervals), step = intervals / quads;
        int level = (int)check_random_below(16);
        uint32_t side = UINT32_C(1) << level;
        struct node node = {k % 6, level, (uint32_t)check_random_below(side), (uint32_t)check_random_below(side)};
        fill(heights_m, node, intervals);
        struct tile_vertex *vertices = malloc((size_t)tile_vertex_count(intervals) * sizeof *vertices);
        tile_vertices(vertices, node, intervals, RADIUS_M, heights_m);
        struct double3 center_m = tile_center_m(node, RADIUS_M);
        double width_m = tile_spacing_m(RADIUS_M, 1, level);
        for (int v = 0; v < (quads + 1) * (quads + 1); v++) {
            int column = v % (quads + 1) * step, row = v / (quads + 1) * step;
            struct double3 dir = tile_sample_dir(node, intervals, column, row);
            struct double3 want = double3_scale(dir, RADIUS_M + heights_m[row * (intervals + 1) + column]);
            struct double3 have = {(double)vertices[v].high[0] + (double)vertices[v].low[0],
                                   (double)vertices[v].high[1] + (double)vertices[v].low[1],
                                   (double)vertices[v].high[2] + (double)vertices[v].low[2]};
            double off_m = double3_length(double3_sub(double3_add(center_m, have), want));
            CHECK_TEXT(off_m < 1e-13 * width_m + 1e-8, "%g m in a tile of %g m", off_m, width_m);
        }
        free(vertices);
    }
}

// Twice the signed area of a triangle in the picture of the mesh, x right and y up.
static int area(const uint32_t *index, int side)
{
    int x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (int)index[k] % side;
        y[k] = -((int)index[k] / side);
    }
    return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
}

static void index_ranges_cover_the_tile_and_its_quarters_once_facing_outward(void)
{
    struct tile_indices indices;
    struct status status;
    CHECK(tile_indices_new(&indices, 128, &status) == STATUS_OK);
    int side = 65, surface = side * side;
    const struct tile_index_range ranges[5] = {indices.whole, indices.quarters[0], indices.quarters[1],
                                               indices.quarters[2], indices.quarters[3]};
    for (int r = 0; r < 5; r++) {
        long covered = 0, skirts = 0;
        for (uint32_t k = 0; k < ranges[r].count; k += 3) {
            const uint32_t *index = indices.indices + ranges[r].first + k;
            bool flat = true;
            for (int c = 0; c < 3; c++) {
                CHECK(index[c] < (uint32_t)tile_vertex_count(128));
                flat &= index[c] < (uint32_t)surface;
            }
            skirts += !flat;
            if (!flat)
                continue;
            CHECK(area(index, side) == 1);
            covered += area(index, side);
            if (r > 0) {
                int west = ((r - 1) & 1) * 32, north = ((r - 1) >> 1) * 32;
                for (int c = 0; c < 3; c++) {
                    int column = (int)index[c] % side, row = (int)index[c] / side;
                    CHECK(column >= west && column <= west + 32);
                    CHECK(row >= north && row <= north + 32);
                }
            }
        }
        int quads = r == 0 ? 64 : 32;
        CHECK(covered == 2L * quads * quads);
        CHECK(skirts == 4L * quads * 2);
    }
    free(indices.indices);
}

static void normals_from_heights_are_the_surface_s(void)
{
    static double heights_m[129 * 129];
    static int16_t normals[129 * 129 * 2];
    struct node node = {2, 4, 7, 9};
    fill(heights_m, node, 128);
    tile_normals_from_heights(normals, node, 128, RADIUS_M, heights_m);
    for (int k = 0; k < 500; k++) {
        int column = 1 + (int)check_random_below(127), row = 1 + (int)check_random_below(127);
        struct double3 dir = tile_sample_dir(node, 128, column, row);
        // The gradient of the height, numerically, in metres a radian.
        double e = 1e-5, g[3];
        for (int axis = 0; axis < 3; axis++) {
            struct double3 step = {axis == 0 ? e : 0, axis == 1 ? e : 0, axis == 2 ? e : 0};
            g[axis] = (bumpy_m(double3_add(dir, step)) - bumpy_m(double3_sub(dir, step))) / (2 * e);
        }
        struct double3 gradient = {g[0], g[1], g[2]};
        gradient = double3_sub(gradient, double3_scale(dir, double3_dot(gradient, dir)));
        struct double3 n = double3_normalise(double3_sub(double3_scale(dir, RADIUS_M + bumpy_m(dir)), gradient));
        struct tangent_frame frame = cube_tangent_frame(node.face, dir);
        const int16_t *have = normals + 2 * (row * 129 + column);
        CHECK(fabs(have[0] / 32767.0 - double3_dot(n, frame.x)) < 1e-4);
        CHECK(fabs(have[1] / 32767.0 - double3_dot(n, frame.y)) < 1e-4);
    }
}

static void the_ground_is_the_drawn_triangles_and_quarters_fill_in(void)
{
    struct status status;
    struct ground *ground;
    static double heights_m[65 * 65];
    static float mesh_m[65 * 65];
    CHECK(ground_new(&ground, 64, RADIUS_M, 2, &status) == STATUS_OK);
    struct node parent = {1, 3, 4, 2}, child = node_child(parent, 2);
    struct node nodes[2] = {parent, child};
    for (int n = 0; n < 2; n++) {
        fill(heights_m, nodes[n], 64);
        for (int k = 0; k < 65 * 65; k++)
            mesh_m[k] = (float)(heights_m[k] + (n ? 100 : 0)); // the child stands out
        ground_set(ground, n, mesh_m);
    }
    struct stream_draw draws[2] = {{parent, 0, 15 & ~4u, 0}, {child, 1, 15, 0}};
    ground_follow(ground, draws, 2);
    double spacing = 1.0 / 8, s0 = parent.x * spacing, t1 = 1 - parent.y * spacing;
    for (int k = 0; k < 2000; k++) {
        double s = s0 + spacing * check_random_unit(), t = t1 - spacing * check_random_unit();
        struct double3 dir = cube_sphere_dir(parent.face, s, t);
        bool in_child = s < s0 + spacing / 2 && t < t1 - spacing / 2;
        double height_m;
        CHECK(ground_height_m(ground, dir, &height_m));
        double want_m = bumpy_m(dir) + (in_child ? 100 : 0);
        CHECK_TEXT(fabs(height_m - want_m) < 40, "%g, not %g", height_m, want_m);
    }
    double height_m;
    CHECK(!ground_height_m(ground, cube_sphere_dir(4, 0.5, 0.5), &height_m));
    ground_free(ground);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_path_is_read_line_by_line_and_odd_ones_are_named);
    CHECK_RUN(any_bytes_are_survived_as_a_path);
    CHECK_RUN(a_camera_passes_through_the_points_of_its_path);
    CHECK_RUN(percentiles_are_of_the_frames_that_were);
    CHECK_RUN(vertices_are_where_their_samples_are);
    CHECK_RUN(index_ranges_cover_the_tile_and_its_quarters_once_facing_outward);
    CHECK_RUN(normals_from_heights_are_the_surface_s);
    CHECK_RUN(the_ground_is_the_drawn_triangles_and_quarters_fill_in);
    return CHECK_END;
}
