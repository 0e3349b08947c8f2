// SPDX-License-Identifier: MIT
// How runs are found, given how 64 bytes are compared with those before them. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_RUN_LOOP_H
#define TERRANE_FORMATS_DEFLATE_RUN_LOOP_H

#include "formats/deflate_runs.h"

// Marks in a row, looked for 64 positions at a time: bit k of twos tells that marks k - 1 and k are set, and so on.
struct run_finder {
    uint64_t ones, twos, fours, eights, runs; // of the last word
};

// bits moved on by count positions, the topmost bits of the word before moving in.
static inline uint64_t moved(uint64_t bits, uint64_t before, int count)
{
    return count == 0 ? bits : bits << count | before >> (64 - count);
}

// Where in the 64 positions a run of at least DEFLATE_RUN_MIN marks is found to begin (which shows at its
// DEFLATE_RUN_MINth mark) or to have ended.
static inline uint64_t run_edges(struct run_finder *finder, uint64_t ones)
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

// Notes where the bits of found are. Where there is one, nobody can foretell whether there is another: the first two
// are noted without a branch.
static inline size_t note_edges(uint32_t *edges, size_t count, uint64_t found, size_t at)
{
    if (found == 0)
        return count;
    const uint64_t top = UINT64_C(1) << 63; // keeps the count of zeros defined
    for (int k = 0; k < DEFLATE_EDGES_SLACK; k++) {
        edges[count] = (uint32_t)(at + (size_t)__builtin_ctzll(found | top));
        count += found != 0;
        found &= found - 1;
    }
    for (; found != 0; found &= found - 1)
        edges[count++] = (uint32_t)(at + (size_t)__builtin_ctzll(found));
    return count;
}

// deflate_find_runs, where bit k of equal_64(p) tells whether p[k] equals p[k - 1].
static inline __attribute__((always_inline)) size_t find_runs_by(uint64_t (*equal_64)(const uint8_t *), uint32_t *edges,
                                                                 const uint8_t *source, size_t size_bytes)
{
    struct run_finder finder = {0, 0, 0, 0, 0};
    size_t count = 0, at = 1;
    for (; at + 64 <= size_bytes; at += 64)
        count = note_edges(edges, count, run_edges(&finder, equal_64(source + at)), at);
    // The last word has room for the end of a run that reaches the end.
    uint64_t equal = 0;
    for (size_t k = at; k < size_bytes; k++)
        equal |= (uint64_t)(source[k] == source[k - 1]) << (k - at);
    count = note_edges(edges, count, run_edges(&finder, equal), at);
    // A run shows at its DEFLATE_RUN_MINth mark.
    for (size_t k = 0; k < count; k += 2)
        edges[k] -= DEFLATE_RUN_MIN - 1;
    return count / 2;
}

#endif
