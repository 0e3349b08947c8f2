// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bake/metadata.h"
#include "common/cube_sphere.h"
#include "common/text_color.h"
#include "common/text_number.h"

// What the pointers of a parsed struct metadata point into.
struct holder {
    json_t *root;
    const char **overrides;
    uint8_t (*rasters)[SHA256_BYTES];
};

static enum status_code refuse(const char *key, struct status *status)
{
    return status_fail(status, STATUS_INPUT, "metadata: \"%s\" is missing or wrong", key);
}

static enum status_code get_text(const char **value, const json_t *root, const char *key, struct status *status)
{
    *value = json_string_value(json_object_get(root, key));
    return *value ? STATUS_OK : refuse(key, status);
}

static enum status_code get_integer(int *value, const json_t *root, const char *key, int low, int high,
                                    struct status *status)
{
    const json_t *item = json_object_get(root, key);
    json_int_t found = json_integer_value(item);
    if (!json_is_integer(item) || found < low || found > high)
        return refuse(key, status);
    *value = (int)found;
    return STATUS_OK;
}

static enum status_code get_array(const json_t **value, const json_t *root, const char *key, size_t max,
                                  struct status *status)
{
    *value = json_object_get(root, key);
    return json_is_array(*value) && json_array_size(*value) <= max ? STATUS_OK : refuse(key, status);
}

static enum status_code get_numbers(struct metadata *metadata, const json_t *root, struct status *status)
{
    const char *radius, *seed;
    enum status_code code;
    if ((code = get_text(&radius, root, "radius_m", status)) || (code = get_text(&seed, root, "seed", status)) ||
        (code = get_integer(&metadata->generator_content, root, "generator_content", 1, INT32_MAX, status)) ||
        (code = get_integer(&metadata->codec_profile, root, "codec_profile", 1, INT32_MAX, status)) ||
        (code = get_integer(&metadata->intervals, root, "tile", TILE_INTERVALS_MIN, TILE_INTERVALS_MAX, status)))
        return code;
    if (!tile_intervals_valid(metadata->intervals))
        return refuse("tile", status);
    if (!parse_u64(seed, &metadata->seed))
        return refuse("seed", status);
    double r;
    if (!parse_real(radius, &r) || r < RADIUS_MIN_M || r > RADIUS_MAX_M || metadata_round_radius(r) != r)
        return refuse("radius_m", status);
    metadata->radius_m = r;
    const json_t *sea = json_object_get(root, "sea_m");
    metadata->has_sea = json_is_string(sea);
    if (metadata->has_sea ? !parse_real(json_string_value(sea), &metadata->sea_m) : !json_is_null(sea))
        return refuse("sea_m", status);
    const json_t *air = json_object_get(root, "air");
    metadata->has_air = air != NULL;
    if (air && !(json_is_string(air) && parse_color(json_string_value(air), metadata->air)))
        return refuse("air", status);
    return STATUS_OK;
}

static enum status_code get_layers(struct metadata *metadata, const json_t *root, struct status *status)
{
    const json_t *items;
    enum status_code code = get_array(&items, root, "layers", LAYER_COUNT, status);
    if (code)
        return code;
    for (size_t k = 0; k < json_array_size(items); k++) {
        const char *name = json_string_value(json_array_get(items, k));
        for (int kind = 0; name && kind < LAYER_COUNT; kind++) {
            if (strcmp(name, layer_names[kind]) == 0)
                metadata->layers |= 1u << kind;
        }
    }
    return metadata->layers ? STATUS_OK : refuse("layers", status);
}

static enum status_code get_plan(struct metadata *metadata, const json_t *root, struct status *status)
{
    struct plan *plan = &metadata->plan;
    const json_t *faces, *regions;
    enum status_code code;
    if ((code = get_integer(&plan->depth, root, "depth", 0, TILE_LEVEL_MAX, status)) ||
        (code = get_array(&faces, root, "faces", CUBE_FACE_COUNT, status)) ||
        (code = get_array(&regions, root, "regions", PLAN_REGIONS_MAX, status)))
        return code;
    for (size_t k = 0; k < json_array_size(faces); k++) {
        const json_t *face = json_array_get(faces, k);
        json_int_t value = json_integer_value(face);
        if (!json_is_integer(face) || value < 0 || value >= CUBE_FACE_COUNT)
            return refuse("faces", status);
        plan->faces |= 1u << value;
    }
    if (!plan->faces)
        return refuse("faces", status);
    for (size_t k = 0; k < json_array_size(regions); k++) {
        const char *text = json_string_value(json_array_get(regions, k));
        if (!text || plan_parse_region(&plan->regions[plan->region_count++], text, status))
            return refuse("regions", status);
    }
    plan_prepare(plan, metadata->radius_m);
    return STATUS_OK;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_digest(uint8_t digest[SHA256_BYTES], const char *text)
{
    if (!text || strlen(text) != 2 * SHA256_BYTES)
        return false;
    for (int k = 0; k < SHA256_BYTES; k++) {
        int high = hex_digit(text[2 * k]), low = hex_digit(text[2 * k + 1]);
        if (high < 0 || low < 0)
            return false;
        digest[k] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static enum status_code get_lists(struct metadata *metadata, struct holder *holder, struct status *status)
{
    const json_t *overrides, *rasters;
    enum status_code code;
    if ((code = get_array(&overrides, holder->root, "overrides", 65536, status)) ||
        (code = get_array(&rasters, holder->root, "rasters", 65536, status)))
        return code;
    size_t override_count = json_array_size(overrides), raster_count = json_array_size(rasters);
    holder->overrides = calloc(override_count + 1, sizeof holder->overrides[0]);
    holder->rasters = calloc(raster_count + 1, sizeof holder->rasters[0]);
    if (!holder->overrides || !holder->rasters)
        return status_fail_memory(status, "metadata", override_count * sizeof holder->overrides[0]);
    for (size_t k = 0; k < override_count; k++) {
        holder->overrides[k] = json_string_value(json_array_get(overrides, k));
        if (!holder->overrides[k])
            return refuse("overrides", status);
    }
    for (size_t k = 0; k < raster_count; k++) {
        const json_t *digest = json_object_get(json_array_get(rasters, k), "sha256");
        if (!parse_digest(holder->rasters[k], json_string_value(digest)))
            return refuse("rasters", status);
    }
    metadata->override_count = (int)override_count;
    metadata->overrides = holder->overrides;
    metadata->raster_count = (int)raster_count;
    metadata->rasters = (const uint8_t(*)[SHA256_BYTES])holder->rasters;
    return STATUS_OK;
}

// jansson says of memory that ran out that the text is wrong, or leaves a piece of a string out and says nothing; so it
// is watched.
static _Thread_local bool memory_ran_out;

static void *watched_malloc(size_t size)
{
    void *memory = malloc(size);
    memory_ran_out = memory_ran_out || !memory;
    return memory;
}

enum status_code metadata_parse(struct metadata *metadata, const char *text, size_t length, struct status *status)
{
    memset(metadata, 0, sizeof *metadata);
    json_error_t error;
    json_set_alloc_funcs(watched_malloc, free);
    memory_ran_out = false;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (memory_ran_out) {
        json_decref(root);
        return status_fail_memory(status, "metadata", length);
    }
    if (!root)
        return status_fail(status, STATUS_INPUT, "metadata: byte %d: %s", error.position, error.text);
    struct holder *holder = calloc(1, sizeof *holder);
    if (!holder) {
        json_decref(root);
        return status_fail_memory(status, "metadata", sizeof *holder);
    }
    metadata->owner = holder;
    holder->root = root;
    enum status_code code;
    if ((code = get_text(&metadata->generator, root, "generator", status)) ||
        (code = get_text(&metadata->planet, root, "planet", status)) ||
        (code = get_text(&metadata->planet_text, root, "planet_text", status)) ||
        (code = get_numbers(metadata, root, status)) || (code = get_layers(metadata, root, status)) ||
        (code = get_lists(metadata, holder, status)) || (code = get_plan(metadata, root, status)))
        metadata_free(metadata);
    return code;
}

void metadata_free(struct metadata *metadata)
{
    struct holder *holder = metadata->owner;
    if (!holder)
        return;
    json_decref(holder->root);
    free(holder->overrides);
    free(holder->rasters);
    free(holder);
    metadata->owner = NULL;
}

// ---- Differences ---------------------------------------------------------------------------------------

struct words {
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct words *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(words->text + words->used, words->size - words->used, format, args);
    va_end(args);
    if (length > 0)
        words->used = words->used + (size_t)length < words->size ? words->used + (size_t)length : words->size - 1;
}

// Short values are shown, long ones (the planet's text, lists of rasters) only named.
static void say_difference(struct words *words, const char *key, const json_t *a, const json_t *b)
{
    enum { SHORT_MAX = 40 };
    char left[SHORT_MAX + 1] = "nothing", right[SHORT_MAX + 1] = "nothing";
    size_t flags = JSON_ENCODE_ANY | JSON_COMPACT;
    size_t left_length = a ? json_dumpb(a, left, SHORT_MAX, flags) : strlen(left);
    size_t right_length = b ? json_dumpb(b, right, SHORT_MAX, flags) : strlen(right);
    const char *separator = words->used ? "; " : "";
    if (left_length > SHORT_MAX || right_length > SHORT_MAX || left_length == 0 || right_length == 0) {
        say(words, "%s%s differs", separator, key);
        return;
    }
    left[left_length] = right[right_length] = 0;
    say(words, "%s%s is %s, not %s", separator, key, right, left);
}

bool metadata_difference(char *words, size_t size, const char *a, const char *b)
{
    struct words out = {words, size, 0};
    words[0] = 0;
    if (strcmp(a, b) == 0)
        return false;
    json_t *left = json_loads(a, 0, NULL), *right = json_loads(b, 0, NULL);
    if (json_is_object(left) && json_is_object(right)) {
        const char *key;
        json_t *value;
        json_object_foreach(left, key, value)
        {
            const json_t *other = json_object_get(right, key);
            if (!other || !json_equal(value, other))
                say_difference(&out, key, value, other);
        }
        json_object_foreach(right, key, value)
        {
            if (!json_object_get(left, key))
                say_difference(&out, key, NULL, value);
        }
    }
    if (out.used == 0)
        say(&out, "the metadata differ");
    json_decref(left);
    json_decref(right);
    return true;
}
