// SPDX-License-Identifier: MIT
// terrane map PACK -o FILE: the whole planet as one picture.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bake/height_picture.h"
#include "bake/interrupt.h"
#include "bake/map_paint.h"
#include "bake/pack_metadata.h"
#include "bake/verbs.h"
#include "formats/output_file.h"
#include "formats/png_rows.h"

struct map_options {
    const char *output;
    int width, style, level;
    bool raw, force;
};
static const struct map_options defaults = {.width = 2048, .style = MAP_COLOR, .level = MAP_LEVEL_AUTO};

// In the order of enum map_style.
static const char *const style_words[] = {"color", "relief", "height", "normal", NULL};

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .required = true,
     .value = "FILE",
     .help = "the file to write",
     .offset = offsetof(struct map_options, output)},
    {.name = "width",
     .kind = OPTION_INTEGER,
     .value = "PX",
     .help = "width of the picture, an even number; it is half as high",
     .min = 2,
     .max = MAP_WIDTH_MAX,
     .offset = offsetof(struct map_options, width)},
    {.name = "style",
     .kind = OPTION_CHOICE,
     .value = "STYLE",
     .help = "what is drawn; relief is color with hill shading",
     .words = style_words,
     .offset = offsetof(struct map_options, style)},
    {.name = "level",
     .kind = OPTION_INTEGER,
     .value = "L",
     .help = "take no tiles below this level",
     .default_text = "by the width",
     .min = 0,
     .max = TILE_LEVEL_MAX,
     .offset = offsetof(struct map_options, level)},
    {.name = "raw",
     .kind = OPTION_FLAG,
     .help =
         "with --style height: no PNG but little-endian int32, in units of the pack (height_unit_m of terrane info)",
     .offset = offsetof(struct map_options, raw)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace an existing file",
     .offset = offsetof(struct map_options, force)},
};

#define BAND_ROWS 32

// The file's bytes: a PNG, or the rows as they are.
struct map_file {
    struct output_file out;
    struct png_rows *png; // NULL for raw rows
};

static enum status_code begin_png(struct map_file *file, const struct map_request *request, struct status *status)
{
    static const struct png_text_pair text = {TERRARIUM_KEY, TERRARIUM_TEXT};
    bool height = request->style == MAP_HEIGHT, color = request->style == MAP_COLOR || request->style == MAP_RELIEF;
    struct png_picture picture = {
        .width = request->width,
        .height = request->width / 2,
        .kind = PNG_RGB8,
        .srgb = color,
        .texts = &text,
        .text_count = height ? 1 : 0,
    };
    return png_rows_begin(&file->png, &picture, output_write, &file->out, status);
}

static enum status_code write_bands(struct map_file *file, struct map_painter *painter,
                                    const struct map_request *request, struct status *status)
{
    size_t row_bytes = map_row_bytes(request);
    uint8_t *band = malloc(row_bytes * BAND_ROWS);
    if (!band)
        return status_fail_memory(status, "map", row_bytes * BAND_ROWS);
    enum status_code code = STATUS_OK;
    for (int row = 0; row < request->width / 2 && !code; row += BAND_ROWS) {
        int left = request->width / 2 - row, count = left < BAND_ROWS ? left : BAND_ROWS;
        code = map_paint(painter, row, count, band, status);
        if (!code)
            code = file->png ? png_rows_write(file->png, band, count, status)
                             : output_write(&file->out, band, row_bytes * (size_t)count, status);
        if (!code)
            code = interrupt_check(status);
    }
    free(band);
    return code;
}

static enum status_code write_file(struct map_painter *painter, const struct map_request *request, const char *path,
                                   struct status *status)
{
    struct map_file *file = calloc(1, sizeof *file);
    if (!file)
        return status_fail_memory(status, path, sizeof *file);
    enum status_code code = output_begin(&file->out, path, true, status);
    if (code) {
        free(file);
        return code;
    }
    if (request->style != MAP_RAW)
        code = begin_png(file, request, status);
    if (!code)
        code = write_bands(file, painter, request, status);
    if (code)
        png_rows_free(file->png);
    else if (file->png)
        code = png_rows_finish(file->png, status);
    if (code)
        output_abandon(&file->out);
    else
        code = output_finish(&file->out, status);
    free(file);
    return code;
}

static enum status_code draw(const struct pack *pack, const struct metadata *metadata,
                             const struct map_options *options, struct status *status)
{
    struct map_request request = {
        .width = options->width,
        .style = options->raw ? MAP_RAW : (enum map_style)options->style,
        .level = options->level,
        .has_sea = metadata->has_sea,
        .sea_m = metadata->sea_m,
    };
    struct map_painter *painter;
    enum status_code code = map_painter_new(&painter, pack, &request, status);
    if (code)
        return code;
    code = write_file(painter, &request, options->output, status);
    if (!code && map_bare_pixels(painter) > 0)
        fprintf(stderr, "terrane: map: note: %" PRIu64 " pixels lie where the pack has no tiles\n",
                map_bare_pixels(painter));
    map_painter_free(painter);
    return code;
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct map_options *options = chosen;
    if (options->width % 2 != 0)
        return status_fail(status, STATUS_USAGE, "--width %d: must be an even number, 2 to %d", options->width,
                           MAP_WIDTH_MAX);
    if (options->raw && options->style != MAP_HEIGHT)
        return status_fail(status, STATUS_USAGE, "--raw: only with --style height");
    enum status_code code = output_check(options->output, options->force, status);
    struct pack *pack;
    struct metadata metadata;
    if (!code)
        code = pack_open_described(&pack, &metadata, arguments[0], status);
    if (code)
        return code;
    interrupt_install();
    code = draw(pack, &metadata, options, status);
    metadata_free(&metadata);
    pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Draws the whole planet as an equirectangular picture: longitude -180 to 180 from left to right, north up, each "
    "pixel the planet at its centre. Unless --level says otherwise the tiles are taken from the coarsest level whose "
    "samples are as dense as the pixels, for heights twice as dense, or from the deepest there is.",
    "height is 8-bit RGB in the Terrarium encoding, height_m = R * 256 + G + B / 256 - 32768; heights that do not fit "
    "need --raw. normal is RGB of the components to the east, to the north and upward. Where the pack has no tiles "
    "the bare datum sphere is drawn: height 0, middle grey.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane map planet.terrane -o planet.png --style relief", "Draws the planet with hill shading."},
    {"terrane map planet.terrane -o planet.i32 --style height --raw --width 4096", "Gives a script a grid of heights."},
};

const struct verb verb_map = {
    .name = "map",
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "draw the whole planet as one picture",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct map_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
