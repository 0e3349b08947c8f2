// SPDX-License-Identifier: MIT
// The two ways to run the viewer: without a window for scripts, and in one.
#ifndef TERRANE_VIEW_RUN_H
#define TERRANE_VIEW_RUN_H

#include <stdio.h>

#include "common/status.h"
#include "view/view_options.h"

enum status_code run_headless(const struct view_options *options, const char *pack_path, struct status *status);
enum status_code run_window(const struct view_options *options, const char *pack_path, struct status *status);

// Name and version of the program, then of each library in use.
void print_view_version(FILE *out);

#endif
