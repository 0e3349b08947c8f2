// SPDX-License-Identifier: MIT
// A journal segment's bytes, shared by writer (journal_write.c), scan (journal.c) and merge (journal_read.c).
//
// Header: magic 8, share u32, share count u32, metadata length u32, metadata CRC u32, CRC of these 24 bytes u32; then
// the metadata's text, which also serves as fingerprint. Record head: magic 4, key u64, min i32, max i32, error u32;
// three times length u32, CRC u32, content hash 32 (zero for layers that are not there); CRC of these 144 bytes u32.
#ifndef TERRANE_BAKE_JOURNAL_LAYOUT_H
#define TERRANE_BAKE_JOURNAL_LAYOUT_H

#include "bake/journal.h"

#define JOURNAL_HEADER_BYTES 28
#define JOURNAL_MAGIC "TRNJRN1\n"

void journal_header_encode(uint8_t bytes[JOURNAL_HEADER_BYTES], const struct journal_owner *owner);

// Share, share count and the length and CRC of the text behind it; false where it is no whole header.
bool journal_header_decode(const uint8_t bytes[JOURNAL_HEADER_BYTES], uint32_t *share, uint32_t *share_count,
                           uint32_t *metadata_length, uint32_t *metadata_crc);

void journal_head_encode(uint8_t bytes[JOURNAL_HEAD_BYTES], const struct pack_entry *entry);

// False where it is no whole head, names no node, or has other layers than these. Fills in entry (without blobs) and
// *blob_bytes, which is at most LAYER_COUNT * PACK_BLOB_MAX.
bool journal_head_decode(const uint8_t bytes[JOURNAL_HEAD_BYTES], unsigned layers, struct pack_entry *entry,
                         size_t *blob_bytes);

// Whether the blobs, one after another, have the CRCs of the entry. Points the entry at them.
bool journal_blobs_whole(struct pack_entry *entry, const uint8_t *bytes);

// Path of a segment: malloc'd, or NULL when out of memory.
char *journal_segment_path(const char *folder, int segment);

// Which segment a file's name is of, -1 if none.
int journal_segment_number(const char *name);

// Reads a part of a segment that must be there. Trouble with work files is STATUS_RESOURCE, not a fault of input.
enum status_code journal_read(const struct journal_segment *segment, void *bytes, size_t size, uint64_t offset,
                              struct status *status);

// Adds a run; an empty one is left out.
enum status_code journal_add_run(struct journal *journal, int segment, uint64_t from, uint64_t end,
                                 struct status *status);

#endif
