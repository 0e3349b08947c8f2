// SPDX-License-Identifier: MIT
#include "formats/output_file.h"

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

static void release(struct output_file *out)
{
    if (out->directory_fd >= 0)
        close(out->directory_fd);
    free(out->path_part);
}

enum status_code output_begin(struct output_file *out, const char *path, bool durable, struct status *status)
{
    size_t size = strlen(path) + 32;
    out->path = path;
    out->durable = durable;
    out->directory_fd = -1;
    out->path_part = malloc(size);
    if (!out->path_part)
        return status_fail_memory(status, path, size);
    snprintf(out->path_part, size, "%s.part-%ld", path, (long)getpid());
    enum status_code code = STATUS_OK;
    if (durable)
        code = directory_open(&out->directory_fd, path, status);
    if (!code)
        code = file_create(&out->fd, out->path_part, status);
    if (code) {
        release(out);
        return code;
    }
    file_appender_begin(&out->appender, out->fd, out->path_part, 0, out->buffer, sizeof out->buffer);
    return STATUS_OK;
}

enum status_code output_write(void *out, const void *bytes, size_t size, struct status *status)
{
    struct output_file *file = out;
    return file_append(&file->appender, bytes, size, status);
}

static enum status_code publish(const struct output_file *out, struct status *status)
{
    if (out->durable)
        return file_publish(out->path_part, out->path, out->directory_fd, status);
    if (file_system.rename(out->path_part, out->path) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be given its name", out->path);
    return STATUS_OK;
}

enum status_code output_finish(struct output_file *out, struct status *status)
{
    enum status_code code = file_append_flush(&out->appender, status);
    if (!code && out->durable)
        code = file_sync(out->fd, out->path_part, status);
    if (code) {
        output_abandon(out);
        return code;
    }
    code = file_close(out->fd, out->path_part, status);
    if (!code)
        code = publish(out, status);
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
