// SPDX-License-Identifier: MIT
// The viewer without its window: pack, streaming core, loaders, renderer and camera, one frame at a time. A current
// OpenGL context must exist from app_open to app_close; one thread.
#ifndef TERRANE_VIEW_APP_H
#define TERRANE_VIEW_APP_H

#include <stdbool.h>

#include "view/controls.h"
#include "view/frame_stats.h"
#include "view/loader.h"
#include "view/pack_source.h"
#include "view/renderer.h"
#include "view/view_options.h"

struct app {
    const struct view_options *options;
    struct pack_source source;
    struct stream *stream;
    struct loader *loader;
    struct renderer *renderer;
    struct ground *ground;
    struct pack_reader *probe; // the main thread's reader, for the ground at full detail
    struct ground *probe_ground;
    struct loaded_tile *probe_tile;
    struct controls controls;
    struct surroundings around;
    struct camera camera;
    struct scene_style style;
    struct frame_stats *stats;
    uint64_t coarse_frames, missing_frames; // of frames that were shown
    bool hud, help, frozen;
    struct camera frozen_camera;
    double start_s; // of the clock, for full_after_s
};

// Opens the pack and everything behind it; the camera stands as the options say. STATUS_USAGE where the cache is too
// small.
enum status_code app_open(struct app *app, const struct view_options *options, const char *path, struct status *status);
void app_close(struct app *app);

// Streams, uploads and draws the frame of the camera at time now_s (growing; the replay's or the clock's). With
// wait_full it first waits for all detail. The picture is then in the renderer. Names newly found damage on stderr.
enum status_code app_frame(struct app *app, double now_s, bool wait_full, struct status *status);

// Waits until the six roots are there, so that the very first frame shows the planet.
void app_wait_for_roots(struct app *app);

// Height above the datum sphere of the ground at full detail, from the pack; 0 where it has nothing.
double app_ground_m(struct app *app, double latitude_deg, double longitude_deg);

void app_freeze(struct app *app, bool freeze);

// The last frame's picture as a PNG file; never in place of another file without force.
enum status_code app_shot(struct app *app, const char *path, bool force, struct status *status);

// The counters as JSON (cli.md).
enum status_code app_write_stats(const struct app *app, const char *path, bool force, struct status *status);

#endif
