// SPDX-License-Identifier: MIT
#include "bake/tile_lattice.h"

#include <assert.h>
#include <stdint.h>

#include "bake/planet/face_grid.h"
#include "bake/planet/kernels.h"

void tile_lattice_prepare(struct tile_lattice *lattice, struct node node, int intervals)
{
    assert(node_valid(node) && tile_intervals_valid(intervals));
    int64_t n = tile_lattice_size(intervals, node.level);
    int64_t i = (int64_t)node.x * intervals, j = n - (int64_t)node.y * intervals;
    const struct cube_face_frame *frame = &cube_face_frames[node.face];
    lattice->node = node;
    lattice->intervals = intervals;
    cube_lattice_lines(lattice->u, intervals + 1, frame->s.sign, i, 1, n);
    cube_lattice_lines(lattice->v, intervals + 1, frame->t.sign, j, -1, n);
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

void tile_lattice_piece_dirs(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x, double *y,
                             double *z)
{
    const struct face_grid grid = {
        .face = lattice->node.face,
        .u = lattice->u + piece->column,
        .v = lattice->v + piece->top,
        .u_step = piece->step,
        .column_count = piece->count,
        .row_count = piece->height,
    };
    face_grid_dirs_choose()(&grid, x, y, z);
}
