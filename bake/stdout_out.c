// SPDX-License-Identifier: MIT
#include "bake/stdout_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static enum status_code fail(int error_number, struct status *status)
{
    return status_fail_errno(status, STATUS_RESOURCE, error_number, "standard output: cannot be written");
}

enum status_code stdout_write(void *sink, const void *bytes, size_t size, struct status *status)
{
    (void)sink;
    errno = 0;
    if (fwrite(bytes, 1, size, stdout) != size)
        return fail(errno ? errno : EIO, status);
    return STATUS_OK;
}

enum status_code stdout_flush(struct status *status)
{
    errno = 0;
    if (fflush(stdout) != 0)
        return fail(errno ? errno : EIO, status);
    // An earlier write failed and what it held is gone; its reason is no longer known.
    if (ferror(stdout))
        return status_fail(status, STATUS_RESOURCE, "standard output: cannot be written");
    return STATUS_OK;
}

enum status_code stdout_finish(struct status *status)
{
    enum status_code code = stdout_flush(status);
    errno = 0;
    // Network file systems may report a full disk only here. A descriptor that was closed all the time is no fault
    // as long as nothing was printed.
    if (fclose(stdout) != 0 && errno != EBADF && !code)
        code = fail(errno ? errno : EIO, status);
    return code;
}

void standard_streams_hold(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            // The lowest free descriptor is fd, since those below are open by now.
            if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
                return;
        }
    }
}
