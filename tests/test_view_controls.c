// SPDX-License-Identifier: MIT
// What mouse and keys do, on a planet of one tile a face without OpenGL: the ground is what six root tiles would draw.
#include <math.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"
#include "tests/check.h"
#include "view/controls.h"
#include "view/tile_geometry.h"

#define RADIUS_M 6371000.0
#define INTERVALS 64
#define PEAK_M 20000.0

static struct ground *ground;
static struct stream_draw draws[6];
static struct surroundings around;

// A broad hill of PEAK_M at latitude 0, longitude 0.
static double hill_m(struct double3 dir)
{
    return PEAK_M * exp(-(1 - dir.x) * 60 - (dir.x < 0 ? 100 : 0));
}

static void make_ground(void)
{
    struct status status;
    static float heights_m[(INTERVALS + 1) * (INTERVALS + 1)];
    CHECK(ground_new(&ground, INTERVALS, RADIUS_M, 6, &status) == STATUS_OK);
    for (int face = 0; face < 6; face++) {
        struct node node = {.face = face};
        for (int k = 0; k < (INTERVALS + 1) * (INTERVALS + 1); k++)
            heights_m[k] = (float)hill_m(tile_sample_dir(node, INTERVALS, k % (INTERVALS + 1), k / (INTERVALS + 1)));
        ground_set(ground, face, heights_m);
        draws[face] = (struct stream_draw){node, face, 15, 0};
    }
    ground_follow(ground, draws, 6);
    around = (struct surroundings){ground, RADIUS_M, 0, PEAK_M};
}

static struct camera camera_at(double latitude_deg, double longitude_deg, double altitude_m, double heading_deg,
                               double pitch_deg)
{
    return (struct camera){latitude_deg, longitude_deg, RADIUS_M + altitude_m, heading_deg, pitch_deg, 60, 1280, 720};
}

static bool under_cursor(const struct camera *camera, double x_px, double y_px, struct double3 *point_m)
{
    struct camera_frame frame = camera_frame_of(camera);
    return ground_hit(ground, frame.eye_m, camera_ray(&frame, camera, x_px, y_px), 0, PEAK_M, point_m);
}

// Where a point of the planet is in the picture.
static void project(const struct camera *camera, struct double3 point_m, double *x_px, double *y_px)
{
    struct camera_frame frame = camera_frame_of(camera);
    struct double3 rel = double3_sub(point_m, frame.eye_m);
    double w = double3_dot(rel, frame.forward);
    *x_px = (double3_dot(rel, frame.right) / (w * frame.tan_half_width) + 1) / 2 * camera->width_px;
    *y_px = (1 - double3_dot(rel, frame.up) / (w * frame.tan_half_height)) / 2 * camera->height_px;
}

static void camera_axes_are_right_handed_and_level(void)
{
    for (int k = 0; k < 1000; k++) {
        struct camera camera = camera_at(180 * check_random_unit() - 90, 360 * check_random_unit(), 1000,
                                         360 * check_random_unit(), 180 * check_random_unit() - 90);
        if (k < 20)
            camera.latitude_deg = k % 2 ? 90 : -90;
        struct camera_frame frame = camera_frame_of(&camera);
        struct double3 back = double3_cross(frame.right, frame.up);
        CHECK(double3_length(double3_add(back, frame.forward)) < 1e-12);
        CHECK(fabs(double3_dot(frame.right, frame.zenith)) < 1e-12);
        CHECK(fabs(double3_dot(frame.forward, frame.zenith) - sin(camera.pitch_deg * STABLE_DEGREE)) < 1e-12);
    }
    struct camera camera = camera_at(10, 20, 1000, 90, 0); // looking east
    struct camera_frame frame = camera_frame_of(&camera);
    CHECK(frame.forward.z < 1e-12 && double3_dot(frame.forward, geographic_dir(0, 110)) > 0.999);
}

static void a_grabbed_point_stays_under_the_cursor(void)
{
    int grabs = 0;
    for (int k = 0; k < 300; k++) {
        struct controls controls;
        controls_init(&controls, MODE_ORBIT, false);
        double altitude_m = 30000 * pow(1000, check_random_unit());
        struct camera camera = camera_at(80 * (2 * check_random_unit() - 1), 360 * check_random_unit(), altitude_m,
                                         360 * check_random_unit(), -90 + 30 * check_random_unit());
        double x = 640 + 200 * (check_random_unit() - 0.5), y = 360 + 200 * (check_random_unit() - 0.5);
        struct double3 grabbed;
        if (!under_cursor(&camera, x, y, &grabbed))
            continue; // a look beside the globe
        grabs++;
        controls_press(&controls, &camera, &around, DRAG_GRAB, x, y, 0);
        for (int step = 1; step <= 10; step++) {
            x += 12 * (check_random_unit() - 0.5), y += 12 * (check_random_unit() - 0.5);
            controls_cursor(&controls, &camera, &around, x, y, step * 0.016);
            double seen_x, seen_y;
            struct double3 now_there;
            if (!under_cursor(&camera, x, y, &now_there))
                break; // dragged off the globe
            project(&camera, grabbed, &seen_x, &seen_y);
            CHECK_TEXT(hypot(seen_x - x, seen_y - y) < 0.05, "off by %g px at altitude %g m",
                       hypot(seen_x - x, seen_y - y), altitude_m);
        }
        controls_release(&controls, 1);
    }
    CHECK_TEXT(grabs > 150, "%d", grabs);
}

static void a_drag_off_the_globe_does_no_harm(void)
{
    struct controls controls;
    controls_init(&controls, MODE_ORBIT, true);
    struct camera camera = camera_at(10, 20, 2e7, 0, -90);
    controls_press(&controls, &camera, &around, DRAG_GRAB, 640, 360, 0);
    for (int k = 0; k < 100; k++) {
        controls_cursor(&controls, &camera, &around, 640 + 40 * k, 360 - 30 * k, 0.01 * k);
        CHECK(isfinite(camera.latitude_deg) && isfinite(camera.heading_deg));
        CHECK(fabs(camera.radius_m - RADIUS_M - 2e7) < 1);
    }
    controls_press(&controls, &camera, &around, DRAG_GRAB, 1, 1, 2); // outside the globe: nothing is grabbed
    CHECK(!controls.has_anchor);
    struct camera before = camera;
    controls_cursor(&controls, &camera, &around, 50, 50, 2.1);
    CHECK(before.latitude_deg == camera.latitude_deg && before.heading_deg == camera.heading_deg);
}

static void the_wheel_zooms_to_the_cursor(void)
{
    int zooms = 0;
    for (int k = 0; k < 200; k++) {
        struct controls controls;
        controls_init(&controls, MODE_ORBIT, false);
        double altitude_m = 40000 * pow(300, check_random_unit());
        struct camera camera = camera_at(70 * (2 * check_random_unit() - 1), 360 * check_random_unit(), altitude_m,
                                         360 * check_random_unit(), -90 + 25 * check_random_unit());
        double x = 640 + 300 * (check_random_unit() - 0.5), y = 360 + 200 * (check_random_unit() - 0.5);
        struct double3 point;
        if (!under_cursor(&camera, x, y, &point))
            continue;
        struct camera_frame frame = camera_frame_of(&camera);
        double before_m = double3_length(double3_sub(point, frame.eye_m));
        controls_wheel(&controls, &camera, &around, 1, x, y);
        frame = camera_frame_of(&camera);
        double after_m = double3_length(double3_sub(point, frame.eye_m)), seen_x, seen_y;
        project(&camera, point, &seen_x, &seen_y);
        CHECK_TEXT(hypot(seen_x - x, seen_y - y) < 0.5, "off by %g px", hypot(seen_x - x, seen_y - y));
        // Seen aslant, the way round the globe that keeps the point under the cursor shortens the distance too.
        CHECK_TEXT(after_m < 0.85 * before_m && after_m > 0.5 * before_m, "%g", after_m / before_m);
        zooms++;
    }
    CHECK_TEXT(zooms > 100, "%d", zooms);
}

static void no_wheel_goes_through_the_ground(void)
{
    for (int k = 0; k < 100; k++) {
        struct controls controls;
        controls_init(&controls, MODE_ORBIT, k % 2);
        // Above the hill and beside it.
        struct camera camera = camera_at(8 * (2 * check_random_unit() - 1), 8 * (2 * check_random_unit() - 1),
                                         PEAK_M + 1000 * pow(3000, check_random_unit()), 360 * check_random_unit(),
                                         -90 + 80 * check_random_unit());
        for (int step = 0; step < 120; step++) {
            controls_wheel(&controls, &camera, &around, 3, 1280 * check_random_unit(), 720 * check_random_unit());
            controls_step(&controls, &camera, &around, 0, 0.016);
            CHECK_TEXT(controls_height_m(&camera, &around) >= 0.49, "%g m", controls_height_m(&camera, &around));
        }
    }
}

static void speed_grows_with_height_above_ground(void)
{
    double last_m_s = 0;
    for (double altitude_m = 10; altitude_m < 1e7; altitude_m *= 10) {
        struct controls controls;
        controls_init(&controls, MODE_FLY, false);
        struct camera camera = camera_at(40, 120, altitude_m, 0, 0);
        camera.radius_m += altitude_m - controls_height_m(&camera, &around); // the mesh sags below the sphere
        controls_step(&controls, &camera, &around, MOVE_FORWARD, 0.016);
        CHECK(controls.speed_m_s > last_m_s * 5);
        last_m_s = controls.speed_m_s;
        struct controls fast = controls, slow = controls;
        controls_step(&fast, &camera, &around, MOVE_FORWARD | MOVE_FAST, 0.016);
        controls_step(&slow, &camera, &around, MOVE_FORWARD | MOVE_SLOW, 0.016);
        CHECK(fast.speed_m_s > 3 * controls.speed_m_s && slow.speed_m_s < 0.2 * controls.speed_m_s);
    }
}

static void keys_move_the_way_they_say(void)
{
    static const struct {
        unsigned key;
        int east, north, up;
    } cases[] = {{MOVE_FORWARD, 0, 1, 0}, {MOVE_BACK, 0, -1, 0}, {MOVE_LEFT, -1, 0, 0},
                 {MOVE_RIGHT, 1, 0, 0},   {MOVE_UP, 0, 0, 1},    {MOVE_DOWN, 0, 0, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct controls controls;
        controls_init(&controls, MODE_ORBIT, false);
        struct camera camera = camera_at(40, 120, 100000, 0, -20), before = camera;
        for (int step = 0; step < 10; step++)
            controls_step(&controls, &camera, &around, cases[k].key, 0.016);
        double east = camera.longitude_deg - before.longitude_deg, north = camera.latitude_deg - before.latitude_deg;
        double up = camera.radius_m - before.radius_m;
        CHECK((north > 1e-2) - (north < -1e-2) == cases[k].north);
        CHECK((east > 1e-2) - (east < -1e-2) == cases[k].east);
        CHECK((up > 10) - (up < -10) == cases[k].up);
    }
}

static void walking_keeps_the_eye_above_the_drawn_ground_and_never_jerks(void)
{
    struct controls controls;
    controls_init(&controls, MODE_WALK, false);
    struct camera camera = camera_at(5, 0.2, 30000, 180, 0);
    controls_land(&controls, &camera, &around);
    CHECK(fabs(controls_height_m(&camera, &around) - EYE_HEIGHT_M) < 1e-6);
    double last_m = camera.radius_m;
    for (int k = 0; k < 600; k++) {
        controls_step(&controls, &camera, &around, MOVE_FORWARD | MOVE_FAST, 0.016);
        CHECK(fabs(controls_height_m(&camera, &around) - EYE_HEIGHT_M) < 0.3);
        CHECK(fabs(camera.radius_m - last_m) < 0.1);
        last_m = camera.radius_m;
    }
    CHECK(camera.latitude_deg < 5);
    // The drawn ground leaps by 3 m under the feet, as at a change of level: the eye glides there in under a second.
    struct surroundings higher = around;
    higher.radius_m += 3;
    double worst_m = 0;
    last_m = camera.radius_m;
    for (int k = 0; k < 60; k++) {
        controls_step(&controls, &camera, &higher, 0, 0.016);
        if (k > 0)
            worst_m = fmax(worst_m, fabs(camera.radius_m - last_m));
        last_m = camera.radius_m;
    }
    CHECK_TEXT(worst_m < 0.4, "%g m in a frame", worst_m);
    CHECK(fabs(controls_height_m(&camera, &higher) - EYE_HEIGHT_M) < 0.01);
}

static void inertia_glides_on_and_comes_to_rest_and_is_off_when_told(void)
{
    for (int inertia = 0; inertia < 2; inertia++) {
        struct controls controls;
        controls_init(&controls, MODE_ORBIT, inertia);
        struct camera camera = camera_at(10, 20, 1e7, 0, -90);
        controls_press(&controls, &camera, &around, DRAG_GRAB, 640, 360, 0);
        for (int k = 1; k <= 5; k++)
            controls_cursor(&controls, &camera, &around, 640 + 20 * k, 360, 0.016 * k);
        controls_release(&controls, 0.016 * 5 + 0.01);
        double released_deg = camera.longitude_deg;
        controls_step(&controls, &camera, &around, 0, 0.016);
        CHECK((fabs(camera.longitude_deg - released_deg) > 0.01) == inertia);
        for (int k = 0; k < 300; k++)
            controls_step(&controls, &camera, &around, 0, 0.016);
        double rest_deg = camera.longitude_deg;
        controls_step(&controls, &camera, &around, 0, 0.016);
        CHECK(camera.longitude_deg == rest_deg);
    }
}

static void tilting_keeps_the_point_and_looking_keeps_the_place(void)
{
    struct controls controls;
    controls_init(&controls, MODE_ORBIT, false);
    struct camera camera = camera_at(30, 60, 500000, 20, -70);
    struct double3 pivot;
    CHECK(under_cursor(&camera, 640, 360, &pivot));
    struct camera_frame frame = camera_frame_of(&camera);
    double before_m = double3_length(double3_sub(pivot, frame.eye_m));
    controls_press(&controls, &camera, &around, DRAG_TILT, 640, 360, 0);
    controls_cursor(&controls, &camera, &around, 700, 330, 0.1);
    frame = camera_frame_of(&camera);
    double x, y;
    project(&camera, pivot, &x, &y);
    CHECK_TEXT(hypot(x - 640, y - 360) < 1, "%g %g", x, y);
    CHECK(fabs(double3_length(double3_sub(pivot, frame.eye_m)) / before_m - 1) < 1e-6);
    controls_release(&controls, 0.2);

    struct camera place = camera;
    controls_press(&controls, &camera, &around, DRAG_LOOK, 640, 360, 1);
    controls_cursor(&controls, &camera, &around, 740, 400, 1.1);
    CHECK(camera.latitude_deg == place.latitude_deg && camera.radius_m == place.radius_m);
    CHECK(camera.heading_deg != place.heading_deg && camera.pitch_deg > place.pitch_deg);
}

static void home_shows_the_whole_globe(void)
{
    for (int shape = 0; shape < 2; shape++) {
        struct controls controls;
        controls_init(&controls, MODE_WALK, false);
        struct camera camera = camera_at(30, 60, 2, 20, 3);
        if (shape)
            camera.width_px = 300, camera.height_px = 900;
        controls_home(&controls, &camera, &around);
        struct camera_frame frame = camera_frame_of(&camera);
        double limb = asin(RADIUS_M / camera.radius_m);
        CHECK(tan(limb) < fmin(frame.tan_half_height, frame.tan_half_width));
        CHECK(tan(limb) > 0.7 * fmin(frame.tan_half_height, frame.tan_half_width));
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    make_ground();
    CHECK_RUN(camera_axes_are_right_handed_and_level);
    CHECK_RUN(a_grabbed_point_stays_under_the_cursor);
    CHECK_RUN(a_drag_off_the_globe_does_no_harm);
    CHECK_RUN(the_wheel_zooms_to_the_cursor);
    CHECK_RUN(no_wheel_goes_through_the_ground);
    CHECK_RUN(speed_grows_with_height_above_ground);
    CHECK_RUN(keys_move_the_way_they_say);
    CHECK_RUN(walking_keeps_the_eye_above_the_drawn_ground_and_never_jerks);
    CHECK_RUN(inertia_glides_on_and_comes_to_rest_and_is_off_when_told);
    CHECK_RUN(tilting_keeps_the_point_and_looking_keeps_the_place);
    CHECK_RUN(home_shows_the_whole_globe);
    ground_free(ground);
    return CHECK_END;
}
