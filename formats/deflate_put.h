// SPDX-License-Identifier: MIT
// Writes the data of a dynamic block. Private to the deflate encoder.
#ifndef TERRANE_FORMATS_DEFLATE_PUT_H
#define TERRANE_FORMATS_DEFLATE_PUT_H

#include <stddef.h>
#include <stdint.h>

#include "formats/bit_writer.h"

// Writes size_bytes bytes, with run_count runs (edges as in deflate_runs.h) as matches of distance 1, and the end of
// the block, in the code of these DEFLATE_LITERALS lengths, none over BIT_CODE_MAX.
void deflate_put_data(struct bit_writer *writer, const uint8_t *source, size_t size_bytes, const uint8_t *lengths,
                      const uint32_t *edges, size_t run_count);

#endif
