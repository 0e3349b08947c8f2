// SPDX-License-Identifier: MIT
// Whether tiles of a pack, drawn by chance, come out the same when they are baked again from what the metadata say.
#ifndef TERRANE_BAKE_REBAKE_CHECK_H
#define TERRANE_BAKE_REBAKE_CHECK_H

#include <stdint.h>

#include "bake/metadata.h"
#include "common/status.h"
#include "formats/pack.h"

struct rebake_request {
    uint64_t count;          // tiles to draw, without drawing one twice; all where the pack has no more
    uint64_t seed;           // of the draw
    const char *planet_path; // the planet file, needed where it uses rasters; otherwise may be NULL
};

// *rebaked counts the tiles done. Compared are range, error and every stored byte. STATUS_INPUT names the first tile
// that differs, or says why a comparison makes no sense: another generator made the pack, or planet file or rasters are
// not those of the pack. STATUS_USAGE where planet_path is needed. No path is taken from the pack.
enum status_code rebake_check(const struct pack *pack, const struct metadata *metadata,
                              const struct rebake_request *request, uint64_t *rebaked, struct status *status);

#endif
