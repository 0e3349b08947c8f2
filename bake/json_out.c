// SPDX-License-Identifier: MIT
#include "bake/json_out.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "common/text_number.h"

struct json_out json_begin(FILE *file)
{
    return (struct json_out){.file = file};
}

// The comma before a member and its key.
static void lead(struct json_out *json, const char *key)
{
    assert(json->depth == 0 || (key != NULL) == (json->closing[json->depth - 1] == '}'));
    if (json->depth > 0) {
        if (json->filled[json->depth - 1])
            fputc(',', json->file);
        json->filled[json->depth - 1] = true;
    }
    if (key)
        fprintf(json->file, "\"%s\":", key);
}

static void open_group(struct json_out *json, const char *key, char opening, char closing)
{
    lead(json, key);
    assert(json->depth < JSON_DEPTH_MAX);
    json->filled[json->depth] = false;
    json->closing[json->depth] = closing;
    json->depth++;
    fputc(opening, json->file);
}

void json_open_object(struct json_out *json, const char *key)
{
    open_group(json, key, '{', '}');
}

void json_open_array(struct json_out *json, const char *key)
{
    open_group(json, key, '[', ']');
}

void json_end(struct json_out *json)
{
    assert(json->depth > 0);
    json->depth--;
    fputc(json->closing[json->depth], json->file);
}

// Length of the UTF-8 sequence at p (RFC 3629: shortest form, no surrogates, up to U+10FFFF), 0 if there is none.
static size_t utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    for (size_t k = 1; k < length; k++) {
        if ((p[k] & 0xC0) != 0x80) // also stops at the terminating zero
            return 0;
    }
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) ||
        (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

void json_text(struct json_out *json, const char *key, const char *text)
{
    lead(json, key);
    fputc('"', json->file);
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        size_t length = utf8_length(p);
        if (length == 0)
            fputs("\\ufffd", json->file);
        else if (*p == '"' || *p == '\\')
            fprintf(json->file, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", json->file);
        else if (*p < 0x20 || *p == 0x7f)
            fprintf(json->file, "\\u%04x", (unsigned)*p);
        else
            fwrite(p, 1, length, json->file);
        p += length ? length : 1;
    }
    fputc('"', json->file);
}

void json_u64(struct json_out *json, const char *key, uint64_t value)
{
    lead(json, key);
    fprintf(json->file, "%" PRIu64, value);
}

void json_i64(struct json_out *json, const char *key, int64_t value)
{
    lead(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void json_double(struct json_out *json, const char *key, double value)
{
    lead(json, key);
    char text[REAL_TEXT_MAX];
    format_real(text, value);
    fputs(text, json->file);
    if (!strpbrk(text, ".e"))
        fputs(".0", json->file);
}

void json_bool(struct json_out *json, const char *key, bool value)
{
    lead(json, key);
    fputs(value ? "true" : "false", json->file);
}

void json_none(struct json_out *json, const char *key)
{
    lead(json, key);
    fputs("null", json->file);
}
