// SPDX-License-Identifier: MIT
// A quick inflate for what deflate_encode.h writes: stored and dynamic blocks, matches of distance 1. It knows nothing
// of other streams and says of nothing what is wrong with it: whatever it does not take is for zlib to read or to
// refuse. So zlib stays the judge, and this is only a quicker way through the streams that are in our own packs.
#ifndef TERRANE_FORMATS_DEFLATE_DECODE_H
#define TERRANE_FORMATS_DEFLATE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// True where source is a whole zlib stream of that kind, not longer than deflate_bound(target_bytes), ends with the
// stream, has the right checksum and holds exactly target_bytes bytes, which are then in target: zlib would give the
// same. False otherwise; target may then hold anything. Any bytes are survived. Pure; some 12 KiB of stack.
bool deflate_decode(uint8_t *target, size_t target_bytes, const uint8_t *source, size_t source_bytes);

#endif
