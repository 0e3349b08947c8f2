// SPDX-License-Identifier: MIT
// What is written into a pack is found in it again, whatever the shape of its set of tiles.
#include "tests/pack_sample.h"

#define ALL_LAYERS 7u

static struct status status;

static bool equal_blobs(const struct pack_tile *tile, const struct pack_entry *entry)
{
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (tile->blobs[kind].length != entry->lengths[kind] || tile->blobs[kind].crc != entry->crcs[kind] ||
            memcmp(tile->blobs[kind].content, entry->content[kind], SHA256_BYTES) != 0)
            return false;
    }
    return true;
}

static bool under(struct node node, struct node above)
{
    int up = node.level - above.level;
    return up > 0 && node.face == above.face && node.x >> up == above.x && node.y >> up == above.y;
}

// Subtree range and "below" by looking at every tile.
static void check_subtree(const struct sample_keys *set, const struct pack_tile *tile, bool present)
{
    struct node node = tile_key_node(tile->key);
    bool any = present, below = false;
    int32_t min = tile->height_min, max = tile->height_max;
    for (size_t k = 0; k < set->count; k++) {
        if (!under(tile_key_node(set->keys[k]), node))
            continue;
        int32_t low = sample_height_min(set->keys[k]), high = sample_height_max(set->keys[k]);
        min = any && min < low ? min : low;
        max = any && max > high ? max : high;
        any = below = true;
    }
    CHECK(tile->below == below);
    if (any)
        CHECK(tile->subtree_min == min && tile->subtree_max == max);
    else
        CHECK(tile->subtree_min == 0 && tile->subtree_max == 0);
}

static void check_tile(const struct pack *pack, const struct pack_tile *tile, unsigned layers)
{
    static struct sample_tile wanted;
    static uint8_t bytes[SAMPLE_BLOB_MAX];
    sample_tile_make(&wanted, tile->key, layers);
    CHECK(tile->height_min == wanted.entry.height_min && tile->height_max == wanted.entry.height_max);
    CHECK(tile->error == wanted.entry.error);
    CHECK(equal_blobs(tile, &wanted.entry));
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(layers >> kind & 1))
            continue;
        CHECK(tile->blobs[kind].length <= sizeof bytes);
        CHECK(pack_read_blob(pack, &tile->blobs[kind], bytes, &status) == STATUS_OK);
        CHECK(memcmp(bytes, wanted.blobs[kind], tile->blobs[kind].length) == 0);
    }
}

struct walked {
    const struct sample_keys *set;
    const struct pack *pack;
    unsigned layers;
    size_t count;
};

static enum status_code visit(void *context, const struct pack_tile *tile, struct status *why)
{
    struct walked *walked = context;
    (void)why;
    CHECK(walked->count < walked->set->count && tile->key == walked->set->keys[walked->count]);
    check_tile(walked->pack, tile, walked->layers);
    walked->count++;
    return STATUS_OK;
}

// Writes the set, opens it, and compares everything that can be asked. The pack is left open for more.
static struct pack *round_trip(struct sample_keys *set, unsigned layers, int root_levels)
{
    struct pack_info info = sample_info(layers, root_levels);
    struct pack *pack = NULL;
    keys_sort(set);
    bool written = sample_write(sample_path("a.terrane"), &info, set, &status);
    CHECK_TEXT(written, "%s", status.text);
    if (!written || pack_open(&pack, sample_path("a.terrane"), &status)) {
        CHECK_TEXT(false, "%s", status.text);
        return NULL;
    }
    CHECK(pack_tile_count(pack) == set->count);
    CHECK(pack_get_info(pack)->layers == layers);
    struct walked walked = {set, pack, layers, 0};
    CHECK_TEXT(pack_walk(pack, visit, &walked, &status) == STATUS_OK, "%s", status.text);
    CHECK(walked.count == set->count);
    struct pack_cursor *cursor;
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    for (size_t k = 0; k < set->count; k++) {
        struct pack_tile tile;
        bool found;
        CHECK(pack_find(cursor, tile_key_node(set->keys[k]), &found, &tile, &status) == STATUS_OK);
        CHECK(found && tile.key == set->keys[k]);
        check_tile(pack, &tile, layers);
        if (k % (set->count / 50 + 1) == 0)
            check_subtree(set, &tile, true);
    }
    pack_cursor_free(cursor);
    return pack;
}

static void check_random_nodes(const struct pack *pack, const struct sample_keys *set, int count)
{
    struct pack_cursor *cursor;
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    for (int k = 0; k < count; k++) {
        struct node node = {(int)check_random_below(6), (int)check_random_below(TILE_LEVEL_MAX + 1), 0, 0};
        node.x = (uint32_t)check_random_below(UINT64_C(1) << node.level);
        node.y = (uint32_t)check_random_below(UINT64_C(1) << node.level);
        // Half of them near tiles that are there: the node itself, an ancestor, or a place next to it.
        if (set->count > 0 && check_random_below(2)) {
            node = tile_key_node(set->keys[check_random_below(set->count)]);
            for (uint64_t up = check_random_below(6); up > 0 && node.level > 0; up--)
                node = node_parent(node);
            node.x ^= (uint32_t)check_random_below(2) & ((1u << node.level) - 1);
        }
        struct pack_tile tile;
        bool found;
        CHECK(pack_find(cursor, node, &found, &tile, &status) == STATUS_OK);
        CHECK(found == keys_have(set, node));
        CHECK(tile.key == tile_key_of(node));
        check_subtree(set, &tile, found);
        CHECK(pack_find_deepest(cursor, node, &found, &tile, &status) == STATUS_OK);
        while (node.level > 0 && !keys_have(set, node))
            node = node_parent(node);
        CHECK(found == keys_have(set, node));
        CHECK(!found || tile.key == tile_key_of(node));
    }
    pack_cursor_free(cursor);
}

static void a_full_pack_gives_back_every_tile(void)
{
    for (int depth = 0; depth <= 4; depth++) {
        struct sample_keys set = {0};
        keys_add_full(&set, 0, 5, depth);
        struct pack *pack = round_trip(&set, ALL_LAYERS, pack_root_levels(depth));
        CHECK(pack_full_depth(pack) == depth && pack_max_level(pack) == depth);
        check_random_nodes(pack, &set, 50);
        pack_close(pack);
        keys_free(&set);
    }
}

static void a_branch_to_any_depth_is_found(void)
{
    static const int levels[] = {5, 20, 24};
    for (int k = 0; k < 3; k++) {
        struct sample_keys set = {0};
        keys_add_full(&set, 0, 5, 2);
        int level = levels[k];
        keys_add_branch(&set, (struct node){3, level, (1u << level) - 2, (1u << level) / 3});
        struct pack *pack = round_trip(&set, ALL_LAYERS, pack_root_levels(2));
        CHECK(pack_full_depth(pack) == 2 && pack_max_level(pack) == level);
        check_random_nodes(pack, &set, 100);
        pack_close(pack);
        keys_free(&set);
    }
}

static void a_single_tile_and_no_tile_at_all_are_packs(void)
{
    struct sample_keys set = {0};
    struct pack *pack = round_trip(&set, ALL_LAYERS, 1);
    CHECK(pack_full_depth(pack) == -1 && pack_max_level(pack) == 0 && pack_tile_count(pack) == 0);
    check_random_nodes(pack, &set, 20);
    pack_close(pack);
    for (int level = 0; level <= TILE_LEVEL_MAX; level += 4) {
        keys_free(&set);
        keys_add(&set, (struct node){5, level, (1u << level) - 1, 0});
        pack = round_trip(&set, ALL_LAYERS, 1 + level / 4 % 4);
        CHECK(pack_full_depth(pack) == -1 && pack_max_level(pack) == level);
        check_random_nodes(pack, &set, 50);
        pack_close(pack);
    }
    keys_free(&set);
}

static void a_pack_may_lack_faces_and_layers(void)
{
    for (unsigned layers = 1; layers <= ALL_LAYERS; layers++) {
        struct sample_keys set = {0};
        keys_add_full(&set, 1, 1, 3);
        keys_add_full(&set, 4, 4, 2);
        struct pack *pack = round_trip(&set, layers, 4);
        CHECK(pack_full_depth(pack) == -1);
        check_random_nodes(pack, &set, 50);
        pack_close(pack);
        keys_free(&set);
    }
}

static void a_share_may_lack_ancestors(void)
{
    struct sample_keys set = {0};
    keys_add(&set, (struct node){0, 9, 100, 200});
    keys_add(&set, (struct node){0, 9, 101, 200});
    keys_add(&set, (struct node){0, 14, 3300, 6500});
    keys_add(&set, (struct node){2, 3, 1, 1});
    keys_add(&set, (struct node){2, 24, 1 << 22, 1 << 21});
    struct pack *pack = round_trip(&set, ALL_LAYERS, 3);
    check_random_nodes(pack, &set, 300);
    struct pack_cursor *cursor;
    struct pack_tile tile;
    bool found;
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    CHECK(pack_find(cursor, (struct node){0, 0, 0, 0}, &found, &tile, &status) == STATUS_OK);
    CHECK(!found && tile.below && tile.subtree_min < tile.subtree_max);
    CHECK(pack_find(cursor, (struct node){1, 0, 0, 0}, &found, &tile, &status) == STATUS_OK);
    CHECK(!found && !tile.below);
    pack_cursor_free(cursor);
    pack_close(pack);
    keys_free(&set);
}

static void any_set_of_tiles_makes_the_round_trip(void)
{
    for (int k = 0; k < 40; k++) {
        struct sample_keys set = {0};
        int depth = (int)check_random_below(4) - 1;
        if (depth >= 0)
            keys_add_full(&set, 0, 5, depth);
        for (uint64_t more = check_random_below(60); more > 0; more--) {
            struct node node = {(int)check_random_below(6), (int)check_random_below(TILE_LEVEL_MAX + 1), 0, 0};
            node.x = (uint32_t)check_random_below(UINT64_C(1) << node.level) & (uint32_t)check_random();
            node.y = (uint32_t)check_random_below(UINT64_C(1) << node.level) & (uint32_t)check_random();
            if (check_random_below(4) == 0)
                keys_add_branch(&set, node);
            else
                keys_add(&set, node);
        }
        struct pack *pack = round_trip(&set, 1 + (unsigned)check_random_below(7), 1 + (int)check_random_below(4));
        check_random_nodes(pack, &set, 60);
        pack_close(pack);
        keys_free(&set);
    }
}

static void the_same_tiles_give_the_same_bytes(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 3);
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, 4);
    size_t sizes[2];
    uint8_t *bytes[2];
    for (int k = 0; k < 2; k++) {
        const char *path = sample_path(k ? "b.terrane" : "a.terrane");
        memset(info.fingerprint, k, SHA256_BYTES); // made by the writer whatever stands there
        CHECK(sample_write(path, &info, &set, &status));
        bytes[k] = sample_load(path, &sizes[k]);
    }
    CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
    keys_free(&set);
}

static void the_header_counts_what_was_written(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 1);
    keys_add(&set, (struct node){2, 2, 1, 3});
    struct pack *pack = round_trip(&set, ALL_LAYERS, 2);
    const uint64_t *tiles = pack_tiles_per_level(pack);
    CHECK(tiles[0] == 6 && tiles[1] == 24 && tiles[2] == 1 && tiles[3] == 0);
    CHECK(pack_full_depth(pack) == 1 && pack_max_level(pack) == 2);
    int32_t min, max;
    pack_height_range(pack, &min, &max);
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (size_t k = 0; k < set.count; k++) {
        least = sample_height_min(set.keys[k]) < least ? sample_height_min(set.keys[k]) : least;
        greatest = sample_height_max(set.keys[k]) > greatest ? sample_height_max(set.keys[k]) : greatest;
    }
    CHECK(min == least && max == greatest);
    struct sha256 content;
    uint8_t digest[SHA256_BYTES];
    sha256_begin(&content);
    for (size_t k = 0; k < set.count; k++) {
        struct sample_tile tile;
        sample_tile_make(&tile, set.keys[k], ALL_LAYERS);
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            uint8_t record[45] = {0};
            for (int b = 0; b < 8; b++)
                record[b] = (uint8_t)(set.keys[k] >> 8 * b);
            record[8] = (uint8_t)kind;
            record[9] = 32;
            memcpy(record + 13, tile.entry.content[kind], SHA256_BYTES);
            sha256_add(&content, record, sizeof record);
        }
    }
    sha256_finish(&content, digest);
    CHECK(memcmp(digest, pack_content_sha256(pack), SHA256_BYTES) == 0);
    CHECK(strcmp(pack_path(pack), sample_path("a.terrane")) == 0);
    pack_close(pack);
    size_t size;
    uint8_t *bytes = sample_load(sample_path("a.terrane"), &size);
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    CHECK(pack_file_bytes(pack) == size);
    sha256_of(digest, bytes + PACK_HEADER_BYTES, size - PACK_HEADER_BYTES);
    CHECK(memcmp(digest, pack_file_sha256(pack), SHA256_BYTES) == 0);
    pack_close(pack);
    free(bytes);
    keys_free(&set);
}

static void metadata_come_back_as_they_went_in(void)
{
    struct sample_keys set = {0};
    struct pack *pack = round_trip(&set, 1, 1);
    char *text;
    size_t length;
    CHECK(pack_read_metadata(pack, &text, &length, &status) == STATUS_OK);
    CHECK(length == strlen(SAMPLE_METADATA) && strcmp(text, SAMPLE_METADATA) == 0);
    uint8_t digest[SHA256_BYTES];
    sha256_of(digest, text, length);
    CHECK(memcmp(digest, pack_get_info(pack)->fingerprint, SHA256_BYTES) == 0);
    free(text);
    pack_close(pack);
}

static int read_count;
static int64_t counting_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    read_count++;
    return pread(fd, bytes, size, offset);
}

// Reads that a cold cursor needs for a tile's first layer. Unless the tile is the root of its page, its sibling must
// then cost no further read.
static int cold_reads(const struct pack *pack, struct node node, bool page_root)
{
    struct pack_cursor *cursor;
    struct pack_tile tile;
    uint8_t bytes[SAMPLE_BLOB_MAX];
    bool found;
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    read_count = 0;
    CHECK(pack_find(cursor, node, &found, &tile, &status) == STATUS_OK && found);
    CHECK(pack_read_blob(pack, &tile.blobs[0], bytes, &status) == STATUS_OK);
    int reads = read_count;
    node.x ^= 1;
    read_count = 0;
    CHECK(pack_find(cursor, node, &found, &tile, &status) == STATUS_OK && found);
    CHECK(page_root || read_count == 0);
    pack_cursor_free(cursor);
    return reads;
}

static void opening_costs_one_read_and_a_cold_tile_two(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 5);
    keys_add_branch(&set, (struct node){2, 14, 7001, 12});
    keys_sort(&set);
    struct pack_info info = sample_info(ALL_LAYERS, pack_root_levels(5));
    CHECK(sample_write(sample_path("a.terrane"), &info, &set, &status));
    int64_t (*before)(int, void *, size_t, int64_t) = file_system.pread;
    file_system.pread = counting_pread;
    struct pack *pack;
    read_count = 0;
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    CHECK(read_count == 1);
    for (int level = 1; level <= 5; level++) {
        CHECK(cold_reads(pack, (struct node){2, level, 1, (1u << level) - 1}, level == 2) == 2);
    }
    for (int level = 6; level <= 14; level++) {
        struct node node = {2, level, 7001u >> (14 - level), 12u >> (14 - level)};
        int reads = cold_reads(pack, node, level % 4 == 2);
        CHECK_TEXT(reads == (level < 10 ? 3 : level < 14 ? 4 : 5), "level %d: %d reads", level, reads);
    }
    file_system.pread = before;
    pack_close(pack);
    keys_free(&set);
}

static void more_tiles_than_16_bits_can_count(void)
{
    struct sample_keys set = {0};
    keys_add_full(&set, 0, 5, 7); // 131,070
    keys_sort(&set);
    struct pack_info info = sample_info(1, pack_root_levels(7));
    CHECK(sample_write(sample_path("a.terrane"), &info, &set, &status));
    struct pack *pack;
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    CHECK(pack_tile_count(pack) == 131070 && pack_full_depth(pack) == 7);
    struct pack_cursor *cursor;
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    for (size_t k = 0; k < set.count; k += 97) {
        struct pack_tile tile;
        bool found;
        CHECK(pack_find(cursor, tile_key_node(set.keys[k]), &found, &tile, &status) == STATUS_OK && found);
        check_tile(pack, &tile, 1);
    }
    pack_cursor_free(cursor);
    pack_close(pack);
    keys_free(&set);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    CHECK_RUN(a_full_pack_gives_back_every_tile);
    CHECK_RUN(a_branch_to_any_depth_is_found);
    CHECK_RUN(a_single_tile_and_no_tile_at_all_are_packs);
    CHECK_RUN(a_pack_may_lack_faces_and_layers);
    CHECK_RUN(a_share_may_lack_ancestors);
    CHECK_RUN(any_set_of_tiles_makes_the_round_trip);
    CHECK_RUN(the_same_tiles_give_the_same_bytes);
    CHECK_RUN(the_header_counts_what_was_written);
    CHECK_RUN(metadata_come_back_as_they_went_in);
    CHECK_RUN(opening_costs_one_read_and_a_cold_tile_two);
    CHECK_RUN(more_tiles_than_16_bits_can_count);
    sample_end();
    return CHECK_END;
}
