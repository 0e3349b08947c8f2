// SPDX-License-Identifier: MIT
// Two packs tile by tile: which tiles only one of them has, which differ, and by how much.
#ifndef TERRANE_BAKE_PACK_DIFF_H
#define TERRANE_BAKE_PACK_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "formats/pack.h"

enum diff_kind { DIFF_ONLY_IN_A, DIFF_ONLY_IN_B, DIFF_CONTENT };

// One tile that is not the same in both. A layer that is equal has a difference of zero.
struct tile_diff {
    struct node node;
    enum diff_kind kind;
    double height_max_m;   // largest difference of a height
    double normal_max_deg; // largest angle between two normals
    int color_max;         // largest difference of a channel, 0..255
    bool record;           // the decoded layers are equal, but range or geometric error are not
};

struct diff_report {
    uint64_t compared, only_in_a, only_in_b, differing; // tiles
};

// Called for each such tile: first those of A in canonical order, then those that only B has.
typedef enum status_code diff_visit(void *context, const struct tile_diff *diff, struct status *status);

// The packs must agree in radius, tile size, height unit and layers (pack_diff_incomparable gives NULL). Tiles with
// equal content hashes are not decoded. Fails on damage and I/O only, or with what visit returns.
enum status_code pack_diff(const struct pack *a, const struct pack *b, diff_visit *visit, void *context,
                           struct diff_report *report, struct status *status);

// NULL, or why tiles of the two packs cannot be compared, in words.
const char *pack_diff_incomparable(const struct pack *a, const struct pack *b);

#endif
