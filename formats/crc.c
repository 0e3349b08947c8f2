// SPDX-License-Identifier: MIT
// Folding (Gopal, Ozturk, Guilford and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction", Intel 2009): a block of 16 bytes followed by n bits has the same remainder as its two halves times
// x^n mod P added to the 16 bytes at that place. So the whole becomes 16 bytes, and zlib does these and the rest.
#include "formats/crc.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define FOLDING __attribute__((target("pclmul")))
#define FOLD_BYTES ((size_t)64) // four blocks side by side, since a product takes several cycles

// x^(n + 32) and x^(n - 32) mod P, reflected, for a fold over n bits.
#define OVER_512_BITS _mm_set_epi64x(0x1C6E41596, 0x154442BD4)
#define OVER_128_BITS _mm_set_epi64x(0x0CCAA009E, 0x1751997D0)

FOLDING static inline __m128i load(const uint8_t *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

FOLDING static inline __m128i fold(__m128i block, __m128i powers, __m128i next)
{
    __m128i low = _mm_clmulepi64_si128(block, powers, 0x00), high = _mm_clmulepi64_si128(block, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

// size >= FOLD_BYTES
FOLDING static uint32_t crc_folded(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = bytes + size;
    // A CRC begins with a register of ones, which is the same as turning the first four bytes round.
    __m128i a = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128(-1));
    __m128i b = load(bytes + 16), c = load(bytes + 32), d = load(bytes + 48);
    for (bytes += FOLD_BYTES; (size_t)(end - bytes) >= FOLD_BYTES; bytes += FOLD_BYTES) {
        a = fold(a, OVER_512_BITS, load(bytes));
        b = fold(b, OVER_512_BITS, load(bytes + 16));
        c = fold(c, OVER_512_BITS, load(bytes + 32));
        d = fold(d, OVER_512_BITS, load(bytes + 48));
    }
    a = fold(fold(fold(a, OVER_128_BITS, b), OVER_128_BITS, c), OVER_128_BITS, d);
    for (; end - bytes >= 16; bytes += 16)
        a = fold(a, OVER_128_BITS, load(bytes));
    uint8_t left[16];
    _mm_storeu_si128((__m128i *)(void *)left, a);
    // zlib turns the register round before and after; all ones start it at 0.
    uLong crc = crc32_z(0xFFFFFFFF, left, sizeof left);
    return (uint32_t)crc32_z(crc, bytes, (z_size_t)(end - bytes));
}
#endif

uint32_t crc_of(const void *bytes, size_t size)
{
    if (size == 0)
        return 0;
#if defined(__x86_64__)
    if (size >= FOLD_BYTES && __builtin_cpu_supports("pclmul"))
        return crc_folded(bytes, size);
#endif
    return (uint32_t)crc32_z(0, bytes, size);
}
