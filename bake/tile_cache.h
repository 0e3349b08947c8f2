// SPDX-License-Identifier: MIT
// A fixed number of slots of a fixed size, found by tile key; the least recently used one gives way.
// What a slot holds is the owner's business. All memory is taken at the start; not for sharing between
// threads.
#ifndef TERRANE_BAKE_TILE_CACHE_H
#define TERRANE_BAKE_TILE_CACHE_H

#include <stddef.h>

#include "common/status.h"
#include "common/tile_key.h"

struct tile_cache; // opaque

// As many slots as fit in budget_bytes, but not more than there are tiles (tile_count), at least slots_min and at most
// 65,536. Slots are aligned to 64 bytes; their contents are undefined until the owner fills them in.
enum status_code tile_cache_new(struct tile_cache **cache, size_t slot_bytes, size_t budget_bytes, size_t slots_min,
                                uint64_t tile_count, struct status *status);
void tile_cache_free(struct tile_cache *cache);

// The slot of key, which becomes the most recently used one, or NULL.
void *tile_cache_get(struct tile_cache *cache, tile_key key);

// A slot for key, which must not be there, in place of the least recently used one. The slots_min - 1 slots
// used last before this one stay as they are.
void *tile_cache_put(struct tile_cache *cache, tile_key key);

// Forgets key, for an owner that could not fill in its slot.
void tile_cache_drop(struct tile_cache *cache, tile_key key);

#endif
