// SPDX-License-Identifier: MIT
#include "bake/tile_lattice.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bake/planet/kernels.h"
#include "bake/tile_lattice_avx2.h"

void tile_lattice_prepare(struct tile_lattice *lattice, struct node node, int intervals)
{
    assert(node_valid(node) && tile_intervals_valid(intervals));
    int64_t n = tile_lattice_size(intervals, node.level);
    int64_t i = (int64_t)node.x * intervals, j = n - (int64_t)node.y * intervals;
    const struct cube_face_frame *frame = &cube_face_frames[node.face];
    lattice->node = node;
    lattice->intervals = intervals;
    for (int k = 0; k <= intervals; k++) {
        lattice->u[k] = cube_lattice_line(frame->s.sign, i + k, n);
        lattice->v[k] = cube_lattice_line(frame->t.sign, j - k, n);
    }
}

void tile_lattice_dirs_at(const struct tile_lattice *lattice, const uint16_t *columns, const uint16_t *rows, int count,
                          double *x, double *y, double *z)
{
    const struct cube_face_frame *frame = &cube_face_frames[lattice->node.face];
    double *const p[3] = {x, y, z};
    double *out = p[frame->out.axis], *s = p[frame->s.axis], *t = p[frame->t.axis];
    for (int k = 0; k < count; k++) {
        out[k] = frame->out.sign;
        s[k] = lattice->u[columns[k]];
        t[k] = lattice->v[rows[k]];
    }
    kernels_choose()->normalise(count, x, y, z);
}

static void piece_base(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x, double *y,
                       double *z)
{
    const struct cube_face_frame *frame = &cube_face_frames[lattice->node.face];
    double *const p[3] = {x, y, z};
    double *out = p[frame->out.axis], *s = p[frame->s.axis], *t = p[frame->t.axis];
    for (int c = 0, k = 0; c < piece->count; c++) {
        for (int row = 0; row < piece->height; row++, k++) {
            out[k] = frame->out.sign;
            s[k] = lattice->u[piece->column + c * piece->step];
            t[k] = lattice->v[piece->top + row];
        }
    }
    kernels_choose()->normalise(piece->count * piece->height, x, y, z);
}

#if defined(__x86_64__)
static void piece_avx2(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x, double *y,
                       double *z)
{
    if (piece->height == TILE_ORDER_ROWS)
        tile_lattice_columns_avx2(lattice, piece, x, y, z);
    else
        piece_base(lattice, piece, x, y, z);
}
#endif

tile_lattice_piece *tile_lattice_piece_choose(void)
{
    tile_lattice_piece *quick = tile_lattice_piece_named("avx2");
    return quick ? quick : piece_base;
}

tile_lattice_piece *tile_lattice_piece_named(const char *name)
{
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return piece_avx2;
#endif
    return strcmp(name, "base") == 0 ? piece_base : NULL;
}
