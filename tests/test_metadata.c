// SPDX-License-Identifier: MIT
#include <jansson.h>

#include "bake/metadata.h"
#include "tests/check.h"

static const char *const overrides[] = {"a=1", "sea=-20"};
static const uint8_t rasters[2][SHA256_BYTES] = {{1, 2, 254}, {0xAB}};

static struct metadata sample(void)
{
    struct metadata metadata = {.planet = "Ærø \"2\"",
                                .planet_text = "// \xE2\x82\xAC \xF0\x9F\x8C\x8D\nname = \"x\\y\"\n\theight = 1\r\n",
                                .override_count = 2,
                                .overrides = overrides,
                                .raster_count = 2,
                                .rasters = rasters,
                                .seed = UINT64_MAX,
                                .radius_m = 1737400.5,
                                .has_sea = true,
                                .sea_m = -0.25,
                                .intervals = 64,
                                .layers = 5,
                                .plan = {.depth = 3, .faces = 1 << 1 | 1 << 5, .region_count = 2}};
    metadata.plan.regions[0] = (struct plan_region){10.5, 350, 0.001, 24, .chord2 = 0};
    metadata.plan.regions[1] = (struct plan_region){-90, 0, 250, 9, .chord2 = 0};
    plan_prepare(&metadata.plan, metadata.radius_m);
    return metadata;
}

static char *format(const struct metadata *metadata)
{
    char *text = NULL;
    size_t length = 0;
    struct status status;
    CHECK_TEXT(metadata_format(&text, &length, metadata, &status) == STATUS_OK, "%s", status.text);
    CHECK(text && strlen(text) == length);
    return text;
}

static void text_is_canonical(void)
{
    struct metadata metadata = sample();
    char *text = format(&metadata);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    CHECK(json_is_object(root));
    // jansson's own sorted compact form is the same text.
    char *again = json_dumps(root, JSON_SORT_KEYS | JSON_COMPACT);
    CHECK_TEXT(again && strcmp(text, again) == 0, "%s\n%s", text, again ? again : "");
    CHECK(strcmp(json_string_value(json_object_get(root, "planet_text")), metadata.planet_text) == 0);
    CHECK(strstr(text, "\"regions\":[\"-90,0,250,9\",\"10.5,-10,0.001,24\"]"));
    CHECK(strstr(text, "\"radius_m\":\"1737400.5\"") && strstr(text, "\"seed\":\"18446744073709551615\""));
    CHECK(strstr(text, "\"layers\":[\"height\",\"color\"]") && strstr(text, "\"faces\":[1,5]"));
    CHECK(strstr(text, "\"sea_m\":\"-0.25\"") && strstr(text, "\"tile\":64}"));
    free(again);
    json_decref(root);
    free(text);
}

static void what_is_written_reads_back(void)
{
    struct metadata metadata = sample(), read;
    struct status status;
    char *text = format(&metadata);
    CHECK_TEXT(metadata_parse(&read, text, strlen(text), &status) == STATUS_OK, "%s", status.text);
    CHECK(strcmp(read.planet, metadata.planet) == 0 && strcmp(read.planet_text, metadata.planet_text) == 0);
    CHECK(strcmp(read.generator, METADATA_GENERATOR) == 0 && read.generator_content == METADATA_GENERATOR_CONTENT);
    CHECK(read.override_count == 2 && strcmp(read.overrides[1], "sea=-20") == 0);
    CHECK(read.raster_count == 2 && memcmp(read.rasters, rasters, sizeof rasters) == 0);
    CHECK(read.seed == UINT64_MAX && read.radius_m == 1737400.5 && read.has_sea && read.sea_m == -0.25);
    CHECK(read.intervals == 64 && read.layers == 5 && read.plan.depth == 3 && read.plan.faces == metadata.plan.faces);
    CHECK(read.plan.region_count == 2 && read.plan.regions[1].chord2 == metadata.plan.regions[1].chord2);
    char *again = format(&read);
    CHECK(strcmp(text, again) == 0);
    free(again);
    free(text);
    metadata_free(&read);

    metadata.has_air = true;
    memcpy(metadata.air, "\xd9\xa0\x06", 3);
    text = format(&metadata);
    CHECK(strncmp(text, "{\"air\":\"#d9a006\",\"codec_profile\"", 32) == 0);
    CHECK(metadata_parse(&read, text, strlen(text), &status) == STATUS_OK && read.has_air);
    CHECK(memcmp(read.air, metadata.air, 3) == 0);
    free(text);
    metadata_free(&read);
    metadata.has_air = false;

    metadata.has_sea = false;
    text = format(&metadata);
    CHECK(strstr(text, "\"sea_m\":null") && metadata_parse(&read, text, strlen(text), &status) == STATUS_OK);
    CHECK(!read.has_sea);
    free(text);
    metadata_free(&read);
}

static void every_field_changes_the_text(void)
{
    struct metadata base = sample(), changed[12];
    for (int k = 0; k < 12; k++)
        changed[k] = base;
    changed[0].planet = "other";
    changed[1].planet_text = "height = 2";
    changed[2].override_count = 1;
    changed[3].raster_count = 1;
    changed[4].seed = 3;
    changed[5].radius_m += METADATA_RADIUS_STEP_M;
    changed[6].sea_m = 0;
    changed[7].intervals = 128;
    changed[8].layers = 1;
    changed[9].plan.depth = 4;
    changed[10].plan.faces = 2;
    changed[11].plan.region_count = 1;
    char *text = format(&base);
    for (int k = 0; k < 12; k++) {
        char *other = format(&changed[k]);
        char words[300];
        CHECK_TEXT(strcmp(text, other) != 0, "%d", k);
        CHECK(metadata_difference(words, sizeof words, text, other) && words[0]);
        free(other);
    }
    free(text);
}

static void differences_are_said_in_words(void)
{
    struct metadata a = sample(), b = sample();
    char words[200], few[10];
    char *left = format(&a), *same = format(&b);
    CHECK(!metadata_difference(words, sizeof words, left, same) && !words[0]);
    b.seed = 4;
    b.plan.depth = 2;
    b.planet_text = "height = 2";
    char *right = format(&b);
    CHECK(metadata_difference(words, sizeof words, left, right));
    CHECK_TEXT(strstr(words, "depth is 2, not 3"), "%s", words);
    CHECK(strstr(words, "planet_text differs") && strstr(words, "seed is \"4\", not \"18446744073709551615\""));
    CHECK(metadata_difference(few, sizeof few, left, right) && strlen(few) == sizeof few - 1);
    CHECK(metadata_difference(words, sizeof words, "nonsense", right) && words[0]);
    CHECK(metadata_difference(words, sizeof words, "{}", "{\"new\":1}") && strstr(words, "new is 1, not nothing"));
    CHECK(metadata_difference(words, sizeof words, "{\"old\":1}", "{}") && strstr(words, "old is nothing, not 1"));
    // Long values are only named, whichever side has them.
    static const char long_one[] = "{\"a\":\"0123456789012345678901234567890123456789\"}";
    CHECK(metadata_difference(words, sizeof words, long_one, "{\"a\":1}") && strcmp(words, "a differs") == 0);
    CHECK(metadata_difference(words, sizeof words, "{\"a\":1}", long_one) && strcmp(words, "a differs") == 0);
    free(left);
    free(same);
    free(right);
}

static void texts_that_are_not_plain_utf8_are_refused(void)
{
    static const char *const bad[] = {
        "\xFF",
        "a\x80",
        "\xC0\xAF",
        "\xC3",
        "\xE2\x82",
        "\xED\xA0\x80",
        "\xE0\x80\x80",
        "\xF5\x80\x80\x80",
        "\xF4\x90\x80\x80",
        "\xF0\x80\x80\x80",
        "bell\a",
        "\x1B[0m",
        "\x7F",
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        for (int where = 0; where < 3; where++) {
            struct metadata metadata = sample();
            const char *list[] = {bad[k]};
            char *text = NULL;
            size_t length;
            struct status status;
            if (where == 0)
                metadata.planet = bad[k];
            else if (where == 1)
                metadata.planet_text = bad[k];
            else
                metadata.overrides = list, metadata.override_count = 1;
            CHECK_TEXT(metadata_format(&text, &length, &metadata, &status) == STATUS_INPUT && !text, "case %zu", k);
        }
    }
}

static void radii_are_rounded_to_the_header_step(void)
{
    CHECK(metadata_round_radius(6371000) == 6371000 && metadata_round_radius(0.1) == 6554 * 0x1p-16);
    for (int k = 0; k < 1000; k++) {
        double radius_m = 10 + check_random_unit() * 1e9, rounded = metadata_round_radius(radius_m);
        CHECK(rounded * 65536 == (double)(int64_t)(rounded * 65536));
        CHECK(rounded - radius_m <= 0x1p-17 && radius_m - rounded <= 0x1p-17);
    }
}

// Replaces the first `from` in a copy of text.
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    CHECK_TEXT(at, "%s", from);
    char *made = malloc(strlen(text) + strlen(to) + 1);
    size_t before = at ? (size_t)(at - text) : 0;
    memcpy(made, text, before);
    strcpy(made + before, to);
    strcat(made, text + before + (at ? strlen(from) : 0));
    return made;
}

static void hostile_texts_are_refused_naming_the_key(void)
{
    static const char *const cases[][3] = {
        {"\"tile\":64", "\"tile\":63", "tile"},
        {"\"tile\":64", "\"tile\":\"64\"", "tile"},
        {"\"tile\":64", "\"tail\":64", "tile"},
        {"\"depth\":3", "\"depth\":25", "depth"},
        {"\"depth\":3", "\"depth\":-1", "depth"},
        {"\"depth\":3", "\"depth\":99999999999", "depth"},
        {"\"faces\":[1,5]", "\"faces\":[1,6]", "faces"},
        {"\"faces\":[1,5]", "\"faces\":[]", "faces"},
        {"\"faces\":[1,5]", "\"faces\":[1,1,1,1,1,1,1]", "faces"},
        {"\"layers\":[\"height\",\"color\"]", "\"layers\":[\"heat\"]", "layers"},
        {"\"layers\":[\"height\",\"color\"]", "\"layers\":7", "layers"},
        {"\"radius_m\":\"1737400.5\"", "\"radius_m\":\"1737400.51\"", "radius_m"},
        {"\"radius_m\":\"1737400.5\"", "\"radius_m\":\"9\"", "radius_m"},
        {"\"radius_m\":\"1737400.5\"", "\"radius_m\":\"nan\"", "radius_m"},
        {"\"radius_m\":\"1737400.5\"", "\"radius_m\":1737400", "radius_m"},
        {"\"seed\":\"18446744073709551615\"", "\"seed\":\"18446744073709551616\"", "seed"},
        {"\"sea_m\":\"-0.25\"", "\"sea_m\":\"x\"", "sea_m"},
        {"{\"codec", "{\"air\":\"#12345\",\"codec", "air"},
        {"{\"codec", "{\"air\":7,\"codec", "air"},
        {"\"sea_m\":\"-0.25\"", "\"sea_m\":1", "sea_m"},
        {"10.5,-10,0.001,24", "10.5,-10,0.001,25", "regions"},
        {"[\"a=1\",", "[1,", "overrides"},
        {"{\"sha256\":\"0102fe", "{\"sha256\":\"0102FE", "rasters"},
        {"{\"sha256\":\"0102fe", "{\"sha256\":\"0102f", "rasters"},
        {"\"generator\":\"", "\"generator\":7,\"x\":\"", "generator"},
        {"\"generator_content\":", "\"generator_content\":-", "generator_content"},
        {"\"codec_profile\":", "\"codec_profile\":-", "codec_profile"},
        {"\"seed\":\"", "\"sead\":\"", "seed"},
        {"\"radius_m\":\"1737400.5\"", "\"radius_m\":\"2000000000\"", "radius_m"},
        {"\"faces\":[1,5]", "\"faces\":[-1]", "faces"},
        {"\"faces\":[1,5]", "\"faces\":[1.5]", "faces"},
        {"\"regions\":[", "\"regions\":7,\"x\":[", "regions"},
        {"\"regions\":[", "\"regions\":[7,", "regions"},
        {"\"overrides\":[", "\"overrides\":7,\"x\":[", "overrides"},
        {"\"rasters\":[", "\"rasters\":7,\"x\":[", "rasters"},
        {"{\"sha256\":\"0102fe", "{\"sha256\":7,\"x\":\"0102fe", "rasters"},
        {"{\"sha256\":\"0102fe", "{\"sha256\":\"0g02fe", "rasters"},
        {"{\"sha256\":\"0102fe", "{\"sha256\":\"/102fe", "rasters"},
        {"\"planet\":\"", "\"planet\":7,\"x\":\"", "planet"},
        {"\"planet_text\":\"", "\"planet_text\":7,\"x\":\"", "planet_text"},
    };
    struct metadata metadata = sample(), read;
    char *text = format(&metadata);
    struct status status;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char *bad = replaced(text, cases[k][0], cases[k][1]);
        CHECK_TEXT(metadata_parse(&read, bad, strlen(bad), &status) == STATUS_INPUT &&
                       strstr(status.text, cases[k][2]) && !read.owner,
                   "%s", cases[k][1]);
        free(bad);
    }
    char *more = replaced(text, "{", "{\"a later key\":[{}],");
    CHECK(metadata_parse(&read, more, strlen(more), &status) == STATUS_OK);
    metadata_free(&read);
    free(more);
    // Every truncation is refused.
    for (size_t length = 0; length < strlen(text); length++)
        CHECK(metadata_parse(&read, text, length, &status) == STATUS_INPUT);
    CHECK(metadata_parse(&read, "[]", 2, &status) == STATUS_INPUT);
    CHECK(metadata_parse(&read, "{\"a\":\"\\u0000\"}", 14, &status) == STATUS_INPUT);
    free(text);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(text_is_canonical);
    CHECK_RUN(what_is_written_reads_back);
    CHECK_RUN(every_field_changes_the_text);
    CHECK_RUN(differences_are_said_in_words);
    CHECK_RUN(texts_that_are_not_plain_utf8_are_refused);
    CHECK_RUN(radii_are_rounded_to_the_header_step);
    CHECK_RUN(hostile_texts_are_refused_naming_the_key);
    return CHECK_END;
}
