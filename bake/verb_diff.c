// SPDX-License-Identifier: MIT
// terrane diff A B: which tiles differ and by how much.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/json_out.h"
#include "bake/metadata.h"
#include "bake/pack_diff.h"
#include "bake/stdout_out.h"
#include "bake/verbs.h"
#include "common/text_number.h"

struct diff_options {
    bool json;
};
static const struct diff_options defaults = {0};

static const struct option_row rows[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object",
     .offset = offsetof(struct diff_options, json)},
};

static void print_tile_text(const struct tile_diff *diff)
{
    static const char *const only[] = {[DIFF_ONLY_IN_A] = "only in the first", [DIFF_ONLY_IN_B] = "only in the second"};
    char node[NODE_TEXT_MAX];
    node_format(node, diff->node);
    if (diff->kind != DIFF_CONTENT)
        printf("%s %s\n", node, only[diff->kind]);
    else if (diff->record)
        printf("%s range or geometric error\n", node);
    else
        printf("%s height %.9g m, normal %.4g degrees, color %d\n", node, diff->height_max_m, diff->normal_max_deg,
               diff->color_max);
}

static void print_tile_json(struct json_out *json, const struct tile_diff *diff)
{
    static const char *const kinds[] = {
        [DIFF_ONLY_IN_A] = "only_in_a", [DIFF_ONLY_IN_B] = "only_in_b", [DIFF_CONTENT] = "differs"};
    char node[NODE_TEXT_MAX];
    node_format(node, diff->node);
    json_open_object(json, NULL);
    json_text(json, "tile", node);
    json_text(json, "kind", kinds[diff->kind]);
    if (diff->kind == DIFF_CONTENT) {
        json_double(json, "height_max_m", diff->height_max_m);
        json_double(json, "normal_max_deg", diff->normal_max_deg);
        json_i64(json, "color_max", diff->color_max);
    }
    json_end(json);
}

// Where the tiles of the two packs are printed.
struct printing {
    struct json_out *json; // NULL: as text
    double height_max_m;
};

static enum status_code print_tile(void *context, const struct tile_diff *diff, struct status *status)
{
    struct printing *printing = context;
    if (diff->height_max_m > printing->height_max_m)
        printing->height_max_m = diff->height_max_m;
    if (printing->json)
        print_tile_json(printing->json, diff);
    else
        print_tile_text(diff);
    if (ferror(stdout))
        return stdout_flush(status);
    return STATUS_OK;
}

// What differs between the metadata, which may be so although every tile is the same; "" for nothing.
static enum status_code compare_metadata(const struct pack *a, const struct pack *b, char *words, size_t size,
                                         struct status *status)
{
    char *text_a, *text_b;
    size_t length_a, length_b;
    *words = 0;
    enum status_code code = pack_read_metadata(a, &text_a, &length_a, status);
    if (code)
        return code;
    code = pack_read_metadata(b, &text_b, &length_b, status);
    if (!code) {
        metadata_difference(words, size, text_a, text_b);
        free(text_b);
    }
    free(text_a);
    return code;
}

static void print_end(struct printing *printing, const struct diff_report *report, const char *metadata)
{
    uint64_t different = report->differing + report->only_in_a + report->only_in_b;
    struct json_out *json = printing->json;
    if (!json) {
        printf("%" PRIu64 " tiles in both, %" PRIu64 " of them differ; %" PRIu64 " only in the first, %" PRIu64
               " only in the second\n",
               report->compared, report->differing, report->only_in_a, report->only_in_b);
        if (*metadata)
            printf("metadata: %s\n", metadata);
        return;
    }
    json_end(json);
    json_bool(json, "equal", different == 0);
    json_u64(json, "compared", report->compared);
    json_u64(json, "differing", report->differing);
    json_u64(json, "only_in_a", report->only_in_a);
    json_u64(json, "only_in_b", report->only_in_b);
    json_double(json, "height_max_m", printing->height_max_m);
    json_text(json, "metadata", metadata);
    json_end(json);
    putchar('\n');
}

static void print_incomparable(struct json_out *json, const char *why)
{
    json_open_object(json, NULL);
    json_i64(json, "schema", 1);
    json_bool(json, "equal", false);
    json_text(json, "incomparable", why);
    json_end(json);
    putchar('\n');
}

static enum status_code compare(const struct pack *a, const struct pack *b, bool as_json, struct status *status)
{
    struct json_out json = json_begin(stdout);
    const char *why = pack_diff_incomparable(a, b);
    if (why && as_json)
        print_incomparable(&json, why);
    if (why)
        return status_fail(status, STATUS_INPUT, "%s and %s cannot be compared: %s", pack_path(a), pack_path(b), why);
    char metadata[400];
    enum status_code code = compare_metadata(a, b, metadata, sizeof metadata, status);
    if (code)
        return code;
    struct printing printing = {.json = as_json ? &json : NULL};
    if (as_json) {
        json_open_object(&json, NULL);
        json_i64(&json, "schema", 1);
        json_open_array(&json, "tiles");
    }
    struct diff_report report;
    code = pack_diff(a, b, print_tile, &printing, &report, status);
    if (code)
        return code;
    print_end(&printing, &report, metadata);
    uint64_t different = report.differing + report.only_in_a + report.only_in_b;
    if (different > 0)
        return status_fail(status, STATUS_INPUT, "%s and %s differ in %" PRIu64 " tiles", pack_path(a), pack_path(b),
                           different);
    return STATUS_OK;
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct diff_options *options = chosen;
    struct pack *a, *b;
    enum status_code code = pack_open(&a, arguments[0], status);
    if (code)
        return code;
    code = pack_open(&b, arguments[1], status);
    if (!code) {
        code = compare(a, b, options->json, status);
        pack_close(b);
    }
    pack_close(a);
    return code;
}

static const char *const description[] = {
    "Compares two packs tile by tile: it lists the tiles that only one of them has and those that differ, with the "
    "largest difference of a height, the largest angle between two normals and the largest difference of a colour "
    "channel. The exit code is 0 where all tiles are the same and 3 where any is not.",
    "Packs of another radius, tile size or set of layers cannot be compared. Differences of the metadata alone are "
    "named, but do not count.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane diff before.terrane after.terrane", "Shows what a change of the planet file did."},
};

const struct verb verb_diff = {
    .name = "diff",
    .positionals = "A B",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "compare two packs tile by tile",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct diff_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
