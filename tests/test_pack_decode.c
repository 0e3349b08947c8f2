// SPDX-License-Identifier: MIT
// Packs of real layers: decoding gives back the samples, and a full check finds every layer that does not hold what its
// index record says, though all checksums be right.
//
// With the environment variable TERRANE_SAMPLES set to a folder, sample packs are left there for other readers.
#include "tests/pack_layers.h"

static struct status status;

static void sets_of_sample(int which, struct sample_keys *set, struct pack_info *info)
{
    *info = layers_info(7u, 2);
    switch (which) {
    case 0: // full, and sparse to level 20
        keys_add_full(set, 0, 5, 1);
        keys_add_branch(set, (struct node){2, 20, 543210, 98765});
        break;
    case 1: // a share without ancestors
        keys_add(set, (struct node){0, 3, 5, 1});
        keys_add(set, (struct node){0, 9, 100, 200});
        keys_add(set, (struct node){4, 24, 1 << 23, (1 << 24) - 1});
        info->complete = false;
        info->share = 2;
        info->share_count = 3;
        info->root_levels = 3;
        break;
    case 2: // heights alone, on one face
        keys_add_full(set, 3, 3, 2);
        info->layers = 1u << LAYER_HEIGHT;
        break;
    case 3: // pictures alone
        keys_add_full(set, 5, 5, 1);
        keys_add(set, (struct node){5, 8, 255, 0});
        info->layers = 1u << LAYER_NORMAL | 1u << LAYER_COLOR;
        break;
    default: break; // nothing at all
    }
    keys_sort(set);
}

static void check_samples(const struct pack *pack, const struct sample_keys *set)
{
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    struct layers_tile *wanted = malloc(sizeof *wanted);
    void *scratch = malloc(LAYERS_SCRATCH);
    static int32_t samples[LAYERS_SAMPLES * 2];
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    CHECK(layer_decoder_new(&decoder, pack, &status) == STATUS_OK);
    for (size_t k = 0; k < set->count; k++) {
        struct pack_tile tile;
        bool found;
        layers_make(wanted, set->keys[k], pack_get_info(pack), scratch);
        CHECK(pack_find(cursor, tile_key_node(set->keys[k]), &found, &tile, &status) == STATUS_OK && found);
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            if (!(pack_get_info(pack)->layers >> kind & 1))
                continue;
            size_t size = layer_bytes((enum layer_kind)kind, LAYERS_SIDE, wanted->bits);
            memset(samples, 0xAA, sizeof samples);
            enum status_code code = layer_decode(decoder, &tile, (enum layer_kind)kind, samples, &status);
            CHECK_TEXT(code == STATUS_OK, "%s", status.text);
            CHECK(memcmp(samples, layers_samples(wanted, kind), size) == 0);
        }
    }
    layer_decoder_free(decoder);
    pack_cursor_free(cursor);
    free(scratch);
    free(wanted);
}

static void decoding_gives_back_the_samples(void)
{
    const char *folder = getenv("TERRANE_SAMPLES");
    for (int which = 0; which < 5; which++) {
        struct sample_keys set = {0};
        struct pack_info info;
        struct pack *pack;
        sets_of_sample(which, &set, &info);
        char left[256];
        snprintf(left, sizeof left, "%s/sample-%d.terrane", folder ? folder : "", which);
        const char *path = folder ? left : sample_path("a.terrane");
        CHECK_TEXT(layers_write(path, &info, &set, NULL, &status), "%s", status.text);
        if (pack_open(&pack, path, &status) == STATUS_OK) {
            check_samples(pack, &set);
            CHECK_TEXT(pack_check(pack, true, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
            pack_close(pack);
        } else {
            CHECK_TEXT(false, "%s", status.text);
        }
        keys_free(&set);
    }
}

// Each writes a pack that is right in all checksums and wrong in one tile.

// A tile of level 1 that is not sea, and its name.
static struct node chosen_node;
static char chosen_name[NODE_TEXT_MAX];

static void choose(void)
{
    chosen_node = (struct node){1, 1, 0, 0};
    while (sample_sea(tile_key_of(chosen_node)))
        chosen_node.face++;
    node_format(chosen_name, chosen_node);
}

static bool chosen(const struct layers_tile *tile)
{
    return tile->entry.key == tile_key_of(chosen_node);
}

// Whether the status names the file, the chosen tile and what follows.
static bool says(const char *what)
{
    char text[200];
    snprintf(text, sizeof text, "a.terrane: tile %s: %s", chosen_name, what);
    return strstr(status.text, text) != NULL;
}

static void picture_payload(struct layers_tile *tile)
{
    // In the middle of the deflated rows, with the CRC of the chunk left as it was.
    if (chosen(tile)) {
        tile->blobs[LAYER_COLOR][tile->entry.lengths[LAYER_COLOR] / 2] ^= 0x10;
        tile->entry.crcs[LAYER_COLOR] = pack_crc(tile->blobs[LAYER_COLOR], tile->entry.lengths[LAYER_COLOR]);
    }
}

static void height_payload(struct layers_tile *tile)
{
    if (chosen(tile)) {
        tile->blobs[LAYER_HEIGHT][tile->entry.lengths[LAYER_HEIGHT] - 1] ^= 1; // of Adler-32
        tile->entry.crcs[LAYER_HEIGHT] = pack_crc(tile->blobs[LAYER_HEIGHT], tile->entry.lengths[LAYER_HEIGHT]);
    }
}

static void normal_leaf(struct layers_tile *tile)
{
    if (chosen(tile))
        tile->entry.content[LAYER_NORMAL][31] ^= 1;
}

static void height_min(struct layers_tile *tile)
{
    if (chosen(tile))
        tile->entry.height_min--;
}

static void height_max(struct layers_tile *tile)
{
    if (chosen(tile))
        tile->entry.height_max++;
}

static void exchanged_pictures(struct layers_tile *tile)
{
    if (chosen(tile)) {
        tile->entry.blobs[LAYER_NORMAL] = tile->blobs[LAYER_COLOR];
        tile->entry.lengths[LAYER_NORMAL] = tile->entry.lengths[LAYER_COLOR];
        tile->entry.crcs[LAYER_NORMAL] = tile->entry.crcs[LAYER_COLOR];
    }
}

static void a_full_check_finds_layers_that_are_not_what_the_index_says(void)
{
    static const struct {
        layers_forge *forge;
        const char *why;
        bool quick; // a quick check finds it as well
    } cases[] = {
        {picture_payload, "color: ", false},
        {height_payload, "height: ", false},
        {normal_leaf, "normal: its content", false},
        {height_min, "height: its heights are not", false},
        {height_max, "height: its heights are not", false},
        {exchanged_pictures, "", true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sample_keys set = {0};
        struct pack *pack;
        struct pack_info info = layers_info(7u, 2);
        keys_add_full(&set, 0, 5, 1);
        keys_sort(&set);
        CHECK(layers_write(sample_path("a.terrane"), &info, &set, cases[k].forge, &status));
        CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
        CHECK_TEXT((pack_check(pack, false, NULL, NULL, &status) == STATUS_OK) == !cases[k].quick, "%s", status.text);
        CHECK(pack_check(pack, true, NULL, NULL, &status) == STATUS_INPUT);
        CHECK_TEXT(says(cases[k].why), "%s", status.text);
        pack_close(pack);
        keys_free(&set);
    }
}

static void a_damaged_layer_is_named_when_it_is_decoded(void)
{
    struct sample_keys set = {0};
    struct pack *pack;
    struct pack_info info = layers_info(7u, 2);
    keys_add_full(&set, 0, 5, 1);
    keys_sort(&set);
    CHECK(layers_write(sample_path("a.terrane"), &info, &set, NULL, &status));
    CHECK(pack_open(&pack, sample_path("a.terrane"), &status) == STATUS_OK);
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    struct pack_tile tile;
    bool found;
    static int32_t samples[LAYERS_SAMPLES * 2];
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    CHECK(layer_decoder_new(&decoder, pack, &status) == STATUS_OK);
    CHECK(pack_find(cursor, chosen_node, &found, &tile, &status) == STATUS_OK && found);
    int fd = open(sample_path("a.terrane"), O_WRONLY);
    CHECK(pwrite(fd, "!", 1, (off_t)tile.blobs[LAYER_NORMAL].offset + 100) == 1);
    close(fd);
    CHECK(layer_decode(decoder, &tile, LAYER_NORMAL, samples, &status) == STATUS_INPUT);
    CHECK_TEXT(says("normal: damaged"), "%s", status.text);
    CHECK(layer_decode(decoder, &tile, LAYER_COLOR, samples, &status) == STATUS_OK);
    // Right checksum, wrong bytes: the codec's own words, with the same names before them.
    tile.blobs[LAYER_HEIGHT].length -= 3;
    uint8_t bytes[1 << 16];
    tile.blobs[LAYER_HEIGHT].crc = 0;
    CHECK(pack_read_blob(pack, &tile.blobs[LAYER_HEIGHT], bytes, &status) == STATUS_INPUT);
    tile.blobs[LAYER_HEIGHT].crc = pack_crc(bytes, tile.blobs[LAYER_HEIGHT].length);
    CHECK(layer_decode(decoder, &tile, LAYER_HEIGHT, samples, &status) == STATUS_INPUT);
    CHECK_TEXT(says("height: height blob: "), "%s", status.text);
    layer_decoder_free(decoder);
    pack_cursor_free(cursor);
    pack_close(pack);
    keys_free(&set);
}

static void the_leaf_hash_is_over_little_endian_heights(void)
{
    int32_t heights[3000];
    uint8_t bytes[sizeof heights], digest[SHA256_BYTES], wanted[SHA256_BYTES];
    for (size_t k = 0; k < 3000; k++) {
        heights[k] = (int32_t)(check_random() >> 32);
        for (size_t b = 0; b < 4; b++)
            bytes[4 * k + b] = (uint8_t)((uint32_t)heights[k] >> 8 * b);
    }
    layer_content(digest, LAYER_HEIGHT, heights, sizeof heights);
    sha256_of(wanted, bytes, sizeof bytes);
    CHECK(memcmp(digest, wanted, SHA256_BYTES) == 0);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    choose();
    CHECK_RUN(decoding_gives_back_the_samples);
    CHECK_RUN(a_full_check_finds_layers_that_are_not_what_the_index_says);
    CHECK_RUN(a_damaged_layer_is_named_when_it_is_decoded);
    CHECK_RUN(the_leaf_hash_is_over_little_endian_heights);
    sample_end();
    return CHECK_END;
}
