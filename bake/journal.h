// SPDX-License-Identifier: MIT
// The journal: finished tiles on their way to the pack, in append-only files (segments) of a work folder, one a worker.
// What is done is what a scan of the segments finds; there is no other record of progress that could disagree.
//
// Segment: header (magic, share, fingerprint, the metadata's text, CRC), then records. Record: its head (magic, key,
// range, error, length, CRC-32 and content hash of each layer, CRC of the head), then the blobs. A scan stops at the
// first record that is not whole, and the rest is cut off: a killed bake loses the tiles in flight, a power failure
// those since the last sync. Each worker takes nodes in canonical order, so a segment is a few runs of growing keys:
// one for each time that a bake was started, and merging them all is a k-way merge.
//
// The work folder is private to one bake at a time (work_folder.h); the layout is no format for others.
#ifndef TERRANE_BAKE_JOURNAL_H
#define TERRANE_BAKE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "formats/file_io.h"
#include "formats/pack.h"

#define JOURNAL_SEGMENTS_MAX 1024
#define JOURNAL_HEAD_BYTES 148

// Whose tiles these are: segments of other tiles are refused.
struct journal_owner {
    const char *metadata;
    size_t metadata_length;
    uint32_t share, share_count;
    unsigned layers; // bit 1 << kind
};

// A tile as the journal has it. blobs are one after another at offset of the segment, in order of kind.
struct journal_record {
    struct pack_entry entry; // without blobs
    int segment;
    uint64_t offset;
    size_t blob_bytes;
};

// Records of a segment whose keys grow: bytes [from, end).
struct journal_run {
    int segment;
    uint64_t from, end;
};

struct journal_segment {
    char *path; // NULL where there is none
    int fd;     // -1 where not open
    uint64_t end;
};

struct journal {
    const char *folder;
    struct journal_owner owner;
    struct journal_segment segments[JOURNAL_SEGMENTS_MAX];
    struct journal_run *runs;
    size_t run_count, run_capacity;
    uint64_t record_count, record_bytes; // in the runs
};

// Whether the folder holds any segment. Never fails: what cannot be looked at is not there.
bool journal_exists(const char *folder);

// Removes all segments of a folder.
enum status_code journal_remove(const char *folder, struct status *status);

// Opens the segments of a folder (there may be none), scans them and cuts torn ends off. A segment of another owner is
// STATUS_INPUT, saying what differs; one whose header is not whole holds nothing and is removed. Checks every blob's
// CRC, so it reads everything once. folder and owner's text must stay until journal_close.
enum status_code journal_open(struct journal *journal, const char *folder, const struct journal_owner *owner,
                              struct status *status);
void journal_close(struct journal *journal);

// ---- Writing: each writer is one thread's, and has segment number `segment` for its own -----------------------

struct journal_writer {
    struct journal *journal;
    int segment;
    bool begun; // the segment is open; it is made with the first tile
    struct file_appender out;
    uint64_t run_from; // of the run being written
    tile_key next_key; // the least that may come in it
    uint64_t synced_bytes;
    double synced_s;
    uint64_t record_count;
    uint8_t *buffer;
};

enum status_code journal_writer_new(struct journal_writer *writer, struct journal *journal, int segment,
                                    struct status *status);

// Hands the tile to the operating system before it returns. Keys must grow. Makes the segment durable now and then
// (every JOURNAL_SYNC_BYTES or JOURNAL_SYNC_S).
#define JOURNAL_SYNC_BYTES (UINT64_C(256) << 20)
#define JOURNAL_SYNC_S 60.0
enum status_code journal_append(struct journal_writer *writer, const struct pack_entry *entry, struct status *status);

// Makes everything appended so far durable.
enum status_code journal_sync(struct journal_writer *writer, struct status *status);

// Adds the writer's run to the journal; not to be called from two threads at once. Also after a failed append.
enum status_code journal_writer_finish(struct journal_writer *writer, struct status *status);

// ---- Reading: all runs as one sequence of growing keys ---------------------------------------------------------

struct journal_cursor; // opaque; one thread's

// Over the runs that the journal has now; runs added later are not seen, appending to segments does not disturb.
enum status_code journal_cursor_new(struct journal_cursor **cursor, const struct journal *journal,
                                    struct status *status);
void journal_cursor_free(struct journal_cursor *cursor);

// The next record, or *found false at the end. A key that was baked twice comes once; if its two records are not
// equal that is STATUS_INPUT naming both files.
enum status_code journal_next(struct journal_cursor *cursor, bool *found, struct journal_record *record,
                              struct status *status);

// Reads a record's blobs into bytes (record->blob_bytes), checks their CRCs, and points record->entry at them.
enum status_code journal_read_blobs(const struct journal *journal, struct journal_record *record, uint8_t *bytes,
                                    struct status *status);

#endif
