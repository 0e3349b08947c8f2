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

// The wave of a corner, or a blend of several, with its derivatives by the fades that are blended in already.
struct NAME(wave) {
    REAL c, s, c_by_u, s_by_u, c_by_v, s_by_v, c_by_w, s_by_w;
};

// Sums over the corners, along the lattice's axes: of weight cos arm and weight sin arm.
struct NAME(arms) {
    struct NAME(vector) c, s;
};

// C and S, and their derivatives by the place in the cell at fixed t.
struct NAME(wave_sum) {
    REAL c, s;
    struct NAME(vector) c_blend, s_blend;
    struct NAME(arms) arms;
};

// Cosine and sine of a turn: those of the half angle by polynomials, doubled. The half's sine and cosine are off by
// 3e-9 and 2e-10 at most from -pi/2 to pi/2, which is the least for so many terms (Remez's method).
INLINE void NAME(turn_waves)(REAL turns, REAL *cosine, REAL *sine)
{
    REAL x = turns - ((turns + (REAL)REAL_ROUND) - (REAL)REAL_ROUND), x2 = x * x;
    REAL half_sine =
        x * ((REAL)3.14159258004 +
             x2 * ((REAL)-5.16770687892 +
                   x2 * ((REAL)2.55003137726 + x2 * ((REAL)-0.598045174049 + x2 * (REAL)0.0772201288394))));
    REAL half_cosine =
        (REAL)0.999999999781 +
        x2 * ((REAL)-4.93480213723 +
              x2 * ((REAL)4.05870916434 +
                    x2 * ((REAL)-1.33521205667 + x2 * ((REAL)0.234937558981 + x2 * (REAL)-0.024396716655))));
    *cosine = (REAL)1.0 - (REAL)2.0 * half_sine * half_sine;
    *sine = (REAL)2.0 * half_sine * half_cosine;
}

// The wave of one corner: shift is its random gradient, (x,y,z) the place from the corner. Adds to the arms.
INLINE struct NAME(wave) NAME(corner_wave)(struct NAME(arms) * arms, struct NAME(vector) shift, REAL x, REAL y, REAL z,
                                           struct NAME(vector) t, REAL weight)
{
    const REAL spread = (REAL)(GULLY_JITTER * 0x1p-31);
    REAL arm_x = x - spread * shift.x, arm_y = y - spread * shift.y, arm_z = z - spread * shift.z, cosine, sine;
    NAME(turn_waves)((REAL)GULLY_WAVES * (arm_x * t.x + arm_y * t.y + arm_z * t.z), &cosine, &sine);
    REAL c = weight * cosine, s = weight * sine;
    arms->c = (struct NAME(vector)){arms->c.x + c * arm_x, arms->c.y + c * arm_y, arms->c.z + c * arm_z};
    arms->s = (struct NAME(vector)){arms->s.x + s * arm_x, arms->s.y + s * arm_y, arms->s.z + s * arm_z};
    return (struct NAME(wave)){.c = cosine, .s = sine};
}

// Both corners of an edge along x; y, z and the weight are the edge's.
INLINE struct NAME(wave) NAME(edge_wave)(struct NAME(arms) * arms, struct NAME(edge) edge, REAL dx, REAL y, REAL z,
                                         struct NAME(vector) t, REAL u, REAL weight)
{
    struct NAME(wave) a = NAME(corner_wave)(arms, edge.start, dx + (REAL)0.5, y, z, t, ((REAL)1.0 - u) * weight);
    struct NAME(wave) b = NAME(corner_wave)(arms, edge.end, dx - (REAL)0.5, y, z, t, u * weight);
    REAL c_rise = b.c - a.c, s_rise = b.s - a.s;
    return (struct NAME(wave)){.c = a.c + u * c_rise, .s = a.s + u * s_rise, .c_by_u = c_rise, .s_by_u = s_rise};
}

INLINE struct NAME(wave) NAME(join_edges)(struct NAME(wave) a, struct NAME(wave) b, REAL v)
{
    REAL c_rise = b.c - a.c, s_rise = b.s - a.s;
    return (struct NAME(wave)){.c = a.c + v * c_rise,
                               .s = a.s + v * s_rise,
                               .c_by_u = a.c_by_u + v * (b.c_by_u - a.c_by_u),
                               .s_by_u = a.s_by_u + v * (b.s_by_u - a.s_by_u),
                               .c_by_v = c_rise,
                               .s_by_v = s_rise};
}

INLINE struct NAME(wave) NAME(join_faces)(struct NAME(wave) a, struct NAME(wave) b, REAL w)
{
    struct NAME(wave) joined = NAME(join_edges)(a, b, w);
    joined.c_by_w = joined.c_by_v;
    joined.s_by_w = joined.s_by_v;
    joined.c_by_v = a.c_by_v + w * (b.c_by_v - a.c_by_v);
    joined.s_by_v = a.s_by_v + w * (b.s_by_v - a.s_by_v);
    return joined;
}

INLINE struct NAME(wave_sum)
    NAME(cell_waves)(struct NAME(corners) corners, REAL dx, REAL dy, REAL dz, struct NAME(vector) t)
{
    REAL u = NAME(fade)(dx), v = NAME(fade)(dy), w = NAME(fade)(dz), v0 = (REAL)1.0 - v, w0 = (REAL)1.0 - w;
    REAL du = NAME(fade_slope)(dx), dv = NAME(fade_slope)(dy), dw = NAME(fade_slope)(dz);
    REAL y0 = dy + (REAL)0.5, y1 = dy - (REAL)0.5, z0 = dz + (REAL)0.5, z1 = dz - (REAL)0.5;
    struct NAME(arms) arms = {0};
    struct NAME(wave) e00 = NAME(edge_wave)(&arms, corners.e00, dx, y0, z0, t, u, v0 * w0);
    struct NAME(wave) e10 = NAME(edge_wave)(&arms, corners.e10, dx, y1, z0, t, u, v * w0);
    struct NAME(wave) e01 = NAME(edge_wave)(&arms, corners.e01, dx, y0, z1, t, u, v0 * w);
    struct NAME(wave) e11 = NAME(edge_wave)(&arms, corners.e11, dx, y1, z1, t, u, v * w);
    struct NAME(wave) all = NAME(join_faces)(NAME(join_edges)(e00, e10, v), NAME(join_edges)(e01, e11, v), w);
    return (struct NAME(wave_sum)){.c = all.c,
                                   .s = all.s,
                                   .c_blend = {du * all.c_by_u, dv * all.c_by_v, dw * all.c_by_w},
                                   .s_blend = {du * all.s_by_u, dv * all.s_by_v, dw * all.s_by_w},
                                   .arms = arms};
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
INLINE struct NAME(wave_sum) NAME(waves_at)(const struct NAME(cells) * c, const struct octave *octave,
                                            const struct NAME(gully_turn) * turn, const REAL t[3][PLANET_BLOCK], int i)
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
        struct NAME(vector) c_by_t = NAME(turned_back)(&turn.arm, sum.arms.s);
        struct NAME(vector) s_by_t = NAME(turned_back)(&turn.arm, sum.arms.c);
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
