// SPDX-License-Identifier: MIT
// Whether neighbouring tiles of a level agree on the samples that they share: along sides and at corners, within a
// face, over the edges of the cube and at its corners. Heights and colours must be equal. Normals must be equal within
// a face; over an edge each tile rounds the same vector in its own frame, so there they may differ by
// BORDER_NORMAL_STEPS_MAX of their steps in each component, seen in the frame of one of them.
#ifndef TERRANE_BAKE_BORDER_CHECK_H
#define TERRANE_BAKE_BORDER_CHECK_H

#include <stdint.h>

#include "common/status.h"
#include "formats/pack.h"

// Half a step of rounding here, and there half a step in each of two components that are turned into one here:
// at most 0.5 + 0.5 sqrt(2).
#define BORDER_NORMAL_STEPS_MAX 1.25

struct border_report {
    uint64_t tiles, sides, corners; // compared; a pair of tiles that share a side or corner counts once
    double normal_steps_max;        // the largest difference met
};

// STATUS_INPUT names the first two tiles that disagree, the layer and the sample. Decodes each tile about once; memory
// is some tens of MiB.
enum status_code border_check(const struct pack *pack, struct border_report *report, struct status *status);

#endif
