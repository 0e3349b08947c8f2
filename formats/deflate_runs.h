// SPDX-License-Identifier: MIT
// Runs of one byte value, to be coded as matches of distance 1. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_RUNS_H
#define TERRANE_FORMATS_DEFLATE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEFLATE_MATCH_MIN 3
#define DEFLATE_MATCH_MAX 258

// The shortest run that is coded as a match. Where shorter ones are common, each is a surprise to the processor: 8 made
// predicted land half a percent smaller at a tenth less speed, 16 half a percent larger at 4 % more.
#define DEFLATE_RUN_MIN 12

// Edges for the runs of size_bytes bytes: each run has a byte before it that is not in it, and two edges. As many as
// DEFLATE_EDGES_SLACK may be written beyond the last.
#define DEFLATE_EDGES_SLACK 2
#define DEFLATE_EDGES_MAX(size_bytes) ((size_bytes) / (DEFLATE_RUN_MIN + 1) * 2 + DEFLATE_EDGES_SLACK)

// Finds all runs of at least DEFLATE_RUN_MIN bytes that equal the byte before them, in order, and returns their number:
// run k is source[edges[2k]] to source[edges[2k + 1] - 1].
size_t deflate_find_runs(uint32_t *edges, const uint8_t *source, size_t size_bytes);

static inline uint32_t deflate_run_bytes(const uint32_t *edges, size_t run)
{
    return edges[2 * run + 1] - edges[2 * run];
}

// Cuts the next match off a run that is longer than one, so that neither 1 nor 2 bytes ever stay behind.
static inline uint32_t deflate_cut_match(uint32_t run_bytes)
{
    return run_bytes < DEFLATE_MATCH_MAX + DEFLATE_MATCH_MIN ? DEFLATE_MATCH_MAX - DEFLATE_MATCH_MIN
                                                             : DEFLATE_MATCH_MAX;
}

// A match length's code (RFC 1951, section 3.2.5): symbol 257 + index, then extra_bits bits of value extra.
struct deflate_length {
    uint32_t index;
    uint32_t extra_bits;
    uint32_t extra;
};

static inline struct deflate_length deflate_length_of(uint32_t match_bytes)
{
    // Four codes to an octave from 4 + 3 on, the first without extra bits; 258 has a code of its own.
    uint32_t v = match_bytes - DEFLATE_MATCH_MIN;
    uint32_t bits = 29 - (uint32_t)__builtin_clz(v | 4);
    struct deflate_length length = {4 * bits + (v >> bits), bits, v & ((1u << bits) - 1)};
    return match_bytes == DEFLATE_MATCH_MAX ? (struct deflate_length){28, 0, 0} : length;
}

#endif
