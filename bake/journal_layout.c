// SPDX-License-Identifier: MIT
#include "bake/journal_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"
#include "formats/pack_layout.h"

#define HEAD_MAGIC UINT32_C(0x31455254) // "TRE1"
#define HEAD_LAYERS 24                  // offset of the first layer
#define HEAD_LAYER_BYTES (8 + SHA256_BYTES)

_Static_assert(HEAD_LAYERS + LAYER_COUNT * HEAD_LAYER_BYTES + 4 == JOURNAL_HEAD_BYTES, "layout of a record's head");

void journal_header_encode(uint8_t bytes[JOURNAL_HEADER_BYTES], const struct journal_owner *owner)
{
    memcpy(bytes, JOURNAL_MAGIC, 8);
    put_u32le(bytes + 8, owner->share);
    put_u32le(bytes + 12, owner->share_count);
    put_u32le(bytes + 16, (uint32_t)owner->metadata_length);
    put_u32le(bytes + 20, pack_crc(owner->metadata, owner->metadata_length));
    put_u32le(bytes + 24, pack_crc(bytes, 24));
}

bool journal_header_decode(const uint8_t bytes[JOURNAL_HEADER_BYTES], uint32_t *share, uint32_t *share_count,
                           uint32_t *metadata_length, uint32_t *metadata_crc)
{
    if (memcmp(bytes, JOURNAL_MAGIC, 8) != 0 || get_u32le(bytes + 24) != pack_crc(bytes, 24))
        return false;
    *share = get_u32le(bytes + 8);
    *share_count = get_u32le(bytes + 12);
    *metadata_length = get_u32le(bytes + 16);
    *metadata_crc = get_u32le(bytes + 20);
    return *metadata_length <= PACK_METADATA_MAX;
}

void journal_head_encode(uint8_t bytes[JOURNAL_HEAD_BYTES], const struct pack_entry *entry)
{
    put_u32le(bytes, HEAD_MAGIC);
    put_u64le(bytes + 4, entry->key);
    put_i32le(bytes + 12, entry->height_min);
    put_i32le(bytes + 16, entry->height_max);
    put_u32le(bytes + 20, entry->error);
    uint8_t *at = bytes + HEAD_LAYERS;
    for (int kind = 0; kind < LAYER_COUNT; kind++, at += HEAD_LAYER_BYTES) {
        put_u32le(at, entry->lengths[kind]);
        put_u32le(at + 4, entry->crcs[kind]);
        memcpy(at + 8, entry->content[kind], SHA256_BYTES);
    }
    put_u32le(at, pack_crc(bytes, JOURNAL_HEAD_BYTES - 4));
}

bool journal_head_decode(const uint8_t bytes[JOURNAL_HEAD_BYTES], unsigned layers, struct pack_entry *entry,
                         size_t *blob_bytes)
{
    if (get_u32le(bytes) != HEAD_MAGIC ||
        get_u32le(bytes + JOURNAL_HEAD_BYTES - 4) != pack_crc(bytes, JOURNAL_HEAD_BYTES - 4))
        return false;
    memset(entry, 0, sizeof *entry);
    entry->key = get_u64le(bytes + 4);
    entry->height_min = get_i32le(bytes + 12);
    entry->height_max = get_i32le(bytes + 16);
    entry->error = get_u32le(bytes + 20);
    if (!tile_key_valid(entry->key))
        return false;
    *blob_bytes = 0;
    const uint8_t *at = bytes + HEAD_LAYERS;
    for (int kind = 0; kind < LAYER_COUNT; kind++, at += HEAD_LAYER_BYTES) {
        entry->lengths[kind] = get_u32le(at);
        entry->crcs[kind] = get_u32le(at + 4);
        memcpy(entry->content[kind], at + 8, SHA256_BYTES);
        if (entry->lengths[kind] > PACK_BLOB_MAX || (entry->lengths[kind] > 0) != (layers >> kind & 1))
            return false;
        *blob_bytes += entry->lengths[kind];
    }
    return true;
}

bool journal_blobs_whole(struct pack_entry *entry, const uint8_t *bytes)
{
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (entry->lengths[kind] == 0)
            continue;
        if (pack_crc(bytes, entry->lengths[kind]) != entry->crcs[kind])
            return false;
        entry->blobs[kind] = bytes;
        bytes += entry->lengths[kind];
    }
    return true;
}

#define SEGMENT_NAME "tiles-%04d.journal"
#define SEGMENT_NAME_BYTES 32

char *journal_segment_path(const char *folder, int segment)
{
    size_t size = strlen(folder) + SEGMENT_NAME_BYTES;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/" SEGMENT_NAME, folder, segment);
    return path;
}

int journal_segment_number(const char *name)
{
    char again[SEGMENT_NAME_BYTES];
    int segment;
    if (sscanf(name, "tiles-%4d", &segment) != 1 || segment < 0 || segment >= JOURNAL_SEGMENTS_MAX)
        return -1;
    snprintf(again, sizeof again, SEGMENT_NAME, segment);
    return strcmp(name, again) == 0 ? segment : -1;
}

enum status_code journal_read(const struct journal_segment *segment, void *bytes, size_t size, uint64_t offset,
                              struct status *status)
{
    enum status_code code = file_read_at(segment->fd, bytes, size, offset, segment->path, status);
    if (code)
        status->code = STATUS_RESOURCE;
    return code ? STATUS_RESOURCE : STATUS_OK;
}

enum status_code journal_add_run(struct journal *journal, int segment, uint64_t from, uint64_t end,
                                 struct status *status)
{
    if (from == end)
        return STATUS_OK;
    if (journal->run_count == journal->run_capacity) {
        size_t capacity = 2 * journal->run_capacity + 64;
        struct journal_run *runs = realloc(journal->runs, capacity * sizeof runs[0]);
        if (!runs)
            return status_fail_memory(status, "runs of the journal", capacity * sizeof runs[0]);
        journal->runs = runs;
        journal->run_capacity = capacity;
    }
    journal->runs[journal->run_count++] = (struct journal_run){segment, from, end};
    return STATUS_OK;
}
