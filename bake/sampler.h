// SPDX-License-Identifier: MIT
// What a pack says about a point of the planet: a direction -> the deepest tile there -> the cell of four
// samples around it -> values that are bilinear in s,t between them.
//
// A spot's values are functions of the pack and the direction alone, the same bits everywhere. On a
// border between tiles of one level both give the same heights and colours, since they share the samples.
#ifndef TERRANE_BAKE_SAMPLER_H
#define TERRANE_BAKE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cube_sphere.h"
#include "common/status.h"
#include "common/tile_key.h"
#include "formats/pack.h"

// Enough for the tiles that a row of a map crosses; decoded tiles beyond it are decoded again.
#define SAMPLER_CACHE_BYTES ((size_t)48 << 20)

struct sampler; // opaque; one thread's

// layers: bit 1 << kind for each layer that will be asked for; those that the pack lacks are left out.
// level_max caps the level of the tiles (TILE_LEVEL_MAX: no cap). Where a pack has no tile at or above the cap but
// some below it (a share lacks ancestors), the highest of these is taken, unless strict.
enum status_code sampler_new(struct sampler **sampler, const struct pack *pack, unsigned layers, int level_max,
                             bool strict, struct status *status);
void sampler_free(struct sampler *sampler);

// A point in its cell. The samples belong to the sampler and stay until the next call of sampler_locate.
struct sampler_spot {
    struct double3 dir; // unit length
    struct node node;   // of the tile
    int intervals;      // of the tile
    int normal_bits;
    double s, t;         // of dir on node.face
    int column, row;     // the cell's sample with the least column and row, 0..intervals - 1
    double across, down; // place in the cell, [0, 1]
    const int32_t *heights;
    const uint8_t *normals, *colors; // NULL for layers not wanted or not there, as heights
    const double *light;             // linear light of the 256 stored values of a colour
};

// *found is false where the pack has no tile. Fails only on damage or I/O. dir must be of unit length.
enum status_code sampler_locate(struct sampler *sampler, struct double3 dir, bool *found, struct sampler_spot *spot,
                                struct status *status);

// Bilinear height in units of the pack; heights must be there.
double sampler_height(const struct sampler_spot *spot);

// Gradient of that height at dir: planet-fixed, tangential, in units a radian.
struct double3 sampler_gradient(const struct sampler_spot *spot);

// The stored normal, bilinear in the tile's tangent frame, planet-fixed, unit length; normals must be there.
struct double3 sampler_normal(const struct sampler_spot *spot);

// Linear light, bilinear; colors must be there.
void sampler_color(const struct sampler_spot *spot, double rgb[3]);

#endif
