// SPDX-License-Identifier: MIT
// What the viewer writes: pictures and counters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text_number.h"
#include "formats/output_file.h"
#include "formats/png_rows.h"
#include "view/app.h"

static enum status_code write_picture(struct output_file *out, const uint8_t *rgb, int width_px, int height_px,
                                      struct status *status)
{
    struct png_picture picture = {.width = width_px, .height = height_px, .kind = PNG_RGB8, .srgb = true};
    struct png_rows *rows;
    enum status_code code = png_rows_begin(&rows, &picture, output_write, out, status);
    if (code)
        return code;
    code = png_rows_write(rows, rgb, height_px, status);
    if (!code)
        return png_rows_finish(rows, status);
    png_rows_free(rows);
    return code;
}

// Begins, lets write fill in, and ends the file whichever way it went.
static enum status_code finish_output(struct output_file *out, enum status_code code, struct status *status)
{
    if (!code)
        return output_finish(out, status);
    output_abandon(out);
    return code;
}

enum status_code app_shot(struct app *app, const char *path, bool force, struct status *status)
{
    enum status_code code = output_check(path, force, status);
    if (code)
        return code;
    int width_px = app->camera.width_px, height_px = app->camera.height_px;
    size_t bytes = (size_t)width_px * (size_t)height_px * 3;
    struct output_file *out = malloc(sizeof *out);
    uint8_t *rgb = malloc(bytes);
    if (!rgb || !out) {
        code = status_fail_memory(status, path, bytes);
    } else {
        renderer_read(app->renderer, rgb);
        code = output_begin(out, path, false, status);
        if (!code)
            code = finish_output(out, write_picture(out, rgb, width_px, height_px, status), status);
    }
    free(rgb);
    free(out);
    return code;
}

struct json_text {
    char text[4096];
    size_t length;
};

static void add_text(struct json_text *json, const char *name, const char *value)
{
    int written = snprintf(json->text + json->length, sizeof json->text - json->length, "%s\"%s\":%s",
                           json->length > 1 ? "," : "", name, value);
    json->length += (size_t)written;
}

static void add_real(struct json_text *json, const char *name, double value)
{
    char text[REAL_TEXT_MAX];
    format_real(text, value);
    add_text(json, name, text);
}

static void add_count(struct json_text *json, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    add_text(json, name, text);
}

static void add_string(struct json_text *json, const char *name, const char *value)
{
    char quoted[300] = "\"";
    size_t at = 1;
    for (; *value && at < sizeof quoted - 3; value++) {
        if (*value == '"' || *value == '\\')
            quoted[at++] = '\\';
        quoted[at++] = (unsigned char)*value < 0x20 ? ' ' : *value;
    }
    quoted[at++] = '"';
    quoted[at] = 0;
    add_text(json, name, quoted);
}

static void describe(struct json_text *json, const struct app *app)
{
    const struct frame_stats *stats = app->stats;
    const struct stream_counters *stream = stream_get_counters(app->stream);
    const struct renderer_counters *drawn = renderer_get_counters(app->renderer);
    json->length = 1;
    json->text[0] = '{';
    add_count(json, "schema", 1);
    add_count(json, "frames", stats->frames);
    add_real(json, "frame_ms_p50", frame_stats_percentile(stats, stats->frame_ms, 0.50));
    add_real(json, "frame_ms_p99", frame_stats_percentile(stats, stats->frame_ms, 0.99));
    add_real(json, "frame_ms_max", stats->frame_ms_max);
    add_real(json, "cpu_ms_p50", frame_stats_percentile(stats, stats->cpu_ms, 0.50));
    add_real(json, "cpu_ms_p99", frame_stats_percentile(stats, stats->cpu_ms, 0.99));
    add_count(json, "tiles_drawn", (uint64_t)stats->tiles_drawn);
    add_count(json, "tiles_drawn_max", (uint64_t)stats->tiles_drawn_max);
    add_count(json, "draw_calls_max", (uint64_t)stats->draw_calls_max);
    add_count(json, "triangles_max", (uint64_t)stats->triangles_max);
    add_count(json, "loads", stream->loads);
    add_count(json, "loads_wasted", stream->loads_wasted);
    add_count(json, "loads_failed", stream->failed);
    add_count(json, "reloads", stream->reloads);
    add_count(json, "cache_bytes_peak", stream->bytes_peak);
    add_count(json, "cache_bytes_budget", stream->bytes_budget);
    add_real(json, "detail_scale", stream->detail_scale);
    add_count(json, "coarse_frames", app->coarse_frames);
    add_count(json, "missing_frames", app->missing_frames);
    if (stats->full_after_s < 0)
        add_text(json, "full_after_s", "null");
    else
        add_real(json, "full_after_s", stats->full_after_s);
    add_string(json, "gl_renderer", drawn->gl_renderer);
    add_string(json, "gl_version", drawn->gl_version);
    add_text(json, "log_depth", drawn->log_depth ? "true" : "false");
    memcpy(json->text + json->length, "}\n", 3);
    json->length += 2;
}

enum status_code app_write_stats(const struct app *app, const char *path, bool force, struct status *status)
{
    enum status_code code = output_check(path, force, status);
    if (code)
        return code;
    struct json_text json;
    describe(&json, app);
    struct output_file *out = malloc(sizeof *out);
    if (!out)
        return status_fail_memory(status, path, sizeof *out);
    code = output_begin(out, path, false, status);
    if (!code)
        code = finish_output(out, output_write(out, json.text, json.length, status), status);
    free(out);
    return code;
}
