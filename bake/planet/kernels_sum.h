// SPDX-License-Identifier: MIT
// Adds one octave to each kind of fractal. Part of kernels_template.c, which includes this file twice, after
// kernels_noise.h, with REAL float and double. Sums are double, but that of
// gradients in FRACTAL_FBM, which are all of one size: float octaves add theirs up in float.

// out has a sum already, or 0 stands for it.
STAGE void NAME(put_row)(double *restrict out, const REAL *restrict row, bool add)
{
    if (add) {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            out[i] += (double)row[i];
    } else {
        KERNEL_LOOP
        for (int i = 0; i < PLANET_BLOCK; i++)
            out[i] = 0.0 + (double)row[i];
    }
}

static void NAME(put_gradient_sum)(struct field out, const struct NAME(noise) * noise, bool add)
{
    NAME(put_row)(out.gx, noise->gx, add);
    NAME(put_row)(out.gy, noise->gy, add);
    NAME(put_row)(out.gz, noise->gz, add);
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

// noise is where the noise goes; of FRACTAL_FBM its gradient is not added to out, but to that of the octaves before.
static void NAME(add_octave)(const struct field *out, const struct field *previous, struct NAME(noise) * noise,
                             struct places *places, const struct octave *octave, enum fractal_kind kind)
{
    SCRATCH struct NAME(placing) placing;
    NAME(place)(&placing, places, turned_for(places, octave->turn), octave);
    double amplitude = octave->amplitude * octave->weight;
    noise->sum = kind == FRACTAL_FBM ? out->v : NULL;
    noise->has_gradient = noise->has_gradient && kind == FRACTAL_FBM;
    NAME(evaluate_noise)(noise, &placing, octave, kind == FRACTAL_FBM ? amplitude : 1.0, out->gx != NULL);
    if (kind == FRACTAL_BILLOW)
        NAME(add_billow)(*out, noise, amplitude);
    else if (kind == FRACTAL_RIDGED)
        NAME(add_ridged)(*out, *previous, noise, octave);
}
