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

// Sample number index of normals, decoded by the rule alone: about of unit length, as it was rounded.
static inline struct double3 normal_vector(const uint8_t *normals, size_t index, int bits)
{
    int steps = normal_steps(bits), q[3];
    for (size_t k = 0; k < 3; k++) {
        size_t at = 3 * index + k;
        q[k] = bits == 16 ? normals[2 * at] << 8 | normals[2 * at + 1] : normals[at];
    }
    double scale = 1.0 / steps;
    return (struct double3){(q[0] - (steps + 1)) * scale, (q[1] - (steps + 1)) * scale, (q[2] - (steps + 1)) * scale};
}

#endif
