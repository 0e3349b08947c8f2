// SPDX-License-Identifier: MIT
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bake/journal.h"
#include "bake/journal_layout.h"
#include "common/clock.h"

// Small tiles go out in one write; larger blobs pass the buffer by.
#define BUFFER_BYTES 65536

enum status_code journal_writer_new(struct journal_writer *writer, struct journal *journal, int segment,
                                    struct status *status)
{
    assert(segment >= 0 && segment < JOURNAL_SEGMENTS_MAX);
    *writer = (struct journal_writer){.journal = journal, .segment = segment, .synced_s = clock_seconds()};
    writer->buffer = malloc(BUFFER_BYTES);
    return writer->buffer ? STATUS_OK : status_fail_memory(status, "a work file's buffer", BUFFER_BYTES);
}

static enum status_code make_segment(struct journal_segment *segment, const struct journal_writer *writer,
                                     struct status *status)
{
    enum status_code code;
    segment->path = journal_segment_path(writer->journal->folder, writer->segment);
    if (!segment->path)
        return status_fail_memory(status, "a path", strlen(writer->journal->folder) + 32);
    if ((code = file_create(&segment->fd, segment->path, status))) {
        free(segment->path);
        segment->path = NULL;
        segment->fd = -1;
    }
    return code;
}

// Opens the segment with the writer's first tile, so that workers that never get one leave no file.
static enum status_code begin(struct journal_writer *writer, struct status *status)
{
    struct journal_segment *segment = &writer->journal->segments[writer->segment];
    const struct journal_owner *owner = &writer->journal->owner;
    enum status_code code;
    bool fresh = !segment->path;
    if (fresh && (code = make_segment(segment, writer, status)))
        return code;
    file_appender_begin(&writer->out, segment->fd, segment->path, segment->end, writer->buffer, BUFFER_BYTES);
    if (fresh) {
        uint8_t header[JOURNAL_HEADER_BYTES];
        journal_header_encode(header, owner);
        if ((code = file_append(&writer->out, header, sizeof header, status)) ||
            (code = file_append(&writer->out, owner->metadata, owner->metadata_length, status)))
            return code;
    }
    writer->run_from = segment->end = writer->out.offset;
    writer->synced_bytes = writer->out.offset;
    writer->begun = true;
    return STATUS_OK;
}

enum status_code journal_append(struct journal_writer *writer, const struct pack_entry *entry, struct status *status)
{
    uint8_t head[JOURNAL_HEAD_BYTES];
    enum status_code code;
    if (!writer->begun && (code = begin(writer, status)))
        return code;
    assert(entry->key >= writer->next_key);
    journal_head_encode(head, entry);
    if ((code = file_append(&writer->out, head, sizeof head, status)))
        return code;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (entry->lengths[kind] > 0 &&
            (code = file_append(&writer->out, entry->blobs[kind], entry->lengths[kind], status)))
            return code;
    }
    if ((code = file_append_flush(&writer->out, status)))
        return code;
    writer->next_key = entry->key + 1;
    writer->journal->segments[writer->segment].end = writer->out.offset;
    writer->record_count++;
    if (writer->out.offset - writer->synced_bytes >= JOURNAL_SYNC_BYTES ||
        clock_seconds() - writer->synced_s >= JOURNAL_SYNC_S)
        return journal_sync(writer, status);
    return STATUS_OK;
}

enum status_code journal_sync(struct journal_writer *writer, struct status *status)
{
    writer->synced_s = clock_seconds();
    if (!writer->begun)
        return STATUS_OK;
    writer->synced_bytes = writer->out.offset;
    return file_sync(writer->out.fd, writer->out.path, status);
}

enum status_code journal_writer_finish(struct journal_writer *writer, struct status *status)
{
    struct journal *journal = writer->journal;
    enum status_code code = STATUS_OK;
    if (writer->begun) {
        uint64_t end = journal->segments[writer->segment].end;
        journal->record_count += writer->record_count;
        journal->record_bytes += end - writer->run_from;
        code = journal_add_run(journal, writer->segment, writer->run_from, end, status);
    }
    free(writer->buffer);
    writer->buffer = NULL;
    writer->begun = false;
    return code;
}
