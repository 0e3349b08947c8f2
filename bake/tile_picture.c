// SPDX-License-Identifier: MIT
#include "bake/tile_picture.h"

#include <stdlib.h>

#include "bake/height_picture.h"
#include "common/byteorder.h"
#include "common/text_number.h"

struct tile_painter {
    const struct pack *pack;
    struct layer_decoder *decoder;
    int32_t *heights;
    uint8_t *picture; // rgb, grey or raw: at most four bytes a sample
    uint8_t *blob;
    size_t blob_room;
    size_t sample_count;
};

enum status_code tile_painter_new(struct tile_painter **painter, const struct pack *pack, struct status *status)
{
    struct tile_painter *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail_memory(status, "tile picture", sizeof *made);
    size_t side = (size_t)pack_get_info(pack)->intervals + 1;
    made->pack = pack;
    made->sample_count = side * side;
    made->heights = malloc(made->sample_count * sizeof *made->heights);
    made->picture = malloc(made->sample_count * 4);
    enum status_code code = STATUS_OK;
    if (!made->heights || !made->picture)
        code = status_fail_memory(status, "tile picture", made->sample_count * 8);
    if (!code)
        code = layer_decoder_new(&made->decoder, pack, status);
    if (code) {
        tile_painter_free(made);
        return code;
    }
    *painter = made;
    return STATUS_OK;
}

void tile_painter_free(struct tile_painter *painter)
{
    if (!painter)
        return;
    layer_decoder_free(painter->decoder);
    free(painter->heights);
    free(painter->picture);
    free(painter->blob);
    free(painter);
}

static enum status_code copy_blob(struct tile_painter *painter, const struct pack_blob *blob, png_sink_function *sink,
                                  void *sink_context, struct status *status)
{
    if (blob->length > painter->blob_room) {
        free(painter->blob);
        painter->blob_room = 0;
        painter->blob = malloc(blob->length);
        if (!painter->blob)
            return status_fail_memory(status, "tile picture", blob->length);
        painter->blob_room = blob->length;
    }
    enum status_code code = pack_read_blob(painter->pack, blob, painter->blob, status);
    return code ? code : sink(sink_context, painter->blob, blob->length, status);
}

static enum status_code write_png(const struct tile_painter *painter, const void *samples, enum png_kind kind,
                                  const struct png_text_pair *texts, int text_count, png_sink_function *sink,
                                  void *sink_context, struct status *status)
{
    int side = pack_get_info(painter->pack)->intervals + 1;
    struct png_picture picture = {
        .width = side, .height = side, .kind = kind, .texts = texts, .text_count = text_count};
    struct png_rows *rows;
    enum status_code code = png_rows_begin(&rows, &picture, sink, sink_context, status);
    if (code)
        return code;
    code = png_rows_write(rows, samples, side, status);
    if (code) {
        png_rows_free(rows);
        return code;
    }
    return png_rows_finish(rows, status);
}

static enum status_code write_terrarium(struct tile_painter *painter, struct node node, png_sink_function *sink,
                                        void *sink_context, struct status *status)
{
    int exponent = pack_get_info(painter->pack)->height_exponent;
    for (size_t k = 0; k < painter->sample_count; k++) {
        if (!terrarium_encode(painter->picture + 3 * k, painter->heights[k], exponent)) {
            char text[NODE_TEXT_MAX];
            node_format(text, node);
            return status_fail(status, STATUS_INPUT,
                               "%s: tile %s: a height of %.6g m " TERRARIUM_BEYOND
                               "; take --gray16, or --raw of terrane tile",
                               pack_path(painter->pack), text, painter->heights[k] * height_unit_m(exponent));
        }
    }
    struct png_text_pair text = {TERRARIUM_KEY, TERRARIUM_TEXT};
    return write_png(painter, painter->picture, PNG_RGB8, &text, 1, sink, sink_context, status);
}

static enum status_code write_gray16(struct tile_painter *painter, png_sink_function *sink, void *sink_context,
                                     struct status *status)
{
    int32_t min = painter->heights[0], max = painter->heights[0];
    for (size_t k = 1; k < painter->sample_count; k++) {
        min = painter->heights[k] < min ? painter->heights[k] : min;
        max = painter->heights[k] > max ? painter->heights[k] : max;
    }
    heights_to_gray16((uint16_t *)(void *)painter->picture, painter->heights, painter->sample_count, min, max);
    double unit_m = height_unit_m(pack_get_info(painter->pack)->height_exponent);
    char min_text[REAL_TEXT_MAX], max_text[REAL_TEXT_MAX];
    format_real(min_text, min * unit_m);
    format_real(max_text, max * unit_m);
    struct png_text_pair texts[] = {
        {"Encoding", "height_m = height_min_m + sample / 65535 * (height_max_m - height_min_m)"},
        {"height_min_m", min_text},
        {"height_max_m", max_text},
    };
    return write_png(painter, painter->picture, PNG_GRAY16, texts, 3, sink, sink_context, status);
}

static enum status_code write_raw(struct tile_painter *painter, png_sink_function *sink, void *sink_context,
                                  struct status *status)
{
    for (size_t k = 0; k < painter->sample_count; k++)
        put_i32le(painter->picture + 4 * k, painter->heights[k]);
    return sink(sink_context, painter->picture, 4 * painter->sample_count, status);
}

enum status_code tile_paint(struct tile_painter *painter, const struct pack_tile *tile, enum layer_kind kind,
                            enum height_form form, png_sink_function *sink, void *sink_context, struct status *status)
{
    if (!(pack_get_info(painter->pack)->layers & 1u << kind))
        return status_fail(status, STATUS_INPUT, "%s: has no %s layer", pack_path(painter->pack), layer_names[kind]);
    if (kind != LAYER_HEIGHT)
        return copy_blob(painter, &tile->blobs[kind], sink, sink_context, status);
    enum status_code code = layer_decode(painter->decoder, tile, kind, painter->heights, status);
    if (code)
        return code;
    switch (form) {
    case HEIGHT_TERRARIUM: return write_terrarium(painter, tile_key_node(tile->key), sink, sink_context, status);
    case HEIGHT_GRAY16: return write_gray16(painter, sink, sink_context, status);
    case HEIGHT_RAW: return write_raw(painter, sink, sink_context, status);
    }
    return STATUS_OK;
}
