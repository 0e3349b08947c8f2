// SPDX-License-Identifier: MIT
#include "formats/blob_window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/byteorder.h"

#define BUCKET_COUNT (2 * PACK_SMALL_WINDOW)

struct blob_window {
    uint64_t added;                 // ever; the newest stands at place (added - 1) % PACK_SMALL_WINDOW
    uint32_t buckets[BUCKET_COUNT]; // place + 1 of a chain's newest, 0 for none
    struct small_blob blobs[PACK_SMALL_WINDOW];
};

enum status_code blob_window_new(struct blob_window **window, struct status *status)
{
    *window = calloc(1, sizeof **window);
    if (!*window)
        return status_fail_memory(status, "window of small blobs", sizeof **window);
    return STATUS_OK;
}

void blob_window_free(struct blob_window *window)
{
    free(window);
}

static uint32_t bucket_of(const uint8_t digest[SHA256_BYTES])
{
    return get_u32le(digest) % BUCKET_COUNT;
}

const struct small_blob *blob_window_find(const struct blob_window *window, const uint8_t digest[SHA256_BYTES])
{
    for (uint32_t k = window->buckets[bucket_of(digest)]; k; k = window->blobs[k - 1].next) {
        if (memcmp(window->blobs[k - 1].digest, digest, SHA256_BYTES) == 0)
            return &window->blobs[k - 1];
    }
    return NULL;
}

const struct small_blob *blob_window_at(const struct blob_window *window, uint64_t offset)
{
    // By age the offsets grow, so that halving finds it.
    uint64_t end = window->added, low = end > PACK_SMALL_WINDOW ? end - PACK_SMALL_WINDOW : 0, high = end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (window->blobs[middle % PACK_SMALL_WINDOW].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    const struct small_blob *blob = &window->blobs[low % PACK_SMALL_WINDOW];
    return low < end && blob->offset == offset ? blob : NULL;
}

static void drop(struct blob_window *window, const struct small_blob *oldest)
{
    uint32_t *link = &window->buckets[bucket_of(oldest->digest)];
    while (*link != oldest->place + 1)
        link = &window->blobs[*link - 1].next;
    *link = oldest->next;
}

const struct small_blob *blob_window_add(struct blob_window *window, const uint8_t digest[SHA256_BYTES],
                                         uint64_t offset, uint32_t length)
{
    assert(!blob_window_find(window, digest));
    uint32_t place = (uint32_t)(window->added % PACK_SMALL_WINDOW);
    struct small_blob *blob = &window->blobs[place];
    if (window->added >= PACK_SMALL_WINDOW)
        drop(window, blob);
    uint32_t *bucket = &window->buckets[bucket_of(digest)];
    *blob = (struct small_blob){.offset = offset, .length = length, .place = place, .next = *bucket};
    memcpy(blob->digest, digest, SHA256_BYTES);
    *bucket = place + 1;
    window->added++;
    return blob;
}
