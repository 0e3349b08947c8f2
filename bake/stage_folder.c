// SPDX-License-Identifier: MIT
#include "bake/stage_folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status_code is_empty(const char *path, bool *empty, struct status *status)
{
    DIR *folder = opendir(path);
    if (!folder)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be read", path);
    *empty = true;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            *empty = false;
    }
    closedir(folder);
    return STATUS_OK;
}

enum status_code stage_begin(struct stage_folder *stage, const char *path, bool force, struct status *status)
{
    *stage = (struct stage_folder){.path = path, .made_path = true};
    if (mkdir(path, 0777) != 0) {
        struct stat about;
        int error_number = errno;
        if (error_number != EEXIST || stat(path, &about) != 0)
            return status_fail_errno(status, STATUS_RESOURCE, error_number, "%s: cannot be made", path);
        if (!S_ISDIR(about.st_mode))
            return status_fail(status, STATUS_RESOURCE, "%s: is not a folder", path);
        stage->made_path = false;
    }
    bool empty = true;
    enum status_code code = stage->made_path ? STATUS_OK : is_empty(path, &empty, status);
    if (code)
        return code;
    if (!empty && !force)
        return status_fail(status, STATUS_RESOURCE, "%s: is not empty; --force writes into it", path);
    stage->staged = empty;
    size_t size = strlen(path) + 32;
    stage->root = malloc(size);
    if (!stage->root) {
        if (stage->made_path)
            rmdir(path);
        return status_fail_memory(status, path, size);
    }
    snprintf(stage->root, size, stage->staged ? "%s/.part-%ld" : "%s", path, (long)getpid());
    if (stage->staged && mkdir(stage->root, 0777) != 0) {
        code = status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be made", stage->root);
        stage_abandon(stage);
    }
    return code;
}

enum status_code stage_publish(struct stage_folder *stage, const char *const *names, int count, struct status *status)
{
    size_t room = strlen(stage->root) + 2;
    for (int k = 0; k < count; k++)
        room += strlen(names[k]);
    // Before the first is moved, since then there is no way back.
    char *from = malloc(room), *to = malloc(room);
    enum status_code code = from && to ? STATUS_OK : status_fail_memory(status, stage->path, 2 * room);
    for (int k = 0; k < count && stage->staged && !code; k++) {
        snprintf(from, room, "%s/%s", stage->root, names[k]);
        snprintf(to, room, "%s/%s", stage->path, names[k]);
        if (rename(from, to) != 0 && errno != ENOENT)
            code = status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be given its name", to);
    }
    free(from);
    free(to);
    if (code) {
        stage_abandon(stage);
        return code;
    }
    if (stage->staged && rmdir(stage->root) != 0)
        code = status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be removed", stage->root);
    free(stage->root);
    return code;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    remove(path);
    return 0;
}

void stage_abandon(struct stage_folder *stage)
{
    if (stage->staged)
        nftw(stage->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (stage->made_path)
        rmdir(stage->path);
    free(stage->root);
}
