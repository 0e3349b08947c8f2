// SPDX-License-Identifier: MIT
// Blobs through the reader that fetches many at once: bytes and faults as pack_read_blob() gives them, wherever in the
// file they lie and in whatever order they come, in few reads where the order is that of the file.
#include "formats/blob_reader.h"

#include <errno.h>

#include "tests/guard_page.h"
#include "tests/pack_sample.h"

#define HELD_BYTES ((uint64_t)256 << 10) // what the reader holds
#define ALONE_BYTES (HELD_BYTES / 4)     // from this length on a blob is read by itself
#define BLOB_MAX (2 * HELD_BYTES)        // of those tried here
#define FIRST PACK_HEADER_BYTES          // any bytes will do as a blob

static struct status status, status_plain;
static struct pack *packs[2];
static uint8_t *files[2]; // their bytes
static struct sample_keys sets[2];
static struct blob_reader *reader;
static struct guard_page guard;
static int64_t (*pread_disk)(int fd, void *bytes, size_t size, int64_t offset);
static int read_count;
static bool spoil; // the next read spoils the bytes and fails

static int64_t pread_counted(int fd, void *bytes, size_t size, int64_t offset)
{
    read_count++;
    if (!spoil)
        return pread_disk(fd, bytes, size, offset);
    spoil = false;
    memset(bytes, 0x55, size);
    errno = EIO;
    return -1;
}

// Some 2 MiB, of face `which`.
static void make_pack(int which)
{
    const char *path = sample_path(which ? "b.terrane" : "a.terrane");
    struct pack_info info = sample_info(7u, 2);
    size_t size;
    keys_add_full(&sets[which], which, which, 5);
    keys_sort(&sets[which]);
    if (!sample_write(path, &info, &sets[which], &status) || pack_open(&packs[which], path, &status))
        abort();
    files[which] = sample_load(path, &size);
    CHECK_TEXT(size > 6 * HELD_BYTES, "%zu bytes", size);
}

// Bytes of the file as if they were a blob.
static struct pack_blob blob_at(int which, uint64_t offset, uint64_t length)
{
    if (length == 0 || length > pack_file_bytes(packs[which]) - offset)
        abort();
    return (struct pack_blob){
        .offset = offset, .length = (uint32_t)length, .crc = pack_crc(files[which] + offset, (size_t)length)};
}

// Whether the blob comes as pack_read_blob() gives it, and right.
static bool comes(int which, const struct pack_blob *blob)
{
    static uint8_t plain[BLOB_MAX];
    uint8_t *bytes = guard_page_tail(&guard, blob->length);
    memset(bytes, 0xAA, blob->length);
    return blob_reader_read(reader, blob, bytes, &status) == STATUS_OK &&
           memcmp(bytes, files[which] + blob->offset, blob->length) == 0 &&
           pack_read_blob(packs[which], blob, plain, &status_plain) == STATUS_OK &&
           memcmp(bytes, plain, blob->length) == 0;
}

// How many reads of the file that took, without that of pack_read_blob(); -1 where it did not come.
static int reads_for(int which, uint64_t offset, uint64_t length)
{
    struct pack_blob blob = blob_at(which, offset, length);
    read_count = 0;
    return comes(which, &blob) ? read_count - 1 : -1;
}

// In the order of the file each byte is fetched once; only the sea, which tiles share, lies far back.
static void all_blobs_of_a_pack_come_with_few_reads(void)
{
    int reads = 0, sea_reads = 0, count = 0;
    for (int which = 0; which < 2; which++) {
        struct pack_cursor *cursor;
        CHECK(pack_cursor_new(&cursor, packs[which], &status) == STATUS_OK);
        blob_reader_open(reader, packs[which]);
        for (size_t k = 0; k < sets[which].count; k++) {
            struct pack_tile tile;
            bool found;
            CHECK(!pack_find(cursor, tile_key_node(sets[which].keys[k]), &found, &tile, &status) && found);
            for (int kind = 0; kind < LAYER_COUNT; kind++, count++) {
                int taken = reads_for(which, tile.blobs[kind].offset, tile.blobs[kind].length);
                CHECK_TEXT(taken >= 0, "tile %zu: %s", k, status.text);
                *(sample_sea(tile.key) ? &sea_reads : &reads) += taken;
            }
        }
        pack_cursor_free(cursor);
    }
    CHECK_TEXT(reads <= 2 * 9 && sea_reads > reads && count > 8000, "%d reads, %d of the sea, for %d blobs", reads,
               sea_reads, count);
}

static void only_what_is_not_held_is_read(void)
{
    const uint64_t end = FIRST + HELD_BYTES, file_bytes = pack_file_bytes(packs[0]);
    blob_reader_open(reader, packs[0]);
    CHECK(reads_for(0, FIRST, 100) == 1);
    CHECK(reads_for(0, FIRST, 100) == 0);
    CHECK(reads_for(0, end - 100, 100) == 0);
    CHECK(reads_for(0, end - ALONE_BYTES + 1, ALONE_BYTES - 1) == 0);
    CHECK(reads_for(0, end - 99, 100) == 1); // one byte more than is held
    CHECK(reads_for(0, end - 99 + HELD_BYTES - 1, 1) == 0);
    CHECK(reads_for(0, FIRST, 100) == 1); // before what is held, which stays
    CHECK(reads_for(0, end - 100, 100) == 1);
    CHECK(reads_for(0, end, 100) == 0);
    CHECK(reads_for(0, end, ALONE_BYTES) == 1); // large, and what is held stays
    CHECK(reads_for(0, end + 3 * HELD_BYTES, BLOB_MAX) == 1);
    CHECK(reads_for(0, end, 100) == 0);
    CHECK(reads_for(0, end - 99 + HELD_BYTES, 1) == 1); // the first byte that is not held
    CHECK(reads_for(0, file_bytes - ALONE_BYTES + 1, ALONE_BYTES - 1) == 1);
    CHECK(reads_for(0, file_bytes - 1, 1) == 0);
    CHECK(reads_for(0, file_bytes - 5000, 5000) == 0);
    blob_reader_open(reader, packs[0]);
    CHECK(reads_for(0, file_bytes - 1, 1) == 1);
}

static void blobs_come_in_any_order(void)
{
    uint64_t file_bytes = pack_file_bytes(packs[0]), at = FIRST;
    blob_reader_open(reader, packs[0]);
    for (int round = 0; round < 3000; round++) {
        uint64_t kind = check_random_below(40), length = 1 + check_random_below(kind == 0 ? BLOB_MAX : 6000);
        // Mostly a little forward; now and then anywhere, or to the end of the file.
        at += check_random_below(8000);
        if (kind < 3)
            at = check_random_below(file_bytes);
        if (at >= file_bytes || kind == 3)
            at = file_bytes - 1 - check_random_below(3) * 1000;
        length = length > file_bytes - at ? file_bytes - at : length;
        CHECK_TEXT(reads_for(0, at, length) >= 0, "%llu bytes at %llu: %s", (unsigned long long)length,
                   (unsigned long long)at, status.text);
    }
}

static void another_pack_has_other_bytes(void)
{
    blob_reader_open(reader, packs[0]);
    CHECK(reads_for(0, FIRST, 3000) == 1);
    blob_reader_open(reader, packs[1]);
    CHECK(memcmp(files[0] + FIRST, files[1] + FIRST, 3000) != 0);
    CHECK(reads_for(1, FIRST, 3000) == 1);
}

static void faults_are_told_as_without_the_reader(void)
{
    static const uint64_t lengths[] = {1, 700, ALONE_BYTES - 1, ALONE_BYTES, BLOB_MAX};
    static uint8_t bytes[BLOB_MAX];
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct pack_blob blob = blob_at(0, 5000, lengths[k]);
        blob.crc ^= 1u << k;
        blob_reader_open(reader, packs[0]);
        CHECK(blob_reader_read(reader, &blob, bytes, &status) == STATUS_INPUT);
        CHECK(pack_read_blob(packs[0], &blob, bytes, &status_plain) == STATUS_INPUT);
        CHECK_TEXT(strcmp(status.text, status_plain.text) == 0, "%s, not %s", status.text, status_plain.text);
        CHECK(strstr(status.text, "a.terrane") && strstr(status.text, "5000"));
    }
}

static void a_read_that_failed_leaves_nothing_behind(void)
{
    static uint8_t bytes[100];
    struct pack_blob far = blob_at(0, FIRST + HELD_BYTES, sizeof bytes);
    blob_reader_open(reader, packs[0]);
    CHECK(reads_for(0, FIRST, 100) == 1);
    spoil = true;
    CHECK(blob_reader_read(reader, &far, bytes, &status) == STATUS_INPUT);
    CHECK(reads_for(0, FIRST + 200, 100) == 1); // held no more
    CHECK(reads_for(0, FIRST + HELD_BYTES, 100) == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    guard = guard_page_new(BLOB_MAX);
    make_pack(0);
    make_pack(1);
    if (blob_reader_new(&reader, &status))
        abort();
    pread_disk = file_system.pread;
    file_system.pread = pread_counted;
    CHECK_RUN(all_blobs_of_a_pack_come_with_few_reads);
    CHECK_RUN(only_what_is_not_held_is_read);
    CHECK_RUN(blobs_come_in_any_order);
    CHECK_RUN(another_pack_has_other_bytes);
    CHECK_RUN(faults_are_told_as_without_the_reader);
    CHECK_RUN(a_read_that_failed_leaves_nothing_behind);
    blob_reader_free(reader);
    for (int which = 0; which < 2; which++) {
        pack_close(packs[which]);
        free(files[which]);
        keys_free(&sets[which]);
    }
    guard_page_free(&guard);
    sample_end();
    return CHECK_END;
}
