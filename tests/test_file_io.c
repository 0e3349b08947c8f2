// SPDX-License-Identifier: MIT
// Every way in which the system can fail a call is either tried again or reported, with the path and the right code.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/file_io.h"
#include "tests/check.h"

static char folder[] = "/tmp/terrane-test-XXXXXX";
static char path[64], other[64];
static struct status status;
static struct file_system real;

// The next call of an operation fails with this, so often; 0 is a result of 0.
static int fail_errno, fail_count;
static size_t most_bytes = SIZE_MAX; // moved by one call

static bool fails(void)
{
    if (fail_count <= 0)
        return false;
    fail_count--;
    errno = fail_errno;
    return true;
}

static int64_t faulty_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (fails())
        return fail_errno ? -1 : 0;
    return real.pwrite(fd, bytes, size < most_bytes ? size : most_bytes, offset);
}

static int64_t faulty_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    if (fails())
        return fail_errno ? -1 : 0;
    return real.pread(fd, bytes, size < most_bytes ? size : most_bytes, offset);
}

static int faulty_open(const char *name, int flags, unsigned mode)
{
    return fails() ? -1 : real.open(name, flags, mode);
}

static int faulty_fsync(int fd)
{
    (void)fd;
    return fails() ? -1 : 0;
}

static int faulty_close(int fd)
{
    int result = real.close(fd);
    return fails() ? -1 : result;
}

static int faulty_rename(const char *from, const char *to)
{
    return fails() ? -1 : real.rename(from, to);
}

static int faulty_unlink(const char *name)
{
    return fails() ? -1 : real.unlink(name);
}

static int faulty_ftruncate(int fd, int64_t size)
{
    return fails() ? -1 : real.ftruncate(fd, size);
}

static void fail_next(int error_number, int count)
{
    fail_errno = error_number;
    fail_count = count;
}

static bool says(const char *what)
{
    return strstr(status.text, path) && strstr(status.text, what) && !strchr(status.text, '\n');
}

static int new_file(void)
{
    int fd;
    unlink(path);
    CHECK(file_create(&fd, path, &status) == STATUS_OK);
    return fd;
}

static void short_and_interrupted_transfers_go_on(void)
{
    uint8_t bytes[1000], back[1000];
    for (int k = 0; k < 1000; k++)
        bytes[k] = (uint8_t)(k * 31 >> 3);
    int fd = new_file();
    for (size_t most = 1; most <= 1000; most = most * 3 + 1) {
        most_bytes = most;
        memset(back, 0, sizeof back);
        fail_next(EINTR, 3);
        CHECK(file_write_at(fd, bytes, sizeof bytes, 77, path, &status) == STATUS_OK);
        fail_next(EINTR, 3);
        CHECK(file_read_at(fd, back, sizeof back, 77, path, &status) == STATUS_OK);
        CHECK(fail_count == 0 && memcmp(bytes, back, sizeof bytes) == 0);
    }
    most_bytes = SIZE_MAX;
    CHECK(file_close(fd, path, &status) == STATUS_OK);
}

static void failing_writes_are_the_machines_fault(void)
{
    static const struct {
        int error_number;
        const char *text;
    } cases[] = {{ENOSPC, "No space left"},
                 {EIO, "Input/output error"},
                 {EDQUOT, "quota"},
                 {EFBIG, "too large"},
                 {0, "Input/output error"}};
    int fd = new_file();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fail_next(cases[k].error_number, 1);
        CHECK(file_write_at(fd, "abc", 3, 0, path, &status) == STATUS_RESOURCE);
        CHECK_TEXT(says(cases[k].text), "%s", status.text);
    }
    CHECK(file_write_at(fd, "abc", 3, UINT64_MAX - 1, path, &status) == STATUS_RESOURCE);
    CHECK(file_write_at(fd, "abc", 3, INT64_MAX - 1, path, &status) == STATUS_RESOURCE);
    CHECK(file_close(fd, path, &status) == STATUS_OK);
}

static void failing_reads_are_the_inputs_fault(void)
{
    char bytes[4];
    int fd = new_file();
    CHECK(file_write_at(fd, "abc", 3, 0, path, &status) == STATUS_OK);
    CHECK(file_read_at(fd, bytes, 4, 0, path, &status) == STATUS_INPUT && says("truncated"));
    CHECK(file_read_at(fd, bytes, 1, 3, path, &status) == STATUS_INPUT && says("truncated"));
    CHECK(file_read_at(fd, bytes, 1, UINT64_MAX, path, &status) == STATUS_INPUT && says("truncated"));
    CHECK(file_read_at(fd, bytes, 0, 3, path, &status) == STATUS_OK);
    fail_next(EIO, 1);
    CHECK(file_read_at(fd, bytes, 3, 0, path, &status) == STATUS_INPUT && says("Input/output"));
    CHECK(file_close(fd, path, &status) == STATUS_OK);
}

static void sync_close_truncate_rename_and_remove_report_failure(void)
{
    int fd = new_file(), folder_fd;
    fail_next(EINTR, 2);
    CHECK(file_sync(fd, path, &status) == STATUS_OK && fail_count == 0);
    fail_next(EIO, 1);
    CHECK(file_sync(fd, path, &status) == STATUS_RESOURCE && says("Input/output"));
    fail_next(ENOSPC, 1);
    CHECK(file_truncate(fd, 5, path, &status) == STATUS_RESOURCE && says("No space"));
    CHECK(file_truncate(fd, UINT64_MAX, path, &status) == STATUS_RESOURCE);
    fail_next(EINTR, 1);
    CHECK(file_truncate(fd, 5, path, &status) == STATUS_OK);
    fail_next(EIO, 1);
    CHECK(file_close(fd, path, &status) == STATUS_RESOURCE && says("Input/output"));

    CHECK(directory_open(&folder_fd, path, &status) == STATUS_OK);
    fail_next(EXDEV, 1);
    CHECK(file_publish(path, other, folder_fd, &status) == STATUS_RESOURCE && says("renamed") && says(other));
    CHECK(access(other, F_OK) != 0);
    CHECK(file_publish(path, other, folder_fd, &status) == STATUS_OK);
    CHECK(access(other, F_OK) == 0 && access(path, F_OK) != 0);
    CHECK(file_close(folder_fd, folder, &status) == STATUS_OK);

    CHECK(file_remove(path, &status) == STATUS_OK); // is not there
    fail_next(EACCES, 1);
    CHECK(file_remove(other, &status) == STATUS_RESOURCE);
    fail_next(EINTR, 2);
    CHECK(file_remove(other, &status) == STATUS_OK && access(other, F_OK) != 0);
}

static int synced_fd = -1;
static int noting_fsync(int fd)
{
    synced_fd = fd;
    return fails() ? -1 : 0;
}

static void publishing_makes_the_folder_durable(void)
{
    int folder_fd, fd = new_file();
    CHECK(file_close(fd, path, &status) == STATUS_OK);
    CHECK(directory_open(&folder_fd, path, &status) == STATUS_OK);
    file_system.fsync = noting_fsync;
    file_system.rename = real.rename; // so that the failure below is the sync's
    synced_fd = -1;
    CHECK(file_publish(path, other, folder_fd, &status) == STATUS_OK && synced_fd == folder_fd);
    fail_next(EIO, 1);
    CHECK(file_publish(other, path, folder_fd, &status) == STATUS_RESOURCE && says("durable"));
    file_system.fsync = faulty_fsync;
    file_system.rename = faulty_rename;
    CHECK(file_close(folder_fd, folder, &status) == STATUS_OK);
}

static void a_new_file_never_replaces_or_follows_anything(void)
{
    int fd = new_file();
    CHECK(file_close(fd, path, &status) == STATUS_OK);
    CHECK(file_create(&fd, path, &status) == STATUS_RESOURCE && says("File exists"));
    unlink(other);
    CHECK(symlink(path, other) == 0);
    CHECK(file_create(&fd, other, &status) == STATUS_RESOURCE);
    CHECK(file_open_write(&fd, other, &status) == STATUS_RESOURCE);
    CHECK(file_open_write(&fd, path, &status) == STATUS_OK);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK(file_close(fd, path, &status) == STATUS_OK);
    // Reading follows links.
    CHECK(file_open_read(&fd, NULL, other, &status) == STATUS_OK);
    CHECK(file_close(fd, other, &status) == STATUS_OK);
    unlink(other);
}

static void only_regular_files_are_opened_for_reading(void)
{
    int fd = new_file();
    uint64_t size = 0;
    CHECK(file_write_at(fd, "abcde", 5, 0, path, &status) == STATUS_OK);
    CHECK(file_close(fd, path, &status) == STATUS_OK);
    fail_next(EINTR, 2);
    CHECK(file_open_read(&fd, &size, path, &status) == STATUS_OK && size == 5 && fail_count == 0);
    CHECK(file_close(fd, path, &status) == STATUS_OK);
    CHECK(file_open_read(&fd, &size, folder, &status) == STATUS_INPUT && strstr(status.text, "directory"));
    unlink(path);
    CHECK(file_open_read(&fd, &size, path, &status) == STATUS_INPUT && says("No such file"));
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(file_open_read(&fd, &size, path, &status) == STATUS_INPUT && says("not a regular file"));
    CHECK(file_open_write(&fd, path, &status) == STATUS_INPUT && says("not a regular file"));
    fail_next(EMFILE, 1);
    CHECK(file_open_read(&fd, &size, path, &status) == STATUS_RESOURCE && says("Too many open files"));
    unlink(path);
}

static void the_folder_of_a_path_is_found(void)
{
    static const struct {
        const char *path_in_it, *folder;
    } cases[] = {{"/x", "/"}, {"x", "."}, {"/tmp/x", "/tmp"}, {"../x", ".."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct stat opened, wanted;
        int fd;
        CHECK(directory_open(&fd, cases[k].path_in_it, &status) == STATUS_OK);
        CHECK(fstat(fd, &opened) == 0 && stat(cases[k].folder, &wanted) == 0);
        CHECK(opened.st_ino == wanted.st_ino && opened.st_dev == wanted.st_dev);
        CHECK(file_close(fd, cases[k].folder, &status) == STATUS_OK);
    }
    int fd;
    CHECK(directory_open(&fd, "/nowhere-at-all/x", &status) == STATUS_RESOURCE);
    static char endless[20000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 3] = '/';
    CHECK(directory_open(&fd, endless, &status) == STATUS_RESOURCE);
}

static void the_appender_writes_what_it_was_given_wherever_it_starts(void)
{
    for (int round = 0; round < 200; round++) {
        uint8_t buffer[64], all[2000], back[2000];
        size_t total = 0;
        uint64_t start = check_random_below(3) * 1000;
        struct file_appender out;
        int fd = new_file();
        file_appender_begin(&out, fd, path, start, buffer, 1 + check_random_below(sizeof buffer));
        most_bytes = 1 + check_random_below(100);
        while (total < 1500) {
            size_t size = check_random_below(check_random_below(4) ? 30 : 200);
            for (size_t k = 0; k < size; k++)
                all[total + k] = (uint8_t)check_random();
            CHECK(file_append(&out, all + total, size, &status) == STATUS_OK);
            total += size;
            CHECK(out.offset == start + total);
            if (check_random_below(10) == 0)
                CHECK(file_append_flush(&out, &status) == STATUS_OK);
        }
        CHECK(file_append_flush(&out, &status) == STATUS_OK);
        most_bytes = SIZE_MAX;
        CHECK(file_read_at(fd, back, total, start, path, &status) == STATUS_OK);
        CHECK(memcmp(all, back, total) == 0);
        CHECK(file_read_at(fd, back, 1, start + total, path, &status) == STATUS_INPUT); // and not a byte more
        CHECK(file_close(fd, path, &status) == STATUS_OK);
    }
}

static void a_failing_append_is_reported_and_can_be_repeated(void)
{
    uint8_t buffer[16];
    char back[5] = {0};
    struct file_appender out;
    int fd = new_file();
    file_appender_begin(&out, fd, path, 0, buffer, sizeof buffer);
    CHECK(file_append(&out, "abcd", 4, &status) == STATUS_OK);
    fail_next(ENOSPC, 1);
    CHECK(file_append_flush(&out, &status) == STATUS_RESOURCE && says("No space"));
    CHECK(file_append_flush(&out, &status) == STATUS_OK);
    CHECK(file_read_at(fd, back, 4, 0, path, &status) == STATUS_OK && strcmp(back, "abcd") == 0);
    fail_next(ENOSPC, 1);
    CHECK(file_append(&out, folder, sizeof buffer, &status) == STATUS_RESOURCE && out.offset == 4);
    CHECK(file_close(fd, path, &status) == STATUS_OK);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    if (!mkdtemp(folder)) {
        printf("FAILED no temporary folder\n");
        return 1;
    }
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    real = file_system;
    file_system = (struct file_system){faulty_open,  faulty_pwrite, faulty_pread,  faulty_fsync,
                                       faulty_close, faulty_rename, faulty_unlink, faulty_ftruncate};
    CHECK_RUN(short_and_interrupted_transfers_go_on);
    CHECK_RUN(failing_writes_are_the_machines_fault);
    CHECK_RUN(failing_reads_are_the_inputs_fault);
    CHECK_RUN(sync_close_truncate_rename_and_remove_report_failure);
    CHECK_RUN(publishing_makes_the_folder_durable);
    CHECK_RUN(a_new_file_never_replaces_or_follows_anything);
    CHECK_RUN(only_regular_files_are_opened_for_reading);
    CHECK_RUN(the_folder_of_a_path_is_found);
    CHECK_RUN(the_appender_writes_what_it_was_given_wherever_it_starts);
    CHECK_RUN(a_failing_append_is_reported_and_can_be_repeated);
    unlink(path);
    unlink(other);
    rmdir(folder);
    return CHECK_END;
}
