// SPDX-License-Identifier: MIT
// Real data: an equirectangular picture (PNG) as a field on the sphere, or a colour.
//
// North up, row 0 is the northernmost, pole to pole; wraps in longitude where it spans 360 degrees. Grey 8 or 16 bits
// gives a field, value = sample; RGB 8 bits (16 accepted) gives a colour, decoded from sRGB to linear light (gAMA, iCCP
// and the like are not looked at). Magnified by Catmull-Rom with analytic gradient; minified from a chain of
// area-weighted halvings, each row smoothed along longitude where meridians crowd, so that neither grids nor poles
// alias; blended between two mips by the spacing alone, so borders stay exact. Up to a spacing of one pixel (the finer
// of its width at the equator and its height) only the picture itself is used, and the field goes through its samples,
// but in rows whose columns are narrower on the ground than the spacing: where that is w > 1 columns, by the row's own
// latitude, the row passes to its mean along longitude over w columns (from w = 2 that alone), gradient and all.
// At the poles it is smooth: beyond the pole the grid goes on with the rows of the other side, and the last half cell
// blends to the plane through the pole's mean. A raster that spans less than 360 degrees of longitude holds its edge
// values outside; in the middle half of the gap they pass smoothly from one edge's to the other's.
#ifndef TERRANE_BAKE_PLANET_RASTER_H
#define TERRANE_BAKE_PLANET_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/kernels.h"
#include "common/status.h"
#include "formats/sha256.h"

// RASTER_PIXEL: samples are the means of cells; west and east are the outer borders of the first and last column, and
// the outer borders of the first and last row are the poles. It wraps where east - west is 360.
// RASTER_NODE: samples are at points; west and east are the longitudes of the first and last column, and the first and
// last row are the poles themselves (each is averaged to one value). It wraps either where east - west is 360 (the last
// column repeats the first and is not used) or where the next column would be 360 degrees from the first (4320 columns
// from 0 to 359.91666667). "Is" means to a hundredth of a column, so that rounded decimals do.
enum raster_registration { RASTER_PIXEL, RASTER_NODE };

struct raster_options {
    double west_deg, east_deg; // see above; -360 <= west < east, 0.001 <= east - west <= 360
    enum raster_registration registration;
};

struct raster; // opaque; read-only after loading, threads share it

// Width and height up to RASTER_SIDE_MAX, width * height * channels up to RASTER_SAMPLES_MAX.
#define RASTER_SIDE_MAX 65536
#define RASTER_SAMPLES_MAX ((uint64_t)1 << 31)

// Reads a PNG. Memory, per sample of a channel: the sample (1 or 2 bytes), 4/3 bytes for the mips and half a byte for
// sums along the rows, so 3.8 bytes a sample of 16-bit grey; nothing is allocated that the file is too short to fill.
// STATUS_INPUT names the path and what is wrong: over the limits above, damaged, palette, alpha, transparent colour,
// interlaced, under 8 bits, options out of range; STATUS_RESOURCE where memory is short.
enum status_code raster_load(struct raster **raster, const char *path, const struct raster_options *options,
                             struct status *status);
void raster_free(struct raster *raster); // NULL is fine

bool raster_is_color(const struct raster *raster);
// SHA-256 of width u32 LE, height u32 LE, channels u8, bits u8, then the decoded samples in rows (16 bits LE).
void raster_sha256(const struct raster *raster, uint8_t digest[SHA256_BYTES]);

// The spacing in radians up to which no mip is used.
double raster_pixel_rad(const struct raster *raster);

// A block of PLANET_BLOCK samples at unit directions; spacing in radians. The raster must be grey: raw sample values
// (0..255 or 0..65535, Catmull-Rom overshoots a little) with tangential gradient per radian where out has one.
void raster_sample(const struct raster *raster, struct field out, const double *x, const double *y, const double *z,
                   double spacing);
// The raster must be coloured; linear light in [0,1].
void raster_sample_color(const struct raster *raster, double *const out[3], const double *x, const double *y,
                         const double *z, double spacing);

#endif
