// SPDX-License-Identifier: MIT
// Decoding of a layer whose stored bytes are in memory already, for the checker, which reads a pack front to back.
#ifndef TERRANE_FORMATS_LAYER_DECODE_H
#define TERRANE_FORMATS_LAYER_DECODE_H

#include "formats/pack.h"

// Bits of a sample of the layer at the tile's level: 32, 16 or 8.
int layer_sample_bits(const struct pack_info *info, tile_key key, enum layer_kind kind);

// samples: layer_bytes() bytes. Messages name pack, tile and layer.
enum status_code layer_decode_bytes(struct layer_decoder *decoder, tile_key key, enum layer_kind kind,
                                    const uint8_t *blob, size_t blob_bytes, void *samples, struct status *status);

#endif
