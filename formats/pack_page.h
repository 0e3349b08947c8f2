// SPDX-License-Identifier: MIT
// Index pages and their records as bytes (pack.md, section 6). One page holds four levels of one face's quadtree
// below its root node: 85 records, breadth first and in Morton order, and the numbers of the pages below it.
//
// Shared by readers, writer and checker; pure functions over the caller's memory. slot_count is the header's.
#ifndef TERRANE_FORMATS_PACK_PAGE_H
#define TERRANE_FORMATS_PACK_PAGE_H

#include "formats/pack_layout.h"

#define PACK_PAGE_BYTES_MAX 35840 // with PACK_LAYER_SLOTS layers
#define PACK_RECORD_BYTES_MAX (24 + 48 * PACK_LAYER_SLOTS)

// One node's record as in a page, whether the tile is there or only tiles below it.
struct pack_record {
    bool present, below;
    int32_t height_min, height_max, subtree_min, subtree_max;
    uint32_t error;
    struct pack_blob blobs[PACK_LAYER_SLOTS]; // one for each slot of the header, the rest zero
};

size_t pack_record_bytes(int slot_count);
size_t pack_page_bytes(int slot_count);

// A record's place among those of its page: depth levels below the root, Morton code within that level.
static inline unsigned pack_record_index(int depth, unsigned morton)
{
    return ((1u << 2 * depth) - 1) / 3 + morton;
}

void pack_record_encode(uint8_t *bytes, const struct pack_record *record, int slot_count);
void pack_record_decode(struct pack_record *record, const uint8_t *bytes, int slot_count);

// Sets whether the record has tiles below it, and its subtree's range; the rest stays.
void pack_record_set_subtree(uint8_t *bytes, bool below, int32_t subtree_min, int32_t subtree_max);

// Where the record at index begins in a page.
size_t pack_record_offset(int slot_count, unsigned index);

// Child page number + 1, 0 for none. morton is the child root's code among the nodes just below the page.
uint32_t pack_page_child(const uint8_t *page, int slot_count, unsigned morton);
void pack_page_set_child(uint8_t *page, int slot_count, unsigned morton, uint32_t number_and_one);

// The node that a page says it is; only for pages that passed pack_page_check.
struct node pack_page_root(const uint8_t *page);

// Writes the page's leading bytes, checksum last, when records and children are in place.
void pack_page_seal(uint8_t *page, int slot_count, struct node root, int levels, uint32_t tiles,
                    const uint8_t fingerprint[SHA256_BYTES]);

// A range of heights that may be empty.
struct pack_range {
    bool any;
    int32_t min, max;
};
void pack_range_add(struct pack_range *range, int32_t min, int32_t max);

// What a page must be, taken by itself: checksum, identity, flags, ranges and what is below agree within the page,
// blobs within the file's data, children after the page and within the index, zeros where nothing is. expected NULL
// accepts any root of the page's group. Returns NULL for a good page, else what is wrong with it, a constant text.
const char *pack_page_fault(const uint8_t *page, const struct pack_header *header, uint32_t number, int group,
                            const struct node *expected);

#endif
