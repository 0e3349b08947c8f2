// SPDX-License-Identifier: MIT
#include "view/camera.h"

#include <math.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"

static void local_axes(double latitude_deg, double longitude_deg, struct double3 *east, struct double3 *north,
                       struct double3 *zenith)
{
    double sin_lon, cos_lon;
    stable_sincos_deg(longitude_deg, &sin_lon, &cos_lon);
    *zenith = geographic_dir(latitude_deg, longitude_deg);
    *east = (struct double3){-sin_lon, cos_lon, 0.0};
    *north = double3_cross(*zenith, *east);
}

struct camera_frame camera_frame_of(const struct camera *camera)
{
    struct double3 east, north;
    struct camera_frame frame;
    local_axes(camera->latitude_deg, camera->longitude_deg, &east, &north, &frame.zenith);
    frame.eye_m = double3_scale(frame.zenith, camera->radius_m);

    double sin_h, cos_h, sin_p, cos_p;
    stable_sincos_deg(camera->heading_deg, &sin_h, &cos_h);
    stable_sincos_deg(camera->pitch_deg, &sin_p, &cos_p);
    struct double3 ahead = double3_add(double3_scale(north, cos_h), double3_scale(east, sin_h));
    frame.right = double3_sub(double3_scale(east, cos_h), double3_scale(north, sin_h));
    frame.forward = double3_add(double3_scale(ahead, cos_p), double3_scale(frame.zenith, sin_p));
    frame.up = double3_cross(frame.right, frame.forward);

    frame.tan_half_height = tan(camera->fov_deg * STABLE_DEGREE / 2);
    frame.tan_half_width = frame.tan_half_height * camera->width_px / camera->height_px;
    frame.focal_px = camera->height_px / (2 * frame.tan_half_height);

    struct double3 wide = double3_scale(frame.forward, frame.tan_half_width);
    struct double3 high = double3_scale(frame.forward, frame.tan_half_height);
    frame.planes[0] = double3_normalise(double3_add(wide, frame.right));
    frame.planes[1] = double3_normalise(double3_sub(wide, frame.right));
    frame.planes[2] = double3_normalise(double3_add(high, frame.up));
    frame.planes[3] = double3_normalise(double3_sub(high, frame.up));
    return frame;
}

struct double3 camera_ray(const struct camera_frame *frame, const struct camera *camera, double px, double py)
{
    double x = (2 * px / camera->width_px - 1) * frame->tan_half_width;
    double y = (1 - 2 * py / camera->height_px) * frame->tan_half_height;
    struct double3 sideways = double3_add(double3_scale(frame->right, x), double3_scale(frame->up, y));
    return double3_normalise(double3_add(frame->forward, sideways));
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

void camera_normalise(struct camera *camera)
{
    camera->latitude_deg = clamp(camera->latitude_deg, -90, 90);
    camera->longitude_deg -= 360 * floor((camera->longitude_deg + 180) / 360);
    camera->heading_deg -= 360 * floor(camera->heading_deg / 360);
    camera->pitch_deg = clamp(camera->pitch_deg, -90, 90);
    camera->fov_deg = clamp(camera->fov_deg, 1, 120);
}

// Puts the eye at eye_m with the horizontal axis to the right as near to right as the new horizon allows.
static void place(struct camera *camera, struct double3 eye_m, struct double3 right)
{
    camera->radius_m = double3_length(eye_m);
    geographic_of(eye_m, &camera->latitude_deg, &camera->longitude_deg);
    struct double3 east, north, zenith;
    local_axes(camera->latitude_deg, camera->longitude_deg, &east, &north, &zenith);
    camera->heading_deg = atan2(-double3_dot(right, north), double3_dot(right, east)) / STABLE_DEGREE;
    camera_normalise(camera);
}

void camera_move(struct camera *camera, struct double3 offset_m)
{
    struct camera_frame before = camera_frame_of(camera);
    place(camera, double3_add(before.eye_m, offset_m), before.right);
}

struct double3 double3_turn(struct double3 v, struct double3 axis, double angle_rad)
{
    double c = cos(angle_rad), s = sin(angle_rad);
    struct double3 along = double3_scale(axis, double3_dot(axis, v) * (1 - c));
    return double3_add(double3_add(double3_scale(v, c), double3_scale(double3_cross(axis, v), s)), along);
}

void camera_turn(struct camera *camera, struct double3 axis, double angle_rad)
{
    struct camera_frame before = camera_frame_of(camera);
    place(camera, double3_turn(before.eye_m, axis, angle_rad), double3_turn(before.right, axis, angle_rad));
}

void camera_set(struct camera *camera, struct double3 eye_m, struct double3 forward)
{
    struct camera_frame before = camera_frame_of(camera);
    struct double3 zenith = double3_normalise(eye_m);
    struct double3 right = double3_cross(forward, zenith);
    // Looking straight up or down, the old right-hand side tells the heading.
    if (double3_length(right) < 1e-9)
        right = before.right;
    camera->pitch_deg = asin(fmin(fmax(double3_dot(forward, zenith), -1), 1)) / STABLE_DEGREE;
    place(camera, eye_m, right);
}
