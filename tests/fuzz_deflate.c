// SPDX-License-Identifier: MIT
// Deflate of any bytes in any blocks: within its bound, read by zlib, by tests/tiny_inflate.h and by
// our own inflate as it went in.
// Input: two bytes for the block size, one for how often the rest is repeated byte by byte (runs), the source.
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "formats/deflate_decode.h"
#include "formats/deflate_encode.h"
#include "tests/tiny_inflate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3 || size > 1500)
        return 0;
    size_t block_bytes = 1 + (size_t)(data[0] | data[1] << 8), repeats = data[2] % 40 + 1;
    size_t source_bytes = (size - 3) * repeats, bound = deflate_bound(source_bytes);
    uint8_t *source = malloc(source_bytes + 1), *target = malloc(bound), *back = malloc(source_bytes + 1);
    struct deflate_scratch *scratch = malloc(deflate_scratch_bytes());
    for (size_t k = 0; k < source_bytes; k++)
        source[k] = data[3 + k / repeats];

    size_t encoded = deflate_encode(target, source, source_bytes, block_bytes, scratch);
    uLongf back_bytes = source_bytes + 1;
    if (encoded > source_bytes + source_bytes / 1000 + 11)
        abort();
    if (uncompress(back, &back_bytes, target, encoded) != Z_OK || back_bytes != source_bytes ||
        memcmp(back, source, source_bytes) != 0)
        abort();
    memset(back, 0, source_bytes);
    if (tiny_inflate(back, source_bytes, target, encoded) != (long)source_bytes ||
        memcmp(back, source, source_bytes) != 0)
        abort();
    memset(back, 0, source_bytes);
    if (!deflate_decode(back, source_bytes, target, encoded) || memcmp(back, source, source_bytes) != 0)
        abort();
    free(source);
    free(target);
    free(back);
    free(scratch);
    return 0;
}
