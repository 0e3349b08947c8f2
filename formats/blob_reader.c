// SPDX-License-Identifier: MIT
#include "formats/blob_reader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/file_io.h"
#include "formats/pack_file.h"

#define HELD_MAX ((size_t)1 << 18)
#define ALONE_BYTES (HELD_MAX / 4) // a blob from this size on is read by itself

struct blob_reader {
    const struct pack *pack;
    uint64_t offset; // in the file, of the bytes held
    size_t held;
    uint8_t bytes[HELD_MAX];
};

enum status_code blob_reader_new(struct blob_reader **made, struct status *status)
{
    *made = malloc(sizeof **made);
    if (!*made)
        return status_fail_memory(status, "a reader of blobs", sizeof **made);
    blob_reader_open(*made, NULL);
    return STATUS_OK;
}

void blob_reader_free(struct blob_reader *reader)
{
    free(reader);
}

void blob_reader_open(struct blob_reader *reader, const struct pack *pack)
{
    reader->pack = pack;
    reader->offset = 0;
    reader->held = 0;
}

static bool holds(const struct blob_reader *reader, const struct pack_blob *blob)
{
    uint64_t from = blob->offset - reader->offset;
    return blob->offset >= reader->offset && from <= reader->held && blob->length <= reader->held - from;
}

enum status_code blob_reader_read(struct blob_reader *reader, const struct pack_blob *blob, uint8_t *bytes,
                                  struct status *status)
{
    const struct pack *pack = reader->pack;
    assert(blob->length > 0 && blob->offset < pack->header.file_bytes);
    // A small blob that many tiles share lies far back: what is held is still wanted.
    if (blob->length >= ALONE_BYTES || blob->offset < reader->offset)
        return pack_read_blob(pack, blob, bytes, status);
    if (!holds(reader, blob)) {
        uint64_t left = pack->header.file_bytes - blob->offset;
        size_t size = left < HELD_MAX ? (size_t)left : HELD_MAX;
        reader->held = 0;
        enum status_code code = file_read_at(pack->fd, reader->bytes, size, blob->offset, pack->path, status);
        if (code)
            return code;
        reader->offset = blob->offset;
        reader->held = size;
    }
    assert(holds(reader, blob)); // pack_find() knows no blobs that reach beyond the file
    memcpy(bytes, reader->bytes + (blob->offset - reader->offset), blob->length);
    return pack_check_blob(pack, blob, bytes, status);
}
