// SPDX-License-Identifier: MIT
// Every byte of a small pack is changed in turn: verify refuses it, and every other verb either answers or refuses.
// All run in this process, so a sanitizer sees whatever they touch.
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/command.h"
#include "formats/file_io.h"
#include "tests/check.h"

static char folder[64], good[128], bad[128], picture[128], tiles[128];
static uint8_t *bytes;
static size_t size;
static struct status status;

#define ARGUMENTS_MAX 24

static int null_fd, harness_fd;

// A command line of literals; what it prints to standard output goes nowhere.
static enum status_code run(const char *const *words)
{
    char *argv[ARGUMENTS_MAX + 1] = {NULL};
    int argc = 0;
    for (; words[argc] && argc < ARGUMENTS_MAX; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    const struct verb *verb;
    status = (struct status){0};
    fflush(stdout);
    dup2(null_fd, STDOUT_FILENO);
    enum status_code code = command_run(argc, argv, &verb, &status);
    fflush(stdout);
    dup2(harness_fd, STDOUT_FILENO);
    CHECK(code == STATUS_OK || (status.code == code && *status.text));
    return code;
}
#define RUN(...) run((const char *const[]){"terrane", __VA_ARGS__, NULL})

static void store(const uint8_t *from, size_t count)
{
    // Written in place: some file systems sync a file that is truncated first.
    int fd = open(bad, O_WRONLY | O_CREAT, 0666);
    CHECK(fd >= 0 && write(fd, from, count) == (ssize_t)count && ftruncate(fd, (off_t)count) == 0);
    close(fd);
}

static void load(void)
{
    struct stat about;
    int fd = open(good, O_RDONLY);
    CHECK(fd >= 0 && fstat(fd, &about) == 0);
    size = (size_t)about.st_size;
    bytes = malloc(size);
    CHECK(bytes && read(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

// Thousands of maps need no disk to be waited for.
static int no_sync(int fd)
{
    (void)fd;
    return 0;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static bool allowed(enum status_code code)
{
    return code == STATUS_OK || code == STATUS_INPUT;
}

// A map of one face alone says each time that the others are missing.
static enum status_code run_map(void)
{
    int saved = dup(STDERR_FILENO);
    dup2(null_fd, STDERR_FILENO);
    enum status_code code = RUN("map", bad, "-o", picture, "--width", "8", "--style", "relief", "--force");
    dup2(saved, STDERR_FILENO);
    close(saved);
    return code;
}

#define OTHER_VERBS 7
static enum status_code run_other(size_t which)
{
    switch (which % OTHER_VERBS) {
    case 0: return RUN("info", bad, "--json");
    case 1: return RUN("sample", bad, "1,2");
    case 2: return run_map();
    case 3: return RUN("diff", good, bad, "--json");
    case 4: return RUN("diff", bad, good);
    case 5: return RUN("tile", bad, "0/0/0/0", "--layer", "height");
    default: {
        enum status_code code = RUN("extract", bad, "-o", tiles);
        nftw(tiles, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        return code;
    }
    }
}

static void the_pack_is_good_as_it_is(void)
{
    store(bytes, size);
    CHECK_TEXT(RUN("verify", bad, "--borders", "--rebake", "2") == STATUS_OK, "%s", status.text);
    for (size_t which = 0; which < OTHER_VERBS; which++)
        CHECK_TEXT(run_other(which) == STATUS_OK, "%zu: %s", which, status.text);
}

static void verify_finds_any_changed_byte(void)
{
    for (size_t at = 0; at < size; at++) {
        uint8_t change = (uint8_t)(1 + check_random_below(255));
        bytes[at] ^= change;
        store(bytes, size);
        CHECK_TEXT(RUN("verify", bad, "--quick") == STATUS_INPUT, "byte %zu", at);
        bytes[at] ^= change;
    }
}

static void other_verbs_survive_any_changed_byte(void)
{
    int refused = 0;
    size_t turn = check_random_below(OTHER_VERBS);
    for (size_t at = 0; at < size; at++) {
        uint8_t change = (uint8_t)(1 + check_random_below(255));
        bytes[at] ^= change;
        store(bytes, size);
        enum status_code code = run_other(turn++);
        CHECK_TEXT(allowed(code), "byte %zu verb %zu: %d %s", at, (turn - 1) % OTHER_VERBS, (int)code, status.text);
        refused += code != STATUS_OK;
        bytes[at] ^= change;
    }
    CHECK(refused > (int)size / 10);
}

static void no_verb_takes_a_cut_or_lengthened_file(void)
{
    uint8_t *longer = calloc(1, size + 1);
    CHECK(longer != NULL);
    memcpy(longer, bytes, size);
    for (size_t at = 0; at <= size + 1; at += at == size - 1 || at == size ? 1 : 97) {
        if (at == size)
            continue;
        size_t length = at > size - 1 && at < size + 1 ? size - 1 : at;
        store(longer, length);
        CHECK_TEXT(RUN("verify", bad) == STATUS_INPUT, "%zu", length);
        for (size_t which = 0; which < OTHER_VERBS; which++)
            CHECK_TEXT(run_other(which) == STATUS_INPUT, "%zu verb %zu", length, which);
    }
    free(longer);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    // In memory where that is possible: thousands of small files come and go.
    snprintf(folder, sizeof folder, "/dev/shm/terrane-test-XXXXXX");
    if (!mkdtemp(folder)) {
        snprintf(folder, sizeof folder, "/tmp/terrane-test-XXXXXX");
        if (!mkdtemp(folder))
            return 1;
    }
    snprintf(good, sizeof good, "%s/good.terrane", folder);
    snprintf(bad, sizeof bad, "%s/bad.terrane", folder);
    snprintf(picture, sizeof picture, "%s/map.png", folder);
    snprintf(tiles, sizeof tiles, "%s/tiles", folder);
    file_system.fsync = no_sync;
    null_fd = open("/dev/null", O_WRONLY);
    harness_fd = dup(STDOUT_FILENO);
    enum status_code code =
        RUN("bake", "-o", good, "--planet", "plain", "--depth", "0", "--face", "0", "--tile", "32", "-q", "-j", "1");
    if (code) {
        printf("FAILED to bake: %s\n", status.text);
        return 1;
    }
    load();
    CHECK_RUN(the_pack_is_good_as_it_is);
    CHECK_RUN(verify_finds_any_changed_byte);
    CHECK_RUN(other_verbs_survive_any_changed_byte);
    CHECK_RUN(no_verb_takes_a_cut_or_lengthened_file);
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(bytes);
    return CHECK_END;
}
