// SPDX-License-Identifier: MIT
// A planet: the function that is baked. Text in the planet language is compiled once into a program over
// blocks of samples; after planet_load it never changes, so threads share it, each with its own scratch.
//
// planet_sample is a pure function of (planet text, overrides, rasters, seed, radius, direction, spacing).
#ifndef TERRANE_BAKE_PLANET_PLANET_H
#define TERRANE_BAKE_PLANET_PLANET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "common/tile_key.h"
#include "formats/sha256.h"

// Samples that are evaluated together.
#define PLANET_BLOCK 128

struct planet_source {
    const char *name; // a built-in planet's name or a planet file's path; a name with a '/' or
                      // ending in ".planet" is always a path, and a built-in name always built-in
    uint64_t seed;
    double radius_m;              // 0: the radius that the planet file was written for
    const char *const *overrides; // "KEY=VALUE", from --set
    int override_count;
};

struct planet; // opaque
struct kernels;

// Reads, compiles, prepares (rasters, area quantiles, climates) and tries out (probe.h). Errors in the file are
// STATUS_INPUT and read "FILE:LINE:COLUMN: expected ..."; what is wrong with an override, and a name that is no
// built-in planet's, is STATUS_USAGE. The status's context shows the line with a caret.
enum status_code planet_load(struct planet **planet, const struct planet_source *source, struct status *status);

// The same from text in memory (length bytes, need not end in zero); label stands for the file in messages, rasters
// are looked for in folder, and folder NULL refuses rasters (what fuzzing needs).
enum status_code planet_load_text(struct planet **planet, const char *text, size_t length, const char *label,
                                  const char *folder, const struct planet_source *source, struct status *status);
void planet_free(struct planet *planet);

const char *planet_name(const struct planet *planet); // what `name` says, else the built-in's or file's name
double planet_radius_m(const struct planet *planet);  // the radius it is baked at
const char *planet_text(const struct planet *planet, size_t *length); // the planet file as it was read
bool planet_has_sea(const struct planet *planet);                     // whether the file gives `sea`
double planet_sea_m(const struct planet *planet);                     // its height, at the radius it is baked at

// Whether the file gives `air`, and if so its colour as linear light in [0,1]; else linear stays as it was.
bool planet_air(const struct planet *planet, double linear[3]);

// Rasters in order of first use: the SHA-256 of size, kind and decoded samples (raster.h).
int planet_raster_count(const struct planet *planet);
void planet_raster_sha256(const struct planet *planet, int index, uint8_t digest[SHA256_BYTES]);

// ---- Sampling ------------------------------------------------------------------------------------------

#define PLANET_WANT_GRADIENT 1u
#define PLANET_WANT_COLOR 2u

// Output of one block, in the caller's memory: PLANET_BLOCK values each. Heights in metres above the datum sphere at
// the baked radius; gradient in metres a radian, planet-fixed axes, tangential (its part along dir taken out); colour
// as linear light in [0,1]. Pointers whose part is not wanted may be NULL.
struct planet_block {
    double *height_m;
    double *gradient_x, *gradient_y, *gradient_z;
    double *red, *green, *blue;
};

// Scratch for one thread, aligned to ARENA_ALIGNMENT; planet_scratch_begin makes it ready, once. It keeps what a thread
// may need again for the next block, which never changes a result.
size_t planet_scratch_bytes(const struct planet *planet);
void planet_scratch_begin(const struct planet *planet, void *scratch);

// Evaluates count (1..PLANET_BLOCK) directions (unit vectors) with detail that a spacing of spacing_m metres (at the
// baked radius) can carry: a component of frequency f has weight clamp((f_max - f) / (0.5 f), 0, 1), f_max = 0.5 /
// spacing_m. A sample's result does not depend on the others in its block. Results may be non-finite where the planet
// divides by zero or overflows; the caller checks heights. Colours come cut to [0,1], what is not a number as 0:
// whoever must refuse such a colour, as tiles do, calls planet_sample_tile.
void planet_sample(const struct planet *planet, void *scratch, int count, const double *x, const double *y,
                   const double *z, double spacing_m, unsigned want, const struct planet_block *out);

// The same for the samples of a tile, much quicker: what is smooth is interpolated from few of them (mesh.h). Heights
// and slopes are meant to be within 1/10 of a height unit or 1/1000 of the spacing of what planet_sample gives, by what
// is known of the planet (mesh_budget.h); borders are those of the neighbours to the bit. A mesh is for tiles of so
// many intervals and for one set of wants; one thread's, in its memory, aligned to ARENA_ALIGNMENT; its planet must
// outlive it.
struct mesh;
size_t planet_mesh_bytes(const struct planet *planet, int intervals, unsigned want);
struct mesh *planet_mesh_begin(const struct planet *planet, int intervals, unsigned want, void *memory);
// Before the first sample of a tile.
void planet_mesh_start(const struct planet *planet, struct mesh *mesh, struct node node, double spacing_m);
// Then count of its samples, at these columns and rows, whose directions are x, y and z; want as the mesh was begun
// with. Quickest in the order of tile_order.h. What is returned lies in the scratch, until that is used again; pointers
// of what is not wanted are NULL, and colours are as the planet gives them: not cut to [0,1], perhaps not numbers.
struct planet_block planet_sample_tile(const struct planet *planet, void *scratch, struct mesh *mesh, int count,
                                       const uint16_t *columns, const uint16_t *rows, const double *x, const double *y,
                                       const double *z, double spacing_m, unsigned want);
// Where directions of up to PLANET_BLOCK samples may be put so that they need not be copied. They stay until the
// scratch is used for other samples.
void planet_directions(void *scratch, double *xyz[3]);

// Heights alone with the detail that spacing_m can carry, for samples that are scattered over a tile of the coarser
// spacing_of_tile_m: what is looked up on lattices (lattice.h) is looked up as that tile does, since nodes that are far
// closer than the samples would cost more than the samples. For estimates of the tile's error.
void planet_sample_scattered(const struct planet *planet, void *scratch, int count, const double *x, const double *y,
                             const double *z, double spacing_m, double spacing_of_tile_m, double *height_m);

// Makes planet_sample use these kernels (kernels.h) instead of the widest. All give the same bits: for tests and
// benchmarks, before threads share the planet.
void planet_use_kernels(struct planet *planet, const struct kernels *kernels);

// ---- Built-in planets ----------------------------------------------------------------------------------

struct builtin_planet {
    const char *name;
    const char *text;    // zero-terminated
    const char *summary; // the first comment line of the file
};
extern const struct builtin_planet builtin_planets[]; // ends with a NULL name; sorted by name

#endif
