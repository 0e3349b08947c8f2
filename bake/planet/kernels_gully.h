// SPDX-License-Identifier: MIT
// One octave of gullies over a block: waves across the slope. Part of kernels_template.c, which includes this file
// twice, after kernels_octave.h, with REAL float and double.
//
// Each corner of a lattice cell sends out a plane wave of one length along the direction t, its phase fixed by a point
// at random near the corner; the corners' waves are blended by the fades of gradient noise. C and S are the sums of
// cosines and sines: where they are divided by their length, waves of neighbouring corners join to unbroken lines.

// Sums over the corners, and their derivatives by the place r in the lattice at fixed t (of the blending alone) and by
// t at fixed r (without the factor GULLY_TURN).
struct NAME(waves) {
    REAL c[PLANET_BLOCK], s[PLANET_BLOCK];
    REAL c_blend[3][PLANET_BLOCK], s_blend[3][PLANET_BLOCK]; // sum of grad w cos, grad w sin
    REAL c_arm[3][PLANET_BLOCK], s_arm[3][PLANET_BLOCK];     // sum of w cos arm, w sin arm
};

struct NAME(wave_sum) {
    REAL c, s;
    struct NAME(vector) c_blend, s_blend, c_arm, s_arm;
};

// Cosine and sine of a turn: the half angle by Taylor's series (error below 6e-8), then doubled.
INLINE void NAME(turn_waves)(REAL turns, REAL *cosine, REAL *sine)
{
    REAL rest = turns - ((turns + (REAL)REAL_ROUND) - (REAL)REAL_ROUND);
    REAL x = rest * (REAL)3.14159265358979324, x2 = x * x;
    REAL half_sine =
        x * ((REAL)1.0 +
             x2 * ((REAL)(-1.0 / 6.0) +
                   x2 * ((REAL)(1.0 / 120.0) + x2 * ((REAL)(-1.0 / 5040.0) +
                                                     x2 * ((REAL)(1.0 / 362880.0) - x2 * (REAL)(1.0 / 39916800.0))))));
    REAL half_cosine =
        (REAL)1.0 +
        x2 * ((REAL)-0.5 +
              x2 * ((REAL)(1.0 / 24.0) + x2 * ((REAL)(-1.0 / 720.0) +
                                               x2 * ((REAL)(1.0 / 40320.0) + x2 * ((REAL)(-1.0 / 3628800.0) +
                                                                                   x2 * (REAL)(1.0 / 479001600.0))))));
    *cosine = (REAL)1.0 - (REAL)2.0 * half_sine * half_sine;
    *sine = (REAL)2.0 * half_sine * half_cosine;
}

// Adds the wave of one corner: shift is the corner's random gradient, (x,y,z) the place from the corner, w the weight
// along each axis and dw its slope.
INLINE struct NAME(wave_sum)
    NAME(add_corner)(struct NAME(wave_sum) sum, struct NAME(vector) shift, REAL x, REAL y, REAL z,
                     struct NAME(vector) t, struct NAME(vector) w, struct NAME(vector) dw)
{
    const REAL spread = (REAL)(GULLY_JITTER * 0x1p-31);
    struct NAME(vector) arm = {x - spread * shift.x, y - spread * shift.y, z - spread * shift.z};
    REAL cosine, sine;
    NAME(turn_waves)((REAL)GULLY_WAVES * (arm.x * t.x + arm.y * t.y + arm.z * t.z), &cosine, &sine);
    REAL yz = w.y * w.z, weight = w.x * yz;
    REAL c = weight * cosine, s = weight * sine;
    REAL by_x = dw.x * yz, by_y = w.x * dw.y * w.z, by_z = w.x * w.y * dw.z;
    return (struct NAME(wave_sum)){
        .c = sum.c + c,
        .s = sum.s + s,
        .c_blend = {sum.c_blend.x + by_x * cosine, sum.c_blend.y + by_y * cosine, sum.c_blend.z + by_z * cosine},
        .s_blend = {sum.s_blend.x + by_x * sine, sum.s_blend.y + by_y * sine, sum.s_blend.z + by_z * sine},
        .c_arm = {sum.c_arm.x + c * arm.x, sum.c_arm.y + c * arm.y, sum.c_arm.z + c * arm.z},
        .s_arm = {sum.s_arm.x + s * arm.x, sum.s_arm.y + s * arm.y, sum.s_arm.z + s * arm.z},
    };
}

// Both corners of an edge along x; y, z and their weights are the edge's.
INLINE struct NAME(wave_sum)
    NAME(add_edge)(struct NAME(wave_sum) sum, struct NAME(edge) edge, REAL dx, REAL y, REAL z, struct NAME(vector) t,
                   REAL u, REAL du, REAL wy, REAL dwy, REAL wz, REAL dwz)
{
    sum = NAME(add_corner)(sum, edge.start, dx + (REAL)0.5, y, z, t, (struct NAME(vector)){(REAL)1.0 - u, wy, wz},
                           (struct NAME(vector)){-du, dwy, dwz});
    return NAME(add_corner)(sum, edge.end, dx - (REAL)0.5, y, z, t, (struct NAME(vector)){u, wy, wz},
                            (struct NAME(vector)){du, dwy, dwz});
}

INLINE struct NAME(wave_sum)
    NAME(cell_waves)(struct NAME(corners) corners, REAL dx, REAL dy, REAL dz, struct NAME(vector) t)
{
    REAL u = NAME(fade)(dx), v = NAME(fade)(dy), w = NAME(fade)(dz);
    REAL du = NAME(fade_slope)(dx), dv = NAME(fade_slope)(dy), dw = NAME(fade_slope)(dz);
    REAL y0 = dy + (REAL)0.5, y1 = dy - (REAL)0.5, z0 = dz + (REAL)0.5, z1 = dz - (REAL)0.5;
    REAL v0 = (REAL)1.0 - v, w0 = (REAL)1.0 - w;
    struct NAME(wave_sum) sum = {0};
    sum = NAME(add_edge)(sum, corners.e00, dx, y0, z0, t, u, du, v0, -dv, w0, -dw);
    sum = NAME(add_edge)(sum, corners.e10, dx, y1, z0, t, u, du, v, dv, w0, -dw);
    sum = NAME(add_edge)(sum, corners.e01, dx, y0, z1, t, u, du, v0, -dv, w, dw);
    return NAME(add_edge)(sum, corners.e11, dx, y1, z1, t, u, du, v, dv, w, dw);
}

INLINE struct NAME(vector) NAME(turned)(const REAL m[3][3], const double *x, const double *y, const double *z, int i)
{
    REAL a = (REAL)x[i], b = (REAL)y[i], c = (REAL)z[i];
    return (struct NAME(vector)){m[0][0] * a + m[0][1] * b + m[0][2] * c, m[1][0] * a + m[1][1] * b + m[1][2] * c,
                                 m[2][0] * a + m[2][1] * b + m[2][2] * c};
}

// The octave's turn without its frequency.
INLINE struct NAME(turn) NAME(rotation_of)(const struct octave *octave)
{
    struct NAME(turn) turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn.m[i][j] = (REAL)(octave->matrix[i][j] / octave->frequency);
    return turn;
}

// The waves of the cell that sample i lies in, along t of the planet's axes.
INLINE struct NAME(wave_sum)
    NAME(waves_at)(const struct NAME(cells) * c, const struct octave *octave, const struct NAME(turn) * turn,
                   const double *tx, const double *ty, const double *tz, int i)
{
    struct NAME(corners) corners = NAME(hash_corners)(c->x[i], c->y[i], c->z[i], octave->seed);
    return NAME(cell_waves)(corners, c->dx[i], c->dy[i], c->dz[i], NAME(turned)(turn->m, tx, ty, tz, i));
}

STAGE void NAME(sum_waves)(struct NAME(waves) *restrict waves, const struct NAME(cells) *restrict c,
                           const struct octave *octave, double *const t[3])
{
    struct NAME(turn) turn = NAME(rotation_of)(octave);
    const double *tx = t[0], *ty = t[1], *tz = t[2];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(wave_sum) sum = NAME(waves_at)(c, octave, &turn, tx, ty, tz, i);
        waves->c[i] = sum.c;
        waves->s[i] = sum.s;
        waves->c_blend[0][i] = sum.c_blend.x;
        waves->c_blend[1][i] = sum.c_blend.y;
        waves->c_blend[2][i] = sum.c_blend.z;
        waves->s_blend[0][i] = sum.s_blend.x;
        waves->s_blend[1][i] = sum.s_blend.y;
        waves->s_blend[2][i] = sum.s_blend.z;
        waves->c_arm[0][i] = sum.c_arm.x;
        waves->c_arm[1][i] = sum.c_arm.y;
        waves->c_arm[2][i] = sum.c_arm.z;
        waves->s_arm[0][i] = sum.s_arm.x;
        waves->s_arm[1][i] = sum.s_arm.y;
        waves->s_arm[2][i] = sum.s_arm.z;
    }
}

// The sums alone: the same bits.
STAGE void NAME(sum_waves_value)(struct NAME(waves) *restrict waves, const struct NAME(cells) *restrict c,
                                 const struct octave *octave, double *const t[3])
{
    struct NAME(turn) turn = NAME(rotation_of)(octave);
    const double *tx = t[0], *ty = t[1], *tz = t[2];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(wave_sum) sum = NAME(waves_at)(c, octave, &turn, tx, ty, tz, i);
        waves->c[i] = sum.c;
        waves->s[i] = sum.s;
    }
}

// From the lattice's axes to the planet's: out[k] = sum of rotation[j][k] v[j], in double.
STAGE void NAME(turn_back)(double out[3][PLANET_BLOCK], const REAL v[3][PLANET_BLOCK], const struct octave *octave,
                           double scale)
{
    for (int k = 0; k < 3; k++) {
        double m0 = octave->matrix[0][k] * scale, m1 = octave->matrix[1][k] * scale, m2 = octave->matrix[2][k] * scale;
        double *row = out[k];
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            row[i] = m0 * (double)v[0][i] + m1 * (double)v[1][i] + m2 * (double)v[2][i];
    }
}

static void NAME(gully_octave)(struct gullies *g, const struct points *at, const struct octave *octave, bool gradient)
{
    SCRATCH struct NAME(cells) cells;
    SCRATCH struct NAME(waves) waves;
    double *const t[3] = {g->t[0], g->t[1], g->t[2]};
    NAME(find_cells)(&cells, at, octave);
    if (gradient)
        NAME(sum_waves)(&waves, &cells, octave, t);
    else
        NAME(sum_waves_value)(&waves, &cells, octave, t);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        g->c[i] = (double)waves.c[i];
        g->s[i] = (double)waves.s[i];
    }
    if (!gradient)
        return;
    NAME(turn_back)(g->c_blend, waves.c_blend, octave, 1.0);
    NAME(turn_back)(g->s_blend, waves.s_blend, octave, 1.0);
    NAME(turn_back)(g->c_arm, waves.c_arm, octave, 1.0 / octave->frequency);
    NAME(turn_back)(g->s_arm, waves.s_arm, octave, 1.0 / octave->frequency);
}
