// SPDX-License-Identifier: MIT
// A pack: the file that holds a planet's tiles. pack.md is the normative text; this header is the C
// face of it, reading (pack_read.c, pack_find.c, pack_walk.c, layer_decode.c), checking (pack_check.c),
// writing (pack_write.c) and the layout all share (pack_layout.c).
//
// File: header (1024 bytes) | metadata (canonical JSON, zero-padded to 512) | blobs in canonical order |
// zeros to a multiple of 4096 | index pages. Canonical order is the order of tile_key as integers,
// and within a tile height, normal, color.
#ifndef TERRANE_FORMATS_PACK_H
#define TERRANE_FORMATS_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_grid.h"
#include "common/tile_key.h"
#include "formats/layer.h"
#include "formats/sha256.h"

#define PACK_MAJOR 1
#define PACK_MINOR 0
#define PACK_HEADER_BYTES 1024
#define PACK_PAGE_LEVELS 4
#define PACK_PAGE_RECORDS 85     // 1 + 4 + 16 + 64
#define PACK_PAGE_CHILDREN 256   // below the 64 nodes of a page's last level
#define PACK_SMALL_BLOB_MAX 4096 // blobs up to this size are shared where equal ...
#define PACK_SMALL_WINDOW 65536  // ... to one of this many last distinct small ones
#define PACK_METADATA_MAX (8u << 20)
#define PACK_BLOB_MAX (16u << 20) // no layer of 513 x 513 samples comes near this

// What a bake knows before its first tile, and a reader after opening.
struct pack_info {
    double radius_m;                   // a multiple of 2^-16 m
    int intervals;                     // N
    int height_exponent;               // heights are multiples of 2^height_exponent metres
    int root_levels;                   // levels in a root page, 1..PACK_PAGE_LEVELS (pack_root_levels)
    unsigned layers;                   // bit 1 << kind for each layer that tiles have
    bool complete;                     // false for a share: part of the plan only
    uint32_t share, share_count;       // K of N; 1 of 1 for a whole bake
    uint8_t fingerprint[SHA256_BYTES]; // SHA-256 of the metadata bytes
};

// One layer of one tile as stored.
struct pack_blob {
    uint64_t offset;
    uint32_t length;
    uint32_t crc;                  // CRC-32 (as in PNG) of the stored bytes
    uint8_t content[SHA256_BYTES]; // SHA-256 of the decoded layer (heights as int32 LE, pictures as rows)
};

// One tile's index record. Heights and error in units. blobs of layers that the pack lacks are all zero.
struct pack_tile {
    tile_key key;
    bool below;                       // the pack has tiles under this node
    int32_t height_min, height_max;   // of the tile's own samples
    int32_t subtree_min, subtree_max; // of it and all tiles below it in this pack
    uint32_t error;                   // geometric error against full detail, rounded up
    struct pack_blob blobs[LAYER_COUNT];
};

// Levels in a root page when a pack is full to depth: depth + 1 - 4 ceil((depth - 3) / 4), in 1..4, so that
// the last full level is the last of its page. depth is 0..TILE_LEVEL_MAX.
int pack_root_levels(int depth);

// ---- Reading -------------------------------------------------------------------------------------------
// A struct pack is read-only after opening: threads share it. Each reader keeps a small page cache of its own
// (struct pack_cursor), so that lookups of neighbours cost no reads.

struct pack; // opaque

// One read for the header; its root pages, metadata and the rest are read when asked for. Refuses anything odd:
// wrong magic, version, CRC, a size that is not the file's, fields out of range.
enum status_code pack_open(struct pack **pack, const char *path, struct status *status);
void pack_close(struct pack *pack);

const struct pack_info *pack_get_info(const struct pack *pack);
const char *pack_path(const struct pack *pack);
int pack_full_depth(const struct pack *pack); // -1 where no level is full on all six faces
int pack_max_level(const struct pack *pack);
uint64_t pack_file_bytes(const struct pack *pack);
uint64_t pack_tile_count(const struct pack *pack);
const uint64_t *pack_tiles_per_level(const struct pack *pack);               // TILE_LEVEL_MAX + 1 counts
void pack_height_range(const struct pack *pack, int32_t *min, int32_t *max); // units, over all tiles
const uint8_t *pack_content_sha256(const struct pack *pack);
const uint8_t *pack_file_sha256(const struct pack *pack);
// Of a later minor version: it may hold what this program passes over, and a copy by it would lack that.
bool pack_is_newer(const struct pack *pack);

// The metadata as stored: *text is malloc'd, zero-terminated, checked for CRC and fingerprint.
enum status_code pack_read_metadata(const struct pack *pack, char **text, size_t *length, struct status *status);

struct pack_cursor; // opaque; one thread's
enum status_code pack_cursor_new(struct pack_cursor **cursor, const struct pack *pack, struct status *status);
void pack_cursor_free(struct pack_cursor *cursor);

// *found tells whether the pack has the tile; fails only on damage or I/O. Costs one page read for a level
// within the full depth, and one more for every four levels below it, fewer with the cursor's cache.
// Where a share lacks the tile but has tiles under it, *found is false and *tile holds key, below = true and
// the subtree's range, so that a descent can go on; otherwise a tile that is not found is all zero but for key.
enum status_code pack_find(struct pack_cursor *cursor, struct node node, bool *found, struct pack_tile *tile,
                           struct status *status);

// The deepest tile at or above node; *found is false when there is none.
enum status_code pack_find_deepest(struct pack_cursor *cursor, struct node node, bool *found, struct pack_tile *tile,
                                   struct status *status);

// The blob's bytes into bytes (room for blob->length), CRC checked. A blob of length 0 does not exist.
enum status_code pack_read_blob(const struct pack *pack, const struct pack_blob *blob, uint8_t *bytes,
                                struct status *status);

// All tiles in canonical order: visit gets each record; anything but STATUS_OK from it ends the walk and is
// returned. Checks every page on the way, and the pages against each other. Reads each page once for every level
// that it holds, so that memory is two pages whatever the number of tiles.
typedef enum status_code pack_visit(void *context, const struct pack_tile *tile, struct status *status);
enum status_code pack_walk(const struct pack *pack, pack_visit *visit, void *context, struct status *status);

// Decoded layers. samples: layer_bytes() bytes. Uses memory of the decoder, made once per thread.
struct layer_decoder; // opaque; one thread's
enum status_code layer_decoder_new(struct layer_decoder **decoder, const struct pack *pack, struct status *status);
void layer_decoder_free(struct layer_decoder *decoder);
// Reads, checks and decodes one layer; messages name pack, tile and layer.
enum status_code layer_decode(struct layer_decoder *decoder, const struct pack_tile *tile, enum layer_kind kind,
                              void *samples, struct status *status);

// ---- Checking ------------------------------------------------------------------------------------------
// Everything pack.md demands of a file, in one sequential pass: the file hash, every CRC, order and sharing of
// blobs, unused bytes, page numbers, subtree ranges, counts, content hash of the stored leaf hashes. With decode,
// every layer as well: it decodes, its hash is the leaf hash, heights give min and max. STATUS_INPUT names the
// first fault. progress (may be NULL) is called now and then with bytes done. Uses about 10 MiB.
enum status_code pack_check(const struct pack *pack, bool decode, void (*progress)(void *, uint64_t), void *context,
                            struct status *status);

// ---- Writing -------------------------------------------------------------------------------------------
// The deterministic final step: tiles come in canonical order, the file comes out. The same tiles and metadata
// give the same bytes. Memory does not grow with the number of tiles: index records wait in a spool file.

struct pack_writer; // opaque; one thread's

// One tile to write; blobs[kind] is NULL exactly where info->layers lacks the kind.
struct pack_entry {
    tile_key key;
    int32_t height_min, height_max;
    uint32_t error;
    const uint8_t *blobs[LAYER_COUNT];
    uint32_t lengths[LAYER_COUNT];
    uint32_t crcs[LAYER_COUNT];
    uint8_t content[LAYER_COUNT][SHA256_BYTES];
};

// Starts a pack in the new file path (made with O_EXCL), with its spool in the new file path_spool, which has its
// name only for a moment: nothing is left of it however the program ends. info->fingerprint is not read but made
// from metadata. metadata is one JSON object, 2 to PACK_METADATA_MAX bytes without a zero byte; it may go afterwards.
// A failure leaves neither file.
enum status_code pack_writer_begin(struct pack_writer **writer, const char *path, const char *path_spool,
                                   const struct pack_info *info, const char *metadata, size_t metadata_length,
                                   struct status *status);

// Keys must grow; a key out of order is a caller's mistake (assert), as is a length of 0 or over PACK_BLOB_MAX.
// After a failure of add or finish only pack_writer_free may follow.
enum status_code pack_writer_add(struct pack_writer *writer, const struct pack_entry *entry, struct status *status);

// Writes index and header, the header last between two syncs, and closes the file. The caller renames it.
// *size_bytes may be NULL.
enum status_code pack_writer_finish(struct pack_writer *writer, uint64_t *size_bytes, struct status *status);

// Frees the writer, after finish or instead of it; without finish, the unfinished file stays for the caller to remove.
void pack_writer_free(struct pack_writer *writer);

#endif
