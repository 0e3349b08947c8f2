// SPDX-License-Identifier: MIT
// Every byte of a small pack is changed in turn: verify refuses it, and every other verb either answers or refuses.
// All run in this process, so a sanitizer sees whatever they touch.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/file_io.h"
#include "tests/check.h"
#include "tests/quiet_command.h"
#include "tests/temp_folder.h"

static char folder[TEMP_PATH_MAX], good[TEMP_PATH_MAX + 16], bad[TEMP_PATH_MAX + 16], picture[TEMP_PATH_MAX + 16],
    tiles[TEMP_PATH_MAX + 16];
static uint8_t *bytes;
static size_t size;
static struct status status;

// A command line of literals.
static enum status_code run(const char *const *words, bool notes_too)
{
    enum status_code code = quiet_run(words, notes_too, &status);
    CHECK(code == STATUS_OK || (status.code == code && *status.text));
    return code;
}
#define RUN(...) run((const char *const[]){"terrane", __VA_ARGS__, NULL}, false)

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

static bool allowed(enum status_code code)
{
    return code == STATUS_OK || code == STATUS_INPUT;
}

// A map of one face alone says each time that the others are missing.
static enum status_code run_map(void)
{
    const char *const words[] = {"terrane", "map",     bad,      "-o",      picture, "--width",
                                 "8",       "--style", "relief", "--force", NULL};
    return run(words, true);
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
        temp_folder_remove(tiles);
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
    temp_folder_make(folder); // in memory where that is possible: thousands of small files come and go
    snprintf(good, sizeof good, "%s/good.terrane", folder);
    snprintf(bad, sizeof bad, "%s/bad.terrane", folder);
    snprintf(picture, sizeof picture, "%s/map.png", folder);
    snprintf(tiles, sizeof tiles, "%s/tiles", folder);
    file_system.fsync = no_sync;
    quiet_begin();
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
    temp_folder_remove(folder);
    free(bytes);
    return CHECK_END;
}
