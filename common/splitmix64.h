// SPDX-License-Identifier: MIT
// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): hashes and random numbers that
// are the same everywhere. What planets look like hangs on it.
#ifndef TERRANE_COMMON_SPLITMIX64_H
#define TERRANE_COMMON_SPLITMIX64_H

#include <stdint.h>

// Its finaliser, a bijection: every bit of the result depends on every bit of z.
static inline uint64_t splitmix64_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

// The next of a sequence of uniform 64-bit numbers; any state is a good seed.
static inline uint64_t splitmix64_next(uint64_t *state)
{
    return splitmix64_mix(*state += UINT64_C(0x9E3779B97F4A7C15));
}

#endif
