// SPDX-License-Identifier: MIT
#include "formats/pack_page.h"

#include <assert.h>
#include <string.h>

#include "common/byteorder.h"

enum {
    AT_MAGIC = 0,
    AT_CRC = 4,
    AT_FACE = 8, // the checksum covers the page from here on
    AT_LEVEL = 9,
    AT_LEVELS = 10,
    AT_X = 12,
    AT_Y = 16,
    AT_FINGERPRINT = 20,
    AT_TILES = 28,
    AT_RECORDS = 32,
};

#define FINGERPRINT_BYTES 8
#define FLAG_PRESENT 1u
#define FLAG_BELOW 2u
#define RECORD_BYTES 24
#define RECORD_LAYER_BYTES 48

static const uint8_t magic[4] = {'T', 'R', 'P', 'G'};

size_t pack_record_bytes(int slot_count)
{
    return RECORD_BYTES + RECORD_LAYER_BYTES * (size_t)slot_count;
}

static size_t children_offset(int slot_count)
{
    return AT_RECORDS + PACK_PAGE_RECORDS * pack_record_bytes(slot_count);
}

size_t pack_page_bytes(int slot_count)
{
    return pack_round_up(children_offset(slot_count) + 4 * PACK_PAGE_CHILDREN, PACK_ALIGNMENT);
}

size_t pack_record_offset(int slot_count, unsigned index)
{
    assert(index < PACK_PAGE_RECORDS);
    return AT_RECORDS + index * pack_record_bytes(slot_count);
}

void pack_record_encode(uint8_t *bytes, const struct pack_record *record, int slot_count)
{
    put_u32le(bytes, (record->present ? FLAG_PRESENT : 0) | (record->below ? FLAG_BELOW : 0));
    put_i32le(bytes + 4, record->height_min);
    put_i32le(bytes + 8, record->height_max);
    put_i32le(bytes + 12, record->subtree_min);
    put_i32le(bytes + 16, record->subtree_max);
    put_u32le(bytes + 20, record->error);
    bytes += RECORD_BYTES;
    for (int slot = 0; slot < slot_count; slot++, bytes += RECORD_LAYER_BYTES) {
        const struct pack_blob *blob = &record->blobs[slot];
        put_u64le(bytes, blob->offset);
        put_u32le(bytes + 8, blob->length);
        put_u32le(bytes + 12, blob->crc);
        memcpy(bytes + 16, blob->content, SHA256_BYTES);
    }
}

void pack_record_decode(struct pack_record *record, const uint8_t *bytes, int slot_count)
{
    memset(record, 0, sizeof *record);
    uint32_t flags = get_u32le(bytes);
    record->present = flags & FLAG_PRESENT;
    record->below = flags & FLAG_BELOW;
    record->height_min = get_i32le(bytes + 4);
    record->height_max = get_i32le(bytes + 8);
    record->subtree_min = get_i32le(bytes + 12);
    record->subtree_max = get_i32le(bytes + 16);
    record->error = get_u32le(bytes + 20);
    bytes += RECORD_BYTES;
    for (int slot = 0; slot < slot_count; slot++, bytes += RECORD_LAYER_BYTES) {
        struct pack_blob *blob = &record->blobs[slot];
        blob->offset = get_u64le(bytes);
        blob->length = get_u32le(bytes + 8);
        blob->crc = get_u32le(bytes + 12);
        memcpy(blob->content, bytes + 16, SHA256_BYTES);
    }
}

void pack_record_set_subtree(uint8_t *bytes, bool below, int32_t subtree_min, int32_t subtree_max)
{
    put_u32le(bytes, (get_u32le(bytes) & FLAG_PRESENT) | (below ? FLAG_BELOW : 0));
    put_i32le(bytes + 12, subtree_min);
    put_i32le(bytes + 16, subtree_max);
}

uint32_t pack_page_child(const uint8_t *page, int slot_count, unsigned morton)
{
    assert(morton < PACK_PAGE_CHILDREN);
    return get_u32le(page + children_offset(slot_count) + 4 * morton);
}

void pack_page_set_child(uint8_t *page, int slot_count, unsigned morton, uint32_t number_and_one)
{
    assert(morton < PACK_PAGE_CHILDREN);
    put_u32le(page + children_offset(slot_count) + 4 * morton, number_and_one);
}

struct node pack_page_root(const uint8_t *page)
{
    return (struct node){page[AT_FACE], page[AT_LEVEL], get_u32le(page + AT_X), get_u32le(page + AT_Y)};
}

void pack_page_seal(uint8_t *page, int slot_count, struct node root, int levels, uint32_t tiles,
                    const uint8_t fingerprint[SHA256_BYTES])
{
    memcpy(page + AT_MAGIC, magic, sizeof magic);
    page[AT_FACE] = (uint8_t)root.face;
    page[AT_LEVEL] = (uint8_t)root.level;
    page[AT_LEVELS] = (uint8_t)levels;
    page[AT_LEVELS + 1] = 0;
    put_u32le(page + AT_X, root.x);
    put_u32le(page + AT_Y, root.y);
    memcpy(page + AT_FINGERPRINT, fingerprint, FINGERPRINT_BYTES);
    put_u32le(page + AT_TILES, tiles);
    put_u32le(page + AT_CRC, pack_crc(page + AT_FACE, pack_page_bytes(slot_count) - AT_FACE));
}

void pack_range_add(struct pack_range *range, int32_t min, int32_t max)
{
    if (!range->any || min < range->min)
        range->min = min;
    if (!range->any || max > range->max)
        range->max = max;
    range->any = true;
}

static const char *head_fault(const uint8_t *page, const struct pack_header *header, int group,
                              const struct node *expected)
{
    if (memcmp(page + AT_MAGIC, magic, sizeof magic) != 0)
        return "not an index page";
    if (get_u32le(page + AT_CRC) != pack_crc(page + AT_FACE, header->page_bytes - AT_FACE))
        return "wrong checksum";
    if (memcmp(page + AT_FINGERPRINT, header->info.fingerprint, FINGERPRINT_BYTES) != 0)
        return "belongs to another pack";
    struct node root = pack_page_root(page);
    if (!node_valid(root) || root.level != pack_group_root(header->info.root_levels, group) ||
        page[AT_LEVELS] != pack_group_levels(header->info.root_levels, group) || page[AT_LEVELS + 1] != 0)
        return "stands in the wrong place";
    if (expected && (root.face != expected->face || root.x != expected->x || root.y != expected->y))
        return "stands in the wrong place";
    return NULL;
}

static const char *blob_fault(const struct pack_blob *blob, const struct pack_header *header)
{
    if (blob->length == 0 || blob->length > PACK_BLOB_MAX)
        return "a blob's length is out of range";
    if (blob->offset < header->data_offset)
        return "a blob lies outside the data";
    uint64_t at = blob->offset - header->data_offset;
    if (at > header->data_bytes || blob->length > header->data_bytes - at)
        return "a blob lies outside the data";
    return NULL;
}

static const char *record_fault(const uint8_t *bytes, const struct pack_record *record,
                                const struct pack_header *header)
{
    if (!header->newer && get_u32le(bytes) > (FLAG_PRESENT | FLAG_BELOW))
        return "unknown flags";
    if (!record->present && !record->below)
        return pack_all_zero(bytes + 4, pack_record_bytes(header->slot_count) - 4) ? NULL
                                                                                   : "an absent tile has content";
    if (!record->present &&
        (!pack_all_zero(bytes + 4, 8) || !pack_all_zero(bytes + 20, pack_record_bytes(header->slot_count) - 20)))
        return "an absent tile has content";
    if (record->height_min > record->height_max)
        return "a height range is empty";
    if (record->subtree_min < header->height_min || record->subtree_max > header->height_max)
        return "a height range exceeds the planet's";
    if (record->present) {
        for (int slot = 0; slot < header->slot_count; slot++) {
            const char *what = blob_fault(&record->blobs[slot], header);
            if (what)
                return what;
        }
    }
    return NULL;
}

static const char *children_fault(const uint8_t *page, const struct pack_header *header, uint32_t number, int group)
{
    int levels = pack_group_levels(header->info.root_levels, group);
    unsigned slots = 1u << 2 * levels;
    if (pack_group_root(header->info.root_levels, group) + levels > header->max_level)
        slots = 0;
    uint32_t last = number + 1;
    for (unsigned k = 0; k < PACK_PAGE_CHILDREN; k++) {
        uint32_t child = pack_page_child(page, header->slot_count, k);
        if (child == 0)
            continue;
        if (k >= slots || child <= last || child > header->page_count)
            return "a child page's number is out of range";
        last = child;
    }
    return NULL;
}

// The ranges and flags of a page's records, kept while it is checked from the bottom up.
struct summary {
    bool flagged;
    struct pack_range range;
};

// below and the subtree's range must follow from the record itself and what hangs on it. The range of what hangs on
// the last level stands in other pages: there the record's range must hold its own.
static const char *subtree_fault(const uint8_t *page, const struct pack_header *header,
                                 const struct pack_record *record, const struct summary *children, unsigned morton)
{
    struct pack_range range = {0};
    bool below = false;
    if (record->present)
        pack_range_add(&range, record->height_min, record->height_max);
    for (unsigned k = 0; k < 4; k++) {
        if (!children) {
            below |= pack_page_child(page, header->slot_count, 4 * morton + k) != 0;
        } else if (children[k].flagged) {
            below = true;
            pack_range_add(&range, children[k].range.min, children[k].range.max);
        }
    }
    if (record->below != below)
        return "a tile is wrong about tiles below it";
    if (!range.any && !below)
        return NULL;
    bool exact = children || !below;
    if (record->subtree_min > record->subtree_max ||
        (exact && (record->subtree_min != range.min || record->subtree_max != range.max)) ||
        (range.any && (record->subtree_min > range.min || record->subtree_max < range.max)))
        return "a subtree's height range is wrong";
    return NULL;
}

static const char *records_fault(const uint8_t *page, const struct pack_header *header, int group)
{
    struct summary seen[PACK_PAGE_RECORDS] = {0};
    int root_level = pack_group_root(header->info.root_levels, group);
    int levels = pack_group_levels(header->info.root_levels, group);
    uint32_t tiles = 0;
    for (int depth = PACK_PAGE_LEVELS - 1; depth >= 0; depth--) {
        for (unsigned morton = 0; morton < 1u << 2 * depth; morton++) {
            unsigned index = pack_record_index(depth, morton);
            const uint8_t *bytes = page + pack_record_offset(header->slot_count, index);
            if (depth >= levels || root_level + depth > header->max_level) {
                if (!pack_all_zero(bytes, pack_record_bytes(header->slot_count)))
                    return "a tile stands below the deepest level";
                continue;
            }
            struct pack_record record;
            pack_record_decode(&record, bytes, header->slot_count);
            const struct summary *children =
                depth + 1 < levels ? &seen[pack_record_index(depth + 1, 4 * morton)] : NULL;
            const char *what = record_fault(bytes, &record, header);
            if (!what)
                what = subtree_fault(page, header, &record, children, morton);
            if (what)
                return what;
            seen[index] =
                (struct summary){record.present || record.below, {true, record.subtree_min, record.subtree_max}};
            tiles += record.present;
        }
    }
    if (!seen[0].flagged)
        return "has no tile";
    return tiles == get_u32le(page + AT_TILES) ? NULL : "counts its tiles wrongly";
}

const char *pack_page_fault(const uint8_t *page, const struct pack_header *header, uint32_t number, int group,
                            const struct node *expected)
{
    const char *what = head_fault(page, header, group, expected);
    if (!what)
        what = children_fault(page, header, number, group);
    if (!what)
        what = records_fault(page, header, group);
    size_t end = children_offset(header->slot_count) + 4 * PACK_PAGE_CHILDREN;
    if (!what && !pack_all_zero(page + end, header->page_bytes - end))
        what = "has bytes after its end";
    return what;
}
