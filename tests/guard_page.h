// SPDX-License-Identifier: MIT
// Memory that ends exactly where an unreadable page begins: reading or writing one byte too far kills the test.
#ifndef TERRANE_TESTS_GUARD_PAGE_H
#define TERRANE_TESTS_GUARD_PAGE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard_page {
    uint8_t *memory; // whole pages, then the guard
    size_t capacity;
    size_t mapped_bytes;
};

// Room for up to capacity bytes. Aborts where the system refuses.
static inline struct guard_page guard_page_new(size_t capacity)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct guard_page guard = {.capacity = (capacity + page - 1) / page * page};
    guard.mapped_bytes = guard.capacity + page;
    int fd = open("/dev/zero", O_RDWR);
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, guard.mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (memory == MAP_FAILED || mprotect((uint8_t *)memory + guard.capacity, page, PROT_NONE) != 0)
        abort();
    close(fd);
    guard.memory = memory;
    return guard;
}

// The last size_bytes bytes before the guard.
static inline uint8_t *guard_page_tail(const struct guard_page *guard, size_t size_bytes)
{
    if (size_bytes > guard->capacity)
        abort();
    return guard->memory + guard->capacity - size_bytes;
}

// A copy of bytes that ends at the guard.
static inline uint8_t *guard_page_copy(const struct guard_page *guard, const void *bytes, size_t size_bytes)
{
    uint8_t *tail = guard_page_tail(guard, size_bytes);
    if (size_bytes > 0)
        memcpy(tail, bytes, size_bytes);
    return tail;
}

static inline void guard_page_free(struct guard_page *guard)
{
    munmap(guard->memory, guard->mapped_bytes);
}

#endif
