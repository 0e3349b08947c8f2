// SPDX-License-Identifier: MIT
#include "formats/deflate_run_loop.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include "common/byteorder.h"
#endif

// Bit k tells whether source[k] equals the byte before it, for 64 bytes.
static inline uint64_t equal_64(const uint8_t *source)
{
    uint64_t equal = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 64; k += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(source + k));
        __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(source + k - 1));
        equal |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(here, before)) << k;
    }
#else
    const uint64_t low7 = UINT64_C(0x7F7F7F7F7F7F7F7F);
    for (int k = 0; k < 64; k += 8) {
        uint64_t differences = get_u64le(source + k) ^ get_u64le(source + k - 1);
        // The top bit of every byte that is zero, exactly: no carry leaves its byte.
        uint64_t zeros = ~(((differences & low7) + low7) | differences | low7);
        // The product gathers the eight top bits in the top byte.
        equal |= (zeros >> 7) * UINT64_C(0x0102040810204080) >> 56 << k;
    }
#endif
    return equal;
}

size_t deflate_find_runs(uint32_t *edges, const uint8_t *source, size_t size_bytes)
{
    return find_runs_by(equal_64, edges, source, size_bytes);
}
