// SPDX-License-Identifier: MIT
// What --replay, --record, --shot and --stats do around the frames of either way to run.
#ifndef TERRANE_VIEW_SCRIPT_H
#define TERRANE_VIEW_SCRIPT_H

#include <stdbool.h>

#include "formats/output_file.h"
#include "view/app.h"
#include "view/flight_path.h"

struct script {
    bool replaying;
    struct flight_path path;
    double time_s;              // of the path, of the next frame
    struct output_file *record; // NULL where nothing is recorded
};

// Checks the names of what will be written, before any work, and reads the path. Altitudes become heights above the
// datum.
enum status_code script_begin(struct script *script, struct app *app, struct status *status);

// Before a frame: sets the replay's camera for the path's time. False when the path has ended.
bool script_camera(struct script *script, struct app *app);

// After a frame: records the camera; then the path's time goes on by step_s.
enum status_code script_frame(struct script *script, struct app *app, double now_s, double step_s,
                              struct status *status);

// Writes picture, path and counters as asked; code is how the frames ended, and is returned if it is a failure.
enum status_code script_end(struct script *script, struct app *app, enum status_code code, struct status *status);

#endif
