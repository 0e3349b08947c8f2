// SPDX-License-Identifier: MIT
// A bump allocator over memory that the owner brings. Each worker owns one; the per-tile path
// takes its scratch from it and never calls malloc.
//
// A struct arena passed by value is scratch: what the callee takes is free again when it returns.
// Passed by pointer, what the callee takes stays taken. Nothing is ever freed one by one.
// Not for sharing between threads.
#ifndef TERRANE_COMMON_ARENA_H
#define TERRANE_COMMON_ARENA_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

// Wide enough for every vector width and for a cache line, so that blocks of two owners never share one.
#define ARENA_ALIGNMENT 64

struct arena {
    unsigned char *at;
    unsigned char *end;
};

static inline struct arena arena_over(void *memory, size_t size_bytes)
{
    // Nothing may be added to NULL, not even 0.
    struct arena arena = {memory, memory ? (unsigned char *)memory + size_bytes : NULL};
    return arena;
}

// Room for count items of item_bytes each, aligned to ARENA_ALIGNMENT, contents undefined.
// NULL when it does not fit; owners that size an arena from a *_bound function may assert.
static inline void *arena_take(struct arena *arena, size_t count, size_t item_bytes)
{
    assert(item_bytes > 0);
    size_t padding = (size_t)(-(uintptr_t)arena->at & (ARENA_ALIGNMENT - 1));
    size_t left = (size_t)(arena->end - arena->at);
    if (padding > left || count > (left - padding) / item_bytes)
        return NULL;
    unsigned char *memory = arena->at + padding;
    arena->at = memory + count * item_bytes;
    return memory;
}

// What arena_take(count, item_bytes) uses at most, for adding up the size of an arena.
static inline size_t arena_bound(size_t count, size_t item_bytes)
{
    return count * item_bytes + ARENA_ALIGNMENT;
}

#endif
