// SPDX-License-Identifier: MIT
// A pack's metadata, read and held against its header.
#ifndef TERRANE_BAKE_PACK_METADATA_H
#define TERRANE_BAKE_PACK_METADATA_H

#include "bake/metadata.h"
#include "common/status.h"
#include "formats/pack.h"

// Messages name the pack. STATUS_INPUT as well where header and metadata say different things. Undo with metadata_free.
enum status_code pack_metadata(struct metadata *metadata, const struct pack *pack, struct status *status);

#endif
