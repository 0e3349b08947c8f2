// SPDX-License-Identifier: MIT
// A pack's metadata, read and held against its header.
#ifndef TERRANE_BAKE_PACK_METADATA_H
#define TERRANE_BAKE_PACK_METADATA_H

#include "bake/metadata.h"
#include "common/status.h"
#include "formats/pack.h"

// Messages name the pack. STATUS_INPUT as well where header and metadata say different things. Undo with metadata_free.
enum status_code pack_metadata(struct metadata *metadata, const struct pack *pack, struct status *status);

// Opens a pack and reads its metadata, as verbs begin that need both; undo with pack_close and metadata_free. After a
// failure there is nothing to undo.
enum status_code pack_open_described(struct pack **pack, struct metadata *metadata, const char *path,
                                     struct status *status);

#endif
