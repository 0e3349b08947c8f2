// SPDX-License-Identifier: MIT
// terrane verify PACK: whether a pack is what it says.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "bake/border_check.h"
#include "bake/json_out.h"
#include "bake/pack_metadata.h"
#include "bake/rebake_check.h"
#include "bake/verbs.h"
#include "common/options.h"
#include "common/text_number.h"
#include "formats/pack.h"

struct seed_choice {
    bool given;
    uint64_t seed;
};

struct verify_options {
    bool quick, borders, json;
    int rebake; // tiles; 0: none
    struct seed_choice seed;
    const char *planet;
};
static const struct verify_options defaults = {0};

static enum status_code parse_seed(const struct option_row *row, const char *text, void *destination,
                                   struct status *status)
{
    struct seed_choice *choice = destination;
    choice->given = true;
    if (parse_u64(text, &choice->seed))
        return STATUS_OK;
    return option_refuse(row, text, "a whole number, 0 to 18446744073709551615", status);
}

static const struct option_row rows[] = {
    {.name = "quick",
     .kind = OPTION_FLAG,
     .help = "check structure and every checksum, but decode nothing",
     .offset = offsetof(struct verify_options, quick)},
    {.name = "borders",
     .kind = OPTION_FLAG,
     .help = "check that neighbouring tiles agree on the samples that they share",
     .offset = offsetof(struct verify_options, borders)},
    {.name = "rebake",
     .kind = OPTION_INTEGER,
     .value = "N",
     .help = "bake N tiles anew, drawn by chance, and compare them",
     .min = 1,
     .max = INT_MAX,
     .offset = offsetof(struct verify_options, rebake)},
    {.name = "seed",
     .kind = OPTION_CUSTOM,
     .value = "S",
     .help = "seed of the draw for --rebake, an unsigned 64-bit number",
     .default_text = "another one each time; it is printed",
     .parse = parse_seed,
     .offset = offsetof(struct verify_options, seed)},
    {.name = "planet",
     .kind = OPTION_PATH,
     .value = "FILE",
     .help = "the planet file, for --rebake of a planet with rasters",
     .offset = offsetof(struct verify_options, planet)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object",
     .offset = offsetof(struct verify_options, json)},
};

// What was found, for printing.
struct verify_report {
    const struct pack *pack; // NULL where it could not be opened
    struct border_report borders;
    uint64_t rebaked, seed;
};

// A live line on a terminal while the file is read; nothing elsewhere.
struct live_line {
    uint64_t file_bytes;
    int shown; // percent; -1: no terminal
};

static void show_progress(void *context, uint64_t done_bytes)
{
    struct live_line *line = context;
    int percent = (int)((double)done_bytes / (double)line->file_bytes * 100);
    if (line->shown < 0 || percent == line->shown)
        return;
    line->shown = percent;
    fprintf(stderr, "\rterrane: verify: %d %%", percent);
}

static enum status_code check_file(const struct pack *pack, bool decode, struct status *status)
{
    struct live_line line = {pack_file_bytes(pack), isatty(STDERR_FILENO) ? 0 : -1};
    enum status_code code = pack_check(pack, decode, show_progress, &line, status);
    if (line.shown > 0)
        fputs("\r\033[K", stderr); // back to the start, and clear the line
    return code;
}

// Any seed will do as long as it is another one each time, so a plain clock stands in for the system's randomness.
static uint64_t draw_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        seed = (uint64_t)time(NULL) * UINT64_C(0x9E3779B97F4A7C15);
    return seed;
}

static enum status_code check(struct verify_report *report, const struct verify_options *options, const char *path,
                              struct pack **pack, struct status *status)
{
    enum status_code code = pack_open(pack, path, status);
    if (code)
        return code;
    report->pack = *pack;
    code = check_file(*pack, !options->quick, status);
    if (code)
        return code;
    struct metadata metadata;
    code = pack_metadata(&metadata, *pack, status);
    if (code)
        return code;
    if (options->borders)
        code = border_check(*pack, &report->borders, status);
    if (!code && options->rebake > 0) {
        report->seed = options->seed.given ? options->seed.seed : draw_seed();
        struct rebake_request request = {(uint64_t)options->rebake, report->seed, options->planet};
        struct status inner;
        code = rebake_check(*pack, &metadata, &request, &report->rebaked, &inner);
        if (code) {
            status_fail(status, code, "%s (seed %" PRIu64 ")", inner.text, report->seed);
            memcpy(status->context, inner.context, sizeof status->context);
        }
    }
    metadata_free(&metadata);
    return code;
}

static void print_text(const struct verify_report *report, const struct verify_options *options)
{
    const struct pack *pack = report->pack;
    printf("intact: %" PRIu64 " tiles, %" PRIu64 " bytes, every checksum%s\n", pack_tile_count(pack),
           pack_file_bytes(pack), options->quick ? "" : " and every decoded layer");
    if (options->borders)
        printf("borders: %" PRIu64 " sides and %" PRIu64 " corners agree, normals within %.3f steps\n",
               report->borders.sides, report->borders.corners, report->borders.normal_steps_max);
    if (options->rebake > 0)
        printf("rebake: %" PRIu64 " tiles came out the same, seed %" PRIu64 "\n", report->rebaked, report->seed);
}

static void print_json(const struct verify_report *report, const struct verify_options *options, enum status_code code,
                       const struct status *status)
{
    struct json_out json = json_begin(stdout);
    char text[2 * SHA256_BYTES + 1];
    json_open_object(&json, NULL);
    json_i64(&json, "schema", 1);
    json_bool(&json, "ok", !code);
    if (code)
        json_text(&json, "error", status->text);
    json_bool(&json, "quick", options->quick);
    if (report->pack) {
        const struct pack_info *info = pack_get_info(report->pack);
        json_bool(&json, "complete", info->complete);
        json_u64(&json, "share", info->share);
        json_u64(&json, "shares", info->share_count);
        json_u64(&json, "tiles", pack_tile_count(report->pack));
        json_u64(&json, "file_bytes", pack_file_bytes(report->pack));
        sha256_text(text, pack_content_sha256(report->pack));
        json_text(&json, "content_sha256", text);
    }
    if (options->borders) {
        json_open_object(&json, "borders");
        json_u64(&json, "sides", report->borders.sides);
        json_u64(&json, "corners", report->borders.corners);
        json_double(&json, "normal_steps_max", report->borders.normal_steps_max);
        json_end(&json);
    }
    if (options->rebake > 0) {
        json_open_object(&json, "rebake");
        json_u64(&json, "tiles", report->rebaked);
        snprintf(text, sizeof text, "%" PRIu64, report->seed);
        json_text(&json, "seed", text);
        json_end(&json);
    }
    json_end(&json);
    putchar('\n');
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    const struct verify_options *options = chosen;
    if (options->rebake == 0 && (options->seed.given || options->planet))
        return status_fail(status, STATUS_USAGE, "--%s: only together with --rebake",
                           options->planet ? "planet" : "seed");
    struct verify_report report = {0};
    struct pack *pack = NULL;
    enum status_code code = check(&report, options, arguments[0], &pack, status);
    if (options->json && (!code || code == STATUS_INPUT))
        print_json(&report, options, code, status);
    else if (!code)
        print_text(&report, options);
    if (!code && !pack_get_info(pack)->complete)
        fprintf(stderr, "terrane: verify: note: %s is share %" PRIu32 " of %" PRIu32 ", not a whole pack\n",
                arguments[0], pack_get_info(pack)->share, pack_get_info(pack)->share_count);
    if (pack)
        pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Checks everything that the format demands: the hash of the file, the checksum of every part, order and sharing "
    "of the tiles, and that each layer decodes to what its hash says. --quick leaves out the decoding.",
    "A share of a larger bake is intact as it is; that it is not whole is said on standard error.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane verify planet.terrane", "Checks a pack before it is trusted."},
    {"terrane verify planet.terrane --borders --rebake 20", "Checks the seams, and twenty tiles against a new bake."},
};

const struct verb verb_verify = {
    .name = "verify",
    .positionals = "PACK",
    .positional_min = 1,
    .positional_max = 1,
    .summary = "check that a pack is intact",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct verify_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
