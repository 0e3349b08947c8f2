// SPDX-License-Identifier: MIT
#include "bake/work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/journal.h"
#include "formats/file_io.h"

static char *join(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s", a, b);
    return text;
}

enum status_code output_look(enum output_state *state, const char *output, struct status *status)
{
    struct stat about;
    size_t length = strlen(output);
    int directory_fd;
    *state = OUTPUT_FREE;
    if (length == 0 || output[length - 1] == '/')
        return status_fail(status, STATUS_RESOURCE, "%s: is no file's name", output);
    enum status_code code = directory_open(&directory_fd, output, status);
    if (code)
        return code;
    close(directory_fd);
    if (lstat(output, &about) != 0) {
        if (errno == ENOENT)
            return STATUS_OK;
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be looked at", output);
    }
    if (S_ISDIR(about.st_mode))
        return status_fail(status, STATUS_RESOURCE, "%s: is a directory", output);
    if (!S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return status_fail(status, STATUS_RESOURCE, "%s: is not a regular file", output);
    *state = OUTPUT_THERE;
    return STATUS_OK;
}

bool work_folder_exists(const char *output)
{
    struct stat about;
    char *folder = join(output, ".bake");
    bool exists = folder && lstat(folder, &about) == 0 && S_ISDIR(about.st_mode);
    free(folder);
    return exists;
}

static enum status_code make_folder(struct work_place *place, struct status *status)
{
    struct stat about;
    if (mkdir(place->folder, 0777) == 0) {
        place->made = true;
        return STATUS_OK;
    }
    if (errno != EEXIST)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made", place->folder);
    // A link beside the output may be another user's trap; a folder that the user named may be a link of theirs.
    if ((place->named ? stat(place->folder, &about) : lstat(place->folder, &about)) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be looked at", place->folder);
    if (!S_ISDIR(about.st_mode))
        return status_fail(status, STATUS_RESOURCE, "%s: is in the way of the work folder; remove it", place->folder);
    return STATUS_OK;
}

// One try: *held is false, with STATUS_OK, where the file or its folder has gone meanwhile.
static enum status_code try_lock(struct work_place *place, bool *held, struct status *status)
{
    struct stat mine, named;
    *held = false;
    do
        place->lock_fd = file_system.open(place->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (place->lock_fd < 0 && errno == EINTR);
    if (place->lock_fd < 0)
        return errno == ENOENT
                   ? STATUS_OK
                   : status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be opened", place->lock_path);
    int result;
    do
        result = flock(place->lock_fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result != 0) {
        int reason = errno;
        close(place->lock_fd);
        place->lock_fd = -1;
        // Only this errno means that somebody else holds it.
        if (reason == EWOULDBLOCK)
            return status_fail(status, STATUS_LOCKED, "%s: another bake is at work there", place->folder);
        return status_fail_errno(status, STATUS_RESOURCE, reason, "%s: cannot be locked", place->lock_path);
    }
    *held = fstat(place->lock_fd, &mine) == 0 && lstat(place->lock_path, &named) == 0 && mine.st_dev == named.st_dev &&
            mine.st_ino == named.st_ino;
    if (!*held) {
        close(place->lock_fd);
        place->lock_fd = -1;
    }
    return STATUS_OK;
}

static enum status_code open_place(struct work_place *place, struct status *status)
{
    enum status_code code;
    bool held = false;
    place->lock_path = join(place->folder, "/lock");
    if (!place->lock_path)
        return status_fail_memory(status, "a path", strlen(place->folder) + 6);
    // Each try fails only when another bake has just finished, so there is no end of tries to wait for.
    for (int tries = 0; tries < 1000 && !held; tries++) {
        if ((code = make_folder(place, status)) || (code = try_lock(place, &held, status)))
            return code;
    }
    return held ? STATUS_OK
                : status_fail(status, STATUS_RESOURCE, "%s: cannot be held: it goes away again and again",
                              place->lock_path);
}

static void close_place(struct work_place *place, bool keep)
{
    struct status ignored;
    if (place->lock_fd >= 0) {
        if (!keep) {
            journal_remove(place->folder, &ignored);
            file_remove(place->lock_path, &ignored);
            // Only an empty folder goes, and one that the user had made before stays.
            if (place->ours || !place->named)
                rmdir(place->folder);
        }
        close(place->lock_fd);
    }
    if (place->lock_fd < 0 && place->made)
        rmdir(place->folder);
    free(place->folder);
    free(place->lock_path);
    *place = (struct work_place){.lock_fd = -1};
}

static void free_folder(struct work_folder *folder)
{
    if (folder->output_directory_fd >= 0)
        close(folder->output_directory_fd);
    folder->output_directory_fd = -1;
    free(folder->output);
    free(folder->pack_path);
    free(folder->spool_path);
    folder->output = folder->pack_path = folder->spool_path = NULL;
}

static bool same_folder(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

// PACK.bake/lock names the --work folders that bakes of the pack made, a line each. It outlives them, so a bake that is
// killed while it removes one leaves the word of who made it.
static enum status_code know_maker(struct work_folder *folder, struct status *status)
{
    struct work_place *work = &folder->work, *beside = &folder->beside;
    struct stat about, lock;
    char line[64], notes[4096] = "";
    if (stat(work->folder, &about) != 0 || fstat(beside->lock_fd, &lock) != 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be looked at", work->folder);
    snprintf(line, sizeof line, "made %jx:%jx\n", (uintmax_t)about.st_dev, (uintmax_t)about.st_ino);
    if (work->made) {
        work->ours = true;
        return file_write_at(beside->lock_fd, line, strlen(line), (uint64_t)lock.st_size, beside->lock_path, status);
    }
    size_t size = (uintmax_t)lock.st_size < sizeof notes ? (size_t)lock.st_size : sizeof notes - 1;
    enum status_code code = file_read_at(beside->lock_fd, notes, size, 0, beside->lock_path, status);
    work->ours = !code && strstr(notes, line) != NULL;
    return code;
}

enum status_code work_folder_open(struct work_folder *folder, const char *output, const char *work,
                                  struct status *status)
{
    enum status_code code;
    *folder = (struct work_folder){.output_directory_fd = -1, .beside.lock_fd = -1, .work.lock_fd = -1};
    if ((code = directory_open(&folder->output_directory_fd, output, status)))
        return code;
    folder->output = join(output, "");
    folder->beside.folder = join(output, ".bake");
    folder->pack_path = join(output, ".bake/pack.new");
    folder->spool_path = join(output, ".bake/index.new");
    if (work) {
        folder->work.folder = join(work, "");
        folder->work.named = true;
    }
    if (!folder->output || !folder->beside.folder || !folder->pack_path || !folder->spool_path ||
        (work && !folder->work.folder))
        code = status_fail_memory(status, "paths", 4 * PATH_MAX);
    else if (!(code = open_place(&folder->beside, status)) && work && same_folder(work, folder->beside.folder)) {
        free(folder->work.folder);
        folder->work = (struct work_place){.lock_fd = -1};
    } else if (!code && work) {
        code = open_place(&folder->work, status);
        if (!code)
            code = know_maker(folder, status);
    }
    if (!code && !(code = file_remove(folder->pack_path, status)))
        code = file_remove(folder->spool_path, status);
    if (code) {
        close_place(&folder->work, !folder->work.made);
        close_place(&folder->beside, !folder->beside.made);
        free_folder(folder);
    }
    return code;
}

const char *work_folder_journal(const struct work_folder *folder)
{
    return folder->work.folder ? folder->work.folder : folder->beside.folder;
}

enum status_code work_folder_sync(const struct work_folder *folder, struct status *status)
{
    int fd;
    enum status_code code;
    const char *inside = folder->work.folder ? folder->work.lock_path : folder->beside.lock_path;
    if ((code = directory_open(&fd, inside, status)))
        return code;
    if ((code = file_sync(fd, work_folder_journal(folder), status))) {
        close(fd);
        return code;
    }
    if ((code = file_close(fd, work_folder_journal(folder), status)))
        return code;
    return file_sync(folder->output_directory_fd, folder->output, status);
}

void work_folder_close(struct work_folder *folder, bool keep)
{
    struct status ignored;
    if (folder->beside.lock_fd >= 0) {
        file_remove(folder->pack_path, &ignored);
        file_remove(folder->spool_path, &ignored);
    }
    close_place(&folder->work, keep);
    close_place(&folder->beside, keep);
    free_folder(folder);
}
