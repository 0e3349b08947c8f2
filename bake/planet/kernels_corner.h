// SPDX-License-Identifier: MIT
// The corners of a lattice cell and what they weigh. Part of kernels_template.c, which includes this file with NAME(x)
// giving each copy its own names, for one sample and for vectors of them: REAL is what is computed with and LANE its
// scalar type, WORD has as many 32-bit unsigned integers, SIGNED_TO_REAL takes them as signed ones.
//
// The noise is Perlin's (2002): each corner of a lattice cell has a gradient, its plane through the corner is blended
// with the others by the quintic fade. Gradients are uniform in a cube, from the bits of an arithmetic hash.

struct NAME(vector) {
    REAL x, y, z;
};

// 6 t^5 - 15 t^4 + 10 t^3 with t = d + 0.5, written around the middle, where it is odd; exactly 0 and 1 at the ends.
INLINE REAL NAME(fade)(REAL d)
{
    REAL s = d * d;
    return (LANE)0.5 + d * ((LANE)1.875 + s * ((LANE)6.0 * s - (LANE)5.0));
}

INLINE REAL NAME(fade_slope)(REAL d)
{
    REAL s = d * d - (LANE)0.25;
    return (LANE)30.0 * (s * s);
}

// The gradient of the corner with hash h. The three components overlap in their lower bits, which correlates them by
// 2^-9 and saves masking; the lowest bits of a product are the least mixed and are left out.
INLINE struct NAME(vector) NAME(corner_gradient)(WORD h)
{
    return (struct NAME(vector)){SIGNED_TO_REAL(h), SIGNED_TO_REAL(h << 9), SIGNED_TO_REAL(h << 18)};
}

// The two ends of an edge of a cell along x, and a cell's four edges: first y, then z. Named, not an array: gcc 12 does
// not vectorise loops that hold arrays of their own.
struct NAME(edge) {
    struct NAME(vector) start, end;
};
struct NAME(corners) {
    struct NAME(edge) e00, e10, e01, e11;
};

INLINE WORD NAME(hash_end)(WORD hash)
{
    return (hash ^ hash >> 15) * HASH_MIX;
}

INLINE struct NAME(edge) NAME(hash_edge)(WORD hash)
{
    return (struct NAME(edge)){NAME(corner_gradient)(NAME(hash_end)(hash)),
                               NAME(corner_gradient)(NAME(hash_end)(hash + HASH_X))};
}

// y and z make the hash of an edge, multiplied once more so that its low bits count for all; x that of a corner of it.
INLINE struct NAME(corners) NAME(hash_corners)(WORD x, WORD y, WORD z, const uint32_t seed[2])
{
    WORD hash_x = x * HASH_X;
    WORD y0 = y * HASH_Y + seed[1], y1 = y0 + HASH_Y, z0 = z * HASH_Z + seed[0], z1 = z0 + HASH_Z;
    return (struct NAME(corners)){.e00 = NAME(hash_edge)((y0 ^ z0) * HASH_MIX + hash_x),
                                  .e10 = NAME(hash_edge)((y1 ^ z0) * HASH_MIX + hash_x),
                                  .e01 = NAME(hash_edge)((y0 ^ z1) * HASH_MIX + hash_x),
                                  .e11 = NAME(hash_edge)((y1 ^ z1) * HASH_MIX + hash_x)};
}
