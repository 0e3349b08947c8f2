// SPDX-License-Identifier: MIT
// The k-way merge: a heap of runs, ordered by the key of the record that each shows next. Memory goes with the number
// of runs, not with that of tiles.
#include <stdlib.h>
#include <string.h>

#include "bake/journal.h"
#include "bake/journal_layout.h"

struct reader {
    struct journal_record record; // the next one
    uint64_t at, end;             // of what comes behind it
};

struct journal_cursor {
    const struct journal *journal;
    size_t heap_count;
    struct reader *readers; // one a run
    struct reader **heap;   // least key first
    struct journal_record last;
    bool any;
};

static bool before(const struct reader *a, const struct reader *b)
{
    return a->record.entry.key < b->record.entry.key;
}

static void sift_down(struct journal_cursor *cursor, size_t place)
{
    struct reader **heap = cursor->heap, *item = heap[place];
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= cursor->heap_count)
            break;
        if (child + 1 < cursor->heap_count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], item))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = item;
}

// Reads the head of the next record of a run; *more is false at the run's end.
static enum status_code advance(const struct journal *journal, struct reader *reader, bool *more, struct status *status)
{
    struct journal_record *record = &reader->record;
    const struct journal_segment *segment = &journal->segments[record->segment];
    uint8_t head[JOURNAL_HEAD_BYTES];
    enum status_code code;
    *more = reader->at < reader->end;
    if (!*more)
        return STATUS_OK;
    if ((code = journal_read(segment, head, sizeof head, reader->at, status)))
        return code;
    if (!journal_head_decode(head, journal->owner.layers, &record->entry, &record->blob_bytes))
        return status_fail(status, STATUS_INPUT, "%s: damaged at byte %llu; start anew with --force", segment->path,
                           (unsigned long long)reader->at);
    record->offset = reader->at + JOURNAL_HEAD_BYTES;
    reader->at = record->offset + record->blob_bytes;
    return STATUS_OK;
}

enum status_code journal_cursor_new(struct journal_cursor **cursor, const struct journal *journal,
                                    struct status *status)
{
    struct journal_cursor *made = calloc(1, sizeof *made);
    size_t count = journal->run_count;
    if (made) {
        made->journal = journal;
        made->readers = calloc(count + 1, sizeof made->readers[0]);
        made->heap = calloc(count + 1, sizeof made->heap[0]);
    }
    if (!made || !made->readers || !made->heap) {
        journal_cursor_free(made);
        return status_fail_memory(status, "the merge of work files", count * sizeof(struct reader));
    }
    for (size_t k = 0; k < count; k++) {
        struct reader *reader = &made->readers[k];
        bool more;
        reader->record.segment = journal->runs[k].segment;
        reader->at = journal->runs[k].from;
        reader->end = journal->runs[k].end;
        enum status_code code = advance(journal, reader, &more, status);
        if (code) {
            journal_cursor_free(made);
            return code;
        }
        if (more)
            made->heap[made->heap_count++] = reader;
    }
    for (size_t k = made->heap_count / 2; k-- > 0;)
        sift_down(made, k);
    *cursor = made;
    return STATUS_OK;
}

void journal_cursor_free(struct journal_cursor *cursor)
{
    if (!cursor)
        return;
    free(cursor->readers);
    free(cursor->heap);
    free(cursor);
}

static bool same_tile(const struct pack_entry *a, const struct pack_entry *b)
{
    return a->height_min == b->height_min && a->height_max == b->height_max && a->error == b->error &&
           memcmp(a->lengths, b->lengths, sizeof a->lengths) == 0 && memcmp(a->crcs, b->crcs, sizeof a->crcs) == 0 &&
           memcmp(a->content, b->content, sizeof a->content) == 0;
}

enum status_code journal_next(struct journal_cursor *cursor, bool *found, struct journal_record *record,
                              struct status *status)
{
    enum status_code code;
    for (;;) {
        *found = cursor->heap_count > 0;
        if (!*found)
            return STATUS_OK;
        struct reader *first = cursor->heap[0];
        bool more;
        *record = first->record;
        if ((code = advance(cursor->journal, first, &more, status)))
            return code;
        if (!more)
            cursor->heap[0] = cursor->heap[--cursor->heap_count];
        if (cursor->heap_count > 0)
            sift_down(cursor, 0);
        if (!cursor->any || record->entry.key != cursor->last.entry.key)
            break;
        if (!same_tile(&record->entry, &cursor->last.entry))
            return status_fail(status, STATUS_INPUT, "%s and %s: hold different versions of one tile",
                               cursor->journal->segments[cursor->last.segment].path,
                               cursor->journal->segments[record->segment].path);
    }
    cursor->last = *record;
    cursor->any = true;
    return STATUS_OK;
}

enum status_code journal_read_blobs(const struct journal *journal, struct journal_record *record, uint8_t *bytes,
                                    struct status *status)
{
    const struct journal_segment *segment = &journal->segments[record->segment];
    enum status_code code = journal_read(segment, bytes, record->blob_bytes, record->offset, status);
    if (code)
        return code;
    if (!journal_blobs_whole(&record->entry, bytes))
        return status_fail(status, STATUS_INPUT, "%s: damaged at byte %llu; --resume bakes what is lost again",
                           segment->path, (unsigned long long)record->offset);
    return STATUS_OK;
}
