// SPDX-License-Identifier: MIT
// Canonical order is level by level, a page holds up to four levels: so each level is one pass over the pages of its
// group. The pages of a group follow each other in the file, and the child numbers of the group above, read in
// order, must count them up one by one; that is how a pass knows every page's name.
#include "formats/pack_walk.h"

#include <stdlib.h>

struct walk {
    const struct pack *pack;
    pack_visit_record *visit;
    void *context;
    uint8_t *page, *parent;
    int group, depth;                         // of the level in hand; depth counts from its pages' roots
    uint64_t first_page[PACK_GROUPS_MAX + 1]; // of each group reached, and the one after
    uint64_t next_page;                       // the number that the next page of the pass must have
    uint64_t tiles;                           // of the level in hand
    tile_key least_key;
    struct pack_range range;
};

static enum status_code fault(const struct walk *walk, const char *what, struct status *status)
{
    return status_fail(status, STATUS_INPUT, "%s: bad index: %s", walk->pack->path, what);
}

static enum status_code visit_page(struct walk *walk, struct status *status)
{
    const struct pack_header *header = &walk->pack->header;
    struct node root = pack_page_root(walk->page);
    for (unsigned morton = 0; morton < 1u << 2 * walk->depth; morton++) {
        unsigned index = pack_record_index(walk->depth, morton);
        struct pack_record record;
        pack_record_decode(&record, walk->page + pack_record_offset(header->slot_count, index), header->slot_count);
        if (!record.present)
            continue;
        uint32_t x, y;
        morton_decode(morton, &x, &y);
        tile_key key = tile_key_of(
            (struct node){root.face, root.level + walk->depth, root.x << walk->depth | x, root.y << walk->depth | y});
        if (key < walk->least_key)
            return fault(walk, "changed while it was read", status);
        walk->least_key = key + 1;
        walk->tiles++;
        pack_range_add(&walk->range, record.height_min, record.height_max);
        enum status_code code = walk->visit(walk->context, key, &record, status);
        if (code)
            return code;
    }
    return STATUS_OK;
}

static enum status_code visit_numbered(struct walk *walk, uint32_t number_and_one, struct node root,
                                       struct status *status)
{
    if (number_and_one != walk->next_page + 1)
        return fault(walk, "pages are not in canonical order", status);
    walk->next_page++;
    enum status_code code = pack_load_page(walk->pack, number_and_one - 1, walk->group, &root, walk->page, status);
    return code ? code : visit_page(walk, status);
}

static enum status_code visit_roots(struct walk *walk, struct status *status)
{
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        uint32_t number_and_one = walk->pack->header.root_pages[face];
        if (number_and_one == 0)
            continue;
        enum status_code code = visit_numbered(walk, number_and_one, (struct node){face, 0, 0, 0}, status);
        if (code)
            return code;
    }
    return STATUS_OK;
}

// The page in hand joins the subtree of the record above it.
static void join_range(struct walk *walk, struct pack_range *range)
{
    struct pack_record root;
    int slot_count = walk->pack->header.slot_count;
    pack_record_decode(&root, walk->page + pack_record_offset(slot_count, 0), slot_count);
    pack_range_add(range, root.subtree_min, root.subtree_max);
}

// The pages below the page in walk->parent.
static enum status_code visit_children(struct walk *walk, struct status *status)
{
    const struct pack_header *header = &walk->pack->header;
    struct node above = pack_page_root(walk->parent);
    int levels = pack_group_levels(header->info.root_levels, walk->group - 1);
    for (unsigned last = 0; last < 1u << 2 * (levels - 1); last++) {
        struct pack_record record;
        unsigned index = pack_record_index(levels - 1, last);
        pack_record_decode(&record, walk->parent + pack_record_offset(header->slot_count, index), header->slot_count);
        if (!record.below)
            continue;
        struct pack_range range = {record.present, record.height_min, record.height_max};
        for (unsigned morton = 4 * last; morton < 4 * last + 4; morton++) {
            uint32_t child = pack_page_child(walk->parent, header->slot_count, morton);
            if (child == 0)
                continue;
            uint32_t x, y;
            morton_decode(morton, &x, &y);
            struct node root = {above.face, above.level + levels, above.x << levels | x, above.y << levels | y};
            enum status_code code = visit_numbered(walk, child, root, status);
            if (code)
                return code;
            join_range(walk, &range);
        }
        if (range.min != record.subtree_min || range.max != record.subtree_max)
            return fault(walk, "a subtree's height range is wrong", status);
    }
    return STATUS_OK;
}

static enum status_code visit_level(struct walk *walk, int level, struct status *status)
{
    enum status_code code = STATUS_OK;
    walk->depth = level - pack_group_root(walk->pack->header.info.root_levels, walk->group);
    walk->next_page = walk->first_page[walk->group];
    walk->tiles = 0;
    if (walk->group == 0)
        code = visit_roots(walk, status);
    else
        for (uint64_t number = walk->first_page[walk->group - 1];
             code == STATUS_OK && number < walk->first_page[walk->group]; number++) {
            code = pack_load_page(walk->pack, (uint32_t)number, walk->group - 1, NULL, walk->parent, status);
            if (code == STATUS_OK)
                code = visit_children(walk, status);
        }
    if (code == STATUS_OK && walk->tiles != walk->pack->header.tiles[level])
        code = fault(walk, "a level has another number of tiles than the header says", status);
    walk->first_page[walk->group + 1] = walk->next_page;
    return code;
}

static enum status_code visit_all(struct walk *walk, struct status *status)
{
    const struct pack_header *header = &walk->pack->header;
    if (header->page_count == 0)
        return STATUS_OK;
    for (int level = 0; level <= header->max_level; level++) {
        walk->group = pack_group_of_level(header->info.root_levels, level);
        enum status_code code = visit_level(walk, level, status);
        if (code)
            return code;
    }
    if (walk->next_page != header->page_count)
        return fault(walk, "pages that nothing points to", status);
    if (walk->range.min != header->height_min || walk->range.max != header->height_max)
        return fault(walk, "the height range is not what the header says", status);
    return STATUS_OK;
}

enum status_code pack_walk_records(const struct pack *pack, pack_visit_record *visit, void *context,
                                   struct status *status)
{
    size_t page_bytes = pack->header.page_bytes;
    struct walk walk = {.pack = pack, .visit = visit, .context = context};
    walk.page = malloc(2 * page_bytes);
    if (!walk.page)
        return status_fail_memory(status, "index pages", 2 * page_bytes);
    walk.parent = walk.page + page_bytes;
    enum status_code code = visit_all(&walk, status);
    free(walk.page);
    return code;
}

struct tile_visit {
    const struct pack_header *header;
    pack_visit *visit;
    void *context;
};

static enum status_code visit_tile(void *context, tile_key key, const struct pack_record *record, struct status *status)
{
    const struct tile_visit *tiles = context;
    struct pack_tile tile;
    pack_tile_of_record(&tile, key, record, tiles->header);
    return tiles->visit(tiles->context, &tile, status);
}

enum status_code pack_walk(const struct pack *pack, pack_visit *visit, void *context, struct status *status)
{
    struct tile_visit tiles = {&pack->header, visit, context};
    return pack_walk_records(pack, visit_tile, &tiles, status);
}
