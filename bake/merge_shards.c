// SPDX-License-Identifier: MIT
#include "bake/merge_shards.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bake/interrupt.h"
#include "bake/journal.h"
#include "bake/metadata.h"
#include "bake/pack_metadata.h"
#include "bake/plan_place.h"
#include "bake/work_folder.h"
#include "formats/blob_reader.h"
#include "formats/file_io.h"
#include "formats/pack.h"

struct merge {
    const struct merge_request *request;
    struct pack_info info;           // of the first share
    uint8_t (*bodies)[SHA256_BYTES]; // of each share's file, so that one that changes meanwhile is noticed
    const char **paths;              // by number of the share, from 0; NULL where it is missing
    char *metadata;
    size_t metadata_length;
    struct metadata parsed;
    uint64_t *places;  // plan_share_places
    struct pack *pack; // the share that is open
    struct pack_cursor *cursor;
    uint32_t open_number; // its number, from 0
    struct blob_reader *reader;
    uint8_t *blobs;
    size_t blobs_capacity;
};

static void close_share(struct merge *merge)
{
    pack_cursor_free(merge->cursor);
    pack_close(merge->pack);
    merge->cursor = NULL;
    merge->pack = NULL;
}

// The first pack decides what is merged.
static enum status_code adopt(struct merge *merge, const struct pack *pack, struct status *status)
{
    const char *path = pack_path(pack);
    enum status_code code;
    merge->info = *pack_get_info(pack);
    size_t count = merge->info.share_count;
    if (count > PLAN_SHARES_MAX)
        return status_fail(status, STATUS_INPUT, "%s: is one of %zu shares, over the limit of %d", path, count,
                           PLAN_SHARES_MAX);
    if ((code = pack_metadata(&merge->parsed, pack, status)) ||
        (code = pack_read_metadata(pack, &merge->metadata, &merge->metadata_length, status)))
        return code;
    if (merge->info.root_levels != pack_root_levels(merge->parsed.plan.depth))
        return status_fail(status, STATUS_INPUT, "%s: header and metadata disagree on the depth", path);
    merge->paths = calloc(count, sizeof merge->paths[0]);
    merge->bodies = calloc(count, sizeof merge->bodies[0]);
    merge->places = calloc(count + 1, sizeof merge->places[0]);
    if (!merge->paths || !merge->bodies || !merge->places)
        return status_fail_memory(status, "the list of shares", count * sizeof merge->bodies[0]);
    return STATUS_OK;
}

static enum status_code refuse_foreign(const struct merge *merge, const struct pack *pack, struct status *status)
{
    char *text, words[256];
    size_t length;
    enum status_code code = pack_read_metadata(pack, &text, &length, status);
    if (code)
        return code;
    metadata_difference(words, sizeof words, merge->metadata, text);
    free(text);
    return status_fail(status, STATUS_INPUT, "%s: is of another bake than %s: %s", pack_path(pack),
                       merge->request->shards[0], words);
}

static enum status_code enter(struct merge *merge, const struct pack *pack, const char *path, struct status *status)
{
    const struct pack_info *info = pack_get_info(pack);
    enum status_code code;
    if (pack_is_newer(pack))
        return status_fail(status, STATUS_INPUT,
                           "%s: is of a later version of the pack format than %d.%d, and what that adds would be lost; "
                           "merge with the program that made it",
                           path, PACK_MAJOR, PACK_MINOR);
    if (!merge->metadata && (code = adopt(merge, pack, status)))
        return code;
    if (memcmp(info->fingerprint, merge->info.fingerprint, SHA256_BYTES) != 0)
        return refuse_foreign(merge, pack, status);
    if (info->share_count != merge->info.share_count)
        return status_fail(status, STATUS_INPUT, "%s: is share %u of %u, but %s is one of %u", path,
                           (unsigned)info->share, (unsigned)info->share_count, merge->request->shards[0],
                           (unsigned)merge->info.share_count);
    const char **place = &merge->paths[info->share - 1];
    if (*place)
        return status_fail(status, STATUS_INPUT, "%s: is share %u of %u, as %s is", path, (unsigned)info->share,
                           (unsigned)info->share_count, *place);
    *place = path;
    memcpy(merge->bodies[info->share - 1], pack_file_sha256(pack), SHA256_BYTES);
    return STATUS_OK;
}

// Looks at every share's header; all must be there.
static enum status_code collect(struct merge *merge, struct status *status)
{
    enum status_code code = STATUS_OK;
    for (int k = 0; k < merge->request->shard_count && code == STATUS_OK; k++) {
        const char *path = merge->request->shards[k];
        struct pack *pack;
        if (!(code = pack_open(&pack, path, status))) {
            code = enter(merge, pack, path, status);
            pack_close(pack);
        }
    }
    if (code)
        return code;
    assert(merge->paths); // there is at least one share
    uint32_t missing = 0, first = 0;
    for (uint32_t k = merge->info.share_count; k-- > 0;) {
        if (!merge->paths[k]) {
            missing++;
            first = k + 1;
        }
    }
    if (missing > 0)
        return status_fail(status, STATUS_INPUT, "share %u of %u is missing%s", (unsigned)first,
                           (unsigned)merge->info.share_count, missing > 1 ? ", and others are" : "");
    plan_share_places(&merge->parsed.plan, merge->info.share_count, merge->places);
    return STATUS_OK;
}

static enum status_code open_share(struct merge *merge, uint32_t number, struct status *status)
{
    enum status_code code;
    close_share(merge);
    if ((code = pack_open(&merge->pack, merge->paths[number], status))) {
        merge->pack = NULL;
        return code;
    }
    if (memcmp(pack_file_sha256(merge->pack), merge->bodies[number], SHA256_BYTES) != 0)
        return status_fail(status, STATUS_INPUT, "%s: has changed while it was merged", merge->paths[number]);
    merge->open_number = number;
    blob_reader_open(merge->reader, merge->pack);
    return pack_cursor_new(&merge->cursor, merge->pack, status);
}

// Opens the share that has the node. From node to node of a level the walk goes through the shares in order, so there
// are few changes.
static enum status_code find_share(struct merge *merge, struct node node, struct status *status)
{
    uint64_t place = plan_place_of(node);
    const uint64_t *places = merge->places;
    if (merge->pack && place >= places[merge->open_number] && place < places[merge->open_number + 1])
        return STATUS_OK;
    uint32_t low = 0, high = merge->info.share_count; // places[low] <= place < places[high]
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (places[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return open_share(merge, low, status);
}

static enum status_code read_blobs(struct merge *merge, const struct pack_tile *tile, struct pack_entry *entry,
                                   struct status *status)
{
    size_t total = 0;
    for (int kind = 0; kind < LAYER_COUNT; kind++)
        total += tile->blobs[kind].length;
    if (total > merge->blobs_capacity) {
        uint8_t *bytes = realloc(merge->blobs, total);
        if (!bytes)
            return status_fail_memory(status, "a tile's blobs", total);
        merge->blobs = bytes;
        merge->blobs_capacity = total;
    }
    uint8_t *at = merge->blobs;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        const struct pack_blob *blob = &tile->blobs[kind];
        if (blob->length == 0)
            continue;
        enum status_code code = blob_reader_read(merge->reader, blob, at, status);
        if (code)
            return code;
        entry->blobs[kind] = at;
        entry->lengths[kind] = blob->length;
        entry->crcs[kind] = blob->crc;
        memcpy(entry->content[kind], blob->content, SHA256_BYTES);
        at += blob->length;
    }
    return STATUS_OK;
}

static enum status_code add_tile(struct merge *merge, struct pack_writer *writer, struct node node, uint64_t *bytes,
                                 struct status *status)
{
    struct pack_tile tile;
    bool found;
    enum status_code code;
    if ((code = find_share(merge, node, status)) || (code = pack_find(merge->cursor, node, &found, &tile, status)))
        return code;
    if (!found)
        return status_fail(status, STATUS_INPUT, "%s: lacks tile %d/%d/%u/%u", merge->paths[merge->open_number],
                           node.face, node.level, node.x, node.y);
    struct pack_entry entry = {
        .key = tile.key, .height_min = tile.height_min, .height_max = tile.height_max, .error = tile.error};
    if ((code = read_blobs(merge, &tile, &entry, status)))
        return code;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        *bytes += entry.lengths[kind];
        // The writer takes that a tile has the layers that the pack has as given.
        if ((entry.lengths[kind] > 0) != (merge->info.layers >> kind & 1))
            return status_fail(status, STATUS_INPUT, "%s: tile %d/%d/%u/%u has other layers than the pack",
                               merge->paths[merge->open_number], node.face, node.level, node.x, node.y);
    }
    return pack_writer_add(writer, &entry, status);
}

static enum status_code add_tiles(struct merge *merge, struct pack_writer *writer, struct progress *progress,
                                  struct status *status)
{
    struct plan_walk walk;
    struct node node;
    enum status_code code = STATUS_OK;
    plan_walk_begin(&walk, &merge->parsed.plan);
    while (code == STATUS_OK && plan_walk_next(&walk, &node)) {
        uint64_t bytes = 0;
        if (interrupt_requested())
            return status_fail(status, STATUS_INTERRUPTED, "interrupted; nothing was changed");
        if (!(code = add_tile(merge, writer, node, &bytes, status))) {
            progress_count(progress, 0, bytes);
            progress_tick(progress);
        }
    }
    return code;
}

static enum status_code write_pack(struct merge *merge, const struct work_folder *folder, struct progress *progress,
                                   uint64_t *size_bytes, struct status *status)
{
    struct pack_writer *writer;
    struct pack_info info = merge->info;
    info.complete = true;
    info.share = info.share_count = 1;
    enum status_code code = pack_writer_begin(&writer, folder->pack_path, folder->spool_path, &info, merge->metadata,
                                              merge->metadata_length, status);
    if (code)
        return code;
    if (!(code = add_tiles(merge, writer, progress, status)))
        code = pack_writer_finish(writer, size_bytes, status);
    pack_writer_free(writer);
    return code ? code : file_publish(folder->pack_path, folder->output, folder->output_directory_fd, status);
}

static enum status_code consider_output(const struct merge_request *request, struct status *status)
{
    enum output_state state;
    enum status_code code = output_look(&state, request->output, status);
    if (code == STATUS_OK && state == OUTPUT_THERE && !request->force)
        return status_fail(status, STATUS_RESOURCE, "%s: exists; --force replaces it", request->output);
    return code;
}

// With the lock of the output held. Work files of a bake that were there before stay there.
static enum status_code run_locked(struct merge *merge, const struct work_folder *folder, struct status *status)
{
    const struct merge_request *request = merge->request;
    uint64_t per_level[TILE_LEVEL_MAX + 1], size_bytes = 0, planned = plan_count(&merge->parsed.plan, per_level);
    struct progress progress;
    enum status_code code;
    if ((code = consider_output(request, status)) ||
        (code = progress_begin(&progress, request->progress, request->quiet, "merge", planned, 0, 0, 1, status)))
        return code;
    code = write_pack(merge, folder, &progress, &size_bytes, status);
    progress_end(&progress, code == STATUS_OK, size_bytes);
    progress_free(&progress);
    return code;
}

enum status_code merge_shards(const struct merge_request *request, struct status *status)
{
    struct merge *merge = calloc(1, sizeof *merge);
    struct work_folder folder;
    enum status_code code;
    assert(request->shard_count >= 1);
    if (!merge)
        return status_fail_memory(status, "the merge", sizeof *merge);
    merge->request = request;
    if (!(code = consider_output(request, status)) && !(code = blob_reader_new(&merge->reader, status)) &&
        !(code = collect(merge, status)) && !(code = work_folder_open(&folder, request->output, NULL, status))) {
        bool keep = journal_exists(work_folder_journal(&folder));
        code = run_locked(merge, &folder, status);
        work_folder_close(&folder, keep);
    }
    close_share(merge);
    blob_reader_free(merge->reader);
    metadata_free(&merge->parsed);
    free(merge->metadata);
    free(merge->paths);
    free(merge->bodies);
    free(merge->places);
    free(merge->blobs);
    free(merge);
    return code;
}
