// SPDX-License-Identifier: MIT
// A pack in memory, in place of the file that the functions think they read, for tests that change it byte by byte.
#ifndef TERRANE_TESTS_PACK_MEMORY_H
#define TERRANE_TESTS_PACK_MEMORY_H

#include "common/byteorder.h"
#include "formats/pack_page.h"
#include "tests/pack_sample.h"

static struct status status;

// The file that the functions read: the test's memory in place of what stands on the disk.
static uint8_t *file;
static size_t file_size;

static int64_t (*pread_disk)(int fd, void *bytes, size_t size, int64_t offset); // what writers need
static inline int64_t pread_memory(int fd, void *bytes, size_t size, int64_t offset)
{
    (void)fd;
    if ((uint64_t)offset >= file_size)
        return 0;
    if (size > file_size - (size_t)offset)
        size = file_size - (size_t)offset;
    memcpy(bytes, file + offset, size);
    return (int64_t)size;
}

// Opening looks at the size of the real file.
static inline struct pack *open_memory(void)
{
    struct pack *pack;
    struct stat about;
    const char *path = sample_path("b.terrane");
    if (stat(path, &about) != 0 || (size_t)about.st_size != file_size) {
        int fd = open(path, O_WRONLY | O_CREAT, 0666);
        if (fd < 0 || ftruncate(fd, (off_t)file_size) != 0)
            abort();
        close(fd);
    }
    return pack_open(&pack, path, &status) == STATUS_OK ? pack : NULL;
}

static inline enum status_code count_tile(void *context, const struct pack_tile *tile, struct status *why)
{
    uint64_t *count = context;
    (void)why;
    *count += tile_key_valid(tile->key);
    return STATUS_OK;
}

// Calls everything that reads a pack; returns whether pack_check finds it good. Every refusal must be STATUS_INPUT with
// one line that names the file.
static inline bool read_all(const struct sample_keys *set)
{
    status.text[0] = 0;
    struct pack *pack = open_memory();
    if (!pack) {
        CHECK_TEXT(status.code == STATUS_INPUT && strstr(status.text, "b.terrane: "), "%s", status.text);
        return false;
    }
    static uint8_t bytes[PACK_BLOB_MAX];
    char *text;
    size_t length;
    uint64_t count = 0;
    struct pack_cursor *cursor;
    if (pack_read_metadata(pack, &text, &length, &status) == STATUS_OK)
        free(text);
    pack_walk(pack, count_tile, &count, &status);
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    for (size_t k = 0; k < set->count; k++) {
        struct pack_tile tile;
        bool found;
        if (pack_find(cursor, tile_key_node(set->keys[k]), &found, &tile, &status) != STATUS_OK || !found)
            continue;
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            if (tile.blobs[kind].length > 0)
                pack_read_blob(pack, &tile.blobs[kind], bytes, &status);
        }
    }
    pack_cursor_free(cursor);
    enum status_code code = pack_check(pack, false, NULL, NULL, &status);
    CHECK_TEXT(code == STATUS_OK || (code == STATUS_INPUT && strstr(status.text, "b.terrane: ")), "%s", status.text);
    pack_close(pack);
    return code == STATUS_OK;
}

static inline void write_and_load(struct sample_keys *set, unsigned layers, int root_levels)
{
    struct pack_info info = sample_info(layers, root_levels);
    keys_sort(set);
    file_system.pread = pread_disk;
    CHECK_TEXT(sample_write(sample_path("a.terrane"), &info, set, &status), "%s", status.text);
    file_system.pread = pread_memory;
    free(file);
    file = sample_load(sample_path("a.terrane"), &file_size);
}

// Three groups of pages on one face, some tiles without parents.
static inline void sparse_set(struct sample_keys *set)
{
    keys_add_full(set, 2, 2, 2);
    keys_add_branch(set, (struct node){2, 7, 100, 3});
    keys_add_branch(set, (struct node){2, 7, 9, 126});
    keys_add(set, (struct node){2, 9, 9, 300});
}

// ---- Forging: a test changes what it likes, and then all checksums are made right again ----

static struct pack_header header;

static inline void forge_begin(struct sample_keys *set)
{
    sparse_set(set);
    write_and_load(set, 7, 3);
    CHECK(pack_header_decode(&header, file, file_size, "p", &status) == STATUS_OK);
}

static inline uint8_t *page_at(uint32_t number)
{
    return file + header.index_offset + (size_t)number * header.page_bytes;
}

static inline uint8_t *record_at(uint32_t number, unsigned index)
{
    return page_at(number) + pack_record_offset(header.slot_count, index);
}

static inline void forge_end(void)
{
    for (uint32_t page = 0; page < header.page_count; page++)
        put_u32le(page_at(page) + 4, pack_crc(page_at(page) + 8, header.page_bytes - 8));
    sha256_of(header.body_sha256, file + PACK_HEADER_BYTES, file_size - PACK_HEADER_BYTES);
    pack_header_encode(file, &header);
}

static inline void expect(const struct sample_keys *set, const char *why)
{
    forge_end();
    CHECK_TEXT(!read_all(set), "accepted; wanted: %s", why);
    CHECK_TEXT(strstr(status.text, why), "%s; wanted: %s", status.text, why);
}

#endif
