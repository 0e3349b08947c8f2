// SPDX-License-Identifier: MIT
#include "bake/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cube_sphere.h"
#include "common/stable_math.h"

// Places in depth-first order as integers: face, path (the Morton code, left-aligned at 48 bits), level. A node comes
// right before its first child, and everything below it before its next sibling.
#define PLACE_LEVEL_BITS 5
#define PLACE_END ((uint64_t)CUBE_FACE_COUNT << (48 + PLACE_LEVEL_BITS))

static uint64_t place_path(struct node node)
{
    return (uint64_t)node.face << 48 | morton_encode(node.x, node.y) << 2 * (TILE_LEVEL_MAX - node.level);
}

static uint64_t place_of(struct node node)
{
    return place_path(node) << PLACE_LEVEL_BITS | (uint64_t)node.level;
}

// The first place behind everything below the node.
static uint64_t place_behind(struct node node)
{
    return (place_path(node) + (UINT64_C(1) << 2 * (TILE_LEVEL_MAX - node.level))) << PLACE_LEVEL_BITS;
}

static bool in_share(const struct plan *plan, struct node node)
{
    uint64_t place = place_of(node);
    return place >= plan->share_first && place < plan->share_end;
}

static int compare_regions(const void *a, const void *b)
{
    const struct plan_region *p = a, *q = b;
    const double left[] = {p->latitude_deg, p->longitude_deg, p->radius_km, p->level};
    const double right[] = {q->latitude_deg, q->longitude_deg, q->radius_km, q->level};
    for (int k = 0; k < 4; k++) {
        if (left[k] != right[k])
            return left[k] < right[k] ? -1 : 1;
    }
    return 0;
}

static void prepare_regions(struct plan *plan)
{
    int kept = 0;
    for (int k = 0; k < plan->region_count; k++) {
        struct plan_region region = plan->regions[k];
        if (region.level <= plan->depth)
            continue;
        // Exact, and stable_sincos_deg gives the same bits for both.
        if (region.longitude_deg >= 180)
            region.longitude_deg -= 360;
        region.latitude_deg += 0.0; // -0 becomes 0
        region.longitude_deg += 0.0;
        double angle = region.radius_km * 1000.0 / plan->radius_m;
        double half_chord = stable_sin(fmin(angle, STABLE_PI) * 0.5);
        region.center = geographic_dir(region.latitude_deg, region.longitude_deg);
        region.chord2 = angle >= STABLE_PI ? 8.0 : 4.0 * half_chord * half_chord;
        plan->regions[kept++] = region;
    }
    qsort(plan->regions, (size_t)kept, sizeof plan->regions[0], compare_regions);
    plan->region_count = 0;
    for (int k = 0; k < kept; k++) {
        if (k == 0 || compare_regions(&plan->regions[k - 1], &plan->regions[k]) != 0)
            plan->regions[plan->region_count++] = plan->regions[k];
    }
}

void plan_prepare(struct plan *plan, double radius_m)
{
    assert(plan->depth >= 0 && plan->depth <= TILE_LEVEL_MAX);
    assert(plan->faces != 0 && plan->faces < 1u << CUBE_FACE_COUNT);
    assert(plan->region_count >= 0 && plan->region_count <= PLAN_REGIONS_MAX);
    plan->radius_m = radius_m;
    prepare_regions(plan);
    plan->max_level = plan->depth;
    for (int k = 0; k < plan->region_count; k++) {
        if (plan->regions[k].level > plan->max_level)
            plan->max_level = plan->regions[k].level;
    }
    plan->share = plan->share_count = 1;
    plan->share_first = 0;
    plan->share_end = PLACE_END;
}

// Whether the node, above level, may have descendants of that level: it touches a region that asks for it.
static bool reaches(const struct plan *plan, struct node node, int level)
{
    if (level <= plan->depth)
        return true;
    for (int k = 0; k < plan->region_count; k++) {
        if (plan->regions[k].level >= level && plan_region_touches(&plan->regions[k], node))
            return true;
    }
    return false;
}

bool plan_contains(const struct plan *plan, struct node node)
{
    if (!(plan->faces >> node.face & 1) || node.level > plan->max_level || !in_share(plan, node))
        return false;
    int level = node.level;
    while (node.level > 0) {
        node = node_parent(node);
        if (!reaches(plan, node, level))
            return false;
    }
    return true;
}

// ---- Walking -------------------------------------------------------------------------------------------

static bool next_face(const struct plan *plan, struct node *node)
{
    int face = node->face + 1;
    while (face < CUBE_FACE_COUNT && !(plan->faces >> face & 1))
        face++;
    *node = (struct node){.face = face};
    return face < CUBE_FACE_COUNT;
}

// Steps to the node that follows everything at and below *node in depth-first order.
static bool step_over(const struct plan *plan, struct node *node)
{
    while (node->level > 0 && node_child_index(*node) == 3)
        *node = node_parent(*node);
    if (node->level == 0)
        return next_face(plan, node);
    int next = node_child_index(*node) + 1;
    *node = node_child(node_parent(*node), next);
    return true;
}

// Whether nodes of a deeper level may lie below the node, in the plan and in the share.
static bool leads_to(const struct plan *plan, struct node node, int level)
{
    return place_of(node) < plan->share_end && place_behind(node) > plan->share_first && reaches(plan, node, level);
}

// From a node of any level up to the given one: the first node of that level, in Morton order, at it or behind it.
static bool seek_level(const struct plan *plan, struct node *node, int level)
{
    for (;;) {
        if (node->level == level) {
            if (in_share(plan, *node))
                return true;
        } else if (leads_to(plan, *node, level)) {
            *node = node_child(*node, 0);
            continue;
        }
        if (!step_over(plan, node))
            return false;
    }
}

void plan_walk_begin(struct plan_walk *walk, const struct plan *plan)
{
    *walk = (struct plan_walk){.plan = plan};
}

bool plan_walk_next(struct plan_walk *walk, struct node *node)
{
    const struct plan *plan = walk->plan;
    int level = walk->started ? walk->at.level : 0;
    struct node at = walk->at;
    bool more;
    if (walk->finished)
        return false;
    if (walk->started) {
        more = step_over(plan, &at);
    } else {
        at = (struct node){.face = -1};
        more = next_face(plan, &at);
        walk->started = true;
    }
    while (!(more && seek_level(plan, &at, level))) {
        if (++level > plan->max_level) {
            walk->finished = true;
            return false;
        }
        at = (struct node){.face = -1};
        more = next_face(plan, &at);
    }
    *node = walk->at = at;
    return true;
}

// ---- Counting ------------------------------------------------------------------------------------------

static bool covered(const struct plan *plan, struct node node, int level)
{
    if (level <= plan->depth)
        return true;
    for (int k = 0; k < plan->region_count; k++) {
        if (plan->regions[k].level >= level && plan_region_covers(&plan->regions[k], node))
            return true;
    }
    return false;
}

// Nodes of a level at or below node, all of whose ancestors reach that level. Makes the very same tests as the walk, so
// the two always agree.
static uint64_t count_level(const struct plan *plan, struct node node, int level)
{
    uint64_t first = place_of(node), behind = place_behind(node);
    if (first >= plan->share_end || behind <= plan->share_first)
        return 0;
    if (node.level == level)
        return in_share(plan, node);
    if (!reaches(plan, node, level))
        return 0;
    if (first >= plan->share_first && behind <= plan->share_end && covered(plan, node, level))
        return UINT64_C(1) << 2 * (level - node.level);
    uint64_t count = 0;
    for (int child = 0; child < 4; child++)
        count += count_level(plan, node_child(node, child), level);
    return count;
}

uint64_t plan_count(const struct plan *plan, uint64_t per_level[TILE_LEVEL_MAX + 1])
{
    uint64_t total = 0;
    memset(per_level, 0, (TILE_LEVEL_MAX + 1) * sizeof per_level[0]);
    for (int level = 0; level <= plan->max_level; level++) {
        for (int face = 0; face < CUBE_FACE_COUNT; face++) {
            if (plan->faces >> face & 1)
                per_level[level] += count_level(plan, (struct node){.face = face}, level);
        }
        total += per_level[level];
    }
    return total;
}

// ---- Shares --------------------------------------------------------------------------------------------

// Nodes at or below node, of the levels that all ancestors of it reach.
static uint64_t count_below(const struct plan *plan, struct node node, const bool reached[TILE_LEVEL_MAX + 1])
{
    uint64_t count = 0;
    for (int level = node.level; level <= plan->max_level; level++)
        count += reached[level] ? count_level(plan, node, level) : 0;
    return count;
}

// The place of the node with the given number in depth-first order, or PLACE_END behind the last.
static uint64_t place_of_number(const struct plan *plan, uint64_t number)
{
    bool reached[TILE_LEVEL_MAX + 1];
    for (int level = 0; level <= TILE_LEVEL_MAX; level++)
        reached[level] = true;
    struct node node = {.face = -1};
    if (!next_face(plan, &node))
        return PLACE_END;
    for (;;) {
        uint64_t count = count_below(plan, node, reached);
        if (number >= count) {
            number -= count;
            if (!step_over(plan, &node))
                return PLACE_END;
            // Stepping over the last child cannot happen: its parent would have been stepped over as a whole.
            continue;
        }
        if (number == 0)
            return place_of(node);
        number--;
        for (int level = node.level + 1; level <= plan->max_level; level++)
            reached[level] = reached[level] && reaches(plan, node, level);
        node = node_child(node, 0);
    }
}

void plan_take_share(struct plan *plan, uint32_t share, uint32_t share_count)
{
    assert(share >= 1 && share <= share_count && share_count <= PLAN_SHARES_MAX);
    uint64_t per_level[TILE_LEVEL_MAX + 1];
    plan->share_first = 0;
    plan->share_end = PLACE_END;
    uint64_t total = plan_count(plan, per_level);
    // total * share can be over 64 bits, so whole shares and the rest are taken apart; rests go to the first shares.
    uint64_t each = total / share_count, rest = total % share_count;
    uint64_t first = each * (share - 1) + (share - 1 < rest ? share - 1 : rest);
    uint64_t end = each * share + (share < rest ? share : rest);
    uint64_t place_first = place_of_number(plan, first), place_end = place_of_number(plan, end);
    plan->share = share;
    plan->share_count = share_count;
    plan->share_first = place_first;
    plan->share_end = place_end;
}
