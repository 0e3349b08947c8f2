// SPDX-License-Identifier: MIT
#include "bake/planet/kernels.h"

bool erosion_shows(const struct erosion *erosion, double spacing)
{
    return erosion->wavelength > EROSION_SAMPLES_NONE * spacing;
}
