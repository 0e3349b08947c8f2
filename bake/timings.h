// SPDX-License-Identifier: MIT
// The file of bake --timings: where the time of a bake went, as JSON.
#ifndef TERRANE_BAKE_TIMINGS_H
#define TERRANE_BAKE_TIMINGS_H

#include <stdbool.h>
#include <stdio.h>

#include "bake/bake_run.h"
#include "common/status.h"

struct timings_file {
    const char *path; // the caller's
    FILE *file;
    bool made; // by timings_open: there was none before
};

// Opens the file before any work is done, so that one that cannot be written is known at once: STATUS_RESOURCE. What it
// held before stays until timings_write.
enum status_code timings_open(struct timings_file *timings, const char *path, struct status *status);

// Writes what the file is for, in the place of what it held, and closes it, whatever comes of it.
enum status_code timings_write(struct timings_file *timings, const struct bake_result *result, struct status *status);

// Instead of timings_write, after a bake that failed: leaves what was there before, or no file.
void timings_abandon(struct timings_file *timings);

#endif
