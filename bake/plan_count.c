// SPDX-License-Identifier: MIT
#include <assert.h>
#include <string.h>

#include "bake/plan_place.h"

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
    uint64_t first = plan_place_of(node), behind = plan_place_behind(node);
    if (first >= plan->share_end || behind <= plan->share_first)
        return 0;
    if (node.level == level)
        return plan_in_share(plan, node);
    if (!plan_reaches(plan, node, level))
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

bool plan_nth(const struct plan *plan, int level, uint64_t index, struct node *node)
{
    struct node at = {.face = -1};
    bool more = plan_next_face(plan, &at);
    while (more) {
        uint64_t count = count_level(plan, at, level);
        if (index >= count) {
            index -= count;
            more = plan_step_over(plan, &at);
        } else if (at.level == level) {
            *node = at;
            return true;
        } else {
            at = node_child(at, 0);
        }
    }
    return false;
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

// The place of the node with the given number in depth-first order, or PLAN_PLACE_END behind the last.
static uint64_t place_of_number(const struct plan *plan, uint64_t number)
{
    bool reached[TILE_LEVEL_MAX + 1];
    for (int level = 0; level <= TILE_LEVEL_MAX; level++)
        reached[level] = true;
    struct node node = {.face = -1};
    if (!plan_next_face(plan, &node))
        return PLAN_PLACE_END;
    for (;;) {
        uint64_t count = count_below(plan, node, reached);
        if (number >= count) {
            number -= count;
            if (!plan_step_over(plan, &node))
                return PLAN_PLACE_END;
            // Stepping over the last child cannot happen: its parent would have been stepped over as a whole.
            continue;
        }
        if (number == 0)
            return plan_place_of(node);
        number--;
        for (int level = node.level + 1; level <= plan->max_level; level++)
            reached[level] = reached[level] && plan_reaches(plan, node, level);
        node = node_child(node, 0);
    }
}

// Number, in depth-first order, of the first node of a share counted from 0. total * share can be over 64 bits, so
// whole parts and the rest are taken apart; the rest goes to the first shares.
static uint64_t first_number(uint64_t total, uint32_t share, uint32_t share_count)
{
    uint64_t rest = total % share_count;
    return total / share_count * share + (share < rest ? share : rest);
}

void plan_share_places(const struct plan *plan, uint32_t share_count, uint64_t *places)
{
    uint64_t per_level[TILE_LEVEL_MAX + 1], total = plan_count(plan, per_level);
    assert(plan->share_count == 1);
    for (uint32_t k = 0; k < share_count; k++)
        places[k] = k == 0 ? 0 : place_of_number(plan, first_number(total, k, share_count));
    places[share_count] = PLAN_PLACE_END;
}

void plan_take_share(struct plan *plan, uint32_t share, uint32_t share_count)
{
    uint64_t per_level[TILE_LEVEL_MAX + 1], total = plan_count(plan, per_level);
    assert(plan->share_count == 1 && share >= 1 && share <= share_count && share_count <= PLAN_SHARES_MAX);
    uint64_t first = share == 1 ? 0 : place_of_number(plan, first_number(total, share - 1, share_count));
    uint64_t end =
        share == share_count ? PLAN_PLACE_END : place_of_number(plan, first_number(total, share, share_count));
    plan->share = share;
    plan->share_count = share_count;
    plan->share_first = first;
    plan->share_end = end;
}
