// SPDX-License-Identifier: MIT
#include "formats/blob_window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"

struct blob_window {
    uint64_t added;    // ever; the newest stands at place (added - 1) % room
    uint32_t room;     // at most PACK_SMALL_WINDOW
    uint32_t *buckets; // 2 * room; place + 1 of a chain's newest, 0 for none
    struct small_blob blobs[];
};

enum status_code blob_window_new(struct blob_window **made, uint64_t most, struct status *status)
{
    uint32_t room = most < PACK_SMALL_WINDOW ? (uint32_t)most + 1 : PACK_SMALL_WINDOW;
    size_t bytes = sizeof(struct blob_window) + room * (sizeof(struct small_blob) + 2 * sizeof(uint32_t));
    struct blob_window *window = calloc(1, bytes);
    *made = window;
    if (!window)
        return status_fail_memory(status, "window of small blobs", bytes);
    window->room = room;
    window->buckets = (uint32_t *)(window->blobs + room);
    return STATUS_OK;
}

void blob_window_free(struct blob_window *window)
{
    free(window);
}

uint32_t blob_window_room(const struct blob_window *window)
{
    return window->room;
}

static uint32_t *bucket_of(const struct blob_window *window, const uint8_t digest[SHA256_BYTES])
{
    return &window->buckets[get_u32le(digest) % (2 * window->room)];
}

const struct small_blob *blob_window_find(const struct blob_window *window, const uint8_t digest[SHA256_BYTES])
{
    for (uint32_t k = *bucket_of(window, digest); k; k = window->blobs[k - 1].next) {
        if (memcmp(window->blobs[k - 1].digest, digest, SHA256_BYTES) == 0)
            return &window->blobs[k - 1];
    }
    return NULL;
}

const struct small_blob *blob_window_at(const struct blob_window *window, uint64_t offset)
{
    // By age the offsets grow, so that halving finds it.
    uint64_t end = window->added, low = end > window->room ? end - window->room : 0, high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (window->blobs[middle % window->room].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    const struct small_blob *blob = &window->blobs[low % window->room];
    return low < end && blob->offset == offset ? blob : NULL;
}

static void drop(struct blob_window *window, const struct small_blob *oldest)
{
    uint32_t *link = bucket_of(window, oldest->digest);
    while (*link != oldest->place + 1)
        link = &window->blobs[*link - 1].next;
    *link = oldest->next;
}

const struct small_blob *blob_window_add(struct blob_window *window, const uint8_t digest[SHA256_BYTES],
                                         uint64_t offset, uint32_t length)
{
    assert(!blob_window_find(window, digest));
    uint32_t place = (uint32_t)(window->added % window->room);
    struct small_blob *blob = &window->blobs[place];
    if (window->added >= window->room)
        drop(window, blob);
    uint32_t *bucket = bucket_of(window, digest);
    *blob = (struct small_blob){.offset = offset, .length = length, .place = place, .next = *bucket};
    memcpy(blob->digest, digest, SHA256_BYTES);
    *bucket = place + 1;
    window->added++;
    return blob;
}
