// SPDX-License-Identifier: MIT
// error_m: what the sparse set of points finds, against brute force.
#include <math.h>

#include "bake/tile_error.h"
#include "tests/tile_help.h"

static void error_points_are_few_spread_out_and_on_all_kinds_of_places(void)
{
    static const int sizes[] = {32, 64, 128, 256, 512};
    for (int k = 0; k < 5; k++) {
        int n = sizes[k], count = tile_error_point_count(n), border = 0, edges = 0, centres = 0;
        double share = (double)count / ((n + 1) * (n + 1));
        CHECK_TEXT(share >= 0.015 && share <= 0.02, "%d: %f", n, share);
        for (int i = 0; i < count; i++) {
            struct error_point at = tile_error_point(n, i);
            CHECK(at.column2 >= 0 && at.column2 <= 2 * n && at.row2 >= 0 && at.row2 <= 2 * n);
            if ((at.column2 & 1) && (at.row2 & 1))
                centres++;
            else if ((at.column2 | at.row2) & 1)
                edges++;
            else
                border += at.column2 == 0 || at.column2 == 2 * n || at.row2 == 0 || at.row2 == 2 * n;
        }
        CHECK(border >= 4 && edges * 3 > count && centres * 3 > count);
    }
}

// The largest distance on a grid inside every cell, by brute force: what the sparse set finds cannot be more.
static double dense_error_m(const struct planet *planet, const int32_t *heights, struct node node)
{
    void *scratch = aligned_alloc(64, (planet_scratch_bytes(planet) + 63) / 64 * 64);
    planet_scratch_begin(planet, scratch);
    double radius_m = planet_radius_m(planet), most = 0, unit_m = height_unit_m(height_unit_exponent(radius_m));
    double spacing_m = tile_spacing_m(radius_m, N, TILE_LEVEL_MAX);
    for (int cell = 0; cell < N * N; cell++) {
        _Alignas(64) double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK], h[PLANET_BLOCK];
        double reach[25];
        int column = cell % N, row = cell / N;
        struct double3 corner[4];
        for (int c = 0; c < 4; c++) {
            int i = column + (c & 1), j = row + (c >> 1);
            corner[c] = double3_scale(tile_sample_dir(node, N, i, j), radius_m + heights[j * SIDE + i] * unit_m);
        }
        for (int k = 0; k < 25; k++) {
            // Two triangles along the diagonal from corner 0 to corner 3.
            double a = (k % 5) / 4.0, b = (k / 5) / 4.0, more = fmax(a, b), less = fmin(a, b);
            struct double3 side = double3_scale(corner[a >= b ? 1 : 2], more - less);
            struct double3 p =
                double3_add(double3_scale(corner[0], 1 - more), double3_add(side, double3_scale(corner[3], less)));
            reach[k] = double3_length(p);
            x[k] = p.x / reach[k], y[k] = p.y / reach[k], z[k] = p.z / reach[k];
        }
        planet_sample(planet, scratch, 25, x, y, z, spacing_m, 0, &(struct planet_block){.height_m = h});
        for (int k = 0; k < 25; k++)
            most = fmax(most, fabs(reach[k] - radius_m - h[k]));
    }
    free(scratch);
    return most;
}

static void the_error_is_most_of_the_true_one_and_never_more(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *worker = worker_of(planet, N, 1);
    double unit_m = height_unit_m(height_unit_exponent(planet_radius_m(planet))), ratios = 0;
    int count = 0;
    for (int level = 0; level <= 12; level += 2) {
        struct pack_entry entry;
        struct node node = random_node(level);
        bake(worker, node, &entry);
        double dense_m = dense_error_m(planet, tile_worker_heights(worker), node), found_m = entry.error * unit_m;
        CHECK_TEXT(found_m <= dense_m + unit_m && found_m >= 0.2 * dense_m, "level %d: %.3f of %.3f m", level, found_m,
                   dense_m);
        ratios += found_m / dense_m;
        count++;
    }
    CHECK_TEXT(ratios / count > 0.45, "%.2f on average", ratios / count);
    tile_worker_free(worker);
    planet_free(planet);
}

static void cells_are_split_from_north_west_to_south_east(void)
{
    // A saddle on face 0: along that diagonal it bends down, as the sphere does, or up, against it. Were the cells
    // split the other way, it would be the other sign that has the larger error.
    uint32_t errors[2];
    for (int k = 0; k < 2; k++) {
        struct planet *planet = planet_of_text(
            k ? "radius = 1000000\nheight = -150000 * y * z\n" : "radius = 1000000\nheight = 150000 * y * z\n", 0);
        struct tile_worker *worker = worker_of(planet, N, 1);
        struct pack_entry entry;
        bake(worker, (struct node){0, 3, 3, 3}, &entry);
        errors[k] = entry.error;
        tile_worker_free(worker);
        planet_free(planet);
    }
    CHECK_TEXT(errors[0] > errors[1] + errors[1] / 5, "%u, %u", (unsigned)errors[0], (unsigned)errors[1]);
}

static void the_error_falls_with_the_level(void)
{
    struct planet *planet = planet_of_text(rough_text, 0);
    struct tile_worker *worker = worker_of(planet, 64, 1);
    double last = HUGE_VAL;
    for (int level = 0; level <= 12; level += 3) {
        double sum = 0;
        for (int k = 0; k < 6; k++) {
            struct pack_entry entry;
            bake(worker, random_node(level), &entry);
            sum += entry.error;
        }
        CHECK_TEXT(sum < 0.5 * last, "level %d", level);
        last = sum;
    }
    tile_worker_free(worker);
    planet_free(planet);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(error_points_are_few_spread_out_and_on_all_kinds_of_places);
    CHECK_RUN(the_error_is_most_of_the_true_one_and_never_more);
    CHECK_RUN(cells_are_split_from_north_west_to_south_east);
    CHECK_RUN(the_error_falls_with_the_level);
    return CHECK_END;
}
