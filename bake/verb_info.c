// SPDX-License-Identifier: MIT
// terrane info PACK: what a pack holds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bake/json_out.h"
#include "bake/pack_metadata.h"
#include "bake/verbs.h"
#include "common/text_number.h"
#include "formats/pack.h"

struct info_options {
    bool json;
};
static const struct info_options defaults = {0};

static const struct option_row rows[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object",
     .offset = offsetof(struct info_options, json)},
};

static void print_layers_json(struct json_out *json, unsigned layers)
{
    json_open_array(json, "layers");
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (layers & 1u << kind)
            json_text(json, NULL, layer_names[kind]);
    }
    json_end(json);
}

static void height_range_m(const struct pack *pack, double *min_m, double *max_m)
{
    int32_t min, max;
    pack_height_range(pack, &min, &max);
    double unit_m = height_unit_m(pack_get_info(pack)->height_exponent);
    *min_m = min * unit_m;
    *max_m = max * unit_m;
}

static void print_json(const struct pack *pack, const struct metadata *metadata)
{
    const struct pack_info *info = pack_get_info(pack);
    char text[2 * SHA256_BYTES + 1];
    struct json_out json = json_begin(stdout);
    json_open_object(&json, NULL);
    json_i64(&json, "schema", 1);
    json_text(&json, "format", METADATA_FORMAT);
    json_text(&json, "generator", metadata->generator);
    json_text(&json, "planet", metadata->planet);
    snprintf(text, sizeof text, "%" PRIu64, metadata->seed);
    json_text(&json, "seed", text);
    json_double(&json, "radius_m", info->radius_m);
    json_i64(&json, "tile", info->intervals);
    json_i64(&json, "samples", info->intervals + 1);
    print_layers_json(&json, info->layers);
    if (pack_full_depth(pack) >= 0)
        json_i64(&json, "full_depth", pack_full_depth(pack));
    else
        json_none(&json, "full_depth");
    json_i64(&json, "max_level", pack_max_level(pack));
    json_u64(&json, "tiles", pack_tile_count(pack));
    json_open_array(&json, "tiles_per_level");
    for (int level = 0; level <= pack_max_level(pack); level++)
        json_u64(&json, NULL, pack_tiles_per_level(pack)[level]);
    json_end(&json);
    json_u64(&json, "file_bytes", pack_file_bytes(pack));
    json_double(&json, "height_unit_m", height_unit_m(info->height_exponent));
    double min_m, max_m;
    height_range_m(pack, &min_m, &max_m);
    json_double(&json, "height_min_m", min_m);
    json_double(&json, "height_max_m", max_m);
    sha256_text(text, pack_content_sha256(pack));
    json_text(&json, "content_sha256", text);
    sha256_text(text, info->fingerprint);
    json_text(&json, "fingerprint", text);
    json_bool(&json, "complete", info->complete);
    json_u64(&json, "share", info->share);
    json_u64(&json, "shares", info->share_count);
    json_end(&json);
    putchar('\n');
}

static void print_real(const char *label, double value, const char *unit)
{
    char text[REAL_TEXT_MAX];
    format_real(text, value);
    printf("%-14s %s %s\n", label, text, unit);
}

static void print_levels(const struct pack *pack)
{
    const struct pack_info *info = pack_get_info(pack);
    printf("%-14s %" PRIu64 "\n", "tiles", pack_tile_count(pack));
    for (int level = 0; level <= pack_max_level(pack); level++) {
        char spacing[32];
        snprintf(spacing, sizeof spacing, "%.4g", tile_spacing_m(info->radius_m, info->intervals, level));
        printf("  level %-6d %-10" PRIu64 " %s m between samples\n", level, pack_tiles_per_level(pack)[level], spacing);
    }
}

static void print_text(const struct pack *pack, const struct metadata *metadata)
{
    const struct pack_info *info = pack_get_info(pack);
    char text[2 * SHA256_BYTES + 1];
    printf("%-14s %s\n", "format", METADATA_FORMAT);
    printf("%-14s %s\n", "generator", metadata->generator);
    printf("%-14s %s\n", "planet", metadata->planet);
    printf("%-14s %" PRIu64 "\n", "seed", metadata->seed);
    print_real("radius", info->radius_m, "m");
    printf("%-14s %d intervals, %d samples a side\n", "tile", info->intervals, info->intervals + 1);
    printf("%-14s", "layers");
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (info->layers & 1u << kind)
            printf(" %s", layer_names[kind]);
    }
    double min_m, max_m;
    height_range_m(pack, &min_m, &max_m);
    printf("\n");
    print_real("lowest", min_m, "m");
    print_real("highest", max_m, "m");
    print_real("height unit", height_unit_m(info->height_exponent), "m");
    if (pack_full_depth(pack) >= 0)
        printf("%-14s %d\n", "full depth", pack_full_depth(pack));
    else
        printf("%-14s none: no level has all its tiles\n", "full depth");
    print_levels(pack);
    printf("%-14s %" PRIu64 " bytes\n", "file", pack_file_bytes(pack));
    sha256_text(text, pack_content_sha256(pack));
    printf("%-14s %s\n", "content sha256", text);
    sha256_text(text, info->fingerprint);
    printf("%-14s %s\n", "fingerprint", text);
    if (info->complete)
        printf("%-14s yes\n", "complete");
    else
        printf("%-14s no: share %" PRIu32 " of %" PRIu32 "\n", "complete", info->share, info->share_count);
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct info_options *options = chosen;
    struct pack *pack;
    struct metadata metadata;
    enum status_code code = pack_open_described(&pack, &metadata, arguments[0], status);
    if (code)
        return code;
    (options->json ? print_json : print_text)(pack, &metadata);
    metadata_free(&metadata);
    pack_close(pack);
    return STATUS_OK;
}

static const char *const description[] = {
    "Prints what the pack says about itself: how it was made, which levels it has, the range of its heights and its "
    "hashes. Nothing is checked beyond the header and the metadata; terrane verify does that.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane info planet.terrane --json", "Gives a script the facts about a pack."},
};

const struct verb verb_info = {
    .name = "info",
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "say what a pack holds",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct info_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
