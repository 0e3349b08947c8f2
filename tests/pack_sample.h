// SPDX-License-Identifier: MIT
// Packs for tests: any set of tiles with made-up blobs that follow from the tile's key, so that a reader's answers
// can be computed again. The blobs are no real layers; tests that decode have their own.
#ifndef TERRANE_TESTS_PACK_SAMPLE_H
#define TERRANE_TESTS_PACK_SAMPLE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/splitmix64.h"
#include "formats/file_io.h"
#include "formats/pack.h"
#include "formats/pack_layout.h"
#include "tests/check.h"

#define SAMPLE_BLOB_MAX 6000
#define SAMPLE_METADATA "{\"format\":\"1.0\",\"planet\":\"sample\"}"

static char sample_folder[64];

// A folder of the test's own, and no waiting for disks; sample_end removes the files with these names.
static inline int sample_no_sync(int fd)
{
    (void)fd;
    return 0;
}

static inline void sample_begin(void)
{
    snprintf(sample_folder, sizeof sample_folder, "/dev/shm/terrane-test-XXXXXX");
    if (!mkdtemp(sample_folder))
        snprintf(sample_folder, sizeof sample_folder, "/tmp/terrane-test-XXXXXX");
    if (!strncmp(sample_folder, "/tmp", 4) && !mkdtemp(sample_folder)) {
        printf("FAILED no temporary folder\n");
        exit(1);
    }
    file_system.fsync = sample_no_sync;
}

// A path in the folder; the text lasts for the next seven calls.
static inline const char *sample_path(const char *name)
{
    static char paths[8][128];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", sample_folder, name);
    return path;
}

static inline void sample_end(void)
{
    static const char *const names[] = {"a.terrane", "b.terrane", "spool"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unlink(sample_path(names[k]));
    rmdir(sample_folder);
}

struct sample_keys {
    tile_key *keys;
    size_t count, room;
};

static inline void keys_add(struct sample_keys *set, struct node node)
{
    if (set->count == set->room) {
        set->room = 2 * set->room + 64;
        set->keys = realloc(set->keys, set->room * sizeof *set->keys);
        if (!set->keys)
            abort();
    }
    set->keys[set->count++] = tile_key_of(node);
}

static inline int keys_compare(const void *a, const void *b)
{
    tile_key x = *(const tile_key *)a, y = *(const tile_key *)b;
    return (x > y) - (x < y);
}

// Canonical order, each key once.
static inline void keys_sort(struct sample_keys *set)
{
    size_t kept = 0;
    if (set->count > 0)
        qsort(set->keys, set->count, sizeof *set->keys, keys_compare);
    for (size_t k = 0; k < set->count; k++) {
        if (k == 0 || set->keys[k] != set->keys[k - 1])
            set->keys[kept++] = set->keys[k];
    }
    set->count = kept;
}

static inline bool keys_have(const struct sample_keys *set, struct node node)
{
    tile_key key = tile_key_of(node);
    return set->count > 0 && bsearch(&key, set->keys, set->count, sizeof key, keys_compare);
}

static inline void keys_add_full(struct sample_keys *set, int first_face, int last_face, int depth)
{
    for (int level = 0; level <= depth; level++) {
        for (int face = first_face; face <= last_face; face++) {
            for (uint32_t y = 0; y < 1u << level; y++) {
                for (uint32_t x = 0; x < 1u << level; x++)
                    keys_add(set, (struct node){face, level, x, y});
            }
        }
    }
}

// A node with its siblings, and the same for all its ancestors.
static inline void keys_add_branch(struct sample_keys *set, struct node node)
{
    for (; node.level > 0; node = node_parent(node)) {
        for (int child = 0; child < 4; child++)
            keys_add(set, node_child(node_parent(node), child));
    }
    keys_add(set, node);
}

static inline void keys_free(struct sample_keys *set)
{
    free(set->keys);
    *set = (struct sample_keys){0};
}

// 64 well-mixed bits of a key and a salt.
static inline uint64_t sample_hash(tile_key key, uint64_t salt)
{
    return splitmix64_mix((key + 1) * UINT64_C(0x9E3779B97F4A7C15) + salt * UINT64_C(0xD1B54A32D192ED03));
}

// One tile in three is sea, all of which is alike.
static inline bool sample_sea(tile_key key)
{
    return sample_hash(key, 77) % 3 == 0;
}

// Of the other tiles one in eight exceeds the size that is shared.
static inline uint32_t sample_blob(uint8_t *bytes, tile_key key, int kind)
{
    uint64_t hash = sample_hash(key, (uint64_t)kind);
    bool sea = sample_sea(key);
    uint32_t length = sea ? 40 + (uint32_t)kind : 50 + (uint32_t)(hash % 200);
    if (!sea && hash >> 60 < 2)
        length += 5000;
    if (sea)
        hash = (uint64_t)kind;
    uint64_t word = 0;
    for (uint32_t k = 0; k < length; k++, word >>= 8) {
        if (k % 8 == 0)
            word = sample_hash(hash, k / 8);
        bytes[k] = (uint8_t)word;
    }
    return length;
}

static inline int32_t sample_height_min(tile_key key)
{
    return sample_sea(key) ? -40 : (int32_t)(sample_hash(key, 99) % 200000) - 100000;
}

static inline int32_t sample_height_max(tile_key key)
{
    return sample_sea(key) ? -40 : sample_height_min(key) + (int32_t)(sample_hash(key, 98) % 1000);
}

struct sample_tile {
    struct pack_entry entry;
    uint8_t blobs[LAYER_COUNT][SAMPLE_BLOB_MAX];
};

static inline void sample_tile_make(struct sample_tile *tile, tile_key key, unsigned layers)
{
    struct pack_entry *entry = &tile->entry;
    memset(entry, 0, sizeof *entry);
    entry->key = key;
    entry->height_min = sample_height_min(key);
    entry->height_max = sample_height_max(key);
    entry->error = (uint32_t)(sample_hash(key, 97) % 100000);
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(layers >> kind & 1))
            continue;
        entry->blobs[kind] = tile->blobs[kind];
        entry->lengths[kind] = sample_blob(tile->blobs[kind], key, kind);
        entry->crcs[kind] = pack_crc(tile->blobs[kind], entry->lengths[kind]);
        sha256_of(entry->content[kind], tile->blobs[kind], entry->lengths[kind]);
    }
}

// So small a planet that all normals have 8 bits.
static inline struct pack_info sample_info(unsigned layers, int root_levels)
{
    return (struct pack_info){.radius_m = 10000.0,
                              .intervals = 32,
                              .height_exponent = -17,
                              .root_levels = root_levels,
                              .layers = layers,
                              .complete = true,
                              .share = 1,
                              .share_count = 1};
}

// Writes a pack of these tiles; false, with the failure in status, when it does not come about.
static inline bool sample_write(const char *path, const struct pack_info *info, const struct sample_keys *set,
                                struct status *status)
{
    struct pack_writer *writer;
    unlink(path);
    if (pack_writer_begin(&writer, path, sample_path("spool"), info, SAMPLE_METADATA, strlen(SAMPLE_METADATA), status))
        return false;
    enum status_code code = STATUS_OK;
    struct sample_tile tile;
    for (size_t k = 0; k < set->count && code == STATUS_OK; k++) {
        sample_tile_make(&tile, set->keys[k], info->layers);
        code = pack_writer_add(writer, &tile.entry, status);
    }
    if (code == STATUS_OK)
        code = pack_writer_finish(writer, NULL, status);
    pack_writer_free(writer);
    return code == STATUS_OK;
}

// The whole file in memory, malloc'd.
static inline uint8_t *sample_load(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0)
        abort();
    *size = (size_t)about.st_size;
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || read(fd, bytes, *size) != (ssize_t)*size)
        abort();
    close(fd);
    return bytes;
}

static inline void sample_store(const char *path, const uint8_t *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    close(fd);
}

#endif
