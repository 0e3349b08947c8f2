// SPDX-License-Identifier: MIT
// Packs whose checksums are all right and which lie: each lie is found by pack_check, and by the functions that see
// only a part of the file where it could mislead them.
#include "tests/pack_memory.h"

// Changes of one record, each of which means one thing.
enum change {
    OFFSET_UP,
    OFFSET_DOWN,
    OFFSET_HUGE,
    OFFSET_BEFORE_DATA,
    LENGTH_ZERO,
    LENGTH_HUGE,
    LENGTH_PAST_DATA,
    LENGTH_MORE,
    LENGTH_LESS,
    CRC,
    LEAF,
    MIN_ABOVE_MAX,
    MIN_LOWER,
    SUBTREE_WIDER,
    SUBTREE_NARROWER,
    FLAG_BELOW,
    FLAG_UNKNOWN,
    ABSENT,
    ABSENT_AND_ZERO,
    CHANGE_COUNT
};

static const char *apply(enum change change, uint8_t *record)
{
    uint8_t *blob = record + 24;
    switch (change) {
    case OFFSET_UP: put_u64le(blob, get_u64le(blob) + 1); return "neither the next one";
    case OFFSET_DOWN: put_u64le(blob, get_u64le(blob) - 1); return "neither the next one";
    case OFFSET_HUGE: put_u64le(blob, UINT64_MAX - 10); return "outside the data";
    case OFFSET_BEFORE_DATA: put_u64le(blob, 1024); return "outside the data";
    case LENGTH_ZERO: put_u32le(blob + 8, 0); return "length is out of range";
    case LENGTH_HUGE: put_u32le(blob + 8, UINT32_MAX); return "length is out of range";
    case LENGTH_PAST_DATA:
        put_u32le(blob + 8, (uint32_t)(header.data_offset + header.data_bytes - get_u64le(blob) + 1));
        return "outside the data";
    case LENGTH_MORE: put_u32le(blob + 8, get_u32le(blob + 8) + 1); return "wrong checksum";
    case LENGTH_LESS: put_u32le(blob + 8, get_u32le(blob + 8) - 1); return "wrong checksum";
    case CRC: put_u32le(blob + 12, 1); return "wrong checksum";
    case LEAF: blob[16] ^= 1; return "content_sha256";
    case MIN_ABOVE_MAX: put_i32le(record + 4, get_i32le(record + 8) + 1); return "height range is empty";
    case MIN_LOWER: put_i32le(record + 4, INT32_MIN); return "height range";
    case SUBTREE_WIDER: put_i32le(record + 16, header.height_max); return "height range is wrong";
    case SUBTREE_NARROWER: put_i32le(record + 12, get_i32le(record + 16)); return "height range is wrong";
    case FLAG_BELOW: put_u32le(record, get_u32le(record) ^ 2); return "tiles below";
    case FLAG_UNKNOWN: put_u32le(record, get_u32le(record) | 4); return "unknown flags";
    case ABSENT: put_u32le(record, get_u32le(record) & ~1u); return "absent tile has content";
    default: memset(record, 0, pack_record_bytes(header.slot_count)); return "";
    }
}

static void lies_in_a_record_are_found(void)
{
    for (int change = 0; change < CHANGE_COUNT; change++) {
        for (unsigned index = 1; index <= 20; index += 19) {
            struct sample_keys set = {0};
            forge_begin(&set);
            uint8_t *record = record_at(0, index);
            // A tile with a big first blob of its own, so that each change means one thing.
            CHECK(get_u32le(record) & 1);
            const char *why = apply((enum change)change, record);
            expect(&set, why);
            keys_free(&set);
        }
    }
}

static void lies_of_a_page_are_found(void)
{
    static const struct {
        size_t offset;
        uint8_t change;
        const char *why;
    } cases[] = {
        {0, 1, "not an index page"},
        {8, 1, "wrong place"},
        {9, 1, "wrong place"},
        {10, 1, "wrong place"},
        {11, 1, "wrong place"},
        {12, 1, "wrong place"},
        {16, 1, "wrong place"},
        {20, 1, "another pack"},
        {28, 1, "counts its tiles wrongly"},
        {15336, 1, "bytes after its end"},
        {15359, 0, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (uint32_t page = 0; page < 4; page += 2) {
            struct sample_keys set = {0};
            forge_begin(&set);
            page_at(page)[cases[k].offset] ^= cases[k].change;
            if (cases[k].change)
                expect(&set, cases[k].why);
            else
                forge_end();
            CHECK(cases[k].change || read_all(&set)); // forging itself changes nothing
            keys_free(&set);
        }
    }
}

// Records and child slots that a root page of three levels does not have, and levels that the pack does not have.
static void content_where_nothing_can_be_is_found(void)
{
    for (int k = 0; k < 4; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        const char *why = "below the deepest level";
        uint32_t last = header.page_count - 1;
        CHECK(header.max_level == 9 && pack_page_root(page_at(last)).level == 7);
        switch (k) {
        case 0: record_at(0, 21)[30] = 1; break;
        case 1: record_at(last, 84)[0] = 1; break; // level 10
        case 2: pack_page_set_child(page_at(0), 3, 64, header.page_count), why = "number is out of range"; break;
        default:
            pack_page_set_child(page_at(last - 1), 3, 255, header.page_count), why = "number is out of range";
            break;
        }
        expect(&set, why);
        keys_free(&set);
    }
}

static void a_page_without_tiles_is_found(void)
{
    struct sample_keys set = {0};
    keys_add(&set, (struct node){2, 0, 0, 0});
    write_and_load(&set, 7, 1);
    CHECK(pack_header_decode(&header, file, file_size, "p", &status) == STATUS_OK);
    file = realloc(file, file_size + header.page_bytes);
    memset(file + file_size, 0, header.page_bytes);
    pack_page_seal(file + file_size, 3, (struct node){4, 0, 0, 0}, 1, 0, header.info.fingerprint);
    file_size += header.page_bytes;
    header.file_bytes = file_size;
    header.page_count = 2;
    header.root_pages[4] = 2;
    expect(&set, "has no tile");
    keys_free(&set);
}

static void wrong_child_pages_are_found(void)
{
    enum { SELF, BACK, BEYOND, TWICE, SWAPPED, DROPPED, SKIPPED, FROM_THE_LAST, CASES };
    for (int k = 0; k < CASES; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        unsigned slots[4], count = 0; // of the children that come first, and at last the last
        for (unsigned slot = 0; slot < 64; slot++) {
            if (pack_page_child(page_at(0), 3, slot))
                slots[count < 3 ? count++ : 3] = slot;
        }
        CHECK(pack_page_child(page_at(0), 3, slots[0]) == 2 && pack_page_child(page_at(0), 3, slots[1]) == 3);
        const char *why = "number is out of range";
        switch (k) {
        case SELF: pack_page_set_child(page_at(0), 3, slots[0], 1); break;
        case BACK: pack_page_set_child(page_at(1), 3, 0, 1); break;
        case BEYOND: pack_page_set_child(page_at(0), 3, slots[3], header.page_count + 1); break;
        case TWICE: pack_page_set_child(page_at(0), 3, slots[1], 2); break;
        case SWAPPED:
            pack_page_set_child(page_at(0), 3, slots[0], 3);
            pack_page_set_child(page_at(0), 3, slots[1], 2);
            break;
        case DROPPED: pack_page_set_child(page_at(0), 3, slots[1], 0), why = "not in canonical order"; break;
        case SKIPPED: {
            uint32_t last = pack_page_child(page_at(0), 3, slots[3]);
            pack_page_set_child(page_at(0), 3, slots[3], last + 1);
            why = "not in canonical order";
            break;
        }
        default: pack_page_set_child(page_at(header.page_count - 1), 3, 0, header.page_count); break;
        }
        expect(&set, why);
        keys_free(&set);
    }
}

static void a_subtree_range_that_disagrees_with_the_page_below_is_found(void)
{
    struct sample_keys set = {0};
    forge_begin(&set);
    // Widen one last-level record and all above it, so that page 0 agrees with itself.
    unsigned child = 0;
    while (pack_page_child(page_at(0), 3, child) == 0)
        child++;
    unsigned morton = child / 4;
    for (int depth = 2; depth >= 0; depth--, morton /= 4)
        put_i32le(record_at(0, pack_record_index(depth, morton)) + 12, header.height_min - 1);
    header.height_min--;
    expect(&set, "subtree's height range is wrong");
    keys_free(&set);
}

static void lies_of_the_header_are_found(void)
{
    enum { COUNTS, MIN, MAX, CONTENT, BODY, FINGERPRINT, METADATA, DATA_LONGER, GAP_A, GAP_B, SPARE_PAGE, CASES };
    for (int k = 0; k < CASES; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        const char *why = "";
        switch (k) {
        case COUNTS: header.tiles[3]++, header.tiles[4]--, why = "number of tiles"; break;
        case MIN: header.height_min--, why = "height range is not"; break;
        case MAX: header.height_max++, why = "height range is not"; break;
        case CONTENT: header.content_sha256[7] ^= 1, why = "content_sha256"; break;
        case FINGERPRINT: header.info.fingerprint[31] ^= 1, why = "damaged metadata"; break;
        case METADATA: header.metadata_crc ^= 1, why = "damaged metadata"; break;
        case DATA_LONGER: header.data_bytes++, why = "nothing points to"; break;
        case GAP_A: file[header.data_offset - 1] = 1, why = "in use by nothing"; break;
        case GAP_B: file[header.index_offset - 1] = 1, why = "in use by nothing"; break;
        case SPARE_PAGE: {
            file = realloc(file, file_size + header.page_bytes);
            memcpy(file + file_size, page_at(header.page_count - 1), header.page_bytes);
            file_size += header.page_bytes;
            header.file_bytes = file_size;
            header.page_count++;
            why = "pages that nothing points to";
            break;
        }
        default: break;
        }
        if (k == BODY) {
            forge_end();
            header.body_sha256[0] ^= 1;
            pack_header_encode(file, &header);
            CHECK(!read_all(&set) && strstr(status.text, "file's hash"));
        } else {
            expect(&set, why);
        }
        keys_free(&set);
    }
}

static void gaps_between_the_parts_are_found(void)
{
    for (int k = 0; k < 2; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        size_t at = k ? header.index_offset : header.data_offset, gap = 4096;
        uint8_t *wider = calloc(1, file_size + gap);
        memcpy(wider, file, at);
        memcpy(wider + at + gap, file + at, file_size - at);
        free(file);
        file = wider;
        file_size += gap;
        header.file_bytes += gap;
        header.index_offset += gap;
        header.data_offset += k ? 0 : gap;
        for (uint32_t page = 0; page < header.page_count && k == 0; page++) {
            for (unsigned index = 0; index < PACK_PAGE_RECORDS; index++) {
                uint8_t *blob = record_at(page, index) + 24;
                for (int slot = 0; slot < 3 && get_u32le(blob + 8); slot++, blob += 48)
                    put_u64le(blob, get_u64le(blob) + gap);
            }
        }
        expect(&set, k ? "place of the index" : "place of the data");
        keys_free(&set);
    }
}

static void two_equal_small_blobs_side_by_side_are_found(void)
{
    struct sample_keys set = {0};
    forge_begin(&set);
    // The blobs of record 1 become four equal bytes each, as far as they reach.
    uint8_t *first = record_at(0, 1) + 24, *second = first + 48;
    CHECK(get_u64le(second) == get_u64le(first) + get_u32le(first + 8));
    uint64_t at = get_u64le(first);
    uint32_t length = get_u32le(first + 8) + get_u32le(second + 8);
    length -= length % 2;
    CHECK(length / 2 <= PACK_SMALL_BLOB_MAX && get_u64le(second) + get_u32le(second + 8) == at + length);
    memset(file + at, 0x5A, length);
    for (int k = 0; k < 2; k++) {
        put_u64le(first + 48 * k, at + (uint64_t)k * (length / 2));
        put_u32le(first + 48 * k + 8, length / 2);
        put_u32le(first + 48 * k + 12, pack_crc(file + at, length / 2));
    }
    expect(&set, "should be shared");
    keys_free(&set);
}

static void wrong_sharing_is_found(void)
{
    enum { BIG, LENGTH, CHECKSUM, CONTENT, OTHER_LAYER, RANGE, CASES };
    for (int k = 0; k < CASES; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        // Two sea tiles of page 0, and a tile with a big blob before them.
        unsigned sea[2], seas = 0, big = 0;
        for (unsigned index = 0; index < 21; index++) {
            const uint8_t *blob = record_at(0, index) + 24;
            if (get_u32le(blob + 8) == 40 && seas < 2)
                sea[seas++] = index;
            if (get_u32le(blob + 8) > PACK_SMALL_BLOB_MAX && seas == 0)
                big = index;
        }
        CHECK(seas == 2 && get_u64le(record_at(0, sea[0]) + 24) == get_u64le(record_at(0, sea[1]) + 24));
        uint8_t *blob = record_at(0, sea[1]) + 24;
        const char *why = "disagrees with the tile whose blob";
        switch (k) {
        case BIG:
            CHECK(get_u32le(record_at(0, big) + 32) > PACK_SMALL_BLOB_MAX);
            memcpy(blob, record_at(0, big) + 24, 48);
            why = "neither the next one nor a small one";
            break;
        case LENGTH: put_u32le(blob + 8, 39), why = "neither the next one nor a small one"; break;
        case CHECKSUM: put_u32le(blob + 12, 0); break;
        case CONTENT: blob[16] ^= 1; break;
        case OTHER_LAYER: memcpy(blob + 48, blob, 48); break;
        default: // other heights of the same bytes, with the subtree's range to match
            put_i32le(record_at(0, sea[1]) + 4, -41);
            if (!(get_u32le(record_at(0, sea[1])) & 2))
                put_i32le(record_at(0, sea[1]) + 12, -41);
            break;
        }
        expect(&set, why);
        keys_free(&set);
    }
}

// ---- Functions that do not see the whole file must not be misled either ----

static void a_page_under_two_names_is_refused_by_find(void)
{
    struct sample_keys set = {0};
    forge_begin(&set);
    // Pages 1 and on are the children of page 0, the last ones those of other pages. The first page with a child keeps
    // it; the next such page gets the same.
    uint32_t parents[2] = {0}, found_parents = 0, child = 0;
    unsigned slots[2] = {0};
    for (uint32_t page = 1; page < header.page_count && found_parents < 2; page++) {
        for (unsigned slot = 0; slot < PACK_PAGE_CHILDREN && found_parents < 2; slot++) {
            if (pack_page_child(page_at(page), 3, slot) == 0)
                continue;
            parents[found_parents] = page;
            slots[found_parents++] = slot;
            break;
        }
    }
    CHECK(found_parents == 2);
    child = pack_page_child(page_at(parents[0]), 3, slots[0]);
    pack_page_set_child(page_at(parents[1]), 3, slots[1], child);
    forge_end();
    for (int k = 0; k < 2; k++) {
        struct pack *pack = open_memory();
        struct pack_cursor *cursor = NULL;
        struct pack_tile tile;
        bool found;
        CHECK(pack && pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
        // In this order and in the other: once out of the cache and once from the file.
        for (int j = 0; j < 2; j++) {
            int which = k ^ j;
            struct node root = pack_page_root(page_at(parents[which]));
            uint32_t x, y;
            morton_decode(slots[which], &x, &y);
            struct node node = {root.face, root.level + 4, root.x << 4 | x, root.y << 4 | y};
            enum status_code code = pack_find(cursor, node, &found, &tile, &status);
            CHECK_TEXT(code == (which ? STATUS_INPUT : STATUS_OK), "%s", status.text);
            CHECK(which == 0 || strstr(status.text, "wrong place"));
        }
        pack_cursor_free(cursor);
        pack_close(pack);
    }
    keys_free(&set);
}

static void a_height_range_beyond_the_planets_is_refused_by_find(void)
{
    for (int k = 0; k < 2; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        header.height_min += k == 0;
        header.height_max -= k == 1;
        forge_end();
        struct pack *pack = open_memory();
        struct pack_cursor *cursor = NULL;
        struct pack_tile tile;
        bool found;
        CHECK(pack && pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
        CHECK(pack_find(cursor, (struct node){2, 0, 0, 0}, &found, &tile, &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, "exceeds the planet's"), "%s", status.text);
        pack_cursor_free(cursor);
        pack_close(pack);
        keys_free(&set);
    }
}

static void metadata_that_are_not_the_fingerprints_are_refused(void)
{
    for (int k = 0; k < 3; k++) {
        struct sample_keys set = {0};
        forge_begin(&set);
        char *text = NULL;
        size_t length = 0;
        if (k == 0)
            file[PACK_HEADER_BYTES + 5] ^= 1; // wrong CRC too
        if (k >= 1) {
            file[PACK_HEADER_BYTES + 5] = k == 1 ? 'x' : 0;
            header.metadata_crc = pack_crc(file + PACK_HEADER_BYTES, header.metadata_bytes);
        }
        if (k == 2) // all right but for the zero byte
            sha256_of(header.info.fingerprint, file + PACK_HEADER_BYTES, header.metadata_bytes);
        forge_end();
        struct pack *pack = open_memory();
        CHECK(pack && pack_read_metadata(pack, &text, &length, &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, k == 2 ? "not a text" : "wrong checksum"), "%s", status.text);
        CHECK(pack_check(pack, false, NULL, NULL, &status) == STATUS_INPUT);
        CHECK_TEXT(strstr(status.text, k == 2 ? "not a text" : "wrong checksum"), "%s", status.text);
        pack_close(pack);
        keys_free(&set);
    }
}

// ---- Versions ----

static enum status_code add_content(void *context, const struct pack_tile *tile, struct status *why)
{
    (void)why;
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        pack_content_add(context, tile->key, kind == LAYER_COLOR ? 9 : (uint8_t)kind, header.info.intervals,
                         tile->blobs[kind].content);
    return STATUS_OK;
}

// As a version 1.1 might have it: the third layer is one that we do not know, and there are new flags.
static void a_later_minor_version_is_read_without_what_it_adds(void)
{
    struct sample_keys set = {0};
    struct sha256 content;
    forge_begin(&set);
    struct pack *pack = open_memory();
    sha256_begin(&content);
    CHECK(pack_walk(pack, add_content, &content, &status) == STATUS_OK);
    pack_close(pack);
    sha256_finish(&content, header.content_sha256);
    put_u32le(record_at(0, 1), get_u32le(record_at(0, 1)) | 0x40);
    forge_end();
    for (int needed = 0; needed < 2; needed++) {
        file[10] = 1;
        memcpy(file + 256 + 2 * 16, "\x09\x07\x01\x08\0\0\0\0new\0\0\0\0\0", 16);
        file[256 + 2 * 16 + 4] = (uint8_t)needed;
        put_u32le(file + 1020, pack_crc(file, 1020));
        pack = open_memory();
        if (needed) {
            CHECK(!pack && strstr(status.text, "does not know"));
            continue;
        }
        CHECK_TEXT(pack != NULL, "%s", status.text);
        CHECK(pack_get_info(pack)->layers == 3u);
        CHECK_TEXT(pack_check(pack, false, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
        struct pack_cursor *cursor = NULL;
        struct pack_tile tile;
        bool found;
        CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
        CHECK(pack_find(cursor, (struct node){2, 1, 0, 0}, &found, &tile, &status) == STATUS_OK && found);
        CHECK(tile.blobs[LAYER_NORMAL].length > 0 && tile.blobs[LAYER_COLOR].length == 0);
        pack_cursor_free(cursor);
        pack_close(pack);
    }
    keys_free(&set);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    pread_disk = file_system.pread;
    CHECK_RUN(lies_in_a_record_are_found);
    CHECK_RUN(lies_of_a_page_are_found);
    CHECK_RUN(content_where_nothing_can_be_is_found);
    CHECK_RUN(a_page_without_tiles_is_found);
    CHECK_RUN(wrong_child_pages_are_found);
    CHECK_RUN(a_subtree_range_that_disagrees_with_the_page_below_is_found);
    CHECK_RUN(lies_of_the_header_are_found);
    CHECK_RUN(gaps_between_the_parts_are_found);
    CHECK_RUN(two_equal_small_blobs_side_by_side_are_found);
    CHECK_RUN(wrong_sharing_is_found);
    CHECK_RUN(a_page_under_two_names_is_refused_by_find);
    CHECK_RUN(a_height_range_beyond_the_planets_is_refused_by_find);
    CHECK_RUN(metadata_that_are_not_the_fingerprints_are_refused);
    CHECK_RUN(a_later_minor_version_is_read_without_what_it_adds);
    free(file);
    sample_end();
    return CHECK_END;
}
