// SPDX-License-Identifier: MIT
#include "bake/planet/face_grid.h"

#include <stddef.h>
#include <string.h>

#include "bake/planet/face_grid_avx2.h"
#include "bake/planet/kernels.h"

static void dirs_base(const struct face_grid *grid, double *x, double *y, double *z)
{
    const struct cube_face_frame *frame = &cube_face_frames[grid->face];
    double *const p[3] = {x, y, z};
    double *out = p[frame->out.axis], *s = p[frame->s.axis], *t = p[frame->t.axis];
    const double *u = grid->u;
    for (int c = 0; c < grid->column_count; c++, u += grid->u_step) {
        for (int row = 0; row < grid->row_count; row++) {
            *out++ = frame->out.sign;
            *s++ = *u;
            *t++ = grid->v[row];
        }
    }
    kernels_choose()->normalise(grid->column_count * grid->row_count, x, y, z);
}

#if defined(__x86_64__)
static void dirs_avx2(const struct face_grid *grid, double *x, double *y, double *z)
{
    if (grid->row_count >= FACE_GRID_AVX2_ROWS)
        face_grid_dirs_avx2(grid, x, y, z);
    else
        dirs_base(grid, x, y, z);
}
#endif

face_grid_dirs *face_grid_dirs_choose(void)
{
    face_grid_dirs *quick = face_grid_dirs_named("avx2");
    return quick ? quick : dirs_base;
}

face_grid_dirs *face_grid_dirs_named(const char *name)
{
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return dirs_avx2;
#endif
    return strcmp(name, "base") == 0 ? dirs_base : NULL;
}
