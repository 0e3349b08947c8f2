// SPDX-License-Identifier: MIT
#include "common/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep_one_line(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
    }
}

enum status_code status_fail(struct status *status, enum status_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(status->text, sizeof status->text, format, args);
    va_end(args);
    keep_one_line(status->text);
    status->context[0] = 0;
    status->code = code;
    return code;
}

enum status_code status_fail_errno(struct status *status, enum status_code code, int error_number, const char *format,
                                   ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(status->text, sizeof status->text, format, args);
    va_end(args);

    char reason[128];
    // The XSI form, since _GNU_SOURCE is not defined anywhere: it fills the buffer and is
    // safe with threads, unlike strerror().
    if (strerror_r(error_number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", error_number);
    size_t length = strlen(status->text);
    snprintf(status->text + length, sizeof status->text - length, ": %s", reason);
    keep_one_line(status->text);
    status->context[0] = 0;
    status->code = code;
    return code;
}

enum status_code status_fail_memory(struct status *status, const char *what, unsigned long long bytes)
{
    return status_fail(status, STATUS_RESOURCE, "%s: out of memory (%llu bytes wanted)", what, bytes);
}
