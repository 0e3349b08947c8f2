// SPDX-License-Identifier: MIT
// terrane merge -o PACK SHARD...: a complete pack out of the shares of a bake.
#include <stddef.h>

#include "bake/interrupt.h"
#include "bake/merge_shards.h"
#include "bake/verbs.h"

struct merge_options {
    const char *output;
    bool force, quiet;
    int progress; // enum progress_mode
};
static const struct merge_options defaults = {.progress = PROGRESS_AUTO};

static const char *const progress_words[] = {"auto", "json", "none", NULL}; // as enum progress_mode

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .required = true,
     .value = "PACK",
     .help = "the pack to make",
     .offset = offsetof(struct merge_options, output)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace an existing output once the new pack is whole",
     .offset = offsetof(struct merge_options, force)},
    {.name = "progress",
     .kind = OPTION_CHOICE,
     .value = "HOW",
     .help = "progress on standard error: lines for people, JSON objects, or none",
     .words = progress_words,
     .offset = offsetof(struct merge_options, progress)},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .help = "say nothing but errors",
     .offset = offsetof(struct merge_options, quiet)},
};

static const char *const description[] = {
    "Puts the packs of bake --shard 1/N to N/N together. The result is byte for byte the pack that one machine would "
    "have made. Shares may come in any order; a missing, damaged or foreign one, or one of a later version of the pack "
    "format, is refused by name, and then nothing is made.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane merge -o earth.terrane part*.terrane", "All shares in this folder."},
};

static enum status_code run(const void *data, int argument_count, char **arguments, struct status *status)
{
    const struct merge_options *options = data;
    const struct merge_request request = {.output = options->output,
                                          .shards = (const char *const *)arguments,
                                          .shard_count = argument_count,
                                          .force = options->force,
                                          .progress = (enum progress_mode)options->progress,
                                          .quiet = options->quiet};
    interrupt_install();
    return merge_shards(&request, status);
}

const struct verb verb_merge = {
    .name = "merge",
    .positionals = "SHARD...",
    .positional_min = 1,
    .positional_max = -1,
    .summary = "make a complete pack out of shares",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct merge_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
