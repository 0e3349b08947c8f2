// SPDX-License-Identifier: MIT
#include "formats/sha256.h"

void sha256_begin(struct sha256 *hash)
{
    sha256_init(&hash->context);
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    sha256_update(&hash->context, size, bytes);
}

void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_BYTES])
{
    sha256_digest(&hash->context, SHA256_BYTES, digest);
}

void sha256_of(uint8_t digest[SHA256_BYTES], const void *bytes, size_t size)
{
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, bytes, size);
    sha256_finish(&hash, digest);
}

void sha256_text(char text[2 * SHA256_BYTES + 1], const uint8_t digest[SHA256_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (int k = 0; k < SHA256_BYTES; k++) {
        text[2 * k] = digits[digest[k] >> 4];
        text[2 * k + 1] = digits[digest[k] & 15];
    }
    text[2 * SHA256_BYTES] = 0;
}
