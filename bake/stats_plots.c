// SPDX-License-Identifier: MIT
#include "bake/stats_plots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bake/canvas.h"
#include "bake/stats_panels.h"
#include "formats/output_file.h"
#include "formats/png_rows.h"

#define PAGE 0xFFFFFF
#define INK 0x1F2733
#define INK_SOFT 0x5A6675

// The first STATS_NAME_CHARACTERS characters of UTF-8, and dots for more.
static void copy_name(char *target, size_t size, const char *name)
{
    size_t length = 0;
    for (int characters = 0; name[length]; length++) {
        if (((unsigned char)name[length] & 0xC0) != 0x80 && characters++ == STATS_NAME_CHARACTERS)
            break;
    }
    snprintf(target, size, "%.*s%s", (int)length, name, name[length] ? "..." : "");
}

static void draw_title(const struct stats_drawing *d, const struct metadata *metadata)
{
    char text[256], radius[32], spacing[32], pack_spacing[32];
    stats_length_text(radius, sizeof radius, d->stats->radius_m);
    stats_length_text(spacing, sizeof spacing, d->stats->spacing_m);
    stats_length_text(pack_spacing, sizeof pack_spacing, d->stats->pack_spacing_m);
    canvas_text(d->canvas, 96, 46, CANVAS_LEFT, 24, INK, d->name);
    snprintf(text, sizeof text,
             "seed %" PRIu64 ", radius %s; level %d with %s between samples, measured at %d x %d points %s apart",
             metadata->seed, radius, d->stats->level, pack_spacing, d->stats->width, d->stats->width / 2, spacing);
    canvas_text(d->canvas, 96, 76, CANVAS_LEFT, 13, INK_SOFT, text);
}

static void draw_all(struct stats_drawing *d, const struct metadata *metadata)
{
    stats_drawing_prepare(d);
    draw_title(d, metadata);
    const int left[2] = {96, 896}, top[2] = {140, 710}, width = 672, height = 440;
    struct canvas_box boxes[4];
    for (int k = 0; k < 4; k++)
        boxes[k] = (struct canvas_box){left[k % 2], top[k / 2], left[k % 2] + width, top[k / 2] + height};
    stats_draw_hypsometry(d, boxes[0]);
    stats_draw_histogram(d, boxes[1]);
    stats_draw_slopes(d, boxes[2]);
    stats_draw_spectrum(d, boxes[3]);
}

static enum status_code write_png(const char *path, const struct canvas *canvas, struct status *status)
{
    struct output_file *out = malloc(sizeof *out);
    if (!out)
        return status_fail_memory(status, path, sizeof *out);
    enum status_code code = output_begin(out, path, true, status);
    if (code) {
        free(out);
        return code;
    }
    struct png_picture picture = {
        .width = STATS_PLOTS_WIDTH, .height = STATS_PLOTS_HEIGHT, .kind = PNG_RGB8, .srgb = true};
    struct png_rows *png = NULL;
    code = png_rows_begin(&png, &picture, output_write, out, status);
    if (!code)
        code = png_rows_write(png, canvas_pixels(canvas), STATS_PLOTS_HEIGHT, status);
    if (code)
        png_rows_free(png);
    else
        code = png_rows_finish(png, status);
    if (code)
        output_abandon(out);
    else
        code = output_finish(out, status);
    free(out);
    return code;
}

enum status_code stats_plots_write(const char *path, const struct terrain_stats *stats, const struct metadata *metadata,
                                   struct status *status)
{
    struct stats_drawing drawing = {.stats = stats};
    copy_name(drawing.name, sizeof drawing.name, metadata->planet);
    enum status_code code = canvas_new(&drawing.canvas, STATS_PLOTS_WIDTH, STATS_PLOTS_HEIGHT, PAGE, status);
    if (code)
        return code;
    draw_all(&drawing, metadata);
    code = write_png(path, drawing.canvas, status);
    canvas_free(drawing.canvas);
    return code;
}
