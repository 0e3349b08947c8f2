// SPDX-License-Identifier: MIT
// What a bake is of: from the wishes of a command line to planet, plan and metadata.
#ifndef TERRANE_BAKE_BAKE_SETUP_H
#define TERRANE_BAKE_BAKE_SETUP_H

#include <stddef.h>
#include <stdint.h>

#include "bake/journal.h"
#include "bake/plan.h"
#include "bake/planet/planet.h"
#include "bake/tile_bake.h"
#include "common/status.h"
#include "formats/pack.h"

struct bake_subject {
    struct planet_source planet; // radius_m 0: the planet's own; a KEY given twice has its last value
    struct plan plan;            // depth, faces and regions; not prepared
    uint32_t share, share_count; // 1 of 1: everything
    int intervals;
    unsigned layers; // bit 1 << kind
};

// Everything that the later steps need. The planet is loaded at the rounded radius (metadata_round_radius).
struct bake_setup {
    struct planet *planet;
    struct tile_recipe recipe;
    struct plan plan; // prepared, narrowed to the share
    uint64_t tile_count, tiles_per_level[TILE_LEVEL_MAX + 1];
    char *metadata; // canonical text
    size_t metadata_length;
    struct pack_info info;
    struct journal_owner owner;
};

// Undo with bake_setup_free. subject may go afterwards.
enum status_code bake_setup_make(struct bake_setup *setup, const struct bake_subject *subject, struct status *status);
void bake_setup_free(struct bake_setup *setup);

#endif
