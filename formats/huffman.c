// SPDX-License-Identifier: MIT
#include "formats/huffman.h"

#include <assert.h>
#include <string.h>

struct leaf {
    uint32_t count;
    uint32_t symbol;
};

#define RADIX_BITS 6
#define RADIX (1u << RADIX_BITS)

// One pass of a radix sort by some bits of the count. Stable, which is what breaks ties by symbol number.
static void sort_pass(struct leaf *to, const struct leaf *from, int leaf_count, int shift)
{
    uint32_t places[RADIX] = {0}, sum = 0;
    for (int k = 0; k < leaf_count; k++)
        places[from[k].count >> shift & (RADIX - 1)]++;
    for (uint32_t k = 0; k < RADIX; k++) {
        uint32_t count = places[k];
        places[k] = sum;
        sum += count;
    }
    for (int k = 0; k < leaf_count; k++)
        to[places[from[k].count >> shift & (RADIX - 1)]++] = from[k];
}

// The symbols in use, rarest first.
static int sorted_leaves(struct leaf *leaves, const uint32_t *counts, int symbol_count)
{
    struct leaf other[HUFFMAN_SYMBOLS_MAX];
    uint32_t all = 0;
    int used = 0;
    for (int k = 0; k < symbol_count; k++) {
        leaves[used] = (struct leaf){counts[k], (uint32_t)k};
        used += counts[k] != 0;
        all |= counts[k];
    }
    for (int shift = 0; shift < 32 && all >> shift != 0; shift += 2 * RADIX_BITS) {
        sort_pass(other, leaves, used, shift);
        sort_pass(leaves, other, used, shift + RADIX_BITS);
    }
    return used;
}

// Huffman's algorithm over sorted leaves: the inner nodes come into being in order of weight, so that two queues
// do. parents[k] is the inner node above inner node k; the last, leaf_count - 2, is the root.
static void build_tree(uint16_t *parents, const struct leaf *leaves, int leaf_count)
{
    uint32_t weights[HUFFMAN_SYMBOLS_MAX];
    int leaf = 0, inner = 0;
    for (int made = 0; made < leaf_count - 1; made++) {
        uint32_t weight = 0;
        for (int side = 0; side < 2; side++) {
            // A leaf before an inner node of the same weight keeps the tree shallow.
            if (leaf < leaf_count && (inner == made || leaves[leaf].count <= weights[inner])) {
                weight += leaves[leaf++].count;
            } else {
                parents[inner] = (uint16_t)made;
                weight += weights[inner++];
            }
        }
        weights[made] = weight;
    }
}

// How many leaves the tree has at each depth 1..limit, those that lie deeper taken as being at limit.
static void count_depths(int *leaves_at, const uint16_t *parents, int leaf_count, int limit)
{
    uint16_t depths[HUFFMAN_SYMBOLS_MAX];
    int inner_at[HUFFMAN_LENGTH_MAX + 1] = {0}, root = leaf_count - 2;
    depths[root] = 0;
    inner_at[0] = 1;
    for (int k = root - 1; k >= 0; k--) {
        depths[k] = (uint16_t)(depths[parents[k]] + 1);
        if (depths[k] < limit)
            inner_at[depths[k]]++;
    }
    int left = leaf_count;
    for (int depth = 1; depth < limit; depth++) {
        leaves_at[depth] = 2 * inner_at[depth - 1] - inner_at[depth];
        left -= leaves_at[depth];
    }
    leaves_at[limit] = left;
}

// Makes the lengths possible again after leaves were lifted to limit: while they take more than the whole
// code space, the deepest leaf above limit goes down one step and takes one from limit as its sibling, which
// frees one code of length limit.
static void repair_depths(int *leaves_at, int limit)
{
    int excess = -(1 << limit);
    for (int depth = 1; depth <= limit; depth++)
        excess += leaves_at[depth] << (limit - depth);
    for (; excess > 0; excess--) {
        int depth = limit - 1;
        while (leaves_at[depth] == 0)
            depth--;
        leaves_at[depth]--;
        leaves_at[depth + 1] += 2;
        leaves_at[limit]--;
    }
    assert(excess == 0);
}

void huffman_lengths(uint8_t *lengths, const uint32_t *counts, int symbol_count, int limit)
{
    assert(symbol_count >= 2 && symbol_count <= HUFFMAN_SYMBOLS_MAX);
    assert(limit >= 1 && limit <= HUFFMAN_LENGTH_MAX && symbol_count <= 1 << limit);
    struct leaf leaves[HUFFMAN_SYMBOLS_MAX];
    memset(lengths, 0, (size_t)symbol_count);
    int used = sorted_leaves(leaves, counts, symbol_count);
    if (used < 2) {
        int only = used == 1 ? (int)leaves[0].symbol : 0;
        lengths[only] = 1;
        lengths[only == 0 ? 1 : 0] = 1;
        return;
    }
    uint16_t parents[HUFFMAN_SYMBOLS_MAX];
    int leaves_at[HUFFMAN_LENGTH_MAX + 1] = {0};
    build_tree(parents, leaves, used);
    count_depths(leaves_at, parents, used, limit);
    repair_depths(leaves_at, limit);
    int next = 0;
    for (int length = limit; length >= 1; length--) {
        for (int k = 0; k < leaves_at[length]; k++)
            lengths[leaves[next++].symbol] = (uint8_t)length;
    }
}

void huffman_codes(uint64_t *codes, const uint8_t *lengths, int symbol_count)
{
    assert(symbol_count <= HUFFMAN_SYMBOLS_MAX);
    uint32_t counts[HUFFMAN_LENGTH_MAX + 1] = {0}, next[HUFFMAN_LENGTH_MAX + 1] = {0};
    // Most symbols have no code: stepping over them is half of the time.
    uint16_t used[HUFFMAN_SYMBOLS_MAX];
    int used_count = 0;
    for (int k = 0; k < symbol_count; k++) {
        used[used_count] = (uint16_t)k;
        used_count += lengths[k] != 0;
    }
    for (int k = 0; k < used_count; k++)
        counts[lengths[used[k]]]++;
    for (int length = 1; length < HUFFMAN_LENGTH_MAX; length++)
        next[length + 1] = (next[length] + counts[length]) << 1;
    memset(codes, 0, (size_t)symbol_count * sizeof *codes);
    // Turning all 16 bits round puts the code's first bit lowest and the code at the top.
    for (int k = 0; k < used_count; k++) {
        unsigned length = lengths[used[k]];
        uint32_t v = next[length]++;
        v = (v & 0x5555) << 1 | (v >> 1 & 0x5555);
        v = (v & 0x3333) << 2 | (v >> 2 & 0x3333);
        v = (v & 0x0F0F) << 4 | (v >> 4 & 0x0F0F);
        v = (v & 0x00FF) << 8 | v >> 8;
        codes[used[k]] = (uint64_t)v << 48 | length;
    }
}
