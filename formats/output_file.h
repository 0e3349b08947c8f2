// SPDX-License-Identifier: MIT
// A file that a program makes: written beside its name, synced, renamed. So a failure leaves the old file, or none, and
// never one that looks finished.
#ifndef TERRANE_FORMATS_OUTPUT_FILE_H
#define TERRANE_FORMATS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"
#include "formats/file_io.h"

#define OUTPUT_BUFFER_BYTES 65536

struct output_file {
    const char *path; // the caller's, kept alive until finish or abandon
    char *path_part;  // what is written: path with ".part-" and the process number
    bool durable;
    int fd, directory_fd; // the latter for durable files only
    struct file_appender appender;
    uint8_t buffer[OUTPUT_BUFFER_BYTES];
};

// Whether path may be made: STATUS_RESOURCE where something stands there, unless it is a file and force is given.
// Verbs ask before they do any work.
enum status_code output_check(const char *path, bool force, struct status *status);

// Begins the file; *out must not move until output_finish or output_abandon. Without durable it is not synced: for
// files in great numbers that can be made again.
enum status_code output_begin(struct output_file *out, const char *path, bool durable, struct status *status);
// out is a struct output_file (so that this is a png_sink_function).
enum status_code output_write(void *out, const void *bytes, size_t size, struct status *status);
// Makes the file durable and gives it its name, in the place of what stands there; after a failure nothing is left.
enum status_code output_finish(struct output_file *out, struct status *status);
// Removes what was written, instead of output_finish.
void output_abandon(struct output_file *out);

#endif
