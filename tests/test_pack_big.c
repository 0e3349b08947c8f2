// SPDX-License-Identifier: MIT
// Packs beyond 2 and 4 GiB, without writing so much: the writer is made to believe that it stands further on, and the
// file has a hole there. Such a pack is not a good one (its blobs have gaps), but each tile must be found and read.
//
// With the environment variable TERRANE_SAMPLES set to a folder, the pack is left there for other readers.
#include "formats/pack_writer.h"
#include "tests/pack_layers.h"

static struct status status;

static enum status_code move_to(struct pack_writer *writer, uint64_t offset)
{
    enum status_code code = file_append_flush(&writer->out, &status);
    CHECK(writer->out.offset <= offset);
    writer->out.offset = offset;
    return code;
}

// Five tiles: one at the start, one whose height blob lies across 2^31 or 2^32, one after it, and so on.
static const uint64_t places[5] = {0, (UINT64_C(1) << 31) - 10, 0, (UINT64_C(1) << 32) - 10, UINT64_C(9) << 30};

static bool write_big(const char *path, const struct pack_info *info, const struct sample_keys *set)
{
    struct pack_writer *writer;
    struct layers_tile *tile = malloc(sizeof *tile);
    void *scratch = malloc(LAYERS_SCRATCH);
    unlink(path);
    enum status_code code = pack_writer_begin(&writer, path, sample_path("spool"), info, "{}", 2, &status);
    for (size_t k = 0; k < set->count && code == STATUS_OK; k++) {
        layers_make(tile, set->keys[k], info, scratch);
        if (places[k])
            code = move_to(writer, places[k]);
        if (code == STATUS_OK)
            code = pack_writer_add(writer, &tile->entry, &status);
    }
    if (code == STATUS_OK)
        code = pack_writer_finish(writer, NULL, &status);
    pack_writer_free(writer);
    free(scratch);
    free(tile);
    return code == STATUS_OK;
}

static void tiles_beyond_2_and_4_gib_are_found_and_read(void)
{
    const char *folder = getenv("TERRANE_SAMPLES");
    char left[256];
    snprintf(left, sizeof left, "%s/sample-big.terrane", folder ? folder : "");
    const char *path = folder ? left : sample_path("a.terrane");
    struct sample_keys set = {0};
    struct pack_info info = layers_info(7u, 1);
    for (uint32_t x = 0; set.count < 5; x++) {
        if (!sample_sea(tile_key_of((struct node){4, 6, x, 0})))
            keys_add(&set, (struct node){4, 6, x, 0});
    }
    keys_sort(&set);
    CHECK_TEXT(write_big(path, &info, &set), "%s", status.text);
    struct pack *pack;
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    CHECK_TEXT(pack_open(&pack, path, &status) == STATUS_OK, "%s", status.text);
    CHECK(pack_file_bytes(pack) > UINT64_C(9) << 30);
    CHECK(pack_cursor_new(&cursor, pack, &status) == STATUS_OK);
    CHECK(layer_decoder_new(&decoder, pack, &status) == STATUS_OK);
    struct layers_tile *wanted = malloc(sizeof *wanted);
    void *scratch = malloc(LAYERS_SCRATCH);
    for (size_t k = 0; k < set.count; k++) {
        struct pack_tile tile;
        bool found;
        static int32_t samples[LAYERS_SAMPLES * 2];
        CHECK(pack_find(cursor, tile_key_node(set.keys[k]), &found, &tile, &status) == STATUS_OK && found);
        if (places[k])
            CHECK(tile.blobs[0].offset == places[k] && tile.blobs[0].length > 10);
        layers_make(wanted, set.keys[k], &info, scratch);
        for (int kind = 0; kind < LAYER_COUNT; kind++) {
            CHECK_TEXT(layer_decode(decoder, &tile, (enum layer_kind)kind, samples, &status) == STATUS_OK, "%s",
                       status.text);
            CHECK(memcmp(samples, layers_samples(wanted, kind),
                         layer_bytes((enum layer_kind)kind, LAYERS_SIDE, wanted->bits)) == 0);
        }
    }
    free(scratch);
    free(wanted);
    layer_decoder_free(decoder);
    pack_cursor_free(cursor);
    pack_close(pack);
    keys_free(&set);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    sample_begin();
    CHECK_RUN(tiles_beyond_2_and_4_gib_are_found_and_read);
    sample_end();
    return CHECK_END;
}
