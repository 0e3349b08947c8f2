// SPDX-License-Identifier: MIT
#include "view/cull.h"

#include <math.h>

#include "common/cube_sphere.h"

// Rounding outward: bounds are widened by this share, thousands of times the rounding errors in them.
#define OUTWARD 1e-9

static double angle_between(struct double3 a, struct double3 b)
{
    double chord = double3_length(double3_sub(a, b));
    return 2 * asin(fmin(chord / 2, 1));
}

struct node_bound node_bound_of(struct node node, double radius_m, double height_min_m, double height_max_m)
{
    double size = 1.0 / (double)(UINT32_C(1) << node.level);
    double s0 = node.x * size, t1 = 1 - node.y * size;
    struct node_bound bound;
    bound.dir = cube_sphere_dir(node.face, s0 + size / 2, t1 - size / 2);
    bound.angle_rad = 0;
    for (int corner = 0; corner < 4; corner++) {
        // A node is a convex spherical quadrilateral: no point of it is further from its middle than a corner.
        struct double3 dir = cube_sphere_dir(node.face, s0 + (corner & 1) * size, t1 - (corner >> 1) * size);
        bound.angle_rad = fmax(bound.angle_rad, angle_between(bound.dir, dir));
    }
    bound.angle_rad *= 1 + OUTWARD;
    bound.bottom_m = (radius_m + height_min_m) * (1 - OUTWARD);
    bound.top_m = (radius_m + height_max_m) * (1 + OUTWARD);

    // The shell between bottom and top within the angle: its extreme points in the plane of the axis.
    double c = cos(bound.angle_rad), s = sin(bound.angle_rad);
    double middle = (bound.top_m + bound.bottom_m * c) / 2;
    double low = hypot(bound.bottom_m * c - middle, bound.bottom_m * s);
    double high = hypot(bound.top_m * c - middle, bound.top_m * s);
    bound.center_m = double3_scale(bound.dir, middle);
    bound.radius_m = fmax(bound.top_m - middle, fmax(low, high)) * (1 + OUTWARD);
    return bound;
}

bool node_outside_frustum(const struct node_bound *bound, const struct camera_frame *frame)
{
    struct double3 rel_m = double3_sub(bound->center_m, frame->eye_m);
    if (double3_dot(frame->forward, rel_m) < -bound->radius_m)
        return true;
    for (int k = 0; k < 4; k++) {
        if (double3_dot(frame->planes[k], rel_m) < -bound->radius_m)
            return true;
    }
    return false;
}

bool node_below_horizon(const struct node_bound *bound, const struct camera_frame *frame, double occluder_m)
{
    double eye_m = double3_length(frame->eye_m);
    if (eye_m <= occluder_m || occluder_m <= 0)
        return false;
    double away = angle_between(frame->zenith, bound->dir) - bound->angle_rad;
    double top_m = fmax(bound->top_m, occluder_m);
    // A point at distance top is hidden when it lies further round than where its tangent to the occluder and the eye's
    // meet.
    return away * (1 - OUTWARD) > acos(occluder_m / eye_m) + acos(occluder_m / top_m);
}

struct eye_places eye_places_of(const struct camera_frame *frame)
{
    struct eye_places eye = {.distance_m = double3_length(frame->eye_m), .dir = frame->zenith};
    const double p[3] = {eye.dir.x, eye.dir.y, eye.dir.z};
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        const struct cube_axis out = cube_face_frames[face].out;
        // Nearly beside the face its s and t run off to their ends and clamp badly; there the lower bound serves.
        eye.before[face] = out.sign * p[out.axis] > 0.3;
        if (eye.before[face]) {
            struct cube_place place = cube_sphere_locate_on_face(face, eye.dir);
            eye.s[face] = place.s;
            eye.t[face] = place.t;
        }
    }
    return eye;
}

double node_distance_m(struct node node, const struct node_bound *bound, const struct eye_places *eye)
{
    double away;
    if (eye->before[node.face]) {
        double size = 1.0 / (double)(UINT32_C(1) << node.level);
        double s0 = node.x * size, t1 = 1 - node.y * size;
        double s = fmin(fmax(eye->s[node.face], s0), s0 + size);
        double t = fmin(fmax(eye->t[node.face], t1 - size), t1);
        bool inside = s == eye->s[node.face] && t == eye->t[node.face];
        away = inside ? 0 : angle_between(eye->dir, cube_sphere_dir(node.face, s, t));
    } else {
        away = fmax(angle_between(eye->dir, bound->dir) - bound->angle_rad, 0);
    }
    // The nearest point of a radial segment at that angle.
    double nearest_m = fmin(fmax(eye->distance_m * cos(away), bound->bottom_m), bound->top_m);
    double half = sin(away / 2), radial_m = eye->distance_m - nearest_m;
    return sqrt(radial_m * radial_m + 4 * eye->distance_m * nearest_m * half * half);
}
