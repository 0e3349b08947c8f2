// SPDX-License-Identifier: MIT
// A folder full of files that a verb makes. Where the folder is new or empty, everything is made in a hidden folder in
// it and moved up when it is whole, so that a failure leaves nothing that looks finished. Where the user forces files
// into a folder that holds others, each file is replaced by itself.
#ifndef TERRANE_BAKE_STAGE_FOLDER_H
#define TERRANE_BAKE_STAGE_FOLDER_H

#include <stdbool.h>

#include "common/status.h"

struct stage_folder {
    const char *path; // the caller's, kept alive until publish or abandon
    char *root;       // where the files go: path itself, or a folder in it
    bool made_path;   // path was not there before
    bool staged;      // root is not path
};

// STATUS_RESOURCE where path is no folder, cannot be made, or is not empty and force is not given.
enum status_code stage_begin(struct stage_folder *stage, const char *path, bool force, struct status *status);

// Moves what stands in root up, the entries of that names (count of them, those that are not there are left out).
enum status_code stage_publish(struct stage_folder *stage, const char *const *names, int count, struct status *status);

// Removes what was staged, and the folder if it was made.
void stage_abandon(struct stage_folder *stage);

#endif
