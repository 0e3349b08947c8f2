// SPDX-License-Identifier: MIT
// One octave of gullies over a block: waves across the slope. Part of kernels_template.c, which includes this file
// twice, after kernels_octave.h, with REAL float and double.
//
// Each corner of a lattice cell sends out a plane wave of one length along the direction t, its phase fixed by a point
// at random near the corner; the corners' waves are blended by the fades of gradient noise. C and S are the sums of
// cosines and sines: where they are divided by their length, waves of neighbouring corners join to unbroken lines.

// Of one octave: C and S, their derivatives by the position at fixed t (of the blending alone), and by t at a fixed
// place, all along the planet's axes.
struct NAME(waves) {
    REAL c[PLANET_BLOCK], s[PLANET_BLOCK];
    REAL c_blend[3][PLANET_BLOCK], s_blend[3][PLANET_BLOCK];
    REAL c_by_t[3][PLANET_BLOCK], s_by_t[3][PLANET_BLOCK]; // without the sign of the cosine's
};

// Sums over the corners, along the lattice's axes: of grad w cos, grad w sin, w cos arm and w sin arm.
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

// An octave's turn from the planet's axes to its lattice's: of directions, of what is given by the place in cells, and
// of arms to derivatives by t.
struct NAME(gully_turn) {
    struct NAME(turn) direction, blend, arm;
};

static struct NAME(gully_turn) NAME(gully_turn_of)(const struct octave *octave)
{
    struct NAME(gully_turn) turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double rotation = octave->matrix[i][j] / octave->frequency;
            turn.direction.m[i][j] = (REAL)rotation;
            turn.blend.m[i][j] = (REAL)octave->matrix[i][j];
            turn.arm.m[i][j] = (REAL)(rotation * GULLY_TURN);
        }
    return turn;
}

INLINE struct NAME(vector) NAME(turned)(const struct NAME(turn) * turn, REAL x, REAL y, REAL z)
{
    const REAL(*m)[3] = turn->m;
    return (struct NAME(vector)){m[0][0] * x + m[0][1] * y + m[0][2] * z, m[1][0] * x + m[1][1] * y + m[1][2] * z,
                                 m[2][0] * x + m[2][1] * y + m[2][2] * z};
}

INLINE struct NAME(vector) NAME(turned_back)(const struct NAME(turn) * turn, struct NAME(vector) v)
{
    const REAL(*m)[3] = turn->m;
    return (struct NAME(vector)){m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z,
                                 m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
                                 m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z};
}

// The waves of the cell that sample i lies in, along t.
INLINE struct NAME(wave_sum)
    NAME(waves_at)(const struct NAME(cells) * c, const struct octave *octave, const struct NAME(gully_turn) * turn,
                   const REAL t[3][PLANET_BLOCK], int i)
{
    struct NAME(corners) corners = NAME(hash_corners)(c->x[i], c->y[i], c->z[i], octave->seed);
    return NAME(cell_waves)(corners, c->dx[i], c->dy[i], c->dz[i],
                            NAME(turned)(&turn->direction, t[0][i], t[1][i], t[2][i]));
}

STAGE void NAME(sum_waves)(struct NAME(waves) *restrict waves, const struct NAME(cells) *restrict c,
                           const struct octave *octave, const REAL t[3][PLANET_BLOCK])
{
    struct NAME(gully_turn) turn = NAME(gully_turn_of)(octave);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(wave_sum) sum = NAME(waves_at)(c, octave, &turn, t, i);
        struct NAME(vector) c_blend = NAME(turned_back)(&turn.blend, sum.c_blend);
        struct NAME(vector) s_blend = NAME(turned_back)(&turn.blend, sum.s_blend);
        struct NAME(vector) c_by_t = NAME(turned_back)(&turn.arm, sum.s_arm);
        struct NAME(vector) s_by_t = NAME(turned_back)(&turn.arm, sum.c_arm);
        waves->c[i] = sum.c;
        waves->s[i] = sum.s;
        waves->c_blend[0][i] = c_blend.x;
        waves->c_blend[1][i] = c_blend.y;
        waves->c_blend[2][i] = c_blend.z;
        waves->s_blend[0][i] = s_blend.x;
        waves->s_blend[1][i] = s_blend.y;
        waves->s_blend[2][i] = s_blend.z;
        waves->c_by_t[0][i] = c_by_t.x;
        waves->c_by_t[1][i] = c_by_t.y;
        waves->c_by_t[2][i] = c_by_t.z;
        waves->s_by_t[0][i] = s_by_t.x;
        waves->s_by_t[1][i] = s_by_t.y;
        waves->s_by_t[2][i] = s_by_t.z;
    }
}

// The sums alone: the same bits.
STAGE void NAME(sum_waves_value)(struct NAME(waves) *restrict waves, const struct NAME(cells) *restrict c,
                                 const struct octave *octave, const REAL t[3][PLANET_BLOCK])
{
    struct NAME(gully_turn) turn = NAME(gully_turn_of)(octave);
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(wave_sum) sum = NAME(waves_at)(c, octave, &turn, t, i);
        waves->c[i] = sum.c;
        waves->s[i] = sum.s;
    }
}
