// SPDX-License-Identifier: MIT
// A pack's header as bytes (pack_page.h has the index pages): the one place that knows where each field stands.
// Readers, writer and checker share it; nothing here does I/O. Section numbers are pack.md's.
//
// Decoding trusts nothing and refuses with STATUS_INPUT; encoding takes values that are right (assert).
#ifndef TERRANE_FORMATS_PACK_LAYOUT_H
#define TERRANE_FORMATS_PACK_LAYOUT_H

#include "formats/crc.h"
#include "formats/pack.h"
#include "formats/pack_groups.h"

#define PACK_ALIGNMENT 512        // of metadata's end and of pages
#define PACK_INDEX_ALIGNMENT 4096 // of the first page
#define PACK_LAYER_SLOTS 8        // layers that a file can have; those of this version are LAYER_COUNT

static inline uint32_t pack_crc(const void *bytes, size_t size)
{
    return crc_of(bytes, size);
}

static inline uint64_t pack_round_up(uint64_t bytes, uint64_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

static inline bool pack_all_zero(const uint8_t *bytes, size_t size)
{
    uint8_t any = 0;
    for (size_t k = 0; k < size; k++)
        any |= bytes[k];
    return any == 0;
}

// ---- Header (section 3) --------------------------------------------------------------------------------

struct pack_slot {
    uint8_t id; // of the layer's kind, as in the file
    bool known; // then id is an enum layer_kind; readers pass over the others
};

struct pack_header {
    struct pack_info info;
    bool newer; // of a later minor version: what this one holds zero may be set
    uint64_t file_bytes;
    uint32_t metadata_bytes, metadata_crc; // metadata begin at PACK_HEADER_BYTES
    uint64_t data_offset, data_bytes, index_offset;
    uint32_t page_bytes, page_count;
    int full_depth; // -1: none
    int max_level;
    int32_t height_min, height_max;
    uint8_t body_sha256[SHA256_BYTES], content_sha256[SHA256_BYTES];
    uint32_t root_pages[CUBE_FACE_COUNT]; // page number + 1, 0 where a face has no tile
    uint64_t tiles[PACK_LEVELS];
    int slot_count;                           // layers of each record
    struct pack_slot slots[PACK_LAYER_SLOTS]; // by growing id
};

void pack_header_encode(uint8_t bytes[PACK_HEADER_BYTES], const struct pack_header *header);

// file_bytes is the file's real size; path is for messages.
enum status_code pack_header_decode(struct pack_header *header, const uint8_t bytes[PACK_HEADER_BYTES],
                                    uint64_t file_bytes, const char *path, struct status *status);

// One layer of one tile on the way to content_sha256 (section 5.4).
void pack_content_add(struct sha256 *hash, tile_key key, uint8_t layer_id, int intervals,
                      const uint8_t content[SHA256_BYTES]);

// The slots of a pack that has the layers of info->layers.
void pack_header_slots(struct pack_header *header);

#endif
