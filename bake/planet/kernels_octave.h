// SPDX-License-Identifier: MIT
// One octave of gradient noise over a block. Part of kernels_template.c, which includes this file twice, with
// REAL float and double, and NAME(x) giving each copy its own names; the cell and the place in it are always found in
// double.
//
// The noise is Perlin's (2002): each corner of a lattice cell has a gradient, its plane through the corner is blended
// with the others by the quintic fade. Gradients are uniform in a cube, from the bits of an arithmetic hash.

struct NAME(cells) {
    uint32_t x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK]; // lower corner, modulo 2^32
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

// Blended values with the derivative by each fade that is already blended in, and the blended gradient.
struct NAME(blend) {
    REAL v, by_u, by_v, by_w;
    REAL gx, gy, gz;
};

INLINE REAL NAME(lerp)(REAL a, REAL b, REAL t)
{
    return a + t * (b - a);
}

// Corner with hash h, seen from (x,y,z) away. The three components overlap in their lower bits, which correlates them
// by 2^-9 and saves masking; the lowest bits of a product are the least mixed and are left out.
INLINE struct NAME(blend) NAME(corner)(uint32_t h, REAL x, REAL y, REAL z)
{
    struct NAME(blend) c = {.gx = (REAL)(int32_t)h, .gy = (REAL)(int32_t)(h << 9), .gz = (REAL)(int32_t)(h << 18)};
    c.v = c.gx * x + c.gy * y + c.gz * z;
    return c;
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

// The edge of a cell along x, from corner (x, y, z) whose hash without x is yz.
INLINE struct NAME(blend) NAME(edge)(uint32_t yz, uint32_t x, REAL dx, REAL y, REAL z, REAL u)
{
    uint32_t h = yz + x * HASH_X;
    struct NAME(blend) a = NAME(corner)(hash_mix(h), dx + (REAL)0.5, y, z);
    struct NAME(blend) b = NAME(corner)(hash_mix(h + HASH_X), dx - (REAL)0.5, y, z);
    return NAME(blend_x)(a, b, u);
}

// The value in v and the gradient by the place in the cell in gx, gy, gz, both in units of the hash.
INLINE struct NAME(blend)
    NAME(cell_noise)(uint32_t x, uint32_t y, uint32_t z, REAL dx, REAL dy, REAL dz, const uint32_t seed[2])
{
    REAL u = NAME(fade)(dx), v = NAME(fade)(dy), w = NAME(fade)(dz);
    REAL y0 = dy + (REAL)0.5, y1 = dy - (REAL)0.5, z0 = dz + (REAL)0.5, z1 = dz - (REAL)0.5;
    uint32_t hash_z = z * HASH_Z + seed[0], hash_y = y * HASH_Y + seed[1];
    uint32_t h0 = hash_mix(hash_z) + hash_y, h1 = hash_mix(hash_z + HASH_Z) + hash_y;
    struct NAME(blend) face0 = NAME(blend_y)(NAME(edge)(hash_mix(h0), x, dx, y0, z0, u),
                                             NAME(edge)(hash_mix(h0 + HASH_Y), x, dx, y1, z0, u), v);
    struct NAME(blend) face1 = NAME(blend_y)(NAME(edge)(hash_mix(h1), x, dx, y0, z1, u),
                                             NAME(edge)(hash_mix(h1 + HASH_Y), x, dx, y1, z1, u), v);
    struct NAME(blend) n = NAME(blend_z)(face0, face1, w);
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
        struct NAME(blend) n = NAME(cell_noise)(c->x[i], c->y[i], c->z[i], c->dx[i], c->dy[i], c->dz[i], octave->seed);
        noise->v[i] = n.v * (REAL)HASH_SCALE;
    }
}

STAGE void NAME(noise_gradient)(struct NAME(noise) *restrict noise, const struct NAME(cells) *restrict c,
                                 const struct octave *octave)
{
    REAL m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = (REAL)(octave->matrix[i][j] * HASH_SCALE);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(blend) n = NAME(cell_noise)(c->x[i], c->y[i], c->z[i], c->dx[i], c->dy[i], c->dz[i], octave->seed);
        noise->v[i] = n.v * (REAL)HASH_SCALE;
        noise->gx[i] = m[0][0] * n.gx + m[1][0] * n.gy + m[2][0] * n.gz;
        noise->gy[i] = m[0][1] * n.gx + m[1][1] * n.gy + m[2][1] * n.gz;
        noise->gz[i] = m[0][2] * n.gx + m[1][2] * n.gy + m[2][2] * n.gz;
    }
}

STAGE void NAME(add_fbm)(struct field out, const struct NAME(noise) *restrict noise, double amplitude)
{
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += amplitude * (double)noise->v[i];
    if (!gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        gx[i] += amplitude * (double)noise->gx[i];
        gy[i] += amplitude * (double)noise->gy[i];
        gz[i] += amplitude * (double)noise->gz[i];
    }
}

STAGE void NAME(add_billow)(struct field out, const struct NAME(noise) *restrict noise, double amplitude)
{
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        REAL n = noise->v[i], length = REAL_SQRT(n * n + (REAL)(FOLD_SOFTNESS * FOLD_SOFTNESS));
        v[i] += amplitude * (double)((REAL)2.0 * (length - (REAL)FOLD_SOFTNESS) - (REAL)BILLOW_MEAN);
    }
    if (!gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        REAL n = noise->v[i], length = REAL_SQRT(n * n + (REAL)(FOLD_SOFTNESS * FOLD_SOFTNESS));
        double slope = amplitude * (double)((REAL)2.0 * (n / length));
        gx[i] += slope * (double)noise->gx[i];
        gy[i] += slope * (double)noise->gy[i];
        gz[i] += slope * (double)noise->gz[i];
    }
}

// previous is the running ridge height, which weighs this octave.
STAGE void NAME(add_ridged)(struct field out, struct field previous, const struct NAME(noise) *restrict noise,
                             const struct octave *octave)
{
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    double *pv = previous.v, *px = previous.gx, *py = previous.gy, *pz = previous.gz;
    double amplitude = octave->amplitude, weight = octave->weight;
    SCRATCH double ridge[PLANET_BLOCK], slope[PLANET_BLOCK];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        REAL n = noise->v[i] * (REAL)RIDGE_STRETCH;
        REAL length = REAL_SQRT(n * n + (REAL)(FOLD_SOFTNESS * FOLD_SOFTNESS));
        REAL crest = (REAL)(1.0 + FOLD_SOFTNESS) - length;
        crest = crest > (REAL)0.0 ? crest : (REAL)0.0;
        ridge[i] = (double)(crest * crest - (REAL)RIDGE_MEAN) * weight + RIDGE_MEAN;
        slope[i] = (double)((REAL)(-2.0 * RIDGE_STRETCH) * crest * (n / length)) * weight;
    }
    if (gx) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++) {
            double by_noise = slope[i] * amplitude * (RIDGE_FLOOR + (1.0 - RIDGE_FLOOR) * pv[i]);
            double by_previous = (1.0 - RIDGE_FLOOR) * amplitude * ridge[i];
            double nx = (double)noise->gx[i], ny = (double)noise->gy[i], nz = (double)noise->gz[i];
            gx[i] += by_noise * nx + by_previous * px[i];
            gy[i] += by_noise * ny + by_previous * py[i];
            gz[i] += by_noise * nz + by_previous * pz[i];
            px[i] = 0.5 * px[i] + 0.5 * slope[i] * nx;
            py[i] = 0.5 * py[i] + 0.5 * slope[i] * ny;
            pz[i] = 0.5 * pz[i] + 0.5 * slope[i] * nz;
        }
    }
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        v[i] += amplitude * ridge[i] * (RIDGE_FLOOR + (1.0 - RIDGE_FLOOR) * pv[i]);
        pv[i] = 0.5 * pv[i] + 0.5 * ridge[i];
    }
}
