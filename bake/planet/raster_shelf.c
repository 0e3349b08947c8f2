// SPDX-License-Identifier: MIT
#include "bake/planet/raster_shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_options(const struct raster_options *a, const struct raster_options *b)
{
    return a->west_deg == b->west_deg && a->east_deg == b->east_deg && a->registration == b->registration;
}

// "FOLDER/FILE", or FILE where it begins with a slash; malloc'd.
static char *joined_path(const char *folder, const char *file)
{
    size_t size = strlen(folder) + strlen(file) + 2;
    char *path = malloc(size);
    if (!path)
        return NULL;
    if (file[0] == '/')
        snprintf(path, size, "%s", file);
    else
        snprintf(path, size, "%s/%s", folder, file);
    return path;
}

static enum status_code shelf_load(struct raster_shelf *shelf, const char *file, const struct raster_options *options,
                                   struct status *status)
{
    char *kept = strdup(file), *path = joined_path(shelf->folder, file);
    struct raster *raster = NULL;
    enum status_code code =
        kept && path ? raster_load(&raster, path, options, status) : status_fail_memory(status, file, strlen(file));
    free(path);
    if (code) {
        free(kept);
        return code;
    }
    shelf->files[shelf->count] = kept;
    shelf->rasters[shelf->count] = raster;
    shelf->options[shelf->count] = *options;
    shelf->count++;
    return STATUS_OK;
}

enum status_code raster_shelf_get(struct raster_shelf *shelf, const char *file, const struct raster_options *options,
                                  int *index, struct status *status)
{
    if (!shelf->folder)
        return status_fail(status, STATUS_INPUT, "expected no raster: this planet has no folder to read files from");
    for (*index = 0; *index < shelf->count; ++*index) {
        if (strcmp(file, shelf->files[*index]) == 0 && same_options(options, &shelf->options[*index]))
            return STATUS_OK;
    }
    if (shelf->count == RASTER_SHELF_MAX)
        return status_fail(status, STATUS_INPUT, "expected at most %d rasters", RASTER_SHELF_MAX);
    return shelf_load(shelf, file, options, status);
}

void raster_shelf_free(struct raster_shelf *shelf)
{
    for (int i = 0; i < shelf->count; i++) {
        raster_free(shelf->rasters[i]);
        free(shelf->files[i]);
    }
    shelf->count = 0;
}
