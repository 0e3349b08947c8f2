// SPDX-License-Identifier: MIT
// Little-endian integers in byte buffers, at any alignment, and the big-endian ones that PNG and
// zlib streams need. The only file that knows about byte order; nothing writes a struct as bytes.
#ifndef TERRANE_COMMON_BYTEORDER_H
#define TERRANE_COMMON_BYTEORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Whether integers in memory are little-endian, so that their bytes need no copying to be hashed.
static inline bool memory_is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint16_t get_u16le(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t get_u32le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t get_u64le(const uint8_t *p)
{
    return (uint64_t)get_u32le(p) | (uint64_t)get_u32le(p + 4) << 32;
}

static inline int32_t get_i32le(const uint8_t *p)
{
    return (int32_t)get_u32le(p);
}

static inline uint32_t get_u32be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline void put_u16le(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void put_u32le(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void put_u64le(uint8_t *p, uint64_t v)
{
    put_u32le(p, (uint32_t)v);
    put_u32le(p + 4, (uint32_t)(v >> 32));
}

static inline void put_i32le(uint8_t *p, int32_t v)
{
    put_u32le(p, (uint32_t)v);
}

static inline void put_u32be(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

#endif
