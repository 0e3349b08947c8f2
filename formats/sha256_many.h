// SPDX-License-Identifier: MIT
// SHA-256 of several byte strings at once. A hash is one long chain of rounds, each of which waits for the one before:
// the processor's SHA instructions could begin twice as many. So up to SHA256_LANES strings go through one loop side by
// side, in 0.31 ns a byte of three and 0.33 of two, where nettle, which takes one after the other, needs 0.69 (Zen 3).
// nettle does it where the processor has no such instructions. Pure functions; threads may run them at once.
#ifndef TERRANE_FORMATS_SHA256_MANY_H
#define TERRANE_FORMATS_SHA256_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/sha256.h"

#define SHA256_LANES 3

struct sha256_job {
    const void *bytes; // may be NULL for none
    size_t size_bytes;
    uint8_t *digest; // SHA256_BYTES, of this job alone
};

// Any number of jobs. Quickest with the longest first, so that none is left to run alone.
void sha256_of_many(const struct sha256_job *jobs, int job_count);

// The two ways, for tests and benchmarks: one after the other by nettle, and side by side. The latter returns false,
// with nothing written, where the processor lacks the instructions.
void sha256_one_by_one(const struct sha256_job *jobs, int job_count);
bool sha256_side_by_side(const struct sha256_job *jobs, int job_count);

#endif
