// SPDX-License-Identifier: MIT
// Between stored colours (sRGB, 8 bits) and linear light in [0,1], for the verbs that blend or shade
// colours of a pack (IEC 61966-2-1). Same bits everywhere: built from stable_root5, without pow().
#ifndef TERRANE_BAKE_SRGB_TABLE_H
#define TERRANE_BAKE_SRGB_TABLE_H

#include <stdint.h>

#define SRGB_GUIDES 1024

struct srgb_table {
    double light[256];          // of each stored value
    double threshold[257];      // stored values from k on begin at light threshold[k]; [0] is 0, [256] is 2
    uint8_t guide[SRGB_GUIDES]; // the stored value at light k / SRGB_GUIDES
};

void srgb_table_fill(struct srgb_table *table);

// The stored value nearest to light in the encoded scale; light beyond [0,1] is clamped.
uint8_t srgb_encode(const struct srgb_table *table, double light);

#endif
