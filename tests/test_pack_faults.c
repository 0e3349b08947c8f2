// SPDX-License-Identifier: MIT
// The writer and the readers of packs when calls of the system fail, one after the other, and when memory runs out.
#include <errno.h>
#include <stddef.h>

#include "tests/pack_sample.h"

static struct status status;

// ---- A file system that fails once, or from then on, at the n-th call ----

enum mode { FINE, TRY_AGAIN, SHORT, ZERO, FAIL_ONCE, FAIL_FOR_EVER };

static struct file_system real;
static int call_count, fail_at, fail_errno;
static enum mode mode;

static bool strikes(void)
{
    int call = call_count++;
    errno = mode == TRY_AGAIN ? EINTR : fail_errno;
    return mode != FINE && (call == fail_at || (mode == FAIL_FOR_EVER && call > fail_at));
}

static int faulty_open(const char *path, int flags, unsigned bits)
{
    return strikes() && mode != SHORT && mode != ZERO ? -1 : real.open(path, flags, bits);
}

static int64_t faulty_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (!strikes())
        return real.pwrite(fd, bytes, size, offset);
    return mode == SHORT ? real.pwrite(fd, bytes, size / 2 + 1, offset) : mode == ZERO ? 0 : -1;
}

static int64_t faulty_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    if (!strikes())
        return real.pread(fd, bytes, size, offset);
    return mode == SHORT ? real.pread(fd, bytes, size / 2 + 1, offset) : mode == ZERO ? 0 : -1;
}

static int faulty_fsync(int fd)
{
    (void)fd;
    return strikes() && mode != SHORT && mode != ZERO ? -1 : 0;
}

static int faulty_close(int fd)
{
    int result = real.close(fd);
    return strikes() && mode != SHORT && mode != ZERO ? -1 : result;
}

static int faulty_unlink(const char *path)
{
    return strikes() && mode != SHORT && mode != ZERO ? -1 : real.unlink(path);
}

static void set_faults(enum mode new_mode, int at, int error_number)
{
    call_count = 0;
    mode = new_mode;
    fail_at = at;
    fail_errno = error_number;
    file_system = real;
    file_system.open = faulty_open;
    file_system.pwrite = faulty_pwrite;
    file_system.pread = faulty_pread;
    file_system.fsync = faulty_fsync;
    file_system.close = faulty_close;
    file_system.unlink = faulty_unlink;
}

// ---- Writing ----

static struct pack_writer *half_done;

// As far as finish; the writer stays for the caller to free.
static enum status_code write_pack(const struct sample_keys *set)
{
    struct pack_info info = sample_info(7u, 2);
    enum status_code code = pack_writer_begin(&half_done, sample_path("a.terrane"), sample_path("spool"), &info,
                                              SAMPLE_METADATA, strlen(SAMPLE_METADATA), &status);
    static struct sample_tile tile;
    for (size_t k = 0; k < set->count && code == STATUS_OK; k++) {
        sample_tile_make(&tile, set->keys[k], info.layers);
        code = pack_writer_add(half_done, &tile.entry, &status);
    }
    return code ? code : pack_writer_finish(half_done, NULL, &status);
}

static bool stands(const char *name)
{
    return access(sample_path(name), F_OK) == 0;
}

static void make_set(struct sample_keys *set)
{
    keys_add_full(set, 0, 5, 3); // some 900 kB, and the pages: several pieces
    keys_add_branch(set, (struct node){1, 12, 77, 4000});
    keys_sort(set);
}

static void every_failing_call_of_the_writer_is_reported(void)
{
    static const struct {
        enum mode mode;
        int error_number;
    } faults[] = {{FAIL_ONCE, ENOSPC}, {FAIL_ONCE, EIO}, {FAIL_FOR_EVER, ENOSPC}, {ZERO, 0}};
    struct sample_keys set = {0};
    make_set(&set);
    unlink(sample_path("a.terrane"));
    set_faults(FINE, 0, 0);
    CHECK_TEXT(write_pack(&set) == STATUS_OK, "%s", status.text);
    int calls = call_count;
    pack_writer_free(half_done);
    CHECK_TEXT(calls > 15, "%d calls", calls);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        for (int at = 0; at < calls; at++) {
            unlink(sample_path("a.terrane"));
            set_faults(faults[k].mode, at, faults[k].error_number);
            memset(&status, 0, sizeof status);
            half_done = NULL;
            enum status_code code = write_pack(&set);
            bool begun = half_done != NULL;
            pack_writer_free(half_done);
            file_system = real;
            // A result of 0 means failure only to transfers.
            if (faults[k].mode == ZERO && code == STATUS_OK)
                continue;
            CHECK_TEXT(code == STATUS_RESOURCE && status.code == STATUS_RESOURCE, "fault %zu at call %d: %d", k, at,
                       code);
            CHECK_TEXT(strstr(status.text, sample_folder) && !strchr(status.text, '\n'), "%s", status.text);
            CHECK_TEXT(begun || faults[k].mode == FAIL_FOR_EVER || (!stands("a.terrane") && !stands("spool")),
                       "call %d left a file", at);
            unlink(sample_path("spool"));
        }
    }
    keys_free(&set);
}

static void interrupted_and_short_calls_change_nothing(void)
{
    struct sample_keys set = {0};
    make_set(&set);
    unlink(sample_path("a.terrane"));
    set_faults(FINE, 0, 0);
    CHECK(write_pack(&set) == STATUS_OK);
    pack_writer_free(half_done);
    int calls = call_count;
    size_t size, size_again;
    uint8_t *bytes = sample_load(sample_path("a.terrane"), &size);
    for (int k = 0; k < 2; k++) {
        for (int at = 0; at < calls; at++) {
            unlink(sample_path("a.terrane"));
            set_faults(k ? SHORT : TRY_AGAIN, at, 0);
            enum status_code code = write_pack(&set);
            pack_writer_free(half_done);
            CHECK_TEXT(code == STATUS_OK, "call %d: %s", at, status.text);
            if (code)
                continue;
            uint8_t *again = sample_load(sample_path("a.terrane"), &size_again);
            CHECK_TEXT(size == size_again && memcmp(bytes, again, size) == 0, "call %d", at);
            free(again);
        }
    }
    file_system = real;
    unlink(sample_path("spool"));
    free(bytes);
    keys_free(&set);
}

static void an_unfinished_file_is_no_pack(void)
{
    struct sample_keys set = {0};
    struct pack *pack;
    make_set(&set);
    set_faults(FINE, 0, 0);
    unlink(sample_path("a.terrane"));
    CHECK(write_pack(&set) == STATUS_OK);
    pack_writer_free(half_done);
    int calls = call_count, refused = 0;
    for (int at = 0; at < calls; at++) {
        unlink(sample_path("a.terrane"));
        set_faults(FAIL_FOR_EVER, at, EIO);
        enum status_code code = write_pack(&set);
        pack_writer_free(half_done);
        file_system = real;
        unlink(sample_path("spool"));
        if (code == STATUS_OK || !stands("a.terrane"))
            continue;
        // The header goes out in the last call but two: the last sync and the close come after it.
        if (at < calls - 3) {
            CHECK_TEXT(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_INPUT, "call %d", at);
            refused++;
        }
    }
    CHECK(refused > 5);
    keys_free(&set);
}

static int syncs, writes_before_first_sync, header_writes_after_first_sync, writes_after_last_sync;

static int64_t watching_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    writes_before_first_sync += syncs == 0;
    header_writes_after_first_sync += syncs == 1 && offset == 0 && size == PACK_HEADER_BYTES;
    writes_after_last_sync = syncs > 1;
    return real.pwrite(fd, bytes, size, offset);
}

static int watching_fsync(int fd)
{
    (void)fd;
    syncs++;
    return 0;
}

static void the_header_is_written_between_two_syncs(void)
{
    struct sample_keys set = {0};
    make_set(&set);
    unlink(sample_path("a.terrane"));
    file_system = real;
    file_system.pwrite = watching_pwrite;
    file_system.fsync = watching_fsync;
    CHECK(write_pack(&set) == STATUS_OK);
    pack_writer_free(half_done);
    file_system = real;
    CHECK(syncs == 2 && writes_before_first_sync > 1 && header_writes_after_first_sync == 1);
    CHECK(writes_after_last_sync == 0);
    keys_free(&set);
}

static void nothing_existing_is_overwritten(void)
{
    static const char *const names[] = {"a.terrane", "spool"};
    struct sample_keys set = {0};
    file_system = real;
    for (int k = 0; k < 2; k++) {
        unlink(sample_path("a.terrane"));
        sample_store(sample_path(names[k]), (const uint8_t *)"precious", 8);
        half_done = NULL;
        CHECK(write_pack(&set) == STATUS_RESOURCE && strstr(status.text, "File exists"));
        CHECK(half_done == NULL);
        size_t size;
        uint8_t *bytes = sample_load(sample_path(names[k]), &size);
        CHECK(size == 8 && memcmp(bytes, "precious", 8) == 0);
        CHECK(stands("a.terrane") == (k == 0));
        free(bytes);
    }
    unlink(sample_path("spool"));
}

// ---- Reading ----

static enum status_code count_tile(void *context, const struct pack_tile *tile, struct status *why)
{
    (void)why;
    *(uint64_t *)context += tile_key_valid(tile->key);
    return STATUS_OK;
}

// Everything but opening, which looks at the real file too; the first failure ends it.
static enum status_code read_pack(const struct sample_keys *set)
{
    struct pack *pack;
    struct pack_cursor *cursor;
    char *text;
    size_t length;
    uint64_t count = 0;
    enum status_code code = pack_open(&pack, sample_path("a.terrane"), &status);
    if (code)
        return code;
    if ((code = pack_read_metadata(pack, &text, &length, &status)) == STATUS_OK)
        free(text);
    if (code == STATUS_OK)
        code = pack_walk(pack, count_tile, &count, &status);
    if (code == STATUS_OK)
        code = pack_check(pack, false, NULL, NULL, &status);
    if (code == STATUS_OK && (code = pack_cursor_new(&cursor, pack, &status)) == STATUS_OK) {
        struct pack_tile tile;
        bool found;
        code = pack_find(cursor, tile_key_node(set->keys[set->count - 1]), &found, &tile, &status);
        CHECK(code || found);
        pack_cursor_free(cursor);
    }
    struct layer_decoder *decoder;
    if (code == STATUS_OK && (code = layer_decoder_new(&decoder, pack, &status)) == STATUS_OK)
        layer_decoder_free(decoder);
    pack_close(pack);
    return code;
}

static void every_failing_read_is_reported_and_interrupted_ones_go_on(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 0, 1);
    keys_add_branch(&set, (struct node){0, 6, 3, 3});
    keys_sort(&set);
    unlink(sample_path("a.terrane"));
    file_system = real;
    CHECK(write_pack(&set) == STATUS_OK);
    pack_writer_free(half_done);
    set_faults(FINE, 0, 0);
    CHECK_TEXT(read_pack(&set) == STATUS_OK, "%s", status.text);
    int calls = call_count - 1; // the close of the pack does not matter
    CHECK(calls > 20);
    for (int at = 0; at < calls; at++) {
        static const struct {
            enum mode mode;
            int error_number;
        } faults[] = {{TRY_AGAIN, 0}, {SHORT, 0}, {FAIL_ONCE, EIO}, {FAIL_FOR_EVER, EIO}, {ZERO, 0}};
        for (int k = 0; k < 5; k++) {
            set_faults(faults[k].mode, at, faults[k].error_number);
            enum status_code code = read_pack(&set);
            if (k < 2 || (k == 4 && at == 0)) // opening cannot give 0
                CHECK_TEXT(code == STATUS_OK, "fault %d at call %d: %s", k, at, status.text);
            else
                CHECK_TEXT(code == STATUS_INPUT && strstr(status.text, "a.terrane: "), "fault %d at call %d", k, at);
        }
    }
    file_system = real;
    keys_free(&set);
}

// Spoils what it was to read, and fails, now and then.
static bool spoiled;
static int64_t spoiling_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    int64_t got = real.pread(fd, bytes, size, offset);
    if (check_random_below(4))
        return got;
    memset(bytes, (int)check_random_below(256), size);
    spoiled = true;
    errno = EIO;
    return -1;
}

static void a_page_that_could_not_be_read_is_not_kept(void)
{
    struct sample_keys set = {0};
    for (uint32_t k = 0; k < 40; k++)
        keys_add(&set, (struct node){3, 8, 6 * k, 5 * k}); // more pages than are kept
    keys_sort(&set);
    unlink(sample_path("a.terrane"));
    file_system = real;
    CHECK(write_pack(&set) == STATUS_OK);
    pack_writer_free(half_done);
    struct pack *pack;
    struct pack_cursor *cursor;
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    file_system.pread = spoiling_pread;
    int failures = 0;
    for (int k = 0; k < 2000; k++) {
        tile_key key = set.keys[check_random_below(set.count)];
        struct pack_tile tile;
        bool found;
        spoiled = false;
        if (pack_find(cursor, tile_key_node(key), &found, &tile, &status)) {
            CHECK(spoiled);
            failures++;
            continue;
        }
        CHECK(found && tile.key == key && tile.height_min == sample_height_min(key));
    }
    CHECK(failures > 100 && failures < 1900);
    file_system = real;
    pack_cursor_free(cursor);
    pack_close(pack);
    keys_free(&set);
}

// ---- Memory. The sanitizers have an allocator of their own, which cannot be stood in for ----

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define OWN_ALLOCATOR 0
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

#if OWN_ALLOCATOR
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *memory, size_t bytes);

#define WHY_ALLOCATOR "valgrind puts its own allocator in the place of the one here"

static int allocations, allocation_to_fail = -1;
static size_t allocated_bytes;

static bool may_allocate(size_t bytes)
{
    allocated_bytes += bytes;
    return allocations++ != allocation_to_fail;
}

void *malloc(size_t bytes)
{
    return may_allocate(bytes) ? __libc_malloc(bytes) : NULL;
}

void *calloc(size_t count, size_t bytes)
{
    return may_allocate(count * bytes) ? __libc_calloc(count, bytes) : NULL;
}

void *realloc(void *memory, size_t bytes)
{
    return may_allocate(bytes) ? __libc_realloc(memory, bytes) : NULL;
}

static void every_failing_allocation_is_reported(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 1);
    keys_sort(&set);
    file_system = real;
    for (int reading = 0; reading < 2; reading++) {
        int failures = 0;
        for (int at = 0;; at++) {
            if (!reading)
                unlink(sample_path("a.terrane"));
            allocations = 0;
            allocation_to_fail = at;
            half_done = NULL;
            enum status_code code = reading ? read_pack(&set) : write_pack(&set);
            allocation_to_fail = -1;
            if (!reading)
                pack_writer_free(half_done);
            if (code == STATUS_OK && allocations <= at)
                break;
            CHECK_TEXT(code == STATUS_RESOURCE && strstr(status.text, "out of memory"), "allocation %d", at);
            failures++;
        }
        CHECK(failures >= 4);
    }
    keys_free(&set);
}

static void the_writers_memory_does_not_grow_with_the_tiles(void)
{
    size_t bytes[2];
    file_system = real;
    for (int k = 0; k < 2; k++) {
        struct sample_keys set = {0};
        keys_add_full(&set, 0, 5, k ? 7 : 2); // 126 and 131,070 tiles
        keys_sort(&set);
        unlink(sample_path("a.terrane"));
        struct pack_info info = sample_info(1u, 4);
        allocated_bytes = 0;
        CHECK(sample_write(sample_path("a.terrane"), &info, &set, &status));
        bytes[k] = allocated_bytes;
        keys_free(&set);
    }
    CHECK_TEXT(bytes[0] == bytes[1] && bytes[0] > 0 && bytes[0] < 8 << 20, "%zu and %zu bytes", bytes[0], bytes[1]);
}
#endif

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    real = file_system;
    CHECK_RUN(every_failing_call_of_the_writer_is_reported);
    CHECK_RUN(interrupted_and_short_calls_change_nothing);
    CHECK_RUN(an_unfinished_file_is_no_pack);
    CHECK_RUN(the_header_is_written_between_two_syncs);
    CHECK_RUN(nothing_existing_is_overwritten);
    CHECK_RUN(every_failing_read_is_reported_and_interrupted_ones_go_on);
    CHECK_RUN(a_page_that_could_not_be_read_is_not_kept);
#if OWN_ALLOCATOR
    CHECK_RUN_WITHOUT_VALGRIND(every_failing_allocation_is_reported, WHY_ALLOCATOR);
    CHECK_RUN_WITHOUT_VALGRIND(the_writers_memory_does_not_grow_with_the_tiles, WHY_ALLOCATOR);
#endif
    sample_end();
    return CHECK_END;
}
