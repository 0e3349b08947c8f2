// SPDX-License-Identifier: MIT
#include "formats/sha256_lanes.h"

#include <assert.h>

#include "formats/sha256_many.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

#define SHA __attribute__((target("sha,avx")))
#define SHA_APART SHA __attribute__((noinline)) // together gcc wants more registers than there are
#define SHA_INLINE SHA static inline __attribute__((always_inline))

// Of each constant the first 32 bits of the fractional part of the cube root of a prime.
static const _Alignas(16) uint32_t constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

bool sha256_lanes_supported(void)
{
    // The processor is asked once: under a hypervisor the question takes a microsecond or more.
    enum { NOT_ASKED, NO, YES };
    static atomic_int answer = NOT_ASKED;
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (known == NOT_ASKED) {
        unsigned a, b = 0, c, d;
        bool sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
        known = sha && __builtin_cpu_supports("avx") ? YES : NO;
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return known == YES;
}

SHA_INLINE __m128i load(const void *bytes)
{
    return _mm_loadu_si128(bytes);
}

// The lanes' states, and of each the last 16 words of its message schedule.
struct registers {
    __m128i fe_ba[SHA256_LANES], hg_dc[SHA256_LANES], words[SHA256_LANES][4];
};

// Four rounds of every lane, with words[lane][w]. These make way for the words 16 rounds on, where further says that
// there are such.
SHA_INLINE void four_rounds(struct registers *r, int lane_count, const uint32_t *four_constants, int w, bool further)
{
    for (int k = 0; k < lane_count; k++) {
        __m128i *words = r->words[k];
        // Read for each lane anew, as part of the addition: a register less.
        __m128i sum = _mm_add_epi32(words[w], load(four_constants));
        r->hg_dc[k] = _mm_sha256rnds2_epu32(r->hg_dc[k], r->fe_ba[k], sum);
        r->fe_ba[k] = _mm_sha256rnds2_epu32(r->fe_ba[k], r->hg_dc[k], _mm_shuffle_epi32(sum, 0x0E));
        if (further) {
            __m128i next = _mm_sha256msg1_epu32(words[w], words[(w + 1) % 4]), last = words[(w + 3) % 4];
            next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(w + 2) % 4], 4));
            words[w] = _mm_sha256msg2_epu32(next, last);
        }
    }
}

// Written out, as gcc keeps the words in registers only so: a loop here made three lanes 15 % slower.
SHA_INLINE void sixteen_rounds(struct registers *r, int lane_count, const uint32_t *sixteen_constants, bool further)
{
    four_rounds(r, lane_count, sixteen_constants, 0, further);
    four_rounds(r, lane_count, sixteen_constants + 4, 1, further);
    four_rounds(r, lane_count, sixteen_constants + 8, 2, further);
    four_rounds(r, lane_count, sixteen_constants + 12, 3, further);
}

// Inlined for each number of lanes, so that the arrays become registers.
SHA_INLINE void add_blocks(struct sha256_lane *const *lanes, int lane_count, size_t block_count)
{
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    struct registers r;
    for (int k = 0; k < lane_count; k++) {
        r.fe_ba[k] = load(lanes[k]->fe_ba);
        r.hg_dc[k] = load(lanes[k]->hg_dc);
    }
    for (size_t block = 0; block < block_count; block++) {
        struct registers before;
        for (int k = 0; k < lane_count; k++) {
            before.fe_ba[k] = r.fe_ba[k];
            before.hg_dc[k] = r.hg_dc[k];
            for (int w = 0; w < 4; w++)
                r.words[k][w] = _mm_shuffle_epi8(load(lanes[k]->at + 16 * w), big_endian);
            lanes[k]->at += SHA256_BLOCK_BYTES;
        }
#pragma GCC unroll 3
        for (int done = 0; done < 48; done += 16)
            sixteen_rounds(&r, lane_count, constants + done, true);
        sixteen_rounds(&r, lane_count, constants + 48, false);
        for (int k = 0; k < lane_count; k++) {
            r.fe_ba[k] = _mm_add_epi32(r.fe_ba[k], before.fe_ba[k]);
            r.hg_dc[k] = _mm_add_epi32(r.hg_dc[k], before.hg_dc[k]);
        }
    }
    for (int k = 0; k < lane_count; k++) {
        _mm_storeu_si128((void *)lanes[k]->fe_ba, r.fe_ba[k]);
        _mm_storeu_si128((void *)lanes[k]->hg_dc, r.hg_dc[k]);
    }
}

SHA_APART static void add_to_one(struct sha256_lane *const *lanes, size_t block_count)
{
    add_blocks(lanes, 1, block_count);
}

SHA_APART static void add_to_two(struct sha256_lane *const *lanes, size_t block_count)
{
    add_blocks(lanes, 2, block_count);
}

SHA_APART static void add_to_three(struct sha256_lane *const *lanes, size_t block_count)
{
    add_blocks(lanes, 3, block_count);
}

void sha256_lanes_add(struct sha256_lane *const *lanes, int lane_count, size_t block_count)
{
    static void (*const add_to[SHA256_LANES])(struct sha256_lane *const *, size_t) = {add_to_one, add_to_two,
                                                                                      add_to_three};
    assert(lane_count >= 1 && lane_count <= SHA256_LANES);
    add_to[lane_count - 1](lanes, block_count);
}

#else

bool sha256_lanes_supported(void)
{
    return false;
}

void sha256_lanes_add(struct sha256_lane *const *lanes, int lane_count, size_t block_count)
{
    assert(!"not supported");
    (void)lanes, (void)lane_count, (void)block_count;
}

#endif
