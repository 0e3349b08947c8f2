// SPDX-License-Identifier: MIT
// The one thin layer between Terrane and the file system. Everything that is written goes through
// pwrite here, so that faults can be injected and no failure is overlooked: EINTR is tried again, short
// writes go on, 0 bytes written is EIO, a failing close is a failure. Messages name the path.
#ifndef TERRANE_FORMATS_FILE_IO_H
#define TERRANE_FORMATS_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/status.h"

// The operating system, replaceable by tests. Same contracts as the POSIX calls of the same names.
struct file_system {
    int (*open)(const char *path, int flags, unsigned mode);
    int64_t (*pwrite)(int fd, const void *bytes, size_t size, int64_t offset);
    int64_t (*pread)(int fd, void *bytes, size_t size, int64_t offset);
    int (*fsync)(int fd);
    int (*close)(int fd);
    int (*rename)(const char *from, const char *to);
    int (*unlink)(const char *path);
    int (*ftruncate)(int fd, int64_t size);
};
extern struct file_system file_system; // set by tests before any thread starts

// Opens for reading. A directory or anything but a regular file is STATUS_INPUT. *size_bytes may be NULL.
enum status_code file_open_read(int *fd, uint64_t *size_bytes, const char *path, struct status *status);

// Makes a new file for reading and writing (O_EXCL, O_NOFOLLOW, O_CLOEXEC, mode 0666 & ~umask).
enum status_code file_create(int *fd, const char *path, struct status *status);

// Opens an existing regular file for reading and writing, not through a symbolic link.
enum status_code file_open_write(int *fd, const char *path, struct status *status);

enum status_code file_write_at(int fd, const void *bytes, size_t size, uint64_t offset, const char *path,
                               struct status *status);

// Exactly size bytes, else STATUS_INPUT ("truncated" where the file ends, the system's reason otherwise).
enum status_code file_read_at(int fd, void *bytes, size_t size, uint64_t offset, const char *path,
                              struct status *status);

enum status_code file_sync(int fd, const char *path, struct status *status);
enum status_code file_close(int fd, const char *path, struct status *status);
enum status_code file_truncate(int fd, uint64_t size, const char *path, struct status *status);
enum status_code file_remove(const char *path, struct status *status); // a missing file is fine

// Renames from onto to and makes the change durable by syncing to's directory, whose descriptor the
// caller opened before the work began (directory_open), so that running out of descriptors cannot fail it.
enum status_code directory_open(int *fd, const char *path_in_it, struct status *status); // the directory holding path
enum status_code file_publish(const char *from, const char *to, int directory_fd, struct status *status);

// A buffered writer of growing files: appends through one buffer, and knows its place.
struct file_appender {
    int fd;
    const char *path; // for messages; the caller keeps it alive
    uint64_t offset;  // of the next byte to be appended
    uint8_t *buffer;  // the caller's memory
    size_t capacity, used;
};
void file_appender_begin(struct file_appender *out, int fd, const char *path, uint64_t offset, void *buffer,
                         size_t capacity);
enum status_code file_append(struct file_appender *out, const void *bytes, size_t size, struct status *status);
enum status_code file_append_flush(struct file_appender *out, struct status *status);

#endif
