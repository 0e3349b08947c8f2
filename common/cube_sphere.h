// SPDX-License-Identifier: MIT
// GLOSSARY of frames, and the way from a place on a cube face to a direction and back.
//
//   i,j      integers in [0, n]: lattice point of a face with n intervals a side, i along s, j along t
//   s,t      [0,1] on a face; s = i/n, t = j/n. Pictures and tile rows run along decreasing t
//   u,v      [-1,1] after the warp: u = cube_warp(2s - 1), about tan(pi/4 (2s - 1))
//   dir      unit vector, double, planet-fixed, right-handed: +x lat 0 lon 0, +y lat 0 lon 90, +z north pole
//   pos_m    planet-fixed metres, double: (radius_m + height_m) * dir
//   rel_m    float metres from something near (vec3.h)
//
// Faces are numbered and oriented as in S2 (s2geometry, s2coords.h):
//   face   outward   s grows along   t grows along
//    0       +x           +y              +z         lat 0 lon 0
//    1       +y           -x              +z         lat 0 lon 90
//    2       +z           -x              -y         north pole
//    3       -x           -z              -y         lat 0 lon 180
//    4       -y           -z              +x         lat 0 lon -90
//    5       -z           +y              +x         south pole
// Seen from outside, s to the right and t upward is right-handed on every face.
//
// EXACT BORDERS. A direction is a function of its point on the cube alone: each cube component is
// warped by itself (the warp is odd to the bit, and maps +-1 to +-1), the length is taken in fixed
// x,y,z order, then the components are divided. So two faces at an edge, three at a corner, and all
// levels give the same bits for a shared point. All functions are pure; threads may share them.
#ifndef TERRANE_COMMON_CUBE_SPHERE_H
#define TERRANE_COMMON_CUBE_SPHERE_H

#include <stdint.h>

#include "common/vec3.h"

#define CUBE_FACE_COUNT 6

// One of +-x, +-y, +-z: axis 0..2 and sign +-1.
struct cube_axis {
    int axis;
    int sign;
};

struct cube_face_frame {
    struct cube_axis out, s, t;
};

extern const struct cube_face_frame cube_face_frames[CUBE_FACE_COUNT];

// The tangent (equiangular) warp, [-1,1] to [-1,1], odd to the bit, error below 4e-16 against
// tan(pi/4 x). Exact at -1, 0 and 1; strictly growing over the multiples of 2^-32.
double cube_warp(double x);

// Its inverse. Where u is within 4 units of the last place of 1 of the warp of a multiple of 2^-32
// (every lattice point down to level 24 with 512 intervals), the result is that multiple exactly, so
// index -> direction -> index is without error and a point on a border is found on it.
double cube_unwarp(double u);

// The direction of (s,t) on a face. i/n for s gives the lattice point's direction to the bit.
struct double3 cube_sphere_dir(int face, double s, double t);

// The direction of lattice point (i,j), 0 <= i,j <= n, n a power of two up to 2^33.
struct double3 cube_sphere_lattice_dir(int face, int64_t i, int64_t j, int64_t n);

// The coordinate of a face's lattice line number k of n along an axis of this sign (of cube_face_frames). A lattice
// point's direction is its lines' coordinates and +-1 (out), normalised. k counts from 0 to n, and beyond an edge the
// warp goes on, up to n/3 further.
double cube_lattice_line(int sign, int64_t k, int64_t n);

// The same of count lines from first on by step, to the bit, in a fraction of the time.
void cube_lattice_lines(double *lines, int count, int sign, int64_t first, int64_t step, int64_t n);

struct cube_place {
    int face;
    double s, t;
};

// Where a direction (of any length but zero) lies. On an edge the face of the first of the axes
// x, y, z that has the largest size is taken.
struct cube_place cube_sphere_locate(struct double3 dir);

// The same on a given face, for directions in the half space before it; s and t may lie outside
// [0,1] (down to -0.5 and up to 1.5), which tests of neighbours need.
struct cube_place cube_sphere_locate_on_face(int face, struct double3 dir);

// The frame of tile normals at dir: z = dir (up), x = direction of growing s made orthogonal to up,
// y = z cross x. right-handed, unit length.
struct tangent_frame {
    struct double3 x, y, z;
};
struct tangent_frame cube_tangent_frame(int face, struct double3 dir);

// Geographic degrees: latitude -90..90, longitude any (returned in [-180, 180)). At the poles the
// longitude returned is 0.
struct double3 geographic_dir(double latitude_deg, double longitude_deg);
void geographic_of(struct double3 dir, double *latitude_deg, double *longitude_deg);

#endif
