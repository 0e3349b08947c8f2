// SPDX-License-Identifier: MIT
// Culling against brute force: a node that has any visible point between its heights is never culled.
#include <math.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "tests/check.h"
#include "view/cull.h"

struct body {
    double radius_m, lowest_m, highest_m;
    int level_max;
};

static const struct body earth = {6371000, -11000, 9000, 14};
static const struct body pebble = {500, -100, 200, 5}; // relief of two fifths of its radius
static const struct body giant = {1e9, -30000, 60000, 18};

static struct node random_node(const struct body *body)
{
    int level = (int)check_random_below((uint64_t)body->level_max + 1);
    uint32_t side = UINT32_C(1) << level;
    return (struct node){(int)check_random_below(6), level, (uint32_t)check_random_below(side),
                         (uint32_t)check_random_below(side)};
}

static struct double3 point_in(struct node node, const struct node_bound *heights, double share)
{
    double size = 1.0 / (double)(UINT32_C(1) << node.level);
    double s = (node.x + check_random_unit()) * size, t = 1 - (node.y + check_random_unit()) * size;
    if (check_random_below(3) == 0) // corners and borders are where bounds fail
        s = (node.x + (double)check_random_below(2)) * size;
    if (check_random_below(3) == 0)
        t = 1 - (node.y + (double)check_random_below(2)) * size;
    double distance_m = heights->bottom_m + share * (heights->top_m - heights->bottom_m);
    return double3_scale(cube_sphere_dir(node.face, s, t), distance_m);
}

// Whether a sphere about the centre lies between eye and point.
static bool hidden_by_sphere(struct double3 eye, struct double3 point, double sphere_m)
{
    struct double3 way = double3_sub(point, eye);
    double length_m = double3_length(way);
    struct double3 ray = double3_scale(way, 1 / length_m);
    double along_m = -double3_dot(eye, ray);
    if (along_m <= 0 || along_m >= length_m)
        return false;
    return double3_length(double3_cross(eye, ray)) < sphere_m;
}

static bool in_picture(const struct camera_frame *frame, struct double3 point)
{
    struct double3 rel = double3_sub(point, frame->eye_m);
    if (double3_dot(rel, frame->forward) <= 0)
        return false;
    for (int k = 0; k < 4; k++) {
        if (double3_dot(frame->planes[k], rel) < 0)
            return false;
    }
    return true;
}

static struct camera random_camera(const struct body *body, double altitude_m)
{
    return (struct camera){asin(2 * check_random_unit() - 1) / STABLE_DEGREE,
                           360 * check_random_unit(),
                           body->radius_m + altitude_m,
                           360 * check_random_unit(),
                           180 * check_random_unit() - 90,
                           20 + 90 * check_random_unit(),
                           1280,
                           (int)(200 + check_random_below(1500))};
}

static void check_body(const struct body *body, double altitude_low_m, double altitude_high_m, int cameras)
{
    double occluder_m = body->radius_m + body->lowest_m;
    int visible = 0, culled = 0;
    for (int c = 0; c < cameras; c++) {
        double span = check_random_unit();
        double altitude_m = altitude_low_m > 0 ? altitude_low_m * pow(altitude_high_m / altitude_low_m, span)
                                               : altitude_low_m + span * (altitude_high_m - altitude_low_m);
        struct camera camera = random_camera(body, altitude_m);
        struct camera_frame frame = camera_frame_of(&camera);
        for (int n = 0; n < 200; n++) {
            struct node node = random_node(body);
            double low_m = body->lowest_m + check_random_unit() * (body->highest_m - body->lowest_m);
            double high_m = low_m + check_random_unit() * (body->highest_m - low_m);
            struct node_bound bound = node_bound_of(node, body->radius_m, low_m, high_m);
            bool gone = node_outside_frustum(&bound, &frame) || node_below_horizon(&bound, &frame, occluder_m);
            culled += gone;
            for (int p = 0; gone && p < 20; p++) {
                struct double3 point = point_in(node, &bound, p < 4 ? 1 : check_random_unit());
                bool seen = in_picture(&frame, point) && !hidden_by_sphere(frame.eye_m, point, occluder_m);
                CHECK_TEXT(!seen, "node %d/%d/%u/%u at altitude %g m", node.face, node.level, node.x, node.y,
                           altitude_m);
                visible += seen;
            }
        }
    }
    CHECK(visible == 0 && culled > cameras * 20);
}

static void nothing_visible_is_culled_from_the_ground_to_far_away(void)
{
    check_body(&earth, 1.7, 6e7, 400);
    check_body(&giant, 1.7, 1e10, 200);
}

static void nothing_visible_is_culled_from_below_the_datum(void)
{
    check_body(&earth, -10990, 0, 200);
}

static void nothing_visible_is_culled_about_a_pebble_with_great_relief(void)
{
    check_body(&pebble, -99, 400, 300);
    check_body(&pebble, 1, 5000, 300);
}

static void a_peak_behind_the_limb_is_kept_and_the_plain_beside_it_is_not(void)
{
    // From 2 m over the lowest ground the horizon of a smooth sphere is 5 km off; an 8 km peak shows from 320 km.
    struct camera camera = {0, 0, earth.radius_m + 2, 90, 0, 60, 1280, 720};
    struct camera_frame frame = camera_frame_of(&camera);
    for (double away_km = 20; away_km < 300; away_km += 20) {
        struct double3 dir = geographic_dir(0, away_km / 111.195);
        struct cube_place place = cube_sphere_locate(dir);
        struct node node = node_at(place.face, place.s, place.t, 13);
        struct node_bound peak = node_bound_of(node, earth.radius_m, 0, 8000),
                          plain = node_bound_of(node, earth.radius_m, 0, 0);
        CHECK_TEXT(!node_below_horizon(&peak, &frame, earth.radius_m), "%g km", away_km);
        CHECK_TEXT(node_below_horizon(&plain, &frame, earth.radius_m), "%g km", away_km);
        CHECK(!node_outside_frustum(&peak, &frame));
    }
}

static void bounds_hold_every_point_of_the_node(void)
{
    const struct body *bodies[] = {&earth, &pebble, &giant};
    for (int k = 0; k < 3000; k++) {
        const struct body *body = bodies[k % 3];
        struct node node = random_node(body);
        struct node_bound bound = node_bound_of(node, body->radius_m, body->lowest_m, body->highest_m);
        struct double3 point = point_in(node, &bound, check_random_unit());
        CHECK(double3_length(double3_sub(point, bound.center_m)) <= bound.radius_m);
        CHECK(double3_length(double3_sub(double3_normalise(point), bound.dir)) <=
              2 * sin(bound.angle_rad / 2) * (1 + 1e-12));
    }
}

static void distances_are_within_15_per_cent_of_the_nearest_point(void)
{
    for (int k = 0; k < 400; k++) {
        struct node node = random_node(&earth);
        double width_m = 1e7 / (double)(UINT32_C(1) << node.level);
        double low_m = -1000 * check_random_unit(), high_m = low_m + 2000 * check_random_unit();
        struct node_bound bound = node_bound_of(node, earth.radius_m, low_m, high_m);
        // An eye near the node, at a height of its own order of size.
        struct double3 eye = double3_scale(double3_normalise(point_in(node, &bound, 0)), earth.radius_m);
        struct double3 aside = {width_m * (check_random_unit() - 0.5), width_m * (check_random_unit() - 0.5),
                                width_m * (check_random_unit() - 0.5)};
        eye = double3_scale(double3_normalise(double3_add(eye, aside)),
                            earth.radius_m + 3000 + width_m * check_random_unit());
        struct camera camera = {.fov_deg = 60, .width_px = 1280, .height_px = 720};
        camera.radius_m = double3_length(eye);
        geographic_of(eye, &camera.latitude_deg, &camera.longitude_deg);
        struct camera_frame frame = camera_frame_of(&camera);
        struct eye_places places = eye_places_of(&frame);
        double found_m = node_distance_m(node, &bound, &places), nearest_m = HUGE_VAL;
        for (int row = 0; row <= 40; row++) {
            for (int column = 0; column <= 40; column++) {
                double size = 1.0 / (double)(UINT32_C(1) << node.level);
                struct double3 dir =
                    cube_sphere_dir(node.face, (node.x + column / 40.0) * size, 1 - (node.y + row / 40.0) * size);
                struct double3 top = double3_scale(dir, bound.top_m);
                nearest_m = fmin(nearest_m, double3_length(double3_sub(top, frame.eye_m)));
            }
        }
        CHECK_TEXT(found_m <= nearest_m * 1.15, "%g, true %g", found_m, nearest_m);
        CHECK_TEXT(found_m >= nearest_m * 0.5 || !places.before[node.face], "%g, true %g", found_m, nearest_m);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(nothing_visible_is_culled_from_the_ground_to_far_away);
    CHECK_RUN(nothing_visible_is_culled_from_below_the_datum);
    CHECK_RUN(nothing_visible_is_culled_about_a_pebble_with_great_relief);
    CHECK_RUN(a_peak_behind_the_limb_is_kept_and_the_plain_beside_it_is_not);
    CHECK_RUN(bounds_hold_every_point_of_the_node);
    CHECK_RUN(distances_are_within_15_per_cent_of_the_nearest_point);
    return CHECK_END;
}
