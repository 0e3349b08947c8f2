// SPDX-License-Identifier: MIT
#include "bake/planet/overrides.h"

#include <stdlib.h>
#include <string.h>

#include "bake/planet/resolve.h"

// Bytes that the texts of "KEY=VALUE" take at most: label, key, and VALUE with a backslash before each character.
static size_t texts_bytes(const char *text)
{
    return 4 * strlen(text) + 32;
}

// Copies length bytes and a zero to *to, which it moves behind them. Returns the copy.
static char *keep(char **to, const char *text, size_t length)
{
    char *kept = *to;
    memcpy(kept, text, length);
    kept[length] = 0;
    *to += length + 1;
    return kept;
}

static char *keep_quoted(char **to, const char *text)
{
    char *kept = *to;
    *(*to)++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *(*to)++ = '\\';
        *(*to)++ = *text;
    }
    *(*to)++ = '"';
    *(*to)++ = 0;
    return kept;
}

static bool defined_as_string(const struct syntax *file, const char *key)
{
    uint32_t index = resolve_find(file, key);
    return index != UINT32_MAX && file->expressions[file->definitions[index].root].kind == EXPRESSION_STRING;
}

static enum status_code read_one(struct override *override, char **to, const struct syntax *file, const char *text,
                                 struct status *status)
{
    static const char option[] = "--set ";
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return status_fail(status, STATUS_USAGE, "--set %s: expected KEY=VALUE", text);
    char *label = *to;
    memcpy(label, option, sizeof option - 1);
    *to += sizeof option - 1;
    keep(to, text, strlen(text));
    override->key = keep(to, text, (size_t)(equals - text));
    const char *value = equals + 1;
    if (value[0] != '"' && defined_as_string(file, override->key))
        value = keep_quoted(to, value);
    struct source source = {.label = label, .text = value, .length = strlen(value), .is_override = true};
    return syntax_parse_value(&override->value, &source, override->key, status);
}

enum status_code overrides_read(struct overrides *overrides, const struct syntax *file,
                                const struct planet_source *source, struct status *status)
{
    *overrides = (struct overrides){0};
    size_t bytes = 1;
    for (int i = 0; i < source->override_count; i++)
        bytes += texts_bytes(source->overrides[i]);
    overrides->items = calloc((size_t)source->override_count + 1, sizeof overrides->items[0]);
    overrides->texts = malloc(bytes);
    if (!overrides->items || !overrides->texts)
        return status_fail_memory(status, "--set", bytes);
    char *to = overrides->texts;
    enum status_code code = STATUS_OK;
    for (int i = 0; i < source->override_count && code == STATUS_OK; i++)
        code = read_one(&overrides->items[overrides->count++], &to, file, source->overrides[i], status);
    return code;
}

void overrides_free(struct overrides *overrides)
{
    for (int i = 0; i < overrides->count; i++)
        syntax_free(&overrides->items[i].value);
    free(overrides->items);
    free(overrides->texts);
    *overrides = (struct overrides){0};
}
