// SPDX-License-Identifier: MIT
#include "formats/pack_groups.h"

#include <assert.h>

#include "formats/pack.h"

int pack_root_levels(int depth)
{
    assert(depth >= 0 && depth <= TILE_LEVEL_MAX);
    return depth % PACK_PAGE_LEVELS + 1;
}

int pack_group_of_level(int root_levels, int level)
{
    return level < root_levels ? 0 : 1 + (level - root_levels) / PACK_PAGE_LEVELS;
}

int pack_group_root(int root_levels, int group)
{
    return group == 0 ? 0 : root_levels + (group - 1) * PACK_PAGE_LEVELS;
}

int pack_group_levels(int root_levels, int group)
{
    return group == 0 ? root_levels : PACK_PAGE_LEVELS;
}

uint64_t pack_full_pages_before(int root_levels, int group)
{
    uint64_t count = 0;
    for (int before = 0; before < group; before++)
        count += UINT64_C(6) << 2 * pack_group_root(root_levels, before);
    return count;
}

uint64_t pack_full_page_number(int root_levels, struct node root)
{
    int group = pack_group_of_level(root_levels, root.level);
    assert(pack_group_root(root_levels, group) == root.level);
    return pack_full_pages_before(root_levels, group) + ((uint64_t)root.face << 2 * root.level) +
           morton_encode(root.x, root.y);
}

int pack_full_depth_of(const uint64_t tiles[PACK_LEVELS])
{
    int depth = -1;
    while (depth < TILE_LEVEL_MAX && tiles[depth + 1] == UINT64_C(6) << 2 * (depth + 1))
        depth++;
    return depth;
}
