// SPDX-License-Identifier: MIT
// The index of a pack out of its spool, in memory that does not grow with the number of tiles.
//
// In the spool each level is one sorted run, and the pages of a group take from up to four of them, one for each
// depth below the page's root, plus the list of pages just below. A subtree's height range comes from below and a
// child page's number from above, hence two passes. The first goes from the deepest group up and leaves, for each
// group, the list of its pages with their ranges in the spool; then all counts are known, and the second goes from
// the top down, makes the same pages again and writes them.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"
#include "formats/pack_writer.h"

#define STREAM_BYTES (1u << 16)
#define LIST_ITEM_BYTES 16 // key of the page's root, least and greatest height of its subtree

// A sorted run of the spool, read forward.
struct stream {
    uint64_t offset; // of the first item that is not in the buffer
    uint64_t left;   // items from there on
    size_t item_bytes;
    size_t at, held; // items in the buffer: the head and the end
    uint8_t *buffer; // STREAM_BYTES
};

struct page {
    uint8_t bytes[PACK_PAGE_BYTES_MAX];
    struct pack_range ranges[PACK_PAGE_RECORDS]; // of each record's subtree
    bool below[PACK_PAGE_RECORDS];
    uint32_t tiles;
};

struct build {
    struct pack_writer *writer;
    int group_count;
    uint64_t level_offset[PACK_LEVELS];        // of each level's run in the spool
    uint64_t list_offset[PACK_GROUPS_MAX + 1]; // of each group's list of pages; one more group that is empty
    uint64_t page_count[PACK_GROUPS_MAX + 1];
    uint64_t first_page[PACK_GROUPS_MAX + 1]; // its number, known in the second pass
    struct stream levels[PACK_PAGE_LEVELS];   // of the group in hand
    struct stream children;                   // its child pages
    uint64_t children_done;
    struct page page;
};

static void stream_begin(struct stream *stream, uint64_t offset, uint64_t count, size_t item_bytes)
{
    stream->offset = offset;
    stream->left = count;
    stream->item_bytes = item_bytes;
    stream->at = stream->held = 0;
}

// *head is NULL at the end.
static enum status_code stream_head(struct stream *stream, const struct pack_writer *writer, const uint8_t **head,
                                    struct status *status)
{
    *head = NULL;
    if (stream->at == stream->held) {
        uint64_t room = STREAM_BYTES / stream->item_bytes;
        uint64_t count = stream->left < room ? stream->left : room;
        size_t bytes = (size_t)count * stream->item_bytes;
        if (count == 0)
            return STATUS_OK;
        // The spool is no input: whatever is wrong with it is the machine's fault.
        if (file_read_at(writer->fd_spool, stream->buffer, bytes, stream->offset, writer->path_spool, status))
            return status->code = STATUS_RESOURCE;
        stream->offset += bytes;
        stream->left -= count;
        stream->at = 0;
        stream->held = (size_t)count;
    }
    *head = stream->buffer + stream->at * stream->item_bytes;
    return STATUS_OK;
}

static tile_key ancestor_key(tile_key key, int levels_up)
{
    struct node node = tile_key_node(key);
    node.level -= levels_up;
    node.x >>= levels_up;
    node.y >>= levels_up;
    return tile_key_of(node);
}

// The Morton code of a node among those as far below a page's root.
static unsigned code_in_page(tile_key key, int levels_below)
{
    struct node node = tile_key_node(key);
    uint32_t mask = (UINT32_C(1) << levels_below) - 1;
    return (unsigned)morton_encode(node.x & mask, node.y & mask);
}

// The streams of a group, children last; each one's head tells which page it wants next.
static enum status_code next_root(struct build *build, int levels, bool *any, tile_key *root, struct status *status)
{
    *any = false;
    *root = 0;
    for (int depth = 0; depth <= levels; depth++) {
        const uint8_t *head;
        struct stream *stream = depth < levels ? &build->levels[depth] : &build->children;
        enum status_code code = stream_head(stream, build->writer, &head, status);
        if (code)
            return code;
        if (!head)
            continue;
        tile_key key = ancestor_key(get_u64le(head), depth);
        if (!*any || key < *root)
            *root = key;
        *any = true;
    }
    return STATUS_OK;
}

static enum status_code take_records(struct build *build, int depth, tile_key root, struct status *status)
{
    struct page *page = &build->page;
    int slot_count = build->writer->header.slot_count;
    for (;;) {
        const uint8_t *head;
        enum status_code code = stream_head(&build->levels[depth], build->writer, &head, status);
        if (code || !head || ancestor_key(get_u64le(head), depth) != root)
            return code;
        unsigned index = pack_record_index(depth, code_in_page(get_u64le(head), depth));
        memcpy(page->bytes + pack_record_offset(slot_count, index), head + 8, pack_record_bytes(slot_count));
        struct pack_record record;
        pack_record_decode(&record, head + 8, slot_count);
        pack_range_add(&page->ranges[index], record.height_min, record.height_max);
        page->tiles++;
        build->levels[depth].at++;
    }
}

static enum status_code take_children(struct build *build, int group, int levels, tile_key root, struct status *status)
{
    struct page *page = &build->page;
    for (;;) {
        const uint8_t *head;
        enum status_code code = stream_head(&build->children, build->writer, &head, status);
        if (code || !head || ancestor_key(get_u64le(head), levels) != root)
            return code;
        unsigned morton = code_in_page(get_u64le(head), levels);
        unsigned above = pack_record_index(levels - 1, morton / 4);
        pack_range_add(&page->ranges[above], get_i32le(head + 8), get_i32le(head + 12));
        page->below[above] = true;
        uint64_t number = build->first_page[group + 1] + build->children_done++;
        pack_page_set_child(page->bytes, build->writer->header.slot_count, morton, (uint32_t)(number + 1));
        build->children.at++;
    }
}

// Hands ranges up from the page's last level to its root.
static void fill_subtrees(struct page *page, int levels, int slot_count)
{
    for (int depth = levels - 1; depth >= 0; depth--) {
        for (unsigned morton = 0; morton < 1u << 2 * depth; morton++) {
            unsigned index = pack_record_index(depth, morton);
            struct pack_range range = page->ranges[index];
            if (!range.any)
                continue;
            pack_record_set_subtree(page->bytes + pack_record_offset(slot_count, index), page->below[index], range.min,
                                    range.max);
            if (depth > 0) {
                unsigned above = pack_record_index(depth - 1, morton / 4);
                pack_range_add(&page->ranges[above], range.min, range.max);
                page->below[above] = true;
            }
        }
    }
}

static void begin_group(struct build *build, int group)
{
    const struct pack_header *header = &build->writer->header;
    int root_level = pack_group_root(header->info.root_levels, group);
    for (int depth = 0; depth < pack_group_levels(header->info.root_levels, group); depth++) {
        int level = root_level + depth;
        bool exists = level <= header->max_level;
        stream_begin(&build->levels[depth], exists ? build->level_offset[level] : 0, exists ? header->tiles[level] : 0,
                     8 + pack_record_bytes(header->slot_count));
    }
    stream_begin(&build->children, build->list_offset[group + 1], build->page_count[group + 1], LIST_ITEM_BYTES);
    build->children_done = 0;
}

typedef enum status_code page_use(struct build *build, int group, tile_key root, uint64_t place, struct status *status);

// Makes the pages of a group in canonical order and hands each to use, with its place in the group.
static enum status_code make_pages(struct build *build, int group, page_use *use, struct status *status)
{
    const struct pack_header *header = &build->writer->header;
    int levels = pack_group_levels(header->info.root_levels, group);
    begin_group(build, group);
    for (uint64_t place = 0;; place++) {
        bool any;
        tile_key root;
        enum status_code code = next_root(build, levels, &any, &root, status);
        if (code || !any)
            return code;
        memset(&build->page, 0, sizeof build->page);
        for (int depth = 0; depth < levels; depth++) {
            if ((code = take_records(build, depth, root, status)))
                return code;
        }
        if ((code = take_children(build, group, levels, root, status)))
            return code;
        fill_subtrees(&build->page, levels, header->slot_count);
        if ((code = use(build, group, root, place, status)))
            return code;
    }
}

static enum status_code list_page(struct build *build, int group, tile_key root, uint64_t place, struct status *status)
{
    uint8_t item[LIST_ITEM_BYTES];
    put_u64le(item, root);
    put_i32le(item + 8, build->page.ranges[0].min);
    put_i32le(item + 12, build->page.ranges[0].max);
    build->page_count[group] = place + 1;
    return file_append(&build->writer->spool, item, sizeof item, status);
}

static enum status_code write_page(struct build *build, int group, tile_key root, uint64_t place, struct status *status)
{
    struct pack_header *header = &build->writer->header;
    struct node node = tile_key_node(root);
    assert(place < build->page_count[group]);
    pack_page_seal(build->page.bytes, header->slot_count, node, pack_group_levels(header->info.root_levels, group),
                   build->page.tiles, header->info.fingerprint);
    if (group == 0)
        header->root_pages[node.face] = (uint32_t)(place + 1);
    return pack_writer_put(build->writer, build->page.bytes, header->page_bytes, status);
}

static enum status_code build_index(struct build *build, struct status *status)
{
    struct pack_writer *writer = build->writer;
    struct pack_header *header = &writer->header;
    enum status_code code;
    uint64_t offset = 0;
    for (int level = 0; level < PACK_LEVELS; level++) {
        build->level_offset[level] = offset;
        offset += header->tiles[level] * (8 + pack_record_bytes(header->slot_count));
    }
    build->group_count = pack_group_of_level(header->info.root_levels, header->max_level) + 1;
    for (int group = build->group_count - 1; group >= 0; group--) {
        build->list_offset[group] = writer->spool.offset;
        if ((code = make_pages(build, group, list_page, status)) || (code = file_append_flush(&writer->spool, status)))
            return code;
    }
    uint64_t total = 0;
    for (int group = 0; group < build->group_count; group++) {
        build->first_page[group] = total;
        total += build->page_count[group];
    }
    if (total >= UINT32_MAX)
        return status_fail(status, STATUS_RESOURCE, "%s: %llu index pages are more than a pack can have", writer->path,
                           (unsigned long long)total);
    header->page_count = (uint32_t)total;
    for (int group = 0; group < build->group_count; group++) {
        if ((code = make_pages(build, group, write_page, status)))
            return code;
    }
    return STATUS_OK;
}

enum status_code pack_index_build(struct pack_writer *writer, struct status *status)
{
    size_t bytes = sizeof(struct build) + (PACK_PAGE_LEVELS + 1) * STREAM_BYTES;
    struct build *build = calloc(1, bytes);
    if (!build)
        return status_fail_memory(status, "index builder", bytes);
    build->writer = writer;
    uint8_t *buffers = (uint8_t *)(build + 1);
    for (int depth = 0; depth < PACK_PAGE_LEVELS; depth++)
        build->levels[depth].buffer = buffers + (size_t)depth * STREAM_BYTES;
    build->children.buffer = buffers + (size_t)PACK_PAGE_LEVELS * STREAM_BYTES;
    enum status_code code = build_index(build, status);
    free(build);
    return code;
}
