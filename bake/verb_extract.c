// SPDX-License-Identifier: MIT
// terrane extract PACK -o DIR: tiles as PNG files.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bake/interrupt.h"
#include "bake/layer_list.h"
#include "bake/stage_folder.h"
#include "bake/tile_picture.h"
#include "bake/verbs.h"
#include "common/options.h"
#include "common/text_number.h"
#include "formats/output_file.h"

struct level_range {
    int first, last;
};

struct extract_options {
    const char *output;
    struct level_range levels;
    int face;        // -1: all
    unsigned layers; // 0: all that the pack has
    bool gray16, force;
};
static const struct extract_options defaults = {.levels = {0, TILE_LEVEL_MAX}, .face = -1};

// "A-B", or "A" for one level.
static enum status_code parse_levels(const struct option_row *row, const char *text, void *destination,
                                     struct status *status)
{
    char first[8];
    size_t length = strcspn(text, "-");
    uint64_t a, b;
    if (length < sizeof first) {
        memcpy(first, text, length);
        first[length] = 0;
        const char *last = text[length] ? text + length + 1 : first;
        if (parse_u64(first, &a) && parse_u64(last, &b) && a <= b && b <= TILE_LEVEL_MAX) {
            *(struct level_range *)destination = (struct level_range){(int)a, (int)b};
            return STATUS_OK;
        }
    }
    return option_refuse(row, text, "A-B, levels from 0 to 24 with A at most B", status);
}

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .required = true,
     .value = "DIR",
     .help = "the folder to write into; it is made if it is not there",
     .offset = offsetof(struct extract_options, output)},
    {.name = "levels",
     .kind = OPTION_CUSTOM,
     .value = "A-B",
     .help = "only these levels",
     .default_text = "all",
     .parse = parse_levels,
     .offset = offsetof(struct extract_options, levels)},
    {.name = "face",
     .kind = OPTION_INTEGER,
     .value = "F",
     .help = "only this cube face",
     .default_text = "all",
     .min = 0,
     .max = 5,
     .offset = offsetof(struct extract_options, face)},
    {.name = "layers",
     .kind = OPTION_CUSTOM,
     .value = "LIST",
     .help = "only these of height,normal,color",
     .default_text = "all that the pack has",
     .parse = layer_list_parse,
     .offset = offsetof(struct extract_options, layers)},
    {.name = "gray16",
     .kind = OPTION_FLAG,
     .help = "heights as 16-bit grey, from each tile's least height to its greatest",
     .offset = offsetof(struct extract_options, gray16)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "write into a folder that is not empty, replacing files of the same names",
     .offset = offsetof(struct extract_options, force)},
};

struct extraction {
    const struct extract_options *options;
    const struct pack *pack;
    unsigned layers;
    struct tile_painter *painter;
    const char *root;
    char *path; // room for root and a tile's name
    size_t path_room;
    struct output_file *out;
    uint64_t files;
};

// Longest: "/normal/5/24/16777215/16777215.png".
#define TILE_PATH_MAX 64

static enum status_code make_folder(const char *path, struct status *status)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return STATUS_OK;
    return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made", path);
}

// Names come from numbers alone, never from the pack.
static enum status_code make_path(struct extraction *extraction, struct node node, int kind, struct status *status)
{
    const unsigned parts[] = {(unsigned)node.face, (unsigned)node.level, (unsigned)node.x};
    char *path = extraction->path;
    size_t room = extraction->path_room;
    size_t length = (size_t)snprintf(path, room, "%s/%s", extraction->root, layer_names[kind]);
    enum status_code code = make_folder(path, status);
    for (int k = 0; k < 3 && !code; k++) {
        length += (size_t)snprintf(path + length, room - length, "/%u", parts[k]);
        code = make_folder(path, status);
    }
    snprintf(path + length, room - length, "/%u.png", (unsigned)node.y);
    return code;
}

static enum status_code write_layer(struct extraction *extraction, const struct pack_tile *tile, int kind,
                                    struct status *status)
{
    enum status_code code = make_path(extraction, tile_key_node(tile->key), kind, status);
    if (!code)
        code = output_begin(extraction->out, extraction->path, false, status);
    if (code)
        return code;
    enum height_form form = extraction->options->gray16 ? HEIGHT_GRAY16 : HEIGHT_TERRARIUM;
    code = tile_paint(extraction->painter, tile, (enum layer_kind)kind, form, output_write, extraction->out, status);
    if (code) {
        output_abandon(extraction->out);
        return code;
    }
    extraction->files++;
    return output_finish(extraction->out, status);
}

static enum status_code visit(void *context, const struct pack_tile *tile, struct status *status)
{
    struct extraction *extraction = context;
    const struct extract_options *options = extraction->options;
    struct node node = tile_key_node(tile->key);
    enum status_code code = interrupt_check(status);
    if (node.level < options->levels.first || node.level > options->levels.last ||
        (options->face >= 0 && node.face != options->face))
        return code;
    for (int kind = 0; kind < LAYER_COUNT && !code; kind++) {
        if (extraction->layers & 1u << kind)
            code = write_layer(extraction, tile, kind, status);
    }
    return code;
}

// All files into extraction->root.
static enum status_code write_all(struct extraction *extraction, struct status *status)
{
    extraction->path_room = strlen(extraction->root) + TILE_PATH_MAX;
    extraction->path = malloc(extraction->path_room);
    extraction->out = malloc(sizeof *extraction->out);
    enum status_code code = STATUS_OK;
    if (!extraction->path || !extraction->out)
        code = status_fail_memory(status, "extract", sizeof *extraction->out);
    if (!code)
        code = tile_painter_new(&extraction->painter, extraction->pack, status);
    if (!code)
        code = pack_walk(extraction->pack, visit, extraction, status);
    if (!code && extraction->files == 0)
        code =
            status_fail(status, STATUS_INPUT, "%s: has no tile of these levels and faces", pack_path(extraction->pack));
    tile_painter_free(extraction->painter);
    free(extraction->out);
    free(extraction->path);
    return code;
}

static enum status_code extract(const struct pack *pack, const struct extract_options *options, struct status *status)
{
    struct extraction extraction = {.options = options, .pack = pack};
    unsigned there = pack_get_info(pack)->layers;
    extraction.layers = options->layers ? options->layers : there;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (extraction.layers & ~there & 1u << kind)
            return status_fail(status, STATUS_INPUT, "%s: has no %s layer", pack_path(pack), layer_names[kind]);
    }
    interrupt_install();
    struct stage_folder stage;
    enum status_code code = stage_begin(&stage, options->output, options->force, status);
    if (code)
        return code;
    extraction.root = stage.root;
    code = write_all(&extraction, status);
    if (code) {
        stage_abandon(&stage);
        return code;
    }
    return stage_publish(&stage, layer_names, LAYER_COUNT, status);
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    struct pack *pack;
    enum status_code code = pack_open(&pack, arguments[0], status);
    if (code)
        return code;
    code = extract(pack, chosen, status);
    pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Writes tiles as PNG files DIR/LAYER/FACE/LEVEL/X/Y.png, as terrane tile writes one. y grows downward: row 0 of "
    "a picture is the side with the smaller y.",
    "The files appear in the folder when all are there. With --force into a folder that is not empty each file is "
    "replaced by itself, and other files are left alone.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane extract planet.terrane -o tiles --levels 0-2 --layers color", "Writes the colours of the coarse levels."},
};

const struct verb verb_extract = {
    .name = "extract",
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "write tiles as PNG files",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct extract_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
