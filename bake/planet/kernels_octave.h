// SPDX-License-Identifier: MIT
// Where a block lies in a lattice, for waves and cellular noise. Part of kernels_template.c, which includes this file
// twice, with REAL float and double and NAME(x) giving each copy its own names; the cell and the place in it are always
// found in double.

struct NAME(cells) {
    uint32_t x[PLANET_BLOCK], y[PLANET_BLOCK], z[PLANET_BLOCK]; // number of the cell, modulo 2^32
    REAL dx[PLANET_BLOCK], dy[PLANET_BLOCK], dz[PLANET_BLOCK];  // from the middle of the cell, -0.5..0.5
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

// From lattice gradients to gradients by the position.
struct NAME(turn) {
    REAL m[3][3];
};
