// SPDX-License-Identifier: MIT
// An entropy-only deflate encoder (RFC 1951 in an RFC 1950 wrapper): dynamic Huffman codes, matches of
// distance 1 only (runs), and stored blocks where those are smaller. Any inflate reads its output.
//
// Predicted terrain has no repeats for LZ77 to find, so this is smaller and several times faster than
// a general library on such bytes, and its output is the same on every machine whatever zlib is there.
// The bytes it makes are part of the pack format's promise: changing them is a new codec profile.
//
// Pure functions over the caller's memory; no allocation; threads may run it at once with their own scratch.
#ifndef TERRANE_FORMATS_DEFLATE_ENCODE_H
#define TERRANE_FORMATS_DEFLATE_ENCODE_H

#include <stddef.h>
#include <stdint.h>

// Changes when the same input can give other bytes; part of a pack's fingerprint.
#define DEFLATE_PROFILE 1

// Blocks are at most this long.
#define DEFLATE_BLOCK_MAX_BYTES (128u << 10)

// Working memory of one call, reusable; contents need no initialisation.
struct deflate_scratch;
size_t deflate_scratch_bytes(void);

// Room that is always enough for the zlib stream of size_bytes bytes in any number of blocks: stored
// size plus 0.1 % plus a constant.
size_t deflate_bound(size_t size_bytes);

// The block_bytes that divides size_bytes bytes of one kind (a plane, a picture) into the fewest blocks, of equal size.
// Smaller blocks gained nothing on any kind of tile.
size_t deflate_even_block(size_t size_bytes);

// Writes a whole zlib stream of source to target (room for deflate_bound(size_bytes) bytes) and returns
// its length. One block for every block_bytes of input (a byte plane, or some rows of a picture), each
// coded in the form that is smallest: dynamic Huffman with or without runs, or stored. size_bytes may be 0.
size_t deflate_encode(uint8_t *target, const uint8_t *source, size_t size_bytes, size_t block_bytes,
                      struct deflate_scratch *scratch);

// The same with one choice of inner loops (deflate_kernels.h), which must not show in the bytes.
struct deflate_kernels;
size_t deflate_encode_with(const struct deflate_kernels *kernels, uint8_t *target, const uint8_t *source,
                           size_t size_bytes, size_t block_bytes, struct deflate_scratch *scratch);

#endif
