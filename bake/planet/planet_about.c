// SPDX-License-Identifier: MIT
// What a planet says about itself.
#include <assert.h>

#include "bake/planet/planet_internal.h"

const char *planet_name(const struct planet *planet)
{
    return planet->name;
}

double planet_radius_m(const struct planet *planet)
{
    return planet->radius_m;
}

const char *planet_text(const struct planet *planet, size_t *length)
{
    *length = planet->length;
    return planet->text;
}

bool planet_has_sea(const struct planet *planet)
{
    return planet->has_sea;
}

double planet_sea_m(const struct planet *planet)
{
    return planet->sea_m * (planet->radius_m / planet->file_radius_m);
}

bool planet_air(const struct planet *planet, double linear[3])
{
    for (int k = 0; k < 3 && planet->has_air; k++)
        linear[k] = planet->air[k];
    return planet->has_air;
}

int planet_raster_count(const struct planet *planet)
{
    return planet->rasters.count;
}

void planet_raster_sha256(const struct planet *planet, int index, uint8_t digest[SHA256_BYTES])
{
    assert(index >= 0 && index < planet->rasters.count);
    raster_sha256(planet->rasters.rasters[index], digest);
}

void planet_use_kernels(struct planet *planet, const struct kernels *kernels)
{
    planet->kernels = kernels;
}
