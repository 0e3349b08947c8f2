// SPDX-License-Identifier: MIT
// The deterministic last step: the journal's runs are merged by key into the pack writer. The file depends on tiles,
// metadata and share alone, never on how many segments there are or what is in which.
#ifndef TERRANE_BAKE_ASSEMBLE_H
#define TERRANE_BAKE_ASSEMBLE_H

#include <stdint.h>

#include "bake/journal.h"
#include "bake/plan.h"
#include "bake/progress.h"
#include "common/status.h"
#include "formats/pack.h"

// Writes the pack of all tiles in plan, which the journal must have, to pack_path (spool_path: see pack_writer_begin),
// and syncs it. The caller renames it. A missing or surplus tile is STATUS_INPUT, a signal STATUS_INTERRUPTED; on any
// failure no file is left.
enum status_code assemble_pack(const struct journal *journal, const struct plan *plan, const struct pack_info *info,
                               const char *pack_path, const char *spool_path, struct progress *progress,
                               uint64_t *size_bytes, struct status *status);

#endif
