// SPDX-License-Identifier: MIT
// deflate_put_data (deflate_put.h) for processors with AVX2 and BMI2: the same bytes. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_PUT_AVX2_H
#define TERRANE_FORMATS_DEFLATE_PUT_AVX2_H

#include <stddef.h>
#include <stdint.h>

#include "formats/bit_writer.h"

void deflate_put_data_avx2(struct bit_writer *writer, const uint8_t *source, size_t size_bytes, const uint8_t *lengths,
                           const uint32_t *edges, size_t run_count);

#endif
