// SPDX-License-Identifier: MIT
// Three-component vectors as plain values. double3 says where something is, float3 how far it is
// from something near; the one crossing between the two subtracts first (float3_relative).
#ifndef TERRANE_COMMON_VEC3_H
#define TERRANE_COMMON_VEC3_H

#include <math.h>

struct double3 {
    double x, y, z;
};

struct float3 {
    float x, y, z;
};

static inline struct double3 double3_add(struct double3 a, struct double3 b)
{
    return (struct double3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct double3 double3_sub(struct double3 a, struct double3 b)
{
    return (struct double3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct double3 double3_scale(struct double3 a, double k)
{
    return (struct double3){a.x * k, a.y * k, a.z * k};
}

static inline double double3_dot(struct double3 a, struct double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct double3 double3_cross(struct double3 a, struct double3 b)
{
    return (struct double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double double3_length(struct double3 a)
{
    return sqrt(double3_dot(a, a));
}

// a must not be zero.
static inline struct double3 double3_normalise(struct double3 a)
{
    double length = double3_length(a);
    return (struct double3){a.x / length, a.y / length, a.z / length};
}

// The only place where a position becomes a float: the distance of position from origin, both in
// metres in the planet-fixed frame. The subtraction is done in double, so the result is good to
// a float's 24 bits of the distance, not of the position.
static inline struct float3 float3_relative(struct double3 position, struct double3 origin)
{
    struct double3 d = double3_sub(position, origin);
    return (struct float3){(float)d.x, (float)d.y, (float)d.z};
}

#endif
