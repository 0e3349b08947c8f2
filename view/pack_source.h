// SPDX-License-Identifier: MIT
// A pack as the viewer sees it: index records for the streaming core, decoded tiles for the GPU.
// Where the planet has a sea, ground below it is drawn as the sea's surface.
#ifndef TERRANE_VIEW_PACK_SOURCE_H
#define TERRANE_VIEW_PACK_SOURCE_H

#include <stdbool.h>

#include "common/status.h"
#include "formats/pack.h"
#include "view/stream.h"
#include "view/tile_data.h"

struct pack_source {
    struct pack *pack;
    const struct pack_info *info;
    double unit_m; // of heights
    bool has_sea;  // the planet says so in the metadata
    double sea_m;
    bool has_air;               // the metadata give it a colour, or there is a sea
    double air_color[3];        // linear light; 0 for that of Earth
    double lowest_m, highest_m; // of what is drawn
    struct pack_cursor *cursor; // the main thread's, for lookups
    struct status damage;       // of the last lookup that failed; code 0 for none
};

enum status_code pack_source_open(struct pack_source *source, const char *path, struct status *status);
void pack_source_close(struct pack_source *source);

// A stream_lookup over a struct pack_source; the main thread only. A page that cannot be read makes its nodes absent
// and fills in damage.
bool pack_source_lookup(void *source, struct node node, struct stream_record *record);

// One loader thread's means of reading.
struct pack_reader;
enum status_code pack_reader_new(struct pack_reader **reader, const struct pack_source *source, struct status *status);
void pack_reader_free(struct pack_reader *reader);

// Reads, checks, decodes and prepares a tile. Missing layers are made up: heights of the datum sphere, normals from
// heights, a neutral colour. A node without a tile (a share's missing ancestor, or a damaged root, which nothing could
// stand in for) becomes the bare datum sphere. mesh_heights_m: (G+1)^2 floats, what is drawn, for the ground underfoot.
enum status_code pack_reader_load(struct pack_reader *reader, struct node node, struct tile_data *data,
                                  float *mesh_heights_m, struct status *status);
void pack_reader_bare(struct pack_reader *reader, struct node node, struct tile_data *data, float *mesh_heights_m);

#endif
