// SPDX-License-Identifier: MIT
// One layer of one tile as a file that other programs read.
#ifndef TERRANE_BAKE_TILE_PICTURE_H
#define TERRANE_BAKE_TILE_PICTURE_H

#include "common/status.h"
#include "formats/pack.h"
#include "formats/png_rows.h"

// Of heights; normals and colours are the bytes of the PNG file that the pack holds, whatever the form.
enum height_form {
    HEIGHT_TERRARIUM, // 8-bit RGB PNG, its text chunk says how
    HEIGHT_GRAY16,    // 16-bit grey PNG, scaled from the tile's least to its greatest height, both in text chunks
    HEIGHT_RAW,       // no PNG: int32 units, little-endian, in rows
};

struct tile_painter; // memory for one tile at a time; one thread's
enum status_code tile_painter_new(struct tile_painter **painter, const struct pack *pack, struct status *status);
void tile_painter_free(struct tile_painter *painter); // NULL is fine

// Gives the sink the whole file. STATUS_INPUT where the pack lacks the layer or the tile is damaged, and where heights
// do not fit Terrarium, naming the ways out; nothing has gone to the sink then. Otherwise fails as the sink does.
enum status_code tile_paint(struct tile_painter *painter, const struct pack_tile *tile, enum layer_kind kind,
                            enum height_form form, png_sink_function *sink, void *sink_context, struct status *status);

#endif
