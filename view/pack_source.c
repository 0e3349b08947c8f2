// SPDX-License-Identifier: MIT
#include "view/pack_source.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/srgb.h"
#include "common/text_color.h"
#include "common/text_number.h"
#include "view/tile_piece.h"

#define NEUTRAL_GREY 0x90

// ---- Opening -------------------------------------------------------------------------------------------

// The colour of the air, where it says so: text, or NULL. Black is no air.
static void read_air(struct pack_source *source, const char *text)
{
    uint8_t rgb[3];
    source->has_air = source->has_sea;
    if (!text || !parse_color(text, rgb))
        return;
    source->has_air = (rgb[0] | rgb[1] | rgb[2]) != 0;
    for (int k = 0; k < 3; k++)
        source->air_color[k] = srgb_decode(rgb[k] / 255.0);
}

// What the viewer takes from the metadata: the height of the sea, a decimal string or a number, and the air.
static enum status_code read_sea_and_air(struct pack_source *source, struct status *status)
{
    char *text;
    size_t length;
    enum status_code code = pack_read_metadata(source->pack, &text, &length, status);
    if (code)
        return code;
    json_t *metadata = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    json_t *sea = json_object_get(metadata, "sea_m");
    if (json_is_number(sea)) {
        source->sea_m = json_number_value(sea);
        source->has_sea = true;
    } else if (json_is_string(sea)) {
        source->has_sea = parse_real(json_string_value(sea), &source->sea_m);
    }
    source->has_sea = source->has_sea && isfinite(source->sea_m) && fabs(source->sea_m) < source->info->radius_m;
    read_air(source, json_string_value(json_object_get(metadata, "air")));
    json_decref(metadata);
    free(text);
    return STATUS_OK;
}

static double above_sea(const struct pack_source *source, double height_m)
{
    return source->has_sea ? fmax(height_m, source->sea_m) : height_m;
}

enum status_code pack_source_open(struct pack_source *source, const char *path, struct status *status)
{
    memset(source, 0, sizeof *source);
    enum status_code code = pack_open(&source->pack, path, status);
    if (code)
        return code;
    source->info = pack_get_info(source->pack);
    source->unit_m = height_unit_m(source->info->height_exponent);
    code = pack_cursor_new(&source->cursor, source->pack, status);
    if (!code)
        code = read_sea_and_air(source, status);
    if (code) {
        pack_source_close(source);
        return code;
    }
    int32_t lowest, highest;
    pack_height_range(source->pack, &lowest, &highest);
    // The bare datum sphere may stand in for tiles, so 0 belongs to the range.
    source->lowest_m = above_sea(source, fmin(lowest * source->unit_m, 0));
    source->highest_m = above_sea(source, fmax(highest * source->unit_m, 0));
    return STATUS_OK;
}

void pack_source_close(struct pack_source *source)
{
    pack_cursor_free(source->cursor);
    pack_close(source->pack);
    source->cursor = NULL;
    source->pack = NULL;
}

// ---- Index records -------------------------------------------------------------------------------------

// A drawn mesh may have only every 2nd, 4th or 8th sample: then it is as far from the truth as the tile above that has
// that spacing; above the roots, errors grow with the square of the spacing.
static double drawn_error_m(struct pack_source *source, struct node node, const struct pack_tile *tile)
{
    double error = tile->error;
    for (int quads = tile_mesh_quads(source->info->intervals); quads < source->info->intervals; quads *= 2) {
        if (node.level == 0) {
            error *= 4;
            continue;
        }
        node = node_parent(node);
        bool found;
        struct pack_tile above;
        struct status ignored;
        if (!pack_find(source->cursor, node, &found, &above, &ignored) && found && above.error > error)
            error = above.error;
    }
    return error * source->unit_m;
}

// Whether node lies below a leaf of the pack, *leaf.
static bool is_piece(struct pack_cursor *cursor, struct node node, struct pack_tile *leaf, struct status *status)
{
    bool found = false;
    return !pack_find_deepest(cursor, node, &found, leaf, status) && found && !leaf->below;
}

// A piece is as its leaf, but that its flat triangles lie lower than the leaf's vertices do.
static void describe_piece(const struct pack_source *source, struct node node, const struct pack_tile *leaf,
                           struct stream_record *record)
{
    const struct pack_info *info = source->info;
    double sag_m = tile_piece_sag_m(tile_key_node(leaf->key), info->intervals, info->radius_m);
    *record = (struct stream_record){.present = true,
                                     .descends = tile_piece_wanted(node, info->intervals, info->radius_m),
                                     .near_only = true,
                                     .height_min_m = above_sea(source, leaf->height_min * source->unit_m) - sag_m,
                                     .height_max_m = above_sea(source, leaf->height_max * source->unit_m)};
}

bool pack_source_lookup(void *context, struct node node, struct stream_record *record)
{
    struct pack_source *source = context;
    bool found = false;
    struct pack_tile tile = {0};
    if (pack_find(source->cursor, node, &found, &tile, &source->damage))
        found = false, tile.below = false;
    struct pack_tile leaf;
    struct status ignored; // the damage is known from above
    if (!found && !tile.below && node.level > 0 && is_piece(source->cursor, node, &leaf, &ignored)) {
        describe_piece(source, node, &leaf, record);
        return true;
    }
    *record = (struct stream_record){.present = found, .descends = tile.below};
    if (found && !tile.below && tile_piece_wanted(node, source->info->intervals, source->info->radius_m))
        record->descends = record->near_only = true;
    if (!found && node.level == 0)
        record->present = true; // drawn as the datum sphere
    if (found || tile.below) {
        record->height_min_m = above_sea(source, tile.subtree_min * source->unit_m);
        record->height_max_m = above_sea(source, tile.subtree_max * source->unit_m);
    }
    if (found) {
        record->error_m = drawn_error_m(source, node, &tile);
    } else {
        // The datum sphere as a mesh of flat triangles sags by this, and may be off by all heights below.
        double half_cell = tile_spacing_m(1, tile_mesh_quads(source->info->intervals), node.level);
        record->error_m = source->info->radius_m * half_cell * half_cell / 4 +
                          fmax(fabs(record->height_min_m), fabs(record->height_max_m));
        record->height_min_m = fmin(record->height_min_m, above_sea(source, 0));
        record->height_max_m = fmax(record->height_max_m, above_sea(source, 0));
    }
    return true;
}

// ---- Tiles ---------------------------------------------------------------------------------------------

struct pack_reader {
    const struct pack_source *source;
    struct pack_cursor *cursor;
    struct layer_decoder *decoder;
    int side;
    int32_t *heights;
    double *heights_m;
    uint8_t *picture; // a decoded normal or colour layer
    // The leaf that pieces were last cut from: those of one leaf come one after another.
    struct tile_data *leaf_data;
    double *leaf_heights_m;
    tile_key leaf_key;
    bool has_leaf;
};

enum status_code pack_reader_new(struct pack_reader **result, const struct pack_source *source, struct status *status)
{
    struct pack_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return status_fail_memory(status, "loader", sizeof *reader);
    reader->source = source;
    reader->side = source->info->intervals + 1;
    size_t samples = (size_t)reader->side * (size_t)reader->side;
    reader->heights = malloc(samples * sizeof *reader->heights);
    reader->heights_m = malloc(samples * sizeof *reader->heights_m);
    reader->picture = malloc(samples * 6);
    reader->leaf_heights_m = malloc(samples * sizeof *reader->leaf_heights_m);
    void *leaf = malloc(tile_data_bytes(source->info->intervals));
    if (leaf)
        reader->leaf_data = tile_data_over(leaf, source->info->intervals);
    enum status_code code = STATUS_OK;
    if (!reader->heights || !reader->heights_m || !reader->picture || !reader->leaf_heights_m || !leaf)
        code = status_fail_memory(status, "loader", samples * 18);
    if (!code)
        code = pack_cursor_new(&reader->cursor, source->pack, status);
    if (!code)
        code = layer_decoder_new(&reader->decoder, source->pack, status);
    if (code) {
        pack_reader_free(reader);
        return code;
    }
    *result = reader;
    return STATUS_OK;
}

void pack_reader_free(struct pack_reader *reader)
{
    if (!reader)
        return;
    layer_decoder_free(reader->decoder);
    pack_cursor_free(reader->cursor);
    free(reader->heights);
    free(reader->heights_m);
    free(reader->picture);
    free(reader->leaf_heights_m);
    free(reader->leaf_data);
    free(reader);
}

// Heights are in place: vertices, and heights as drawn.
static void finish_geometry(struct pack_reader *reader, struct node node, struct tile_data *data, float *mesh_heights_m)
{
    int intervals = reader->source->info->intervals, quads = tile_mesh_quads(intervals), step = intervals / quads;
    tile_vertices(data->vertices, node, intervals, reader->source->info->radius_m, reader->heights_m);
    for (int row = 0; row <= quads; row++) {
        for (int column = 0; column <= quads; column++)
            mesh_heights_m[row * (quads + 1) + column] =
                (float)reader->heights_m[(size_t)(row * step) * (size_t)reader->side + (size_t)(column * step)];
    }
}

// Below the sea: alpha 0, flat, and at the sea's height. is_sea uses the heights as stored.
static void cover_with_sea(struct pack_reader *reader, struct tile_data *data)
{
    const struct pack_source *source = reader->source;
    if (!source->has_sea)
        return;
    for (size_t k = 0; k < (size_t)reader->side * (size_t)reader->side; k++) {
        if (reader->heights_m[k] > source->sea_m)
            continue;
        data->colors[4 * k + 3] = 0;
        data->normals[2 * k] = data->normals[2 * k + 1] = 0;
        reader->heights_m[k] = source->sea_m;
    }
}

void pack_reader_bare(struct pack_reader *reader, struct node node, struct tile_data *data, float *mesh_heights_m)
{
    size_t samples = (size_t)reader->side * (size_t)reader->side;
    memset(data->normals, 0, samples * 2 * sizeof *data->normals);
    for (size_t k = 0; k < samples; k++) {
        reader->heights_m[k] = above_sea(reader->source, 0);
        memset(data->colors + 4 * k, NEUTRAL_GREY, 3);
        data->colors[4 * k + 3] = 255;
    }
    finish_geometry(reader, node, data, mesh_heights_m);
}

static enum status_code load_heights(struct pack_reader *reader, const struct pack_tile *tile, struct status *status)
{
    size_t samples = (size_t)reader->side * (size_t)reader->side;
    if (!(reader->source->info->layers & 1u << LAYER_HEIGHT)) {
        memset(reader->heights_m, 0, samples * sizeof *reader->heights_m);
        return STATUS_OK;
    }
    enum status_code code = layer_decode(reader->decoder, tile, LAYER_HEIGHT, reader->heights, status);
    for (size_t k = 0; !code && k < samples; k++)
        reader->heights_m[k] = reader->heights[k] * reader->source->unit_m;
    return code;
}

static enum status_code load_normals(struct pack_reader *reader, struct node node, const struct pack_tile *tile,
                                     struct tile_data *data, struct status *status)
{
    const struct pack_info *info = reader->source->info;
    size_t samples = (size_t)reader->side * (size_t)reader->side;
    if (!(info->layers & 1u << LAYER_NORMAL)) {
        tile_normals_from_heights(data->normals, node, info->intervals, info->radius_m, reader->heights_m);
        return STATUS_OK;
    }
    enum status_code code = layer_decode(reader->decoder, tile, LAYER_NORMAL, reader->picture, status);
    if (code)
        return code;
    bool wide = normal_bits(tile_spacing_m(info->radius_m, info->intervals, node.level)) == 16;
    for (size_t k = 0; k < samples; k++) {
        for (size_t c = 0; c < 2; c++) {
            const uint8_t *p = reader->picture + (3 * k + c) * (wide ? 2 : 1);
            long q = wide ? (p[0] << 8 | p[1]) - 32768L : lrint((p[0] - 128) * (32767.0 / 127));
            data->normals[2 * k + c] = (int16_t)q;
        }
    }
    return STATUS_OK;
}

static enum status_code load_colors(struct pack_reader *reader, const struct pack_tile *tile, struct tile_data *data,
                                    struct status *status)
{
    size_t samples = (size_t)reader->side * (size_t)reader->side;
    bool stored = reader->source->info->layers & 1u << LAYER_COLOR;
    enum status_code code =
        stored ? layer_decode(reader->decoder, tile, LAYER_COLOR, reader->picture, status) : STATUS_OK;
    for (size_t k = 0; !code && k < samples; k++) {
        if (stored)
            memcpy(data->colors + 4 * k, reader->picture + 3 * k, 3);
        else
            memset(data->colors + 4 * k, NEUTRAL_GREY, 3);
        data->colors[4 * k + 3] = 255;
    }
    return code;
}

// Heights, normals and colours of a tile of the pack, under the sea where there is one.
static enum status_code load_layers(struct pack_reader *reader, const struct pack_tile *tile, struct tile_data *data,
                                    struct status *status)
{
    enum status_code code = load_heights(reader, tile, status);
    if (!code)
        code = load_normals(reader, tile_key_node(tile->key), tile, data, status);
    if (!code)
        code = load_colors(reader, tile, data, status);
    if (!code)
        cover_with_sea(reader, data);
    return code;
}

static enum status_code load_piece(struct pack_reader *reader, struct node node, const struct pack_tile *leaf,
                                   struct tile_data *data, struct status *status)
{
    const struct pack_info *info = reader->source->info;
    if (!reader->has_leaf || reader->leaf_key != leaf->key) {
        enum status_code code = load_layers(reader, leaf, reader->leaf_data, status);
        reader->has_leaf = !code;
        reader->leaf_key = leaf->key;
        if (code)
            return code;
        size_t samples = (size_t)reader->side * (size_t)reader->side;
        memcpy(reader->leaf_heights_m, reader->heights_m, samples * sizeof *reader->heights_m);
    }
    tile_piece_cut(data, reader->heights_m, node, reader->leaf_data, reader->leaf_heights_m, tile_key_node(leaf->key),
                   info->intervals, info->radius_m);
    return STATUS_OK;
}

enum status_code pack_reader_load(struct pack_reader *reader, struct node node, struct tile_data *data,
                                  float *mesh_heights_m, struct status *status)
{
    bool found;
    struct pack_tile tile;
    enum status_code code = pack_find(reader->cursor, node, &found, &tile, status);
    if (!code && !found && node.level > 0 && !tile.below && is_piece(reader->cursor, node, &tile, status)) {
        code = load_piece(reader, node, &tile, data, status);
    } else if (!code && !found) {
        pack_reader_bare(reader, node, data, mesh_heights_m);
        return STATUS_OK;
    } else if (!code) {
        code = load_layers(reader, &tile, data, status);
    }
    if (!code)
        finish_geometry(reader, node, data, mesh_heights_m);
    return code;
}
