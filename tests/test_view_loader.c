// SPDX-License-Identifier: MIT
// The viewer's loader threads over a real pack, without a window: what they bring, what they say of damage, and how
// they end. A build with ThreadSanitizer looks at who touches what.
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/base_folder.h"
#include "tests/check.h"
#include "tests/quiet_command.h"
#include "view/loader.h"

#define INTERVALS 32

static struct status status;

struct flight {
    struct pack_source source;
    struct stream *stream;
    struct loader *loader;
    struct pack_reader *reader; // the main thread's own, to compare with
    struct loaded_tile *compared;
    int frames, uploads;
};

static void flight_begin(struct flight *flight, const char *pack, int threads, int tiles_held)
{
    memset(flight, 0, sizeof *flight);
    CHECK_TEXT(pack_source_open(&flight->source, at(pack), &status) == STATUS_OK, "%s", status.text);
    const struct pack_info *info = flight->source.info;
    struct stream_config config = {.radius_m = info->radius_m,
                                   .intervals = info->intervals,
                                   .tile_bytes = tile_gpu_bytes(info->intervals),
                                   .budget_bytes = tile_gpu_bytes(info->intervals) * (size_t)tiles_held,
                                   .detail_px = 1.5,
                                   .error_limit_px = 1,
                                   .uploads_per_frame = 12,
                                   .prefetch_s = 0.5,
                                   .slots = 4096,
                                   .occluder_m = info->radius_m * 0.9,
                                   .lookup = pack_source_lookup,
                                   .context = &flight->source};
    CHECK(stream_new(&flight->stream, &config, &status) == STATUS_OK);
    CHECK(pack_reader_new(&flight->reader, &flight->source, &status) == STATUS_OK);
    flight->compared = loader_new_tile(info->intervals);
    CHECK(loader_start(&flight->loader, &flight->source, flight->stream, threads, &status) == STATUS_OK);
}

static void flight_end(struct flight *flight)
{
    loader_stop(flight->loader);
    CHECK(stream_abandon(flight->stream) == NULL); // what had been delivered is freed
    loader_free_tile(flight->compared);
    pack_reader_free(flight->reader);
    stream_free(flight->stream);
    pack_source_close(&flight->source);
}

// Whether a tile from a loader is what this thread reads.
static bool same_tile(struct flight *flight, struct node node, const struct loaded_tile *tile)
{
    size_t samples = (INTERVALS + 1) * (INTERVALS + 1), vertices = (size_t)tile_vertex_count(INTERVALS);
    const struct loaded_tile *own = flight->compared;
    return pack_reader_load(flight->reader, node, own->data, own->mesh_heights_m, &status) == STATUS_OK &&
           memcmp(own->data->vertices, tile->data->vertices, vertices * sizeof own->data->vertices[0]) == 0 &&
           memcmp(own->data->normals, tile->data->normals, samples * 2 * sizeof own->data->normals[0]) == 0 &&
           memcmp(own->data->colors, tile->data->colors, samples * 4) == 0 &&
           memcmp(own->mesh_heights_m, tile->mesh_heights_m, samples * sizeof own->mesh_heights_m[0]) == 0;
}

// One frame; returns whether the view is full.
static bool fly(struct flight *flight, double latitude_deg, double longitude_deg, double altitude_m)
{
    struct camera camera = {latitude_deg, longitude_deg, flight->source.info->radius_m + altitude_m, 0, -60, 60, 1280,
                            720};
    int count;
    loader_lock(flight->loader);
    stream_update(flight->stream, &camera, ++flight->frames / 60.0);
    const struct stream_upload *uploads = stream_uploads(flight->stream, &count);
    for (int k = 0; k < count; k++) {
        CHECK_TEXT(same_tile(flight, uploads[k].node, uploads[k].data), "tile %d/%d", uploads[k].node.face,
                   uploads[k].node.level);
        loader_free_tile(uploads[k].data);
        flight->uploads++;
    }
    void *const *dropped = stream_dropped(flight->stream, &count);
    for (int k = 0; k < count; k++)
        loader_free_tile(dropped[k]);
    bool full = stream_is_full(flight->stream);
    loader_unlock(flight->loader);
    return full;
}

static void fly_until_full(struct flight *flight, double latitude_deg, double longitude_deg, double altitude_m)
{
    bool full = false;
    for (int k = 0; k < 1000 && !full; k++) {
        full = fly(flight, latitude_deg, longitude_deg, altitude_m);
        loader_wait(flight->loader, 20);
    }
    CHECK(full);
}

static void every_tile_comes_as_the_pack_has_it_for_any_number_of_threads_and_any_budget(void)
{
    static const int threads[] = {1, 4}, tiles_held[] = {400, 24};
    for (int k = 0; k < 4; k++) {
        struct flight flight;
        flight_begin(&flight, "p", threads[k & 1], tiles_held[k >> 1]);
        for (int frame = 0; frame < 60; frame++)
            fly(&flight, 40 - frame, 6.0 * frame, 3e6);
        fly_until_full(&flight, 10, 20, 1e6);
        fly_until_full(&flight, -40, 200, 1e6);
        CHECK_TEXT(flight.uploads > 20, "%d", flight.uploads);
        CHECK(!loader_next_damage(flight.loader, &status));
        flight_end(&flight);
    }
}

// Changes a byte in the middle of the tile's heights.
static void damage(const char *pack, struct node node)
{
    struct pack_source source;
    struct pack_tile tile;
    bool found = false;
    uint8_t byte;
    CHECK(pack_source_open(&source, at(pack), &status) == STATUS_OK);
    CHECK(pack_find(source.cursor, node, &found, &tile, &status) == STATUS_OK && found);
    pack_source_close(&source);
    off_t place = (off_t)(tile.blobs[LAYER_HEIGHT].offset + tile.blobs[LAYER_HEIGHT].length / 2);
    int fd = open(at(pack), O_RDWR);
    CHECK(pread(fd, &byte, 1, place) == 1);
    byte ^= 16;
    CHECK(pwrite(fd, &byte, 1, place) == 1 && close(fd) == 0);
}

static void damage_is_told_once_and_all_else_is_loaded(void)
{
    static const struct node damaged = {0, 1, 0, 0};
    struct flight flight;
    size_t size;
    uint8_t *bytes = slurp("p", &size);
    FILE *file = fopen(at("damaged"), "wb");
    CHECK(bytes && file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    free(bytes);
    damage("damaged", damaged);
    flight_begin(&flight, "damaged", 3, 400);
    // North-west of the middle of face 0, where tiles of level 3 are below the damaged one.
    fly_until_full(&flight, 20, -20, 3e5);
    fly_until_full(&flight, -20, 20, 3e5);
    fly_until_full(&flight, 20, -20, 3e5);
    CHECK(loader_next_damage(flight.loader, &status) && strstr(status.text, "0/1/0/0"));
    CHECK(!loader_next_damage(flight.loader, &status));
    CHECK(stream_get_counters(flight.stream)->failed == 1);
    int count, below = 0;
    const struct stream_draw *draws = stream_draws(flight.stream, &count);
    for (int k = 0; k < count; k++) {
        struct node node = draws[k].node;
        below += node.face == 0 && node.level > 1 && node.x >> (node.level - 1) == 0 && node.y >> (node.level - 1) == 0;
    }
    CHECK_TEXT(below > 0, "of %d", count);
    flight_end(&flight);
}

static void an_end_while_tiles_are_on_the_way_is_orderly(void)
{
    for (int frames = 0; frames < 12; frames++) {
        struct flight flight;
        flight_begin(&flight, "p", 4, 200);
        for (int k = 0; k < frames; k++)
            fly(&flight, 5.0 * k, 30.0 * k, 2e6);
        flight_end(&flight);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    quiet_begin();
    temp_folder_make(base);
    const char *const bake[] = {"terrane", "bake", "-q",     "-o", at("p"), "--planet", "plain",
                                "--depth", "3",    "--tile", "32", "-j",    "2",        NULL};
    if (quiet_run(bake, false, &status)) {
        printf("FAILED to bake: %s\n", status.text);
        return 1;
    }
    CHECK_RUN(every_tile_comes_as_the_pack_has_it_for_any_number_of_threads_and_any_budget);
    CHECK_RUN(damage_is_told_once_and_all_else_is_loaded);
    CHECK_RUN(an_end_while_tiles_are_on_the_way_is_orderly);
    temp_folder_remove(base);
    return CHECK_END;
}
