// SPDX-License-Identifier: MIT
// The plan: which nodes a bake must produce, in canonical order, without ever listing them in memory.
//
// In the plan are: every node of levels 0..depth on the chosen faces; and below, the four children of every node that
// touches a region which asks for a deeper level. So plans are sibling-closed, and parents come along. To the bit: a
// node of level L > depth is in the plan when each of its ancestors touches some region of level L or deeper.
//
// A share is the part of a plan between two places of its depth-first order (a node before its children, children by
// index, faces by number): a region of the planet, with as many nodes as any other share to within one. The shares of
// a plan have no node in common and together they are the plan.
#ifndef TERRANE_BAKE_PLAN_H
#define TERRANE_BAKE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_key.h"
#include "common/vec3.h"

#define PLAN_REGIONS_MAX 256
#define PLAN_SHARES_MAX 1000000

struct plan_region {
    double latitude_deg, longitude_deg, radius_km;
    int level;
    // Filled in by plan_prepare:
    struct double3 center;
    double chord2; // squared chord of its angular radius on the unit sphere; over 4 is everything
};

struct plan {
    int depth;
    unsigned faces; // bit f for face f
    int region_count;
    struct plan_region regions[PLAN_REGIONS_MAX];
    int max_level; // filled in by plan_prepare, as are the following
    double radius_m;
    uint32_t share, share_count;     // 1 of 1: everything
    uint64_t share_first, share_end; // places in depth-first order (plan.c), the end not included
};

// "LAT,LON,RADIUS_KM,LEVEL": latitude -90..90, longitude -180..360, radius_km over 0, level 0..24. STATUS_USAGE with a
// message that names neither flag nor text.
enum status_code plan_parse_region(struct plan_region *region, const char *text, struct status *status);

// The same text again, in its one canonical form (longitude -180..180, shortest numbers).
#define PLAN_REGION_TEXT_MAX 160
void plan_format_region(char text[PLAN_REGION_TEXT_MAX], const struct plan_region *region);

// Completes a plan whose depth, faces and regions are set. Faces given limit depth and regions alike. Regions are put
// in a canonical form and order, doubles and those that ask for nothing below depth are dropped: what is left decides
// the plan and nothing else does.
void plan_prepare(struct plan *plan, double radius_m);

// Narrows a prepared whole plan to share K of N, 1 <= K <= N <= PLAN_SHARES_MAX. Shares may be empty. Costs some
// plan_counts.
void plan_take_share(struct plan *plan, uint32_t share, uint32_t share_count);

bool plan_contains(const struct plan *plan, struct node node);

// Whether the node's area comes within the region's radius of its centre (closed; exact to about 1e-9 m at Earth size).
// A node is a convex spherical quadrilateral, since lines of constant s and t are great circles.
bool plan_region_touches(const struct plan_region *region, struct node node);

// Whether the node's whole area lies within it. May say no where a corner is within 1e-9 m of the rim.
bool plan_region_covers(const struct plan_region *region, struct node node);

// Nodes of the plan in canonical order. A walk is a small value; copying it forks it. Not for sharing between threads.
struct plan_walk {
    const struct plan *plan;
    bool started, finished;
    struct node at;
};
void plan_walk_begin(struct plan_walk *walk, const struct plan *plan);
bool plan_walk_next(struct plan_walk *walk, struct node *node);

// How many nodes the plan has at each level and in all. Whatever is full is counted by arithmetic, so the cost goes
// with the length of the regions' rims, not with the number of nodes.
uint64_t plan_count(const struct plan *plan, uint64_t per_level[TILE_LEVEL_MAX + 1]);

// The node with that index among those of a level, in Morton order by face; false behind the last. Costs about as much
// as counting the level.
bool plan_nth(const struct plan *plan, int level, uint64_t index, struct node *node);

#endif
