// SPDX-License-Identifier: MIT
#include "bake/bake_setup.h"

#include <stdlib.h>
#include <string.h>

#include "bake/metadata.h"
#include "bake/srgb.h"
#include "common/tile_grid.h"

static size_t key_length(const char *override)
{
    return strcspn(override, "=");
}

static int compare_keys(const char *a, const char *b)
{
    size_t left = key_length(a), right = key_length(b);
    int order = memcmp(a, b, left < right ? left : right);
    return order ? order : left < right ? -1 : left > right;
}

// Sorted by key, the last of each key: what decides the planet, in one order. sorted has room for all.
static int settle_overrides(const char **sorted, const char *const *overrides, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        int at = 0;
        while (at < kept && compare_keys(sorted[at], overrides[k]) < 0)
            at++;
        if (at == kept || compare_keys(sorted[at], overrides[k]) != 0) {
            memmove(&sorted[at + 1], &sorted[at], (size_t)(kept - at) * sizeof sorted[0]);
            kept++;
        }
        sorted[at] = overrides[k];
    }
    return kept;
}

static enum status_code load_planet(struct planet **planet, const struct planet_source *wanted, struct status *status)
{
    struct planet_source source = *wanted;
    source.radius_m = metadata_round_radius(source.radius_m);
    enum status_code code = planet_load(planet, &source, status);
    if (code)
        return code;
    double radius_m = planet_radius_m(*planet);
    if (!(radius_m >= RADIUS_MIN_M && radius_m <= RADIUS_MAX_M)) {
        code = status_fail(status, STATUS_INPUT, "%s: its radius of %g m is not within %g to %g", source.name, radius_m,
                           RADIUS_MIN_M, RADIUS_MAX_M);
        planet_free(*planet);
        *planet = NULL;
        return code;
    }
    source.radius_m = metadata_round_radius(radius_m);
    if (source.radius_m == radius_m)
        return STATUS_OK;
    // The planet's own radius is no multiple of 2^-16 m.
    planet_free(*planet);
    *planet = NULL;
    return planet_load(planet, &source, status);
}

static bool encode_air(uint8_t rgb[3], const struct planet *planet)
{
    struct srgb_table table;
    double linear[3];
    if (!planet_air(planet, linear))
        return false;
    srgb_prepare(&table);
    for (int k = 0; k < 3; k++)
        rgb[k] = srgb_encode(&table, linear[k]);
    return true;
}

static enum status_code describe(struct bake_setup *setup, const struct planet_source *source, struct status *status)
{
    const struct planet *planet = setup->planet;
    size_t text_length;
    struct metadata metadata = {.planet = planet_name(planet),
                                .planet_text = planet_text(planet, &text_length),
                                .override_count = source->override_count,
                                .overrides = source->overrides,
                                .raster_count = planet_raster_count(planet),
                                .seed = source->seed,
                                .radius_m = planet_radius_m(planet),
                                .has_sea = planet_has_sea(planet),
                                .sea_m = planet_has_sea(planet) ? planet_sea_m(planet) : 0,
                                .intervals = setup->recipe.intervals,
                                .layers = setup->recipe.layers,
                                .plan = setup->plan};
    metadata.has_air = encode_air(metadata.air, planet);
    uint8_t(*rasters)[SHA256_BYTES] = calloc((size_t)metadata.raster_count + 1, sizeof rasters[0]);
    if (!rasters)
        return status_fail_memory(status, "raster hashes", (size_t)metadata.raster_count * sizeof rasters[0]);
    for (int k = 0; k < metadata.raster_count; k++)
        planet_raster_sha256(planet, k, rasters[k]);
    metadata.rasters = (const uint8_t(*)[SHA256_BYTES])rasters;
    enum status_code code = metadata_format(&setup->metadata, &setup->metadata_length, &metadata, status);
    free(rasters);
    return code;
}

static void fill_info(struct bake_setup *setup, const struct bake_subject *subject)
{
    double radius_m = planet_radius_m(setup->planet);
    setup->info = (struct pack_info){.radius_m = radius_m,
                                     .intervals = subject->intervals,
                                     .height_exponent = height_unit_exponent(radius_m),
                                     .root_levels = pack_root_levels(subject->plan.depth),
                                     .layers = subject->layers,
                                     .complete = subject->share_count == 1,
                                     .share = subject->share,
                                     .share_count = subject->share_count};
    sha256_of(setup->info.fingerprint, setup->metadata, setup->metadata_length);
    setup->owner = (struct journal_owner){setup->metadata, setup->metadata_length, subject->share, subject->share_count,
                                          subject->layers};
}

enum status_code bake_setup_make(struct bake_setup *setup, const struct bake_subject *subject, struct status *status)
{
    struct planet_source source = subject->planet;
    memset(setup, 0, sizeof *setup);
    const char **overrides = calloc((size_t)source.override_count + 1, sizeof overrides[0]);
    if (!overrides)
        return status_fail_memory(status, "overrides", (size_t)source.override_count * sizeof overrides[0]);
    source.override_count = settle_overrides(overrides, source.overrides, source.override_count);
    source.overrides = overrides;
    enum status_code code = load_planet(&setup->planet, &source, status);
    if (!code) {
        setup->recipe = (struct tile_recipe){setup->planet, subject->intervals, subject->layers};
        setup->plan = subject->plan;
        plan_prepare(&setup->plan, planet_radius_m(setup->planet));
        code = describe(setup, &source, status);
    }
    free(overrides);
    if (code) {
        bake_setup_free(setup);
        return code;
    }
    if (subject->share_count > 1)
        plan_take_share(&setup->plan, subject->share, subject->share_count);
    setup->tile_count = plan_count(&setup->plan, setup->tiles_per_level);
    fill_info(setup, subject);
    return STATUS_OK;
}

void bake_setup_free(struct bake_setup *setup)
{
    planet_free(setup->planet);
    free(setup->metadata);
    setup->planet = NULL;
    setup->metadata = NULL;
}
