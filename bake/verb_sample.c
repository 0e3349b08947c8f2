// SPDX-License-Identifier: MIT
// terrane sample PACK LAT,LON: what the planet is like at a point.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bake/json_out.h"
#include "bake/sampler.h"
#include "bake/srgb.h"
#include "bake/stdout_out.h"
#include "bake/text_lines.h"
#include "bake/verbs.h"
#include "common/stable_math.h"
#include "common/text_number.h"
#include "formats/pack.h"

struct sample_options {
    bool json;
};
static const struct sample_options defaults = {0};

static const struct option_row rows[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "print one JSON object for each point",
     .offset = offsetof(struct sample_options, json)},
};

#define POINT_EXPECTED "must be LAT,LON in degrees, latitude -90 to 90 and longitude -180 to 360"

struct asking {
    const struct sample_options *options;
    struct sampler *sampler;
    double radius_m, unit_m;
    struct srgb_table srgb;
};

// What is known at a point; parts that the pack cannot tell are absent.
struct answer {
    bool has_height, has_slope, has_normal, has_color;
    double height_m, slope_deg;
    double normal[3]; // east, north, up
    int color[3];
    int level;
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

// "LAT,LON", with blanks around the numbers where blanks is true.
static bool parse_point(const char *text, bool blanks, double *latitude_deg, double *longitude_deg)
{
    double *const values[2] = {latitude_deg, longitude_deg};
    for (int k = 0; k < 2; k++) {
        if (k > 0 && *text++ != ',')
            return false;
        if (blanks)
            text = skip_blanks(text);
        size_t used = parse_real_prefix(text, strlen(text), values[k]);
        if (used == 0)
            return false;
        text += used;
        if (blanks)
            text = skip_blanks(text);
    }
    return !*text && *latitude_deg >= -90 && *latitude_deg <= 90 && *longitude_deg >= -180 && *longitude_deg <= 360;
}

// Rounded to a millionth, for numbers whose further digits mean nothing.
static double rounded(double value)
{
    return floor(value * 1e6 + 0.5) / 1e6;
}

static double degrees_of_slope(double rise, double run)
{
    return rounded(stable_atan2(rise, run) * (180.0 / STABLE_PI));
}

// Slopes are those of the bilinear surface, and of the stored normals where the pack has no heights.
static void fill_in(struct answer *answer, const struct asking *asking, const struct sampler_spot *spot,
                    double longitude_deg)
{
    answer->level = spot->node.level;
    if (spot->heights) {
        double units = sampler_height(spot);
        answer->has_height = answer->has_slope = true;
        // To the unit in which heights are stored, as map --raw has it.
        answer->height_m = floor(units + 0.5) * asking->unit_m;
        double rise = double3_length(sampler_gradient(spot)) * asking->unit_m;
        answer->slope_deg = degrees_of_slope(rise, asking->radius_m + units * asking->unit_m);
    }
    if (spot->normals) {
        struct double3 n = sampler_normal(spot);
        struct double3 east = geographic_dir(0, longitude_deg + 90);
        struct double3 north = double3_cross(spot->dir, east);
        double up = double3_dot(n, spot->dir);
        answer->has_normal = true;
        answer->normal[0] = rounded(double3_dot(n, east));
        answer->normal[1] = rounded(double3_dot(n, north));
        answer->normal[2] = rounded(up);
        if (!answer->has_slope) {
            struct double3 along = double3_sub(n, double3_scale(spot->dir, up));
            answer->has_slope = true;
            answer->slope_deg = degrees_of_slope(double3_length(along), up);
        }
    }
    if (spot->colors) {
        double rgb[3];
        sampler_color(spot, rgb);
        answer->has_color = true;
        for (int k = 0; k < 3; k++)
            answer->color[k] = srgb_encode(&asking->srgb, rgb[k]);
    }
}

static void json_real_or_null(struct json_out *json, const char *key, bool there, double value)
{
    if (there)
        json_double(json, key, value);
    else
        json_none(json, key);
}

static void print_json(const struct answer *answer)
{
    struct json_out json = json_begin(stdout);
    json_open_object(&json, NULL);
    json_real_or_null(&json, "height_m", answer->has_height, answer->height_m);
    json_real_or_null(&json, "slope_deg", answer->has_slope, answer->slope_deg);
    if (answer->has_normal) {
        json_open_array(&json, "normal");
        for (int k = 0; k < 3; k++)
            json_double(&json, NULL, answer->normal[k]);
        json_end(&json);
    } else {
        json_none(&json, "normal");
    }
    if (answer->has_color) {
        json_open_array(&json, "color");
        for (int k = 0; k < 3; k++)
            json_i64(&json, NULL, answer->color[k]);
        json_end(&json);
    } else {
        json_none(&json, "color");
    }
    json_i64(&json, "level", answer->level);
    json_end(&json);
    putchar('\n');
}

static void print_text(const struct answer *answer)
{
    char text[3][REAL_TEXT_MAX];
    if (answer->has_height) {
        format_real(text[0], answer->height_m);
        printf("height_m %s  ", text[0]);
    }
    if (answer->has_slope) {
        format_real(text[0], answer->slope_deg);
        printf("slope_deg %s  ", text[0]);
    }
    if (answer->has_normal) {
        for (int k = 0; k < 3; k++)
            format_real(text[k], answer->normal[k]);
        printf("normal %s,%s,%s  ", text[0], text[1], text[2]);
    }
    if (answer->has_color)
        printf("color #%02x%02x%02x  ", (unsigned)answer->color[0], (unsigned)answer->color[1],
               (unsigned)answer->color[2]);
    printf("level %d\n", answer->level);
}

static enum status_code ask(struct asking *asking, double latitude_deg, double longitude_deg, struct status *status)
{
    bool found;
    struct sampler_spot spot;
    struct double3 dir = geographic_dir(latitude_deg, longitude_deg);
    enum status_code code = sampler_locate(asking->sampler, dir, &found, &spot, status);
    if (code)
        return code;
    if (!found) {
        puts(asking->options->json ? "null" : "nothing");
        return STATUS_OK;
    }
    struct answer answer = {0};
    fill_in(&answer, asking, &spot, longitude_deg);
    if (asking->options->json)
        print_json(&answer);
    else
        print_text(&answer);
    return STATUS_OK;
}

static enum status_code ask_lines(struct asking *asking, struct status *status)
{
    struct text_lines *lines = malloc(sizeof *lines);
    if (!lines)
        return status_fail_memory(status, "standard input", sizeof *lines);
    text_lines_begin(lines, STDIN_FILENO);
    enum status_code code = STATUS_OK;
    const char *line;
    for (;;) {
        if (!text_lines_ready(lines))
            code = stdout_flush(status);
        if (!code)
            code = text_lines_next(lines, &line, status);
        if (code || !line)
            break;
        double latitude_deg = 0, longitude_deg = 0;
        if (parse_point(line, true, &latitude_deg, &longitude_deg))
            code = ask(asking, latitude_deg, longitude_deg, status);
        else
            code = status_fail(status, STATUS_INPUT, "standard input: line %" PRIu64 ": %.60s: " POINT_EXPECTED,
                               lines->number, line);
        if (code)
            break;
    }
    free(lines);
    return code;
}

static enum status_code run(const void *chosen, int argument_count, char **arguments, struct status *status)
{
    (void)argument_count;
    bool from_stdin = strcmp(arguments[1], "-") == 0;
    double latitude_deg = 0, longitude_deg = 0;
    if (!from_stdin && !parse_point(arguments[1], false, &latitude_deg, &longitude_deg))
        return status_fail(status, STATUS_USAGE, "%.100s: " POINT_EXPECTED ", or - to read them from standard input",
                           arguments[1]);
    struct asking asking = {.options = chosen};
    srgb_prepare(&asking.srgb);
    struct pack *pack;
    enum status_code code = pack_open(&pack, arguments[0], status);
    if (code)
        return code;
    asking.radius_m = pack_get_info(pack)->radius_m;
    asking.unit_m = height_unit_m(pack_get_info(pack)->height_exponent);
    unsigned all = (1u << LAYER_COUNT) - 1;
    code = sampler_new(&asking.sampler, pack, all, TILE_LEVEL_MAX, true, status);
    if (!code)
        code = from_stdin ? ask_lines(&asking, status) : ask(&asking, latitude_deg, longitude_deg, status);
    sampler_free(asking.sampler);
    pack_close(pack);
    return code;
}

static const char *const description[] = {
    "Prints height, slope, normal and colour at a point, from the deepest tile there. Heights and colours are bilinear "
    "between the four samples around the point, in s and t of the tile, colours in linear light. The slope is that of "
    "the bilinear surface, or of the stored normals in a pack without heights. The normal is the stored one as its "
    "parts to the east, to the north and upward.",
    "With - in the place of the point, each line of standard input is a point and gives one line of output: "
    "a point that the pack has no tile for gives \"nothing\", with --json \"null\". With --json the fields are "
    "height_m, slope_deg, normal (three numbers), color (red, green and blue, 0 to 255) and level; what the pack has "
    "no layer for is null.",
    NULL,
};

static const struct verb_example examples[] = {
    {"terrane sample mars.terrane 18.65,226.2 --json", "Asks for the top of Olympus Mons."},
    {"terrane sample planet.terrane - <points.txt", "Answers many questions with one run."},
};

const struct verb verb_sample = {
    .name = "sample",
    .positionals = "PACK LAT,LON|-",
    .positional_min = 2,
    .positional_max = 2,
    .summary = "say what the planet is like at a point",
    .description = description,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .options_bytes = sizeof(struct sample_options),
    .defaults = &defaults,
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
