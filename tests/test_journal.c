// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/journal.h"
#include "bake/journal_layout.h"
#include "formats/pack_layout.h"
#include "tests/check.h"
#include "tests/temp_folder.h"

static const char metadata[] = "{\"depth\":3,\"seed\":\"1\"}";
static const struct journal_owner owner = {metadata, sizeof metadata - 1, 1, 1, 7};

static struct journal journal; // large; tests run one after another
static char folder[TEMP_PATH_MAX];

// Tests count tiles from 0; all are of one face and level.
#define FIRST_KEY (UINT64_C(10) << 51)

// A tile that can be told from its number alone: small blobs of lengths that vary.
static void make_entry(struct pack_entry *entry, uint8_t blobs[LAYER_COUNT][64], uint64_t key)
{
    memset(entry, 0, sizeof *entry);
    entry->key = FIRST_KEY + key;
    entry->height_min = -(int32_t)(key % 1000);
    entry->height_max = (int32_t)(key % 777);
    entry->error = (uint32_t)(key % 99);
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        uint32_t length = 1 + (uint32_t)(key * 7 + (unsigned)kind * 13) % 63;
        for (uint32_t k = 0; k < length; k++)
            blobs[kind][k] = (uint8_t)(key + k * 31 + (unsigned)kind);
        entry->blobs[kind] = blobs[kind];
        entry->lengths[kind] = length;
        entry->crcs[kind] = pack_crc(blobs[kind], length);
        memset(entry->content[kind], (int)(key % 251), SHA256_BYTES);
    }
}

static void append(struct journal_writer *writer, uint64_t key)
{
    struct pack_entry entry;
    uint8_t blobs[LAYER_COUNT][64];
    struct status status;
    make_entry(&entry, blobs, key);
    CHECK_TEXT(journal_append(writer, &entry, &status) == STATUS_OK, "%s", status.text);
}

static void open_journal(void)
{
    struct status status;
    CHECK_TEXT(journal_open(&journal, folder, &owner, &status) == STATUS_OK, "%s", status.text);
}

static void write_run(int segment, const uint64_t *keys, int count)
{
    struct journal_writer writer;
    struct status status;
    CHECK(journal_writer_new(&writer, &journal, segment, &status) == STATUS_OK);
    for (int k = 0; k < count; k++)
        append(&writer, keys[k]);
    CHECK(journal_sync(&writer, &status) == STATUS_OK);
    CHECK(journal_writer_finish(&writer, &status) == STATUS_OK);
}

// Reads the whole journal and checks every record against its key. Returns how many there are.
static int read_all(uint64_t *keys, int max)
{
    struct journal_cursor *cursor;
    struct journal_record record;
    struct status status;
    bool found = true;
    int count = 0;
    CHECK_TEXT(journal_cursor_new(&cursor, &journal, &status) == STATUS_OK, "%s", status.text);
    while (count < max) {
        uint8_t bytes[3 * 64], blobs[LAYER_COUNT][64];
        struct pack_entry expected;
        CHECK_TEXT(journal_next(cursor, &found, &record, &status) == STATUS_OK, "%s", status.text);
        if (!found)
            break;
        make_entry(&expected, blobs, record.entry.key - FIRST_KEY);
        CHECK(record.entry.height_min == expected.height_min && record.entry.height_max == expected.height_max &&
              record.entry.error == expected.error);
        CHECK(record.blob_bytes <= sizeof bytes);
        CHECK(journal_read_blobs(&journal, &record, bytes, &status) == STATUS_OK);
        for (int kind = 0; kind < LAYER_COUNT; kind++)
            CHECK(record.entry.lengths[kind] == expected.lengths[kind] &&
                  memcmp(record.entry.blobs[kind], blobs[kind], expected.lengths[kind]) == 0 &&
                  memcmp(record.entry.content[kind], expected.content[kind], SHA256_BYTES) == 0);
        CHECK(count == 0 || FIRST_KEY + keys[count - 1] < record.entry.key);
        keys[count++] = record.entry.key - FIRST_KEY;
    }
    CHECK(!found);
    journal_cursor_free(cursor);
    return count;
}

static void segment_path(char path[TEMP_PATH_MAX + 32], int segment)
{
    snprintf(path, TEMP_PATH_MAX + 32, "%s/tiles-%04d.journal", folder, segment);
}

static long size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

static void runs_of_all_writers_come_back_as_one_sequence(void)
{
    uint64_t all[600], keys[600], read[601];
    temp_folder_make(folder);
    CHECK(!journal_exists(folder));
    for (int start = 0; start < 3; start++) {
        open_journal();
        CHECK(journal.record_count == (uint64_t)start * 200);
        for (int segment = 0; segment < 4; segment++) {
            // Dealt out at random, as threads do it; the second start takes holes of the first.
            int count = 0;
            for (int k = 0; k < 50; k++)
                keys[count++] = (uint64_t)(k * 12 + segment + start * 4);
            write_run(segment, keys, count);
        }
        CHECK(journal.record_count == (uint64_t)(start + 1) * 200);
        CHECK(read_all(read, 601) == (start + 1) * 200);
        journal_close(&journal);
    }
    CHECK(journal_exists(folder));
    open_journal();
    CHECK(journal.record_count == 600 && read_all(read, 601) == 600);
    for (int k = 0; k < 600; k++)
        all[k] = (uint64_t)k;
    CHECK(memcmp(all, read, sizeof all) == 0);
    journal_close(&journal);
    struct status status;
    CHECK(journal_remove(folder, &status) == STATUS_OK && !journal_exists(folder));
    temp_folder_remove(folder);
}

static void a_writer_without_tiles_leaves_no_file(void)
{
    temp_folder_make(folder);
    open_journal();
    write_run(3, NULL, 0);
    CHECK(journal.run_count == 0 && !journal_exists(folder));
    journal_close(&journal);
    temp_folder_remove(folder);
}

static void a_file_cut_anywhere_keeps_the_whole_records_and_goes_on(void)
{
    static const uint64_t keys[] = {3, 5, 9, 20}, more[] = {1, 5, 9, 20, 30};
    char path[TEMP_PATH_MAX + 32];
    uint64_t read[16];
    temp_folder_make(folder);
    segment_path(path, 0);
    open_journal();
    write_run(0, keys, 4);
    journal_close(&journal);
    long size = size_of(path);
    static uint8_t bytes[8192];
    int fd = open(path, O_RDONLY);
    CHECK(size > 0 && size < (long)sizeof bytes && pread(fd, bytes, sizeof bytes, 0) == size);
    close(fd);
    for (long length = 0; length <= size; length++) {
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        CHECK(pwrite(fd, bytes, (size_t)length, 0) == length);
        close(fd);
        open_journal();
        int whole = (int)journal.record_count;
        CHECK(whole <= 4 && (whole == 4) == (length == size) && read_all(read, 16) == whole);
        CHECK(memcmp(read, keys, (size_t)whole * sizeof keys[0]) == 0);
        CHECK(size_of(path) == (journal.segments[0].path ? (long)journal.segments[0].end : -1));
        // What is lost is appended again, as a second run, and the torn end does not stand in its way.
        if (whole == 1) {
            write_run(0, more, 5);
            CHECK(journal.run_count == 2);
            journal_close(&journal);
            open_journal();
            CHECK(journal.record_count == 6 && read_all(read, 16) == 6 && read[0] == 1 && read[1] == 3);
        }
        journal_close(&journal);
    }
    temp_folder_remove(folder);
}

static void a_changed_byte_is_never_believed(void)
{
    static const uint64_t keys[] = {3, 5};
    char path[TEMP_PATH_MAX + 32];
    temp_folder_make(folder);
    segment_path(path, 0);
    open_journal();
    write_run(0, keys, 2);
    journal_close(&journal);
    long size = size_of(path);
    uint8_t bytes[4096];
    int fd = open(path, O_RDONLY);
    CHECK(size < (long)sizeof bytes && pread(fd, bytes, sizeof bytes, 0) == size);
    close(fd);
    for (long at = 0; at < size; at++) {
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        bytes[at] ^= 0x10;
        CHECK(pwrite(fd, bytes, (size_t)size, 0) == size);
        bytes[at] ^= 0x10;
        close(fd);
        open_journal();
        uint64_t read[4];
        CHECK_TEXT(journal.record_count < 2, "byte %ld", at);
        CHECK(read_all(read, 4) == (int)journal.record_count);
        journal_close(&journal);
    }
    temp_folder_remove(folder);
}

static void damage_after_the_scan_is_noticed(void)
{
    static const uint64_t keys[] = {3, 5};
    char path[TEMP_PATH_MAX + 32];
    temp_folder_make(folder);
    segment_path(path, 0);
    open_journal();
    write_run(0, keys, 2);
    long size = size_of(path);
    int fd = open(path, O_RDWR), caught = 0;
    long begin = (long)journal.runs[0].from; // the header is not read again
    for (long at = begin; at < size; at++) {
        uint8_t byte, other;
        CHECK(pread(fd, &byte, 1, at) == 1);
        other = byte ^ 0x40;
        CHECK(pwrite(fd, &other, 1, at) == 1);
        struct journal_cursor *cursor = NULL;
        struct journal_record record;
        struct status status;
        bool found = true;
        uint8_t blobs[3 * 64];
        enum status_code code = journal_cursor_new(&cursor, &journal, &status);
        while (code == STATUS_OK && found) {
            code = journal_next(cursor, &found, &record, &status);
            if (code == STATUS_OK && found)
                code = journal_read_blobs(&journal, &record, blobs, &status);
        }
        caught += code == STATUS_INPUT && strstr(status.text, "damaged");
        journal_cursor_free(cursor);
        CHECK(pwrite(fd, &byte, 1, at) == 1);
    }
    close(fd);
    CHECK_TEXT(caught == size - begin, "%d of %ld", caught, size);
    journal_close(&journal);
    temp_folder_remove(folder);
}

static void refused(const struct journal_owner *other, const char *words)
{
    struct status status = {0};
    CHECK_TEXT(journal_open(&journal, folder, other, &status) == STATUS_INPUT && strstr(status.text, words), "%s",
               status.text);
}

static void segments_of_another_bake_are_refused_saying_what_differs(void)
{
    static const uint64_t keys[] = {3, 5};
    static const char other_text[] = "{\"depth\":4,\"seed\":\"1\"}";
    uint64_t read[4];
    temp_folder_make(folder);
    open_journal();
    write_run(2, keys, 2);
    journal_close(&journal);
    refused(&(struct journal_owner){other_text, sizeof other_text - 1, 1, 1, 7}, "depth is 4, not 3");
    refused(&(struct journal_owner){metadata, sizeof metadata - 1, 2, 3, 7}, "share is 2/3, not 1/1");
    refused(&(struct journal_owner){metadata, sizeof metadata - 1, 1, 3, 7}, "share is 1/3, not 1/1");
    refused(&(struct journal_owner){"{\"depth\":3}", 11, 1, 1, 7}, "seed is nothing, not \"1\"");
    open_journal(); // and is as it was
    CHECK(read_all(read, 4) == 2);
    journal_close(&journal);
    temp_folder_remove(folder);
}

static void a_key_that_was_baked_twice_comes_once_if_it_is_the_same(void)
{
    static const uint64_t first[] = {3, 5, 8}, second[] = {5, 8, 9};
    uint64_t read[8];
    temp_folder_make(folder);
    open_journal();
    write_run(0, first, 3);
    write_run(1, second, 3);
    CHECK(read_all(read, 8) == 4 && read[3] == 9);
    journal_close(&journal);
    temp_folder_remove(folder);
}

// What may be different in a tile of the same key.
static void change_entry(struct pack_entry *entry, int what)
{
    static const uint8_t longer[64];
    switch (what) {
    case 0: entry->content[LAYER_COLOR][5] ^= 1; break;
    case 1: entry->height_min--; break;
    case 2: entry->height_max++; break;
    case 3: entry->error++; break;
    default:
        entry->blobs[LAYER_NORMAL] = longer;
        entry->lengths[LAYER_NORMAL] = what == 4 ? 64 : entry->lengths[LAYER_NORMAL];
        entry->crcs[LAYER_NORMAL] = pack_crc(longer, entry->lengths[LAYER_NORMAL]);
    }
}

// Nobody knows which is right.
static void two_versions_of_a_tile_are_refused(void)
{
    static const uint64_t keys[] = {3, 5, 8};
    for (int what = 0; what < 6; what++) {
        struct journal_writer writer;
        struct journal_cursor *cursor;
        struct journal_record record;
        struct status status;
        struct pack_entry entry;
        uint8_t blobs[LAYER_COUNT][64];
        bool found;
        temp_folder_make(folder);
        open_journal();
        write_run(0, keys, 3);
        make_entry(&entry, blobs, 8);
        change_entry(&entry, what);
        CHECK(journal_writer_new(&writer, &journal, 7, &status) == STATUS_OK);
        CHECK(journal_append(&writer, &entry, &status) == STATUS_OK);
        CHECK(journal_writer_finish(&writer, &status) == STATUS_OK);
        CHECK(journal_cursor_new(&cursor, &journal, &status) == STATUS_OK);
        enum status_code code;
        while ((code = journal_next(cursor, &found, &record, &status)) == STATUS_OK && found)
            ;
        CHECK_TEXT(code == STATUS_INPUT && strstr(status.text, "tiles-0007.journal") &&
                       strstr(status.text, "tiles-0000.journal"),
                   "change %d: %s", what, status.text);
        journal_cursor_free(cursor);
        journal_close(&journal);
        temp_folder_remove(folder);
    }
}

// Rubbish has no right checksum, but a later version may write what this one must not take.
static void heads_that_lie_are_not_believed(void)
{
    for (int lie = 0; lie < 4; lie++) {
        struct pack_entry entry, read;
        uint8_t blobs[LAYER_COUNT][64], head[JOURNAL_HEAD_BYTES];
        size_t blob_bytes;
        make_entry(&entry, blobs, 12);
        journal_head_encode(head, &entry);
        CHECK(journal_head_decode(head, 7, &read, &blob_bytes));
        if (lie == 0)
            entry.key = UINT64_MAX;
        else if (lie == 1)
            entry.lengths[LAYER_NORMAL] = PACK_BLOB_MAX + 1;
        else if (lie == 2)
            entry.lengths[LAYER_COLOR] = 0;
        journal_head_encode(head, &entry);
        CHECK_TEXT(!journal_head_decode(head, lie == 3 ? 3 : 7, &read, &blob_bytes), "lie %d", lie);
    }
}

static void only_names_of_segments_are_taken_for_them(void)
{
    static const char *const others[] = {"tiles-0001.journal.old",
                                         "tiles-1.journal",
                                         "tiles-1024.journal",
                                         "tiles--001.journal",
                                         "tiles-+001.journal",
                                         "tiles-00a1.journal",
                                         "tiles",
                                         "lock"};
    CHECK(journal_segment_number("tiles-0000.journal") == 0 && journal_segment_number("tiles-1023.journal") == 1023);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        CHECK_TEXT(journal_segment_number(others[k]) == -1, "%s", others[k]);
    struct status status;
    CHECK(!journal_exists("/nowhere") && journal_remove("/nowhere", &status) == STATUS_OK);
}

static int reads_left;

static int64_t failing_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    if (reads_left-- > 0)
        return pread(fd, bytes, size, offset);
    errno = EIO;
    return -1;
}

// Opens and reads everything; the first failure ends it.
static enum status_code read_with_failure(struct status *status)
{
    struct journal_cursor *cursor = NULL;
    struct journal_record record;
    uint8_t blobs[3 * 64];
    bool found = true;
    enum status_code code = journal_open(&journal, folder, &owner, status);
    if (code)
        return code;
    code = journal_cursor_new(&cursor, &journal, status);
    while (!code && found) {
        code = journal_next(cursor, &found, &record, status);
        if (!code && found)
            code = journal_read_blobs(&journal, &record, blobs, status);
    }
    journal_cursor_free(cursor);
    journal_close(&journal);
    return code;
}

static void work_files_that_cannot_be_read_are_trouble_of_the_machine(void)
{
    static const uint64_t keys[] = {3, 5, 8};
    struct file_system real = file_system;
    struct status status;
    temp_folder_make(folder);
    open_journal();
    write_run(0, keys, 3);
    write_run(4, keys, 1);
    journal_close(&journal);
    file_system.pread = failing_pread;
    int failures = 0;
    enum status_code code;
    do {
        reads_left = failures++;
        code = read_with_failure(&status);
        CHECK_TEXT(code == STATUS_OK ||
                       (code == STATUS_RESOURCE && status.code == code && strstr(status.text, "tiles-")),
                   "%d %s", (int)code, status.text);
    } while (code && failures < 100);
    file_system = real;
    // Two headers, twice as many texts and heads and blobs as records; then heads and blobs again.
    CHECK_TEXT(failures > 18, "%d", failures);
    temp_folder_remove(folder);
}

static int sync_count;

static int counting_fsync(int fd)
{
    (void)fd;
    sync_count++;
    return 0;
}

static void tiles_are_made_durable_now_and_then(void)
{
    struct file_system real = file_system;
    struct journal_writer writer;
    struct status status;
    temp_folder_make(folder);
    open_journal();
    file_system.fsync = counting_fsync;
    CHECK(journal_writer_new(&writer, &journal, 0, &status) == STATUS_OK);
    sync_count = 0;
    append(&writer, 1);
    append(&writer, 2);
    CHECK(sync_count == 0);
    writer.synced_s -= JOURNAL_SYNC_S; // as if so much time had gone
    append(&writer, 3);
    append(&writer, 4);
    CHECK(sync_count == 1);
    writer.synced_bytes -= JOURNAL_SYNC_BYTES; // as if so much had been written
    append(&writer, 5);
    append(&writer, 6);
    CHECK(sync_count == 2);
    CHECK(journal_sync(&writer, &status) == STATUS_OK && sync_count == 3);
    CHECK(journal_writer_finish(&writer, &status) == STATUS_OK);
    file_system = real;
    journal_close(&journal);
    temp_folder_remove(folder);
}

static void links_are_not_followed(void)
{
    char path[TEMP_PATH_MAX + 32], victim[TEMP_PATH_MAX + 32];
    static const uint64_t keys[] = {1};
    struct status status;
    temp_folder_make(folder);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    int fd = open(victim, O_WRONLY | O_CREAT, 0600);
    CHECK(write(fd, "precious", 8) == 8);
    close(fd);
    segment_path(path, 0);
    CHECK(symlink(victim, path) == 0);
    CHECK(journal_open(&journal, folder, &owner, &status) == STATUS_RESOURCE);
    // Nor when it appears after the folder was looked through.
    CHECK(unlink(path) == 0);
    open_journal();
    CHECK(symlink(victim, path) == 0);
    struct journal_writer writer;
    struct pack_entry entry;
    uint8_t blobs[LAYER_COUNT][64];
    make_entry(&entry, blobs, keys[0]);
    CHECK(journal_writer_new(&writer, &journal, 0, &status) == STATUS_OK);
    CHECK(journal_append(&writer, &entry, &status) == STATUS_RESOURCE);
    CHECK(journal_writer_finish(&writer, &status) == STATUS_OK);
    journal_close(&journal);
    CHECK(size_of(victim) == 8);
    temp_folder_remove(folder);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(runs_of_all_writers_come_back_as_one_sequence);
    CHECK_RUN(a_writer_without_tiles_leaves_no_file);
    CHECK_RUN(a_file_cut_anywhere_keeps_the_whole_records_and_goes_on);
    CHECK_RUN(a_changed_byte_is_never_believed);
    CHECK_RUN(damage_after_the_scan_is_noticed);
    CHECK_RUN(segments_of_another_bake_are_refused_saying_what_differs);
    CHECK_RUN(a_key_that_was_baked_twice_comes_once_if_it_is_the_same);
    CHECK_RUN(two_versions_of_a_tile_are_refused);
    CHECK_RUN(heads_that_lie_are_not_believed);
    CHECK_RUN(only_names_of_segments_are_taken_for_them);
    CHECK_RUN(work_files_that_cannot_be_read_are_trouble_of_the_machine);
    CHECK_RUN(tiles_are_made_durable_now_and_then);
    CHECK_RUN(links_are_not_followed);
    return CHECK_END;
}
