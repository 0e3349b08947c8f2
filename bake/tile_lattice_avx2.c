// SPDX-License-Identifier: MIT
// A direction is (1, u, v) over its length, axes and signs apart. Dividing three times is what takes the time, so only
// 1 is divided by the length; u and v are multiplied by that and then corrected until they are what dividing gives.
#include "bake/tile_lattice_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

#define four __m256d // doubles, one a sample

_Static_assert(TILE_ORDER_ROWS == 8, "a column is two of them");

// a / length, rounded to nearest, where over_length is 1 / length so rounded, 1 <= length <= sqrt(3) and nothing comes
// near underflow (Markstein 1990, Computation of elementary functions on the IBM RISC System/6000 processor). In units
// of the quotient's last place: a * over_length is off by less than 1.4; the first correction makes that 0.51, so that
// the remainder of the second is exact; what is rounded in the end is off by less than 0.45 * 2^-53, since over_length
// is off by 2^-54, and a quotient of two doubles keeps 2^-53 / length, 0.57 * 2^-53, from the middle between two.
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

TARGET void tile_lattice_columns_avx2(const struct tile_lattice *lattice, const struct tile_piece *piece, double *x,
                                      double *y, double *z)
{
    const struct cube_face_frame *frame = &cube_face_frames[lattice->node.face];
    double *const p[3] = {x, y, z};
    double *out = p[frame->out.axis], *s = p[frame->s.axis], *t = p[frame->t.axis];
    const four one = _mm256_set1_pd(1), sign = _mm256_set1_pd(frame->out.sign);
    const double *rows = lattice->v + piece->top, *column = lattice->u + piece->column;
    for (int c = 0; c < piece->count; c++, column += piece->step) {
        four u = _mm256_set1_pd(*column), uu = _mm256_mul_pd(u, u);
        for (int half = 0; half < TILE_ORDER_ROWS; half += 4) {
            four v = _mm256_loadu_pd(rows + half);
            four length = length_of(uu, _mm256_mul_pd(v, v), frame), over_length = _mm256_div_pd(one, length);
            int k = c * TILE_ORDER_ROWS + half;
            _mm256_storeu_pd(out + k, _mm256_mul_pd(sign, over_length));
            _mm256_storeu_pd(s + k, divided(u, length, over_length));
            _mm256_storeu_pd(t + k, divided(v, length, over_length));
        }
    }
}

#endif
