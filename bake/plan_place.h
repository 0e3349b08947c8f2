// SPDX-License-Identifier: MIT
// The inside of plans, shared by plan.c (walking) and plan_count.c (counting and shares).
//
// Places in depth-first order are integers: face, path (the Morton code, left-aligned at 48 bits), level. A node comes
// right before its first child, and everything below it before its next sibling.
#ifndef TERRANE_BAKE_PLAN_PLACE_H
#define TERRANE_BAKE_PLAN_PLACE_H

#include "bake/plan.h"
#include "common/cube_sphere.h"

#define PLAN_PLACE_LEVEL_BITS 5
#define PLAN_PLACE_END ((uint64_t)CUBE_FACE_COUNT << (48 + PLAN_PLACE_LEVEL_BITS))

static inline uint64_t plan_place_path(struct node node)
{
    return (uint64_t)node.face << 48 | morton_encode(node.x, node.y) << 2 * (TILE_LEVEL_MAX - node.level);
}

static inline uint64_t plan_place_of(struct node node)
{
    return plan_place_path(node) << PLAN_PLACE_LEVEL_BITS | (uint64_t)node.level;
}

// The first place behind everything below the node.
static inline uint64_t plan_place_behind(struct node node)
{
    return (plan_place_path(node) + (UINT64_C(1) << 2 * (TILE_LEVEL_MAX - node.level))) << PLAN_PLACE_LEVEL_BITS;
}

static inline bool plan_in_share(const struct plan *plan, struct node node)
{
    uint64_t place = plan_place_of(node);
    return place >= plan->share_first && place < plan->share_end;
}

// Whether the node, above level, may have descendants of that level: it touches a region that asks for it.
bool plan_reaches(const struct plan *plan, struct node node, int level);

// Steps to the root of the next face that the plan has; from face -1 to the first. False behind the last.
bool plan_next_face(const struct plan *plan, struct node *node);

// Steps to the node that follows everything at and below *node in depth-first order.
bool plan_step_over(const struct plan *plan, struct node *node);

// The first places of all shares of a whole plan, and the end of the last: share_count + 1 values, not falling. Share
// K holds the nodes with places[K - 1] <= place < places[K].
void plan_share_places(const struct plan *plan, uint32_t share_count, uint64_t *places);

#endif
