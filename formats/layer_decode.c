// SPDX-License-Identifier: MIT
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/file_io.h"
#include "formats/height_codec.h"
#include "formats/layer_decode.h"
#include "formats/pack_file.h"
#include "formats/picture_codec.h"

struct layer_decoder {
    const struct pack *pack;
    int side;
    void *scratch; // of the height codec
    uint8_t *blob;
    size_t blob_room; // grows to the largest blob seen, at most PACK_BLOB_MAX
};

enum status_code layer_decoder_new(struct layer_decoder **made, const struct pack *pack, struct status *status)
{
    int side = pack->header.info.intervals + 1;
    size_t scratch_bytes = height_codec_scratch_bytes(side);
    struct layer_decoder *decoder = calloc(1, sizeof *decoder);
    *made = NULL;
    if (!decoder || !(decoder->scratch = malloc(scratch_bytes))) {
        free(decoder);
        return status_fail_memory(status, "layer decoder", sizeof *decoder + scratch_bytes);
    }
    decoder->pack = pack;
    decoder->side = side;
    *made = decoder;
    return STATUS_OK;
}

void layer_decoder_free(struct layer_decoder *decoder)
{
    if (!decoder)
        return;
    free(decoder->blob);
    free(decoder->scratch);
    free(decoder);
}

// Puts "<pack>: tile <node>: <layer>: " before a message that lacks it.
static enum status_code say_where(const struct layer_decoder *decoder, tile_key key, enum layer_kind kind,
                                  struct status *status)
{
    struct status why = *status;
    char node[NODE_TEXT_MAX];
    node_format(node, tile_key_node(key));
    return status_fail(status, why.code, "%s: tile %s: %s: %s", decoder->pack->path, node, layer_names[kind], why.text);
}

int layer_sample_bits(const struct pack_info *info, tile_key key, enum layer_kind kind)
{
    if (kind == LAYER_HEIGHT)
        return 32;
    int level = tile_key_node(key).level;
    return kind == LAYER_NORMAL ? normal_bits(tile_spacing_m(info->radius_m, info->intervals, level)) : 8;
}

enum status_code layer_decode_bytes(struct layer_decoder *decoder, tile_key key, enum layer_kind kind,
                                    const uint8_t *blob, size_t blob_bytes, void *samples, struct status *status)
{
    enum status_code code;
    if (kind == LAYER_HEIGHT)
        code = height_decode(samples, decoder->side, blob, blob_bytes, decoder->scratch, status);
    else
        code = picture_decode(samples, decoder->side, layer_sample_bits(&decoder->pack->header.info, key, kind), blob,
                              blob_bytes, status);
    return code ? say_where(decoder, key, kind, status) : STATUS_OK;
}

enum status_code layer_decode(struct layer_decoder *decoder, const struct pack_tile *tile, enum layer_kind kind,
                              void *samples, struct status *status)
{
    const struct pack_blob *blob = &tile->blobs[kind];
    assert(blob->length > 0);
    if (blob->length > decoder->blob_room) {
        uint8_t *grown = realloc(decoder->blob, blob->length);
        if (!grown)
            return status_fail_memory(status, "stored layer", blob->length);
        decoder->blob = grown;
        decoder->blob_room = blob->length;
    }
    enum status_code code =
        file_read_at(decoder->pack->fd, decoder->blob, blob->length, blob->offset, decoder->pack->path, status);
    if (code)
        return code;
    if (pack_crc(decoder->blob, blob->length) != blob->crc) {
        status_fail(status, STATUS_INPUT, "damaged (wrong checksum)");
        return say_where(decoder, tile->key, kind, status);
    }
    return layer_decode_bytes(decoder, tile->key, kind, decoder->blob, blob->length, samples, status);
}
