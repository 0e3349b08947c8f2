// SPDX-License-Identifier: MIT
// One crater over a run of samples. Part of kernels_template.c, which includes this file twice, with REAL float and
// double and NAME(x) giving each copy its own names. Differences of places are always double, sums too.

struct NAME(crater_rows) {
    REAL y[PLANET_BLOCK];                                      // distance from the centre, see struct crater_shape
    REAL yx[PLANET_BLOCK], yy[PLANET_BLOCK], yz[PLANET_BLOCK]; // its derivative by the place in radii
    REAL v[PLANET_BLOCK], slope[PLANET_BLOCK];                 // height in depths, its derivative by y
    REAL keep[PLANET_BLOCK], keep_slope[PLANET_BLOCK];         // what is left of what was there before
};

// One wave around a crater: a parabola up, one down, C1, between -1 and 1, with period 1.
struct NAME(crater_wave) {
    REAL x, y, z, phase, wobble;
};

struct NAME(rim_sum) {
    REAL v, gx, gy, gz;
};

INLINE struct NAME(rim_sum)
    NAME(add_rim_wave)(struct NAME(rim_sum) sum, struct NAME(crater_wave) wave, REAL x, REAL y, REAL z)
{
    REAL t = wave.x * x + wave.y * y + wave.z * z + wave.phase;
    REAL f = t - ((t + REAL_ROUND) - REAL_ROUND), size = REAL_ABS(f);
    REAL slope = wave.wobble * ((REAL)8.0 - (REAL)32.0 * size);
    sum.v += wave.wobble * (f * ((REAL)8.0 - (REAL)16.0 * size));
    sum.gx += slope * wave.x;
    sum.gy += slope * wave.y;
    sum.gz += slope * wave.z;
    return sum;
}

INLINE struct NAME(crater_wave) NAME(rim_wave_of)(const struct crater_shape *shape, int k)
{
    return (struct NAME(crater_wave)){(REAL)shape->frequency[k][0], (REAL)shape->frequency[k][1],
                                      (REAL)shape->frequency[k][2], (REAL)shape->phase[k], (REAL)shape->wobble[k]};
}

STAGE void NAME(crater_distance)(struct NAME(crater_rows) *restrict rows, const struct crater_run *run,
                                 const struct crater *crater, const struct crater_shape *shape)
{
    const struct NAME(crater_wave) first = NAME(rim_wave_of)(shape, 0), second = NAME(rim_wave_of)(shape, 1),
                                   third = NAME(rim_wave_of)(shape, 2);
    const double *x = run->x, *y = run->y, *z = run->z;
    double inverse = 2.0 / crater->diameter;
    double cx = crater->center[0], cy = crater->center[1], cz = crater->center[2];
    KERNEL_LOOP
    for (int i = 0; i < run->count; i++) {
        REAL qx = (REAL)((x[i] - cx) * inverse), qy = (REAL)((y[i] - cy) * inverse), qz = (REAL)((z[i] - cz) * inverse);
        REAL length = REAL_SQRT(qx * qx + qy * qy + qz * qz);
        REAL inward = (REAL)1.0 / (length > (REAL)1e-12 ? length : (REAL)1e-12);
        struct NAME(rim_sum) wave = {0};
        wave = NAME(add_rim_wave)(wave, first, qx, qy, qz);
        wave = NAME(add_rim_wave)(wave, second, qx, qy, qz);
        wave = NAME(add_rim_wave)(wave, third, qx, qy, qz);
        REAL stretch = ((REAL)1.0 + wave.v) * inward;
        rows->y[i] = length * ((REAL)1.0 + wave.v);
        rows->yx[i] = stretch * qx + length * wave.gx;
        rows->yy[i] = stretch * qy + length * wave.gy;
        rows->yz[i] = stretch * qz + length * wave.gz;
    }
}

// 0 below low, 1 from low + 1 / inverse on, and its derivative.
INLINE struct NAME(rim_sum) NAME(smooth)(REAL low, REAL inverse, REAL y)
{
    REAL t = (y - low) * inverse;
    t = t > (REAL)0.0 ? t : (REAL)0.0;
    t = t < (REAL)1.0 ? t : (REAL)1.0;
    return (struct NAME(rim_sum)){.v = t * t * ((REAL)3.0 - (REAL)2.0 * t),
                                  .gx = (REAL)6.0 * t * ((REAL)1.0 - t) * inverse};
}

STAGE void NAME(crater_profile)(struct NAME(crater_rows) *restrict rows, int count, const struct crater_shape *shape)
{
    const REAL rim = (REAL)shape->rim, floor_at = (REAL)shape->floor, wall = (REAL)(1.0 / (1.0 - shape->floor));
    const REAL softness = (REAL)shape->softness, sharpness = (REAL)(0.5 / shape->softness);
    const REAL peak = (REAL)shape->peak, peak_at = (REAL)shape->peak_at, thin = (REAL)(1.0 / shape->peak_width);
    const REAL window = (REAL)(1.0 / (CRATER_EJECTA_END - 1.5));
    KERNEL_LOOP
    for (int i = 0; i < count; i++) {
        REAL y = rows->y[i], t = (y - floor_at) * wall;
        t = t > (REAL)0.0 ? t : (REAL)0.0;
        REAL inner = rim - (REAL)1.0 + t * t, inner_slope = (REAL)2.0 * t * wall;
        // Inside half the radius the floor is lower whatever the ejecta would be there.
        REAL inverse = (REAL)1.0 / (y > (REAL)0.5 ? y : (REAL)0.5);
        REAL ejecta = rim * inverse * inverse * inverse;
        REAL ejecta_slope = y > (REAL)0.5 ? (REAL)-3.0 * ejecta * inverse : (REAL)0.0;
        struct NAME(rim_sum) end = NAME(smooth)((REAL)1.5, window, y);
        REAL outer = ejecta * ((REAL)1.0 - end.v), outer_slope = ejecta_slope * ((REAL)1.0 - end.v) - ejecta * end.gx;
        REAL apart = inner - outer, blend = softness - REAL_ABS(apart);
        blend = blend > (REAL)0.0 ? blend : (REAL)0.0;
        REAL share = blend * sharpness, lower = apart < (REAL)0.0 ? inner : outer;
        REAL lower_slope = apart < (REAL)0.0 ? inner_slope : outer_slope;
        REAL higher_slope = apart < (REAL)0.0 ? outer_slope : inner_slope;
        REAL u = (y - peak_at) * thin, bump = (REAL)1.0 - u * u;
        bump = bump > (REAL)0.0 ? bump : (REAL)0.0;
        rows->v[i] = lower - (REAL)0.5 * (blend * share) + peak * (bump * bump * bump);
        rows->slope[i] =
            lower_slope + share * (higher_slope - lower_slope) - (REAL)6.0 * peak * (bump * bump) * u * thin;
    }
}

STAGE void NAME(crater_erasing)(struct NAME(crater_rows) *restrict rows, int count, double erase)
{
    const REAL share = (REAL)erase;
    KERNEL_LOOP
    for (int i = 0; i < count; i++) {
        struct NAME(rim_sum) outside =
            NAME(smooth)((REAL)CRATER_ERASE_START, (REAL)(1.0 / (CRATER_ERASE_END - CRATER_ERASE_START)), rows->y[i]);
        rows->keep[i] = (REAL)1.0 - share * ((REAL)1.0 - outside.v);
        rows->keep_slope[i] = share * outside.gx;
    }
}

// Takes what the crater erases out of one class of craters.
STAGE void NAME(erase_class)(struct crater_sum *restrict sum, const struct NAME(crater_rows) *restrict rows, int count,
                             double inverse, bool gradient)
{
    if (gradient) {
        KERNEL_LOOP
        for (int i = 0; i < count; i++) {
            double keep = (double)rows->keep[i], by_y = sum->v[i] * ((double)rows->keep_slope[i] * inverse);
            sum->gx[i] = sum->gx[i] * keep + by_y * (double)rows->yx[i];
            sum->gy[i] = sum->gy[i] * keep + by_y * (double)rows->yy[i];
            sum->gz[i] = sum->gz[i] * keep + by_y * (double)rows->yz[i];
        }
    }
    KERNEL_LOOP
    for (int i = 0; i < count; i++)
        sum->v[i] *= (double)rows->keep[i];
}

STAGE void NAME(add_profile)(struct crater_sum *restrict sum, const struct NAME(crater_rows) *restrict rows, int count,
                             double height_m, double inverse, bool gradient)
{
    KERNEL_LOOP
    for (int i = 0; i < count; i++)
        sum->v[i] += height_m * (double)rows->v[i];
    if (!gradient)
        return;
    double scale = height_m * inverse;
    KERNEL_LOOP
    for (int i = 0; i < count; i++) {
        double slope = scale * (double)rows->slope[i];
        sum->gx[i] += slope * (double)rows->yx[i];
        sum->gy[i] += slope * (double)rows->yy[i];
        sum->gz[i] += slope * (double)rows->yz[i];
    }
}

static void NAME(add_crater)(struct crater_sum sums[CRATER_CLASSES], int class_count, const struct crater_run *run,
                             const struct crater *crater, const struct craters *craters, bool gradient)
{
    SCRATCH struct NAME(crater_rows) rows;
    struct crater_shape shape;
    crater_shape(&shape, craters, crater);
    NAME(crater_distance)(&rows, run, crater, &shape);
    double inverse = 2.0 / crater->diameter;
    int own = crater_class(crater);
    if (crater_erases(crater, run)) {
        NAME(crater_erasing)(&rows, run->count, shape.erase);
        for (int k = own; k < class_count; k++)
            NAME(erase_class)(&sums[k], &rows, run->count, inverse, gradient);
    }
    NAME(crater_profile)(&rows, run->count, &shape);
    NAME(add_profile)(&sums[own], &rows, run->count, shape.height_m, inverse, gradient);
}
