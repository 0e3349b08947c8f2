// SPDX-License-Identifier: MIT
#include "formats/pack_body.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/file_io.h"

// Small enough to stay in the second-level cache between reading, hashing and looking at it.
#define PIECE_BYTES (1u << 18)

enum status_code pack_body_begin(struct pack_body *body, const struct pack *pack, struct status *status)
{
    *body = (struct pack_body){.pack = pack, .at = PACK_HEADER_BYTES, .room = PIECE_BYTES};
    sha256_begin(&body->hash);
    body->buffer = malloc(body->room);
    return body->buffer ? STATUS_OK : status_fail_memory(status, "read buffer", body->room);
}

void pack_body_end(struct pack_body *body)
{
    free(body->buffer);
    body->buffer = NULL;
}

static enum status_code fill(struct pack_body *body, size_t wanted, struct status *status)
{
    if (wanted > body->room) {
        uint8_t *grown = realloc(body->buffer, wanted);
        if (!grown)
            return status_fail_memory(status, "read buffer", wanted);
        body->buffer = grown;
        body->room = wanted;
    }
    memmove(body->buffer, body->buffer + body->start, body->held);
    body->start = 0;
    const struct pack *pack = body->pack;
    uint64_t next = body->at + body->held, left = pack->header.file_bytes - next;
    size_t size = left < body->room - body->held ? (size_t)left : body->room - body->held;
    uint8_t *to = body->buffer + body->held;
    enum status_code code = file_read_at(pack->fd, to, size, next, pack->path, status);
    if (code)
        return code;
    sha256_add(&body->hash, to, size);
    body->held += size;
    if (body->progress)
        body->progress(body->context, next + size);
    return STATUS_OK;
}

enum status_code pack_body_take(struct pack_body *body, size_t size, const uint8_t **bytes, struct status *status)
{
    assert(size <= PACK_BLOB_MAX && size <= body->pack->header.file_bytes - body->at);
    if (size > body->held) {
        enum status_code code = fill(body, size, status);
        if (code)
            return code;
    }
    *bytes = body->buffer + body->start;
    body->start += size;
    body->held -= size;
    body->at += size;
    return STATUS_OK;
}
