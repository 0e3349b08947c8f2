// SPDX-License-Identifier: MIT
#include "bake/layer_list.h"

#include <string.h>

#include "formats/layer.h"

static int kind_of(const char *name, size_t length)
{
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (strlen(layer_names[kind]) == length && memcmp(layer_names[kind], name, length) == 0)
            return kind;
    }
    return -1;
}

enum status_code layer_list_parse(const struct option_row *row, const char *text, void *destination,
                                  struct status *status)
{
    unsigned layers = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int kind = kind_of(at, length);
        if (kind < 0 || layers & 1u << kind)
            return option_refuse(row, text, "one or more of height,normal,color with commas between", status);
        layers |= 1u << kind;
        at += length;
        if (!*at)
            break;
    }
    *(unsigned *)destination = layers;
    return STATUS_OK;
}
