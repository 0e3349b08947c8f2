// SPDX-License-Identifier: MIT
#include "formats/file_io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "packs are larger than 4 GiB");

static int system_open(const char *path, int flags, unsigned mode)
{
    return open(path, flags, (mode_t)mode);
}

static int64_t system_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    return pwrite(fd, bytes, size, offset);
}

static int64_t system_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    return pread(fd, bytes, size, offset);
}

static int system_ftruncate(int fd, int64_t size)
{
    return ftruncate(fd, size);
}

struct file_system file_system = {
    .open = system_open,
    .pwrite = system_pwrite,
    .pread = system_pread,
    .fsync = fsync,
    .close = close,
    .rename = rename,
    .unlink = unlink,
    .ftruncate = system_ftruncate,
};

static int open_again(const char *path, int flags, unsigned mode)
{
    int fd;
    do
        fd = file_system.open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

// What stands at a path is the input's fault, what this process lacks is not.
static enum status_code open_failure_code(int error_number)
{
    switch (error_number) {
    case EMFILE:
    case ENFILE:
    case ENOMEM: return STATUS_RESOURCE;
    default: return STATUS_INPUT;
    }
}

// Closes fd and fails unless it is a regular file.
static enum status_code demand_regular(int fd, uint64_t *size_bytes, const char *path, struct status *status)
{
    struct stat about;
    if (fstat(fd, &about) != 0) {
        int error_number = errno;
        file_system.close(fd);
        return status_fail_errno(status, STATUS_INPUT, error_number, "%s: cannot be looked at", path);
    }
    if (!S_ISREG(about.st_mode)) {
        file_system.close(fd);
        return status_fail(status, STATUS_INPUT, "%s: %s", path,
                           S_ISDIR(about.st_mode) ? "is a directory" : "is not a regular file");
    }
    if (size_bytes)
        *size_bytes = (uint64_t)about.st_size;
    return STATUS_OK;
}

enum status_code file_open_read(int *fd, uint64_t *size_bytes, const char *path, struct status *status)
{
    // Without O_NONBLOCK a pipe that nobody writes to would hold the program for ever.
    *fd = open_again(path, O_RDONLY | O_NONBLOCK, 0);
    if (*fd < 0)
        return status_fail_errno(status, open_failure_code(errno), errno, "%s: cannot be opened", path);
    return demand_regular(*fd, size_bytes, path, status);
}

enum status_code file_create(int *fd, const char *path, struct status *status)
{
    *fd = open_again(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (*fd < 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made", path);
    return STATUS_OK;
}

enum status_code file_open_write(int *fd, const char *path, struct status *status)
{
    *fd = open_again(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
    if (*fd < 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be opened for writing", path);
    return demand_regular(*fd, NULL, path, status);
}

enum status_code file_write_at(int fd, const void *bytes, size_t size, uint64_t offset, const char *path,
                               struct status *status)
{
    const uint8_t *from = bytes;
    if (offset > INT64_MAX || size > INT64_MAX - offset)
        return status_fail_errno(status, STATUS_RESOURCE, EFBIG, "%s: cannot be written", path);
    while (size > 0) {
        int64_t written = file_system.pwrite(fd, from, size, (int64_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return status_fail_errno(status, STATUS_RESOURCE, written < 0 ? errno : EIO, "%s: cannot be written", path);
        from += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}

enum status_code file_read_at(int fd, void *bytes, size_t size, uint64_t offset, const char *path,
                              struct status *status)
{
    uint8_t *to = bytes;
    if (offset > INT64_MAX || size > INT64_MAX - offset)
        return status_fail(status, STATUS_INPUT, "%s: truncated", path);
    while (size > 0) {
        int64_t got = file_system.pread(fd, to, size, (int64_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return status_fail_errno(status, STATUS_INPUT, errno, "%s: cannot be read", path);
        if (got == 0)
            return status_fail(status, STATUS_INPUT, "%s: truncated", path);
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return STATUS_OK;
}

static int sync_again(int fd)
{
    int result;
    do
        result = file_system.fsync(fd);
    while (result != 0 && errno == EINTR);
    return result;
}

enum status_code file_sync(int fd, const char *path, struct status *status)
{
    if (sync_again(fd) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made durable", path);
    return STATUS_OK;
}

enum status_code file_close(int fd, const char *path, struct status *status)
{
    // After EINTR the descriptor is gone on Linux, and closing it again could hit another thread's new file.
    if (file_system.close(fd) != 0 && errno != EINTR)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be closed", path);
    return STATUS_OK;
}

enum status_code file_truncate(int fd, uint64_t size, const char *path, struct status *status)
{
    int result;
    if (size > INT64_MAX)
        return status_fail_errno(status, STATUS_RESOURCE, EFBIG, "%s: cannot be cut", path);
    do
        result = file_system.ftruncate(fd, (int64_t)size);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be cut", path);
    return STATUS_OK;
}

enum status_code file_remove(const char *path, struct status *status)
{
    int result;
    do
        result = file_system.unlink(path);
    while (result != 0 && errno == EINTR);
    if (result != 0 && errno != ENOENT)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be removed", path);
    return STATUS_OK;
}

enum status_code directory_open(int *fd, const char *path_in_it, struct status *status)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path_in_it, '/');
    size_t length = slash ? (size_t)(slash - path_in_it) : 0;
    if (length >= sizeof folder)
        return status_fail_errno(status, STATUS_RESOURCE, ENAMETOOLONG, "%s: its folder cannot be opened", path_in_it);
    memcpy(folder, path_in_it, length);
    folder[length] = 0;
    if (length == 0)
        strcpy(folder, slash ? "/" : ".");
    *fd = open_again(folder, O_RDONLY | O_DIRECTORY, 0);
    if (*fd < 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be opened as a folder", folder);
    return STATUS_OK;
}

enum status_code file_publish(const char *from, const char *to, int directory_fd, struct status *status)
{
    if (file_system.rename(from, to) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be renamed to %s", from, to);
    if (sync_again(directory_fd) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: its folder cannot be made durable", to);
    return STATUS_OK;
}

void file_appender_begin(struct file_appender *out, int fd, const char *path, uint64_t offset, void *buffer,
                         size_t capacity)
{
    assert(capacity > 0);
    *out = (struct file_appender){fd, path, offset, buffer, capacity, 0};
}

enum status_code file_append_flush(struct file_appender *out, struct status *status)
{
    if (out->used == 0)
        return STATUS_OK;
    enum status_code code = file_write_at(out->fd, out->buffer, out->used, out->offset - out->used, out->path, status);
    if (code == STATUS_OK)
        out->used = 0;
    return code;
}

enum status_code file_append(struct file_appender *out, const void *bytes, size_t size, struct status *status)
{
    enum status_code code;
    if (size > out->capacity - out->used && (code = file_append_flush(out, status)))
        return code;
    if (size >= out->capacity) {
        if ((code = file_write_at(out->fd, bytes, size, out->offset, out->path, status)))
            return code;
    } else {
        memcpy(out->buffer + out->used, bytes, size);
        out->used += size;
    }
    out->offset += size;
    return STATUS_OK;
}
