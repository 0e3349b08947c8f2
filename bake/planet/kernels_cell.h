// SPDX-License-Identifier: MIT
// The nearest points of cellular noise. Part of kernels_template.c, which includes this file twice, after
// kernels_octave.h, with REAL float and double.

// The two nearest points: squares of their distances, where they lie as seen from the sample, and the nearest one's
// hash.
struct NAME(nearest) {
    REAL first[PLANET_BLOCK], first_x[PLANET_BLOCK], first_y[PLANET_BLOCK], first_z[PLANET_BLOCK];
    REAL second[PLANET_BLOCK], second_x[PLANET_BLOCK], second_y[PLANET_BLOCK], second_z[PLANET_BLOCK];
    uint32_t hash[PLANET_BLOCK];
};

INLINE uint32_t NAME(cell_hash)(uint32_t x, uint32_t y, uint32_t z, const uint32_t seed[2])
{
    uint32_t h = hash_mix(z * HASH_Z + seed[0]) + y * HASH_Y + seed[1];
    return hash_mix(hash_mix(hash_mix(h) + x * HASH_X));
}

// Where the point of a neighbouring cell lies, along one axis: the middle of the cell and -0.5..0.5 of jitter.
INLINE REAL NAME(point_place)(REAL middle, uint32_t bits, REAL jitter)
{
    return middle + jitter * (REAL)(int32_t)bits;
}

STAGE void NAME(start_nearest)(struct NAME(nearest) *restrict nearest)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        nearest->first[i] = nearest->second[i] = (REAL)1.0;
        nearest->first_x[i] = nearest->first_y[i] = nearest->first_z[i] = (REAL)0.0;
        nearest->second_x[i] = nearest->second_y[i] = nearest->second_z[i] = (REAL)0.0;
        nearest->hash[i] = 0;
    }
}

STAGE void NAME(look_at_neighbour)(struct NAME(nearest) *restrict nearest, const struct NAME(cells) *restrict cells,
                                   const struct octave *octave, const int neighbour[3], REAL jitter)
{
    const uint32_t ox = (uint32_t)neighbour[0], oy = (uint32_t)neighbour[1], oz = (uint32_t)neighbour[2];
    const REAL mx = (REAL)neighbour[0], my = (REAL)neighbour[1], mz = (REAL)neighbour[2];
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        uint32_t hash = NAME(cell_hash)(cells->x[i] + ox, cells->y[i] + oy, cells->z[i] + oz, octave->seed);
        REAL x = NAME(point_place)(mx, hash, jitter) - cells->dx[i];
        REAL y = NAME(point_place)(my, hash_mix(hash + HASH_Y), jitter) - cells->dy[i];
        REAL z = NAME(point_place)(mz, hash_mix(hash + HASH_Z), jitter) - cells->dz[i];
        REAL square = x * x + y * y + z * z;
        REAL first = nearest->first[i], second = nearest->second[i];
        REAL first_x = nearest->first_x[i], first_y = nearest->first_y[i], first_z = nearest->first_z[i];
        REAL next_x = square < second ? x : nearest->second_x[i];
        REAL next_y = square < second ? y : nearest->second_y[i];
        REAL next_z = square < second ? z : nearest->second_z[i];
        second = square < second ? square : second;
        nearest->second[i] = square < first ? first : second;
        nearest->second_x[i] = square < first ? first_x : next_x;
        nearest->second_y[i] = square < first ? first_y : next_y;
        nearest->second_z[i] = square < first ? first_z : next_z;
        nearest->first[i] = square < first ? square : first;
        nearest->first_x[i] = square < first ? x : first_x;
        nearest->first_y[i] = square < first ? y : first_y;
        nearest->first_z[i] = square < first ? z : first_z;
        nearest->hash[i] = square < first ? hash_mix(hash + HASH_X) : nearest->hash[i];
    }
}

// out += scale times the distance to a point at (x,y,z), seen from the sample. At the point itself the gradient is 0.
STAGE void NAME(add_distance)(struct field out, const REAL *square, const REAL *x, const REAL *y, const REAL *z,
                              const struct octave *octave, double scale)
{
    const double(*m)[3] = octave->matrix;
    double *v = out.v, *gx = out.gx, *gy = out.gy, *gz = out.gz;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += scale * (double)REAL_SQRT(square[i]);
    if (!gx)
        return;
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++) {
        double distance = (double)REAL_SQRT(square[i]);
        double slope = distance > 0.0 ? -scale / distance : 0.0;
        double dx = slope * (double)x[i], dy = slope * (double)y[i], dz = slope * (double)z[i];
        gx[i] += m[0][0] * dx + m[1][0] * dy + m[2][0] * dz;
        gy[i] += m[0][1] * dx + m[1][1] * dy + m[2][1] * dz;
        gz[i] += m[0][2] * dx + m[1][2] * dy + m[2][2] * dz;
    }
}

STAGE void NAME(add_cell_value)(double *v, const uint32_t *hash, double scale)
{
    KERNEL_LOOP
    for (int i = 0; i < PLANET_BLOCK; i++)
        v[i] += scale * (double)(int32_t)hash[i];
}

// From the mean to the noise, by the octave's weight.
static void NAME(add_cellular)(struct field out, const struct points *at, const struct octave *octave,
                               const struct cellular *cellular, double mean)
{
    SCRATCH struct NAME(cells) cells;
    SCRATCH struct NAME(nearest) nearest;
    NAME(find_cells)(&cells, at, octave);
    NAME(start_nearest)(&nearest);
    for (int k = 0; k < 27; k++)
        NAME(look_at_neighbour)
    (&nearest, &cells, octave, (const int[3]){k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, (REAL)(cellular->jitter * 0x1p-32));
    double weight = octave->weight;
    affine(out, out, 1.0, -weight * mean);
    switch (cellular->kind) {
    case CELLULAR_DISTANCE:
        NAME(add_distance)(out, nearest.first, nearest.first_x, nearest.first_y, nearest.first_z, octave, weight);
        break;
    case CELLULAR_EDGE:
        NAME(add_distance)(out, nearest.second, nearest.second_x, nearest.second_y, nearest.second_z, octave, weight);
        NAME(add_distance)(out, nearest.first, nearest.first_x, nearest.first_y, nearest.first_z, octave, -weight);
        break;
    case CELLULAR_VALUE: NAME(add_cell_value)(out.v, nearest.hash, weight * 0x1p-31); break;
    }
}
