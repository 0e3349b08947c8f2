// SPDX-License-Identifier: MIT
// SHA-256 over bytes in pieces. A thin cover over nettle, which uses the CPU's SHA instructions
// where it has them. A struct sha256 is a plain value: copying it forks the hash.
#ifndef TERRANE_FORMATS_SHA256_H
#define TERRANE_FORMATS_SHA256_H

#include <nettle/sha2.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32

struct sha256 {
    struct sha256_ctx context;
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_BYTES]);

void sha256_of(uint8_t digest[SHA256_BYTES], const void *bytes, size_t size);

// 64 lower-case digits and a zero.
void sha256_text(char text[2 * SHA256_BYTES + 1], const uint8_t digest[SHA256_BYTES]);

#endif
