// SPDX-License-Identifier: MIT
// The values of a mesh at samples. Part of kernels_template.c: kernels_mesh.h includes this file twice, with REAL what
// the nodes are and the cubic is computed in, float or double, and NAME(x) giving each copy its own names.

#define MESH_WEIGHTS(j)                                                                                                \
    {                                                                                                                  \
        (REAL) OUTER_WEIGHT(j), (REAL)INNER_WEIGHT(j), (REAL)INNER_WEIGHT(16 - (j)), (REAL)OUTER_WEIGHT(16 - (j))      \
    }
static const REAL NAME(mesh_weights)[MESH_STEP_MAX][4] = {
    MESH_WEIGHTS(0),  MESH_WEIGHTS(1),  MESH_WEIGHTS(2),  MESH_WEIGHTS(3),  MESH_WEIGHTS(4),  MESH_WEIGHTS(5),
    MESH_WEIGHTS(6),  MESH_WEIGHTS(7),  MESH_WEIGHTS(8),  MESH_WEIGHTS(9),  MESH_WEIGHTS(10), MESH_WEIGHTS(11),
    MESH_WEIGHTS(12), MESH_WEIGHTS(13), MESH_WEIGHTS(14), MESH_WEIGHTS(15),
};

// The same by weight, for samples that follow each other, of which sample 0 is on a node.
#define MESH_ROW(weight, step)                                                                                         \
    {                                                                                                                  \
        (REAL) weight(0), (REAL)weight(16 / step * (1 % step)), (REAL)weight(16 / step * (2 % step)),                  \
            (REAL)weight(16 / step * (3 % step)), (REAL)weight(16 / step * (4 % step)),                                \
            (REAL)weight(16 / step * (5 % step)), (REAL)weight(16 / step * (6 % step)),                                \
            (REAL)weight(16 / step * (7 % step)), (REAL)weight(16 / step * (8 % step)),                                \
            (REAL)weight(16 / step * (9 % step)), (REAL)weight(16 / step * (10 % step)),                               \
            (REAL)weight(16 / step * (11 % step)), (REAL)weight(16 / step * (12 % step)),                              \
            (REAL)weight(16 / step * (13 % step)), (REAL)weight(16 / step * (14 % step)),                              \
            (REAL)weight(16 / step * (15 % step)),                                                                     \
    }
#define OTHER_INNER_WEIGHT(j) INNER_WEIGHT(16 - (j))
#define OTHER_OUTER_WEIGHT(j) OUTER_WEIGHT(16 - (j))
#define MESH_ROWS(step)                                                                                                \
    {                                                                                                                  \
        MESH_ROW(OUTER_WEIGHT, step), MESH_ROW(INNER_WEIGHT, step), MESH_ROW(OTHER_INNER_WEIGHT, step),                \
            MESH_ROW(OTHER_OUTER_WEIGHT, step)                                                                         \
    }
static const REAL NAME(mesh_rows_4)[4][MESH_STEP_MAX] = MESH_ROWS(4),
                  NAME(mesh_rows_8)[4][MESH_STEP_MAX] = MESH_ROWS(8),
                  NAME(mesh_rows_16)[4][MESH_STEP_MAX] = MESH_ROWS(16);

INLINE REAL NAME(mesh_cubic)(REAL a, REAL b, REAL c, REAL d, const REAL w[4])
{
    return (w[0] * a + w[3] * d) + (w[1] * b + w[2] * c);
}

// count samples between the same four nodes, with weights w[k][from ..].
INLINE void NAME(mesh_rows)(REAL *restrict out, const REAL *n, const REAL w[4][MESH_STEP_MAX], int from, int count)
{
    REAL a = n[-1], b = n[0], c = n[1], d = n[2];
    const REAL *w0 = w[0] + from, *w1 = w[1] + from, *w2 = w[2] + from, *w3 = w[3] + from;
    KERNEL_LOOP
    for (int k = 0; k < count; k++)
        out[k] = (w0[k] * a + w3[k] * d) + (w1[k] * b + w2[k] * c);
}

// Every second sample is on one of four nodes, the others are half way.
INLINE void NAME(mesh_rows_2)(REAL *restrict out, const REAL *n)
{
    VECTOR(REAL, 4) a, b, c, d;
    __builtin_memcpy(&a, n - 1, sizeof a);
    __builtin_memcpy(&b, n, sizeof b);
    __builtin_memcpy(&c, n + 1, sizeof c);
    __builtin_memcpy(&d, n + 2, sizeof d);
    VECTOR(REAL, 4)
    half = ((REAL)OUTER_WEIGHT(8) * a + (REAL)OUTER_WEIGHT(8) * d) +
           ((REAL)INNER_WEIGHT(8) * b + (REAL)INNER_WEIGHT(8) * c);
    a = __builtin_shufflevector(b, half, 0, 4, 1, 5);
    d = __builtin_shufflevector(b, half, 2, 6, 3, 7);
    // Not memcpy, which hardened builds call where they cannot see how large its target is.
    __builtin_memcpy(out, &a, sizeof a);
    __builtin_memcpy(out + 4, &d, sizeof d);
}

// Samples row .. row + MESH_GROUP - 1 of a column of nodes; row is a multiple of MESH_GROUP.
INLINE void NAME(mesh_column)(REAL *restrict out, const REAL *nodes, int row, int step)
{
    const REAL *n = nodes + MESH_MARGIN + row / step;
    switch (step) {
    case 2: NAME(mesh_rows_2)(out, n); return; // has the nodes as they are
    case 4:
        NAME(mesh_rows)(out, n, NAME(mesh_rows_4), 0, 4);
        NAME(mesh_rows)(out + 4, n + 1, NAME(mesh_rows_4), 0, 4);
        out[4] = n[1];
        break;
    case 8: NAME(mesh_rows)(out, n, NAME(mesh_rows_8), 0, 8); break;
    default: NAME(mesh_rows)(out, n, NAME(mesh_rows_16), row % 16, 8); break;
    }
    if (row % step == 0)
        out[0] = n[0];
}

// One sample anywhere.
static REAL NAME(mesh_sample)(const REAL *nodes, const struct mesh_places *places, int column, int row)
{
    int step = places->step, side = places->side, x = column % step, y = row % step;
    const REAL *n = nodes + (size_t)(MESH_MARGIN + column / step) * (size_t)side + MESH_MARGIN + row / step;
    const REAL *w = NAME(mesh_weights)[y * (MESH_STEP_MAX / step)];
    REAL along[4] = {0};
    for (int k = -1; k < 3; k++) {
        const REAL *c = n + k * side;
        if (k == 0 || x != 0)
            along[k + 1] = y == 0 ? c[0] : NAME(mesh_cubic)(c[-1], c[0], c[1], c[2], w);
    }
    return x == 0 ? along[1]
                  : NAME(mesh_cubic)(along[0], along[1], along[2], along[3],
                                     NAME(mesh_weights)[x * (MESH_STEP_MAX / step)]);
}

INLINE void NAME(mesh_between)(double *restrict to, const REAL (*n)[MESH_GROUP], const REAL w[4])
{
    REAL w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    KERNEL_LOOP
    for (int k = 0; k < MESH_GROUP; k++)
        to[k] = (double)((w0 * n[-1][k] + w3 * n[2][k]) + (w1 * n[0][k] + w2 * n[1][k]));
}

INLINE void NAME(mesh_copy)(double *restrict to, const REAL *from)
{
    KERNEL_LOOP
    for (int k = 0; k < MESH_GROUP; k++)
        to[k] = (double)from[k];
}

INLINE void NAME(mesh_whole_run)(double *restrict out, const REAL *nodes, const struct mesh_places *places,
                                 const struct mesh_run *run, int step)
{
    SCRATCH REAL along[PLANET_BLOCK / MESH_GROUP + 4][MESH_GROUP];
    const uint16_t *columns = &places->columns[run->first * MESH_GROUP];
    int row = places->rows[run->first * MESH_GROUP], one = columns[0], other = columns[(run->count - 1) * MESH_GROUP];
    int low = (one < other ? one : other) / step - 1, high = (one < other ? other : one) / step + 2;
    const REAL *from = nodes + (MESH_MARGIN + low) * places->side;
    intptr_t stride = places->side * (intptr_t)sizeof *from;
    // Where the next block goes on, which may be beyond the nodes.
    uintptr_t ahead = (uintptr_t)(from + MESH_MARGIN + row / step) + (uintptr_t)((one < other ? 16 : -16) * stride);
    for (int k = low; k <= high; k++, from += places->side, ahead += (uintptr_t)stride) {
        __builtin_prefetch((const void *)(ahead - sizeof *from));
        __builtin_prefetch((const void *)(ahead + (uintptr_t)(MESH_GROUP / step + 1) * sizeof *from));
        NAME(mesh_column)(along[k - low], from, row, step);
    }
    double *to = out + run->first * MESH_GROUP;
    for (int g = 0; g < run->count; g++, to += MESH_GROUP) {
        int column = columns[g * MESH_GROUP], x = column % step;
        if (x == 0)
            NAME(mesh_copy)(to, along[column / step - low]);
        else
            NAME(mesh_between)(to, &along[column / step - low], NAME(mesh_weights)[x * (MESH_STEP_MAX / step)]);
    }
}

// The loop, of which a constant step leaves what it needs.
INLINE void NAME(mesh_loop)(double *restrict out, const REAL *nodes, const struct mesh_places *places, int step)
{
    for (int r = 0; r < places->run_count; r++) {
        const struct mesh_run *run = &places->runs[r];
        if (run->whole) {
            NAME(mesh_whole_run)(out, nodes, places, run, step);
            continue;
        }
        for (int i = run->first * MESH_GROUP; i < (run->first + run->count) * MESH_GROUP; i++)
            out[i] = (double)NAME(mesh_sample)(nodes, places, places->columns[i], places->rows[i]);
    }
}

STAGE void NAME(mesh_values)(double *out, const REAL *nodes, const struct mesh_places *places)
{
    switch (places->step) {
    case 2: NAME(mesh_loop)(out, nodes, places, 2); break;
    case 4: NAME(mesh_loop)(out, nodes, places, 4); break;
    case 8: NAME(mesh_loop)(out, nodes, places, 8); break;
    default: NAME(mesh_loop)(out, nodes, places, 16); break;
    }
}

#undef MESH_WEIGHTS
#undef MESH_ROW
#undef MESH_ROWS
#undef OTHER_INNER_WEIGHT
#undef OTHER_OUTER_WEIGHT
