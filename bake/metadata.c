// SPDX-License-Identifier: MIT
#include "bake/metadata.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cube_sphere.h"
#include "common/text_number.h"
#include "formats/deflate_encode.h"

double metadata_round_radius(double radius_m)
{
    return floor(radius_m / METADATA_RADIUS_STEP_M + 0.5) * METADATA_RADIUS_STEP_M;
}

// Text that grows. Once memory has run out it stays as it is, and the end sees it.
struct writer {
    char *text;
    size_t length, capacity;
    bool failed;
};

static void put_bytes(struct writer *out, const char *bytes, size_t size)
{
    if (out->failed)
        return;
    if (size >= out->capacity - out->length) {
        size_t capacity = (out->length + size) * 2 + 1024;
        char *text = realloc(out->text, capacity);
        if (!text) {
            out->failed = true;
            return;
        }
        out->text = text;
        out->capacity = capacity;
    }
    memcpy(out->text + out->length, bytes, size);
    out->length += size;
    out->text[out->length] = 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *out, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < sizeof text);
    put_bytes(out, text, (size_t)length);
}

// Length of the valid UTF-8 sequence at p (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), 0 if none.
static size_t utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xC2 && p[0] <= 0xDF ? 2 : (p[0] & 0xF0) == 0xE0 ? 3 : p[0] >= 0xF0 && p[0] <= 0xF4 ? 4 : 0;
    for (size_t k = 1; k < length; k++) {
        if ((p[k] & 0xC0) != 0x80)
            return 0;
    }
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) ||
        (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

static enum status_code put_string(struct writer *out, const char *what, const char *text, struct status *status)
{
    put_bytes(out, "\"", 1);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t length = utf8_length(p);
        if (length == 0 || (*p < 0x20 && *p != '\t' && *p != '\n' && *p != '\r') || *p == 0x7F)
            return status_fail(status, STATUS_INPUT, "%s: byte %zu is %s", what,
                               (size_t)(p - (const unsigned char *)text),
                               length == 0 ? "not UTF-8" : "a control character");
        switch (*p) {
        case '"': put_bytes(out, "\\\"", 2); break;
        case '\\': put_bytes(out, "\\\\", 2); break;
        case '\t': put_bytes(out, "\\t", 2); break;
        case '\n': put_bytes(out, "\\n", 2); break;
        case '\r': put_bytes(out, "\\r", 2); break;
        default: put_bytes(out, (const char *)p, length); break;
        }
        p += length;
    }
    put_bytes(out, "\"", 1);
    return STATUS_OK;
}

static void put_plan(struct writer *out, const struct plan *plan)
{
    const char *comma = "";
    put(out, "\"depth\":%d,\"faces\":[", plan->depth);
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        if (plan->faces >> face & 1) {
            put(out, "%s%d", comma, face);
            comma = ",";
        }
    }
    put(out, "],");
}

static void put_regions(struct writer *out, const struct plan *plan)
{
    char text[PLAN_REGION_TEXT_MAX];
    put(out, "\"regions\":[");
    for (int k = 0; k < plan->region_count; k++) {
        plan_format_region(text, &plan->regions[k]);
        put(out, "%s\"%s\"", k ? "," : "", text);
    }
    put(out, "],");
}

static void put_layers(struct writer *out, unsigned layers)
{
    const char *comma = "";
    put(out, "\"layers\":[");
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (layers >> kind & 1) {
            put(out, "%s\"%s\"", comma, layer_names[kind]);
            comma = ",";
        }
    }
    put(out, "],");
}

// For people who find a pack without its documents; readers do not need it.
static void put_conventions(struct writer *out)
{
    static const char text[] =
        "\"conventions\":{"
        "\"color\":\"sRGB albedo without lighting\","
        "\"error\":\"height units, against the planet at level 24, flat triangles split from north-west to "
        "south-east\","
        "\"faces\":\"numbered and oriented as in S2\","
        "\"height\":\"radial, above the datum sphere, int32 multiples of 2^height_unit_exponent metres\","
        "\"normal\":\"tangent space, X east along s, Y north along t, Z up, flat is 128,128,255\","
        "\"rows\":\"from the largest t down, samples on the borders included\"},";
    put_bytes(out, text, sizeof text - 1);
}

static void put_rasters(struct writer *out, const struct metadata *metadata)
{
    char digest[2 * SHA256_BYTES + 1];
    put(out, "\"rasters\":[");
    for (int k = 0; k < metadata->raster_count; k++) {
        sha256_text(digest, metadata->rasters[k]);
        put(out, "%s{\"sha256\":\"%s\"}", k ? "," : "", digest);
    }
    put(out, "],");
}

static enum status_code put_texts(struct writer *out, const struct metadata *metadata, struct status *status)
{
    enum status_code code = STATUS_OK;
    put(out, "\"overrides\":[");
    for (int k = 0; k < metadata->override_count && code == STATUS_OK; k++) {
        put(out, "%s", k ? "," : "");
        code = put_string(out, "--set", metadata->overrides[k], status);
    }
    put(out, "],\"planet\":");
    if (code == STATUS_OK)
        code = put_string(out, "the planet's name", metadata->planet, status);
    put(out, ",\"planet_text\":");
    if (code == STATUS_OK)
        code = put_string(out, metadata->planet, metadata->planet_text, status);
    put(out, ",");
    return code;
}

enum status_code metadata_format(char **text, size_t *length, const struct metadata *metadata, struct status *status)
{
    struct writer out = {NULL, 0, 0, false};
    char number[REAL_TEXT_MAX];
    put(&out, "{");
    if (metadata->has_air)
        put(&out, "\"air\":\"#%02x%02x%02x\",", metadata->air[0], metadata->air[1], metadata->air[2]);
    put(&out, "\"codec_profile\":%d,", DEFLATE_PROFILE);
    put_conventions(&out);
    put_plan(&out, &metadata->plan);
    put(&out, "\"format\":\"%s\",\"generator\":\"%s\",\"generator_content\":%d,", METADATA_FORMAT, METADATA_GENERATOR,
        METADATA_GENERATOR_CONTENT);
    put(&out, "\"height_unit_exponent\":%d,", height_unit_exponent(metadata->radius_m));
    put_layers(&out, metadata->layers);
    put(&out, "\"mapping\":\"tangent\",");
    enum status_code code = put_texts(&out, metadata, status);
    format_real(number, metadata->radius_m);
    put(&out, "\"radius_m\":\"%s\",", number);
    put_rasters(&out, metadata);
    put_regions(&out, &metadata->plan);
    format_real(number, metadata->has_sea ? metadata->sea_m : 0);
    put(&out, metadata->has_sea ? "\"sea_m\":\"%s\"," : "\"sea_m\":null,", number);
    put(&out, "\"seed\":\"%" PRIu64 "\",\"tile\":%d}", metadata->seed, metadata->intervals);
    if (code == STATUS_OK && out.failed)
        code = status_fail_memory(status, "metadata", out.length);
    if (code == STATUS_OK && out.length > PACK_METADATA_MAX)
        code = status_fail(status, STATUS_INPUT, "%s: makes metadata of %zu bytes, over the limit of %u",
                           metadata->planet, out.length, PACK_METADATA_MAX);
    if (code) {
        free(out.text);
        return code;
    }
    *text = out.text;
    *length = out.length;
    return STATUS_OK;
}
