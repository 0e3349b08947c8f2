// SPDX-License-Identifier: MIT
// Whole bakes: same bytes however they come about.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <time.h>

#include "bake/bake_run.h"
#include "bake/merge_shards.h"
#include "common/byteorder.h"
#include "formats/file_io.h"
#include "formats/pack_layout.h"
#include "tests/base_folder.h"
#include "tests/check.h"

static struct bake_request request; // large
static struct bake_result result;
static struct status status;

static void ask(const char *output, int depth, int thread_count)
{
    memset(&request, 0, sizeof request);
    request.subject = (struct bake_subject){.planet = {.name = "plain", .seed = 1},
                                            .plan = {.depth = depth, .faces = 63},
                                            .share = 1,
                                            .share_count = 1,
                                            .intervals = 32,
                                            .layers = 7};
    request.output = at(output);
    request.thread_count = thread_count;
    request.quiet = true;
}

static void add_region(const char *text)
{
    CHECK(plan_parse_region(&request.subject.plan.regions[request.subject.plan.region_count++], text, &status) ==
          STATUS_OK);
}

static enum status_code run(void)
{
    status.text[0] = 0;
    return bake_run(&request, &result, &status);
}

static void the_pack_is_the_same_for_any_number_of_threads(void)
{
    static const int counts[] = {1, 2, 3, 7, 64};
    temp_folder_make(base);
    for (int k = 0; k < 5; k++) {
        ask(k == 0 ? "first" : "next", 2, counts[k]);
        add_region("46,8,300,5");
        request.force = k > 1;
        CHECK_TEXT(run() == STATUS_OK, "%s", status.text);
        CHECK(result.tiles_done == result.tile_count && result.tile_count > 126 && !result.already);
        CHECK(k == 0 || same_files("first", "next"));
    }
    CHECK(!exists("first.bake") && !exists("next.bake"));
    temp_folder_remove(base);
}

static void finished_packs_hold_what_was_planned(void)
{
    temp_folder_make(base);
    ask("p", 1, 2);
    add_region("0,0,100,4");
    request.subject.layers = 5;
    CHECK(run() == STATUS_OK);
    struct pack *pack;
    CHECK_TEXT(pack_open(&pack, at("p"), &status) == STATUS_OK, "%s", status.text);
    CHECK_TEXT(pack_check(pack, true, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
    const struct pack_info *info = pack_get_info(pack);
    CHECK(info->complete && info->share == 1 && info->share_count == 1 && info->layers == 5 && info->intervals == 32);
    CHECK(pack_tile_count(pack) == result.tile_count && pack_file_bytes(pack) == result.pack_bytes);
    CHECK(pack_full_depth(pack) == 1 && pack_max_level(pack) == 4);
    pack_close(pack);
    temp_folder_remove(base);
}

static void a_pack_may_be_one_tile(void)
{
    temp_folder_make(base);
    ask("one", 0, 4);
    request.subject.plan.faces = 1 << 2;
    CHECK(run() == STATUS_OK && result.tile_count == 1 && result.thread_count == 1);
    struct pack *pack;
    CHECK(pack_open(&pack, at("one"), &status) == STATUS_OK);
    CHECK(pack_tile_count(pack) == 1 && pack_full_depth(pack) == -1);
    CHECK(pack_check(pack, true, NULL, NULL, &status) == STATUS_OK);
    pack_close(pack);
    temp_folder_remove(base);
}

static void existing_outputs_are_left_alone_without_force(void)
{
    temp_folder_make(base);
    ask("p", 0, 1);
    CHECK(run() == STATUS_OK);
    CHECK(run() == STATUS_RESOURCE && strstr(status.text, "--force"));
    request.subject.planet.seed = 2;
    CHECK(run() == STATUS_RESOURCE && !exists("p.bake"));
    // With --resume only where it is the very pack.
    request.resume = true;
    CHECK(run() == STATUS_RESOURCE && strstr(status.text, "--force"));
    request.subject.planet.seed = 1;
    CHECK(run() == STATUS_OK && result.already);
    // And a work folder left by a kill after the rename is cleared away.
    CHECK(mkdir(at("p.bake"), 0755) == 0);
    int fd = open(at("p.bake/tiles-0000.journal"), O_WRONLY | O_CREAT, 0644);
    close(fd);
    CHECK(run() == STATUS_OK && result.already && !exists("p.bake"));
    request.subject.planet.seed = 2;
    request.force = true;
    CHECK(run() == STATUS_OK && !result.already);
    // A link is replaced as a link.
    CHECK(rename(at("p"), at("old")) == 0 && symlink("old", at("p")) == 0);
    request.subject.planet.seed = 3;
    struct stat about;
    CHECK(run() == STATUS_OK && lstat(at("p"), &about) == 0 && S_ISREG(about.st_mode));
    temp_folder_remove(base);
}

static struct file_system real;

// ---- The order of the durable finish ---------------------------------------------------------------------

// The number of the last call of each kind, counted over all of them; 0 where there was none.
static int order_count, last_pack_write, last_pack_sync, last_rename, last_folder_sync, first_journal_unlink;
static int pack_fd;

static int watched_open(const char *path, int flags, unsigned mode)
{
    int fd = real.open(path, flags, mode);
    if (strstr(path, "/pack.new"))
        pack_fd = fd;
    return fd;
}

static int64_t watched_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    order_count++;
    if (fd == pack_fd)
        last_pack_write = order_count;
    return real.pwrite(fd, bytes, size, offset);
}

static int watched_fsync(int fd)
{
    order_count++;
    if (fd == pack_fd)
        last_pack_sync = order_count;
    struct stat about, folder;
    if (fstat(fd, &about) == 0 && stat(base, &folder) == 0 && about.st_ino == folder.st_ino && S_ISDIR(about.st_mode))
        last_folder_sync = order_count;
    return real.fsync(fd);
}

static int watched_rename(const char *from, const char *to)
{
    last_rename = ++order_count;
    return real.rename(from, to);
}

static int watched_unlink(const char *path)
{
    order_count++;
    if (strstr(path, ".journal") && !first_journal_unlink)
        first_journal_unlink = order_count;
    return real.unlink(path);
}

static void a_power_failure_finds_the_pack_or_the_work_files_whole(void)
{
    temp_folder_make(base);
    real = file_system;
    ask("p", 1, 1);
    pack_fd = -2;
    file_system.open = watched_open;
    file_system.pwrite = watched_pwrite;
    file_system.fsync = watched_fsync;
    file_system.rename = watched_rename;
    file_system.unlink = watched_unlink;
    CHECK(run() == STATUS_OK);
    file_system = real;
    CHECK(last_pack_write > 0 && last_pack_sync > last_pack_write);
    CHECK_TEXT(last_rename > last_pack_sync && last_folder_sync > last_rename, "%d %d %d", last_pack_sync, last_rename,
               last_folder_sync);
    CHECK(first_journal_unlink > last_folder_sync);
    temp_folder_remove(base);
}

// ---- Interrupted bakes -----------------------------------------------------------------------------------

static int writes_left;

static int64_t dying_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (writes_left-- > 0)
        return real.pwrite(fd, bytes, size, offset);
    errno = ENOSPC;
    // What was torn off half way stays in the file.
    if (writes_left == -1 && size > 9)
        real.pwrite(fd, bytes, size / 3, offset);
    errno = ENOSPC;
    return -1;
}

static void a_bake_in_many_pieces_makes_the_same_pack(void)
{
    temp_folder_make(base);
    real = file_system;
    ask("whole", 2, 2);
    CHECK(run() == STATUS_OK);
    for (int round = 0; round < 6; round++) {
        ask("p", 2, 1 + (int)check_random_below(5));
        request.resume = true;
        request.work = round & 1 ? at("elsewhere") : NULL;
        int pieces = 0;
        enum status_code code;
        do {
            file_system.pwrite = dying_pwrite;
            writes_left = 10 + (int)check_random_below(80);
            request.thread_count = 1 + (int)check_random_below(5);
            code = run();
            file_system = real;
            if (code)
                CHECK(code == STATUS_RESOURCE && !exists("p") && result.work_files_kept);
            if (++pieces == 20)
                writes_left = 100000;
        } while (code && pieces < 21 && (pieces < 20 || (code = run())));
        CHECK_TEXT(code == STATUS_OK && pieces > 1, "%s", status.text);
        CHECK(result.tiles_done == result.tile_count);
        CHECK(same_files("whole", "p") && !exists("p.bake") && !exists("elsewhere"));
        unlink(at("p"));
    }
    temp_folder_remove(base);
}

static void leave_work_files(const char *output)
{
    real = file_system;
    ask(output, 1, 1);
    file_system.pwrite = dying_pwrite;
    writes_left = 12;
    CHECK(run() == STATUS_RESOURCE && result.work_files_kept && result.tiles_done > 0);
    file_system = real;
}

static atomic_int readers, readers_most;

// Slow, so that whoever does not wait for his turn is met here.
static int64_t slow_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    int count = atomic_fetch_add(&readers, 1) + 1;
    if (count > atomic_load(&readers_most))
        atomic_store(&readers_most, count);
    nanosleep(&(struct timespec){0, 200000}, NULL);
    int64_t got = real.pread(fd, bytes, size, offset);
    atomic_fetch_sub(&readers, 1);
    return got;
}

// Of what is in the work files already they read while they look for the next tile.
static void workers_take_tiles_one_at_a_time(void)
{
    temp_folder_make(base);
    leave_work_files("p");
    request.resume = true;
    request.thread_count = 4;
    file_system.pread = slow_pread;
    atomic_store(&readers_most, 0);
    CHECK_TEXT(run() == STATUS_OK, "%s", status.text);
    file_system = real;
    CHECK_TEXT(atomic_load(&readers_most) == 1, "%d at once", atomic_load(&readers_most));
    temp_folder_remove(base);
}

static void work_files_of_an_earlier_bake_need_a_word(void)
{
    temp_folder_make(base);
    leave_work_files("p");
    CHECK(run() == STATUS_RESOURCE && strstr(status.text, "--resume") && strstr(status.text, "--force"));
    CHECK(exists("p.bake/tiles-0000.journal"));
    // Of another bake: refused saying what differs, unless --force is there too.
    request.resume = true;
    request.subject.planet.seed = 9;
    CHECK(run() == STATUS_INPUT && strstr(status.text, "seed is \"9\", not \"1\""));
    CHECK(exists("p.bake/tiles-0000.journal"));
    request.subject.planet.seed = 1;
    request.subject.share_count = 3;
    CHECK(run() == STATUS_INPUT && strstr(status.text, "share"));
    request.subject.share_count = 1;
    CHECK(run() == STATUS_OK && !exists("p.bake"));
    leave_work_files("q");
    request.force = true;
    request.subject.planet.seed = 9;
    CHECK(run() == STATUS_OK && result.tiles_done == 30 && !exists("q.bake"));
    leave_work_files("r");
    request.resume = request.force = true;
    request.subject.planet.seed = 9;
    CHECK(run() == STATUS_OK && same_files("q", "r"));
    temp_folder_remove(base);
}

static void a_planet_that_cannot_be_baked_leaves_nothing(void)
{
    temp_folder_make(base);
    FILE *file = fopen(at("bad.planet"), "w");
    // Too low near one sample only, which the points are not near that are tried when a planet is loaded.
    fputs("radius = 1000\na = x - 0.862856\nb = y + 0.357407\nc = z - 0.357407\n"
          "height = -950 * max(1 - 1e6 * (a * a + b * b + c * c), 0)\n",
          file);
    fclose(file);
    ask("p", 2, 3);
    const char *name = at("bad.planet");
    request.subject.planet.name = name;
    CHECK_TEXT(run() == STATUS_INPUT && strstr(status.text, "-0.9"), "%s", status.text);
    CHECK(!exists("p") && !exists("p.bake") && result.tiles_done < result.tile_count);
    temp_folder_remove(base);
}

// ---- Shares ----------------------------------------------------------------------------------------------

static enum status_code merge(const char *output, const char *const *paths, int count)
{
    const struct merge_request wanted = {.output = at(output), .shards = paths, .shard_count = count, .quiet = true};
    status.text[0] = 0;
    return merge_shards(&wanted, &status);
}

static char share_paths[64][2 * TEMP_PATH_MAX];
static const char *share_list[64];

static void bake_share(uint32_t share, uint32_t count, uint64_t seed)
{
    char name[32];
    snprintf(name, sizeof name, "s%u-%u-%u", (unsigned)share, (unsigned)count, (unsigned)seed);
    strcpy(share_paths[share - 1], at(name));
    share_list[share - 1] = share_paths[share - 1];
    ask(name, 1, 1);
    add_region("-20,179.9,200,5");
    request.subject.planet.seed = seed;
    request.subject.share = share;
    request.subject.share_count = count;
    CHECK_TEXT(run() == STATUS_OK, "%s", status.text);
}

static void merged_shares_are_the_pack_of_one_machine(void)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 64};
    temp_folder_make(base);
    bake_share(1, 1, 1);
    for (int k = 0; k < 5; k++) {
        uint32_t count = counts[k];
        for (uint32_t share = 1; share <= count; share++) {
            if (count > 1)
                bake_share(share, count, 1);
        }
        // In any order.
        for (uint32_t i = count; i > 1; i--) {
            uint32_t j = (uint32_t)check_random_below(i);
            const char *swap = share_list[i - 1];
            share_list[i - 1] = share_list[j];
            share_list[j] = swap;
        }
        CHECK_TEXT(merge("merged", share_list, (int)count) == STATUS_OK, "%s", status.text);
        CHECK(same_files("merged", "s1-1-1") && !exists("merged.bake"));
        CHECK(merge("merged", share_list, (int)count) == STATUS_RESOURCE && strstr(status.text, "--force"));
        unlink(at("merged"));
    }
    temp_folder_remove(base);
}

static void empty_shares_are_packs_too(void)
{
    temp_folder_make(base);
    ask("whole", 0, 1);
    CHECK(run() == STATUS_OK);
    for (uint32_t share = 1; share <= 9; share++) {
        char name[8];
        snprintf(name, sizeof name, "s%u", (unsigned)share);
        strcpy(share_paths[share - 1], at(name));
        share_list[share - 1] = share_paths[share - 1];
        ask(name, 0, 2);
        request.subject.share = share;
        request.subject.share_count = 9;
        CHECK(run() == STATUS_OK && result.tile_count == (share <= 6));
    }
    CHECK(merge("merged", share_list, 9) == STATUS_OK && same_files("merged", "whole"));
    temp_folder_remove(base);
}

static void missing_foreign_and_damaged_shares_are_refused_by_name(void)
{
    temp_folder_make(base);
    for (uint32_t share = 1; share <= 3; share++)
        bake_share(share, 3, 1);
    const char *two[] = {share_paths[0], share_paths[2]};
    CHECK(merge("m", two, 2) == STATUS_INPUT && strstr(status.text, "share 2 of 3 is missing"));
    const char *twice[] = {share_paths[0], share_paths[1], share_paths[1]};
    CHECK(merge("m", twice, 3) == STATUS_INPUT && strstr(status.text, share_paths[1]));
    char good[3][2 * TEMP_PATH_MAX];
    memcpy(good, share_paths, sizeof good);
    bake_share(2, 3, 8);
    const char *foreign[] = {good[0], share_paths[1], good[2]};
    CHECK(merge("m", foreign, 3) == STATUS_INPUT && strstr(status.text, share_paths[1]) &&
          strstr(status.text, "seed is \"8\", not \"1\""));
    bake_share(2, 4, 1);
    const char *other_count[] = {good[0], share_paths[1], good[2]};
    CHECK(merge("m", other_count, 3) == STATUS_INPUT && strstr(status.text, "2 of 4"));
    // One byte somewhere in the tiles or the index of the second share.
    const char *all[] = {good[0], good[1], good[2]};
    struct stat about;
    CHECK(stat(good[1], &about) == 0);
    int fd = open(good[1], O_RDWR), caught = 0, tried = 0;
    for (off_t place = 4096; place < about.st_size; place += 1 + about.st_size / 40) {
        uint8_t byte, other;
        CHECK(pread(fd, &byte, 1, place) == 1);
        other = byte ^ 1;
        CHECK(pwrite(fd, &other, 1, place) == 1);
        enum status_code code = merge("m", all, 3);
        caught += code == STATUS_INPUT && strstr(status.text, good[1]) && !exists("m") && !exists("m.bake");
        tried++;
        unlink(at("m")); // a zero between sections that nothing needs is not read
        CHECK(pwrite(fd, &byte, 1, place) == 1);
    }
    close(fd);
    CHECK_TEXT(caught >= tried - 2 && tried > 20, "%d of %d", caught, tried);
    CHECK(merge("m", all, 3) == STATUS_OK);
    temp_folder_remove(base);
}

// A share whose header says version 1.1, with the right checksum: this program would read it, but may not know all.
static void set_minor_version(const char *path, unsigned minor)
{
    uint8_t header[PACK_HEADER_BYTES];
    int fd = open(path, O_RDWR);
    CHECK(pread(fd, header, sizeof header, 0) == (ssize_t)sizeof header);
    put_u16le(header + 10, (uint16_t)minor);
    put_u32le(header + PACK_HEADER_BYTES - 4, pack_crc(header, PACK_HEADER_BYTES - 4));
    CHECK(pwrite(fd, header, sizeof header, 0) == (ssize_t)sizeof header);
    close(fd);
}

static void shares_of_a_later_version_are_refused_by_name(void)
{
    struct pack *pack;
    temp_folder_make(base);
    for (uint32_t share = 1; share <= 2; share++)
        bake_share(share, 2, 1);
    for (int newer = 0; newer < 2; newer++) {
        set_minor_version(share_paths[newer], PACK_MINOR + 1);
        CHECK(pack_open(&pack, share_paths[newer], &status) == STATUS_OK && pack_is_newer(pack));
        pack_close(pack);
        CHECK(merge("m", share_list, 2) == STATUS_INPUT && !exists("m"));
        CHECK_TEXT(strstr(status.text, share_paths[newer]) && strstr(status.text, "later version"), "%s", status.text);
        set_minor_version(share_paths[newer], PACK_MINOR);
    }
    CHECK(merge("m", share_list, 2) == STATUS_OK);
    temp_folder_remove(base);
}

static void shares_say_that_they_are_incomplete(void)
{
    temp_folder_make(base);
    bake_share(2, 3, 1);
    struct pack *pack;
    CHECK(pack_open(&pack, share_paths[1], &status) == STATUS_OK);
    const struct pack_info *info = pack_get_info(pack);
    CHECK(!info->complete && info->share == 2 && info->share_count == 3);
    CHECK_TEXT(pack_check(pack, true, NULL, NULL, &status) == STATUS_OK, "%s", status.text);
    pack_close(pack);
    // Finished shares are known again.
    request.resume = true;
    CHECK(run() == STATUS_OK && result.already);
    request.subject.share = 3;
    CHECK(run() == STATUS_RESOURCE && strstr(status.text, "--force"));
    temp_folder_remove(base);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_pack_is_the_same_for_any_number_of_threads);
    CHECK_RUN(finished_packs_hold_what_was_planned);
    CHECK_RUN(a_pack_may_be_one_tile);
    CHECK_RUN(existing_outputs_are_left_alone_without_force);
    CHECK_RUN(a_power_failure_finds_the_pack_or_the_work_files_whole);
    CHECK_RUN(a_bake_in_many_pieces_makes_the_same_pack);
    CHECK_RUN(workers_take_tiles_one_at_a_time);
    CHECK_RUN(work_files_of_an_earlier_bake_need_a_word);
    CHECK_RUN(a_planet_that_cannot_be_baked_leaves_nothing);
    CHECK_RUN(merged_shares_are_the_pack_of_one_machine);
    CHECK_RUN(empty_shares_are_packs_too);
    CHECK_RUN(missing_foreign_and_damaged_shares_are_refused_by_name);
    CHECK_RUN(shares_of_a_later_version_are_refused_by_name);
    CHECK_RUN(shares_say_that_they_are_incomplete);
    return CHECK_END;
}
