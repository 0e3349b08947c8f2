// SPDX-License-Identifier: MIT
// One octave of gradient noise over a block. Part of kernels_template.c, which includes this file twice, with REAL
// float and double and NAME(x) giving each copy its own names; the cell and the place in it are always found in double.
//
// The noise is Perlin's (2002): each corner of a lattice cell has a gradient, its plane through the corner is blended
// with the others by the quintic fade. Gradients are uniform in a cube, from the bits of an arithmetic hash.

struct NAME(cells) {
    uint32_t x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK]; // number of the cell, modulo 2^32
    REAL dx[PLANET_BLOCK], dy[PLANET_BLOCK], dz[PLANET_BLOCK];  // from the middle of the cell, -0.5..0.5
};

struct NAME(noise) {
    REAL v[PLANET_BLOCK];
    REAL gx[PLANET_BLOCK], gy[PLANET_BLOCK], gz[PLANET_BLOCK]; // by the position before the octave's matrix
};

STAGE void NAME(find_cells)(struct NAME(cells) *restrict cells, const struct points *at, const struct octave *octave)
{
    const double(*m)[3] = octave->matrix;
    const double *x = at->x, *y = at->y, *z = at->z;
    const double *offset = octave->offset;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double px = m[0][0] * x[i] + m[0][1] * y[i] + m[0][2] * z[i] + offset[0];
        double py = m[1][0] * x[i] + m[1][1] * y[i] + m[1][2] * z[i] + offset[1];
        double pz = m[2][0] * x[i] + m[2][1] * y[i] + m[2][2] * z[i] + offset[2];
        // Adding and taking away ROUND leaves the nearest integer, whose low bits are the sum's: cell k is the one with
        // its middle at k. Between two cells either will do, the noise is continuous there.
        double nx = px + ROUND, ny = py + ROUND, nz = pz + ROUND;
        cells->x[i] = (uint32_t)double_bits(nx);
        cells->y[i] = (uint32_t)double_bits(ny);
        cells->z[i] = (uint32_t)double_bits(nz);
        cells->dx[i] = (REAL)(px - (nx - ROUND));
        cells->dy[i] = (REAL)(py - (ny - ROUND));
        cells->dz[i] = (REAL)(pz - (nz - ROUND));
    }
}

struct NAME(vector) {
    REAL x, y, z;
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

// The gradient of the corner with hash h. The three components overlap in their lower bits, which correlates them by
// 2^-9 and saves masking; the lowest bits of a product are the least mixed and are left out.
INLINE struct NAME(vector) NAME(corner_gradient)(uint32_t h)
{
    return (struct NAME(vector)){(REAL)(int32_t)h, (REAL)(int32_t)(h << 9), (REAL)(int32_t)(h << 18)};
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

// 6 t^5 - 15 t^4 + 10 t^3 with t = d + 0.5, written around the middle, where it is odd; exactly 0 and 1 at the ends.
INLINE REAL NAME(fade)(REAL d)
{
    REAL s = d * d;
    return (REAL)0.5 + d * ((REAL)1.875 + s * ((REAL)6.0 * s - (REAL)5.0));
}

INLINE REAL NAME(fade_slope)(REAL d)
{
    REAL s = d * d - (REAL)0.25;
    return (REAL)30.0 * (s * s);
}

// The two ends of an edge of a cell along x, and a cell's four edges: first y, then z. Named, not an array: gcc 12 does
// not vectorise loops that hold arrays of their own.
struct NAME(edge) {
    struct NAME(vector) start, end;
};
struct NAME(corners) {
    struct NAME(edge) e00, e10, e01, e11;
};

INLINE struct NAME(edge) NAME(hash_edge)(uint32_t hash)
{
    return (struct NAME(edge)){NAME(corner_gradient)(hash_mix(hash)), NAME(corner_gradient)(hash_mix(hash + HASH_X))};
}

INLINE struct NAME(corners) NAME(hash_corners)(uint32_t x, uint32_t y, uint32_t z, const uint32_t seed[2])
{
    uint32_t hash_x = x * HASH_X, hash_y = y * HASH_Y + seed[1], hash_z = z * HASH_Z + seed[0];
    uint32_t face0 = hash_mix(hash_z) + hash_y, face1 = hash_mix(hash_z + HASH_Z) + hash_y;
    return (struct NAME(corners)){.e00 = NAME(hash_edge)(hash_mix(face0) + hash_x),
                                  .e10 = NAME(hash_edge)(hash_mix(face0 + HASH_Y) + hash_x),
                                  .e01 = NAME(hash_edge)(hash_mix(face1) + hash_x),
                                  .e11 = NAME(hash_edge)(hash_mix(face1 + HASH_Y) + hash_x)};
}

INLINE struct NAME(blend) NAME(edge_noise)(struct NAME(edge) edge, REAL dx, REAL y, REAL z, REAL u)
{
    return NAME(blend_x)(NAME(corner)(edge.start, dx + (REAL)0.5, y, z), NAME(corner)(edge.end, dx - (REAL)0.5, y, z),
                         u);
}

// The value in v and the gradient by the place in the cell in gx, gy, gz, both in units of the hash.
INLINE struct NAME(blend) NAME(cell_noise)(struct NAME(corners) corners, REAL dx, REAL dy, REAL dz)
{
    REAL u = NAME(fade)(dx), v = NAME(fade)(dy), w = NAME(fade)(dz);
    REAL y0 = dy + (REAL)0.5, y1 = dy - (REAL)0.5, z0 = dz + (REAL)0.5, z1 = dz - (REAL)0.5;
    struct NAME(blend) n = NAME(blend_z)(
        NAME(blend_y)(NAME(edge_noise)(corners.e00, dx, y0, z0, u), NAME(edge_noise)(corners.e10, dx, y1, z0, u), v),
        NAME(blend_y)(NAME(edge_noise)(corners.e01, dx, y0, z1, u), NAME(edge_noise)(corners.e11, dx, y1, z1, u), v),
        w);
    n.gx += NAME(fade_slope)(dx) * n.by_u;
    n.gy += NAME(fade_slope)(dy) * n.by_v;
    n.gz += NAME(fade_slope)(dz) * n.by_w;
    return n;
}

STAGE void NAME(noise_value)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict c,
                             const struct octave *octave)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(corners) corners = NAME(hash_corners)(c->x[i], c->y[i], c->z[i], octave->seed);
        noise->v[i] = NAME(cell_noise)(corners, c->dx[i], c->dy[i], c->dz[i]).v * (REAL)HASH_SCALE;
    }
}

// From lattice gradients to gradients by the position.
struct NAME(turn) {
    REAL m[3][3];
};

INLINE struct NAME(turn) NAME(turn_of)(const struct octave *octave)
{
    struct NAME(turn) turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn.m[i][j] = (REAL)(octave->matrix[i][j] * HASH_SCALE);
    return turn;
}

INLINE void NAME(store)(struct NAME(noise) *restrict noise, int i, struct NAME(blend) n, const struct NAME(turn) * turn)
{
    const REAL(*m)[3] = turn->m;
    noise->v[i] = n.v * (REAL)HASH_SCALE;
    noise->gx[i] = m[0][0] * n.gx + m[1][0] * n.gy + m[2][0] * n.gz;
    noise->gy[i] = m[0][1] * n.gx + m[1][1] * n.gy + m[2][1] * n.gz;
    noise->gz[i] = m[0][2] * n.gx + m[1][2] * n.gy + m[2][2] * n.gz;
}

STAGE void NAME(noise_gradient)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict c,
                                const struct octave *octave)
{
    struct NAME(turn) turn = NAME(turn_of)(octave);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(corners) corners = NAME(hash_corners)(c->x[i], c->y[i], c->z[i], octave->seed);
        NAME(store)(noise, i, NAME(cell_noise)(corners, c->dx[i], c->dy[i], c->dz[i]), &turn);
    }
}

// The same, to the bit, where all samples lie in one cell: its corners are hashed once. Deep tiles lie in one cell of
// most octaves.
STAGE void NAME(noise_value_in_one_cell)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict c,
                                         const struct octave *octave)
{
    struct NAME(corners) corners = NAME(hash_corners)(c->x[0], c->y[0], c->z[0], octave->seed);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        noise->v[i] = NAME(cell_noise)(corners, c->dx[i], c->dy[i], c->dz[i]).v * (REAL)HASH_SCALE;
}

STAGE void NAME(noise_gradient_in_one_cell)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict c,
                                            const struct octave *octave)
{
    struct NAME(turn) turn = NAME(turn_of)(octave);
    struct NAME(corners) corners = NAME(hash_corners)(c->x[0], c->y[0], c->z[0], octave->seed);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        NAME(store)(noise, i, NAME(cell_noise)(corners, c->dx[i], c->dy[i], c->dz[i]), &turn);
}

INLINE bool NAME(all_in_one_cell)(const struct NAME(cells) * c)
{
    const int last = PLANET_BLOCK - 1;
    if (c->x[0] != c->x[last] || c->y[0] != c->y[last] || c->z[0] != c->z[last]) // mostly enough
        return false;
    uint32_t different = 0;
    for (int i = 1; i < PLANET_BLOCK; i++)
        different |= (c->x[i] ^ c->x[0]) | (c->y[i] ^ c->y[0]) | (c->z[i] ^ c->z[0]);
    return different == 0;
}

static void NAME(evaluate_noise)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict cells,
                                 const struct octave *octave, bool gradient)
{
    bool one_cell = NAME(all_in_one_cell)(cells);
    if (gradient && one_cell)
        NAME(noise_gradient_in_one_cell)(noise, cells, octave);
    else if (gradient)
        NAME(noise_gradient)(noise, cells, octave);
    else if (one_cell)
        NAME(noise_value_in_one_cell)(noise, cells, octave);
    else
        NAME(noise_value)(noise, cells, octave);
}
