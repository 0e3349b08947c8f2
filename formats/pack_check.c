// SPDX-License-Identifier: MIT
// The file is read once from front to back while the index is walked, whose tiles name the blobs in the order in
// which they stand in the file.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/blob_window.h"
#include "formats/layer_decode.h"
#include "formats/pack_body.h"
#include "formats/pack_walk.h"

// What a small blob's first tile said about it, which every tile that shares it must say as well.
struct facts {
    uint32_t crc;
    uint32_t form; // of the decoded layer: bits of its samples, or 256 + id of a layer that is not known
    uint8_t content[SHA256_BYTES];
    int32_t height_min, height_max;
};

struct check {
    const struct pack *pack;
    struct pack_body body;
    struct sha256 content;
    struct blob_window *window;
    struct facts *facts;           // by place in the window
    struct layer_decoder *decoder; // NULL when layers are not decoded
    void *samples;
};

static enum status_code fault(const struct check *check, const char *what, struct status *status)
{
    return status_fail(status, STATUS_INPUT, "%s: %s", check->pack->path, what);
}

static enum status_code layer_fault(const struct check *check, tile_key key, unsigned id, const char *what,
                                    struct status *status)
{
    char node[NODE_TEXT_MAX];
    node_format(node, tile_key_node(key));
    return status_fail(status, STATUS_INPUT, "%s: tile %s: %s: %s", check->pack->path, node,
                       id < LAYER_COUNT ? layer_names[id] : "unknown layer", what);
}

// Takes bytes up to offset, which must all be zero.
static enum status_code take_zeros(struct check *check, uint64_t offset, struct status *status)
{
    const uint8_t *bytes;
    size_t size = (size_t)(offset - check->body.at);
    enum status_code code = pack_body_take(&check->body, size, &bytes, status);
    if (code == STATUS_OK && !pack_all_zero(bytes, size))
        code = fault(check, "damaged: bytes that are in use by nothing are not zero", status);
    return code;
}

static enum status_code check_metadata(struct check *check, struct status *status)
{
    const struct pack_header *header = &check->pack->header;
    const uint8_t *bytes;
    enum status_code code = pack_body_take(&check->body, header->metadata_bytes, &bytes, status);
    if (code)
        return code;
    uint8_t digest[SHA256_BYTES];
    sha256_of(digest, bytes, header->metadata_bytes);
    if (pack_crc(bytes, header->metadata_bytes) != header->metadata_crc ||
        memcmp(digest, header->info.fingerprint, SHA256_BYTES) != 0)
        return fault(check, "damaged metadata (wrong checksum)", status);
    if (memchr(bytes, 0, header->metadata_bytes))
        return fault(check, "bad metadata: not a text", status);
    if (header->data_offset != pack_round_up(check->body.at, PACK_ALIGNMENT))
        return fault(check, "bad header: place of the data", status);
    return take_zeros(check, header->data_offset, status);
}

static uint32_t form_of(const struct check *check, tile_key key, const struct pack_slot *slot)
{
    const struct pack_info *info = &check->pack->header.info;
    if (!slot->known)
        return 256u + slot->id;
    return (uint32_t)layer_sample_bits(info, key, (enum layer_kind)slot->id);
}

static enum status_code check_heights(const struct check *check, tile_key key, const struct pack_record *record,
                                      size_t count, struct status *status)
{
    const int32_t *heights = check->samples;
    int32_t min = heights[0], max = heights[0];
    for (size_t k = 1; k < count; k++) {
        min = heights[k] < min ? heights[k] : min;
        max = heights[k] > max ? heights[k] : max;
    }
    if (min != record->height_min || max != record->height_max)
        return layer_fault(check, key, LAYER_HEIGHT, "its heights are not in the range that the index says", status);
    return STATUS_OK;
}

static enum status_code check_decoded(const struct check *check, tile_key key, const struct pack_record *record,
                                      int slot, const uint8_t *bytes, struct status *status)
{
    const struct pack_info *info = &check->pack->header.info;
    const struct pack_blob *blob = &record->blobs[slot];
    enum layer_kind kind = (enum layer_kind)check->pack->header.slots[slot].id;
    enum status_code code = layer_decode_bytes(check->decoder, key, kind, bytes, blob->length, check->samples, status);
    if (code)
        return code;
    uint8_t digest[SHA256_BYTES];
    size_t size = layer_bytes(kind, info->intervals + 1, layer_sample_bits(info, key, kind));
    layer_content(digest, kind, check->samples, size);
    if (memcmp(digest, blob->content, SHA256_BYTES) != 0)
        return layer_fault(check, key, kind, "its content is not what the index says (wrong hash)", status);
    return kind == LAYER_HEIGHT ? check_heights(check, key, record, size / 4, status) : STATUS_OK;
}

// A blob that stands elsewhere than at the next unused byte must be a small one that came not long before.
static enum status_code check_shared(const struct check *check, tile_key key, const struct pack_record *record,
                                     int slot, struct status *status)
{
    const struct pack_blob *blob = &record->blobs[slot];
    const struct pack_slot *layer = &check->pack->header.slots[slot];
    const struct small_blob *same = blob_window_at(check->window, blob->offset);
    if (!same || same->length != blob->length)
        return layer_fault(check, key, layer->id, "its blob is neither the next one nor a small one from before",
                           status);
    const struct facts *facts = &check->facts[same->place];
    if (facts->crc != blob->crc || facts->form != form_of(check, key, layer) ||
        memcmp(facts->content, blob->content, SHA256_BYTES) != 0 ||
        (facts->form == 32 && (facts->height_min != record->height_min || facts->height_max != record->height_max)))
        return layer_fault(check, key, layer->id, "disagrees with the tile whose blob it shares", status);
    return STATUS_OK;
}

static enum status_code check_next(struct check *check, tile_key key, const struct pack_record *record, int slot,
                                   struct status *status)
{
    const struct pack_header *header = &check->pack->header;
    const struct pack_blob *blob = &record->blobs[slot];
    const struct pack_slot *layer = &header->slots[slot];
    const uint8_t *bytes;
    enum status_code code = pack_body_take(&check->body, blob->length, &bytes, status);
    if (code)
        return code;
    if (pack_crc(bytes, blob->length) != blob->crc)
        return layer_fault(check, key, layer->id, "damaged (wrong checksum)", status);
    if (blob->length <= PACK_SMALL_BLOB_MAX) {
        uint8_t digest[SHA256_BYTES];
        sha256_of(digest, bytes, blob->length);
        if (blob_window_find(check->window, digest))
            return layer_fault(check, key, layer->id, "its small blob should be shared with an equal one", status);
        const struct small_blob *small = blob_window_add(check->window, digest, blob->offset, blob->length);
        struct facts *facts = &check->facts[small->place];
        *facts = (struct facts){.crc = blob->crc,
                                .form = form_of(check, key, layer),
                                .height_min = record->height_min,
                                .height_max = record->height_max};
        memcpy(facts->content, blob->content, SHA256_BYTES);
    }
    return check->decoder && layer->known ? check_decoded(check, key, record, slot, bytes, status) : STATUS_OK;
}

static enum status_code check_record(void *context, tile_key key, const struct pack_record *record,
                                     struct status *status)
{
    struct check *check = context;
    const struct pack_header *header = &check->pack->header;
    for (int slot = 0; slot < header->slot_count; slot++) {
        const struct pack_blob *blob = &record->blobs[slot];
        enum status_code code = blob->offset == check->body.at ? check_next(check, key, record, slot, status)
                                                               : check_shared(check, key, record, slot, status);
        if (code)
            return code;
        pack_content_add(&check->content, key, header->slots[slot].id, header->info.intervals, blob->content);
    }
    return STATUS_OK;
}

// What follows the last blob: zeros, and pages, which the walk has looked at.
static enum status_code check_rest(struct check *check, struct status *status)
{
    const struct pack_header *header = &check->pack->header;
    struct pack_body *body = &check->body;
    if (body->at != header->data_offset + header->data_bytes)
        return fault(check, "bad index: blobs that nothing points to", status);
    if (header->index_offset != pack_round_up(body->at, PACK_INDEX_ALIGNMENT))
        return fault(check, "bad header: place of the index", status);
    enum status_code code = take_zeros(check, header->index_offset, status);
    while (code == STATUS_OK && body->at < header->file_bytes) {
        const uint8_t *bytes;
        code = pack_body_take(body, header->page_bytes, &bytes, status);
    }
    if (code)
        return code;
    uint8_t digest[SHA256_BYTES];
    sha256_finish(&body->hash, digest);
    if (memcmp(digest, header->body_sha256, SHA256_BYTES) != 0)
        return fault(check, "damaged (the file's hash is wrong)", status);
    sha256_finish(&check->content, digest);
    if (memcmp(digest, header->content_sha256, SHA256_BYTES) != 0)
        return fault(check, "bad header: content_sha256 is not that of the tiles", status);
    return STATUS_OK;
}

static enum status_code allocate(struct check *check, bool decode, struct status *status)
{
    const struct pack *pack = check->pack;
    uint64_t blobs = pack_tile_count(pack) * (uint64_t)pack->header.slot_count;
    enum status_code code = blob_window_new(&check->window, blobs, status);
    if (code)
        return code;
    size_t facts_bytes = blob_window_room(check->window) * sizeof *check->facts;
    size_t samples_bytes = layer_bytes(LAYER_NORMAL, pack->header.info.intervals + 1, 16);
    check->facts = malloc(facts_bytes);
    check->samples = malloc(samples_bytes);
    if (!check->facts || !check->samples)
        return status_fail_memory(status, "checker", facts_bytes + samples_bytes);
    return decode ? layer_decoder_new(&check->decoder, pack, status) : STATUS_OK;
}

enum status_code pack_check(const struct pack *pack, bool decode, void (*progress)(void *, uint64_t), void *context,
                            struct status *status)
{
    struct check check = {.pack = pack};
    sha256_begin(&check.content);
    enum status_code code = pack_body_begin(&check.body, pack, status);
    check.body.progress = progress;
    check.body.context = context;
    if (code == STATUS_OK)
        code = allocate(&check, decode, status);
    if (code == STATUS_OK)
        code = check_metadata(&check, status);
    if (code == STATUS_OK)
        code = pack_walk_records(pack, check_record, &check, status);
    if (code == STATUS_OK)
        code = check_rest(&check, status);
    layer_decoder_free(check.decoder);
    free(check.samples);
    free(check.facts);
    blob_window_free(check.window);
    pack_body_end(&check.body);
    return code;
}
