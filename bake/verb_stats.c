// SPDX-License-Identifier: MIT
// terrane stats PACK: the terrain's statistics, beside those of real planets.
#include <stdio.h>
#include <stdlib.h>

#include "bake/cpu_count.h"
#include "bake/interrupt.h"
#include "bake/pack_metadata.h"
#include "bake/stats_plots.h"
#include "bake/stats_print.h"
#include "bake/verbs.h"
#include "formats/output_file.h"

struct stats_options {
    const char *output;
    int width, thread_count;
    bool json, force;
};
static const struct stats_options defaults = {.width = 2048};

#define WIDTH_MIN 256

static const struct option_row rows[] = {
    {.name = "width",
     .kind = OPTION_INTEGER,
     .value = "PX",
     .help =
         "width of the grid of heights that all is measured on, a power of two; 2048 takes about a second and 40 MB, "
         "twice the width four times as much",
     .min = WIDTH_MIN,
     .max = SPECTRUM_WIDTH_MAX,
     .offset = offsetof(struct stats_options, width)},
    {.name = "threads",
     .letter = 'j',
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "worker threads",
     .default_text = "the CPUs that this process may use",
     .min = 1,
     .max = 1024,
     .offset = offsetof(struct stats_options, thread_count)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object",
     .offset = offsetof(struct stats_options, json)},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .value = "FILE",
     .help = "also draw four diagrams into this PNG file",
     .default_text = "none",
     .offset = offsetof(struct stats_options, output)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace an existing file",
     .offset = offsetof(struct stats_options, force)},
};

static enum status_code answer(const struct pack *pack, const struct metadata *metadata,
                               const struct stats_options *options, struct terrain_stats *stats, struct status *status)
{
    int thread_count = options->thread_count ? options->thread_count : cpu_count();
    struct height_grid grid;
    enum status_code code = height_grid_sample(&grid, pack, options->width, thread_count, status);
    if (!code) {
        code = terrain_stats_measure(stats, &grid, metadata->has_sea, metadata->sea_m, thread_count, status);
        height_grid_free(&grid);
    }
    if (!code && options->output)
        code = stats_plots_write(options->output, stats, metadata, status);
    if (!code)
        (options->json ? stats_print_json : stats_print_table)(stats, metadata);
    return code;
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct stats_options *options = chosen;
    if ((options->width & (options->width - 1)) != 0)
        return status_fail(status, STATUS_USAGE, "--width %d: must be a power of two, %d to %d", options->width,
                           WIDTH_MIN, SPECTRUM_WIDTH_MAX);
    enum status_code code = options->output ? output_check(options->output, options->force, status) : STATUS_OK;
    struct pack *pack;
    struct metadata metadata;
    if (!code)
        code = pack_open_described(&pack, &metadata, arguments[0], status);
    if (code)
        return code;
    interrupt_install();
    struct terrain_stats *stats = malloc(sizeof *stats);
    code = stats ? answer(pack, &metadata, options, stats, status)
                 : status_fail_memory(status, "statistics", sizeof *stats);
    free(stats);
    metadata_free(&metadata);
    pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Measures the terrain on an equirectangular grid of its heights, weighted by area, and prints it beside Earth, "
    "Mars "
    "and the Moon: share and mean height of land and sea floor (where the planet has a sea), percentiles of height, "
    "slopes between neighbouring points of the grid within 60 degrees of the equator, and the spectrum.",
    "The spectrum is S(l), the sum over m of the squares of the coefficients of real, 4 pi-normalised spherical "
    "harmonics, "
    "in square metres: what the degree l, with wavelengths of the circumference over l, gives to the variance. The "
    "heights are bilinear between the pack's samples, so the spectrum is good up to an eighth of the samples around "
    "the "
    "equator, which the answer names; a deeper pack is good for more.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane stats planet.terrane", "Prints a table beside real planets."},
    {"terrane stats planet.terrane -o plots.png", "Also draws the curves beside theirs."},
    {"terrane stats planet.terrane --json", "Gives a script everything, curves included."},
};

const struct verb verb_stats = {
    .name = "stats",
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "measure the terrain and compare it with real planets",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct stats_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
