// SPDX-License-Identifier: MIT
// A bake of 21 tiles over an older pack, and a merge, in which the n-th call of the system goes wrong, for every n and
// in every way: it fails once or for ever, is interrupted, does half of its work, or the process is killed before it,
// in the middle of it or after it. The output is the old pack or the new one, and --resume makes the new one.
//
// TERRANE_FAULTS=all tries every way with every call, a number one way in so many, turn about: 7 if it is not set.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "bake/bake_run.h"
#include "bake/merge_shards.h"
#include "formats/file_io.h"
#include "tests/base_folder.h"
#include "tests/check.h"

static struct bake_request request; // large
static struct bake_result result;
static struct status status;

static void put_copy(const char *name, const char *of)
{
    size_t size;
    uint8_t *bytes = slurp(of, &size);
    FILE *file = fopen(at(name), "wb");
    CHECK(bytes && file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    free(bytes);
}

// ---- Calls that go wrong ---------------------------------------------------------------------------------------

enum fault {
    NONE,
    ONCE_FULL,
    ONCE_BROKEN,
    QUOTA_FOR_EVER,
    FULL_FOR_EVER,
    INTERRUPTED,
    HALF,
    KILL,
    KILL_HALF,
    KILL_AFTER
};
#define FAULT_LAST KILL_AFTER
static const char *const fault_names[] = {
    "none",        "ENOSPC once", "EIO once", "EDQUOT for ever", "ENOSPC for ever",
    "interrupted", "half done",   "killed",   "killed half way", "killed after"};

static struct file_system real;
static enum fault fault;
static int fault_at, calls;

// Counts a call, and tells whether it is the one.
static bool struck(void)
{
    int number = ++calls;
    bool for_ever = fault == QUOTA_FOR_EVER || fault == FULL_FOR_EVER;
    bool it = fault != NONE && (for_ever ? number >= fault_at : number == fault_at);
    if (it && fault == KILL)
        raise(SIGKILL);
    return it;
}

// Whether a call that was struck fails, with errno set.
static bool fails(void)
{
    static const int reasons[] = {0, ENOSPC, EIO, EDQUOT, ENOSPC, EINTR};
    if (!struck() || fault > INTERRUPTED)
        return false;
    errno = reasons[fault];
    return true;
}

static void after(void)
{
    if (calls == fault_at && (fault == KILL_AFTER || fault == KILL_HALF))
        raise(SIGKILL);
}

static size_t half_of(size_t size)
{
    return calls == fault_at && (fault == HALF || fault == KILL_HALF) && size > 1 ? size / 2 : size;
}

static int faulty_open(const char *path, int flags, unsigned mode)
{
    if (fails())
        return -1;
    int fd = real.open(path, flags, mode);
    after();
    return fd;
}

static int64_t faulty_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (fails())
        return -1;
    int64_t written = real.pwrite(fd, bytes, half_of(size), offset);
    after();
    return written;
}

static int64_t faulty_pread(int fd, void *bytes, size_t size, int64_t offset)
{
    if (fails())
        return -1;
    int64_t got = real.pread(fd, bytes, half_of(size), offset);
    after();
    return got;
}

static int faulty_fsync(int fd)
{
    (void)fd;
    if (fails())
        return -1;
    after();
    return 0;
}

static int faulty_close(int fd)
{
    // As on Linux: the descriptor is gone even when close fails.
    bool failing = fails();
    int reason = errno, outcome = real.close(fd);
    after();
    errno = failing ? reason : errno;
    return failing ? -1 : outcome;
}

// These two are never interrupted.
static int faulty_rename(const char *from, const char *to)
{
    if (fails() && fault != INTERRUPTED)
        return -1;
    int outcome = real.rename(from, to);
    after();
    return outcome;
}

static int faulty_unlink(const char *path)
{
    if (fails() && fault != INTERRUPTED)
        return -1;
    int outcome = real.unlink(path);
    after();
    return outcome;
}

static int faulty_ftruncate(int fd, int64_t size)
{
    if (fails())
        return -1;
    int outcome = real.ftruncate(fd, size);
    after();
    return outcome;
}

static const struct file_system faulty = {
    faulty_open,  faulty_pwrite, faulty_pread,  faulty_fsync,
    faulty_close, faulty_rename, faulty_unlink, faulty_ftruncate,
};

static int no_sync(int fd)
{
    (void)fd;
    return 0;
}

// ---- The commands ----------------------------------------------------------------------------------------------

typedef enum status_code command(void);

static void ask(const char *output, uint64_t seed, uint32_t share, uint32_t share_count)
{
    static char path[2 * TEMP_PATH_MAX];
    memset(&request, 0, sizeof request);
    request.subject = (struct bake_subject){.planet = {.name = "plain", .seed = seed},
                                            .plan = {.depth = 2, .faces = 4},
                                            .share = share,
                                            .share_count = share_count,
                                            .intervals = 32,
                                            .layers = 5};
    snprintf(path, sizeof path, "%s/%s", base, output);
    request.output = path;
    request.thread_count = 1;
    request.quiet = true;
}

static enum status_code bake(void)
{
    status.text[0] = 0;
    return bake_run(&request, &result, &status);
}

static enum status_code bake_anew(void)
{
    ask("p", 5, 1, 1);
    request.force = true;
    return bake();
}

static enum status_code bake_on(void)
{
    ask("p", 5, 1, 1);
    request.force = request.resume = true;
    return bake();
}

static enum status_code merge(void)
{
    char shares[2][2 * TEMP_PATH_MAX];
    snprintf(shares[0], sizeof shares[0], "%s/s1", base);
    snprintf(shares[1], sizeof shares[1], "%s/s2", base);
    const char *const paths[] = {shares[0], shares[1]};
    const struct merge_request wanted = {
        .output = at("p"), .shards = paths, .shard_count = 2, .force = true, .quiet = true};
    status.text[0] = 0;
    return merge_shards(&wanted, &status);
}

static void begin(void)
{
    temp_folder_make(base);
    file_system.fsync = no_sync;
    real = file_system;
    ask("old", 1, 1, 1);
    CHECK_TEXT(bake() == STATUS_OK && result.tile_count == 21, "%s", status.text);
    ask("new", 5, 1, 1);
    CHECK_TEXT(bake() == STATUS_OK && !same_files("old", "new"), "%s", status.text);
    for (uint32_t share = 1; share <= 2; share++) {
        ask(share == 1 ? "s1" : "s2", 5, share, 2);
        CHECK_TEXT(bake() == STATUS_OK, "%s", status.text);
    }
}

// Runs a command with a fault, in a process of its own if that is to be killed. *killed tells whether it was.
static enum status_code run_with(command *run, enum fault which, int number, bool *killed)
{
    fault = which;
    fault_at = number;
    calls = 0;
    *killed = false;
    if (which < KILL) {
        file_system = faulty;
        enum status_code code = run();
        file_system = real;
        return code;
    }
    fflush(stdout);
    int outcome = 0;
    pid_t child = fork();
    if (child == 0) {
        file_system = faulty;
        _exit((int)run());
    }
    CHECK(child > 0 && waitpid(child, &outcome, 0) == child);
    *killed = WIFSIGNALED(outcome);
    CHECK(!*killed || WTERMSIG(outcome) == SIGKILL);
    return *killed ? STATUS_INTERNAL : (enum status_code)WEXITSTATUS(outcome);
}

static void check_fault(command *run, command *again, enum fault which, int number)
{
    bool killed;
    put_copy("p", "old");
    enum status_code code = run_with(run, which, number, &killed);
    bool harmless = which == HALF || which == INTERRUPTED;
    // A share that cannot be read is the merge's input.
    bool refused = code == STATUS_RESOURCE || (code == STATUS_INPUT && run == merge);
    CHECK_TEXT(killed || code == STATUS_OK || (refused && !harmless && status.text[0]), "call %d, %s: %d %s", number,
               fault_names[which], (int)code, status.text);
    CHECK_TEXT(which < KILL || killed || code == STATUS_OK, "call %d, %s: %d", number, fault_names[which], (int)code);
    bool old = same_files("p", "old"), new = same_files("p", "new");
    // Once the rename is done the pack is whole, but perhaps not durable: that is still reported.
    CHECK_TEXT(code == STATUS_OK ? new : old || new, "call %d, %s", number, fault_names[which]);
    CHECK(killed || code != STATUS_OK || !exists("p.bake/pack.new"));
    code = again();
    CHECK_TEXT(code == STATUS_OK, "call %d, %s: %s", number, fault_names[which], status.text);
    CHECK_TEXT(same_files("p", "new"), "call %d, %s: another pack in the end", number, fault_names[which]);
    CHECK_TEXT(!exists("p.bake"), "call %d, %s: work files are left", number, fault_names[which]);
}

static void sweep(command *run, command *again)
{
    const char *wanted = getenv("TERRANE_FAULTS");
    bool all = wanted && strcmp(wanted, "all") == 0, killed;
    int stride = all ? 1 : wanted && atoi(wanted) > 0 ? atoi(wanted) : 7;
    begin();
    CHECK_TEXT(run_with(run, NONE, 0, &killed) == STATUS_OK, "%s", status.text);
    int count = calls, points = 0;
    CHECK_TEXT(count > 30 && count < 1000, "%d", count);
    for (int number = 1; number <= count && check_failures_here == 0; number++) {
        for (int which = NONE + 1; which <= (int)FAULT_LAST; which++) {
            if ((number + which) % stride == 0) {
                check_fault(run, again, (enum fault)which, number);
                points++;
            }
        }
    }
    if (all)
        printf("  %d calls, %d faults\n", count, points);
    temp_folder_remove(base);
}

static void every_call_of_a_bake_may_go_wrong(void)
{
    sweep(bake_anew, bake_on);
}

static void every_call_of_a_merge_may_go_wrong(void)
{
    sweep(merge, merge);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_call_of_a_bake_may_go_wrong);
    CHECK_RUN(every_call_of_a_merge_may_go_wrong);
    return CHECK_END;
}
