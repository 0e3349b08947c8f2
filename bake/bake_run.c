// SPDX-License-Identifier: MIT
#include "bake/bake_run.h"

#include <stdlib.h>
#include <string.h>

#include "bake/assemble.h"
#include "bake/work_folder.h"
#include "common/clock.h"
#include "formats/file_io.h"

// Whether the output is a finished pack of the same plan, content and share.
static bool is_that_pack(const char *output, const struct bake_setup *setup)
{
    struct pack *pack;
    struct status status;
    if (pack_open(&pack, output, &status) != STATUS_OK)
        return false;
    const struct pack_info *info = pack_get_info(pack);
    bool same = memcmp(info->fingerprint, setup->info.fingerprint, SHA256_BYTES) == 0 &&
                info->share == setup->info.share && info->share_count == setup->info.share_count;
    pack_close(pack);
    return same;
}

// Decides what an output that is already there means. *already: there is nothing to do.
static enum status_code consider_output(const struct bake_request *request, const struct bake_setup *setup,
                                        bool *already, struct status *status)
{
    enum output_state state;
    enum status_code code = output_look(&state, request->output, status);
    *already = false;
    if (code || state == OUTPUT_FREE)
        return code;
    if (request->resume && setup) {
        *already = is_that_pack(request->output, setup);
        if (*already || request->force)
            return STATUS_OK;
        return status_fail(status, STATUS_RESOURCE,
                           "%s: exists, and is not the pack that was asked for; --force replaces it", request->output);
    }
    if (request->force || request->resume)
        return STATUS_OK;
    return status_fail(status, STATUS_RESOURCE, "%s: exists; --force replaces it", request->output);
}

// Opens the journal as --resume and --force want it.
static enum status_code open_journal(struct journal *journal, const struct bake_request *request,
                                     const struct bake_setup *setup, const struct work_folder *folder,
                                     struct status *status)
{
    const char *place = work_folder_journal(folder);
    enum status_code code;
    if (!request->resume && journal_exists(place)) {
        if (!request->force)
            return status_fail(status, STATUS_RESOURCE,
                               "%s: holds work files of an earlier bake: --resume goes on with them, --force starts "
                               "anew",
                               place);
        if ((code = journal_remove(place, status)))
            return code;
    }
    code = journal_open(journal, place, &setup->owner, status);
    if (code == STATUS_INPUT && request->resume && request->force && !(code = journal_remove(place, status)))
        code = journal_open(journal, place, &setup->owner, status);
    return code;
}

static int useful_threads(int wanted, uint64_t tiles)
{
    int count = wanted < PIPELINE_THREADS_MAX ? wanted : PIPELINE_THREADS_MAX;
    return tiles == 0 ? 1 : tiles < (uint64_t)count ? (int)tiles : count;
}

// Bakes, assembles and publishes. *keep tells whether the work files are worth a --resume.
static enum status_code produce(const struct bake_setup *setup, struct journal *journal,
                                const struct work_folder *folder, struct progress *progress, struct bake_result *result,
                                bool *keep, struct status *status)
{
    const struct pipeline pipeline = {&setup->recipe, &setup->plan, journal, progress, result->thread_count};
    bool fresh = journal->record_count == 0;
    double start_s = clock_seconds();
    enum status_code code = pipeline_run(&pipeline, &result->times, status);
    result->tiles_done = progress_done(progress);
    result->bake_s = clock_seconds() - start_s;
    // What the planet makes impossible stays impossible; after everything else the next try has less to do.
    *keep = journal->record_count > 0 && !(code == STATUS_INPUT && fresh);
    if (code == STATUS_INTERRUPTED && *keep) {
        struct status sync_status;
        if (work_folder_sync(folder, &sync_status)) {
            *status = sync_status;
            return status->code;
        }
    }
    if (code)
        return code;
    start_s = clock_seconds();
    if ((code = assemble_pack(journal, &setup->plan, &setup->info, folder->pack_path, folder->spool_path, progress,
                              &result->pack_bytes, status)) ||
        (code = file_publish(folder->pack_path, folder->output, folder->output_directory_fd, status)))
        return code;
    result->assemble_s = clock_seconds() - start_s;
    *keep = false;
    return STATUS_OK;
}

// The part of a bake that has the lock.
static enum status_code run_locked(const struct bake_request *request, const struct bake_setup *setup,
                                   const struct work_folder *folder, struct bake_result *result, bool *keep,
                                   struct status *status)
{
    struct journal *journal = calloc(1, sizeof *journal);
    struct progress progress;
    *keep = journal_exists(work_folder_journal(folder));
    if (!journal)
        return status_fail_memory(status, "the journal", sizeof *journal);
    // Another bake may have finished since the first look.
    enum status_code code = consider_output(request, setup, &result->already, status);
    if (code || result->already) {
        *keep = *keep && code != STATUS_OK;
    } else if (!(code = open_journal(journal, request, setup, folder, status))) {
        uint64_t left = setup->tile_count - (journal->record_count < setup->tile_count ? journal->record_count : 0);
        result->thread_count = useful_threads(request->thread_count, left);
        if (!(code = progress_begin(&progress, request->progress, request->quiet, "bake", setup->tile_count,
                                    journal->record_count, journal->record_bytes, result->thread_count, status))) {
            code = produce(setup, journal, folder, &progress, result, keep, status);
            progress_end(&progress, code == STATUS_OK, result->pack_bytes);
            progress_free(&progress);
        }
        journal_close(journal);
    }
    free(journal);
    return code;
}

enum status_code bake_run(const struct bake_request *request, struct bake_result *result, struct status *status)
{
    struct bake_setup *setup = malloc(sizeof *setup);
    struct work_folder folder;
    double start_s = clock_seconds();
    bool keep;
    enum status_code code;
    memset(result, 0, sizeof *result);
    if (!setup)
        return status_fail_memory(status, "the plan", sizeof *setup);
    // What is in the way is said before any work is done.
    if ((code = consider_output(request, NULL, &result->already, status)) ||
        (code = bake_setup_make(setup, &request->subject, status))) {
        free(setup);
        return code;
    }
    result->tile_count = setup->tile_count;
    // A finished pack may still have its work folder, if a bake was killed at the very end: that is cleared away.
    if (!(code = consider_output(request, setup, &result->already, status)) &&
        (!result->already || work_folder_exists(request->output)) &&
        !(code = work_folder_open(&folder, request->output, request->work, status))) {
        code = run_locked(request, setup, &folder, result, &keep, status);
        work_folder_close(&folder, keep);
        result->work_files_kept = keep;
    }
    result->wall_s = clock_seconds() - start_s;
    bake_setup_free(setup);
    free(setup);
    return code;
}
