// SPDX-License-Identifier: MIT
// What mouse and keys do to the camera. Free of GLFW and OpenGL: positions in picture pixels from the top left, time
// given.
//
//   left drag       grabs the globe: the point under the cursor stays under it
//   wheel           zooms to the cursor, never through the ground
//   middle drag     (or Ctrl + left) turns and tilts about the point under the cursor
//   Shift + left    looks around from where the eye is
//   W A S D E C     move, at a speed that grows with height above the ground; Shift faster, Ctrl slower
#ifndef TERRANE_VIEW_CONTROLS_H
#define TERRANE_VIEW_CONTROLS_H

#include <stdbool.h>

#include "view/camera.h"
#include "view/ground.h"

#define EYE_HEIGHT_M 1.7

enum view_mode { MODE_ORBIT, MODE_FLY, MODE_WALK };

enum move_key {
    MOVE_FORWARD = 1,
    MOVE_BACK = 2,
    MOVE_LEFT = 4,
    MOVE_RIGHT = 8,
    MOVE_UP = 16,
    MOVE_DOWN = 32,
    MOVE_FAST = 64,
    MOVE_SLOW = 128,
};

enum drag { DRAG_NONE, DRAG_GRAB, DRAG_TILT, DRAG_LOOK };

// The planet about the camera.
struct surroundings {
    const struct ground *ground;
    double radius_m;
    double lowest_m, highest_m;
};

struct controls {
    enum view_mode mode;
    bool inertia;
    enum drag drag;
    double cursor_x_px, cursor_y_px;
    bool has_anchor;
    struct double3 anchor_m;  // grabbed point, or what is turned about
    struct double3 spin_axis; // of the last drag, for inertia
    double spin_rad_s;
    double drag_s;                          // time of the last drag event
    double zoom_left, zoom_x_px, zoom_y_px; // wheel steps still to be zoomed
    double speed_m_s;                       // of the last step, for the HUD
};

void controls_init(struct controls *controls, enum view_mode mode, bool inertia);

// A button goes down at the cursor. now_s of one clock throughout.
void controls_press(struct controls *controls, const struct camera *camera, const struct surroundings *around,
                    enum drag drag, double x_px, double y_px, double now_s);
void controls_cursor(struct controls *controls, struct camera *camera, const struct surroundings *around, double x_px,
                     double y_px, double now_s);
void controls_release(struct controls *controls, double now_s);

// Positive steps zoom in.
void controls_wheel(struct controls *controls, struct camera *camera, const struct surroundings *around, double steps,
                    double x_px, double y_px);

// Time passes: keys held (enum move_key bits), inertia, and the ground under the eye.
void controls_step(struct controls *controls, struct camera *camera, const struct surroundings *around, unsigned keys,
                   double step_s);

// Home: the whole globe from above the present place. North up. To the ground.
void controls_home(struct controls *controls, struct camera *camera, const struct surroundings *around);
void controls_north(struct camera *camera);
void controls_land(struct controls *controls, struct camera *camera, const struct surroundings *around);

// Height of the eye above the drawn ground.
double controls_height_m(const struct camera *camera, const struct surroundings *around);

#endif
