// SPDX-License-Identifier: MIT
#include "bake/journal.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bake/journal_layout.h"
#include "bake/metadata.h"

// Which segments a folder has. What cannot be looked at is not there.
static void list_segments(bool present[JOURNAL_SEGMENTS_MAX], const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *item;
    memset(present, 0, JOURNAL_SEGMENTS_MAX * sizeof present[0]);
    while (directory && (item = readdir(directory))) {
        int number = journal_segment_number(item->d_name);
        if (number >= 0)
            present[number] = true;
    }
    if (directory)
        closedir(directory);
}

bool journal_exists(const char *folder)
{
    bool present[JOURNAL_SEGMENTS_MAX], found = false;
    list_segments(present, folder);
    for (int segment = 0; segment < JOURNAL_SEGMENTS_MAX; segment++)
        found = found || present[segment];
    return found;
}

enum status_code journal_remove(const char *folder, struct status *status)
{
    bool present[JOURNAL_SEGMENTS_MAX];
    enum status_code code = STATUS_OK;
    list_segments(present, folder);
    for (int segment = 0; segment < JOURNAL_SEGMENTS_MAX && code == STATUS_OK; segment++) {
        if (!present[segment])
            continue;
        char *path = journal_segment_path(folder, segment);
        if (!path)
            return status_fail_memory(status, "a path", strlen(folder) + 32);
        code = file_remove(path, status);
        free(path);
    }
    return code;
}

// Memory that grows to the largest piece that was asked for.
struct room {
    uint8_t *bytes;
    size_t capacity;
};

static enum status_code make_room(struct room *room, size_t size, struct status *status)
{
    if (size <= room->capacity)
        return STATUS_OK;
    uint8_t *bytes = realloc(room->bytes, size);
    if (!bytes)
        return status_fail_memory(status, "the scan of work files", size);
    room->bytes = bytes;
    room->capacity = size;
    return STATUS_OK;
}

static enum status_code refuse_owner(const struct journal *journal, const char *path, uint32_t share,
                                     uint32_t share_count, const char *metadata, struct status *status)
{
    char words[256];
    if (!metadata_difference(words, sizeof words, metadata, journal->owner.metadata))
        snprintf(words, sizeof words, "share is %u/%u, not %u/%u", (unsigned)journal->owner.share,
                 (unsigned)journal->owner.share_count, (unsigned)share, (unsigned)share_count);
    return status_fail(status, STATUS_INPUT, "%s: is of another bake: %s; --force without --resume starts anew", path,
                       words);
}

// Reads a segment's header. *whole is false where there is none, and then what follows means nothing.
static enum status_code check_header(const struct journal *journal, const struct journal_segment *segment,
                                     uint64_t size, struct room *room, bool *whole, struct status *status)
{
    uint8_t bytes[JOURNAL_HEADER_BYTES];
    uint32_t share, share_count, length, crc;
    enum status_code code;
    *whole = false;
    if (size < JOURNAL_HEADER_BYTES)
        return STATUS_OK;
    if ((code = journal_read(segment, bytes, sizeof bytes, 0, status)))
        return code;
    if (!journal_header_decode(bytes, &share, &share_count, &length, &crc) || length > size - JOURNAL_HEADER_BYTES)
        return STATUS_OK;
    if ((code = make_room(room, (size_t)length + 1, status)) ||
        (code = journal_read(segment, room->bytes, length, JOURNAL_HEADER_BYTES, status)))
        return code;
    room->bytes[length] = 0;
    const struct journal_owner *owner = &journal->owner;
    struct journal_owner found = {(const char *)room->bytes, length, share, share_count, owner->layers};
    uint8_t again[JOURNAL_HEADER_BYTES];
    journal_header_encode(again, &found);
    if (memcmp(again, bytes, sizeof bytes) != 0)
        return STATUS_OK; // the text is torn
    *whole = true;
    if (share != owner->share || share_count != owner->share_count || length != owner->metadata_length ||
        memcmp(room->bytes, owner->metadata, length) != 0)
        return refuse_owner(journal, segment->path, share, share_count, found.metadata, status);
    return STATUS_OK;
}

// Finds the runs of a segment whose header is whole, and its end.
static enum status_code scan_records(struct journal *journal, int number, uint64_t size, struct room *room,
                                     struct status *status)
{
    struct journal_segment *segment = &journal->segments[number];
    uint64_t at = JOURNAL_HEADER_BYTES + journal->owner.metadata_length, run_from = at;
    tile_key next_key = 0;
    enum status_code code;
    while (size - at >= JOURNAL_HEAD_BYTES) {
        uint8_t head[JOURNAL_HEAD_BYTES];
        struct pack_entry entry;
        size_t blob_bytes;
        if ((code = journal_read(segment, head, sizeof head, at, status)))
            return code;
        if (!journal_head_decode(head, journal->owner.layers, &entry, &blob_bytes) ||
            blob_bytes > size - at - JOURNAL_HEAD_BYTES)
            break;
        if ((code = make_room(room, blob_bytes, status)) ||
            (code = journal_read(segment, room->bytes, blob_bytes, at + JOURNAL_HEAD_BYTES, status)))
            return code;
        if (!journal_blobs_whole(&entry, room->bytes))
            break;
        if (entry.key < next_key) {
            if ((code = journal_add_run(journal, number, run_from, at, status)))
                return code;
            run_from = at;
        }
        next_key = entry.key + 1;
        at += JOURNAL_HEAD_BYTES + blob_bytes;
        journal->record_count++;
        journal->record_bytes += JOURNAL_HEAD_BYTES + blob_bytes;
    }
    segment->end = at;
    if ((code = journal_add_run(journal, number, run_from, at, status)))
        return code;
    return at < size ? file_truncate(segment->fd, at, segment->path, status) : STATUS_OK;
}

static enum status_code open_segment(struct journal *journal, int number, struct room *room, struct status *status)
{
    struct journal_segment *segment = &journal->segments[number];
    struct stat about;
    bool whole;
    enum status_code code;
    if ((code = file_open_write(&segment->fd, segment->path, status)))
        return code;
    if (fstat(segment->fd, &about) != 0)
        return status_fail(status, STATUS_RESOURCE, "%s: cannot be looked at", segment->path);
    uint64_t size = (uint64_t)about.st_size;
    if ((code = check_header(journal, segment, size, room, &whole, status)))
        return code;
    if (whole)
        return scan_records(journal, number, size, room, status);
    file_system.close(segment->fd);
    segment->fd = -1;
    code = file_remove(segment->path, status);
    free(segment->path);
    segment->path = NULL;
    return code;
}

enum status_code journal_open(struct journal *journal, const char *folder, const struct journal_owner *owner,
                              struct status *status)
{
    struct room room = {NULL, 0};
    bool present[JOURNAL_SEGMENTS_MAX];
    enum status_code code = STATUS_OK;
    assert(owner->metadata_length <= PACK_METADATA_MAX);
    memset(journal, 0, sizeof *journal);
    journal->folder = folder;
    journal->owner = *owner;
    for (int k = 0; k < JOURNAL_SEGMENTS_MAX; k++)
        journal->segments[k].fd = -1;
    list_segments(present, folder);
    for (int k = 0; k < JOURNAL_SEGMENTS_MAX && code == STATUS_OK; k++) {
        if (!present[k])
            continue;
        journal->segments[k].path = journal_segment_path(folder, k);
        code = journal->segments[k].path ? open_segment(journal, k, &room, status)
                                         : status_fail_memory(status, "a path", strlen(folder) + 32);
    }
    free(room.bytes);
    if (code)
        journal_close(journal);
    return code;
}

void journal_close(struct journal *journal)
{
    for (int k = 0; k < JOURNAL_SEGMENTS_MAX; k++) {
        struct journal_segment *segment = &journal->segments[k];
        // What was to be durable was synced before, so a failing close loses nothing.
        if (segment->fd >= 0)
            file_system.close(segment->fd);
        free(segment->path);
        segment->path = NULL;
        segment->fd = -1;
    }
    free(journal->runs);
    journal->runs = NULL;
    journal->run_count = journal->run_capacity = 0;
}
