// SPDX-License-Identifier: MIT
// The two ways to run the viewer: without a window for scripts, and in one.
#ifndef TERRANE_VIEW_RUN_H
#define TERRANE_VIEW_RUN_H

#include "common/status.h"
#include "view/view_options.h"

enum status_code run_headless(const struct view_options *options, const char *pack_path, struct status *status);
enum status_code run_window(const struct view_options *options, const char *pack_path, struct status *status);

#endif
