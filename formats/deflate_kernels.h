// SPDX-License-Identifier: MIT
// The loops over bytes that the deflate encoder spends its time in, once for every machine and once for AVX2; the
// processor decides at run time. All give the same results to the last bit. Pure functions over the caller's memory,
// which read nothing outside it. Private to the encoder and to our inflate, which shares the checksum.
#ifndef TERRANE_FORMATS_DEFLATE_KERNELS_H
#define TERRANE_FORMATS_DEFLATE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "formats/bit_writer.h"

// How often each byte occurs is the sum over the tables.
#define DEFLATE_TABLES 4

struct deflate_kernels {
    const char *name;
    // Adler-32, as in deflate_adler.h.
    uint32_t (*adler)(const uint8_t *bytes, size_t size_bytes);
    // As deflate_find_runs() in deflate_runs.h.
    size_t (*find_runs)(uint32_t *edges, const uint8_t *source, size_t size_bytes);
    // Adds the bytes to DEFLATE_TABLES tables; which of them gets a byte is free.
    void (*count_bytes)(uint32_t (*tables)[256], const uint8_t *source, size_t size_bytes);
    // From this length on a run is better stepped over: stopping costs as much as counting this many bytes.
    uint32_t step_over_bytes;
    // As deflate_put_data() in deflate_put.h.
    void (*put_data)(struct bit_writer *writer, const uint8_t *source, size_t size_bytes, const uint8_t *lengths,
                     const uint32_t *edges, size_t run_count);
};

extern const struct deflate_kernels deflate_kernels_base;
#if defined(__x86_64__)
extern const struct deflate_kernels deflate_kernels_avx2;
#endif

// The quickest that this processor has.
const struct deflate_kernels *deflate_kernels_choose(void);

// "base" or "avx2"; NULL where this processor lacks it.
const struct deflate_kernels *deflate_kernels_named(const char *name);

#endif
