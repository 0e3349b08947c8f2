// SPDX-License-Identifier: MIT
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"
#include "formats/pack_writer.h"

#define OUT_BUFFER_BYTES (1u << 20)
#define SPOOL_BUFFER_BYTES (1u << 18)

enum status_code pack_writer_put(struct pack_writer *writer, const void *bytes, size_t size, struct status *status)
{
    sha256_add(&writer->body, bytes, size);
    return file_append(&writer->out, bytes, size, status);
}

static enum status_code put_zeros_up_to(struct pack_writer *writer, uint64_t alignment, struct status *status)
{
    static const uint8_t zeros[PACK_INDEX_ALIGNMENT];
    size_t size = (size_t)(pack_round_up(writer->out.offset, alignment) - writer->out.offset);
    return pack_writer_put(writer, zeros, size, status);
}

static void assert_info(const struct pack_info *info)
{
    assert(info->radius_m >= RADIUS_MIN_M && info->radius_m <= RADIUS_MAX_M);
    assert(info->radius_m * 65536.0 == floor(info->radius_m * 65536.0));
    assert(tile_intervals_valid(info->intervals));
    assert(info->height_exponent >= -32 && info->height_exponent <= 0);
    assert(info->root_levels >= 1 && info->root_levels <= PACK_PAGE_LEVELS);
    assert(info->layers != 0 && info->layers < 1u << LAYER_COUNT);
    assert(info->share >= 1 && info->share <= info->share_count);
    assert(!info->complete || info->share_count == 1);
    (void)info;
}

static enum status_code allocate(struct pack_writer **made, const char *path, const char *path_spool,
                                 struct status *status)
{
    size_t path_bytes = strlen(path) + 1, spool_bytes = strlen(path_spool) + 1;
    struct pack_writer *writer = calloc(1, sizeof *writer);
    *made = writer;
    if (!writer)
        return status_fail_memory(status, "pack writer", sizeof *writer);
    writer->fd = writer->fd_spool = -1;
    writer->path = malloc(path_bytes);
    writer->path_spool = malloc(spool_bytes);
    writer->out.buffer = malloc(OUT_BUFFER_BYTES);
    writer->spool.buffer = malloc(SPOOL_BUFFER_BYTES);
    if (!writer->path || !writer->path_spool || !writer->out.buffer || !writer->spool.buffer)
        return status_fail_memory(status, "pack writer",
                                  path_bytes + spool_bytes + OUT_BUFFER_BYTES + SPOOL_BUFFER_BYTES);
    memcpy(writer->path, path, path_bytes);
    memcpy(writer->path_spool, path_spool, spool_bytes);
    return blob_window_new(&writer->window, PACK_SMALL_WINDOW, status);
}

static enum status_code open_files(struct pack_writer *writer, struct status *status)
{
    enum status_code code = file_create(&writer->fd, writer->path, status);
    if (code)
        return code;
    code = file_create(&writer->fd_spool, writer->path_spool, status);
    // The spool keeps its descriptor alone, so that no death of the program leaves it behind.
    if (code == STATUS_OK)
        code = file_remove(writer->path_spool, status);
    if (code)
        return code;
    file_appender_begin(&writer->out, writer->fd, writer->path, 0, writer->out.buffer, OUT_BUFFER_BYTES);
    file_appender_begin(&writer->spool, writer->fd_spool, writer->path_spool, 0, writer->spool.buffer,
                        SPOOL_BUFFER_BYTES);
    return STATUS_OK;
}

// Zeros where the header will be, then the metadata.
static enum status_code write_front(struct pack_writer *writer, const char *metadata, size_t length,
                                    struct status *status)
{
    static const uint8_t zeros[PACK_HEADER_BYTES];
    enum status_code code = file_append(&writer->out, zeros, PACK_HEADER_BYTES, status);
    if (code == STATUS_OK)
        code = pack_writer_put(writer, metadata, length, status);
    if (code == STATUS_OK)
        code = put_zeros_up_to(writer, PACK_ALIGNMENT, status);
    writer->header.data_offset = writer->out.offset;
    return code;
}

enum status_code pack_writer_begin(struct pack_writer **made, const char *path, const char *path_spool,
                                   const struct pack_info *info, const char *metadata, size_t metadata_length,
                                   struct status *status)
{
    assert_info(info);
    assert(metadata_length >= 2 && metadata_length <= PACK_METADATA_MAX && !memchr(metadata, 0, metadata_length));
    enum status_code code = allocate(made, path, path_spool, status);
    struct pack_writer *writer = *made;
    if (code == STATUS_OK)
        code = open_files(writer, status);
    if (code == STATUS_OK) {
        struct pack_header *header = &writer->header;
        header->info = *info;
        sha256_of(header->info.fingerprint, metadata, metadata_length);
        pack_header_slots(header);
        header->metadata_bytes = (uint32_t)metadata_length;
        header->metadata_crc = pack_crc(metadata, metadata_length);
        header->page_bytes = (uint32_t)pack_page_bytes(header->slot_count);
        sha256_begin(&writer->body);
        sha256_begin(&writer->content);
        code = write_front(writer, metadata, metadata_length, status);
    }
    if (code) {
        struct status ignored;
        if (writer && writer->fd >= 0)
            file_remove(path, &ignored);
        if (writer && writer->fd_spool >= 0)
            file_remove(path_spool, &ignored);
        pack_writer_free(writer);
        *made = NULL;
    }
    return code;
}

// Writes a blob, or finds an equal small one among the last that were written.
static enum status_code put_blob(struct pack_writer *writer, const uint8_t *bytes, uint32_t length, uint64_t *offset,
                                 struct status *status)
{
    assert(length > 0 && length <= PACK_BLOB_MAX);
    *offset = writer->out.offset;
    if (length <= PACK_SMALL_BLOB_MAX) {
        uint8_t digest[SHA256_BYTES];
        sha256_of(digest, bytes, length);
        const struct small_blob *same = blob_window_find(writer->window, digest);
        if (same) {
            *offset = same->offset;
            return STATUS_OK;
        }
        blob_window_add(writer->window, digest, *offset, length);
    }
    return pack_writer_put(writer, bytes, length, status);
}

static void count_tile(struct pack_header *header, const struct pack_entry *entry, bool first)
{
    int level = tile_key_node(entry->key).level;
    header->tiles[level]++;
    header->max_level = level; // keys grow, so levels do
    if (first || entry->height_min < header->height_min)
        header->height_min = entry->height_min;
    if (first || entry->height_max > header->height_max)
        header->height_max = entry->height_max;
}

enum status_code pack_writer_add(struct pack_writer *writer, const struct pack_entry *entry, struct status *status)
{
    struct pack_header *header = &writer->header;
    assert(tile_key_valid(entry->key) && entry->key >= writer->next_key);
    assert(entry->height_min <= entry->height_max);
    struct pack_record record = {
        .present = true, .height_min = entry->height_min, .height_max = entry->height_max, .error = entry->error};
    enum status_code code = STATUS_OK;
    int slot = 0;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        bool wanted = header->info.layers >> kind & 1;
        assert(wanted == (entry->blobs[kind] != NULL));
        if (!wanted)
            continue;
        struct pack_blob *blob = &record.blobs[slot++];
        blob->length = entry->lengths[kind];
        blob->crc = entry->crcs[kind];
        memcpy(blob->content, entry->content[kind], SHA256_BYTES);
        if ((code = put_blob(writer, entry->blobs[kind], blob->length, &blob->offset, status)))
            return code;
        pack_content_add(&writer->content, entry->key, (uint8_t)kind, header->info.intervals, blob->content);
    }
    count_tile(header, entry, writer->tile_count == 0);
    writer->next_key = entry->key + 1;
    writer->tile_count++;
    uint8_t item[SPOOL_ITEM_BYTES_MAX];
    put_u64le(item, entry->key);
    pack_record_encode(item + 8, &record, header->slot_count);
    return file_append(&writer->spool, item, 8 + pack_record_bytes(header->slot_count), status);
}

static enum status_code write_header(struct pack_writer *writer, struct status *status)
{
    uint8_t bytes[PACK_HEADER_BYTES];
    pack_header_encode(bytes, &writer->header);
    enum status_code code = file_write_at(writer->fd, bytes, sizeof bytes, 0, writer->path, status);
    return code ? code : file_sync(writer->fd, writer->path, status);
}

enum status_code pack_writer_finish(struct pack_writer *writer, uint64_t *size_bytes, struct status *status)
{
    struct pack_header *header = &writer->header;
    header->data_bytes = writer->out.offset - header->data_offset;
    enum status_code code = put_zeros_up_to(writer, PACK_INDEX_ALIGNMENT, status);
    header->index_offset = writer->out.offset;
    if (code == STATUS_OK)
        code = file_append_flush(&writer->spool, status);
    if (code == STATUS_OK)
        code = pack_index_build(writer, status);
    if (code == STATUS_OK)
        code = file_append_flush(&writer->out, status);
    // A header before its data on the disk would make a torn file look whole.
    if (code == STATUS_OK)
        code = file_sync(writer->fd, writer->path, status);
    if (code)
        return code;
    header->file_bytes = writer->out.offset;
    header->full_depth = pack_full_depth_of(header->tiles);
    sha256_finish(&writer->body, header->body_sha256);
    sha256_finish(&writer->content, header->content_sha256);
    if ((code = write_header(writer, status)))
        return code;
    int fd = writer->fd;
    writer->fd = -1;
    if (size_bytes)
        *size_bytes = header->file_bytes;
    return file_close(fd, writer->path, status);
}

void pack_writer_free(struct pack_writer *writer)
{
    if (!writer)
        return;
    struct status ignored;
    if (writer->fd >= 0)
        file_close(writer->fd, writer->path, &ignored);
    if (writer->fd_spool >= 0)
        file_close(writer->fd_spool, writer->path_spool, &ignored);
    blob_window_free(writer->window);
    free(writer->spool.buffer);
    free(writer->out.buffer);
    free(writer->path_spool);
    free(writer->path);
    free(writer);
}
