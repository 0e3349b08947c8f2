// SPDX-License-Identifier: MIT
// Standard output, checked: a full disk or a closed descriptor behind it is STATUS_RESOURCE, never a silent success.
// Verbs may print with stdio; main calls stdout_finish at the end, and verbs with long answers ask stdout_flush on
// the way, so that they do not work on for nobody.
#ifndef TERRANE_BAKE_STDOUT_OUT_H
#define TERRANE_BAKE_STDOUT_OUT_H

#include <stddef.h>

#include "common/status.h"

// sink is not used (so that this is a png_sink_function).
enum status_code stdout_write(void *sink, const void *bytes, size_t size, struct status *status);
enum status_code stdout_flush(struct status *status);
enum status_code stdout_finish(struct status *status); // nothing may be printed after it

// Opens /dev/null in the place of standard descriptors that are closed, for the direction in which they are
// not used, so that no file that is opened later becomes standard output by accident.
void standard_streams_hold(void);

#endif
