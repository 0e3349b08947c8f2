// SPDX-License-Identifier: MIT
// Header and index pages byte for byte as pack.md has them, and nothing else accepted.
#include "common/byteorder.h"
#include "formats/pack_page.h"
#include "tests/pack_sample.h"

static struct status status;

struct golden {
    size_t offset;
    const char *hex;
};

static size_t unhex(uint8_t *bytes, const char *hex)
{
    size_t count = 0;
    for (; *hex; hex++) {
        if (*hex == ' ')
            continue;
        unsigned value;
        if (sscanf(hex, "%2x", &value) != 1)
            abort();
        bytes[count++] = (uint8_t)value;
        hex++;
    }
    return count;
}

// The golden pieces, and zeros between them.
static void check_golden(const uint8_t *bytes, size_t size, const struct golden *pieces, size_t piece_count)
{
    static uint8_t wanted[PACK_PAGE_BYTES_MAX];
    memset(wanted, 0, sizeof wanted);
    for (size_t k = 0; k < piece_count; k++)
        unhex(wanted + pieces[k].offset, pieces[k].hex);
    for (size_t k = 0; k < size; k++)
        CHECK_TEXT(bytes[k] == wanted[k], "byte %zu is %02x, not %02x", k, bytes[k], wanted[k]);
}

static struct pack_header example(void)
{
    struct pack_header header = {.info = sample_info(5u, 2),
                                 .file_bytes = 0x5000 + 7 * 11264,
                                 .metadata_bytes = 0x123,
                                 .metadata_crc = 0xA1B2C3D4,
                                 .data_offset = 0x600,
                                 .data_bytes = 0x49AB,
                                 .index_offset = 0x5000,
                                 .page_bytes = 11264,
                                 .page_count = 7,
                                 .full_depth = 1,
                                 .max_level = 2,
                                 .height_min = -5,
                                 .height_max = 0x01020304,
                                 .root_pages = {1, 2, 3, 4, 5, 6},
                                 .tiles = {6, 24, 1}};
    header.info.radius_m = 1737400.5;
    header.info.intervals = 128;
    header.info.height_exponent = -10;
    header.info.complete = false;
    header.info.share = 3;
    header.info.share_count = 64;
    pack_header_slots(&header);
    for (int k = 0; k < SHA256_BYTES; k++) {
        header.info.fingerprint[k] = (uint8_t)(0x10 + k);
        header.body_sha256[k] = (uint8_t)(0x40 + k);
        header.content_sha256[k] = (uint8_t)(0x80 + k);
    }
    return header;
}

static const struct golden header_golden[] = {
    {0, "89 54 52 4E 0D 0A 1A 0A 0100 0000 00040000"},
    {16, "0084010000000000"},
    {24, "0004000000000000 23010000 D4C3B2A1"},
    {40, "0006000000000000 AB49000000000000 0050000000000000"},
    {64, "002C0000 07000000"},
    {72, "04 02 01 02 02 07 01 00"},
    {80, "0080B8821A000000"},
    {88, "F6 00"},
    {92, "1F000000"}, // 21,321 m at level 0, 1,333 m at level 4
    {96, "FBFFFFFF 04030201 03000000 40000000 00100000 00000100"},
    {128, "101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F"},
    {160, "404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F"},
    {192, "808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F"},
    {224, "01000000 02000000 03000000 04000000 05000000 06000000"},
    {256, "00 01 01 20 00 000000 6865696768740000"},
    {272, "02 02 03 08 00 000000 636F6C6F72000000"},
    {384, "0600000000000000 1800000000000000 0100000000000000"},
    {1020, "2AE6BDCD"}, // by Python's zlib from the bytes above
};

static void the_header_stands_as_the_text_says(void)
{
    uint8_t bytes[PACK_HEADER_BYTES];
    struct pack_header header = example();
    memset(bytes, 0xEE, sizeof bytes);
    pack_header_encode(bytes, &header);
    check_golden(bytes, sizeof bytes, header_golden, sizeof header_golden / sizeof *header_golden);
}

static void a_header_comes_back_as_it_went_in(void)
{
    uint8_t bytes[PACK_HEADER_BYTES], again[PACK_HEADER_BYTES];
    struct pack_header header = example(), read;
    pack_header_encode(bytes, &header);
    CHECK_TEXT(pack_header_decode(&read, bytes, header.file_bytes, "p", &status) == STATUS_OK, "%s", status.text);
    pack_header_encode(again, &read);
    CHECK(memcmp(bytes, again, sizeof bytes) == 0);
    CHECK(read.info.radius_m == 1737400.5 && read.info.intervals == 128 && read.info.layers == 5u);
    CHECK(read.full_depth == 1 && read.max_level == 2 && read.slot_count == 2 && read.height_min == -5);
    CHECK(!read.info.complete && read.info.share == 3 && read.info.share_count == 64);
}

static bool refused(uint8_t *bytes, uint64_t file_bytes, const char *why)
{
    struct pack_header read;
    status.text[0] = 0;
    put_u32le(bytes + 1020, pack_crc(bytes, 1020));
    return pack_header_decode(&read, bytes, file_bytes, "p", &status) == STATUS_INPUT && strstr(status.text, why) &&
           strncmp(status.text, "p: ", 3) == 0;
}

static const struct {
    size_t offset;
    const char *hex, *why;
} odd_headers[] = {
    {0, "88", "not a pack"},
    {4, "0A", "not a pack"},
    {8, "02", "version 2.0"},
    {8, "00", "version 0.0"},
    {12, "00020000", "header size"},
    {16, "0184", "truncated"},
    {16, "FF83", "added"},
    {24, "0104", "metadata"},
    {32, "01000000", "metadata"},
    {32, "00000001", "metadata"}, // 16 MiB
    {32, "01020000", "the data"}, // longer than the room before the data
    {40, "0106", "the data"},     // not a multiple of 512
    {40, "0002", "the data"},     // before the metadata
    {40, "0000000000000080", "the data"},
    {48, "014A", "the index"}, // over the index's begin
    {48, "FFFFFFFFFFFFFFFF", "the index"},
    {56, "0040", "the index"},
    {56, "0150", "the index"},
    {56, "0000000000000080", "the index"},
    {64, "002A", "size of the index"},
    {68, "06", "size of the index"},
    {72, "05", "levels in a page"},
    {73, "00", "levels in a page"},
    {73, "05", "levels in a page"},
    {74, "02", "depth"},
    {74, "FF", "depth"},
    {75, "03", "depth"},
    {75, "01", "depth"},
    {76, "00", "number of layers"},
    {76, "09", "number of layers"},
    {76, "01", "number of layers"},
    {77, "04", "tile size"},
    {77, "0A", "tile size"},
    {77, "FF", "tile size"},
    {78, "00", "mapping"},
    {79, "01", "mapping"},
    {80, "0000000000000000", "radius"},
    {80, "FFFF090000000000", "radius"},
    {80, "FFFFFFFFFFFFFFFF", "radius"},
    {88, "01", "height unit"},
    {88, "80", "height unit"},
    {89, "01", "share"}, // complete, and 3 of 64
    {89, "02", "reserved"},
    {90, "01", "reserved"},
    {91, "01", "reserved"},
    {92, "3F", "16-bit normals"},
    {96, "05030201", "height range"},
    {104, "00000000", "share"},
    {104, "41000000", "share"},
    {112, "01", "sharing"},
    {116, "01", "sharing"},
    {127, "01", "reserved"},
    {224, "02", "root page"},
    {228, "00", "root page"}, // a hole that leaves 1, 3
    {232, "FF", "root page"},
    {255, "01", "reserved"},
    {256, "01", "layer"},
    {256, "02", "layer"},
    {257, "02", "layer"},
    {264, "48", "layer"},
    {272, "00", "order of layers"},
    {272, "07", "layer"},
    {288, "03", "number of layers"}, // bytes in a slot that is not in use
    {384, "07", "number of tiles"},
    {384, "05", "depth"},
    {400, "6100", "number of tiles"},
    {583, "01", "number of tiles"},
    {584, "01", "reserved"},
    {1019, "01", "reserved"},
};

static void odd_headers_are_refused_though_their_checksum_is_right(void)
{
    struct pack_header header = example();
    for (size_t k = 0; k < sizeof odd_headers / sizeof *odd_headers; k++) {
        uint8_t bytes[PACK_HEADER_BYTES];
        pack_header_encode(bytes, &header);
        unhex(bytes + odd_headers[k].offset, odd_headers[k].hex);
        CHECK_TEXT(refused(bytes, header.file_bytes, odd_headers[k].why), "case %zu, byte %zu: %s", k,
                   odd_headers[k].offset, status.text);
    }
}

static void headers_that_promise_more_pages_than_there_can_be_are_refused(void)
{
    uint8_t bytes[PACK_HEADER_BYTES];
    struct pack_header header = example();
    header.page_count = 31 * PACK_GROUPS_MAX + 1;
    header.file_bytes = header.index_offset + (uint64_t)header.page_count * header.page_bytes;
    pack_header_encode(bytes, &header);
    CHECK_TEXT(refused(bytes, header.file_bytes, "number of index pages"), "%s", status.text);
    // Full to level 2 needs the 96 pages of group 1, whose roots are at that level.
    header.page_count = 6 + 95;
    header.file_bytes = header.index_offset + (uint64_t)header.page_count * header.page_bytes;
    header.tiles[2] = 96;
    header.full_depth = 2;
    pack_header_encode(bytes, &header);
    CHECK_TEXT(refused(bytes, header.file_bytes, "number of index pages"), "%s", status.text);
    header.page_count++;
    header.file_bytes += header.page_bytes;
    pack_header_encode(bytes, &header);
    CHECK_TEXT(pack_header_decode(&header, bytes, header.file_bytes, "p", &status) == STATUS_OK, "%s", status.text);
}

static void no_changed_byte_of_a_header_goes_unseen(void)
{
    uint8_t bytes[PACK_HEADER_BYTES];
    struct pack_header header = example(), read;
    pack_header_encode(bytes, &header);
    for (size_t at = 0; at < sizeof bytes; at++) {
        for (int k = 1; k < 256; k += at < 8 ? 1 : 36) {
            bytes[at] ^= (uint8_t)k;
            CHECK(pack_header_decode(&read, bytes, header.file_bytes, "p", &status) == STATUS_INPUT);
            bytes[at] ^= (uint8_t)k;
        }
    }
}

static void an_unfinished_pack_is_called_so(void)
{
    uint8_t bytes[PACK_HEADER_BYTES] = {0};
    struct pack_header read;
    CHECK(pack_header_decode(&read, bytes, 9999, "p", &status) == STATUS_INPUT);
    CHECK(strstr(status.text, "unfinished"));
}

static void later_minor_versions_are_read_without_what_they_add(void)
{
    uint8_t bytes[PACK_HEADER_BYTES];
    struct pack_header header = example(), read;
    header.page_bytes = (uint32_t)pack_page_bytes(3);
    header.file_bytes = header.index_offset + (uint64_t)header.page_count * header.page_bytes;
    pack_header_encode(bytes, &header);
    bytes[10] = 7;
    bytes[76] = 3;
    memcpy(bytes + 288, "\x09\x05\x01\x08\0\0\0\0roughnes", 16);
    bytes[89] = 0x80;
    bytes[600] = 1;
    put_u32le(bytes + 1020, pack_crc(bytes, 1020));
    CHECK_TEXT(pack_header_decode(&read, bytes, header.file_bytes, "p", &status) == STATUS_OK, "%s", status.text);
    CHECK(read.slot_count == 3 && read.slots[1].known && !read.slots[2].known && read.info.layers == 5u);
    bytes[292] = 1; // must be understood
    CHECK_TEXT(refused(bytes, header.file_bytes, "does not know"), "%s", status.text);
}

static void levels_are_cut_into_groups(void)
{
    for (int depth = 0; depth <= TILE_LEVEL_MAX; depth++) {
        int root_levels = pack_root_levels(depth), group = pack_group_of_level(root_levels, depth);
        CHECK(root_levels >= 1 && root_levels <= 4);
        CHECK(pack_group_root(root_levels, group) + pack_group_levels(root_levels, group) == depth + 1);
    }
    for (int root_levels = 1; root_levels <= 4; root_levels++) {
        int group = 0;
        for (int level = 0; level <= TILE_LEVEL_MAX; level++) {
            group += level == pack_group_root(root_levels, group + 1);
            CHECK(pack_group_of_level(root_levels, level) == group);
            CHECK(level - pack_group_root(root_levels, group) < pack_group_levels(root_levels, group));
        }
        CHECK(group < PACK_GROUPS_MAX);
    }
}

static void full_groups_number_their_pages_in_canonical_order(void)
{
    for (int root_levels = 1; root_levels <= 4; root_levels++) {
        uint64_t number = 0;
        for (int group = 0; group < 3; group++) {
            int level = pack_group_root(root_levels, group);
            CHECK(pack_full_pages_before(root_levels, group) == number);
            for (int face = 0; face < 6 && level < 8; face++) {
                for (unsigned morton = 0; morton < 1u << 2 * level; morton++) {
                    struct node node = {face, level, 0, 0};
                    morton_decode(morton, &node.x, &node.y);
                    CHECK(pack_full_page_number(root_levels, node) == number++);
                }
            }
        }
    }
}

static const struct golden page_golden[] = {
    {0, "54525047 37585A4A 03 06 04 00 2A000000 15000000 1011121314151617 03000000"},
    // Record 0: no tile, tiles below.
    {32, "02000000 00000000 00000000 9CFFFFFF 2C010000 00000000"},
    // Record 4, node 3/7/85/43: tile, and one below.
    {32 + 4 * 120, "03000000 0A000000 14000000 9CFFFFFF 2C010000 07000000"},
    {32 + 4 * 120 + 24, "0807060504030201 44332211 DDCCBBAA"},
    {32 + 4 * 120 + 40, "5050505050505050505050505050505050505050505050505050505050505050"},
    {32 + 4 * 120 + 72, "0A00000000000000 0B000000 0C000000"},
    {32 + 4 * 120 + 88, "6060606060606060606060606060606060606060606060606060606060606060"},
    // Record 5 + 15: the node at the far corner two levels down.
    {32 + 20 * 120, "01000000 9CFFFFFF 2C010000 9CFFFFFF 2C010000 00000000"},
    // Record 21 + 1, three levels down, with tiles in child page 8 alone, and the page that leads there.
    {32 + 22 * 120, "02000000 00000000 00000000 00000000 01000000 00000000"},
    {32 + 85 * 120 + 4 * 5, "09000000"},
};

static void a_page_stands_as_the_text_says(void)
{
    static uint8_t page[PACK_PAGE_BYTES_MAX];
    struct pack_header header = example();
    struct pack_record record = {.below = true, .subtree_min = -100, .subtree_max = 300};
    memset(page, 0, sizeof page);
    CHECK(pack_page_bytes(2) == 11264 && pack_page_bytes(1) == 7680 && pack_page_bytes(3) == 15360);
    CHECK(pack_page_bytes(PACK_LAYER_SLOTS) == PACK_PAGE_BYTES_MAX);
    pack_record_encode(page + pack_record_offset(2, 0), &record, 2);
    record =
        (struct pack_record){true, true, 10, 20, -100, 300, 7, {{0x0102030405060708, 0x11223344, 0xAABBCCDD, {0}}}};
    record.blobs[1] = (struct pack_blob){10, 11, 12, {0}};
    memset(record.blobs[0].content, 0x50, SHA256_BYTES);
    memset(record.blobs[1].content, 0x60, SHA256_BYTES);
    pack_record_encode(page + pack_record_offset(2, pack_record_index(1, 3)), &record, 2);
    struct pack_record back;
    pack_record_decode(&back, page + pack_record_offset(2, 4), 2);
    CHECK(memcmp(&back.blobs, &record.blobs, sizeof back.blobs) == 0 && back.present && back.below);
    CHECK(back.height_min == 10 && back.height_max == 20 && back.subtree_min == -100 && back.error == 7);
    record = (struct pack_record){
        .present = true, .height_min = -100, .height_max = 300, .subtree_min = -100, .subtree_max = 300};
    pack_record_encode(page + pack_record_offset(2, pack_record_index(2, 15)), &record, 2);
    pack_record_set_subtree(page + pack_record_offset(2, pack_record_index(3, 1)), true, 0, 1);
    pack_page_set_child(page, 2, 5, 9);
    CHECK(pack_page_child(page, 2, 5) == 9 && pack_page_child(page, 2, 4) == 0);
    pack_page_seal(page, 2, (struct node){3, 6, 42, 21}, 4, 3, header.info.fingerprint);
    check_golden(page, pack_page_bytes(2), page_golden, sizeof page_golden / sizeof *page_golden);
    struct node root = pack_page_root(page);
    CHECK(root.face == 3 && root.level == 6 && root.x == 42 && root.y == 21);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_header_stands_as_the_text_says);
    CHECK_RUN(a_header_comes_back_as_it_went_in);
    CHECK_RUN(odd_headers_are_refused_though_their_checksum_is_right);
    CHECK_RUN(headers_that_promise_more_pages_than_there_can_be_are_refused);
    CHECK_RUN(no_changed_byte_of_a_header_goes_unseen);
    CHECK_RUN(an_unfinished_pack_is_called_so);
    CHECK_RUN(later_minor_versions_are_read_without_what_they_add);
    CHECK_RUN(levels_are_cut_into_groups);
    CHECK_RUN(full_groups_number_their_pages_in_canonical_order);
    CHECK_RUN(a_page_stands_as_the_text_says);
    return CHECK_END;
}
