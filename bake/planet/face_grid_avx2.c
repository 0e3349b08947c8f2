// SPDX-License-Identifier: MIT
// A direction is (1, u, v) over its length, axes and signs apart. Dividing three times is what takes the time, so only
// 1 is divided by the length; u and v are multiplied by that and then corrected until they are what dividing gives.
#include "bake/planet/face_grid_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define four __m256d // doubles, one a sample

// a / length, rounded to nearest, where over_length is 1 / length so rounded, 1 <= length < 4 and nothing comes near
// underflow (Markstein 1990, Computation of elementary functions on the IBM RISC System/6000 processor). For length <
// 2, and from 2 on likewise, in units of the quotient's last place: a * over_length is off by at most 1.5; the first
// correction makes that a half, so that the remainder of the second is exact; what is rounded in the end is off by
// length * 2^-55, since over_length is off by 2^-54, and a quotient of doubles keeps 2^-53 / length from the middle
// between two. The second correction rests on this proof: no test is known to tell two corrections from one.
INLINE four divided(four a, four length, four over_length)
{
    four q = _mm256_mul_pd(a, over_length);
    q = _mm256_fmadd_pd(_mm256_fnmadd_pd(length, q, a), over_length, q);
    return _mm256_fmadd_pd(_mm256_fnmadd_pd(length, q, a), over_length, q);
}

// The sum of the squares in the order of the axes x, y, z, the last of which is added last.
INLINE four length_of(four uu, four vv, const struct cube_face_frame *frame)
{
    const four one = _mm256_set1_pd(1);
    if (frame->out.axis == 2)
        return _mm256_sqrt_pd(_mm256_add_pd(_mm256_add_pd(uu, vv), one));
    if (frame->s.axis == 2)
        return _mm256_sqrt_pd(_mm256_add_pd(_mm256_add_pd(vv, one), uu));
    return _mm256_sqrt_pd(_mm256_add_pd(_mm256_add_pd(uu, one), vv));
}

TARGET void face_grid_dirs_avx2(const struct face_grid *grid, double *x, double *y, double *z)
{
    const struct cube_face_frame *frame = &cube_face_frames[grid->face];
    double *const p[3] = {x, y, z};
    double *out = p[frame->out.axis], *s = p[frame->s.axis], *t = p[frame->t.axis];
    const four one = _mm256_set1_pd(1), sign = _mm256_set1_pd(frame->out.sign);
    const double *column = grid->u;
    size_t first = 0, row_count = (size_t)grid->row_count;
    for (int c = 0; c < grid->column_count; c++, column += grid->u_step, first += row_count) {
        four u = _mm256_set1_pd(*column), uu = _mm256_mul_pd(u, u);
        for (size_t done = 0; done < row_count; done += 4) {
            // The last four go over rows before them once more.
            size_t row = done + 4 <= row_count ? done : row_count - 4, k = first + row;
            four v = _mm256_loadu_pd(grid->v + row);
            four length = length_of(uu, _mm256_mul_pd(v, v), frame), over_length = _mm256_div_pd(one, length);
            _mm256_storeu_pd(out + k, _mm256_mul_pd(sign, over_length));
            _mm256_storeu_pd(s + k, divided(u, length, over_length));
            _mm256_storeu_pd(t + k, divided(v, length, over_length));
        }
    }
}

#endif
