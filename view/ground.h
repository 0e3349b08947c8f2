// SPDX-License-Identifier: MIT
// The drawn ground as a function: what is under the eye and under the cursor. Follows the very triangles that are
// drawn, so that what walks on it neither floats nor sinks.
#ifndef TERRANE_VIEW_GROUND_H
#define TERRANE_VIEW_GROUND_H

#include <stdbool.h>

#include "common/status.h"
#include "view/camera.h"
#include "view/stream.h"

struct ground; // opaque; the main thread's

enum status_code ground_new(struct ground **ground, int intervals, double radius_m, int slots, struct status *status);
void ground_free(struct ground *ground);
size_t ground_tile_bytes(int intervals); // of a slot, for the budget

// mesh_heights_m: (G+1)^2 as from the loader; copied.
void ground_set(struct ground *ground, int slot, const float *mesh_heights_m);

// This frame's draws; they must live until the next call.
void ground_follow(struct ground *ground, const struct stream_draw *draws, int count);

// Height of the drawn surface above the datum sphere in the direction dir; false where nothing is drawn there.
bool ground_height_m(const struct ground *ground, struct double3 dir, double *height_m);

// Where a ray from the eye meets the drawn surface, or the datum sphere where nothing is drawn; false if it misses
// both. lowest_m and highest_m bound the planet's heights.
bool ground_hit(const struct ground *ground, struct double3 eye_m, struct double3 ray, double lowest_m,
                double highest_m, struct double3 *point_m);

#endif
