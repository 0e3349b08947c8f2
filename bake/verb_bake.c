// SPDX-License-Identifier: MIT
// terrane bake -o PACK: a planet into a pack.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/bake_options.h"
#include "bake/bake_run.h"
#include "bake/estimate.h"
#include "bake/interrupt.h"
#include "bake/json_out.h"
#include "bake/timings.h"
#include "bake/verbs.h"

static const char *const description[] = {
    "Bakes a planet into one file. What is in the pack is decided by the plan (depth, regions, faces) and the content "
    "(planet, seed, radius, overrides, tile size, layers) alone; the number of threads, interruptions and sharing the "
    "work out change nothing, not even a bit.",
    "Work files are kept in PACK.bake/ until the pack is whole, and take about as much room as the pack. A bake that "
    "was stopped goes on with --resume: a signal, a kill or a full disk costs the tiles in flight at most, a power "
    "failure those of the last minute. The first SIGINT or SIGTERM stops in good order with exit code 75; a second one "
    "stops at once.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane bake -o earth.terrane", "A whole planet down to level 4."},
    {"terrane bake -o alps.terrane --region 46.5,8,100,12", "A planet with one place in detail."},
    {"terrane bake -o part1.terrane --depth 8 --shard 1/3", "A third of a large planet, for one of three machines."},
};

static enum status_code run(const void *options, int argument_count, char **arguments, struct status *status);

const struct verb verb_bake = {
    .name = "bake",
    .positionals = "",
    .summary = "bake a planet into a pack",
    .description = description,
    .rows = bake_option_rows,
    .row_count = BAKE_OPTION_ROW_COUNT,
    .options_bytes = sizeof(struct bake_options),
    .defaults = &bake_option_defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};

static void print_estimate_json(const struct estimate *estimate, int max_level)
{
    struct json_out json = json_begin(stdout);
    json_open_object(&json, NULL);
    json_i64(&json, "schema", 1);
    json_u64(&json, "tiles", estimate->tile_count);
    json_open_array(&json, "tiles_per_level");
    for (int level = 0; level <= max_level; level++)
        json_u64(&json, NULL, estimate->tiles_per_level[level]);
    json_end(&json);
    json_u64(&json, "samples", estimate->sample_count);
    json_u64(&json, "pack_bytes", estimate->pack_bytes);
    json_u64(&json, "peak_bytes", estimate->peak_bytes);
    json_double(&json, "seconds", estimate->seconds);
    json_i64(&json, "threads", estimate->thread_count);
    json_i64(&json, "trial_tiles", estimate->trial_tiles);
    json_u64(&json, "free_bytes", estimate->free_bytes);
    json_u64(&json, "work_free_bytes", estimate->work_free_bytes);
    json_end(&json);
    putchar('\n');
}

static void print_estimate(const struct estimate *estimate, int max_level)
{
    char text[BYTES_TEXT_MAX], duration[DURATION_TEXT_MAX];
    for (int level = 0; level <= max_level; level++)
        printf("level %2d  %" PRIu64 " tiles\n", level, estimate->tiles_per_level[level]);
    printf("in all    %" PRIu64 " tiles, %" PRIu64 " samples\n", estimate->tile_count, estimate->sample_count);
    format_bytes(text, estimate->pack_bytes);
    printf("pack      about %s\n", text);
    format_bytes(text, estimate->peak_bytes);
    printf("disk      about %s at most, work files included\n", text);
    format_bytes(text, estimate->free_bytes);
    printf("free      %s beside the output", text);
    format_bytes(text, estimate->work_free_bytes);
    printf(", %s for work files\n", text);
    format_duration(duration, estimate->seconds);
    printf("time      about %s with %d %s (from %d tiles)\n", duration, estimate->thread_count,
           estimate->thread_count == 1 ? "thread" : "threads", estimate->trial_tiles);
}

static enum status_code estimate(const struct bake_request *request, bool as_json, struct status *status)
{
    struct bake_setup setup;
    struct estimate made;
    enum status_code code = bake_setup_make(&setup, &request->subject, status);
    if (code)
        return code;
    if (!(code = estimate_make(&made, &setup, request->output, request->work, request->thread_count, status)))
        (as_json ? print_estimate_json : print_estimate)(&made, setup.plan.max_level);
    bake_setup_free(&setup);
    return code;
}

// Says in the one line of an error how to go on.
static enum status_code add_advice(enum status_code code, const struct bake_options *options,
                                   const struct bake_result *result, struct status *status)
{
    char command[sizeof status->text], reason[sizeof status->text];
    bool whole = bake_options_resume_command(command, sizeof command, options);
    memcpy(reason, status->text, sizeof reason);
    if (code == STATUS_INTERRUPTED) {
        const char *how = whole && strlen(command) < 380 ? command : "the same command and --resume";
        return status_fail(status, code, "interrupted: %" PRIu64 " of %" PRIu64 " tiles are safe; go on with: %s",
                           result->tiles_done, result->tile_count, how);
    }
    if (result->work_files_kept && (code == STATUS_RESOURCE || code == STATUS_INTERNAL) && strlen(reason) < 400 &&
        !strstr(reason, "--resume"))
        return status_fail(status, code, "%s; --resume goes on from what is done", reason);
    return code;
}

static enum status_code bake(const struct bake_request *request, const struct bake_options *options,
                             struct status *status)
{
    struct bake_result result;
    interrupt_install();
    struct timings_file timings;
    enum status_code code = options->timings ? timings_open(&timings, options->timings, status) : STATUS_OK;
    if (code)
        return code;
    code = bake_run(request, &result, status);
    if (code)
        code = add_advice(code, options, &result, status);
    else if (result.already && !options->quiet && options->progress == PROGRESS_AUTO)
        fprintf(stderr, "terrane: bake: %s stands finished\n", options->output);
    if (options->timings && code)
        timings_abandon(&timings);
    else if (options->timings)
        code = timings_write(&timings, &result, status);
    return code;
}

static enum status_code run(const void *data, int argument_count, char **arguments, struct status *status)
{
    const struct bake_options *options = data;
    (void)argument_count;
    (void)arguments;
    struct bake_request *request = malloc(sizeof *request);
    if (!request)
        return status_fail_memory(status, "the request", sizeof *request);
    enum status_code code = bake_options_request(request, options, status);
    if (!code)
        code = options->estimate ? estimate(request, options->json, status) : bake(request, options, status);
    free(request);
    return code;
}
