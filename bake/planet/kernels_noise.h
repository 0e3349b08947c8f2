// SPDX-License-Identifier: MIT
// One octave of gradient noise over a block. Part of kernels_template.c, which includes this file twice, with REAL
// vectors of float and of double, as for kernels_corner.h. Before it there must be
//   NAME(placing), NAME(placing_of): what an octave needs to find places, and
//   NAME(cell_at): the cells of a vector of samples and the places in them, and
//   NAME(add_to_doubles): adds a vector to doubles.

// Where an octave goes: its value to v or, unless sum is NULL, to that; its gradient is stored, or added if there is
// one.
struct NAME(noise) {
    double *sum;
    bool has_gradient;
    LANE v[PLANET_BLOCK];
    LANE gx[PLANET_BLOCK], gy[PLANET_BLOCK], gz[PLANET_BLOCK]; // by the position
};

// Blended values with the derivative by each fade that is already blended in, and the blended gradient.
struct NAME(blend) {
    REAL v, by_u, by_v, by_w;
    REAL gx, gy, gz;
};

INLINE REAL NAME(lerp)(REAL a, REAL b, REAL t)
{
    return a + t * (b - a);
}

// A corner's plane, (x,y,z) away from it.
INLINE struct NAME(blend) NAME(corner)(struct NAME(vector) g, REAL x, REAL y, REAL z)
{
    return (struct NAME(blend)){.v = g.x * x + g.y * y + g.z * z, .gx = g.x, .gy = g.y, .gz = g.z};
}

INLINE struct NAME(blend) NAME(blend_x)(struct NAME(blend) a, struct NAME(blend) b, REAL u)
{
    REAL rise = b.v - a.v;
    return (struct NAME(blend)){.v = a.v + u * rise,
                                .by_u = rise,
                                .gx = NAME(lerp)(a.gx, b.gx, u),
                                .gy = NAME(lerp)(a.gy, b.gy, u),
                                .gz = NAME(lerp)(a.gz, b.gz, u)};
}

INLINE struct NAME(blend) NAME(blend_y)(struct NAME(blend) a, struct NAME(blend) b, REAL v)
{
    struct NAME(blend) c = NAME(blend_x)(a, b, v);
    c.by_v = c.by_u;
    c.by_u = NAME(lerp)(a.by_u, b.by_u, v);
    return c;
}

INLINE struct NAME(blend) NAME(blend_z)(struct NAME(blend) a, struct NAME(blend) b, REAL w)
{
    struct NAME(blend) c = NAME(blend_y)(a, b, w);
    c.by_w = c.by_v;
    c.by_v = NAME(lerp)(a.by_v, b.by_v, w);
    return c;
}

INLINE struct NAME(blend) NAME(edge_noise)(struct NAME(edge) edge, REAL dx, REAL y, REAL z, REAL u)
{
    return NAME(blend_x)(NAME(corner)(edge.start, dx + (LANE)0.5, y, z), NAME(corner)(edge.end, dx - (LANE)0.5, y, z),
                         u);
}

// The value in v and the gradient by the place in the cell in gx, gy, gz, both in units of the hash.
INLINE struct NAME(blend) NAME(cell_noise)(struct NAME(corners) corners, REAL dx, REAL dy, REAL dz)
{
    REAL u = NAME(fade)(dx), v = NAME(fade)(dy), w = NAME(fade)(dz);
    REAL y0 = dy + (LANE)0.5, y1 = dy - (LANE)0.5, z0 = dz + (LANE)0.5, z1 = dz - (LANE)0.5;
    struct NAME(blend) n = NAME(blend_z)(
        NAME(blend_y)(NAME(edge_noise)(corners.e00, dx, y0, z0, u), NAME(edge_noise)(corners.e10, dx, y1, z0, u), v),
        NAME(blend_y)(NAME(edge_noise)(corners.e01, dx, y0, z1, u), NAME(edge_noise)(corners.e11, dx, y1, z1, u), v),
        w);
    n.gx += NAME(fade_slope)(dx) * n.by_u;
    n.gy += NAME(fade_slope)(dy) * n.by_v;
    n.gz += NAME(fade_slope)(dz) * n.by_w;
    return n;
}

// From units of the hash to values, and from lattice gradients to gradients by the position.
struct NAME(scale) {
    LANE v, m[3][3];
};

INLINE struct NAME(scale) NAME(scale_of)(const struct octave *octave, double amplitude)
{
    struct NAME(scale) scale = {.v = (LANE)(amplitude * HASH_SCALE)};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            scale.m[i][j] = (LANE)(octave->matrix[i][j] * (amplitude * HASH_SCALE));
    return scale;
}

INLINE void NAME(store)(LANE *to, REAL x)
{
    memcpy(to, &x, sizeof x);
}

// Without an old number 0 stands for it: what is stored is never -0.
INLINE void NAME(put)(LANE *to, REAL x, bool add)
{
    REAL old = {0};
    if (add)
        memcpy(&old, to, sizeof old);
    NAME(store)(to, old + x);
}

INLINE void NAME(put_gradient)(struct NAME(noise) * noise, int i, struct NAME(blend) n,
                               const struct NAME(scale) * scale, bool add)
{
    const LANE(*m)[3] = scale->m;
    NAME(put)(&noise->gx[i], m[0][0] * n.gx + m[1][0] * n.gy + m[2][0] * n.gz, add);
    NAME(put)(&noise->gy[i], m[0][1] * n.gx + m[1][1] * n.gy + m[2][1] * n.gz, add);
    NAME(put)(&noise->gz[i], m[0][2] * n.gx + m[1][2] * n.gy + m[2][2] * n.gz, add);
}

INLINE void NAME(put_value)(struct NAME(noise) * noise, int i, REAL v)
{
    if (noise->sum)
        NAME(add_to_doubles)(&noise->sum[i], v);
    else
        NAME(store)(&noise->v[i], v);
}

// The loop, of which constant arguments leave what they need. Where all samples lie in one cell its corners are hashed
// once, which gives the same bits; deep tiles lie in one cell of most octaves.
INLINE void NAME(noise_loop)(struct NAME(noise) *restrict noise, const struct NAME(placing) * placing,
                             const struct octave *octave, double amplitude, bool gradient, bool one_cell, bool far)
{
    struct NAME(scale) scale = NAME(scale_of)(octave, amplitude);
    struct NAME(cell) cell = NAME(cell_at)(placing, 0, one_cell, far);
    struct NAME(corners) corners = NAME(hash_corners)(cell.x, cell.y, cell.z, octave->seed);
    for (int i = 0; i < PLANET_BLOCK; i += (int)(sizeof(REAL) / sizeof(LANE))) {
        cell = NAME(cell_at)(placing, i, one_cell, far);
        if (!one_cell)
            corners = NAME(hash_corners)(cell.x, cell.y, cell.z, octave->seed);
        struct NAME(blend) n = NAME(cell_noise)(corners, cell.dx, cell.dy, cell.dz);
        NAME(put_value)(noise, i, n.v * scale.v);
        if (gradient && noise->has_gradient)
            NAME(put_gradient)(noise, i, n, &scale, true);
        else if (gradient)
            NAME(put_gradient)(noise, i, n, &scale, false);
    }
}

#define NOISE_STAGE(name, gradient, one_cell, far)                                                                     \
    STAGE void NAME(name)(struct NAME(noise) *restrict noise, const struct NAME(placing) * placing,                    \
                          const struct octave *octave, double amplitude)                                               \
    {                                                                                                                  \
        NAME(noise_loop)(noise, placing, octave, amplitude, gradient, one_cell, far);                                  \
    }
NOISE_STAGE(noise_value, false, false, false)
NOISE_STAGE(noise_gradient, true, false, false)
NOISE_STAGE(noise_value_in_one_cell, false, true, false)
NOISE_STAGE(noise_gradient_in_one_cell, true, true, false)
NOISE_STAGE(noise_value_far, false, false, true)
NOISE_STAGE(noise_gradient_far, true, false, true)
#undef NOISE_STAGE

// amplitude times the noise. Then there is a gradient, if one was wanted.
static void NAME(evaluate_noise)(struct NAME(noise) *restrict noise, const struct NAME(placing) * placing,
                                 const struct octave *octave, double amplitude, bool gradient)
{
    if (placing->one_cell)
        (gradient ? NAME(noise_gradient_in_one_cell) : NAME(noise_value_in_one_cell))(noise, placing, octave,
                                                                                      amplitude);
    else if (placing->far)
        (gradient ? NAME(noise_gradient_far) : NAME(noise_value_far))(noise, placing, octave, amplitude);
    else
        (gradient ? NAME(noise_gradient) : NAME(noise_value))(noise, placing, octave, amplitude);
    noise->has_gradient = gradient;
}
