// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "bake/journal.h"
#include "bake/work_folder.h"
#include "formats/file_io.h"
#include "tests/base_folder.h"
#include "tests/check.h"

static void touch(const char *name)
{
    int fd = open(at(name), O_WRONLY | O_CREAT, 0644);
    CHECK(fd >= 0 && close(fd) == 0);
}

static void a_folder_comes_and_goes_with_the_bake(void)
{
    struct work_folder folder;
    struct status status;
    temp_folder_make(base);
    CHECK(!work_folder_exists(at("p")));
    CHECK_TEXT(work_folder_open(&folder, at("p"), NULL, &status) == STATUS_OK, "%s", status.text);
    CHECK(work_folder_exists(at("p")) && exists("p.bake/lock"));
    CHECK(strcmp(work_folder_journal(&folder), at("p.bake")) == 0 && strcmp(folder.output, at("p")) == 0);
    CHECK(work_folder_sync(&folder, &status) == STATUS_OK);
    touch("p.bake/tiles-0003.journal");
    work_folder_close(&folder, true);
    CHECK(exists("p.bake/tiles-0003.journal"));
    CHECK(work_folder_open(&folder, at("p"), NULL, &status) == STATUS_OK);
    touch("p.bake/pack.new");
    work_folder_close(&folder, false);
    CHECK(!exists("p.bake"));
    temp_folder_remove(base);
}

static void a_stale_new_pack_is_removed_and_strangers_files_are_not(void)
{
    struct work_folder folder;
    struct status status;
    temp_folder_make(base);
    CHECK(mkdir(at("p.bake"), 0755) == 0);
    touch("p.bake/pack.new");
    touch("p.bake/index.new");
    touch("p.bake/notes.txt");
    CHECK(work_folder_open(&folder, at("p"), NULL, &status) == STATUS_OK);
    CHECK(!exists("p.bake/pack.new") && !exists("p.bake/index.new"));
    work_folder_close(&folder, false);
    CHECK(exists("p.bake/notes.txt") && !exists("p.bake/lock"));
    temp_folder_remove(base);
}

static void a_second_bake_of_the_output_is_locked_out(void)
{
    struct work_folder first, second;
    struct status status;
    temp_folder_make(base);
    CHECK(work_folder_open(&first, at("p"), NULL, &status) == STATUS_OK);
    CHECK(work_folder_open(&second, at("p"), NULL, &status) == STATUS_LOCKED && strstr(status.text, "p.bake"));
    CHECK(work_folder_open(&second, at("p"), at("elsewhere"), &status) == STATUS_LOCKED && !exists("elsewhere"));
    CHECK(exists("p.bake/lock"));
    CHECK(work_folder_open(&second, at("q"), NULL, &status) == STATUS_OK);
    work_folder_close(&second, false);
    work_folder_close(&first, false);
    CHECK(work_folder_open(&second, at("p"), NULL, &status) == STATUS_OK);
    work_folder_close(&second, false);
    temp_folder_remove(base);
}

static void a_named_folder_is_locked_too_and_stays_if_it_was_there(void)
{
    struct work_folder first, second;
    struct status status;
    temp_folder_make(base);
    CHECK(mkdir(at("mine"), 0755) == 0 && symlink("mine", at("link")) == 0);
    CHECK(work_folder_open(&first, at("p"), at("link"), &status) == STATUS_OK);
    CHECK(strcmp(work_folder_journal(&first), at("link")) == 0);
    CHECK(work_folder_open(&second, at("q"), at("mine"), &status) == STATUS_LOCKED && strstr(status.text, "mine"));
    CHECK(!exists("q.bake"));
    touch("mine/tiles-0000.journal");
    touch("mine/other");
    work_folder_close(&first, false);
    CHECK(!exists("p.bake") && exists("mine/other") && !exists("mine/tiles-0000.journal") && !exists("mine/lock"));
    // One that the bake made goes again.
    CHECK(work_folder_open(&first, at("p"), at("fresh"), &status) == STATUS_OK && exists("fresh/lock"));
    work_folder_close(&first, false);
    CHECK(!exists("fresh"));
    // And also if another bake goes on with it, which was killed perhaps when it had removed all but the folder.
    for (int killed = 0; killed < 2; killed++) {
        CHECK(work_folder_open(&first, at("p"), at("fresh"), &status) == STATUS_OK);
        work_folder_close(&first, true);
        CHECK(exists("fresh/lock") && exists("p.bake/lock") && (!killed || unlink(at("fresh/lock")) == 0));
        CHECK(work_folder_open(&first, at("p"), at("fresh"), &status) == STATUS_OK);
        work_folder_close(&first, false);
        CHECK(!exists("fresh") && !exists("p.bake"));
    }
    // But none that was there, whoever comes and whatever was made beside it.
    CHECK(work_folder_open(&first, at("p"), at("fresh"), &status) == STATUS_OK);
    work_folder_close(&first, true);
    CHECK(mkdir(at("empty"), 0755) == 0 && work_folder_open(&first, at("p"), at("empty"), &status) == STATUS_OK);
    work_folder_close(&first, true);
    CHECK(work_folder_open(&first, at("p"), at("empty"), &status) == STATUS_OK);
    work_folder_close(&first, false);
    CHECK(exists("empty") && exists("fresh") && !exists("p.bake"));
    // The folder beside the output may be named as well.
    CHECK(work_folder_open(&first, at("p"), at("p.bake"), &status) == STATUS_OK);
    CHECK(strcmp(work_folder_journal(&first), at("p.bake")) == 0);
    work_folder_close(&first, false);
    CHECK(!exists("p.bake"));
    temp_folder_remove(base);
}

// ---- The race: between opening and locking, the other bake finishes and removes file and folder ----------

static struct file_system real;
static int removals;

static int open_and_lose(const char *path, int flags, unsigned mode)
{
    int fd = real.open(path, flags, mode);
    const char *name = strrchr(path, '/');
    if (fd >= 0 && name && strcmp(name, "/lock") == 0 && removals > 0) {
        removals--;
        CHECK(unlink(path) == 0 && rmdir(at("p.bake")) == 0);
        // Or a third one has already made them anew.
        if (removals == 0) {
            CHECK(mkdir(at("p.bake"), 0755) == 0);
            touch("p.bake/lock");
        }
    }
    return fd;
}

static void a_lock_that_has_lost_its_name_is_not_believed(void)
{
    struct work_folder folder, other;
    struct status status;
    temp_folder_make(base);
    real = file_system;
    file_system.open = open_and_lose;
    removals = 3;
    CHECK(work_folder_open(&folder, at("p"), NULL, &status) == STATUS_OK && removals == 0);
    file_system = real;
    CHECK(exists("p.bake/lock"));
    CHECK(work_folder_open(&other, at("p"), NULL, &status) == STATUS_LOCKED);
    work_folder_close(&folder, false);
    temp_folder_remove(base);
}

static void what_is_in_the_way_is_refused(void)
{
    struct work_folder folder;
    struct status status;
    enum output_state state;
    temp_folder_make(base);
    touch("file");
    CHECK(mkdir(at("folder"), 0755) == 0 && symlink("nowhere", at("dangling")) == 0);
    CHECK(mkfifo(at("pipe"), 0644) == 0);
    CHECK(output_look(&state, at("free"), &status) == STATUS_OK && state == OUTPUT_FREE);
    CHECK(output_look(&state, at("file"), &status) == STATUS_OK && state == OUTPUT_THERE);
    CHECK(output_look(&state, at("dangling"), &status) == STATUS_OK && state == OUTPUT_THERE);
    CHECK(output_look(&state, at("folder"), &status) == STATUS_RESOURCE && strstr(status.text, "directory"));
    CHECK(output_look(&state, at("pipe"), &status) == STATUS_RESOURCE);
    CHECK(output_look(&state, at("free/"), &status) == STATUS_RESOURCE);
    CHECK(output_look(&state, at("missing/p"), &status) == STATUS_RESOURCE && strstr(status.text, "missing"));
    CHECK(output_look(&state, at("file/p"), &status) == STATUS_RESOURCE);
    CHECK(output_look(&state, "", &status) == STATUS_RESOURCE);
    // A link in the place of the work folder, or of the lock in it, is not followed.
    CHECK(symlink("folder", at("p.bake")) == 0);
    CHECK(work_folder_open(&folder, at("p"), NULL, &status) == STATUS_RESOURCE && !exists("folder/lock"));
    CHECK(mkdir(at("q.bake"), 0755) == 0 && symlink(at("file"), at("q.bake/lock")) == 0);
    CHECK(work_folder_open(&folder, at("q"), NULL, &status) == STATUS_RESOURCE);
    touch("r.bake");
    CHECK(work_folder_open(&folder, at("r"), NULL, &status) == STATUS_RESOURCE && strstr(status.text, "r.bake"));
    CHECK(work_folder_open(&folder, at("s"), at("missing/work"), &status) == STATUS_RESOURCE && !exists("s.bake"));
    temp_folder_remove(base);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(a_folder_comes_and_goes_with_the_bake);
    CHECK_RUN(a_stale_new_pack_is_removed_and_strangers_files_are_not);
    CHECK_RUN(a_second_bake_of_the_output_is_locked_out);
    CHECK_RUN(a_named_folder_is_locked_too_and_stays_if_it_was_there);
    CHECK_RUN(a_lock_that_has_lost_its_name_is_not_believed);
    CHECK_RUN(what_is_in_the_way_is_refused);
    return CHECK_END;
}
