// SPDX-License-Identifier: MIT
// A fresh folder for a test's files, in memory where there is /dev/shm, and its removal with everything in it.
#ifndef TERRANE_TESTS_TEMP_FOLDER_H
#define TERRANE_TESTS_TEMP_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEMP_PATH_MAX 256

static inline void temp_folder_make(char path[TEMP_PATH_MAX])
{
    snprintf(path, TEMP_PATH_MAX, "%s/terrane-test-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(path)) {
        perror(path);
        abort();
    }
}

static int temp_folder_remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void temp_folder_remove(const char *path)
{
    nftw(path, temp_folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
