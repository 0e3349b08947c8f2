// SPDX-License-Identifier: MIT
// A pack's metadata: everything that decides which tiles a bake has and what they hold, and nothing else. As text it is
// canonical JSON: UTF-8, keys sorted, no blanks, numbers as integers or as decimal strings. The SHA-256 of that text is
// the pack's fingerprint, so two bakes that agree in it give the same tiles. No time, host, path, thread or share of
// the work is in it.
//
// Keys: air where it is given, codec_profile, conventions, depth, faces, format, generator, generator_content,
// height_unit_exponent, layers, mapping, overrides, planet, planet_text, radius_m, rasters, regions, sea_m, seed, tile
// (formats/pack.md says what each holds). Readers ignore keys that they do not know.
#ifndef TERRANE_BAKE_METADATA_H
#define TERRANE_BAKE_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/plan.h"
#include "common/status.h"
#include "formats/pack.h"
#include "formats/sha256.h"

#define METADATA_FORMAT "1.0" // the pack format's version, major.minor
#define METADATA_GENERATOR "terrane " TERRANE_VERSION

// Raised whenever the same metadata could give other tiles than before: another engine, error estimate or rounding.
#define METADATA_GENERATOR_CONTENT 5

// Radii are multiples of 2^-16 m, so that a header can hold them as integers.
#define METADATA_RADIUS_STEP_M 0x1p-16

struct metadata {
    const char *generator; // program and version that made it
    int generator_content; // METADATA_GENERATOR_CONTENT of that program
    int codec_profile;     // DEFLATE_PROFILE of that program
    const char *planet;    // name
    const char *planet_text;
    int override_count;
    const char *const *overrides; // "KEY=VALUE"
    int raster_count;
    const uint8_t (*rasters)[SHA256_BYTES]; // in order of first use
    uint64_t seed;
    double radius_m; // a multiple of METADATA_RADIUS_STEP_M
    bool has_sea;
    double sea_m; // height of the sea, where the planet has one
    bool has_air;
    uint8_t air[3]; // colour of the air, sRGB, where the planet gives one
    int intervals;
    unsigned layers;  // bit 1 << kind
    struct plan plan; // depth, faces and regions, in the order of plan_prepare; always the whole plan
    void *owner;      // of the memory behind the pointers after metadata_parse; otherwise NULL, and the caller owns it
};

// radius_m rounded to the nearest multiple of METADATA_RADIUS_STEP_M.
double metadata_round_radius(double radius_m);

// The canonical text; *text is malloc'd and ends in a zero. Texts that are not valid UTF-8, or that hold a control
// character other than tab and line ends, are STATUS_INPUT. generator, generator_content and codec_profile are taken
// from this program, not from metadata.
enum status_code metadata_format(char **text, size_t *length, const struct metadata *metadata, struct status *status);

// Reads a pack's metadata text. Survives any bytes; what is missing, of the wrong type or out of range is STATUS_INPUT
// naming the key. Undo with metadata_free, also for metadata that was not parsed.
enum status_code metadata_parse(struct metadata *metadata, const char *text, size_t length, struct status *status);
void metadata_free(struct metadata *metadata);

// Says in words how b differs from a: "seed is 2, not 1; planet_text differs". Always ends in a zero, cut to size
// bytes. Returns whether they differ at all. Texts that are no JSON objects differ.
bool metadata_difference(char *words, size_t size, const char *a, const char *b);

#endif
