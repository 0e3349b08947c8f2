// SPDX-License-Identifier: MIT
// A camera path: text, one "time lat lon alt heading pitch" a line, seconds, degrees, metres above the ground;
// empty lines and lines that begin with # are passed over. Times grow.
#ifndef TERRANE_VIEW_FLIGHT_PATH_H
#define TERRANE_VIEW_FLIGHT_PATH_H

#include <stddef.h>

#include "common/status.h"
#include "view/camera.h"

struct flight_point {
    double time_s, latitude_deg, longitude_deg, altitude_m, heading_deg, pitch_deg;
};

struct flight_path {
    struct flight_point *points; // malloc'd
    size_t count;                // at least 1
};

// Any bytes are survived; STATUS_INPUT names file and line. At most a million lines.
enum status_code flight_path_read(struct flight_path *path, const char *file, struct status *status);
enum status_code flight_path_parse(struct flight_path *path, const char *text, size_t length, const char *file,
                                   struct status *status);
void flight_path_free(struct flight_path *path);

// The camera at a time, clamped to the path: straight between its points in direction and height, the short way round
// in heading. Altitudes must have been made heights above the datum before (the field stays altitude_m). Sets place,
// height and look of camera and leaves the rest.
void flight_path_at(const struct flight_path *path, double time_s, double planet_radius_m, struct camera *camera);

#endif
