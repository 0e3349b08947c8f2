// SPDX-License-Identifier: MIT
#include "bake/tile_cache.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define SLOTS_MAX 65536u
#define SLOT_ALIGNMENT 64
#define NONE UINT32_MAX

// One slot's bookkeeping. Free slots are at the old end of the list and hold no key.
struct entry {
    tile_key key;
    bool used;
    uint32_t newer, older; // neighbours in the order of use
    uint32_t chain;        // next in the same bucket
};

struct tile_cache {
    uint32_t count, bucket_mask;
    uint32_t newest, oldest;
    size_t slot_bytes;
    struct entry *entries;
    uint32_t *buckets;
    unsigned char *slots;
};

// Fibonacci hashing: keys of one level differ in their low bits only.
static uint32_t bucket_of(const struct tile_cache *cache, tile_key key)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) & cache->bucket_mask;
}

static void list_remove(struct tile_cache *cache, uint32_t slot)
{
    const struct entry *entry = &cache->entries[slot];
    if (entry->newer != NONE)
        cache->entries[entry->newer].older = entry->older;
    else
        cache->newest = entry->older;
    if (entry->older != NONE)
        cache->entries[entry->older].newer = entry->newer;
    else
        cache->oldest = entry->newer;
}

static void list_add_newest(struct tile_cache *cache, uint32_t slot)
{
    cache->entries[slot].newer = NONE;
    cache->entries[slot].older = cache->newest;
    if (cache->newest != NONE)
        cache->entries[cache->newest].newer = slot;
    else
        cache->oldest = slot;
    cache->newest = slot;
}

static void list_add_oldest(struct tile_cache *cache, uint32_t slot)
{
    cache->entries[slot].older = NONE;
    cache->entries[slot].newer = cache->oldest;
    if (cache->oldest != NONE)
        cache->entries[cache->oldest].older = slot;
    else
        cache->newest = slot;
    cache->oldest = slot;
}

enum status_code tile_cache_new(struct tile_cache **cache, size_t slot_bytes, size_t budget_bytes, size_t slots_min,
                                uint64_t tile_count, struct status *status)
{
    assert(slot_bytes > 0 && slots_min > 0 && slots_min <= SLOTS_MAX);
    slot_bytes = (slot_bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    size_t count = budget_bytes / slot_bytes;
    count = count > tile_count ? (size_t)tile_count : count;
    count = count < slots_min ? slots_min : count > SLOTS_MAX ? SLOTS_MAX : count;
    size_t buckets = 1;
    while (buckets < 2 * count)
        buckets *= 2;

    struct tile_cache *made = calloc(1, sizeof *made);
    if (made) {
        made->entries = calloc(count, sizeof *made->entries);
        made->buckets = malloc(buckets * sizeof *made->buckets);
        made->slots = aligned_alloc(SLOT_ALIGNMENT, count * slot_bytes);
    }
    if (!made || !made->entries || !made->buckets || !made->slots) {
        tile_cache_free(made);
        return status_fail_memory(status, "tile cache", count * slot_bytes);
    }
    made->count = (uint32_t)count;
    made->bucket_mask = (uint32_t)buckets - 1;
    made->slot_bytes = slot_bytes;
    made->newest = made->oldest = NONE;
    for (size_t k = 0; k < buckets; k++)
        made->buckets[k] = NONE;
    for (uint32_t slot = 0; slot < made->count; slot++)
        list_add_oldest(made, slot);
    *cache = made;
    return STATUS_OK;
}

void tile_cache_free(struct tile_cache *cache)
{
    if (!cache)
        return;
    free(cache->entries);
    free(cache->buckets);
    free(cache->slots);
    free(cache);
}

static uint32_t find_slot(const struct tile_cache *cache, tile_key key)
{
    uint32_t slot = cache->buckets[bucket_of(cache, key)];
    while (slot != NONE && cache->entries[slot].key != key)
        slot = cache->entries[slot].chain;
    return slot;
}

static void unchain(struct tile_cache *cache, uint32_t slot)
{
    uint32_t *link = &cache->buckets[bucket_of(cache, cache->entries[slot].key)];
    while (*link != slot)
        link = &cache->entries[*link].chain;
    *link = cache->entries[slot].chain;
    cache->entries[slot].used = false;
}

void *tile_cache_get(struct tile_cache *cache, tile_key key)
{
    uint32_t slot = find_slot(cache, key);
    if (slot == NONE)
        return NULL;
    if (slot != cache->newest) {
        list_remove(cache, slot);
        list_add_newest(cache, slot);
    }
    return cache->slots + slot * cache->slot_bytes;
}

void *tile_cache_put(struct tile_cache *cache, tile_key key)
{
    assert(find_slot(cache, key) == NONE);
    uint32_t slot = cache->oldest;
    struct entry *entry = &cache->entries[slot];
    if (entry->used)
        unchain(cache, slot);
    list_remove(cache, slot);
    list_add_newest(cache, slot);
    uint32_t bucket = bucket_of(cache, key);
    entry->key = key;
    entry->used = true;
    entry->chain = cache->buckets[bucket];
    cache->buckets[bucket] = slot;
    return cache->slots + slot * cache->slot_bytes;
}

void tile_cache_drop(struct tile_cache *cache, tile_key key)
{
    uint32_t slot = find_slot(cache, key);
    assert(slot != NONE);
    unchain(cache, slot);
    list_remove(cache, slot);
    list_add_oldest(cache, slot);
}
