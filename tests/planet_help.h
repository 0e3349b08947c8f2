// SPDX-License-Identifier: MIT
// Planets from text, for tests.
#ifndef TERRANE_TESTS_PLANET_HELP_H
#define TERRANE_TESTS_PLANET_HELP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bake/planet/planet.h"
#include "common/arena.h"
#include "common/cube_sphere.h"
#include "tests/check.h"

// A direction away from axes, edges and corners.
static const struct double3 some_dir = {0.36, 0.48, 0.8};

// The built-in planet of that name.
static inline const struct builtin_planet *builtin_named(const char *name)
{
    const struct builtin_planet *planet = builtin_planets;
    while (planet->name && strcmp(planet->name, name) != 0)
        planet++;
    CHECK_TEXT(planet->name != NULL, "no planet %s", name);
    return planet;
}

// Loads text as file "P" with overrides (a NULL-terminated list, or NULL).
static inline enum status_code load_with(struct planet **planet, const char *text, const char *const *overrides,
                                         uint64_t seed, double radius_m, struct status *status)
{
    struct planet_source source = {.name = "P", .seed = seed, .radius_m = radius_m, .overrides = overrides};
    while (overrides && overrides[source.override_count])
        source.override_count++;
    *status = (struct status){0};
    *planet = NULL;
    return planet_load_text(planet, text, strlen(text), "P", NULL, &source, status);
}

// The same without overrides, for text that must be right.
static inline struct planet *load_seed(const char *text, uint64_t seed)
{
    struct planet *planet;
    struct status status;
    CHECK_TEXT(load_with(&planet, text, NULL, seed, 0, &status) == STATUS_OK, "%s\n%s", status.text, text);
    return planet;
}

static inline struct planet *load_text(const char *text)
{
    return load_seed(text, 1);
}

// Memory of so many bytes or a few more, aligned to ARENA_ALIGNMENT.
static inline void *aligned(size_t bytes)
{
    return aligned_alloc(ARENA_ALIGNMENT, (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT);
}

static inline void *new_scratch(const struct planet *planet)
{
    void *scratch = aligned_alloc(ARENA_ALIGNMENT, planet_scratch_bytes(planet));
    planet_scratch_begin(planet, scratch);
    return scratch;
}

// A random direction, uniform on the sphere.
static inline struct double3 random_dir(void)
{
    for (;;) {
        struct double3 p = {2 * check_random_unit() - 1, 2 * check_random_unit() - 1, 2 * check_random_unit() - 1};
        double square = double3_dot(p, p);
        if (square > 0.01 && square <= 1)
            return double3_normalise(p);
    }
}

// A patch of 16 by 8 directions, step radians apart, around a random place.
static inline void patch_dirs(struct double3 *dirs, double step)
{
    struct double3 middle = random_dir();
    struct double3 east = double3_normalise(double3_cross(middle, random_dir()));
    struct double3 north = double3_cross(middle, east);
    for (int k = 0; k < PLANET_BLOCK; k++) {
        struct double3 shift =
            double3_add(double3_scale(east, (k / 8 - 8) * step), double3_scale(north, (k % 8) * step));
        dirs[k] = double3_normalise(double3_add(middle, shift));
    }
}

// One block with memory of its own.
struct sampled {
    double height[PLANET_BLOCK], gx[PLANET_BLOCK], gy[PLANET_BLOCK], gz[PLANET_BLOCK];
    double red[PLANET_BLOCK], green[PLANET_BLOCK], blue[PLANET_BLOCK];
};

static inline void sample_into(struct sampled *sampled, const struct planet *planet, void *scratch,
                               const struct double3 *dirs, int count, double spacing_m, unsigned want)
{
    double x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK];
    for (int i = 0; i < count; i++) {
        x[i] = dirs[i].x;
        y[i] = dirs[i].y;
        z[i] = dirs[i].z;
    }
    struct planet_block out = {sampled->height, sampled->gx,    sampled->gy,  sampled->gz,
                               sampled->red,    sampled->green, sampled->blue};
    planet_sample(planet, scratch, count, x, y, z, spacing_m, want, &out);
}

static inline void sample_dirs(struct sampled *sampled, const struct planet *planet, const struct double3 *dirs,
                               int count, double spacing_m, unsigned want)
{
    void *scratch = new_scratch(planet);
    sample_into(sampled, planet, scratch, dirs, count, spacing_m, want);
    free(scratch);
}

static inline double height_at(const struct planet *planet, struct double3 dir, double spacing_m)
{
    struct sampled sampled;
    sample_dirs(&sampled, planet, &dir, 1, spacing_m, 0);
    return sampled.height[0];
}

// The height of a planet with that text, with detail down to 100 m.
static inline double height_of(const char *text, struct double3 dir)
{
    struct planet *planet = load_text(text);
    double height = planet ? height_at(planet, dir, 100) : NAN;
    planet_free(planet);
    return height;
}

// Loading text with overrides (or NULL) must end with code and a message that begins with start and has part in it.
static inline void check_refused(const char *text, const char *const *overrides, enum status_code code,
                                 const char *start, const char *part)
{
    struct planet *planet;
    struct status status;
    enum status_code got = load_with(&planet, text, overrides, 1, 0, &status);
    CHECK_TEXT(got == code && status.code == code, "code %d for\n%s", got, text);
    CHECK_TEXT(strncmp(status.text, start, strlen(start)) == 0, "\"%s\" begins not with \"%s\"", status.text, start);
    CHECK_TEXT(strstr(status.text, part), "\"%s\" is without \"%s\"", status.text, part);
    if (got == STATUS_OK)
        planet_free(planet);
}

#endif
