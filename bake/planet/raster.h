// SPDX-License-Identifier: MIT
// Real data: an equirectangular picture (PNG) as a field on the sphere, or a colour.
//
// North up, row 0 is the northernmost, wraps in longitude where it spans 360 degrees. Grey 8 or 16 bits gives a field,
// value = scale * sample + offset; RGB 8 bits (16 accepted) gives a colour, decoded from sRGB to linear light.
// Magnified by Catmull-Rom with analytic gradient; minified from a chain of area-weighted halvings, each row
// smoothed along longitude where meridians crowd, so that neither grids nor poles alias; blended between two mips by
// the spacing alone, so borders stay exact. At the poles it is smooth: beyond the pole the grid goes on with the rows
// of the other side, and the last half cell blends to the pole's mean. A raster that spans less than 360 degrees of
// longitude holds its edge values outside.
#ifndef TERRANE_BAKE_PLANET_RASTER_H
#define TERRANE_BAKE_PLANET_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/kernels.h"
#include "common/status.h"
#include "formats/sha256.h"

enum raster_registration { RASTER_PIXEL, RASTER_NODE };

struct raster_options {
    double west_deg, east_deg; // of the outer pixel borders (pixel) or the outer sample columns (node)
    enum raster_registration registration;
};

struct raster; // opaque; read-only after loading, threads share it

// Reads a PNG. Bounded: width and height up to 65,536 and 2^31 samples, memory is about 3 bytes a grey sample and 6 a
// coloured one; refusal names the path. Palette, alpha, interlaced and 1-4 bit files are STATUS_INPUT saying what is
// accepted.
enum status_code raster_load(struct raster **raster, const char *path, const struct raster_options *options,
                             struct status *status);
void raster_free(struct raster *raster);

bool raster_is_color(const struct raster *raster);
// SHA-256 of width u32 LE, height u32 LE, channels u8, bits u8, then the decoded samples in rows (16 bits LE).
void raster_sha256(const struct raster *raster, uint8_t digest[SHA256_BYTES]);

// A block of PLANET_BLOCK samples at unit directions; spacing in radians. Grey: raw sample values (0..255 or 0..65535)
// with gradient where out has one.
void raster_sample(const struct raster *raster, struct field out, const double *x, const double *y, const double *z,
                   double spacing);
void raster_sample_color(const struct raster *raster, double *const out[3], const double *x, const double *y,
                         const double *z, double spacing);

#endif
