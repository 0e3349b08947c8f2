// SPDX-License-Identifier: MIT
#include "bake/pack_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/stable_math.h"
#include "formats/normal_vector.h"

struct differ {
    const struct pack *a, *b;
    struct pack_cursor *cursor_a, *cursor_b;
    struct layer_decoder *decoder_a, *decoder_b;
    uint8_t *samples_a, *samples_b;
    int side;
    diff_visit *visit;
    void *context;
    struct diff_report *report;
};

const char *pack_diff_incomparable(const struct pack *a, const struct pack *b)
{
    const struct pack_info *ia = pack_get_info(a), *ib = pack_get_info(b);
    if (ia->radius_m != ib->radius_m)
        return "their radius differs";
    if (ia->intervals != ib->intervals)
        return "their tile size differs";
    if (ia->height_exponent != ib->height_exponent)
        return "their height unit differs";
    if (ia->layers != ib->layers)
        return "their layers differ";
    return NULL;
}

static double height_difference_m(const struct differ *differ)
{
    size_t count = (size_t)differ->side * (size_t)differ->side;
    const int32_t *a = (const int32_t *)(const void *)differ->samples_a;
    const int32_t *b = (const int32_t *)(const void *)differ->samples_b;
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        double difference = fabs((double)a[k] - (double)b[k]);
        largest = difference > largest ? difference : largest;
    }
    return largest * height_unit_m(pack_get_info(differ->a)->height_exponent);
}

static double normal_difference_deg(const struct differ *differ, int bits)
{
    size_t count = (size_t)differ->side * (size_t)differ->side;
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        struct double3 a = normal_vector(differ->samples_a, k, bits), b = normal_vector(differ->samples_b, k, bits);
        // atan2 of cross and dot is exact for small angles, where acos of the dot is not.
        double angle = stable_atan2(double3_length(double3_cross(a, b)), double3_dot(a, b));
        largest = angle > largest ? angle : largest;
    }
    return largest * (180.0 / STABLE_PI);
}

static int color_difference(const struct differ *differ)
{
    size_t count = (size_t)differ->side * (size_t)differ->side * 3;
    int largest = 0;
    for (size_t k = 0; k < count; k++) {
        int difference = abs(differ->samples_a[k] - differ->samples_b[k]);
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

static enum status_code compare_layer(struct differ *differ, const struct pack_tile *a, const struct pack_tile *b,
                                      enum layer_kind kind, struct tile_diff *diff, struct status *status)
{
    enum status_code code = layer_decode(differ->decoder_a, a, kind, differ->samples_a, status);
    if (!code)
        code = layer_decode(differ->decoder_b, b, kind, differ->samples_b, status);
    if (code)
        return code;
    const struct pack_info *info = pack_get_info(differ->a);
    switch (kind) {
    case LAYER_HEIGHT: diff->height_max_m = height_difference_m(differ); break;
    case LAYER_NORMAL:
        diff->normal_max_deg = normal_difference_deg(
            differ, normal_bits(tile_spacing_m(info->radius_m, info->intervals, diff->node.level)));
        break;
    case LAYER_COLOR: diff->color_max = color_difference(differ); break;
    }
    return STATUS_OK;
}

static enum status_code compare_tiles(struct differ *differ, const struct pack_tile *a, const struct pack_tile *b,
                                      struct status *status)
{
    struct tile_diff diff = {.node = tile_key_node(a->key), .kind = DIFF_CONTENT};
    bool equal = true;
    for (int kind = 0; kind < LAYER_COUNT; kind++) {
        if (!(pack_get_info(differ->a)->layers & 1u << kind) ||
            memcmp(a->blobs[kind].content, b->blobs[kind].content, SHA256_BYTES) == 0)
            continue;
        equal = false;
        enum status_code code = compare_layer(differ, a, b, (enum layer_kind)kind, &diff, status);
        if (code)
            return code;
    }
    differ->report->compared++;
    // The subtree's range is left out: it depends on which other tiles there are.
    if (equal && a->height_min == b->height_min && a->height_max == b->height_max && a->error == b->error)
        return STATUS_OK;
    diff.record = equal;
    differ->report->differing++;
    return differ->visit(differ->context, &diff, status);
}

static enum status_code visit_a(void *context, const struct pack_tile *tile, struct status *status)
{
    struct differ *differ = context;
    bool found;
    struct pack_tile other;
    struct node node = tile_key_node(tile->key);
    enum status_code code = pack_find(differ->cursor_b, node, &found, &other, status);
    if (code)
        return code;
    if (found)
        return compare_tiles(differ, tile, &other, status);
    differ->report->only_in_a++;
    struct tile_diff diff = {.node = node, .kind = DIFF_ONLY_IN_A};
    return differ->visit(differ->context, &diff, status);
}

static enum status_code visit_b(void *context, const struct pack_tile *tile, struct status *status)
{
    struct differ *differ = context;
    bool found;
    struct pack_tile other;
    struct node node = tile_key_node(tile->key);
    enum status_code code = pack_find(differ->cursor_a, node, &found, &other, status);
    if (code || found)
        return code;
    differ->report->only_in_b++;
    struct tile_diff diff = {.node = node, .kind = DIFF_ONLY_IN_B};
    return differ->visit(differ->context, &diff, status);
}

enum status_code pack_diff(const struct pack *a, const struct pack *b, diff_visit *visit, void *context,
                           struct diff_report *report, struct status *status)
{
    struct differ differ = {.a = a, .b = b, .visit = visit, .context = context, .report = report};
    *report = (struct diff_report){0};
    differ.side = pack_get_info(a)->intervals + 1;
    size_t layer = layer_bytes(LAYER_NORMAL, differ.side, 16);
    differ.samples_a = malloc(layer);
    differ.samples_b = malloc(layer);
    enum status_code code = STATUS_OK;
    if (!differ.samples_a || !differ.samples_b)
        code = status_fail_memory(status, "layers to compare", 2 * layer);
    if (!code)
        code = pack_cursor_new(&differ.cursor_a, a, status);
    if (!code)
        code = pack_cursor_new(&differ.cursor_b, b, status);
    if (!code)
        code = layer_decoder_new(&differ.decoder_a, a, status);
    if (!code)
        code = layer_decoder_new(&differ.decoder_b, b, status);
    if (!code)
        code = pack_walk(a, visit_a, &differ, status);
    // Only B can have what A lacks if the counts say so.
    if (!code && pack_tile_count(b) > report->compared)
        code = pack_walk(b, visit_b, &differ, status);
    layer_decoder_free(differ.decoder_a);
    layer_decoder_free(differ.decoder_b);
    pack_cursor_free(differ.cursor_a);
    pack_cursor_free(differ.cursor_b);
    free(differ.samples_a);
    free(differ.samples_b);
    return code;
}
