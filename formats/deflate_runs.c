// SPDX-License-Identifier: MIT
#include "formats/deflate_runs.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include "common/byteorder.h"
#endif

// Bit k tells whether source[k] equals the byte before it, for 64 bytes.
static inline uint64_t equal_64(const uint8_t *source)
{
    uint64_t equal = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 64; k += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(source + k));
        __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(source + k - 1));
        equal |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(here, before)) << k;
    }
#else
    const uint64_t low7 = UINT64_C(0x7F7F7F7F7F7F7F7F);
    for (int k = 0; k < 64; k += 8) {
        uint64_t differences = get_u64le(source + k) ^ get_u64le(source + k - 1);
        // The top bit of every byte that is zero, exactly: no carry leaves its byte.
        uint64_t zeros = ~(((differences & low7) + low7) | differences | low7);
        // The product gathers the eight top bits in the top byte.
        equal |= (zeros >> 7) * UINT64_C(0x0102040810204080) >> 56 << k;
    }
#endif
    return equal;
}

// Marks in a row, looked for 64 positions at a time: bit k of twos tells that marks k - 1 and k are set, and so on.
struct run_finder {
    uint64_t ones, twos, fours, eights, runs; // of the last word
};

// bits moved on by count positions, the topmost bits of the word before moving in.
static uint64_t moved(uint64_t bits, uint64_t before, int count)
{
    return count == 0 ? bits : bits << count | before >> (64 - count);
}

// Where in the 64 positions a run of at least DEFLATE_RUN_MIN marks is found to begin (which shows at its
// DEFLATE_RUN_MINth mark) or to have ended.
static uint64_t run_edges(struct run_finder *finder, uint64_t ones)
{
    _Static_assert(DEFLATE_RUN_MIN >= 8 && DEFLATE_RUN_MIN <= 16, "made of two overlapping eights");
    uint64_t twos = ones & moved(ones, finder->ones, 1);
    uint64_t fours = twos & moved(twos, finder->twos, 2);
    uint64_t eights = fours & moved(fours, finder->fours, 4);
    uint64_t runs = eights & moved(eights, finder->eights, DEFLATE_RUN_MIN - 8);
    uint64_t edges = runs ^ moved(runs, finder->runs, 1);
    *finder = (struct run_finder){ones, twos, fours, eights, runs};
    return edges;
}

size_t deflate_find_runs(uint32_t *edges, const uint8_t *source, size_t size_bytes)
{
    struct run_finder finder = {0, 0, 0, 0, 0};
    size_t count = 0, at = 1;
    for (bool more = true; more; at += 64) {
        uint64_t equal = 0;
        more = at + 64 <= size_bytes;
        if (more) {
            equal = equal_64(source + at);
        } else {
            // The last word has room for the end of a run that reaches the end.
            for (size_t k = at; k < size_bytes; k++)
                equal |= (uint64_t)(source[k] == source[k - 1]) << (k - at);
        }
        for (uint64_t found = run_edges(&finder, equal); found != 0; found &= found - 1) {
            size_t position = at + (size_t)__builtin_ctzll(found);
            edges[count] = (uint32_t)(position - (count % 2 == 0 ? DEFLATE_RUN_MIN - 1 : 0));
            count++;
        }
    }
    return count / 2;
}
