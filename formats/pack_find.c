// SPDX-License-Identifier: MIT
// From a node to its record: by arithmetic to the last group of pages that begins within the full depth, from there
// through child page numbers, with the pages last used kept.
#include <stdlib.h>
#include <string.h>

#include "formats/pack_file.h"

// Seven pages lead to a tile at most; the rest is for its neighbours' and for going to and fro.
#define CACHED_PAGES 16

struct pack_cursor {
    const struct pack *pack;
    uint64_t clock;
    uint64_t used_at[CACHED_PAGES]; // by clock; 0: nothing there
    uint32_t numbers[CACHED_PAGES];
    uint8_t *pages[CACHED_PAGES];
};

enum status_code pack_cursor_new(struct pack_cursor **made, const struct pack *pack, struct status *status)
{
    size_t page_bytes = pack->header.page_bytes;
    size_t bytes = sizeof(struct pack_cursor) + CACHED_PAGES * page_bytes;
    struct pack_cursor *cursor = malloc(bytes);
    *made = cursor;
    if (!cursor)
        return status_fail_memory(status, "cache of index pages", bytes);
    memset(cursor, 0, sizeof *cursor);
    cursor->pack = pack;
    for (size_t k = 0; k < CACHED_PAGES; k++)
        cursor->pages[k] = (uint8_t *)(cursor + 1) + k * page_bytes;
    return STATUS_OK;
}

void pack_cursor_free(struct pack_cursor *cursor)
{
    free(cursor);
}

static bool same_node(struct node a, struct node b)
{
    return a.face == b.face && a.level == b.level && a.x == b.x && a.y == b.y;
}

static enum status_code get_page(struct pack_cursor *cursor, uint32_t number, int group, struct node root,
                                 const uint8_t **page, struct status *status)
{
    int oldest = 0;
    for (int k = 0; k < CACHED_PAGES; k++) {
        if (cursor->used_at[k] && cursor->numbers[k] == number) {
            // A page's number can come out of another page, which may lie.
            if (!same_node(pack_page_root(cursor->pages[k]), root))
                return status_fail(status, STATUS_INPUT, "%s: damaged index page %u: stands in the wrong place",
                                   cursor->pack->path, (unsigned)number);
            cursor->used_at[k] = ++cursor->clock;
            *page = cursor->pages[k];
            return STATUS_OK;
        }
        if (cursor->used_at[k] < cursor->used_at[oldest])
            oldest = k;
    }
    cursor->used_at[oldest] = 0;
    enum status_code code = pack_load_page(cursor->pack, number, group, &root, cursor->pages[oldest], status);
    if (code)
        return code;
    cursor->used_at[oldest] = ++cursor->clock;
    cursor->numbers[oldest] = number;
    *page = cursor->pages[oldest];
    return STATUS_OK;
}

static struct node ancestor_at(struct node node, int level)
{
    int up = node.level - level;
    return (struct node){node.face, level, node.x >> up, node.y >> up};
}

// The Morton code of node among the nodes of its level under a root at root_level.
static unsigned code_below(struct node node, int root_level)
{
    uint32_t mask = (UINT32_C(1) << (node.level - root_level)) - 1;
    return (unsigned)morton_encode(node.x & mask, node.y & mask);
}

// The page that holds node's record, NULL where the pack has nothing there.
static enum status_code find_page(struct pack_cursor *cursor, struct node node, const uint8_t **page,
                                  struct status *status)
{
    const struct pack_header *header = &cursor->pack->header;
    int root_levels = header->info.root_levels;
    int last = pack_group_of_level(root_levels, node.level), group = 0;
    uint64_t number;
    *page = NULL;
    if (header->full_depth >= 0) {
        int full = pack_group_of_level(root_levels, header->full_depth);
        group = full < last ? full : last;
        number = pack_full_page_number(root_levels, ancestor_at(node, pack_group_root(root_levels, group)));
    } else {
        if (header->root_pages[node.face] == 0)
            return STATUS_OK;
        number = header->root_pages[node.face] - 1;
    }
    for (;; group++) {
        int root_level = pack_group_root(root_levels, group);
        enum status_code code = get_page(cursor, (uint32_t)number, group, ancestor_at(node, root_level), page, status);
        if (code || group == last)
            return code;
        struct node child = ancestor_at(node, pack_group_root(root_levels, group + 1));
        uint32_t next = pack_page_child(*page, header->slot_count, code_below(child, root_level));
        *page = NULL;
        if (next == 0)
            return STATUS_OK;
        number = next - 1;
    }
}

enum status_code pack_find(struct pack_cursor *cursor, struct node node, bool *found, struct pack_tile *tile,
                           struct status *status)
{
    const struct pack_header *header = &cursor->pack->header;
    *found = false;
    memset(tile, 0, sizeof *tile);
    tile->key = tile_key_of(node);
    if (node.level > header->max_level || header->page_count == 0)
        return STATUS_OK;
    const uint8_t *page;
    enum status_code code = find_page(cursor, node, &page, status);
    if (code || !page)
        return code;
    int root_level =
        pack_group_root(header->info.root_levels, pack_group_of_level(header->info.root_levels, node.level));
    unsigned index = pack_record_index(node.level - root_level, code_below(node, root_level));
    struct pack_record record;
    pack_record_decode(&record, page + pack_record_offset(header->slot_count, index), header->slot_count);
    pack_tile_of_record(tile, tile->key, &record, header);
    *found = record.present;
    return STATUS_OK;
}

enum status_code pack_find_deepest(struct pack_cursor *cursor, struct node node, bool *found, struct pack_tile *tile,
                                   struct status *status)
{
    int max_level = cursor->pack->header.max_level;
    for (int level = node.level < max_level ? node.level : max_level; level >= 0; level--) {
        enum status_code code = pack_find(cursor, ancestor_at(node, level), found, tile, status);
        if (code || *found)
            return code;
    }
    *found = false;
    return STATUS_OK;
}
