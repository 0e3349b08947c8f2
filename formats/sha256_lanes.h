// SPDX-License-Identifier: MIT
// The rounds of SHA-256 (FIPS 180-4, section 6.2.2) over several strings side by side, by the processor's instructions.
// Private to sha256_many.c.
#ifndef TERRANE_FORMATS_SHA256_LANES_H
#define TERRANE_FORMATS_SHA256_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK_BYTES 64

// One string on its way. The eight words of the state stand in the order in which the instructions want them.
struct sha256_lane {
    uint32_t fe_ba[4], hg_dc[4];
    const uint8_t *at; // the next block; read as whole blocks and moved on
};

bool sha256_lanes_supported(void);

// Takes block_count blocks into each of lane_count lanes, 1..SHA256_LANES. Only where sha256_lanes_supported().
void sha256_lanes_add(struct sha256_lane *const *lanes, int lane_count, size_t block_count);

#endif
