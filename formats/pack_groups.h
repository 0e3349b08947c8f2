// SPDX-License-Identifier: MIT
// How a pack's levels are cut into groups of index pages (pack.md, section 6.1).
//
// Group 0 holds levels 0..root_levels-1, each further one the next PACK_PAGE_LEVELS. A page is named by its root,
// the node of its first record.
#ifndef TERRANE_FORMATS_PACK_GROUPS_H
#define TERRANE_FORMATS_PACK_GROUPS_H

#include <stdint.h>

#include "common/tile_key.h"

#define PACK_LEVELS (TILE_LEVEL_MAX + 1)
#define PACK_GROUPS_MAX 7 // a group of one level and six of four

int pack_group_of_level(int root_levels, int level);
int pack_group_root(int root_levels, int group);   // the level of the group's page roots
int pack_group_levels(int root_levels, int group); // levels in one of its pages

// How many pages there are before a group when all groups before it have all their pages.
uint64_t pack_full_pages_before(int root_levels, int group);

// The number of the page at root (whose level begins a group) when its group and all before have all their pages.
uint64_t pack_full_page_number(int root_levels, struct node root);

// The greatest level that is full together with all above it, -1 if level 0 is not.
int pack_full_depth_of(const uint64_t tiles[PACK_LEVELS]);

#endif
