// SPDX-License-Identifier: MIT
// The inside of an open pack, shared by the files that read it. Read-only after pack_open, so threads share it.
#ifndef TERRANE_FORMATS_PACK_FILE_H
#define TERRANE_FORMATS_PACK_FILE_H

#include "formats/pack_page.h"

struct pack {
    struct pack_header header;
    int fd;
    char *path;
};

// Reads and checks one index page into bytes (header.page_bytes). expected NULL accepts any root of the group.
enum status_code pack_load_page(const struct pack *pack, uint32_t number, int group, const struct node *expected,
                                uint8_t *bytes, struct status *status);

// Whether a blob's bytes have its checksum.
enum status_code pack_check_blob(const struct pack *pack, const struct pack_blob *blob, const uint8_t *bytes,
                                 struct status *status);

// The tile of a record: the blobs of known layers, by kind.
void pack_tile_of_record(struct pack_tile *tile, tile_key key, const struct pack_record *record,
                         const struct pack_header *header);

#endif
