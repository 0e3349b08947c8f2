// SPDX-License-Identifier: MIT
#include "formats/deflate_count.h"

#include <string.h>

#include "common/byteorder.h"
#include "formats/deflate_header.h"
#include "formats/deflate_runs.h"

void deflate_count_bytes(uint32_t (*tables)[256], const uint8_t *source, size_t size_bytes)
{
    _Static_assert(DEFLATE_TABLES == 4, "so that equal neighbours do not wait for each other's store");
    size_t k = 0;
    for (; k + 8 <= size_bytes; k += 8) {
        uint64_t v = get_u64le(source + k);
        tables[0][v & 255]++;
        tables[1][v >> 8 & 255]++;
        tables[2][v >> 16 & 255]++;
        tables[3][v >> 24 & 255]++;
        tables[0][v >> 32 & 255]++;
        tables[1][v >> 40 & 255]++;
        tables[2][v >> 48 & 255]++;
        tables[3][v >> 56]++;
    }
    for (; k < size_bytes; k++)
        tables[0][source[k]]++;
}

void deflate_count_literals(uint32_t *counts, const uint8_t *source, size_t size_bytes, const uint32_t *edges,
                            size_t run_count, uint32_t (*tables)[256], const struct deflate_kernels *kernels)
{
    memset(tables, 0, DEFLATE_TABLES * sizeof *tables);
    size_t at = 0;
    for (size_t k = 0; k < run_count; k++) {
        if (deflate_run_bytes(edges, k) < kernels->step_over_bytes)
            continue;
        kernels->count_bytes(tables, source + at, edges[2 * k] - at);
        tables[0][source[edges[2 * k]]] += deflate_run_bytes(edges, k);
        at = edges[2 * k + 1];
    }
    kernels->count_bytes(tables, source + at, size_bytes - at);
    memset(counts, 0, DEFLATE_LITERALS * sizeof *counts);
    for (int k = 0; k < 256; k++)
        counts[k] = tables[0][k] + tables[1][k] + tables[2][k] + tables[3][k];
    counts[DEFLATE_END_OF_BLOCK] = 1;
}

static uint32_t count_match(uint32_t *counts, uint32_t match_bytes)
{
    struct deflate_length length = deflate_length_of(match_bytes);
    counts[DEFLATE_END_OF_BLOCK + 1 + length.index]++;
    return length.extra_bits + 1;
}

uint64_t deflate_count_matches(uint32_t *counts, const uint32_t *literal_counts, const uint8_t *source,
                               const uint32_t *edges, size_t run_count)
{
    uint64_t bits = 0;
    memcpy(counts, literal_counts, DEFLATE_LITERALS * sizeof *counts);
    for (size_t k = 0; k < run_count; k++) {
        uint32_t left = deflate_run_bytes(edges, k);
        counts[source[edges[2 * k]]] -= left;
        while (left > DEFLATE_MATCH_MAX) {
            uint32_t match_bytes = deflate_cut_match(left);
            bits += count_match(counts, match_bytes);
            left -= match_bytes;
        }
        bits += count_match(counts, left);
    }
    return bits;
}
