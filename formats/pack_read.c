// SPDX-License-Identifier: MIT
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/file_io.h"
#include "formats/pack_file.h"

enum status_code pack_open(struct pack **opened, const char *path, struct status *status)
{
    size_t path_bytes = strlen(path) + 1;
    struct pack *pack = calloc(1, sizeof *pack + path_bytes);
    *opened = NULL;
    if (!pack)
        return status_fail_memory(status, "pack", sizeof *pack + path_bytes);
    pack->path = (char *)(pack + 1);
    memcpy(pack->path, path, path_bytes);

    uint64_t file_bytes;
    enum status_code code = file_open_read(&pack->fd, &file_bytes, path, status);
    if (code) {
        free(pack);
        return code;
    }
    uint8_t bytes[PACK_HEADER_BYTES];
    if (file_bytes < PACK_HEADER_BYTES)
        code = status_fail(status, STATUS_INPUT, "%s: not a pack (%llu bytes are too few)", path,
                           (unsigned long long)file_bytes);
    if (code == STATUS_OK)
        code = file_read_at(pack->fd, bytes, sizeof bytes, 0, path, status);
    if (code == STATUS_OK)
        code = pack_header_decode(&pack->header, bytes, file_bytes, path, status);
    if (code)
        pack_close(pack);
    else
        *opened = pack;
    return code;
}

void pack_close(struct pack *pack)
{
    if (!pack)
        return;
    struct status ignored; // nothing was written that closing could lose
    file_close(pack->fd, pack->path, &ignored);
    free(pack);
}

const struct pack_info *pack_get_info(const struct pack *pack)
{
    return &pack->header.info;
}

const char *pack_path(const struct pack *pack)
{
    return pack->path;
}

int pack_full_depth(const struct pack *pack)
{
    return pack->header.full_depth;
}

int pack_max_level(const struct pack *pack)
{
    return pack->header.max_level;
}

uint64_t pack_file_bytes(const struct pack *pack)
{
    return pack->header.file_bytes;
}

uint64_t pack_tile_count(const struct pack *pack)
{
    uint64_t count = 0;
    for (int level = 0; level < PACK_LEVELS; level++)
        count += pack->header.tiles[level];
    return count;
}

const uint64_t *pack_tiles_per_level(const struct pack *pack)
{
    return pack->header.tiles;
}

void pack_height_range(const struct pack *pack, int32_t *min, int32_t *max)
{
    *min = pack->header.height_min;
    *max = pack->header.height_max;
}

const uint8_t *pack_content_sha256(const struct pack *pack)
{
    return pack->header.content_sha256;
}

const uint8_t *pack_file_sha256(const struct pack *pack)
{
    return pack->header.body_sha256;
}

bool pack_is_newer(const struct pack *pack)
{
    return pack->header.newer;
}

enum status_code pack_read_metadata(const struct pack *pack, char **text, size_t *length, struct status *status)
{
    size_t bytes = pack->header.metadata_bytes; // at most PACK_METADATA_MAX and within the file
    char *read = malloc(bytes + 1);
    if (!read)
        return status_fail_memory(status, "metadata", bytes + 1);
    enum status_code code = file_read_at(pack->fd, read, bytes, PACK_HEADER_BYTES, pack->path, status);
    if (code == STATUS_OK) {
        uint8_t digest[SHA256_BYTES];
        sha256_of(digest, read, bytes);
        if (pack_crc(read, bytes) != pack->header.metadata_crc ||
            memcmp(digest, pack->header.info.fingerprint, SHA256_BYTES) != 0)
            code = status_fail(status, STATUS_INPUT, "%s: damaged metadata (wrong checksum)", pack->path);
        else if (memchr(read, 0, bytes))
            code = status_fail(status, STATUS_INPUT, "%s: bad metadata: not a text", pack->path);
    }
    if (code) {
        free(read);
        return code;
    }
    read[bytes] = 0;
    *text = read;
    *length = bytes;
    return STATUS_OK;
}

enum status_code pack_read_blob(const struct pack *pack, const struct pack_blob *blob, uint8_t *bytes,
                                struct status *status)
{
    assert(blob->length > 0);
    enum status_code code = file_read_at(pack->fd, bytes, blob->length, blob->offset, pack->path, status);
    return code ? code : pack_check_blob(pack, blob, bytes, status);
}

enum status_code pack_check_blob(const struct pack *pack, const struct pack_blob *blob, const uint8_t *bytes,
                                 struct status *status)
{
    if (pack_crc(bytes, blob->length) == blob->crc)
        return STATUS_OK;
    return status_fail(status, STATUS_INPUT, "%s: damaged blob at byte %llu (wrong checksum)", pack->path,
                       (unsigned long long)blob->offset);
}

enum status_code pack_load_page(const struct pack *pack, uint32_t number, int group, const struct node *expected,
                                uint8_t *bytes, struct status *status)
{
    const struct pack_header *header = &pack->header;
    assert(number < header->page_count);
    uint64_t offset = header->index_offset + (uint64_t)number * header->page_bytes;
    enum status_code code = file_read_at(pack->fd, bytes, header->page_bytes, offset, pack->path, status);
    if (code)
        return code;
    const char *what = pack_page_fault(bytes, header, number, group, expected);
    if (what)
        return status_fail(status, STATUS_INPUT, "%s: damaged index page %u: %s", pack->path, (unsigned)number, what);
    return STATUS_OK;
}

void pack_tile_of_record(struct pack_tile *tile, tile_key key, const struct pack_record *record,
                         const struct pack_header *header)
{
    memset(tile, 0, sizeof *tile);
    tile->key = key;
    tile->below = record->below;
    tile->height_min = record->height_min;
    tile->height_max = record->height_max;
    tile->subtree_min = record->subtree_min;
    tile->subtree_max = record->subtree_max;
    tile->error = record->error;
    for (int slot = 0; slot < header->slot_count; slot++) {
        if (header->slots[slot].known)
            tile->blobs[header->slots[slot].id] = record->blobs[slot];
    }
}
