// SPDX-License-Identifier: MIT
// The folder of a test, whose files are called by their names in it.
#ifndef TERRANE_TESTS_BASE_FOLDER_H
#define TERRANE_TESTS_BASE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/temp_folder.h"

static char base[TEMP_PATH_MAX + 8]; // filled by temp_folder_make, or otherwise

// base/name; valid until the eighth call after it.
static inline const char *at(const char *name)
{
    static char paths[8][2 * TEMP_PATH_MAX];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", base, name);
    return path;
}

static inline bool exists(const char *name)
{
    struct stat about;
    return lstat(at(name), &about) == 0;
}

// A file's bytes, malloc'd, with one more that is 0; NULL where it cannot be read.
static inline uint8_t *slurp(const char *name, size_t *size)
{
    struct stat about;
    FILE *file = fopen(at(name), "rb");
    *size = 0;
    if (!file)
        return NULL;
    uint8_t *bytes = fstat(fileno(file), &about) == 0 ? calloc((size_t)about.st_size + 1, 1) : NULL;
    if (bytes)
        *size = fread(bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    return bytes;
}

// Whether both are there and have the same bytes.
static inline bool same_files(const char *a, const char *b)
{
    size_t left_size, right_size;
    uint8_t *left = slurp(a, &left_size), *right = slurp(b, &right_size);
    bool same = left && right && left_size == right_size && memcmp(left, right, left_size) == 0;
    free(left);
    free(right);
    return same;
}

#endif
