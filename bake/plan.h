// SPDX-License-Identifier: MIT
// The plan: which nodes a bake must produce, in canonical order, without ever listing them in memory.
//
// In the plan are: every node of levels 0..depth on the chosen faces; and below, the four children of every node that
// touches a region which asks for a deeper level. So plans are sibling-closed, and parents come along.
#ifndef TERRANE_BAKE_PLAN_H
#define TERRANE_BAKE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_key.h"
#include "common/vec3.h"

#define PLAN_REGIONS_MAX 256

struct plan_region {
    double latitude_deg, longitude_deg, radius_km;
    int level;
    // Filled in by plan_prepare:
    struct double3 center;
    double chord2; // squared chord of its angular radius on the unit sphere; 4 or more is everything
};

struct plan {
    int depth;
    unsigned faces; // bit f for face f
    int region_count;
    struct plan_region regions[PLAN_REGIONS_MAX];
    int max_level; // filled in by plan_prepare, as are the following
    double radius_m;
    uint32_t share, share_count; // 1 of 1: everything
};

// "LAT,LON,RADIUS_KM,LEVEL"; longitude -180..360, radius_km > 0, level 0..24. Message without the flag's name.
enum status_code plan_parse_region(struct plan_region *region, const char *text, struct status *status);

// Completes a plan whose depth, faces and regions are set. Faces given limit depth and regions alike.
void plan_prepare(struct plan *plan, double radius_m);

bool plan_contains(const struct plan *plan, struct node node);

// Whether the node's area comes within the region's radius of its centre (closed; exact to about 1e-9 m at Earth size).
// A node is a convex spherical quadrilateral, since lines of constant s and t are great circles.
bool plan_region_touches(const struct plan_region *region, struct node node);

// Nodes of the plan in canonical order. A walk is a small value; copying it forks it. Not for sharing between threads.
struct plan_walk {
    const struct plan *plan;
    bool started, finished;
    struct node at;
};
void plan_walk_begin(struct plan_walk *walk, const struct plan *plan);
bool plan_walk_next(struct plan_walk *walk, struct node *node);

// How many nodes the plan has at each level and in all. Full levels by arithmetic, the rest by walking.
uint64_t plan_count(const struct plan *plan, uint64_t per_level[TILE_LEVEL_MAX + 1]);

#endif
