// SPDX-License-Identifier: MIT
// The PNG file behind a raster, decoded row by row into plain samples. Hides libpng and its longjmp.
#ifndef TERRANE_BAKE_PLANET_RASTER_PNG_H
#define TERRANE_BAKE_PLANET_RASTER_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "formats/sha256.h"

struct raster_image {
    int width, height;
    int channels;                 // 1 grey, 3 RGB
    int bits;                     // 8 or 16
    void *samples;                // uint8_t or uint16_t (host order), rows from the top, no padding; raster_image_free
    uint8_t sha256[SHA256_BYTES]; // as raster_sha256
};

// Limits, refusals and errors as raster_load's. On failure nothing is held and samples is NULL.
enum status_code raster_png_read(struct raster_image *image, const char *path, struct status *status);
void raster_image_free(struct raster_image *image);

#endif
