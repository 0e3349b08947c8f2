// SPDX-License-Identifier: MIT
// How often a block's symbols occur, with and without its runs. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_COUNT_H
#define TERRANE_FORMATS_DEFLATE_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "formats/deflate_kernels.h"

// Adds the bytes to DEFLATE_TABLES tables (deflate_kernels.h).
void deflate_count_bytes(uint32_t (*tables)[256], const uint8_t *source, size_t size_bytes);

// counts[DEFLATE_LITERALS] of a block whose bytes are all literals, its end included. edges: its runs
// (deflate_runs.h), which only save time here. tables is working memory: DEFLATE_TABLES of them.
void deflate_count_literals(uint32_t *counts, const uint8_t *source, size_t size_bytes, const uint32_t *edges,
                            size_t run_count, uint32_t (*tables)[256], const struct deflate_kernels *kernels);

// The same block with its runs as matches instead. Returns the bits that matches take beside their length codes.
uint64_t deflate_count_matches(uint32_t *counts, const uint32_t *literal_counts, const uint8_t *source,
                               const uint32_t *edges, size_t run_count);

#endif
