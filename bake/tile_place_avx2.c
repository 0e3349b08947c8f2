// SPDX-License-Identifier: MIT
// Eight columns at a time, or four of wide slots, which are turned into rows. What is left over at the end of a piece
// goes once more with columns before it.
#include "bake/tile_place_avx2.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>

#define INLINE __attribute__((target("avx2"), always_inline)) static inline

// Rows have left the near caches when a tile is begun, so they are fetched while the samples before are worked out.
#define PREFETCH_COLUMNS 32

_Static_assert(TILE_ORDER_ROWS == 8, "a column fills a register");

// Of two columns: words row .. row + 3 of one below those of the other.
INLINE __m256i halves(const uint8_t *low, const uint8_t *high, int row)
{
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(low + 4 * row));
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(high + 4 * row));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
}

// Rows row .. row + 3 of eight columns of words, apart bytes from one column to its eastern neighbour.
INLINE void turn_four(__m256i rows[4], const uint8_t *west, ptrdiff_t apart, int row)
{
    __m256i a = halves(west, west + 4 * apart, row), b = halves(west + apart, west + 5 * apart, row);
    __m256i c = halves(west + 2 * apart, west + 6 * apart, row), d = halves(west + 3 * apart, west + 7 * apart, row);
    __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
    rows[0] = _mm256_unpacklo_epi64(ab, cd);
    rows[1] = _mm256_unpackhi_epi64(ab, cd);
    ab = _mm256_unpackhi_epi32(a, b);
    cd = _mm256_unpackhi_epi32(c, d);
    rows[2] = _mm256_unpacklo_epi64(ab, cd);
    rows[3] = _mm256_unpackhi_epi64(ab, cd);
}

// Rows row .. row + 3 of four columns of slots of 8 bytes.
INLINE void turn_four_wide(__m256i rows[4], const uint8_t *west, ptrdiff_t apart, int row)
{
    const uint8_t *from = west + row * TILE_WIDE_SLOT_BYTES;
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + apart));
    __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(from + 2 * apart));
    __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)(from + 3 * apart));
    __m256i ab = _mm256_unpacklo_epi64(a, b), cd = _mm256_unpacklo_epi64(c, d); // rows 0 and 2
    rows[0] = _mm256_permute2x128_si256(ab, cd, 0x20);
    rows[2] = _mm256_permute2x128_si256(ab, cd, 0x31);
    ab = _mm256_unpackhi_epi64(a, b);
    cd = _mm256_unpackhi_epi64(c, d);
    rows[1] = _mm256_permute2x128_si256(ab, cd, 0x20);
    rows[3] = _mm256_permute2x128_si256(ab, cd, 0x31);
}

// The first 12 bytes of both halves, one after the other.
INLINE void store_halves(uint8_t *to, __m256i halves)
{
    __m256i pixels = _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(pixels));
    _mm_storel_epi64((__m128i *)(void *)(to + 16), _mm256_extracti128_si256(pixels, 1));
}

// Eight slots without their fourth bytes.
INLINE void store_pixels(uint8_t *to, __m256i slots)
{
    const __m256i threes = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8,
                                            9, 10, 12, 13, 14, -1, -1, -1, -1);
    store_halves(to, _mm256_shuffle_epi8(slots, threes));
}

// Four slots without their last two bytes.
INLINE void store_wide_pixels(uint8_t *to, __m256i slots)
{
    const __m256i sixes = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 8,
                                           9, 10, 11, 12, 13, -1, -1, -1, -1);
    store_halves(to, _mm256_shuffle_epi8(slots, sixes));
}

INLINE void store_heights(uint8_t *to, __m256i heights)
{
    _mm256_storeu_si256((__m256i *)(void *)to, heights);
}

// Inlined for each size and way to turn and store; width columns at a time.
INLINE void place(uint8_t *tile, int side, const struct tile_piece *piece, const uint8_t *slots, size_t size, int width,
                  void (*turn)(__m256i rows[4], const uint8_t *west, ptrdiff_t apart, int row),
                  void (*store)(uint8_t *to, __m256i row))
{
    size_t row_bytes = (size_t)side * size;
    const ptrdiff_t column_bytes = TILE_ORDER_ROWS * (width == 8 ? TILE_SLOT_BYTES : TILE_WIDE_SLOT_BYTES);
    uintptr_t ahead = (uintptr_t)(piece->step * (ptrdiff_t)size * PREFETCH_COLUMNS);
    for (int done = 0; done < piece->count; done += width) {
        int first = done + width <= piece->count ? done : piece->count - width;
        int west = piece->step > 0 ? first : first + width - 1;
        const uint8_t *from = slots + west * column_bytes;
        uint8_t *to = tile + (size_t)piece->top * row_bytes + (size_t)(piece->column + west * piece->step) * size;
        for (int row = 0; row < 8; row += 4) {
            __m256i rows[4];
            turn(rows, from, piece->step * column_bytes, row);
            for (int k = 0; k < 4; k++, to += row_bytes) {
                store(to, rows[k]);
                __builtin_prefetch((const void *)((uintptr_t)to + ahead), 1);
            }
        }
    }
}

__attribute__((target("avx2"))) void tile_place_heights_avx2(int32_t *tile, int side, const struct tile_piece *piece,
                                                             const int32_t *heights)
{
    place((uint8_t *)tile, side, piece, (const uint8_t *)heights, sizeof *heights, 8, turn_four, store_heights);
}

__attribute__((target("avx2"))) void tile_place_pixels_avx2(uint8_t *tile, int side, const struct tile_piece *piece,
                                                            const uint8_t *slots)
{
    place(tile, side, piece, slots, 3, 8, turn_four, store_pixels);
}

__attribute__((target("avx2"))) void tile_place_wide_pixels_avx2(uint8_t *tile, int side,
                                                                 const struct tile_piece *piece, const uint8_t *slots)
{
    place(tile, side, piece, slots, 6, 4, turn_four_wide, store_wide_pixels);
}

#endif
