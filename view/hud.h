// SPDX-License-Identifier: MIT
// Words and lines over the picture. Between renderer_draw and renderer_finish_frame.
#ifndef TERRANE_VIEW_HUD_H
#define TERRANE_VIEW_HUD_H

#include "view/app.h"

// Place, altitude above ground, speed, frame times, tiles, queue, loads, cache; a line when detail was shed; the keys
// when help is on.
void hud_draw(struct app *app, const struct stream_counters *counters);

// The frozen camera's field of view, seen from outside.
void hud_frustum(struct app *app);

#endif
