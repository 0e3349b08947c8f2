// SPDX-License-Identifier: MIT
#include "bake/assemble.h"

#include <stdlib.h>

#include "bake/interrupt.h"
#include "formats/file_io.h"

// One tile's blobs, in memory that grows to the largest.
struct blobs {
    uint8_t *bytes;
    size_t capacity;
};

static enum status_code add_record(struct pack_writer *writer, const struct journal *journal,
                                   struct journal_record *record, struct blobs *blobs, struct status *status)
{
    if (record->blob_bytes > blobs->capacity) {
        uint8_t *bytes = realloc(blobs->bytes, record->blob_bytes);
        if (!bytes)
            return status_fail_memory(status, "a tile's blobs", record->blob_bytes);
        blobs->bytes = bytes;
        blobs->capacity = record->blob_bytes;
    }
    enum status_code code = journal_read_blobs(journal, record, blobs->bytes, status);
    return code ? code : pack_writer_add(writer, &record->entry, status);
}

// Plan and journal are walked side by side, so that the pack has every tile and no other.
static enum status_code add_tiles(struct pack_writer *writer, const struct journal *journal, const struct plan *plan,
                                  struct journal_cursor *cursor, struct blobs *blobs, struct progress *progress,
                                  struct status *status)
{
    struct plan_walk walk;
    struct node node;
    struct journal_record record;
    bool found;
    enum status_code code;
    plan_walk_begin(&walk, plan);
    while (plan_walk_next(&walk, &node)) {
        if (interrupt_requested())
            return status_fail(status, STATUS_INTERRUPTED, "interrupted");
        if ((code = journal_next(cursor, &found, &record, status)))
            return code;
        if (!found || record.entry.key != tile_key_of(node))
            return status_fail(status, STATUS_INPUT, "%s: work files have no tile %d/%d/%u/%u", journal->folder,
                               node.face, node.level, node.x, node.y);
        if ((code = add_record(writer, journal, &record, blobs, status)))
            return code;
        progress_count_packed(progress);
    }
    if ((code = journal_next(cursor, &found, &record, status)))
        return code;
    return found ? status_fail(status, STATUS_INPUT, "%s: work files hold a tile that is not in the plan",
                               journal->folder)
                 : STATUS_OK;
}

enum status_code assemble_pack(const struct journal *journal, const struct plan *plan, const struct pack_info *info,
                               const char *pack_path, const char *spool_path, struct progress *progress,
                               uint64_t *size_bytes, struct status *status)
{
    struct pack_writer *writer = NULL;
    struct journal_cursor *cursor = NULL;
    struct blobs blobs = {NULL, 0};
    struct status ignored;
    enum status_code code = journal_cursor_new(&cursor, journal, status);
    if (code)
        return code;
    if (!(code = pack_writer_begin(&writer, pack_path, spool_path, info, journal->owner.metadata,
                                   journal->owner.metadata_length, status))) {
        if (!(code = add_tiles(writer, journal, plan, cursor, &blobs, progress, status)))
            code = pack_writer_finish(writer, size_bytes, status);
        pack_writer_free(writer);
        if (code)
            file_remove(pack_path, &ignored);
    }
    journal_cursor_free(cursor);
    free(blobs.bytes);
    return code;
}
