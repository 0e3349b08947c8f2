// SPDX-License-Identifier: MIT
// Any bytes as a planet file: it is refused with one line and, mostly, the place with a caret; or it loads and can be
// sampled. Bytes behind a zero byte are one override, as --set would give it. Rasters are refused, so no file is read.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/planet.h"
#include "common/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sample(const struct planet *planet)
{
    double lanes[10][PLANET_BLOCK];
    for (int i = 0; i < PLANET_BLOCK; i++) {
        // A meridian from pole to pole; its middle is the equator.
        double t = 2.0 * i / (PLANET_BLOCK - 1) - 1.0, length = 1.0 / (1.0 + t * t);
        lanes[0][i] = (1.0 - t * t) * length;
        lanes[1][i] = 0;
        lanes[2][i] = 2.0 * t * length;
    }
    struct planet_block out = {lanes[3], lanes[4], lanes[5], lanes[6], lanes[7], lanes[8], lanes[9]};
    void *scratch = aligned_alloc(ARENA_ALIGNMENT, planet_scratch_bytes(planet));
    planet_scratch_begin(planet, scratch);
    assert(scratch);
    planet_sample(planet, scratch, PLANET_BLOCK, lanes[0], lanes[1], lanes[2], 1e-4 * planet_radius_m(planet),
                  PLANET_WANT_GRADIENT | PLANET_WANT_COLOR, &out);
    for (int i = 0; i < PLANET_BLOCK; i++)
        assert(lanes[7][i] >= 0 && lanes[7][i] <= 1);
    free(scratch);
}

// Nothing, or two lines of text, the second with a caret at its end.
static void check_context(const char *context)
{
    const char *end = strchr(context, '\n');
    if (!context[0])
        return;
    assert(end && strlen(end + 1) >= 2 && strcmp(end + strlen(end) - 2, "^\n") == 0);
    for (const char *at = context; at < end; at++)
        assert(*at == '\t' || (unsigned char)*at >= 0x20);
    assert(strspn(end + 1, " \t") == strlen(end + 1) - 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size;
    char *override = zero ? strndup((const char *)zero + 1, size - length - 1) : NULL;
    const char *overrides[] = {override};
    struct planet_source source = {
        .name = "fuzz", .seed = 1, .overrides = overrides, .override_count = override != NULL};
    // Memory of the exact size, so that a sanitizer sees reads behind it.
    char *text = malloc(length > 0 ? length : 1);
    assert(text);
    if (length > 0)
        memcpy(text, data, length);
    struct planet *planet;
    struct status status = {0};
    enum status_code code = planet_load_text(&planet, text, length, "fuzz", NULL, &source, &status);
    free(text);
    if (code == STATUS_OK) {
        sample(planet);
        planet_free(planet);
    } else {
        assert(status.code == code && status.text[0] && !strchr(status.text, '\n'));
        check_context(status.context);
        assert(code == STATUS_INPUT || (override && code == STATUS_USAGE));
    }
    free(override);
    return 0;
}
