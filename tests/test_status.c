// SPDX-License-Identifier: MIT
// A status is one line, whatever comes in.
#include "common/status.h"

#include <errno.h>

#include "tests/check.h"

static void failing_fills_in_and_returns_the_code(void)
{
    struct status status = {0};
    CHECK(status_fail(&status, STATUS_INPUT, "%s: not a pack (%d)", "a b", 7) == STATUS_INPUT);
    CHECK(status.code == STATUS_INPUT && strcmp(status.text, "a b: not a pack (7)") == 0);
}

static void control_bytes_become_question_marks(void)
{
    struct status status = {0};
    status_fail(&status, STATUS_USAGE, "%s", "a\nb\tc\033[2Jd\177\r\001 \303\274");
    CHECK(strcmp(status.text, "a?b?c?[2Jd??? \303\274") == 0);
    status_fail_errno(&status, STATUS_RESOURCE, ENOENT, "%s", "x\ny");
    CHECK(strcmp(status.text, "x?y: No such file or directory") == 0);
}

static void errno_is_told_in_words(void)
{
    struct status status = {0};
    CHECK(status_fail_errno(&status, STATUS_RESOURCE, ENOSPC, "write %s", "P") == STATUS_RESOURCE);
    CHECK(status.code == STATUS_RESOURCE && strcmp(status.text, "write P: No space left on device") == 0);
    status_fail_errno(&status, STATUS_RESOURCE, 99999, "x");
    CHECK(strncmp(status.text, "x: ", 3) == 0 && strlen(status.text) > 3);
}

static void long_texts_are_cut_and_ended(void)
{
    char path[2000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    struct status status;
    memset(&status, 'x', sizeof status);
    status_fail(&status, STATUS_INPUT, "%s: too long", path);
    CHECK(strlen(status.text) == sizeof status.text - 1);
    memset(&status, 'x', sizeof status);
    status_fail_errno(&status, STATUS_INPUT, ENOENT, "%s", path);
    CHECK(strlen(status.text) == sizeof status.text - 1);
}

static void memory_is_a_resource(void)
{
    struct status status = {0};
    CHECK(status_fail_memory(&status, "tile index", 1ULL << 40) == STATUS_RESOURCE);
    CHECK(strcmp(status.text, "tile index: out of memory (1099511627776 bytes wanted)") == 0);
}

static void failing_empties_the_context(void)
{
    struct status status;
    memset(&status, 'x', sizeof status);
    status_fail(&status, STATUS_INPUT, "a");
    CHECK(status.context[0] == 0);
    memset(&status, 'x', sizeof status);
    status_fail_errno(&status, STATUS_INPUT, ENOENT, "a");
    CHECK(status.context[0] == 0);
    memset(&status, 'x', sizeof status);
    status_fail_memory(&status, "a", 1);
    CHECK(status.context[0] == 0);
}

static void codes_are_the_exit_codes_of_the_contract(void)
{
    CHECK(STATUS_OK == 0 && STATUS_INTERNAL == 1 && STATUS_USAGE == 2 && STATUS_INPUT == 3);
    CHECK(STATUS_RESOURCE == 4 && STATUS_LOCKED == 5 && STATUS_INTERRUPTED == 75);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(failing_fills_in_and_returns_the_code);
    CHECK_RUN(control_bytes_become_question_marks);
    CHECK_RUN(errno_is_told_in_words);
    CHECK_RUN(long_texts_are_cut_and_ended);
    CHECK_RUN(memory_is_a_resource);
    CHECK_RUN(failing_empties_the_context);
    CHECK_RUN(codes_are_the_exit_codes_of_the_contract);
    return CHECK_END;
}
