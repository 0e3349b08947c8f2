// SPDX-License-Identifier: MIT
// Where the eye is and where it looks: double, planet-fixed, and nothing of OpenGL.
//
// Frames: pos_m planet-fixed metres; rel_m metres from the eye along planet axes (the only thing that a GPU sees);
// view space: x right, y up, z backward (OpenGL), so that rotation turns rel_m into view space.
// Heading is in degrees clockwise from north, pitch in degrees above the horizontal, both against the local
// horizon at the eye. Over a pole, north is the direction of the meridian that the eye's longitude names, so
// a camera is never undefined.
#ifndef TERRANE_VIEW_CAMERA_H
#define TERRANE_VIEW_CAMERA_H

#include "common/vec3.h"

struct camera {
    double latitude_deg, longitude_deg; // of the eye
    double radius_m;                    // distance of the eye from the planet's centre
    double heading_deg, pitch_deg;
    double fov_deg;          // vertical field of view
    int width_px, height_px; // of the picture; at least 1
};

// What a frame derives from a camera, once.
struct camera_frame {
    struct double3 eye_m;
    struct double3 right, up, forward; // orthonormal, planet axes
    struct double3 zenith;             // unit, away from the planet's centre
    double focal_px;                   // height_px / (2 tan(fov / 2)): pixels a unit of slope
    double tan_half_width, tan_half_height;
    // The side planes of the view through the eye: inside where dot(plane, rel_m) >= 0. Left, right, bottom, top.
    struct double3 planes[4];
};

struct camera_frame camera_frame_of(const struct camera *camera);

// The ray through a picture point (px from the left, py from the top, pixel centres at .5): unit, planet axes.
struct double3 camera_ray(const struct camera_frame *frame, const struct camera *camera, double px, double py);

// Keeps everything in range: latitude, longitude wrapped, pitch -90..90, heading 0..360, fov 1..120.
void camera_normalise(struct camera *camera);

// The eye moves by a planet-fixed offset; heading and pitch are kept against the new local horizon.
void camera_move(struct camera *camera, struct double3 offset_m);

// The whole camera turns about an axis (unit) through the planet's centre. Pitch stays, and what it saw it sees rigidly
// turned.
void camera_turn(struct camera *camera, struct double3 axis, double angle_rad);

// The camera goes to eye_m and looks along forward (unit); the picture's horizon stays level.
void camera_set(struct camera *camera, struct double3 eye_m, struct double3 forward);

// v turned about a unit axis (Rodrigues).
struct double3 double3_turn(struct double3 v, struct double3 axis, double angle_rad);

#endif
