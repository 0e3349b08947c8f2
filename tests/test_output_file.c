// SPDX-License-Identifier: MIT
#include "formats/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/interrupt.h"
#include "bake/stage_folder.h"
#include "tests/check.h"

static char folder[64], path[128], link_path[128];
static struct output_file out;
static struct status status;

static void make_file(const char *at, const char *text)
{
    FILE *file = fopen(at, "w");
    CHECK(file && fputs(text, file) >= 0);
    CHECK(file && fclose(file) == 0);
}

static bool holds(const char *at, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(at, "r");
    if (!file)
        return false;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return strcmp(text, expected) == 0;
}

static int entries(const char *at)
{
    int count = 0;
    DIR *directory = opendir(at);
    if (!directory)
        return -1;
    while (readdir(directory))
        count++;
    closedir(directory);
    return count - 2;
}

static enum status_code write_text(const char *text, bool durable)
{
    enum status_code code = output_begin(&out, path, durable, &status);
    if (code)
        return code;
    code = output_write(&out, text, strlen(text), &status);
    if (code) {
        output_abandon(&out);
        return code;
    }
    return output_finish(&out, &status);
}

static void the_name_appears_when_the_file_is_whole(void)
{
    CHECK(output_begin(&out, path, true, &status) == STATUS_OK);
    CHECK(output_write(&out, "abc", 3, &status) == STATUS_OK);
    CHECK(access(path, F_OK) != 0 && entries(folder) == 1);
    CHECK(output_finish(&out, &status) == STATUS_OK);
    CHECK(holds(path, "abc") && entries(folder) == 1);
    CHECK(write_text("new", false) == STATUS_OK && holds(path, "new") && entries(folder) == 1);
    unlink(path);
}

static void abandoning_leaves_the_old_file_alone(void)
{
    make_file(path, "old");
    CHECK(output_begin(&out, path, true, &status) == STATUS_OK);
    CHECK(output_write(&out, "abc", 3, &status) == STATUS_OK);
    output_abandon(&out);
    CHECK(holds(path, "old") && entries(folder) == 1);
    unlink(path);
}

static int calls_until_failure;

static bool fail_now(void)
{
    return calls_until_failure-- == 0;
}

static struct file_system real;

static int failing_open(const char *at, int flags, unsigned mode)
{
    return fail_now() ? (errno = EACCES, -1) : real.open(at, flags, mode);
}
static int64_t failing_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    return fail_now() ? (errno = ENOSPC, -1) : real.pwrite(fd, bytes, size, offset);
}
static int failing_fsync(int fd)
{
    return fail_now() ? (errno = EIO, -1) : real.fsync(fd);
}
static int failing_close(int fd)
{
    int result = real.close(fd);
    return fail_now() ? (errno = EIO, -1) : result;
}
static int failing_rename(const char *from, const char *to)
{
    return fail_now() ? (errno = EROFS, -1) : real.rename(from, to);
}

// Every call to the system in turn fails: the old file stays or the new one is whole, and nothing else is left.
static void every_failure_leaves_the_old_file_or_the_new(void)
{
    real = file_system;
    for (int durable = 0; durable < 2; durable++) {
        int failures = 0;
        for (int at = 0; at < 40; at++) {
            make_file(path, "old");
            calls_until_failure = at;
            file_system.open = failing_open;
            file_system.pwrite = failing_pwrite;
            file_system.fsync = failing_fsync;
            file_system.close = failing_close;
            file_system.rename = failing_rename;
            enum status_code code = write_text("new", durable);
            bool failed = calls_until_failure < 0;
            file_system = real;
            failures += failed;
            CHECK_TEXT(entries(folder) == 1, "call %d", at);
            CHECK_TEXT((code == STATUS_OK) == !failed, "call %d", at);
            if (failed)
                CHECK_TEXT(code == STATUS_RESOURCE && strstr(status.text, folder), "call %d: %s", at, status.text);
            // The last call of a durable file syncs the folder, when the new name is there already.
            CHECK_TEXT(holds(path, failed ? "old" : "new") || (failed && durable && holds(path, "new")), "call %d", at);
            unlink(path);
        }
        CHECK_TEXT(failures >= 4 && failures < 40, "%d", failures);
    }
}

static void existing_things_are_not_replaced_without_force(void)
{
    CHECK(output_check(path, false, &status) == STATUS_OK);
    make_file(path, "old");
    CHECK(output_check(path, false, &status) == STATUS_RESOURCE && strstr(status.text, "--force"));
    CHECK(output_check(path, true, &status) == STATUS_OK);
    CHECK(symlink("nowhere", link_path) == 0);
    CHECK(output_check(link_path, false, &status) == STATUS_RESOURCE);
    CHECK(output_check(folder, true, &status) == STATUS_RESOURCE && strstr(status.text, "directory"));
    CHECK(output_check("/dev/null", true, &status) == STATUS_RESOURCE);
    CHECK(output_check("/dev/null/x", true, &status) == STATUS_RESOURCE);
    unlink(link_path);
    unlink(path);
}

static void a_missing_folder_is_a_resource_failure(void)
{
    char beyond[160];
    snprintf(beyond, sizeof beyond, "%s/no/such", folder);
    CHECK(output_begin(&out, beyond, true, &status) == STATUS_RESOURCE);
    CHECK(output_begin(&out, beyond, false, &status) == STATUS_RESOURCE);
}

static void a_stage_shows_nothing_until_it_is_published(void)
{
    static const char *const names[] = {"a", "b"};
    struct stage_folder stage;
    char inner[160], file[200];
    snprintf(inner, sizeof inner, "%s/dir", folder);
    CHECK(stage_begin(&stage, inner, false, &status) == STATUS_OK && stage.staged);
    snprintf(file, sizeof file, "%s/a", stage.root);
    make_file(file, "1");
    CHECK(entries(inner) == 1); // the hidden folder
    CHECK(stage_publish(&stage, names, 2, &status) == STATUS_OK);
    snprintf(file, sizeof file, "%s/a", inner);
    CHECK(entries(inner) == 1 && holds(file, "1"));

    CHECK(stage_begin(&stage, inner, false, &status) == STATUS_RESOURCE && strstr(status.text, "--force"));
    CHECK(stage_begin(&stage, inner, true, &status) == STATUS_OK && !stage.staged);
    stage_abandon(&stage);
    CHECK(entries(inner) == 1 && holds(file, "1"));
    CHECK(stage_begin(&stage, file, true, &status) == STATUS_RESOURCE); // a file
    unlink(file);
    rmdir(inner);
}

static void an_abandoned_stage_leaves_nothing(void)
{
    struct stage_folder stage;
    char inner[160], file[200];
    snprintf(inner, sizeof inner, "%s/dir", folder);
    CHECK(stage_begin(&stage, inner, false, &status) == STATUS_OK);
    snprintf(file, sizeof file, "%s/sub", stage.root);
    CHECK(mkdir(file, 0777) == 0);
    snprintf(file, sizeof file, "%s/sub/x", stage.root);
    make_file(file, "1");
    stage_abandon(&stage);
    CHECK(entries(folder) == 0);

    CHECK(mkdir(inner, 0777) == 0);
    CHECK(stage_begin(&stage, inner, false, &status) == STATUS_OK);
    stage_abandon(&stage);
    CHECK(entries(inner) == 0); // it was there before
    rmdir(inner);

    snprintf(inner, sizeof inner, "%s/no/such", folder);
    CHECK(stage_begin(&stage, inner, false, &status) == STATUS_RESOURCE);
}

// Last, since a signal stays remembered.
static void a_signal_is_an_interruption(void)
{
    interrupt_install();
    CHECK(interrupt_check(&status) == STATUS_OK);
    raise(SIGTERM);
    CHECK(interrupt_check(&status) == STATUS_INTERRUPTED);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    snprintf(folder, sizeof folder, "/tmp/terrane-test-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    CHECK_RUN(the_name_appears_when_the_file_is_whole);
    CHECK_RUN(abandoning_leaves_the_old_file_alone);
    CHECK_RUN(every_failure_leaves_the_old_file_or_the_new);
    CHECK_RUN(existing_things_are_not_replaced_without_force);
    CHECK_RUN(a_missing_folder_is_a_resource_failure);
    CHECK_RUN(a_stage_shows_nothing_until_it_is_published);
    CHECK_RUN(an_abandoned_stage_leaves_nothing);
    CHECK_RUN(a_signal_is_an_interruption);
    rmdir(folder);
    return CHECK_END;
}
