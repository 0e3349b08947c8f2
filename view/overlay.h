// SPDX-License-Identifier: MIT
// Lines in the world and shapes and text over the picture, gathered over a frame and drawn in two calls.
#ifndef TERRANE_VIEW_OVERLAY_H
#define TERRANE_VIEW_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "common/vec3.h"

struct overlay; // opaque; one thread's, with a current context

enum status_code overlay_new(struct overlay **overlay, bool log_depth, struct status *status);
void overlay_free(struct overlay *overlay);

// The program's uniforms view, scale, near_m and log_far are set by the caller, as for every program that projects.
unsigned overlay_program(const struct overlay *overlay);

// What does not fit in one frame's fixed room (some 20,000 vertices each) is left out.
void overlay_line(struct overlay *overlay, struct float3 from_rel_m, struct float3 to_rel_m, const uint8_t color[4]);
void overlay_rect(struct overlay *overlay, double x_px, double y_px, double width_px, double height_px,
                  const uint8_t color[4]);
// Text of printable ASCII, scale_px pixels a font unit (a line is 12 units high).
void overlay_text(struct overlay *overlay, double x_px, double y_px, double scale_px, const uint8_t color[4],
                  const char *text);

double overlay_text_width(const char *text); // in font units

// Draws and forgets what was gathered; returns the number of draw calls (0 to 2).
int overlay_draw(struct overlay *overlay, int width_px, int height_px);

#endif
