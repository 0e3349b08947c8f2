// SPDX-License-Identifier: MIT
// The last step alone, on tiles that were never baked: it must find what is missing and what is too much.
#include <sys/stat.h>

#include "bake/assemble.h"
#include "formats/pack_layout.h"
#include "tests/check.h"
#include "tests/temp_folder.h"

static const char metadata[] = "{\"depth\":1}";
static const struct pack_info info = {.radius_m = 1000,
                                      .intervals = 32,
                                      .height_exponent = -20,
                                      .root_levels = 2,
                                      .layers = 1,
                                      .complete = true,
                                      .share = 1,
                                      .share_count = 1};

static struct journal journal;
static struct progress progress;
static struct status status;
static char base[TEMP_PATH_MAX], new_path[TEMP_PATH_MAX + 16], spool_path[TEMP_PATH_MAX + 16];

static void append(struct journal_writer *writer, tile_key key)
{
    const uint8_t blob[8] = {1, 0, 0, 0, (uint8_t)key, (uint8_t)(key >> 48), 0, 0};
    struct pack_entry entry = {.key = key, .height_min = 1, .height_max = 2};
    entry.blobs[LAYER_HEIGHT] = blob;
    entry.lengths[LAYER_HEIGHT] = sizeof blob;
    entry.crcs[LAYER_HEIGHT] = pack_crc(blob, sizeof blob);
    CHECK(journal_append(writer, &entry, &status) == STATUS_OK);
}

// Puts the tiles of a plan into the journal, save number `skip`, and `surplus` too, and assembles them.
static enum status_code assemble(const struct plan *plan, int skip, const struct node *surplus)
{
    static const struct journal_owner owner = {metadata, sizeof metadata - 1, 1, 1, 1};
    struct journal_writer writers[2];
    struct plan_walk walk;
    struct node node;
    uint64_t size_bytes;
    temp_folder_make(base);
    snprintf(new_path, sizeof new_path, "%s/pack", base);
    snprintf(spool_path, sizeof spool_path, "%s/spool", base);
    CHECK(journal_open(&journal, base, &owner, &status) == STATUS_OK);
    for (int k = 0; k < 2; k++)
        CHECK(journal_writer_new(&writers[k], &journal, k, &status) == STATUS_OK);
    plan_walk_begin(&walk, plan);
    for (int number = 0; plan_walk_next(&walk, &node); number++) {
        if (number != skip)
            append(&writers[number % 2], tile_key_of(node));
    }
    for (int k = 0; k < 2; k++)
        CHECK(journal_writer_finish(&writers[k], &status) == STATUS_OK);
    if (surplus) {
        CHECK(journal_writer_new(&writers[0], &journal, 2, &status) == STATUS_OK);
        append(&writers[0], tile_key_of(*surplus));
        CHECK(journal_writer_finish(&writers[0], &status) == STATUS_OK);
    }
    CHECK(progress_begin(&progress, PROGRESS_NONE, true, "test", 30, 0, 0, 1, &status) == STATUS_OK);
    status.text[0] = 0;
    enum status_code code = assemble_pack(&journal, plan, &info, new_path, spool_path, &progress, &size_bytes, &status);
    struct stat about;
    bool made = stat(new_path, &about) == 0;
    CHECK(made == (code == STATUS_OK) && stat(spool_path, &about) != 0);
    CHECK(code != STATUS_OK || progress.packed == 30);
    progress_free(&progress);
    journal_close(&journal);
    temp_folder_remove(base);
    return code;
}

static struct plan two_levels(void)
{
    struct plan plan = {.depth = 1, .faces = 63};
    plan_prepare(&plan, 1000);
    return plan;
}

static void all_tiles_make_a_pack(void)
{
    struct plan plan = two_levels();
    CHECK_TEXT(assemble(&plan, -1, NULL) == STATUS_OK, "%s", status.text);
}

static void a_missing_tile_is_found_and_named(void)
{
    struct plan plan = two_levels();
    CHECK(assemble(&plan, 0, NULL) == STATUS_INPUT && strstr(status.text, "no tile 0/0/0/0"));
    CHECK(assemble(&plan, 7, NULL) == STATUS_INPUT && strstr(status.text, "no tile 0/1/1/0"));
    CHECK(assemble(&plan, 29, NULL) == STATUS_INPUT && strstr(status.text, "no tile 5/1/1/1"));
}

static void a_tile_too_many_is_found(void)
{
    struct plan plan = two_levels(), smaller = {.depth = 1, .faces = 31};
    plan_prepare(&smaller, 1000);
    CHECK(assemble(&plan, -1, &(struct node){2, 2, 1, 1}) == STATUS_INPUT && strstr(status.text, "not in the plan"));
    CHECK(assemble(&smaller, -1, &(struct node){5, 0, 0, 0}) == STATUS_INPUT);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(all_tiles_make_a_pack);
    CHECK_RUN(a_missing_tile_is_found_and_named);
    CHECK_RUN(a_tile_too_many_is_found);
    return CHECK_END;
}
