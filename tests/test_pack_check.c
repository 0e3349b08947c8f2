// SPDX-License-Identifier: MIT
// What pack_check finds without anybody's having meant harm: changed bytes, cut files, blobs that are shared wrongly.
// And that whatever stands in a file, the functions that read it survive it.
#include "tests/pack_memory.h"

static uint64_t progress_last;
static void note_progress(void *context, uint64_t bytes_done)
{
    CHECK(bytes_done > progress_last);
    progress_last = bytes_done;
    ++*(int *)context;
}

static void good_packs_pass(void)
{
    for (int k = 0; k < 6; k++) {
        struct sample_keys set = {0};
        if (k == 1)
            keys_add(&set, (struct node){0, 0, 0, 0});
        if (k >= 2)
            sparse_set(&set);
        if (k >= 4)
            keys_add_full(&set, 0, 5, k - 2);
        write_and_load(&set, k == 3 ? 4u : 7u, 1 + k % 4);
        CHECK_TEXT(read_all(&set), "%s", status.text);
        struct pack *pack = open_memory();
        int calls = 0;
        progress_last = 0;
        CHECK(pack_check(pack, false, note_progress, &calls, &status) == STATUS_OK);
        CHECK(calls > 0 && progress_last == file_size);
        pack_close(pack);
        keys_free(&set);
    }
}

static void no_changed_byte_goes_unseen(void)
{
    struct sample_keys set = {0};
    keys_add(&set, (struct node){3, 0, 0, 0});
    keys_add(&set, (struct node){3, 1, 1, 0});
    write_and_load(&set, 1, 2);
    CHECK(read_all(&set));
    for (size_t at = 0; at < file_size; at++) {
        uint8_t change = (uint8_t)(1 + check_random_below(255));
        file[at] ^= change;
        CHECK_TEXT(!read_all(&set), "byte %zu with %02x", at, change);
        file[at] ^= change;
    }
    CHECK(read_all(&set));
    keys_free(&set);
}

static void no_cut_or_lengthened_file_is_opened(void)
{
    struct sample_keys set = {0};
    keys_add(&set, (struct node){3, 0, 0, 0});
    write_and_load(&set, 1, 2);
    size_t whole = file_size;
    file_size++;
    CHECK(!open_memory() && strstr(status.text, "added"));
    for (file_size = whole; file_size-- > 0;)
        CHECK_TEXT(!open_memory(), "%zu bytes", file_size);
    keys_free(&set);
}

// A file cut or changed after it was opened, under every function.
static void a_file_that_shrinks_while_it_is_read_is_survived(void)
{
    struct sample_keys set = {0};
    sparse_set(&set);
    write_and_load(&set, 7, 3);
    size_t whole = file_size;
    for (size_t size = PACK_HEADER_BYTES; size < whole; size += 1 + whole / 100) {
        struct pack *pack = open_memory();
        uint64_t count = 0;
        file_size = size;
        CHECK(pack_walk(pack, count_tile, &count, &status) == STATUS_INPUT);
        CHECK(pack_check(pack, false, NULL, NULL, &status) == STATUS_INPUT);
        CHECK(strstr(status.text, "truncated"));
        file_size = whole;
        pack_close(pack);
    }
    keys_free(&set);
}

// ---- The window of small blobs ----

static void window_tile(struct pack_writer *writer, uint64_t number, uint64_t content)
{
    struct node node = {(int)(number >> 16), 8, 0, 0};
    morton_decode(number & 0xFFFF, &node.x, &node.y);
    uint8_t bytes[8];
    put_u64le(bytes, content);
    struct pack_entry entry = {.key = tile_key_of(node)};
    entry.blobs[LAYER_COLOR] = bytes;
    entry.lengths[LAYER_COLOR] = sizeof bytes;
    entry.crcs[LAYER_COLOR] = pack_crc(bytes, sizeof bytes);
    sha256_of(entry.content[LAYER_COLOR], bytes, sizeof bytes);
    CHECK(pack_writer_add(writer, &entry, &status) == STATUS_OK);
}

static enum status_code note_offset(void *context, const struct pack_tile *tile, struct status *why)
{
    (void)why;
    uint64_t **next = context;
    *(*next)++ = tile->blobs[LAYER_COLOR].offset;
    return STATUS_OK;
}

// Blobs 0..65535 fill the window; 0 is found and must not move up; a new one pushes 0 out, so that 0 is written anew
// and pushes 1 out, while 2 is still there.
static void the_window_is_first_in_first_out(void)
{
    static const uint64_t after[] = {0, 65536, 0, 2, 1};
    static uint64_t offsets[PACK_SMALL_WINDOW + 5];
    struct pack_info info = sample_info(1u << LAYER_COLOR, 1);
    struct pack_writer *writer;
    const char *path = sample_path("a.terrane");
    unlink(path);
    file_system.pread = pread_disk;
    CHECK(pack_writer_begin(&writer, path, sample_path("spool"), &info, "{}", 2, &status) == STATUS_OK);
    for (uint64_t k = 0; k < PACK_SMALL_WINDOW; k++)
        window_tile(writer, k, k);
    for (uint64_t k = 0; k < 5; k++)
        window_tile(writer, PACK_SMALL_WINDOW + k, after[k]);
    CHECK(pack_writer_finish(writer, NULL, &status) == STATUS_OK);
    pack_writer_free(writer);
    file_system.pread = pread_memory;
    free(file);
    file = sample_load(path, &file_size);
    struct pack *pack = open_memory();
    uint64_t *next = offsets;
    CHECK(pack_walk(pack, note_offset, &next, &status) == STATUS_OK);
    CHECK(next == offsets + PACK_SMALL_WINDOW + 5);
    const uint64_t *last = offsets + PACK_SMALL_WINDOW;
    CHECK(last[0] == offsets[0]);
    CHECK(last[1] == offsets[0] + 8 * PACK_SMALL_WINDOW);
    CHECK(last[2] == last[1] + 8);
    CHECK(last[3] == offsets[2]);
    CHECK(last[4] == last[2] + 8);
    CHECK_TEXT(pack_check(pack, false, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
    pack_close(pack);
    // A reference to a blob that has left the window is refused though its bytes are right.
    CHECK(pack_header_decode(&header, file, file_size, "p", &status) == STATUS_OK);
    struct node node = {1, 8, 0, 0}; // the first tile after the full window, and two on
    morton_decode(2, &node.x, &node.y);
    for (uint32_t page = 0; page < header.page_count; page++) {
        struct node root = pack_page_root(page_at(page));
        if (root.level != 5 || root.face != 1 || root.x != 0 || root.y != 0)
            continue;
        put_u64le(record_at(page, pack_record_index(3, 2)) + 24, offsets[0]);
    }
    struct sample_keys none = {0};
    expect(&none, "neither the next one nor a small one");
}

static void blobs_of_any_allowed_size_are_checked(void)
{
    static const uint32_t lengths[] = {1, PACK_BLOB_MAX, 100, 300000, 5, 262144, 262145};
    uint8_t *bytes = malloc(PACK_BLOB_MAX);
    for (size_t k = 0; k < PACK_BLOB_MAX; k++)
        bytes[k] = (uint8_t)(k >> 9 ^ k);
    struct pack_info info = sample_info(1u << LAYER_NORMAL, 1);
    struct pack_writer *writer;
    const char *path = sample_path("a.terrane");
    unlink(path);
    file_system.pread = pread_disk;
    CHECK(pack_writer_begin(&writer, path, sample_path("spool"), &info, "{}", 2, &status) == STATUS_OK);
    for (uint32_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct pack_entry entry = {.key = tile_key_of((struct node){5, 3, k, 0})};
        entry.blobs[LAYER_NORMAL] = bytes;
        entry.lengths[LAYER_NORMAL] = lengths[k];
        entry.crcs[LAYER_NORMAL] = pack_crc(bytes, lengths[k]);
        CHECK(pack_writer_add(writer, &entry, &status) == STATUS_OK);
    }
    CHECK(pack_writer_finish(writer, NULL, &status) == STATUS_OK);
    pack_writer_free(writer);
    file_system.pread = pread_memory;
    free(file);
    file = sample_load(path, &file_size);
    struct pack *pack = open_memory();
    CHECK_TEXT(pack_check(pack, false, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
    file[file_size / 2] ^= 1; // within the largest
    CHECK(pack_check(pack, false, NULL, NULL, &status) == STATUS_INPUT);
    CHECK_TEXT(strstr(status.text, "tile 5/3/1/0: normal: damaged"), "%s", status.text);
    pack_close(pack);
    free(bytes);
}

static void blobs_of_4096_bytes_are_shared_and_longer_ones_are_not(void)
{
    static uint8_t bytes[PACK_SMALL_BLOB_MAX + 1] = {1, 2, 3};
    uint64_t offsets[4], *next = offsets;
    struct pack_info info = sample_info(1u << LAYER_COLOR, 1);
    struct pack_writer *writer;
    const char *path = sample_path("a.terrane");
    unlink(path);
    file_system.pread = pread_disk;
    CHECK(pack_writer_begin(&writer, path, sample_path("spool"), &info, "{}", 2, &status) == STATUS_OK);
    for (uint32_t k = 0; k < 4; k++) {
        struct pack_entry entry = {.key = tile_key_of((struct node){0, 2, k, 0})};
        uint32_t length = PACK_SMALL_BLOB_MAX + k / 2;
        entry.blobs[LAYER_COLOR] = bytes;
        entry.lengths[LAYER_COLOR] = length;
        entry.crcs[LAYER_COLOR] = pack_crc(bytes, length);
        CHECK(pack_writer_add(writer, &entry, &status) == STATUS_OK);
    }
    CHECK(pack_writer_finish(writer, NULL, &status) == STATUS_OK);
    pack_writer_free(writer);
    file_system.pread = pread_memory;
    free(file);
    file = sample_load(path, &file_size);
    struct pack *pack = open_memory();
    CHECK(pack && pack_walk(pack, note_offset, &next, &status) == STATUS_OK);
    CHECK(offsets[1] == offsets[0] && offsets[2] == offsets[0] + 4096 && offsets[3] == offsets[2] + 4097);
    CHECK_TEXT(pack_check(pack, false, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
    pack_close(pack);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    pread_disk = file_system.pread;
    CHECK_RUN(good_packs_pass);
    CHECK_RUN(no_changed_byte_goes_unseen);
    CHECK_RUN(no_cut_or_lengthened_file_is_opened);
    CHECK_RUN(a_file_that_shrinks_while_it_is_read_is_survived);
    CHECK_RUN(blobs_of_any_allowed_size_are_checked);
    CHECK_RUN(blobs_of_4096_bytes_are_shared_and_longer_ones_are_not);
    CHECK_RUN(the_window_is_first_in_first_out);
    free(file);
    sample_end();
    return CHECK_END;
}
