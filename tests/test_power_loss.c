// SPDX-License-Identifier: MIT
// The power fails during a bake, at any moment and in any way that a disk may take it: what stands at the output is the
// old pack, the new one or nothing, and --resume makes the pack of an undisturbed bake. Also where the power fails
// again during the resume. TERRANE_POWER_STATES is the number of failures, 300 if it is not set.
#include <signal.h>
#include <sys/wait.h>

#include "bake/bake_run.h"
#include "bake/interrupt.h"
#include "tests/base_folder.h"
#include "tests/crash_disk.h"

static char folder[TEMP_PATH_MAX];  // what the recorded folder is made in
static struct bake_request request; // large
static struct bake_result result;
static struct status status;

enum scenario { FRESH, OVER_AN_OLD_PACK, WITH_WORK_ELSEWHERE, SCENARIOS };
static struct crash_disk first[SCENARIOS], later;
static struct crash_file old_pack, new_pack;

static struct crash_file whole_file(const char *path)
{
    struct crash_file file = {NULL, 0};
    FILE *from = fopen(path, "rb");
    struct stat about;
    if (!from)
        return file;
    if (fstat(fileno(from), &about) != 0)
        abort();
    file.bytes = malloc((size_t)about.st_size + 1);
    file.size = file.bytes ? fread(file.bytes, 1, (size_t)about.st_size, from) : 0;
    fclose(from);
    return file;
}

static bool holds(const char *name, const struct crash_file *wanted)
{
    struct crash_file file = whole_file(at(name));
    bool same = file.bytes && file.size == wanted->size && memcmp(file.bytes, wanted->bytes, file.size) == 0;
    free(file.bytes);
    return same;
}

static void ask(enum scenario scenario, uint64_t seed)
{
    memset(&request, 0, sizeof request);
    request.subject = (struct bake_subject){.planet = {.name = "plain", .seed = seed},
                                            .plan = {.depth = 1, .faces = 7},
                                            .share = 1,
                                            .share_count = 1,
                                            .intervals = 32,
                                            .layers = 5};
    static char output[2 * TEMP_PATH_MAX], work[2 * TEMP_PATH_MAX];
    snprintf(output, sizeof output, "%s/p", base);
    snprintf(work, sizeof work, "%s/w", base);
    request.output = output;
    request.work = scenario == WITH_WORK_ELSEWHERE ? work : NULL;
    // The order of threads would not come again with the seed.
    request.thread_count = 1;
    request.quiet = true;
    request.force = scenario == OVER_AN_OLD_PACK;
}

static enum status_code run(void)
{
    status.text[0] = 0;
    return bake_run(&request, &result, &status);
}

static void clear(void)
{
    temp_folder_remove(base);
    if (mkdir(base, 0755) != 0)
        abort();
}

static void begin(void)
{
    temp_folder_make(folder);
    snprintf(base, sizeof base, "%s/disk", folder);
    clear();
    ask(FRESH, 2);
    CHECK_TEXT(run() == STATUS_OK, "%s", status.text);
    old_pack = whole_file(at("p"));
    clear();
    ask(FRESH, 1);
    CHECK_TEXT(run() == STATUS_OK, "%s", status.text);
    new_pack = whole_file(at("p"));
}

static void end(void)
{
    free(old_pack.bytes);
    free(new_pack.bytes);
    temp_folder_remove(folder);
}

static void put_old(void)
{
    FILE *to = fopen(at("p"), "wb");
    CHECK(to && fwrite(old_pack.bytes, 1, old_pack.size, to) == old_pack.size && fclose(to) == 0);
}

static void record_first(enum scenario scenario, bool no_file_syncs, bool no_folder_syncs)
{
    clear();
    if (scenario == OVER_AN_OLD_PACK)
        put_old();
    ask(scenario, 1);
    crash_begin(&first[scenario], base);
    first[scenario].blind_to_file_syncs = no_file_syncs;
    first[scenario].blind_to_folder_syncs = no_folder_syncs;
    enum status_code code = run();
    crash_end();
    CHECK_TEXT(code == STATUS_OK && result.tiles_done == 15 && holds("p", &new_pack), "%s", status.text);
    CHECK_TEXT(first[scenario].op_count > 25, "%zu", first[scenario].op_count);
}

// The end, where the pack is written, synced and renamed, has few operations and most of what can go wrong.
static size_t some_moment(const struct crash_disk *disk)
{
    size_t count = disk->op_count + 1, last = count < 24 ? count : 24;
    return check_random_below(2) ? count - 1 - (size_t)check_random_below(last) : (size_t)check_random_below(count);
}

// Puts the disk into a state and looks at the output; `was_new` tells that it was finished before the recording.
static void fail_power(const struct crash_disk *disk, size_t moment, enum scenario scenario, bool was_new, int state)
{
    crash_state(disk, moment);
    bool new = holds("p", &new_pack), old = holds("p", &old_pack);
    bool allowed = new || (!was_new && (scenario == OVER_AN_OLD_PACK ? old : !exists("p")));
    CHECK_TEXT(allowed, "state %d: the output is torn, %s before operation %zu of %zu", state,
               exists("p") ? "there" : "gone", moment, disk->op_count);
    CHECK_TEXT(new || moment < disk->op_count, "state %d: a finished pack is lost", state);
}

static void the_power_may_fail_at_any_moment(void)
{
    const char *wanted = getenv("TERRANE_POWER_STATES");
    int states = wanted ? atoi(wanted) : 300, with_work_files = 0, finished = 0, again = 0;
    begin();
    for (enum scenario scenario = FRESH; scenario < SCENARIOS; scenario++)
        record_first(scenario, false, false);
    for (int state = 0; state < states && check_failures_here == 0; state++) {
        enum scenario scenario = (enum scenario)check_random_below(SCENARIOS);
        fail_power(&first[scenario], some_moment(&first[scenario]), scenario, false, state);
        ask(scenario, 1);
        request.resume = true;
        while (check_random_below(4) == 0 && check_failures_here == 0) {
            bool was_new = holds("p", &new_pack);
            crash_begin(&later, base);
            enum status_code code = run();
            crash_end();
            CHECK_TEXT(code == STATUS_OK, "state %d: %s", state, status.text);
            state++;
            again++;
            fail_power(&later, some_moment(&later), scenario, was_new, state);
            crash_free(&later);
        }
        with_work_files += exists("p.bake") && !holds("p", &new_pack);
        finished += holds("p", &new_pack);
        CHECK_TEXT(run() == STATUS_OK, "state %d: %s", state, status.text);
        CHECK_TEXT(holds("p", &new_pack), "state %d: another pack after --resume", state);
        CHECK_TEXT(!exists("p.bake"), "state %d: work files are left", state);
    }
    CHECK_TEXT(states < 100 || (with_work_files > states / 10 && finished > states / 10 && again > states / 10),
               "%d states: %d with work files, %d finished, %d in a resume", states, with_work_files, finished, again);
    for (enum scenario scenario = FRESH; scenario < SCENARIOS; scenario++)
        crash_free(&first[scenario]);
    end();
}

// The model itself is tried: a bake that left its syncs out would be found out.
static void syncs_that_are_missing_would_be_noticed(void)
{
    int torn = 0, lost = 0;
    begin();
    record_first(OVER_AN_OLD_PACK, true, false);
    for (int k = 0; k < 40; k++) {
        crash_state(&first[OVER_AN_OLD_PACK], some_moment(&first[OVER_AN_OLD_PACK]));
        torn += !holds("p", &new_pack) && !holds("p", &old_pack);
    }
    crash_free(&first[OVER_AN_OLD_PACK]);
    record_first(FRESH, false, true);
    for (int k = 0; k < 40; k++) {
        crash_state(&first[FRESH], first[FRESH].op_count);
        lost += !exists("p");
    }
    crash_free(&first[FRESH]);
    CHECK_TEXT(torn > 0 && lost > 0, "%d torn, %d lost", torn, lost);
    end();
}

// ---- A stop in good order --------------------------------------------------------------------------------------

static int writes_before_signal;
static int64_t signalling_pwrite(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (writes_before_signal-- == 0)
        raise(SIGTERM);
    return crash_pwrite(fd, bytes, size, offset);
}

// In a child, since a process that was told to stop stays so. Ends with the number of states that lost something.
static void stop_and_lose_power(enum scenario scenario)
{
    int bad = 0;
    clear();
    ask(scenario, 1);
    crash_begin(&later, base);
    file_system.pwrite = signalling_pwrite;
    writes_before_signal = 9;
    interrupt_install();
    enum status_code code = run();
    crash_end();
    const char *name = scenario == WITH_WORK_ELSEWHERE ? "w/tiles-0000.journal" : "p.bake/tiles-0000.journal";
    struct crash_file journal = whole_file(at(name));
    if (code != STATUS_INTERRUPTED || !journal.bytes || result.tiles_done < 3 || result.tiles_done > 14)
        _exit(100);
    for (int k = 0; k < 40; k++) {
        crash_state(&later, later.op_count);
        bad += !holds(name, &journal);
    }
    _exit(bad);
}

static void a_bake_that_stopped_in_good_order_loses_nothing(void)
{
    static const enum scenario scenarios[] = {FRESH, WITH_WORK_ELSEWHERE};
    begin();
    for (int k = 0; k < 2; k++) {
        int outcome = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            stop_and_lose_power(scenarios[k]);
        CHECK(child > 0 && waitpid(child, &outcome, 0) == child);
        CHECK_TEXT(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0, "scenario %d: %d", k, outcome >> 8);
        ask(scenarios[k], 1);
        request.resume = true;
        CHECK_TEXT(run() == STATUS_OK && holds("p", &new_pack), "%s", status.text);
    }
    end();
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(the_power_may_fail_at_any_moment);
    CHECK_RUN(syncs_that_are_missing_would_be_noticed);
    CHECK_RUN(a_bake_that_stopped_in_good_order_loses_nothing);
    return CHECK_END;
}
