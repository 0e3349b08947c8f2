// SPDX-License-Identifier: MIT
#include "bake/plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "bake/plan_place.h"
#include "common/stable_math.h"

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
    plan->share_end = PLAN_PLACE_END;
}

bool plan_reaches(const struct plan *plan, struct node node, int level)
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
    if (!(plan->faces >> node.face & 1) || node.level > plan->max_level || !plan_in_share(plan, node))
        return false;
    int level = node.level;
    while (node.level > 0) {
        node = node_parent(node);
        if (!plan_reaches(plan, node, level))
            return false;
    }
    return true;
}

// ---- Walking -------------------------------------------------------------------------------------------

bool plan_next_face(const struct plan *plan, struct node *node)
{
    int face = node->face + 1;
    while (face < CUBE_FACE_COUNT && !(plan->faces >> face & 1))
        face++;
    *node = (struct node){.face = face};
    return face < CUBE_FACE_COUNT;
}

bool plan_step_over(const struct plan *plan, struct node *node)
{
    while (node->level > 0 && node_child_index(*node) == 3)
        *node = node_parent(*node);
    if (node->level == 0)
        return plan_next_face(plan, node);
    int next = node_child_index(*node) + 1;
    *node = node_child(node_parent(*node), next);
    return true;
}

// Whether nodes of a deeper level may lie below the node, in the plan and in the share.
static bool leads_to(const struct plan *plan, struct node node, int level)
{
    return plan_place_of(node) < plan->share_end && plan_place_behind(node) > plan->share_first &&
           plan_reaches(plan, node, level);
}

// From a node of any level up to the given one: the first node of that level, in Morton order, at it or behind it.
static bool seek_level(const struct plan *plan, struct node *node, int level)
{
    for (;;) {
        if (node->level == level) {
            if (plan_in_share(plan, *node))
                return true;
        } else if (leads_to(plan, *node, level)) {
            *node = node_child(*node, 0);
            continue;
        }
        if (!plan_step_over(plan, node))
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
        more = plan_step_over(plan, &at);
    } else {
        at = (struct node){.face = -1};
        more = plan_next_face(plan, &at);
        walk->started = true;
    }
    while (!(more && seek_level(plan, &at, level))) {
        if (++level > plan->max_level) {
            walk->finished = true;
            return false;
        }
        at = (struct node){.face = -1};
        more = plan_next_face(plan, &at);
    }
    *node = walk->at = at;
    return true;
}
