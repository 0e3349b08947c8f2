// SPDX-License-Identifier: MIT
#include "view/hud.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const uint8_t WHITE[4] = {240, 244, 248, 255};
static const uint8_t SHADE[4] = {8, 12, 20, 150};
static const uint8_t AMBER[4] = {255, 190, 70, 255};
static const uint8_t GREEN[4] = {110, 210, 140, 255};
static const uint8_t CYAN[4] = {90, 210, 255, 255};

#define GRAPH_FRAMES 120
#define LINES_MAX 24

struct page {
    char lines[LINES_MAX][160];
    const uint8_t *colors[LINES_MAX];
    int count;
};

static void __attribute__((format(printf, 3, 4)))
add_line(struct page *page, const uint8_t *color, const char *format, ...)
{
    if (page->count == LINES_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(page->lines[page->count], sizeof page->lines[0], format, arguments);
    va_end(arguments);
    page->colors[page->count++] = color;
}

// "1.70 m", "823 m", "12.4 km", "384000 km".
static void format_length(char text[32], double length_m)
{
    double size = fabs(length_m);
    if (size < 100)
        snprintf(text, 32, "%.2f m", length_m);
    else if (size < 10000)
        snprintf(text, 32, "%.0f m", length_m);
    else if (size < 1e6)
        snprintf(text, 32, "%.1f km", length_m / 1e3);
    else
        snprintf(text, 32, "%.0f km", length_m / 1e3);
}

static void describe_place(struct page *page, struct app *app)
{
    static const char *const modes[] = {"orbit", "fly", "walk"};
    const struct camera *camera = &app->camera;
    char above_ground[32], above_datum[32], speed[32];
    format_length(above_ground, controls_height_m(camera, &app->around));
    format_length(above_datum, camera->radius_m - app->source.info->radius_m);
    format_length(speed, app->controls.speed_m_s);
    add_line(page, WHITE, "%.5f %c  %.5f %c   %s above ground (%s above datum)", fabs(camera->latitude_deg),
             camera->latitude_deg < 0 ? 'S' : 'N', fabs(camera->longitude_deg), camera->longitude_deg < 0 ? 'W' : 'E',
             above_ground, above_datum);
    add_line(page, WHITE, "heading %.0f  pitch %.0f   %s   %s/s%s", camera->heading_deg, camera->pitch_deg,
             modes[app->controls.mode], speed, app->frozen ? "   FROZEN (U)" : "");
}

static void describe_work(struct page *page, struct app *app, const struct stream_counters *counters)
{
    const struct frame_stats *stats = app->stats;
    const struct renderer_counters *drawn = renderer_get_counters(app->renderer);
    add_line(page, WHITE, "frame %.1f ms  p99 %.1f  max %.1f   own cpu %.2f ms",
             frame_stats_recent(stats, stats->frame_ms, GRAPH_FRAMES, 0.5),
             frame_stats_recent(stats, stats->frame_ms, GRAPH_FRAMES, 0.99),
             frame_stats_recent(stats, stats->frame_ms, GRAPH_FRAMES, 1),
             frame_stats_recent(stats, stats->cpu_ms, GRAPH_FRAMES, 0.5));
    add_line(page, WHITE, "tiles %d drawn  %d outside  %d below horizon   %d k triangles", counters->drawn,
             counters->culled_frustum, counters->culled_horizon, drawn->triangles / 1000);
    add_line(page, WHITE, "queue %d  loading %d   loads %llu  wasted %llu  reloads %llu  failed %llu", counters->queued,
             counters->in_flight, (unsigned long long)counters->loads, (unsigned long long)counters->loads_wasted,
             (unsigned long long)counters->reloads, (unsigned long long)counters->failed);
    add_line(page, WHITE, "cache %.1f of %.0f MiB", (double)counters->bytes / 1048576,
             (double)counters->bytes_budget / 1048576);
    if (counters->detail_scale < 1)
        add_line(page, AMBER, "detail reduced to %.0f %% to stay within the cache", counters->detail_scale * 100);
}

static void describe_keys(struct page *page)
{
    add_line(page, CYAN, "left drag: grab   wheel: zoom to cursor   middle or Ctrl drag: tilt   Shift drag: look");
    add_line(page, CYAN, "W A S D E C: move (Shift faster, Ctrl slower)   1 2 3: orbit fly walk");
    add_line(page, CYAN, "Home: globe   N: north up   Z: to the ground   F: wireframe   U: freeze   B: borders");
    add_line(page, CYAN, "F2: this display   F11: full screen   F12: screenshot   H: help   Esc: leave");
}

// Bars of the last frames' times; the line is 16.7 ms.
static void draw_graph(struct app *app, double x_px, double y_px, double unit_px)
{
    const struct frame_stats *stats = app->stats;
    double height_px = 24 * unit_px;
    renderer_hud_rect(app->renderer, x_px, y_px, GRAPH_FRAMES * unit_px, height_px, SHADE);
    for (int k = 0; k < GRAPH_FRAMES && (uint64_t)k < stats->frames; k++) {
        double ms = (double)stats->frame_ms[(stats->frames - 1 - (uint64_t)k) % FRAME_STATS_KEPT];
        double bar_px = fmin(ms / 33.3, 1) * height_px;
        renderer_hud_rect(app->renderer, x_px + (GRAPH_FRAMES - 1 - k) * unit_px, y_px + height_px - bar_px, unit_px,
                          bar_px, ms > 17.5 ? AMBER : GREEN);
    }
    renderer_hud_rect(app->renderer, x_px, y_px + height_px / 2, GRAPH_FRAMES * unit_px, 1, WHITE);
}

void hud_draw(struct app *app, const struct stream_counters *counters)
{
    struct page page = {.count = 0};
    if (app->hud) {
        describe_place(&page, app);
        describe_work(&page, app, counters);
    }
    if (app->help)
        describe_keys(&page);
    double unit_px = renderer_hud_unit_px(app->renderer), line_px = 12 * unit_px, margin_px = 8 * unit_px;
    double width_px = 0;
    for (int k = 0; k < page.count; k++)
        width_px = fmax(width_px, renderer_hud_text_width_px(app->renderer, page.lines[k]));
    renderer_hud_rect(app->renderer, margin_px - 4 * unit_px, margin_px - 4 * unit_px, width_px + 8 * unit_px,
                      page.count * line_px + 6 * unit_px, SHADE);
    for (int k = 0; k < page.count; k++)
        renderer_hud_text(app->renderer, margin_px, margin_px + k * line_px, page.colors[k], page.lines[k]);
    if (app->hud)
        draw_graph(app, margin_px - 4 * unit_px, margin_px + page.count * line_px + 8 * unit_px, unit_px);
}

void hud_frustum(struct app *app)
{
    struct camera_frame frame = camera_frame_of(&app->frozen_camera);
    double reach_m = frame.focal_px > 0 ? 2 * (app->frozen_camera.radius_m - app->source.info->radius_m) : 0;
    reach_m = fmax(reach_m, app->source.info->radius_m * 1e-4);
    struct double3 corners[4];
    for (int k = 0; k < 4; k++) {
        double px = (k == 1 || k == 2) * (double)app->frozen_camera.width_px;
        double py = (k >= 2) * (double)app->frozen_camera.height_px;
        struct double3 ray = camera_ray(&frame, &app->frozen_camera, px, py);
        corners[k] = double3_add(frame.eye_m, double3_scale(ray, reach_m));
    }
    for (int k = 0; k < 4; k++) {
        renderer_world_line(app->renderer, frame.eye_m, corners[k], AMBER);
        renderer_world_line(app->renderer, corners[k], corners[(k + 1) % 4], AMBER);
    }
}
