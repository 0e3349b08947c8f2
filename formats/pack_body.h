// SPDX-License-Identifier: MIT
// The bytes of a pack after its header, read once from front to back in large pieces and hashed on the way.
#ifndef TERRANE_FORMATS_PACK_BODY_H
#define TERRANE_FORMATS_PACK_BODY_H

#include "formats/pack_file.h"

struct pack_body {
    const struct pack *pack;
    uint64_t at; // file offset of the next byte to take
    struct sha256 hash;
    uint8_t *buffer;
    size_t room, start, held; // bytes in the buffer: held of them from start
    void (*progress)(void *context, uint64_t bytes_done);
    void *context;
};

enum status_code pack_body_begin(struct pack_body *body, const struct pack *pack, struct status *status);
void pack_body_end(struct pack_body *body); // frees; also after a failed begin

// The next size bytes (at most PACK_BLOB_MAX, and within the file), valid until the next call.
enum status_code pack_body_take(struct pack_body *body, size_t size, const uint8_t **bytes, struct status *status);

#endif
