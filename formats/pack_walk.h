// SPDX-License-Identifier: MIT
// The walk over all tiles below pack_walk, with the records as they are in the pages.
#ifndef TERRANE_FORMATS_PACK_WALK_H
#define TERRANE_FORMATS_PACK_WALK_H

#include "formats/pack_file.h"

// Visits the records of present tiles; keys grow strictly. What is checked on the way: every page by itself, that
// pages are numbered in canonical order without gap or rest, that each page's range of heights is what the page
// above says, the numbers of tiles of each level and the planet's height range against the header.
typedef enum status_code pack_visit_record(void *context, tile_key key, const struct pack_record *record,
                                           struct status *status);
enum status_code pack_walk_records(const struct pack *pack, pack_visit_record *visit, void *context,
                                   struct status *status);

#endif
