// SPDX-License-Identifier: MIT
#include "bake/bake_options.h"

#include <string.h>

#include "bake/cpu_count.h"
#include "bake/layer_list.h"
#include "common/cube_sphere.h"
#include "common/options.h"
#include "common/text_number.h"
#include "common/tile_grid.h"

#define ALL_LAYERS ((1u << LAYER_COUNT) - 1)

const char *const bake_tile_words[] = {"32", "64", "128", "256", "512", NULL};
static const int tile_sizes[] = {32, 64, 128, 256, 512};
static const char *const progress_words[] = {"auto", "json", "none", NULL}; // as enum progress_mode

const struct bake_options bake_option_defaults = {
    .planet = "earthlike",
    .seed = 1,
    .depth = 4,
    .tile_choice = 2,
    .layers = ALL_LAYERS,
    .share = {1, 1},
};

static enum status_code parse_region(const struct option_row *row, const char *text, void *destination,
                                     struct status *status)
{
    struct bake_regions *regions = destination;
    struct status reason;
    if (regions->count == PLAN_REGIONS_MAX)
        return status_fail(status, STATUS_USAGE, "--%s: at most %d of them", row->name, PLAN_REGIONS_MAX);
    if (plan_parse_region(&regions->items[regions->count], text, &reason))
        return status_fail(status, STATUS_USAGE, "--%s %.100s: %s", row->name, text, reason.text);
    regions->texts[regions->count++] = text;
    return STATUS_OK;
}

static enum status_code parse_face(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    uint64_t face;
    if (!parse_u64(text, &face) || face >= CUBE_FACE_COUNT)
        return option_refuse(row, text, "a whole number, 0 to 5", status);
    *(unsigned *)destination |= 1u << face;
    return STATUS_OK;
}

static enum status_code parse_share(const struct option_row *row, const char *text, void *destination,
                                    struct status *status)
{
    const char *slash = strchr(text, '/');
    char number[24];
    uint64_t share, count;
    size_t length = slash ? (size_t)(slash - text) : 0;
    if (slash && length < sizeof number) {
        memcpy(number, text, length);
        number[length] = 0;
        if (parse_u64(number, &share) && parse_u64(slash + 1, &count) && share >= 1 && share <= count &&
            count <= PLAN_SHARES_MAX) {
            *(struct bake_share *)destination = (struct bake_share){(uint32_t)share, (uint32_t)count};
            return STATUS_OK;
        }
    }
    return option_refuse(row, text, "K/N with 1 <= K <= N <= 1000000", status);
}

const struct option_row bake_option_rows[BAKE_OPTION_ROW_COUNT] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_PATH,
     .required = true,
     .value = "PACK",
     .help = "the pack to make, usually named something.terrane",
     .offset = offsetof(struct bake_options, output)},
    {.name = "planet",
     .kind = OPTION_PATH,
     .value = "NAME|FILE",
     .help = "a built-in planet (see terrane planets) or a planet file",
     .offset = offsetof(struct bake_options, planet)},
    {.name = "seed",
     .kind = OPTION_U64,
     .value = "N",
     .help = "which planet of its kind",
     .offset = offsetof(struct bake_options, seed)},
    {.name = "radius",
     .kind = OPTION_REAL,
     .value = "M",
     .help = "radius in metres; the whole body is scaled, heights with it",
     .default_text = "the planet's own",
     .min = RADIUS_MIN_M,
     .max = RADIUS_MAX_M,
     .offset = offsetof(struct bake_options, radius_m)},
    {.name = "set",
     .kind = OPTION_LIST,
     .value = "KEY=VALUE",
     .help = "override one value of the planet file",
     .offset = offsetof(struct bake_options, overrides)},
    {.name = "depth",
     .kind = OPTION_INTEGER,
     .value = "D",
     .help = "bake every tile of levels 0 to D",
     .min = 0,
     .max = TILE_LEVEL_MAX,
     .offset = offsetof(struct bake_options, depth)},
    {.name = "region",
     .kind = OPTION_CUSTOM,
     .repeatable = true,
     .value = "LAT,LON,RADIUS_KM,LEVEL",
     .help = "refine the tiles that touch this disc down to LEVEL, with all tiles above them",
     .parse = parse_region,
     .offset = offsetof(struct bake_options, regions)},
    {.name = "face",
     .kind = OPTION_CUSTOM,
     .repeatable = true,
     .value = "F",
     .help = "only this cube face, 0 to 5, for depth and regions alike",
     .default_text = "all",
     .parse = parse_face,
     .offset = offsetof(struct bake_options, faces)},
    {.name = "tile",
     .kind = OPTION_CHOICE,
     .value = "N",
     .help = "intervals along a tile's side; a tile has (N+1) x (N+1) samples",
     .words = bake_tile_words,
     .offset = offsetof(struct bake_options, tile_choice)},
    {.name = "layers",
     .kind = OPTION_CUSTOM,
     .value = "LIST",
     .help = "which layers tiles have, of height,normal,color",
     .default_text = "height,normal,color",
     .parse = layer_list_parse,
     .offset = offsetof(struct bake_options, layers)},
    {.name = "threads",
     .letter = 'j',
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "worker threads; their number changes nothing in the pack",
     .default_text = "as many processors as this process may use",
     .min = 1,
     .max = PIPELINE_THREADS_MAX,
     .offset = offsetof(struct bake_options, thread_count)},
    {.name = "shard",
     .kind = OPTION_CUSTOM,
     .value = "K/N",
     .help = "bake only share K of N of the plan; terrane merge puts the shares together",
     .default_text = "everything",
     .parse = parse_share,
     .offset = offsetof(struct bake_options, share)},
    {.name = "resume",
     .kind = OPTION_FLAG,
     .help = "go on with an interrupted bake of the same pack, or start it; do nothing if the pack stands finished",
     .offset = offsetof(struct bake_options, resume)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "replace an existing output once the new pack is whole, and work files of an earlier bake at once",
     .offset = offsetof(struct bake_options, force)},
    {.name = "estimate",
     .kind = OPTION_FLAG,
     .help = "print tiles, bytes, time and free space, and bake nothing",
     .offset = offsetof(struct bake_options, estimate)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "with --estimate: print it as JSON",
     .offset = offsetof(struct bake_options, json)},
    {.name = "work",
     .kind = OPTION_PATH,
     .value = "DIR",
     .help = "folder for work files; emptied of them when the pack is whole",
     .default_text = "PACK.bake/",
     .offset = offsetof(struct bake_options, work)},
    {.name = "timings",
     .kind = OPTION_PATH,
     .value = "FILE",
     .help = "write the times of the stages as JSON",
     .offset = offsetof(struct bake_options, timings)},
    {.name = "progress",
     .kind = OPTION_CHOICE,
     .value = "HOW",
     .help = "progress on standard error: lines for people, JSON objects, or none",
     .words = progress_words,
     .offset = offsetof(struct bake_options, progress)},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .help = "say nothing but errors",
     .offset = offsetof(struct bake_options, quiet)},
};

enum status_code bake_options_request(struct bake_request *request, const struct bake_options *options,
                                      struct status *status)
{
    for (int k = 0; k < options->overrides.count; k++) {
        const char *text = options->overrides.items[k];
        if (*text == '=' || !strchr(text, '='))
            return status_fail(status, STATUS_USAGE, "--set %.100s: must be KEY=VALUE", text);
    }
    if (options->json && !options->estimate)
        return status_fail(status, STATUS_USAGE, "--json: goes with --estimate only");
    *request = (struct bake_request){
        .subject = {.planet = {options->planet, options->seed, options->radius_m, options->overrides.items,
                               options->overrides.count},
                    .plan = {.depth = options->depth,
                             .faces = options->faces ? options->faces : (1u << CUBE_FACE_COUNT) - 1,
                             .region_count = options->regions.count},
                    .share = options->share.number,
                    .share_count = options->share.count,
                    .intervals = tile_sizes[options->tile_choice],
                    .layers = options->layers},
        .output = options->output,
        .work = options->work,
        .thread_count = options->thread_count ? options->thread_count : cpu_count(),
        .resume = options->resume,
        .force = options->force,
        .progress = (enum progress_mode)options->progress,
        .quiet = options->quiet,
    };
    memcpy(request->subject.plan.regions, options->regions.items,
           (size_t)options->regions.count * sizeof options->regions.items[0]);
    return STATUS_OK;
}
