// SPDX-License-Identifier: MIT
#include "formats/picture_unfilter.h"

#include <assert.h>
#include <string.h>

#define PAETH 4

static bool all_paeth(const uint8_t *filtered, size_t row_bytes, int row_count)
{
    bool all = true;
    for (int y = 0; y < row_count; y++)
        all = all && filtered[(size_t)y * (row_bytes + 1)] == PAETH;
    return all;
}

// Without a row above, Paeth's choice is always the western byte.
static void first_row(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, size_t pixel_bytes)
{
    memcpy(samples, filtered, pixel_bytes);
    for (size_t k = pixel_bytes; k < row_bytes; k++)
        samples[k] = (uint8_t)(filtered[k] + samples[k - pixel_bytes]);
}

static uint8_t paeth(int west, int north, int northwest)
{
    int off_west = north - northwest, off_north = west - northwest, off_northwest = off_west + off_north;
    off_west = off_west < 0 ? -off_west : off_west;
    off_north = off_north < 0 ? -off_north : off_north;
    off_northwest = off_northwest < 0 ? -off_northwest : off_northwest;
    int nearer = off_north <= off_northwest ? north : northwest;
    return (uint8_t)(off_west <= off_north && off_west <= off_northwest ? west : nearer);
}

static void plain_row(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, size_t pixel_bytes)
{
    const uint8_t *above = samples - row_bytes;
    for (size_t k = 0; k < pixel_bytes; k++)
        samples[k] = (uint8_t)(filtered[k] + above[k]);
    for (size_t k = pixel_bytes; k < row_bytes; k++)
        samples[k] = (uint8_t)(filtered[k] + paeth(samples[k - pixel_bytes], above[k], above[k - pixel_bytes]));
}

bool picture_unfilter_plain(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count,
                            size_t pixel_bytes)
{
    if (!all_paeth(filtered, row_bytes, row_count))
        return false;
    first_row(samples, filtered + 1, row_bytes, pixel_bytes);
    for (int y = 1; y < row_count; y++)
        plain_row(samples + (size_t)y * row_bytes, filtered + (size_t)y * (row_bytes + 1) + 1, row_bytes, pixel_bytes);
    return true;
}

#if defined(__x86_64__)
#include <emmintrin.h>

// A pixel's bytes in 16 bits each. Reads up to 8 bytes from there on.
static inline __m128i load_pixel(const uint8_t *from, size_t pixel_bytes)
{
    uint64_t bytes = 0;
    memcpy(&bytes, from, pixel_bytes == 3 ? 4 : 8);
    return _mm_unpacklo_epi8(_mm_cvtsi64_si128((long long)bytes), _mm_setzero_si128());
}

// One row on its way: the pixel last made and the one above it. West of the first one is nothing, which counts as 0.
struct row {
    uint8_t *samples;
    const uint8_t *filtered;
    __m128i west, northwest;
};

static inline __m128i size_of(__m128i v)
{
    return _mm_max_epi16(v, _mm_sub_epi16(_mm_setzero_si128(), v));
}

static inline __m128i either(__m128i chosen, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(chosen, a), _mm_andnot_si128(chosen, b));
}

// Makes the pixel at byte k and hands it back as its bytes.
static inline uint64_t next_pixel(struct row *row, size_t k, __m128i north, size_t pixel_bytes)
{
    __m128i from_west = _mm_sub_epi16(north, row->northwest), from_north = _mm_sub_epi16(row->west, row->northwest);
    __m128i off_northwest = size_of(_mm_add_epi16(from_west, from_north));
    __m128i off_west = size_of(from_west), off_north = size_of(from_north);
    __m128i least = _mm_min_epi16(off_northwest, _mm_min_epi16(off_west, off_north));
    __m128i nearer = either(_mm_cmpeq_epi16(least, off_north), north, row->northwest);
    __m128i nearest = either(_mm_cmpeq_epi16(least, off_west), row->west, nearer);
    __m128i sum = _mm_add_epi16(load_pixel(row->filtered + k, pixel_bytes), nearest);
    row->northwest = north;
    row->west = _mm_and_si128(sum, _mm_set1_epi16(0xFF));
    return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(row->west, row->west));
}

// Also writes over the pixel to the east, which must still be to come.
static inline void put_pixel(struct row *row, size_t k, __m128i north, size_t pixel_bytes)
{
    uint64_t bytes = next_pixel(row, k, north, pixel_bytes);
    memcpy(row->samples + k, &bytes, pixel_bytes == 3 ? 4 : 8);
}

static inline void put_last_pixel(struct row *row, size_t k, __m128i north, size_t pixel_bytes)
{
    uint64_t bytes = next_pixel(row, k, north, pixel_bytes);
    memcpy(row->samples + k, &bytes, pixel_bytes);
}

static struct row row_at(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int y)
{
    return (struct row){samples + (size_t)y * row_bytes, filtered + (size_t)y * (row_bytes + 1) + 1,
                        _mm_setzero_si128(), _mm_setzero_si128()};
}

// Rows y and y + 1, the lower one a pixel behind, so that while one waits for its last pixel the other goes on. The
// upper one's pixels come to the lower one by register: read back from memory they would not be there yet.
static inline void two_rows(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int y, size_t pixel_bytes)
{
    struct row upper = row_at(samples, filtered, row_bytes, y), lower = row_at(samples, filtered, row_bytes, y + 1);
    const uint8_t *above = upper.samples - row_bytes;
    size_t last = row_bytes - pixel_bytes;
    for (size_t k = 0; k < last; k += pixel_bytes) {
        __m128i north = upper.west;
        put_pixel(&upper, k, load_pixel(above + k, pixel_bytes), pixel_bytes);
        if (k > 0)
            put_pixel(&lower, k - pixel_bytes, north, pixel_bytes);
    }
    __m128i north = upper.west;
    put_last_pixel(&upper, last, load_pixel(above + last, pixel_bytes), pixel_bytes);
    if (last > 0)
        put_pixel(&lower, last - pixel_bytes, north, pixel_bytes);
    put_last_pixel(&lower, last, upper.west, pixel_bytes);
}

static inline void all_rows(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count,
                            size_t pixel_bytes)
{
    int y = 1;
    for (; y + 1 < row_count; y += 2)
        two_rows(samples, filtered, row_bytes, y, pixel_bytes);
    for (; y < row_count; y++)
        plain_row(samples + (size_t)y * row_bytes, filtered + (size_t)y * (row_bytes + 1) + 1, row_bytes, pixel_bytes);
}

bool picture_unfilter(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count, size_t pixel_bytes)
{
    assert(pixel_bytes == 3 || pixel_bytes == 6);
    if (!all_paeth(filtered, row_bytes, row_count))
        return false;
    first_row(samples, filtered + 1, row_bytes, pixel_bytes);
    if (pixel_bytes == 3)
        all_rows(samples, filtered, row_bytes, row_count, 3);
    else
        all_rows(samples, filtered, row_bytes, row_count, 6);
    return true;
}

#else

bool picture_unfilter(uint8_t *samples, const uint8_t *filtered, size_t row_bytes, int row_count, size_t pixel_bytes)
{
    return picture_unfilter_plain(samples, filtered, row_bytes, row_count, pixel_bytes);
}

#endif
