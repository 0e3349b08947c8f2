// SPDX-License-Identifier: MIT
// terrane tile PACK FACE/LEVEL/X/Y: one tile as a picture.
#include <stdlib.h>

#include "bake/interrupt.h"
#include "bake/stdout_out.h"
#include "bake/tile_picture.h"
#include "bake/verbs.h"
#include "formats/output_file.h"

struct tile_options {
    int layer; // enum layer_kind
    const char *output;
    bool raw, gray16, force;
};
static const struct tile_options defaults = {0};

static const char *const layer_words[] = {"height", "normal", "color", NULL};

static const struct option_row rows[] = {
    {.name = "layer",
     .kind = OPTION_CHOICE,
     .required = true,
     .value = "LAYER",
     .help = "which layer of the tile",
     .words = layer_words,
     .offset = offsetof(struct tile_options, layer)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .value = "FILE",
     .help = "the file to write",
     .default_text = "standard output",
     .offset = offsetof(struct tile_options, output)},
    {.name = "raw",
     .kind = OPTION_FLAG,
     .help = "no PNG but heights as little-endian int32, in units of the pack (height_unit_m of terrane info)",
     .offset = offsetof(struct tile_options, raw)},
    {.name = "gray16",
     .kind = OPTION_FLAG,
     .help = "heights as 16-bit grey, from the tile's least height to its greatest",
     .offset = offsetof(struct tile_options, gray16)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace an existing file",
     .offset = offsetof(struct tile_options, force)},
};

static enum status_code find(const struct pack *pack, struct node node, struct pack_tile *tile, struct status *status)
{
    struct pack_cursor *cursor;
    enum status_code code = pack_cursor_new(&cursor, pack, status);
    if (code)
        return code;
    bool found;
    code = pack_find(cursor, node, &found, tile, status);
    pack_cursor_free(cursor);
    if (!code && !found) {
        char text[NODE_TEXT_MAX];
        node_format(text, node);
        code = status_fail(status, STATUS_INPUT, "%s: has no tile %s", pack_path(pack), text);
    }
    return code;
}

static enum status_code paint_file(struct tile_painter *painter, const struct pack_tile *tile,
                                   const struct tile_options *options, enum height_form form, struct status *status)
{
    struct output_file *out = malloc(sizeof *out);
    if (!out)
        return status_fail_memory(status, options->output, sizeof *out);
    interrupt_install();
    enum status_code code = output_begin(out, options->output, true, status);
    if (!code) {
        code = tile_paint(painter, tile, (enum layer_kind)options->layer, form, output_write, out, status);
        if (!code)
            code = interrupt_check(status);
        if (code)
            output_abandon(out);
        else
            code = output_finish(out, status);
    }
    free(out);
    return code;
}

static enum status_code paint(const struct pack *pack, struct node node, const struct tile_options *options,
                              struct status *status)
{
    struct pack_tile tile;
    enum status_code code = find(pack, node, &tile, status);
    if (code)
        return code;
    struct tile_painter *painter;
    code = tile_painter_new(&painter, pack, status);
    if (code)
        return code;
    enum height_form form = options->raw ? HEIGHT_RAW : options->gray16 ? HEIGHT_GRAY16 : HEIGHT_TERRARIUM;
    if (options->output)
        code = paint_file(painter, &tile, options, form, status);
    else
        code = tile_paint(painter, &tile, (enum layer_kind)options->layer, form, stdout_write, NULL, status);
    tile_painter_free(painter);
    return code;
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct tile_options *options = chosen;
    struct node node;
    if (!node_parse(arguments[1], &node))
        return status_fail(status, STATUS_USAGE,
                           "%.100s: must be FACE/LEVEL/X/Y: face 0 to 5, level 0 to 24, x and y below 2^level",
                           arguments[1]);
    if (options->raw && options->gray16)
        return status_fail(status, STATUS_USAGE, "--raw: not together with --gray16");
    if ((options->raw || options->gray16) && options->layer != LAYER_HEIGHT)
        return status_fail(status, STATUS_USAGE, "--%s: only with --layer height", options->raw ? "raw" : "gray16");
    enum status_code code = STATUS_OK;
    if (options->output)
        code = output_check(options->output, options->force, status);
    struct pack *pack;
    if (!code)
        code = pack_open(&pack, arguments[0], status);
    if (code)
        return code;
    code = paint(pack, node, options, status);
    pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Writes one layer of one tile as a PNG file, to standard output unless -o is given. Row 0 of the picture is the "
    "tile's largest t, the side with the smaller y.",
    "Normals and colours are the PNG files that the pack holds, byte for byte. Heights are 8-bit RGB in the Terrarium "
    "encoding, height_m = R * 256 + G + B / 256 - 32768, which a text chunk of the file says; heights that do not fit "
    "need --gray16 or --raw. With --gray16 the text chunks height_min_m and height_max_m give the range.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane tile planet.terrane 0/3/4/2 --layer color -o tile.png", "Writes a tile's colours."},
    {"terrane tile planet.terrane 0/3/4/2 --layer height --raw >tile.i32", "Gives a script the heights as they are."},
};

const struct verb verb_tile = {
    .name = "tile",
    .positionals = "PACK FACE/LEVEL/X/Y",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "write one tile as a picture",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct tile_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
