// SPDX-License-Identifier: MIT
#include "view/controls.h"

#include <math.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"

#define ZOOM_PER_STEP 0.8     // the distance to the point under the cursor is multiplied by this a wheel step
#define LEAST_CLEARANCE_M 0.5 // of the eye above the ground, but in walk mode
#define FARTHEST_RADII 30.0
#define SPIN_DECAY_S 0.16  // 0.9 a frame at 60 frames a second
#define ZOOM_DECAY_S 0.075 // 0.8 a frame
#define WALK_SETTLE_S 0.10
#define TURN_MOST_RAD 0.5 // of one cursor event: a ray along the horizon must not throw the globe about

void controls_init(struct controls *controls, enum view_mode mode, bool inertia)
{
    *controls = (struct controls){.mode = mode, .inertia = inertia};
}

static double ground_under_m(const struct camera *camera, const struct surroundings *around)
{
    double height_m = 0;
    struct double3 dir = geographic_dir(camera->latitude_deg, camera->longitude_deg);
    if (!ground_height_m(around->ground, dir, &height_m))
        height_m = fmax(around->lowest_m, 0);
    return height_m;
}

double controls_height_m(const struct camera *camera, const struct surroundings *around)
{
    return camera->radius_m - around->radius_m - ground_under_m(camera, around);
}

static bool point_under(const struct camera *camera, const struct surroundings *around, double x_px, double y_px,
                        struct double3 *point_m)
{
    struct camera_frame frame = camera_frame_of(camera);
    return ground_hit(around->ground, frame.eye_m, camera_ray(&frame, camera, x_px, y_px), around->lowest_m,
                      around->highest_m, point_m);
}

static void keep_clear(struct camera *camera, const struct surroundings *around)
{
    double least_m = around->radius_m + ground_under_m(camera, around) + LEAST_CLEARANCE_M;
    double most_m = around->radius_m * FARTHEST_RADII;
    camera->radius_m = fmin(fmax(camera->radius_m, least_m), fmax(most_m, least_m));
}

// Where the ray through a picture point meets the sphere through anchor; where it misses, the nearest point of the
// sphere's rim as seen from the eye.
static struct double3 on_anchor_sphere(const struct camera *camera, double x_px, double y_px, double radius_m)
{
    struct camera_frame frame = camera_frame_of(camera);
    struct double3 ray = camera_ray(&frame, camera, x_px, y_px);
    double b = double3_dot(frame.eye_m, ray);
    double aside_m = double3_length(double3_cross(frame.eye_m, ray));
    double half2 = (radius_m - aside_m) * (radius_m + aside_m);
    double along_m = -b;
    if (half2 > 0) {
        double half = sqrt(half2);
        along_m = -b - half > 0 ? -b - half : -b + half;
    }
    return double3_scale(double3_normalise(double3_add(frame.eye_m, double3_scale(ray, along_m))), radius_m);
}

// Turns the camera about the planet's centre so that anchor_m comes under the picture point.
static void bring_under(struct controls *controls, struct camera *camera, double x_px, double y_px, double step_s)
{
    double radius_m = double3_length(controls->anchor_m);
    struct double3 seen = on_anchor_sphere(camera, x_px, y_px, radius_m);
    struct double3 axis = double3_cross(seen, controls->anchor_m);
    double sine = double3_length(axis) / (radius_m * radius_m);
    if (!(sine > 0))
        return;
    double angle_rad = atan2(sine, double3_dot(seen, controls->anchor_m) / (radius_m * radius_m));
    angle_rad = fmin(angle_rad, TURN_MOST_RAD);
    axis = double3_normalise(axis);
    camera_turn(camera, axis, angle_rad);
    controls->spin_axis = axis;
    controls->spin_rad_s = step_s > 0 ? angle_rad / step_s : 0;
}

void controls_press(struct controls *controls, const struct camera *camera, const struct surroundings *around,
                    enum drag drag, double x_px, double y_px, double now_s)
{
    controls->drag = drag;
    controls->cursor_x_px = x_px;
    controls->cursor_y_px = y_px;
    controls->drag_s = now_s;
    controls->spin_rad_s = 0;
    controls->zoom_left = 0;
    controls->has_anchor = point_under(camera, around, x_px, y_px, &controls->anchor_m);
}

// Turning about the vertical of the anchor and tilting about the horizontal through it.
static void tilt(struct controls *controls, struct camera *camera, double dx_px, double dy_px)
{
    struct camera_frame frame = camera_frame_of(camera);
    struct double3 arm = double3_sub(frame.eye_m, controls->anchor_m), forward = frame.forward;
    struct double3 vertical = double3_normalise(controls->anchor_m);
    double turn_rad = -dx_px / camera->width_px * STABLE_PI, tilt_rad = -dy_px / camera->height_px * STABLE_PI / 2;
    arm = double3_turn(arm, vertical, turn_rad);
    forward = double3_turn(forward, vertical, turn_rad);
    struct double3 right = double3_turn(frame.right, vertical, turn_rad);
    struct double3 tilted = double3_turn(forward, right, tilt_rad);
    // Neither over the top nor beyond the horizontal of the anchor.
    double down = -double3_dot(tilted, vertical);
    if (down > 0.02 && down < 0.9999) {
        arm = double3_turn(arm, right, tilt_rad);
        forward = tilted;
    }
    camera_set(camera, double3_add(controls->anchor_m, arm), double3_normalise(forward));
}

void controls_cursor(struct controls *controls, struct camera *camera, const struct surroundings *around, double x_px,
                     double y_px, double now_s)
{
    double dx_px = x_px - controls->cursor_x_px, dy_px = y_px - controls->cursor_y_px;
    double step_s = now_s - controls->drag_s;
    controls->cursor_x_px = x_px;
    controls->cursor_y_px = y_px;
    controls->drag_s = now_s;
    double degrees_a_px = camera->fov_deg / camera->height_px;
    if (controls->drag == DRAG_LOOK) {
        camera->heading_deg -= dx_px * degrees_a_px;
        camera->pitch_deg += dy_px * degrees_a_px;
        camera_normalise(camera);
    } else if (controls->drag == DRAG_GRAB && controls->has_anchor) {
        bring_under(controls, camera, x_px, y_px, step_s);
        keep_clear(camera, around);
    } else if (controls->drag == DRAG_TILT && controls->has_anchor) {
        tilt(controls, camera, dx_px, dy_px);
        keep_clear(camera, around);
    }
}

void controls_release(struct controls *controls, double now_s)
{
    // A cursor that rested before the release does not throw.
    bool thrown = controls->drag == DRAG_GRAB && controls->inertia && now_s - controls->drag_s < 0.05;
    if (!thrown)
        controls->spin_rad_s = 0;
    controls->drag = DRAG_NONE;
}

static void zoom(struct controls *controls, struct camera *camera, const struct surroundings *around, double steps)
{
    struct double3 point_m;
    struct camera_frame frame = camera_frame_of(camera);
    double factor = pow(ZOOM_PER_STEP, steps);
    if (!point_under(camera, around, controls->zoom_x_px, controls->zoom_y_px, &point_m)) {
        // Into the sky: only the height changes.
        double height_m = controls_height_m(camera, around);
        camera->radius_m += height_m * (factor - 1);
        keep_clear(camera, around);
        return;
    }
    struct double3 arm = double3_sub(frame.eye_m, point_m);
    struct double3 eye_m = double3_add(point_m, double3_scale(arm, factor));
    camera_move(camera, double3_sub(eye_m, frame.eye_m));
    keep_clear(camera, around);
    // The local horizon turned with the movement: bring the point back under the cursor.
    struct double3 kept = controls->anchor_m;
    controls->anchor_m = point_m;
    for (int k = 0; k < 3; k++)
        bring_under(controls, camera, controls->zoom_x_px, controls->zoom_y_px, 0);
    controls->anchor_m = kept;
    controls->spin_rad_s = 0;
}

void controls_wheel(struct controls *controls, struct camera *camera, const struct surroundings *around, double steps,
                    double x_px, double y_px)
{
    controls->zoom_x_px = x_px;
    controls->zoom_y_px = y_px;
    controls->spin_rad_s = 0;
    if (controls->inertia && controls->mode != MODE_WALK)
        controls->zoom_left += steps;
    else if (controls->mode != MODE_WALK)
        zoom(controls, camera, around, steps);
}

static void move_by_keys(struct controls *controls, struct camera *camera, const struct surroundings *around,
                         unsigned keys, double step_s)
{
    double height_m = fmax(controls_height_m(camera, around), 0);
    double speed_m_s = controls->mode == MODE_WALK ? 2 : fmax(height_m, 2);
    speed_m_s *= (keys & MOVE_FAST ? 5 : 1) * (keys & MOVE_SLOW ? 0.1 : 1);
    double ahead = (keys & MOVE_FORWARD ? 1 : 0) - (keys & MOVE_BACK ? 1 : 0);
    double aside = (keys & MOVE_RIGHT ? 1 : 0) - (keys & MOVE_LEFT ? 1 : 0);
    double rise = (keys & MOVE_UP ? 1 : 0) - (keys & MOVE_DOWN ? 1 : 0);
    controls->speed_m_s = ahead != 0 || aside != 0 || rise != 0 ? speed_m_s : 0;
    if (controls->speed_m_s == 0)
        return;
    struct camera_frame frame = camera_frame_of(camera);
    struct double3 horizontal = double3_cross(frame.zenith, frame.right);
    struct double3 forward = controls->mode == MODE_FLY ? frame.forward : horizontal;
    struct double3 way = double3_add(double3_scale(forward, ahead), double3_scale(frame.right, aside));
    double climb_m = double3_dot(way, frame.zenith) * speed_m_s * step_s;
    double radius_m = camera->radius_m + climb_m + rise * speed_m_s * step_s * (controls->mode != MODE_WALK);
    // Along the sphere, not along its tangent: the height above the datum stays.
    camera_move(camera, double3_scale(way, speed_m_s * step_s));
    camera->radius_m = radius_m;
}

void controls_step(struct controls *controls, struct camera *camera, const struct surroundings *around, unsigned keys,
                   double step_s)
{
    move_by_keys(controls, camera, around, keys, step_s);
    if (controls->drag == DRAG_NONE && controls->spin_rad_s > 0) {
        camera_turn(camera, controls->spin_axis, controls->spin_rad_s * step_s);
        controls->spin_rad_s *= exp(-step_s / SPIN_DECAY_S);
        if (controls->spin_rad_s < 1e-9)
            controls->spin_rad_s = 0;
    }
    if (controls->zoom_left != 0) {
        double part = controls->zoom_left * (1 - exp(-step_s / ZOOM_DECAY_S));
        if (fabs(controls->zoom_left) < 0.01)
            part = controls->zoom_left;
        zoom(controls, camera, around, part);
        controls->zoom_left -= part;
    }
    if (controls->mode == MODE_WALK) {
        double floor_m = around->radius_m + ground_under_m(camera, around);
        double target_m = floor_m + EYE_HEIGHT_M;
        // A level change or a step under the feet moves the eye smoothly, and never into the ground.
        camera->radius_m += (target_m - camera->radius_m) * (1 - exp(-step_s / WALK_SETTLE_S));
        camera->radius_m = fmax(camera->radius_m, floor_m + LEAST_CLEARANCE_M);
    } else {
        keep_clear(camera, around);
    }
}

void controls_home(struct controls *controls, struct camera *camera, const struct surroundings *around)
{
    controls->mode = MODE_ORBIT;
    controls->spin_rad_s = controls->zoom_left = 0;
    // The globe fills four fifths of the picture's height or width, whichever is less.
    struct camera_frame frame = camera_frame_of(camera);
    double half_tan = 0.8 * fmin(frame.tan_half_height, frame.tan_half_width);
    camera->radius_m = around->radius_m * sqrt(1 + 1 / (half_tan * half_tan));
    camera->pitch_deg = -90;
    camera->heading_deg = 0;
}

void controls_north(struct camera *camera)
{
    camera->heading_deg = 0;
}

void controls_land(struct controls *controls, struct camera *camera, const struct surroundings *around)
{
    controls->mode = MODE_WALK;
    controls->spin_rad_s = controls->zoom_left = 0;
    camera->radius_m = around->radius_m + ground_under_m(camera, around) + EYE_HEIGHT_M;
    camera->pitch_deg = -5;
}
