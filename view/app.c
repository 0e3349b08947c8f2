// SPDX-License-Identifier: MIT
#include "view/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "view/hud.h"

// Loads come at up to some 700 tiles a second with two loaders; an upload takes about 0.06 ms.
#define UPLOADS_PER_FRAME 12
#define PREFETCH_S 0.5
#define HIGH_UP_M 1e6 // of a planet of the Earth's size: from here the first look is straight down

static int loader_count(const struct view_options *options)
{
    if (options->loaders > 0)
        return options->loaders;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 2 ? 1 : processors > 8 ? 6 : (int)processors;
}

// The coarsest mesh's chords lie below the sphere by this much.
static double coarsest_sag_m(const struct pack_info *info)
{
    double half_cell =
        tile_spacing_m(1, tile_mesh_quads(info->intervals), 0) * 0.75; // cells are up to 1.5 times as wide
    return info->radius_m * (1 - cos(half_cell));
}

static enum status_code open_stream(struct app *app, struct status *status)
{
    const struct pack_info *info = app->source.info;
    const struct view_options *options = app->options;
    struct stream_config config = {
        .radius_m = info->radius_m,
        .intervals = info->intervals,
        .tile_bytes = tile_gpu_bytes(info->intervals) + ground_tile_bytes(info->intervals),
        .budget_bytes = (size_t)options->cache_mib << 20,
        .detail_px = options->detail_px,
        .error_limit_px = 1,
        .uploads_per_frame = UPLOADS_PER_FRAME,
        .prefetch_s = PREFETCH_S,
        .slots = renderer_slot_limit(),
        .occluder_m = info->radius_m + app->source.lowest_m - coarsest_sag_m(info),
        .lookup = pack_source_lookup,
        .context = &app->source,
    };
    return stream_new(&app->stream, &config, status);
}

static enum status_code open_probe(struct app *app, struct status *status)
{
    const struct pack_info *info = app->source.info;
    enum status_code code = pack_reader_new(&app->probe, &app->source, status);
    if (!code)
        code = ground_new(&app->probe_ground, info->intervals, info->radius_m, 1, status);
    if (!code && !(app->probe_tile = loader_new_tile(info->intervals)))
        code = status_fail_memory(status, "ground", tile_data_bytes(info->intervals));
    return code;
}

static void place_camera(struct app *app)
{
    const struct view_options *options = app->options;
    double radius_m = app->source.info->radius_m;
    app->camera = (struct camera){.latitude_deg = 20,
                                  .radius_m = 3 * radius_m,
                                  .fov_deg = options->fov_deg,
                                  .width_px = options->size.width_px,
                                  .height_px = options->size.height_px,
                                  .pitch_deg = -90};
    controls_init(&app->controls, (enum view_mode)options->mode, !options->no_inertia);
    app->around = (struct surroundings){app->ground, radius_m, app->source.lowest_m, app->source.highest_m};
    bool walks = options->mode == MODE_WALK;
    if (options->at.given) {
        app->camera.latitude_deg = options->at.latitude_deg;
        app->camera.longitude_deg = options->at.longitude_deg;
    }
    if (options->at.given || walks) {
        double altitude_m = walks ? EYE_HEIGHT_M : options->at.altitude_m;
        app->camera.radius_m =
            radius_m + altitude_m + app_ground_m(app, app->camera.latitude_deg, app->camera.longitude_deg);
        double high_m = HIGH_UP_M * radius_m / 6371000;
        app->camera.pitch_deg = altitude_m > high_m ? -90 : -15;
    } else {
        controls_home(&app->controls, &app->camera, &app->around);
        app->controls.mode = (enum view_mode)options->mode;
    }
    if (options->look.given) {
        app->camera.heading_deg = options->look.heading_deg;
        app->camera.pitch_deg = options->look.pitch_deg;
    }
    camera_normalise(&app->camera);
}

static void set_style(struct app *app)
{
    const struct view_options *options = app->options;
    struct scene_style *style = &app->style;
    style->has_sea = app->source.has_sea;
    style->has_air = app->source.has_air;
    memcpy(style->air_color, app->source.air_color, sizeof style->air_color);
    style->sea_m = app->source.sea_m;
    style->lowest_m = app->source.lowest_m;
    style->highest_m = app->source.highest_m;
    style->plain_background = options->background.given;
    memcpy(style->background, options->background.rgb, sizeof style->background);
    style->wireframe = options->wireframe;
    style->borders = options->borders;
    // Beside the eye: enough shade to see relief by, and a stretch of night at the rim.
    double latitude_deg = fmin(fmax(app->camera.latitude_deg * 0.5 + 12, -60), 60);
    style->sun = geographic_dir(latitude_deg, app->camera.longitude_deg - 48);
    if (options->sun.given)
        style->sun = geographic_dir(options->sun.latitude_deg, options->sun.longitude_deg);
}

enum status_code app_open(struct app *app, const struct view_options *options, const char *path, struct status *status)
{
    memset(app, 0, sizeof *app);
    app->options = options;
    app->hud = options->hud;
    app->start_s = clock_seconds();
    app->stats = calloc(1, sizeof *app->stats);
    if (!app->stats)
        return status_fail_memory(status, "frame times", sizeof *app->stats);
    app->stats->full_after_s = -1;
    enum status_code code = pack_source_open(&app->source, path, status);
    if (!code)
        code = open_stream(app, status);
    int slots = code ? 0 : stream_slot_count(app->stream);
    const struct pack_info *info = app->source.info;
    if (!code) {
        struct renderer_config config = {info->radius_m, info->intervals, slots, options->log_depth};
        code = renderer_new(&app->renderer, &config, status);
    }
    if (!code)
        code = ground_new(&app->ground, info->intervals, info->radius_m, slots, status);
    if (!code)
        code = open_probe(app, status);
    if (!code)
        code = loader_start(&app->loader, &app->source, app->stream, loader_count(options), status);
    if (code) {
        app_close(app);
        return code;
    }
    place_camera(app);
    set_style(app);
    return STATUS_OK;
}

void app_close(struct app *app)
{
    loader_stop(app->loader);
    loader_free_tile(app->probe_tile);
    ground_free(app->probe_ground);
    pack_reader_free(app->probe);
    ground_free(app->ground);
    renderer_free(app->renderer);
    stream_free(app->stream);
    pack_source_close(&app->source);
    free(app->stats);
    memset(app, 0, sizeof *app);
}

double app_ground_m(struct app *app, double latitude_deg, double longitude_deg)
{
    struct double3 dir = geographic_dir(latitude_deg, longitude_deg);
    struct cube_place place = cube_sphere_locate(dir);
    struct node node = node_at(place.face, place.s, place.t, pack_max_level(app->source.pack));
    bool found = false;
    struct pack_tile tile;
    struct status ignored; // damage there is named when the tile is drawn
    double height_m = 0;
    if (pack_find_deepest(app->source.cursor, node, &found, &tile, &ignored) || !found)
        return app->source.has_sea ? fmax(0, app->source.sea_m) : 0;
    node = tile_key_node(tile.key);
    if (pack_reader_load(app->probe, node, app->probe_tile->data, app->probe_tile->mesh_heights_m, &ignored))
        return 0;
    struct stream_draw draw = {node, 0, 15, 0};
    ground_set(app->probe_ground, 0, app->probe_tile->mesh_heights_m);
    ground_follow(app->probe_ground, &draw, 1);
    if (!ground_height_m(app->probe_ground, dir, &height_m))
        height_m = 0;
    return height_m;
}

void app_freeze(struct app *app, bool freeze)
{
    app->frozen = freeze;
    app->frozen_camera = app->camera;
    loader_lock(app->loader);
    stream_freeze(app->stream, freeze);
    loader_unlock(app->loader);
}

// One update of the core with the uploads that it asks for; the lock is held by the caller.
static void stream_once(struct app *app, double now_s)
{
    stream_update(app->stream, &app->camera, now_s);
    int count;
    const struct stream_upload *uploads = stream_uploads(app->stream, &count);
    for (int k = 0; k < count; k++) {
        struct loaded_tile *tile = uploads[k].data;
        renderer_upload(app->renderer, uploads[k].slot, uploads[k].node, tile->data);
        ground_set(app->ground, uploads[k].slot, tile->mesh_heights_m);
        loader_free_tile(tile);
    }
    void *const *dropped = stream_dropped(app->stream, &count);
    for (int k = 0; k < count; k++)
        loader_free_tile(dropped[k]);
}

static void name_damage(struct app *app)
{
    struct status damage;
    while (loader_next_damage(app->loader, &damage))
        fprintf(stderr, "terrane-view: %s\n", damage.text);
    if (app->source.damage.code) {
        fprintf(stderr, "terrane-view: %s\n", app->source.damage.text);
        app->source.damage.code = STATUS_OK;
    }
}

void app_wait_for_roots(struct app *app)
{
    for (bool missing = true; missing;) {
        loader_lock(app->loader);
        uint64_t before = stream_get_counters(app->stream)->missing_frames;
        stream_once(app, 0);
        missing = stream_get_counters(app->stream)->missing_frames != before;
        loader_unlock(app->loader);
        if (missing)
            loader_wait(app->loader, 20);
    }
}

static void count_drawn(struct app *app, const struct stream_counters *before, const struct stream_counters *after)
{
    app->coarse_frames += after->coarse_frames - before->coarse_frames;
    app->missing_frames += after->missing_frames - before->missing_frames;
    struct frame_stats *stats = app->stats;
    const struct renderer_counters *drawn = renderer_get_counters(app->renderer);
    stats->tiles_drawn = after->drawn;
    stats->tiles_drawn_max = after->drawn > stats->tiles_drawn_max ? after->drawn : stats->tiles_drawn_max;
    stats->draw_calls_max = drawn->draw_calls > stats->draw_calls_max ? drawn->draw_calls : stats->draw_calls_max;
    stats->triangles_max = drawn->triangles > stats->triangles_max ? drawn->triangles : stats->triangles_max;
}

enum status_code app_frame(struct app *app, double now_s, bool wait_full, struct status *status)
{
    double frame_start_s = clock_seconds(), cpu_start_s = clock_thread_seconds();
    struct stream_counters before, after;
    bool full;
    for (;;) {
        loader_lock(app->loader);
        before = *stream_get_counters(app->stream);
        stream_once(app, now_s);
        after = *stream_get_counters(app->stream);
        full = stream_is_full(app->stream);
        if (!wait_full || full || app->frozen)
            break;
        loader_unlock(app->loader);
        loader_wait(app->loader, 20);
    }
    if (full && app->stats->full_after_s < 0)
        app->stats->full_after_s = clock_seconds() - app->start_s;
    // The draw list stays as it is until the next update, whatever the loaders deliver.
    int draw_count;
    const struct stream_draw *draws = stream_draws(app->stream, &draw_count);
    loader_unlock(app->loader);
    ground_follow(app->ground, draws, draw_count);
    name_damage(app);
    double cpu_ms = (clock_thread_seconds() - cpu_start_s) * 1e3;

    enum status_code code = renderer_draw(app->renderer, &app->camera, draws, draw_count, &app->style, status);
    if (code)
        return code;
    if (app->frozen)
        hud_frustum(app);
    if (app->hud || app->help)
        hud_draw(app, &after);
    renderer_finish_frame(app->renderer);
    count_drawn(app, &before, &after);
    frame_stats_add(app->stats, (clock_seconds() - frame_start_s) * 1e3, cpu_ms);
    return STATUS_OK;
}
