// SPDX-License-Identifier: MIT
// One sample of a decoded normal layer as a vector in the tile's tangent frame (layer.h).
#ifndef TERRANE_FORMATS_NORMAL_VECTOR_H
#define TERRANE_FORMATS_NORMAL_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#include "common/vec3.h"

// Steps from a component of 0 to one of 1.
static inline int normal_steps(int bits)
{
    return bits == 16 ? 32767 : 127;
}

static inline double normal_component(const uint8_t *normals, size_t at, int bits)
{
    int steps = normal_steps(bits), stored = bits == 16 ? normals[2 * at] << 8 | normals[2 * at + 1] : normals[at];
    return (stored - (steps + 1)) * (1.0 / steps);
}

// Sample number index of normals, decoded by the rule alone: about of unit length, as it was rounded.
static inline struct double3 normal_vector(const uint8_t *normals, size_t index, int bits)
{
    return (struct double3){normal_component(normals, 3 * index, bits), normal_component(normals, 3 * index + 1, bits),
                            normal_component(normals, 3 * index + 2, bits)};
}

#endif
