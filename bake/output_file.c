// SPDX-License-Identifier: MIT
#include "bake/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status_code output_check(const char *path, bool force, struct status *status)
{
    struct stat about;
    if (lstat(path, &about) != 0) {
        if (errno == ENOENT)
            return STATUS_OK; // a missing folder shows when the file is made
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made", path);
    }
    if (S_ISDIR(about.st_mode))
        return status_fail(status, STATUS_RESOURCE, "%s: is a directory", path);
    if (!force)
        return status_fail(status, STATUS_RESOURCE, "%s: exists; --force replaces it", path);
    if (!S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return status_fail(status, STATUS_RESOURCE, "%s: is not a regular file and is not replaced", path);
    return STATUS_OK;
}

enum status_code output_begin(struct output_file *out, const char *path, struct status *status)
{
    size_t size = strlen(path) + 32;
    out->path = path;
    out->path_part = malloc(size);
    if (!out->path_part)
        return status_fail_memory(status, path, size);
    snprintf(out->path_part, size, "%s.part-%ld", path, (long)getpid());
    enum status_code code = directory_open(&out->directory_fd, path, status);
    if (!code) {
        code = file_create(&out->fd, out->path_part, status);
        if (code)
            close(out->directory_fd);
    }
    if (code) {
        free(out->path_part);
        return code;
    }
    file_appender_begin(&out->appender, out->fd, out->path_part, 0, out->buffer, sizeof out->buffer);
    return STATUS_OK;
}

enum status_code output_write(struct output_file *out, const void *bytes, size_t size, struct status *status)
{
    return file_append(&out->appender, bytes, size, status);
}

static void release(struct output_file *out)
{
    close(out->directory_fd);
    free(out->path_part);
}

enum status_code output_finish(struct output_file *out, struct status *status)
{
    enum status_code code = file_append_flush(&out->appender, status);
    if (!code)
        code = file_sync(out->fd, out->path_part, status);
    if (code) {
        output_abandon(out);
        return code;
    }
    code = file_close(out->fd, out->path_part, status);
    if (!code)
        code = file_publish(out->path_part, out->path, out->directory_fd, status);
    if (code)
        unlink(out->path_part);
    release(out);
    return code;
}

void output_abandon(struct output_file *out)
{
    close(out->fd);
    unlink(out->path_part);
    release(out);
}
