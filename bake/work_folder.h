// SPDX-License-Identifier: MIT
// Where a bake works: the folder PACK.bake beside the output PACK, and the one named by --work if there is one.
//
//   PACK.bake/lock        held for as long as the bake runs, and never renamed; says which --work folders were made by
//                         bakes of this pack, and so go with it
//   PACK.bake/pack.new    the pack until it is whole; renamed to PACK
//   PACK.bake/index.new   the pack writer's spool
//   tiles-NNNN.journal    finished tiles, in the --work folder or else in PACK.bake (journal.h)
// The new pack is always in PACK.bake, since only within one file system can it be renamed to PACK. A --work folder
// has a lock of its own, so that two outputs cannot share it at once.
//
// The lock is flock() on the file `lock`. As it is removed together with the folder, a process may lock a file that has
// just lost its name: after locking, the name must still lead to the locked file, else the whole is tried again.
#ifndef TERRANE_BAKE_WORK_FOLDER_H
#define TERRANE_BAKE_WORK_FOLDER_H

#include <stdbool.h>

#include "common/status.h"

struct work_place {
    char *folder;
    char *lock_path;
    int lock_fd;
    bool made;  // by this bake
    bool ours;  // by a bake of this pack: it goes when the pack is whole
    bool named; // by the user
};

struct work_folder {
    char *output, *pack_path, *spool_path;
    int output_directory_fd;
    struct work_place beside, work; // work.folder is NULL without --work
};

// What already stands at the output's path.
enum output_state { OUTPUT_FREE, OUTPUT_THERE };

// Looks at the path: a folder, something that is no file, a name that ends in a slash, or a folder that is missing are
// STATUS_RESOURCE. A symbolic link is there, whatever it leads to.
enum status_code output_look(enum output_state *state, const char *output, struct status *status);

// Whether there is a PACK.bake.
bool work_folder_exists(const char *output);

// Makes and locks the folder (and work, which may be NULL). STATUS_LOCKED where another bake holds it, STATUS_RESOURCE
// for anything else that is in the way. A stale pack.new is removed.
enum status_code work_folder_open(struct work_folder *folder, const char *output, const char *work,
                                  struct status *status);

// The folder that the journal is in.
const char *work_folder_journal(const struct work_folder *folder);

// Makes the folder's own entries durable.
enum status_code work_folder_sync(const struct work_folder *folder, struct status *status);

// Gives the folder up: with keep it stays for a --resume, without it is removed with everything in it that is ours.
// Failures to remove are not reported: the pack is what counts.
void work_folder_close(struct work_folder *folder, bool keep);

#endif
