// SPDX-License-Identifier: MIT
// Blobs of a pack read mostly in the order in which they stand in the file: many come with one read. One thread's.
#ifndef TERRANE_FORMATS_BLOB_READER_H
#define TERRANE_FORMATS_BLOB_READER_H

#include "formats/pack.h"

struct blob_reader; // opaque; holds 256 KiB

enum status_code blob_reader_new(struct blob_reader **made, struct status *status);
void blob_reader_free(struct blob_reader *reader);

// Before the first blob of a pack, and again before the pack is another one.
void blob_reader_open(struct blob_reader *reader, const struct pack *pack);

// As pack_read_blob() of the pack.
enum status_code blob_reader_read(struct blob_reader *reader, const struct pack_blob *blob, uint8_t *bytes,
                                  struct status *status);

#endif
