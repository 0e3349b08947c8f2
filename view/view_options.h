// SPDX-License-Identifier: MIT
// The command line of terrane-view.
#ifndef TERRANE_VIEW_VIEW_OPTIONS_H
#define TERRANE_VIEW_VIEW_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/verb.h"

struct view_at {
    bool given;
    double latitude_deg, longitude_deg, altitude_m; // above the ground there
};

struct view_look {
    bool given;
    double heading_deg, pitch_deg;
};

struct view_size {
    int width_px, height_px;
};

struct view_sun {
    bool given;
    double latitude_deg, longitude_deg; // where it stands at the zenith
};

struct view_background {
    bool given;
    uint8_t rgb[3];
};

struct view_options {
    struct view_at at;
    struct view_look look;
    int mode; // enum view_mode
    struct view_size size;
    double fov_deg, detail_px;
    int cache_mib, loaders; // loaders 0: chosen by the number of processors
    bool no_inertia, wireframe, borders, hud;
    struct view_sun sun;
    bool headless, wait_full, log_depth, force;
    struct view_background background;
    const char *shot, *replay, *record, *stats;
    double dt_s; // 0: the clock's
};

extern const struct program view_program;

#endif
