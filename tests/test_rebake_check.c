// SPDX-License-Identifier: MIT
#include "bake/rebake_check.h"

#include <ftw.h>
#include <unistd.h>

#include "bake/command.h"
#include "bake/pack_metadata.h"
#include "formats/output_file.h"
#include "formats/png_rows.h"
#include "tests/check.h"

static char folder[64], pack_path_[128], planet_path[128], raster_path[128];
static struct status status;

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

// A grey picture of 8 x 4 samples that grow by step.
static void write_raster(int step)
{
    static struct output_file out;
    struct png_picture picture = {.width = 8, .height = 4, .kind = PNG_GRAY8};
    uint8_t samples[32];
    for (int k = 0; k < 32; k++)
        samples[k] = (uint8_t)(k * step);
    struct png_rows *rows;
    CHECK(output_begin(&out, raster_path, false, &status) == STATUS_OK);
    CHECK(png_rows_begin(&rows, &picture, output_write, &out, &status) == STATUS_OK);
    CHECK(png_rows_write(rows, samples, 4, &status) == STATUS_OK);
    CHECK(png_rows_finish(rows, &status) == STATUS_OK);
    CHECK(output_finish(&out, &status) == STATUS_OK);
}

static void bake(const char *planet)
{
    char *argv[] = {
        (char[]){"terrane"},       (char[]){"bake"},    (char[]){"-o"}, pack_path_,         (char[]){"--planet"},
        (char *)(uintptr_t)planet, (char[]){"--depth"}, (char[]){"1"},  (char[]){"--tile"}, (char[]){"32"},
        (char[]){"--seed"},        (char[]){"5"},       (char[]){"-j"}, (char[]){"1"},      (char[]){"-q"},
        (char[]){"--force"}};
    const struct verb *verb;
    CHECK_TEXT(command_run(sizeof argv / sizeof *argv, argv, &verb, &status) == STATUS_OK, "%s", status.text);
}

// The pack as it was baked; tests change what its metadata say.
struct opened {
    struct pack *pack;
    struct metadata metadata;
};

static struct opened open_pack(void)
{
    struct opened opened;
    if (pack_open(&opened.pack, pack_path_, &status) || pack_metadata(&opened.metadata, opened.pack, &status)) {
        printf("%s\n", status.text);
        abort();
    }
    return opened;
}

static void close_pack(struct opened *opened)
{
    metadata_free(&opened->metadata);
    pack_close(opened->pack);
}

static enum status_code rebake(const struct opened *opened, uint64_t count, uint64_t seed, const char *planet,
                               uint64_t *rebaked)
{
    struct rebake_request request = {count, seed, planet};
    return rebake_check(opened->pack, &opened->metadata, &request, rebaked, &status);
}

#define NOISE "height = 900 * fbm(5000e3, octaves = 3)\ncolor = ramp(height, -900, #000000, 900, #ffffff)\n"

static void tiles_come_out_the_same_and_none_is_drawn_twice(void)
{
    write_text(planet_path, NOISE);
    bake(planet_path);
    struct opened opened = open_pack();
    static const uint64_t counts[][2] = {{1, 1}, {7, 7}, {29, 29}, {30, 30}, {1000, 30}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t rebaked;
        CHECK_TEXT(rebake(&opened, counts[k][0], check_random(), NULL, &rebaked) == STATUS_OK, "%s", status.text);
        CHECK_TEXT(rebaked == counts[k][1], "%d", (int)rebaked);
    }
    uint64_t rebaked;
    CHECK(rebake(&opened, 3, 1, planet_path, &rebaked) == STATUS_OK && rebaked == 3);
    close_pack(&opened);
}

static void the_draw_reaches_every_tile(void)
{
    write_text(planet_path, NOISE);
    bake(planet_path);
    struct opened opened = open_pack();
    opened.metadata.seed = 6; // so that the first tile that is drawn is named
    char seen[30][NODE_TEXT_MAX];
    int count = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        uint64_t rebaked;
        CHECK(rebake(&opened, 1, seed, NULL, &rebaked) == STATUS_INPUT);
        const char *tile = strstr(status.text, "tile ");
        char name[NODE_TEXT_MAX] = "";
        if (tile)
            snprintf(name, sizeof name, "%.*s", (int)strcspn(tile + 5, ":"), tile + 5);
        int k = 0;
        while (k < count && strcmp(seen[k], name) != 0)
            k++;
        if (k == count && count < 30)
            strcpy(seen[count++], name);
    }
    CHECK_TEXT(count == 30, "%d", count);
    close_pack(&opened);
}

static void what_the_metadata_say_is_what_is_baked(void)
{
    write_text(planet_path, NOISE);
    bake(planet_path);
    uint64_t rebaked;
    struct opened opened = open_pack();
    opened.metadata.seed = 6;
    CHECK(rebake(&opened, 30, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "0/0/0/0"));
    opened.metadata.seed = 5;
    opened.metadata.radius_m += 1;
    CHECK(rebake(&opened, 30, 1, NULL, &rebaked) == STATUS_INPUT);
    opened.metadata.radius_m -= 1;
    opened.metadata.planet_text = "height = 900 * fbm(5000e3, octaves = 3)\ncolor = #000001\n";
    CHECK(rebake(&opened, 30, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "color"));
    opened.metadata.planet_text = "height = ";
    CHECK(rebake(&opened, 30, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "expected"));
    close_pack(&opened);
}

static void another_generator_is_refused(void)
{
    write_text(planet_path, NOISE);
    bake(planet_path);
    uint64_t rebaked;
    struct opened opened = open_pack();
    struct metadata as_baked = opened.metadata;
    opened.metadata.generator = "terrane 9.9.9";
    CHECK(rebake(&opened, 1, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "9.9.9"));
    opened.metadata = as_baked;
    opened.metadata.generator_content++;
    CHECK(rebake(&opened, 1, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "generator"));
    opened.metadata = as_baked;
    opened.metadata.codec_profile++;
    CHECK(rebake(&opened, 1, 1, NULL, &rebaked) == STATUS_INPUT && strstr(status.text, "generator"));
    opened.metadata = as_baked;
    close_pack(&opened);
}

static void rasters_need_their_planet_file_and_must_be_the_same(void)
{
    write_text(planet_path, "height = raster(\"grey.png\", scale = 10)\n");
    write_raster(8);
    bake(planet_path);
    uint64_t rebaked;
    struct opened opened = open_pack();
    CHECK(opened.metadata.raster_count == 1);
    CHECK(rebake(&opened, 2, 1, NULL, &rebaked) == STATUS_USAGE && strstr(status.text, "--planet"));
    CHECK_TEXT(rebake(&opened, 2, 1, planet_path, &rebaked) == STATUS_OK && rebaked == 2, "%s", status.text);

    write_raster(7);
    CHECK(rebake(&opened, 2, 1, planet_path, &rebaked) == STATUS_INPUT && strstr(status.text, "raster"));
    write_raster(8);
    write_text(planet_path, "height = raster(\"grey.png\", scale = 10) // the same, in other words\n");
    CHECK(rebake(&opened, 2, 1, planet_path, &rebaked) == STATUS_INPUT && strstr(status.text, "planet file"));
    unlink(raster_path);
    CHECK(rebake(&opened, 2, 1, planet_path, &rebaked) == STATUS_INPUT);
    close_pack(&opened);
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    snprintf(folder, sizeof folder, "/tmp/terrane-test-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(pack_path_, sizeof pack_path_, "%s/a.terrane", folder);
    snprintf(planet_path, sizeof planet_path, "%s/a.planet", folder);
    snprintf(raster_path, sizeof raster_path, "%s/grey.png", folder);
    CHECK_RUN(tiles_come_out_the_same_and_none_is_drawn_twice);
    CHECK_RUN(the_draw_reaches_every_tile);
    CHECK_RUN(what_the_metadata_say_is_what_is_baked);
    CHECK_RUN(another_generator_is_refused);
    CHECK_RUN(rasters_need_their_planet_file_and_must_be_the_same);
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return CHECK_END;
}
