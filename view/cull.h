// SPDX-License-Identifier: MIT
// Culling of quadtree nodes, from true heights; may only err by keeping too much.
#ifndef TERRANE_VIEW_CULL_H
#define TERRANE_VIEW_CULL_H

#include <stdbool.h>

#include "common/tile_key.h"
#include "view/camera.h"

// What is known of a node's space, rounded outward.
struct node_bound {
    struct double3 center_m; // of a sphere around the tile's surface between its heights
    double radius_m;
    struct double3 dir;     // unit, of the tile's middle
    double angle_rad;       // angular radius of the tile about dir
    double bottom_m, top_m; // distances of its lowest and highest point from the planet's centre
};
struct node_bound node_bound_of(struct node node, double radius_m, double height_min_m, double height_max_m);

// Wholly outside the four side planes or behind the eye.
bool node_outside_frustum(const struct node_bound *bound, const struct camera_frame *frame);

// Wholly below the horizon that a sphere of radius occluder_m (the planet at its lowest height, less the sag of the
// coarsest mesh) hides; false while the eye is inside that sphere.
bool node_below_horizon(const struct node_bound *bound, const struct camera_frame *frame, double occluder_m);

// Where the eye's direction lies on each face, for faces whose half space it is in; made once a frame.
struct eye_places {
    bool before[6];
    double s[6], t[6];
    double distance_m; // of the eye from the planet's centre
    struct double3 dir;
};
struct eye_places eye_places_of(const struct camera_frame *frame);

// Distance from the eye to the node's nearest point between its heights, at least 0: the point of the node whose s and
// t are nearest to the eye's on that face, within a few per cent of the true minimum; from behind the face a lower
// bound.
double node_distance_m(struct node node, const struct node_bound *bound, const struct eye_places *eye);

#endif
