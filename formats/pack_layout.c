// SPDX-License-Identifier: MIT
#include "formats/pack_layout.h"

#include <assert.h>
#include <string.h>

#include "common/byteorder.h"
#include "formats/pack_page.h"

// Byte places of the header's fields, in the order of pack.md, section 3.
enum {
    AT_MAGIC = 0,
    AT_MAJOR = 8,
    AT_MINOR = 10,
    AT_HEADER_BYTES = 12,
    AT_FILE_BYTES = 16,
    AT_METADATA_OFFSET = 24,
    AT_METADATA_BYTES = 32,
    AT_METADATA_CRC = 36,
    AT_DATA_OFFSET = 40,
    AT_DATA_BYTES = 48,
    AT_INDEX_OFFSET = 56,
    AT_PAGE_BYTES = 64,
    AT_PAGE_COUNT = 68,
    AT_PAGE_LEVELS = 72,
    AT_ROOT_LEVELS = 73,
    AT_FULL_DEPTH = 74,
    AT_MAX_LEVEL = 75,
    AT_SLOT_COUNT = 76,
    AT_INTERVALS_LOG2 = 77,
    AT_MAPPING = 78,
    AT_FACE_FRAMES = 79,
    AT_RADIUS = 80,
    AT_HEIGHT_EXPONENT = 88,
    AT_FLAGS = 89,
    AT_ZERO_A = 90,
    AT_WIDE_NORMALS = 92,
    AT_HEIGHT_MIN = 96,
    AT_HEIGHT_MAX = 100,
    AT_SHARE = 104,
    AT_SHARE_COUNT = 108,
    AT_SMALL_BLOB = 112,
    AT_SMALL_WINDOW = 116,
    AT_ZERO_B = 120,
    AT_FINGERPRINT = 128,
    AT_BODY_SHA256 = 160,
    AT_CONTENT_SHA256 = 192,
    AT_ROOT_PAGES = 224,
    AT_ZERO_C = 248,
    AT_SLOTS = 256,
    AT_TILES = 384,
    AT_ZERO_D = 584,
    AT_CRC = 1020,
};

#define SLOT_BYTES 16
#define NO_FULL_DEPTH 255
#define MAPPING_TANGENT 1
#define FACE_FRAMES_S2 0
#define FLAG_COMPLETE 1
#define SLOT_FLAG_NEEDED 1
#define RADIUS_UNIT_M 0x1p-16

// Stray line-end conversion and 7-bit channels break it, as they break PNG's.
static const uint8_t magic[8] = {0x89, 'T', 'R', 'N', '\r', '\n', 0x1A, '\n'};

// Kind, codec (1 height blob, 2 PNG), channels, bits, flags, three zeros, name.
static const uint8_t slot_bytes[LAYER_COUNT][SLOT_BYTES] = {
    {LAYER_HEIGHT, 1, 1, 32, 0, 0, 0, 0, 'h', 'e', 'i', 'g', 'h', 't'},
    {LAYER_NORMAL, 2, 3, 8, 0, 0, 0, 0, 'n', 'o', 'r', 'm', 'a', 'l'},
    {LAYER_COLOR, 2, 3, 8, 0, 0, 0, 0, 'c', 'o', 'l', 'o', 'r'},
};

void pack_header_slots(struct pack_header *header)
{
    header->slot_count = 0;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (header->info.layers >> kind & 1)
            header->slots[header->slot_count++] = (struct pack_slot){(uint8_t)kind, true};
    }
}

void pack_content_add(struct sha256 *hash, tile_key key, uint8_t layer_id, int intervals,
                      const uint8_t content[SHA256_BYTES])
{
    uint8_t record[8 + 1 + 4 + SHA256_BYTES];
    put_u64le(record, key);
    record[8] = layer_id;
    put_u32le(record + 9, (uint32_t)intervals);
    memcpy(record + 13, content, SHA256_BYTES);
    sha256_add(hash, record, sizeof record);
}

// Bit L is set where the normals of level L have 16 bits a component.
static uint32_t wide_normal_levels(double radius_m, int intervals)
{
    uint32_t levels = 0;
    for (int level = 0; level < PACK_LEVELS; level++) {
        if (normal_bits(tile_spacing_m(radius_m, intervals, level)) == 16)
            levels |= UINT32_C(1) << level;
    }
    return levels;
}

static int log2_of(int power)
{
    int log2 = 0;
    while (1 << log2 < power)
        log2++;
    return log2;
}

static void encode_places(uint8_t *bytes, const struct pack_header *header)
{
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    put_u16le(bytes + AT_MAJOR, PACK_MAJOR);
    put_u16le(bytes + AT_MINOR, PACK_MINOR);
    put_u32le(bytes + AT_HEADER_BYTES, PACK_HEADER_BYTES);
    put_u64le(bytes + AT_FILE_BYTES, header->file_bytes);
    put_u64le(bytes + AT_METADATA_OFFSET, PACK_HEADER_BYTES);
    put_u32le(bytes + AT_METADATA_BYTES, header->metadata_bytes);
    put_u32le(bytes + AT_METADATA_CRC, header->metadata_crc);
    put_u64le(bytes + AT_DATA_OFFSET, header->data_offset);
    put_u64le(bytes + AT_DATA_BYTES, header->data_bytes);
    put_u64le(bytes + AT_INDEX_OFFSET, header->index_offset);
    put_u32le(bytes + AT_PAGE_BYTES, header->page_bytes);
    put_u32le(bytes + AT_PAGE_COUNT, header->page_count);
    memcpy(bytes + AT_BODY_SHA256, header->body_sha256, SHA256_BYTES);
    memcpy(bytes + AT_CONTENT_SHA256, header->content_sha256, SHA256_BYTES);
    for (int face = 0; face < CUBE_FACE_COUNT; face++)
        put_u32le(bytes + AT_ROOT_PAGES + 4 * face, header->root_pages[face]);
    for (int level = 0; level < PACK_LEVELS; level++)
        put_u64le(bytes + AT_TILES + 8 * level, header->tiles[level]);
}

void pack_header_encode(uint8_t bytes[PACK_HEADER_BYTES], const struct pack_header *header)
{
    const struct pack_info *info = &header->info;
    memset(bytes, 0, PACK_HEADER_BYTES);
    encode_places(bytes, header);
    bytes[AT_PAGE_LEVELS] = PACK_PAGE_LEVELS;
    bytes[AT_ROOT_LEVELS] = (uint8_t)info->root_levels;
    bytes[AT_FULL_DEPTH] = header->full_depth < 0 ? NO_FULL_DEPTH : (uint8_t)header->full_depth;
    bytes[AT_MAX_LEVEL] = (uint8_t)header->max_level;
    bytes[AT_SLOT_COUNT] = (uint8_t)header->slot_count;
    bytes[AT_INTERVALS_LOG2] = (uint8_t)log2_of(info->intervals);
    bytes[AT_MAPPING] = MAPPING_TANGENT;
    bytes[AT_FACE_FRAMES] = FACE_FRAMES_S2;
    put_u64le(bytes + AT_RADIUS, (uint64_t)(info->radius_m / RADIUS_UNIT_M));
    bytes[AT_HEIGHT_EXPONENT] = (uint8_t)info->height_exponent;
    bytes[AT_FLAGS] = info->complete ? FLAG_COMPLETE : 0;
    put_u32le(bytes + AT_WIDE_NORMALS, wide_normal_levels(info->radius_m, info->intervals));
    put_i32le(bytes + AT_HEIGHT_MIN, header->height_min);
    put_i32le(bytes + AT_HEIGHT_MAX, header->height_max);
    put_u32le(bytes + AT_SHARE, info->share);
    put_u32le(bytes + AT_SHARE_COUNT, info->share_count);
    put_u32le(bytes + AT_SMALL_BLOB, PACK_SMALL_BLOB_MAX);
    put_u32le(bytes + AT_SMALL_WINDOW, PACK_SMALL_WINDOW);
    memcpy(bytes + AT_FINGERPRINT, info->fingerprint, SHA256_BYTES);
    for (int slot = 0; slot < header->slot_count; slot++)
        memcpy(bytes + AT_SLOTS + SLOT_BYTES * slot, slot_bytes[header->slots[slot].id], SLOT_BYTES);
    put_u32le(bytes + AT_CRC, pack_crc(bytes, AT_CRC));
}

// The decoders below return NULL, or the name of what is out of its range.

static const char *decode_slots(struct pack_header *header, const uint8_t *bytes)
{
    header->slot_count = bytes[AT_SLOT_COUNT];
    if (header->slot_count < 1 || header->slot_count > PACK_LAYER_SLOTS)
        return "number of layers";
    for (int slot = 0; slot < header->slot_count; slot++) {
        const uint8_t *at = bytes + AT_SLOTS + SLOT_BYTES * slot;
        if (slot > 0 && at[0] <= at[-SLOT_BYTES])
            return "order of layers";
        bool known = at[0] < LAYER_COUNT && memcmp(at, slot_bytes[at[0]], SLOT_BYTES) == 0;
        if (!known && at[4] & SLOT_FLAG_NEEDED)
            return "layer that this version does not know but must";
        if (!known && !header->newer)
            return "layer";
        header->slots[slot] = (struct pack_slot){at[0], known};
        if (known)
            header->info.layers |= 1u << at[0];
    }
    if (!pack_all_zero(bytes + AT_SLOTS + SLOT_BYTES * header->slot_count,
                       (size_t)SLOT_BYTES * (size_t)(PACK_LAYER_SLOTS - header->slot_count)))
        return "number of layers";
    return NULL;
}

static const char *decode_info(struct pack_header *header, const uint8_t *bytes)
{
    struct pack_info *info = &header->info;
    uint64_t radius = get_u64le(bytes + AT_RADIUS);
    info->radius_m = (double)radius * RADIUS_UNIT_M;
    if (radius > UINT64_C(1) << 52 || info->radius_m < RADIUS_MIN_M || info->radius_m > RADIUS_MAX_M)
        return "radius";
    if (bytes[AT_INTERVALS_LOG2] > 9 || !tile_intervals_valid(1L << bytes[AT_INTERVALS_LOG2]))
        return "tile size";
    info->intervals = 1 << bytes[AT_INTERVALS_LOG2];
    info->height_exponent = (int8_t)bytes[AT_HEIGHT_EXPONENT];
    if (info->height_exponent < -32 || info->height_exponent > 0)
        return "height unit";
    if (bytes[AT_MAPPING] != MAPPING_TANGENT || bytes[AT_FACE_FRAMES] != FACE_FRAMES_S2)
        return "mapping";
    if (get_u32le(bytes + AT_WIDE_NORMALS) != wide_normal_levels(info->radius_m, info->intervals))
        return "set of levels with 16-bit normals";
    info->root_levels = bytes[AT_ROOT_LEVELS];
    if (bytes[AT_PAGE_LEVELS] != PACK_PAGE_LEVELS || info->root_levels < 1 || info->root_levels > PACK_PAGE_LEVELS)
        return "number of levels in a page";
    info->complete = bytes[AT_FLAGS] & FLAG_COMPLETE;
    info->share = get_u32le(bytes + AT_SHARE);
    info->share_count = get_u32le(bytes + AT_SHARE_COUNT);
    if (info->share < 1 || info->share > info->share_count || (info->complete && info->share_count != 1))
        return "share";
    if (get_u32le(bytes + AT_SMALL_BLOB) != PACK_SMALL_BLOB_MAX ||
        get_u32le(bytes + AT_SMALL_WINDOW) != PACK_SMALL_WINDOW)
        return "rule of sharing";
    memcpy(info->fingerprint, bytes + AT_FINGERPRINT, SHA256_BYTES);
    return decode_slots(header, bytes);
}

static const char *decode_tiles(struct pack_header *header, const uint8_t *bytes)
{
    uint64_t total = 0;
    header->max_level = 0;
    for (int level = 0; level < PACK_LEVELS; level++) {
        uint64_t count = get_u64le(bytes + AT_TILES + 8 * level);
        if (count > UINT64_C(6) << 2 * level)
            return "number of tiles";
        if (count > 0)
            header->max_level = level;
        header->tiles[level] = count;
        total += count;
    }
    header->full_depth = pack_full_depth_of(header->tiles);
    if (bytes[AT_MAX_LEVEL] != header->max_level ||
        bytes[AT_FULL_DEPTH] != (header->full_depth < 0 ? NO_FULL_DEPTH : header->full_depth))
        return "depth";
    header->height_min = get_i32le(bytes + AT_HEIGHT_MIN);
    header->height_max = get_i32le(bytes + AT_HEIGHT_MAX);
    if (header->height_min > header->height_max || (total == 0 && (header->height_min || header->height_max)))
        return "height range";
    // Each page has a tile, or one in a page below it.
    if ((header->page_count == 0) != (total == 0) || header->page_count > total * PACK_GROUPS_MAX)
        return "number of index pages";
    uint32_t roots = 0;
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        header->root_pages[face] = get_u32le(bytes + AT_ROOT_PAGES + 4 * face);
        if (header->root_pages[face] != 0 && header->root_pages[face] != ++roots)
            return "root page";
    }
    if (roots > header->page_count || (roots == 0) != (total == 0))
        return "root page";
    if (header->full_depth >= 0) {
        int group = pack_group_of_level(header->info.root_levels, header->full_depth);
        if (pack_full_pages_before(header->info.root_levels, group + 1) > header->page_count)
            return "number of index pages";
    }
    return NULL;
}

static const char *decode_places(struct pack_header *header, const uint8_t *bytes)
{
    header->file_bytes = get_u64le(bytes + AT_FILE_BYTES);
    header->metadata_bytes = get_u32le(bytes + AT_METADATA_BYTES);
    header->metadata_crc = get_u32le(bytes + AT_METADATA_CRC);
    header->data_offset = get_u64le(bytes + AT_DATA_OFFSET);
    header->data_bytes = get_u64le(bytes + AT_DATA_BYTES);
    header->index_offset = get_u64le(bytes + AT_INDEX_OFFSET);
    header->page_bytes = get_u32le(bytes + AT_PAGE_BYTES);
    header->page_count = get_u32le(bytes + AT_PAGE_COUNT);
    memcpy(header->body_sha256, bytes + AT_BODY_SHA256, SHA256_BYTES);
    memcpy(header->content_sha256, bytes + AT_CONTENT_SHA256, SHA256_BYTES);
    if (get_u32le(bytes + AT_HEADER_BYTES) != PACK_HEADER_BYTES)
        return "header size";
    if (get_u64le(bytes + AT_METADATA_OFFSET) != PACK_HEADER_BYTES || header->metadata_bytes < 2 ||
        header->metadata_bytes > PACK_METADATA_MAX)
        return "place of the metadata";
    if (header->data_offset > header->file_bytes || header->data_offset % PACK_ALIGNMENT != 0 ||
        header->data_offset < PACK_HEADER_BYTES || header->data_offset - PACK_HEADER_BYTES < header->metadata_bytes)
        return "place of the data";
    if (header->index_offset > header->file_bytes || header->index_offset % PACK_INDEX_ALIGNMENT != 0 ||
        header->index_offset < header->data_offset || header->index_offset - header->data_offset < header->data_bytes)
        return "place of the index";
    if (header->page_bytes != pack_page_bytes(header->slot_count) ||
        header->file_bytes - header->index_offset != (uint64_t)header->page_count * header->page_bytes)
        return "size of the index";
    return NULL;
}

enum status_code pack_header_decode(struct pack_header *header, const uint8_t bytes[PACK_HEADER_BYTES],
                                    uint64_t file_bytes, const char *path, struct status *status)
{
    memset(header, 0, sizeof *header);
    if (pack_all_zero(bytes, PACK_HEADER_BYTES))
        return status_fail(status, STATUS_INPUT, "%s: an unfinished pack; bake it again", path);
    if (memcmp(bytes + AT_MAGIC, magic, sizeof magic) != 0)
        return status_fail(status, STATUS_INPUT, "%s: not a pack", path);
    unsigned major = get_u16le(bytes + AT_MAJOR), minor = get_u16le(bytes + AT_MINOR);
    if (major != PACK_MAJOR)
        return status_fail(status, STATUS_INPUT, "%s: a pack of version %u.%u; this program reads version %d", path,
                           major, minor, PACK_MAJOR);
    if (get_u32le(bytes + AT_CRC) != pack_crc(bytes, AT_CRC))
        return status_fail(status, STATUS_INPUT, "%s: damaged header (wrong checksum)", path);
    if (get_u64le(bytes + AT_FILE_BYTES) != file_bytes)
        return status_fail(status, STATUS_INPUT, "%s: has %llu bytes where its header says %llu: %s", path,
                           (unsigned long long)file_bytes, (unsigned long long)get_u64le(bytes + AT_FILE_BYTES),
                           file_bytes < get_u64le(bytes + AT_FILE_BYTES) ? "truncated" : "bytes were added");
    header->newer = minor > PACK_MINOR;
    const char *what = decode_info(header, bytes);
    if (!what)
        what = decode_places(header, bytes);
    if (!what)
        what = decode_tiles(header, bytes);
    if (!what && !header->newer &&
        (bytes[AT_FLAGS] > FLAG_COMPLETE || !pack_all_zero(bytes + AT_ZERO_A, AT_WIDE_NORMALS - AT_ZERO_A) ||
         !pack_all_zero(bytes + AT_ZERO_B, AT_FINGERPRINT - AT_ZERO_B) ||
         !pack_all_zero(bytes + AT_ZERO_C, AT_SLOTS - AT_ZERO_C) ||
         !pack_all_zero(bytes + AT_ZERO_D, AT_CRC - AT_ZERO_D)))
        what = "reserved byte";
    if (what)
        return status_fail(status, STATUS_INPUT, "%s: bad header: %s", path, what);
    return STATUS_OK;
}
