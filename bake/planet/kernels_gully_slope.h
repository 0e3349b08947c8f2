// SPDX-License-Identifier: MIT
// What goes from one octave of gullies to the next. Part of kernels_template.c, which includes this file twice, after
// kernels_gully.h, with REAL float and double; REAL_SQRT and REAL_EXP are theirs.

// In lanes of the block. Derivatives are by the position.
struct NAME(gullies) {
    REAL x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK];
    double v[PLANET_BLOCK];                           // the sum of these octaves, in metres
    REAL gradient[3][PLANET_BLOCK];                   // its derivatives
    REAL slope[3][PLANET_BLOCK];                      // G in metres a metre
    REAL bend[9][PLANET_BLOCK];                       // bend[3*i+k] = dG_i/dk
    REAL t[3][PLANET_BLOCK], turn[9][PLANET_BLOCK];   // the direction across the slope, and its derivatives
    REAL height[PLANET_BLOCK], rise[3][PLANET_BLOCK]; // of this octave's waves in metres, and its derivatives
};

// How the waves follow from the slope (gx,gy,gz) at (x,y,z): their direction t = u / steep, u = position x G, and their
// height, with the derivative by steep.
struct NAME(gully_lie) {
    REAL inverse, height, by_steep; // inverse: 1 / steep
    struct NAME(vector) t;
};

INLINE struct NAME(gully_lie) NAME(gully_lie_of)(REAL x, REAL y, REAL z, REAL gx, REAL gy, REAL gz, REAL factor)
{
    REAL ux = y * gz - z * gy, uy = z * gx - x * gz, uz = x * gy - y * gx;
    REAL square = ux * ux + uy * uy + uz * uz;
    REAL inverse = (REAL)1.0 / REAL_SQRT(square + (REAL)(GULLY_FLAT * GULLY_FLAT));
    // The length of u times that of t: 0 where there is no direction.
    REAL lean = square * inverse, flat = (REAL)GULLY_FLAT * inverse;
    REAL share = lean / (lean + (REAL)GULLY_GENTLE), root = REAL_SQRT(share);
    REAL gone = REAL_EXP(lean * root * (REAL)(-1.0 / GULLY_STEEP));
    return (struct NAME(gully_lie)){.inverse = inverse,
                                    .height = factor * (REAL)GULLY_STEEP * ((REAL)1.0 - gone),
                                    .by_steep = factor * gone * root * ((REAL)1.0 + (REAL)0.5 * ((REAL)1.0 - share)) *
                                                ((REAL)1.0 + flat * flat),
                                    .t = {ux * inverse, uy * inverse, uz * inverse}};
}

INLINE struct NAME(gully_lie) NAME(gully_lie_at)(struct NAME(gullies) *restrict g, int i, REAL factor)
{
    struct NAME(gully_lie) lie =
        NAME(gully_lie_of)(g->x[i], g->y[i], g->z[i], g->slope[0][i], g->slope[1][i], g->slope[2][i], factor);
    g->t[0][i] = lie.t.x;
    g->t[1][i] = lie.t.y;
    g->t[2][i] = lie.t.z;
    g->height[i] = lie.height;
    return lie;
}

// Derivatives by position k. (px,py,pz) is what u gains where the position moves and G stays.
INLINE void NAME(gully_lie_slope)(struct NAME(gullies) *restrict g, int i, int k, struct NAME(gully_lie) lie, REAL px,
                                  REAL py, REAL pz)
{
    REAL x = g->x[i], y = g->y[i], z = g->z[i], hx = g->bend[k][i], hy = g->bend[3 + k][i], hz = g->bend[6 + k][i];
    REAL dx = y * hz - z * hy + px, dy = z * hx - x * hz + py, dz = x * hy - y * hx + pz;
    REAL steeper = lie.t.x * dx + lie.t.y * dy + lie.t.z * dz;
    g->turn[k][i] = (dx - lie.t.x * steeper) * lie.inverse;
    g->turn[3 + k][i] = (dy - lie.t.y * steeper) * lie.inverse;
    g->turn[6 + k][i] = (dz - lie.t.z * steeper) * lie.inverse;
    g->rise[k][i] = lie.by_steep * steeper;
}

STAGE void NAME(gully_direction)(struct NAME(gullies) *restrict g, REAL factor)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        NAME(gully_lie_at)(g, i, factor);
}

STAGE void NAME(gully_direction_slopes)(struct NAME(gullies) *restrict g, REAL factor)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        struct NAME(gully_lie) lie = NAME(gully_lie_at)(g, i, factor);
        REAL gx = g->slope[0][i], gy = g->slope[1][i], gz = g->slope[2][i];
        NAME(gully_lie_slope)(g, i, 0, lie, (REAL)0.0, -gz, gy);
        NAME(gully_lie_slope)(g, i, 1, lie, gz, (REAL)0.0, -gx);
        NAME(gully_lie_slope)(g, i, 2, lie, -gy, gx, (REAL)0.0);
    }
}

// Adds the octave to the sum and to the slope that the next one sees.
INLINE void NAME(gully_add_value)(struct NAME(gullies) *restrict g, int i, REAL cosine, REAL down)
{
    g->v[i] += (double)(g->height[i] * cosine);
    g->slope[0][i] -= down * g->t[0][i];
    g->slope[1][i] -= down * g->t[1][i];
    g->slope[2][i] -= down * g->t[2][i];
}

STAGE void NAME(gully_add)(struct NAME(gullies) *restrict g, const struct NAME(waves) *restrict waves, REAL bite)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        REAL c = waves->c[i], s = waves->s[i], norm = (REAL)1.0 / REAL_SQRT(c * c + s * s + (REAL)GULLY_SOFTNESS);
        NAME(gully_add_value)(g, i, c * norm, bite * g->height[i] * (s * norm));
    }
}

// What the derivatives along all axes need: the sums, cosine c norm and sine s norm, how these change with c and s, and
// how much slope the octave makes.
struct NAME(gully_rates) {
    REAL c, s, cosine, sine;
    REAL cosine_by_c, cosine_by_s, sine_by_s; // sine_by_c = cosine_by_s
    REAL height, bite, down, along;
};

// The octave's derivatives by position k.
INLINE void NAME(gully_add_slope)(struct NAME(gullies) *restrict g, const struct NAME(waves) *restrict waves, int i,
                                  int k, struct NAME(gully_rates) r)
{
    REAL turn_x = g->turn[k][i], turn_y = g->turn[3 + k][i], turn_z = g->turn[6 + k][i];
    REAL along = r.along * g->t[k][i], height_k = g->rise[k][i];
    REAL dc = waves->c_blend[k][i] - r.s * along -
              (waves->c_by_t[0][i] * turn_x + waves->c_by_t[1][i] * turn_y + waves->c_by_t[2][i] * turn_z);
    REAL ds = waves->s_blend[k][i] + r.c * along +
              (waves->s_by_t[0][i] * turn_x + waves->s_by_t[1][i] * turn_y + waves->s_by_t[2][i] * turn_z);
    REAL cosine_k = r.cosine_by_c * dc + r.cosine_by_s * ds, sine_k = r.cosine_by_s * dc + r.sine_by_s * ds;
    g->gradient[k][i] += height_k * r.cosine + r.height * cosine_k;
    REAL down_k = r.bite * (height_k * r.sine + r.height * sine_k);
    g->bend[k][i] -= down_k * g->t[0][i] + r.down * turn_x;
    g->bend[3 + k][i] -= down_k * g->t[1][i] + r.down * turn_y;
    g->bend[6 + k][i] -= down_k * g->t[2][i] + r.down * turn_z;
}

STAGE void NAME(gully_add_slopes)(struct NAME(gullies) *restrict g, const struct NAME(waves) *restrict waves, REAL bite,
                                  REAL along)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        REAL c = waves->c[i], s = waves->s[i], norm = (REAL)1.0 / REAL_SQRT(c * c + s * s + (REAL)GULLY_SOFTNESS);
        REAL cube = norm * norm * norm, cosine = c * norm, sine = s * norm, height = g->height[i];
        struct NAME(gully_rates) rates = {.c = c,
                                          .s = s,
                                          .cosine = cosine,
                                          .sine = sine,
                                          .cosine_by_c = cube * (s * s + (REAL)GULLY_SOFTNESS),
                                          .cosine_by_s = -(cube * (c * s)),
                                          .sine_by_s = cube * (c * c + (REAL)GULLY_SOFTNESS),
                                          .height = height,
                                          .bite = bite,
                                          .down = bite * height * sine,
                                          .along = along};
        NAME(gully_add_slope)(g, waves, i, 0, rates);
        NAME(gully_add_slope)(g, waves, i, 1, rates);
        NAME(gully_add_slope)(g, waves, i, 2, rates);
        NAME(gully_add_value)(g, i, cosine, rates.down);
    }
}

static void NAME(gully_octave)(struct NAME(gullies) * g, const struct points *at, const struct octave *octave,
                               struct gully_size size, bool gradient)
{
    SCRATCH struct NAME(cells) cells;
    SCRATCH struct NAME(waves) waves;
    NAME(find_cells)(&cells, at, octave);
    if (gradient) {
        NAME(gully_direction_slopes)(g, (REAL)size.factor);
        NAME(sum_waves)(&waves, &cells, octave, g->t);
        NAME(gully_add_slopes)(g, &waves, (REAL)size.bite, (REAL)(GULLY_TURN * octave->frequency));
    } else {
        NAME(gully_direction)(g, (REAL)size.factor);
        NAME(sum_waves_value)(&waves, &cells, octave, g->t);
        NAME(gully_add)(g, &waves, (REAL)size.bite);
    }
}

static void NAME(gully_row)(REAL *restrict out, const double *restrict from, double scale)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] = (REAL)(from[i] * scale);
}

// Before the first of these octaves: G is scale times slope, with derivatives scale times bend unless that is NULL.
static void NAME(gullies_start)(struct NAME(gullies) * g, const struct points *at, double *const slope[3],
                                double *const bend[9], double scale)
{
    NAME(gully_row)(g->x, at->x, 1.0);
    NAME(gully_row)(g->y, at->y, 1.0);
    NAME(gully_row)(g->z, at->z, 1.0);
    memset(g->v, 0, sizeof g->v);
    memset(g->gradient, 0, sizeof g->gradient);
    for (int k = 0; k < 3; k++)
        NAME(gully_row)(g->slope[k], slope[k], scale);
    for (int k = 0; k < 9 && bend; k++)
        NAME(gully_row)(g->bend[k], bend[k], scale);
}

static void NAME(gully_add_gradient)(double *restrict out, const REAL *restrict row)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        out[i] += (double)row[i];
}

static void NAME(gullies_end)(struct field out, const struct NAME(gullies) * g)
{
    add_row(out.v, out.v, g->v);
    if (!out.gx)
        return;
    NAME(gully_add_gradient)(out.gx, g->gradient[0]);
    NAME(gully_add_gradient)(out.gy, g->gradient[1]);
    NAME(gully_add_gradient)(out.gz, g->gradient[2]);
}
