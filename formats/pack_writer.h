// SPDX-License-Identifier: MIT
// The inside of a pack writer, shared by pack_write.c (blobs and header) and pack_index_build.c (pages). Tests that
// need a pack of more bytes than they want to write move its append offset here.
#ifndef TERRANE_FORMATS_PACK_WRITER_H
#define TERRANE_FORMATS_PACK_WRITER_H

#include "formats/blob_window.h"
#include "formats/file_io.h"
#include "formats/pack_page.h"

// The spool holds one item a tile in canonical order, its key (8 bytes) before its record as in a page (whose subtree
// fields are not filled in), and after them the lists of pages that pack_index_build leaves for itself.
#define SPOOL_ITEM_BYTES_MAX (8 + PACK_RECORD_BYTES_MAX)

struct pack_writer {
    struct pack_header header; // filled in as things become known
    char *path, *path_spool;
    int fd, fd_spool; // -1 when not open
    struct file_appender out, spool;
    struct sha256 body, content;
    struct blob_window *window;
    tile_key next_key; // the least that may come
    uint64_t tile_count;
};

// Appends to the pack: bytes after the header, all of them hashed.
enum status_code pack_writer_put(struct pack_writer *writer, const void *bytes, size_t size, struct status *status);

// Appends the index pages, and fills in the header's page_count and root_pages. Every failure is STATUS_RESOURCE.
enum status_code pack_index_build(struct pack_writer *writer, struct status *status);

#endif
