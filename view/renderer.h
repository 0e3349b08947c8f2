// SPDX-License-Identifier: MIT
// Draws frames with OpenGL 3.3 core, always into its own framebuffer (RGBA8, 32-bit float depth); a window gets a blit.
// At most 4 draw calls a frame: sky, terrain (one), world lines, HUD. Needs a current context; one thread.
//
// Terrain: one vertex buffer of slots, one texture array for normals, one for colours; glMultiDrawElementsBaseVertex;
// the slot is gl_VertexID / vertices a tile; what a slot needs in a frame (centre - camera as high + low floats,
// face, skirt depth) comes from a small buffer texture. Textures are vertex-registered: coordinates are mapped to
// texel centres, so neighbours share their border texels. Depth: reversed-Z with infinite far where clip control
// exists, else logarithmic a vertex.
#ifndef TERRANE_VIEW_RENDERER_H
#define TERRANE_VIEW_RENDERER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "view/camera.h"
#include "view/stream.h"
#include "view/tile_data.h"

struct renderer; // opaque

struct renderer_config {
    double radius_m;
    int intervals;
    int slots;            // at most renderer_slot_limit()
    bool force_log_depth; // for tests
};

struct scene_style {
    struct double3 sun; // unit, planet-fixed, towards the sun
    bool has_sea;
    double sea_m;
    bool has_air;        // sky, haze and limb
    double air_color[3]; // linear light that it scatters; 0 for Earth's
    bool plain_background;
    uint8_t background[3];
    bool wireframe, borders;
    bool flat_light;            // colours as stored, for tests
    double lowest_m, highest_m; // heights of the whole planet
};

enum status_code renderer_new(struct renderer **renderer, const struct renderer_config *config, struct status *status);
void renderer_free(struct renderer *renderer);
int renderer_slot_limit(void); // texture array layers of this driver

void renderer_upload(struct renderer *renderer, int slot, struct node node, const struct tile_data *data);
enum status_code renderer_draw(struct renderer *renderer, const struct camera *camera, const struct stream_draw *draws,
                               int draw_count, const struct scene_style *style, struct status *status);

// Text and lines over the picture, before it is read or shown. Pixels from the top left.
double renderer_hud_unit_px(const struct renderer *renderer); // a line of text is 12 units high
double renderer_hud_text_width_px(const struct renderer *renderer, const char *text);
void renderer_hud_text(struct renderer *renderer, double x_px, double y_px, const uint8_t color[4], const char *text);
void renderer_hud_rect(struct renderer *renderer, double x_px, double y_px, double width_px, double height_px,
                       const uint8_t color[4]);
void renderer_world_line(struct renderer *renderer, struct double3 from_m, struct double3 to_m, const uint8_t color[4]);
void renderer_finish_frame(struct renderer *renderer);

// The finished picture: RGB8 rows from the top, width_px * height_px * 3 bytes.
void renderer_read(struct renderer *renderer, uint8_t *rgb);
void renderer_present(struct renderer *renderer, int window_width_px, int window_height_px); // blit to the window

struct renderer_counters {
    int draw_calls, triangles;
    bool log_depth;
    const char *gl_renderer, *gl_version;
};
const struct renderer_counters *renderer_get_counters(const struct renderer *renderer);

#endif
