// SPDX-License-Identifier: MIT
// A disk that forgets. What a program does to one folder through formats/file_io.h is recorded, and afterwards the
// folder is put into a state in which a power failure at some moment could have left it:
//
//   * what was written before a file's last sync is there;
//   * each later write or cut is there, or lost, or torn: of a torn write's sectors of 512 bytes some are new, and the
//     others are as before, or where the file grew zeros or rubbish;
//   * each entry of a folder that was made, removed or renamed before the folder's last sync is; each later one is or
//     is not, in any combination, so that a rename may be half done.
//
// That is harder than most file systems are. The first folder below the recorded one is made by mkdir, which is not
// seen: it counts as made just before the first file in it.
#ifndef TERRANE_TESTS_CRASH_DISK_H
#define TERRANE_TESTS_CRASH_DISK_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "formats/file_io.h"
#include "tests/check.h"
#include "tests/temp_folder.h"

#define CRASH_SECTOR 512
#define CRASH_OPS_MAX 4096
#define CRASH_FILES_MAX 64
#define CRASH_FOLDERS_MAX 4 // number 0 is the recorded one itself
#define CRASH_NAME_MAX 48
#define CRASH_FDS_MAX 256

enum crash_kind { CRASH_WRITE, CRASH_CUT, CRASH_SYNC, CRASH_LINK, CRASH_UNLINK, CRASH_MKDIR, CRASH_FOLDER_SYNC };

struct crash_op {
    enum crash_kind kind;
    int file, folder; // the folder of an entry, or the one that is synced or made
    char name[CRASH_NAME_MAX];
    uint64_t offset; // of a write; the size that a cut leaves
    size_t size;
    uint8_t *bytes;
};

struct crash_entry {
    int folder, file;
    char name[CRASH_NAME_MAX];
};

struct crash_file {
    uint8_t *bytes;
    size_t size;
};

struct crash_disk {
    char base[TEMP_PATH_MAX + 8];
    bool blind_to_file_syncs, blind_to_folder_syncs; // as if the program had left them out
    struct crash_op ops[CRASH_OPS_MAX];
    size_t op_count;
    struct crash_file files[CRASH_FILES_MAX]; // as they were at the start
    int file_count;
    char folders[CRASH_FOLDERS_MAX][CRASH_NAME_MAX];
    bool folder_at_start[CRASH_FOLDERS_MAX];
    int folder_count;
    struct crash_entry start[CRASH_FILES_MAX], now[CRASH_FILES_MAX];
    int start_count, now_count;
};

static struct crash_disk *crash_disk; // the one that records
static struct file_system crash_real;
static int crash_fd_file[CRASH_FDS_MAX], crash_fd_folder[CRASH_FDS_MAX]; // -1 for others

static inline struct crash_op *crash_log(enum crash_kind kind, int file, int folder, const char *name)
{
    struct crash_disk *disk = crash_disk;
    if (disk->op_count == CRASH_OPS_MAX)
        abort();
    struct crash_op *op = &disk->ops[disk->op_count++];
    *op = (struct crash_op){.kind = kind, .file = file, .folder = folder};
    snprintf(op->name, sizeof op->name, "%s", name);
    return op;
}

// ---- Entries ---------------------------------------------------------------------------------------------------

static inline int crash_find(const struct crash_entry *entries, int count, int folder, const char *name)
{
    for (int k = 0; k < count; k++) {
        if (entries[k].folder == folder && strcmp(entries[k].name, name) == 0)
            return k;
    }
    return -1;
}

static inline void crash_unlink(struct crash_entry *entries, int *count, int folder, const char *name)
{
    int k = crash_find(entries, *count, folder, name);
    if (k >= 0)
        entries[k] = entries[--*count];
}

static inline void crash_link(struct crash_entry *entries, int *count, int folder, const char *name, int file)
{
    crash_unlink(entries, count, folder, name);
    if (*count == CRASH_FILES_MAX)
        abort();
    struct crash_entry *entry = &entries[(*count)++];
    entry->folder = folder;
    entry->file = file;
    snprintf(entry->name, sizeof entry->name, "%s", name);
}

static inline int crash_folder_number(const char *name, bool make)
{
    struct crash_disk *disk = crash_disk;
    for (int k = 1; k < disk->folder_count; k++) {
        if (strcmp(disk->folders[k], name) == 0)
            return k;
    }
    if (!make)
        return -1;
    if (disk->folder_count == CRASH_FOLDERS_MAX)
        abort();
    snprintf(disk->folders[disk->folder_count], CRASH_NAME_MAX, "%s", name);
    return disk->folder_count++;
}

// Takes a path apart; false where it is not within the recorded folder.
static inline bool crash_place(const char *path, int *folder, char name[CRASH_NAME_MAX])
{
    size_t length = strlen(crash_disk->base);
    if (strncmp(path, crash_disk->base, length) != 0 || path[length] != '/')
        return false;
    const char *rest = path + length + 1, *slash = strchr(rest, '/');
    *folder = 0;
    if (slash) {
        char parent[CRASH_NAME_MAX];
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - rest), rest);
        *folder = crash_folder_number(parent, false);
        if (*folder < 0) {
            *folder = crash_folder_number(parent, true);
            crash_log(CRASH_MKDIR, -1, *folder, parent);
        }
        rest = slash + 1;
    }
    snprintf(name, CRASH_NAME_MAX, "%s", rest);
    return true;
}

// ---- Recording -------------------------------------------------------------------------------------------------

static inline int crash_open(const char *path, int flags, unsigned mode)
{
    int fd = crash_real.open(path, flags, mode), folder;
    char name[CRASH_NAME_MAX];
    if (fd < 0 || fd >= CRASH_FDS_MAX)
        return fd;
    crash_fd_file[fd] = crash_fd_folder[fd] = -1;
    if (flags & O_DIRECTORY) {
        size_t length = strlen(crash_disk->base);
        if (strncmp(path, crash_disk->base, length) == 0)
            crash_fd_folder[fd] = path[length] ? crash_folder_number(path + length + 1, false) : 0;
    } else if (crash_place(path, &folder, name)) {
        struct crash_disk *disk = crash_disk;
        int k = crash_find(disk->now, disk->now_count, folder, name);
        if (k < 0) {
            if (disk->file_count == CRASH_FILES_MAX)
                abort();
            crash_log(CRASH_LINK, disk->file_count, folder, name);
            crash_link(disk->now, &disk->now_count, folder, name, disk->file_count++);
            k = disk->now_count - 1;
        }
        crash_fd_file[fd] = disk->now[k].file;
    }
    return fd;
}

static inline int64_t crash_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    int64_t written = crash_real.pwrite(fd, bytes, size, offset);
    if (written > 0 && crash_fd_file[fd] >= 0) {
        struct crash_op *op = crash_log(CRASH_WRITE, crash_fd_file[fd], -1, "");
        op->offset = (uint64_t)offset;
        op->size = (size_t)written;
        op->bytes = malloc(op->size);
        if (!op->bytes)
            abort();
        memcpy(op->bytes, bytes, op->size);
    }
    return written;
}

static inline int crash_ftruncate(int fd, int64_t size)
{
    int result = crash_real.ftruncate(fd, size);
    if (result == 0 && crash_fd_file[fd] >= 0)
        crash_log(CRASH_CUT, crash_fd_file[fd], -1, "")->offset = (uint64_t)size;
    return result;
}

static inline int crash_fsync(int fd)
{
    if (crash_fd_file[fd] >= 0 && !crash_disk->blind_to_file_syncs)
        crash_log(CRASH_SYNC, crash_fd_file[fd], -1, "");
    if (crash_fd_folder[fd] >= 0 && !crash_disk->blind_to_folder_syncs)
        crash_log(CRASH_FOLDER_SYNC, -1, crash_fd_folder[fd], "");
    return 0;
}

static inline int crash_close(int fd)
{
    crash_fd_file[fd] = crash_fd_folder[fd] = -1;
    return crash_real.close(fd);
}

static inline void crash_forget(int folder, const char *name)
{
    crash_log(CRASH_UNLINK, -1, folder, name);
    crash_unlink(crash_disk->now, &crash_disk->now_count, folder, name);
}

static inline int crash_rename(const char *from, const char *to)
{
    int result = crash_real.rename(from, to), folder, to_folder;
    char name[CRASH_NAME_MAX], to_name[CRASH_NAME_MAX];
    if (result == 0 && crash_place(from, &folder, name) && crash_place(to, &to_folder, to_name)) {
        int k = crash_find(crash_disk->now, crash_disk->now_count, folder, name);
        int file = crash_disk->now[k].file;
        crash_log(CRASH_LINK, file, to_folder, to_name);
        crash_link(crash_disk->now, &crash_disk->now_count, to_folder, to_name, file);
        crash_forget(folder, name);
    }
    return result;
}

static inline int crash_remove(const char *path)
{
    int result = crash_real.unlink(path), folder;
    char name[CRASH_NAME_MAX];
    if (result == 0 && crash_place(path, &folder, name))
        crash_forget(folder, name);
    return result;
}

// A file as it stands at the start of the recording: durable.
static inline void crash_take_file(int folder, const char *name, const char *path)
{
    struct crash_disk *disk = crash_disk;
    FILE *from = fopen(path, "rb");
    struct stat about;
    if (!from || fstat(fileno(from), &about) != 0 || disk->file_count == CRASH_FILES_MAX)
        abort();
    struct crash_file *file = &disk->files[disk->file_count];
    file->size = (size_t)about.st_size;
    file->bytes = malloc(file->size + 1);
    if (!file->bytes || fread(file->bytes, 1, file->size, from) != file->size)
        abort();
    fclose(from);
    crash_link(disk->start, &disk->start_count, folder, name, disk->file_count++);
}

static inline int crash_take(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    char name[CRASH_NAME_MAX], parent[CRASH_NAME_MAX];
    (void)about;
    if (walk->level == 0)
        return 0;
    const char *rest = path + strlen(crash_disk->base) + 1, *slash = strchr(rest, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : rest);
    if (kind == FTW_D) {
        crash_disk->folder_at_start[crash_folder_number(name, true)] = true;
        return 0;
    }
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - rest) : 0, rest);
    crash_take_file(slash ? crash_folder_number(parent, false) : 0, name, path);
    return 0;
}

// Records from now on what happens below folder, which may have folders of one level.
static inline void crash_begin(struct crash_disk *disk, const char *folder)
{
    memset(disk, 0, sizeof *disk);
    snprintf(disk->base, sizeof disk->base, "%s", folder);
    disk->folder_count = 1;
    crash_disk = disk;
    nftw(folder, crash_take, 16, FTW_PHYS);
    memcpy(disk->now, disk->start, sizeof disk->now);
    disk->now_count = disk->start_count;
    for (int fd = 0; fd < CRASH_FDS_MAX; fd++)
        crash_fd_file[fd] = crash_fd_folder[fd] = -1;
    crash_real = file_system;
    file_system.open = crash_open;
    file_system.pwrite = crash_pwrite;
    file_system.ftruncate = crash_ftruncate;
    file_system.fsync = crash_fsync;
    file_system.close = crash_close;
    file_system.rename = crash_rename;
    file_system.unlink = crash_remove;
}

static inline void crash_end(void)
{
    file_system = crash_real;
}

static inline void crash_free(struct crash_disk *disk)
{
    for (size_t k = 0; k < disk->op_count; k++)
        free(disk->ops[k].bytes);
    for (int k = 0; k < disk->file_count; k++)
        free(disk->files[k].bytes);
    disk->op_count = 0;
    disk->file_count = 0;
}

// ---- The state after the power failure --------------------------------------------------------------------------

static inline void crash_grow(struct crash_file *file, size_t size)
{
    if (size <= file->size)
        return;
    file->bytes = realloc(file->bytes, size);
    if (!file->bytes)
        abort();
    memset(file->bytes + file->size, 0, size - file->size);
    file->size = size;
}

static inline void crash_apply(struct crash_file *file, const struct crash_op *op, bool torn)
{
    if (op->kind == CRASH_CUT) {
        crash_grow(file, (size_t)op->offset);
        file->size = (size_t)op->offset;
        return;
    }
    size_t from = (size_t)op->offset, end = from + op->size, old_size = file->size;
    crash_grow(file, end);
    for (size_t at = from; at < end;) {
        size_t next = (at / CRASH_SECTOR + 1) * CRASH_SECTOR;
        next = next < end ? next : end;
        uint64_t luck = torn ? check_random_below(4) : 0;
        if (luck < 2)
            memcpy(file->bytes + at, op->bytes + (at - from), next - at);
        else if (luck == 2 && at >= old_size)
            memset(file->bytes + at, (int)check_random_below(256), next - at);
        at = next;
    }
}

// A file's bytes after a failure before operation `moment`. Malloc'd.
static inline struct crash_file crash_content(const struct crash_disk *disk, int number, size_t moment)
{
    struct crash_file file = {malloc(disk->files[number].size + 1), disk->files[number].size};
    size_t synced = 0;
    if (!file.bytes)
        abort();
    if (file.size > 0)
        memcpy(file.bytes, disk->files[number].bytes, file.size);
    for (size_t k = 0; k < moment; k++) {
        if (disk->ops[k].kind == CRASH_SYNC && disk->ops[k].file == number)
            synced = k;
    }
    for (size_t k = 0; k < moment; k++) {
        const struct crash_op *op = &disk->ops[k];
        if (op->file != number || (op->kind != CRASH_WRITE && op->kind != CRASH_CUT))
            continue;
        uint64_t luck = k < synced ? 0 : check_random_below(10);
        if (luck < 7)
            crash_apply(&file, op, luck >= 4 && op->kind == CRASH_WRITE);
    }
    return file;
}

static inline void crash_store(const struct crash_disk *disk, int folder, const char *name,
                               const struct crash_file *file)
{
    char path[TEMP_PATH_MAX + 2 * CRASH_NAME_MAX + 2];
    snprintf(path, sizeof path, "%s/%s%s%s", disk->base, disk->folders[folder], folder ? "/" : "", name);
    FILE *to = fopen(path, "wb");
    if (!to || fwrite(file->bytes, 1, file->size, to) != file->size || fclose(to) != 0)
        abort();
}

// Makes the recorded folder what it may be after a failure before operation `moment`, 0..op_count.
static inline void crash_state(const struct crash_disk *disk, size_t moment)
{
    struct crash_entry entries[CRASH_FILES_MAX];
    int count = disk->start_count;
    size_t synced[CRASH_FOLDERS_MAX] = {0};
    bool there[CRASH_FOLDERS_MAX];
    memcpy(entries, disk->start, sizeof entries);
    memcpy(there, disk->folder_at_start, sizeof there);
    there[0] = true;
    for (size_t k = 0; k < moment; k++) {
        if (disk->ops[k].kind == CRASH_FOLDER_SYNC)
            synced[disk->ops[k].folder] = k;
    }
    for (size_t k = 0; k < moment; k++) {
        const struct crash_op *op = &disk->ops[k];
        bool entry = op->kind == CRASH_LINK || op->kind == CRASH_UNLINK || op->kind == CRASH_MKDIR;
        size_t safe = entry ? synced[op->kind == CRASH_MKDIR ? 0 : op->folder] : 0;
        if (!entry || (k >= safe && check_random_below(2)))
            continue;
        if (op->kind == CRASH_MKDIR)
            there[op->folder] = true;
        else if (op->kind == CRASH_LINK)
            crash_link(entries, &count, op->folder, op->name, op->file);
        else
            crash_unlink(entries, &count, op->folder, op->name);
    }
    temp_folder_remove(disk->base);
    if (mkdir(disk->base, 0755) != 0)
        abort();
    for (int k = 1; k < disk->folder_count; k++) {
        char path[TEMP_PATH_MAX + CRASH_NAME_MAX + 1];
        snprintf(path, sizeof path, "%s/%s", disk->base, disk->folders[k]);
        if (there[k] && mkdir(path, 0755) != 0)
            abort();
    }
    for (int number = 0; number < disk->file_count; number++) {
        struct crash_file file = {NULL, 0};
        for (int k = 0; k < count; k++) {
            if (entries[k].file != number || !there[entries[k].folder])
                continue;
            if (!file.bytes)
                file = crash_content(disk, number, moment);
            crash_store(disk, entries[k].folder, entries[k].name, &file);
        }
        free(file.bytes);
    }
}

#endif
