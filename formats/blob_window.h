// SPDX-License-Identifier: MIT
// The small blobs that a pack's writer may point to again: the last PACK_SMALL_WINDOW distinct ones, first in, first
// out; a blob that is found does not move up (pack.md, section 5.3). The checker keeps the same window.
//
// Two blobs are taken for equal when their SHA-256 is: nobody can make two that differ, so no bytes are read back.
// One thread's. Allocated once, at most about 3.5 MiB.
#ifndef TERRANE_FORMATS_BLOB_WINDOW_H
#define TERRANE_FORMATS_BLOB_WINDOW_H

#include "formats/pack.h"

struct blob_window; // opaque

struct small_blob {
    uint8_t digest[SHA256_BYTES]; // of the stored bytes
    uint64_t offset;
    uint32_t length;
    uint32_t place; // 0..PACK_SMALL_WINDOW-1, its own while it is in the window
    uint32_t next;  // the window's own: place + 1 in the same bucket
};

// most: how many blobs can come at most; a window that they cannot fill is made smaller. A caller that then brings
// more loses the oldest too early and nothing else.
enum status_code blob_window_new(struct blob_window **window, uint64_t most, struct status *status);
void blob_window_free(struct blob_window *window);

// How many blobs it holds at most; places are below it.
uint32_t blob_window_room(const struct blob_window *window);

// NULL when no such blob is in the window.
const struct small_blob *blob_window_find(const struct blob_window *window, const uint8_t digest[SHA256_BYTES]);

// The blob that begins at offset, or NULL.
const struct small_blob *blob_window_at(const struct blob_window *window, uint64_t offset);

// Takes in a blob that is not there yet, at a greater offset than all before, and drops the oldest when full.
const struct small_blob *blob_window_add(struct blob_window *window, const uint8_t digest[SHA256_BYTES],
                                         uint64_t offset, uint32_t length);

#endif
