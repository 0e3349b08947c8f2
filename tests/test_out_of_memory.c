// SPDX-License-Identifier: MIT
// Memory runs out at the first allocation, at the second, at the third and so on, in every verb: it ends with
// STATUS_RESOURCE and one line (or goes well where it can do without), and leaves no output. A build with sanitizers
// finds what then leaks or is used after all.
//
// The linker leads malloc, calloc, realloc, aligned_alloc, strdup and strndup of Terrane's own objects here, and
// jansson is given the same. What libpng, zlib, OpenMP's runtime and the C library allocate by themselves is not made
// to fail: the first is guarded by its own error path (tests/test_png_rows.c), OpenMP's runtime ends the program on its
// own.
//
// Of the two commands that compute for long, one allocation in TERRANE_MEMORY_STRIDE fails, after the first 12: 16 if
// it is not set, 1 for all.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "formats/file_io.h"
#include "tests/check.h"
#include "tests/quiet_command.h"
#include "tests/temp_folder.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

static atomic_long asked; // allocations since the start of the command
static long fails_at;     // 0 for never
static bool fails_on;     // and from then on

static bool fails(void)
{
    long number = atomic_fetch_add(&asked, 1) + 1;
    return fails_at > 0 && (number == fails_at || (fails_on && number > fails_at));
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : __real_strndup(text, size);
}

// ---- Running a command -----------------------------------------------------------------------------------------

static char base[TEMP_PATH_MAX];
static long costly_stride = 40;
static struct status status;

static enum status_code run(const char *const *words)
{
    atomic_store(&asked, 0);
    return quiet_run(words, true, &status);
}
#define RUN(...) run((const char *const[]){"terrane", __VA_ARGS__, NULL})

static bool exists(const char *name)
{
    struct stat about;
    return lstat(name, &about) == 0;
}

static void remove_output(const char *name)
{
    char work[64];
    snprintf(work, sizeof work, "%s.bake", name);
    temp_folder_remove(name);
    temp_folder_remove(work);
}

// What a command finds when it starts, apart from the packs; may be NULL.
typedef void prepare(void);

// Lets every allocation of a command fail in turn. output is what it makes, or NULL.
static void exhaust(const char *const *words, const char *output, prepare *before, long stride)
{
    long tolerated = 0, refused = 0, number = 1;
    for (;;) {
        if (output)
            remove_output(output);
        if (before)
            before();
        fails_at = number;
        enum status_code code = run(words);
        fails_at = 0;
        if (atomic_load(&asked) < number) {
            CHECK_TEXT(code == STATUS_OK, "%s: without failures: %d %s", words[1], (int)code, status.text);
            break;
        }
        CHECK_TEXT(code == STATUS_OK || (code == STATUS_RESOURCE && *status.text && !strchr(status.text, '\n')),
                   "%s: allocation %ld: %d %s", words[1], number, (int)code, status.text);
        CHECK_TEXT(code == STATUS_OK || !output || !exists(output), "%s: allocation %ld: %s is left", words[1], number,
                   output);
        tolerated += code == STATUS_OK;
        refused += code != STATUS_OK;
        number += number < 12 ? 1 : 1 + (long)check_random_below(2 * (uint64_t)stride - 1);
    }
    if (output)
        remove_output(output);
    CHECK_TEXT(refused > 0 && tolerated * 4 <= refused, "%s: %ld refused, %ld went well all the same", words[1],
               refused, tolerated);
    if (getenv("TERRANE_MEMORY_STRIDE"))
        printf("  %s: %ld allocations, %ld failed, %ld of them without harm\n", words[1], atomic_load(&asked),
               refused + tolerated, tolerated);
}

// Once with one failure each and, where all are tried, once more with failures from there on.
static void exhaust_twice(const char *const *words, const char *output, prepare *before, long stride)
{
    for (int round = 0; round < (stride > 1 ? 1 : 2); round++) {
        fails_on = round == 1;
        exhaust(words, output, before, stride);
    }
}
#define EXHAUST(output, ...) exhaust_twice((const char *const[]){"terrane", __VA_ARGS__, NULL}, output, NULL, 1)
#define EXHAUST_SOME(output, ...)                                                                                      \
    exhaust_twice((const char *const[]){"terrane", __VA_ARGS__, NULL}, output, NULL, costly_stride)

// ---- The commands ----------------------------------------------------------------------------------------------

#define ONE_TILE "--depth", "0", "--face", "0", "--tile", "32", "-q", "-j", "1"

// Everything that a planet may ask memory for when it is loaded.
static const char large_planet[] = "name = \"large\"\nradius = 600000\nwater = 0.6\n"
                                   "base = fbm(2e5, octaves = 3)\n"
                                   "share = quantile(base)\n"
                                   "land = coarse(curve(share, 0, -3000, water, 0, 1, 4000), 1.4e5)\n"
                                   "height = land + erode(land, wavelength = 1e5, octaves = 2) + raster(\"grey.png\")\n"
                                   "color = ramp(height, -100, #102030, 0, #405060, 900, #a0a090)\n";

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void remove_work(void)
{
    temp_folder_remove("w");
}

static void a_bake_of_a_built_in_planet_ends_in_order(void)
{
    static const char *const share[] = {
        "terrane",  "bake",    "-o",  "p",  "--planet", "plain", "--tile", "32", "--depth",   "0",      "--region",
        "1,2,30,3", "--shard", "1/2", "-q", "-j",       "3",     "--work", "w",  "--timings", "t.json", NULL};
    EXHAUST("p", "bake", "-o", "p", "--planet", "plain", ONE_TILE);
    exhaust_twice(share, "p", remove_work, 1);
    EXHAUST(NULL, "bake", "-o", "p", "--planet", "plain", "--depth", "1", "--tile", "32", "--estimate", "--json");
}

static void a_bake_of_a_planet_file_ends_in_order(void)
{
    EXHAUST_SOME("p", "bake", "-o", "p", "--planet", "large.planet", "--set", "water=0.5", ONE_TILE);
}

static int writes_left;
static int64_t (*real_pwrite)(int fd, const void *bytes, size_t size, int64_t offset);
static int64_t full_disk(int fd, const void *bytes, size_t size, int64_t offset)
{
    if (writes_left-- > 0)
        return real_pwrite(fd, bytes, size, offset);
    errno = ENOSPC;
    return -1;
}

#define TWO_LEVELS                                                                                                     \
    "bake", "-o", "p", "--planet", "plain", "--depth", "1", "--face", "3", "--tile", "32", "-q", "-j", "1"

static void leave_work_files(void)
{
    long wanted = fails_at;
    fails_at = 0;
    real_pwrite = file_system.pwrite;
    file_system.pwrite = full_disk;
    writes_left = 5;
    CHECK(RUN(TWO_LEVELS) == STATUS_RESOURCE && exists("p.bake"));
    file_system.pwrite = real_pwrite;
    fails_at = wanted;
}

static void a_resume_ends_in_order(void)
{
    exhaust_twice((const char *const[]){"terrane", TWO_LEVELS, "--resume", NULL}, "p", leave_work_files, 1);
}

static void a_merge_ends_in_order(void)
{
    EXHAUST("p", "merge", "-q", "-o", "p", "share1", "share2");
}

static void looking_into_packs_ends_in_order(void)
{
    EXHAUST(NULL, "verify", "share1", "--borders", "--rebake", "1");
    EXHAUST(NULL, "verify", "whole", "--quick", "--json");
    EXHAUST(NULL, "info", "whole", "--json");
    EXHAUST(NULL, "info", "whole");
    EXHAUST(NULL, "sample", "whole", "10,20", "--json");
    EXHAUST(NULL, "diff", "whole", "whole", "--json");
    EXHAUST(NULL, "planets");
    EXHAUST(NULL, "planets", "plain");
}

static void pictures_end_in_order(void)
{
    EXHAUST("t.png", "tile", "whole", "0/1/0/1", "--layer", "height", "-o", "t.png");
    EXHAUST(NULL, "tile", "whole", "0/1/0/1", "--layer", "color");
    EXHAUST("t", "extract", "whole", "-o", "t", "--levels", "0-0", "--face", "2");
    EXHAUST("m.png", "map", "whole", "-o", "m.png", "--width", "32", "--style", "relief");
    EXHAUST_SOME("s.png", "stats", "roots", "--json", "-o", "s.png");
}

static int no_sync(int fd)
{
    (void)fd;
    return 0;
}

static bool prepare_files(void)
{
    write_text("large.planet", large_planet);
    return RUN("bake", "-o", "whole", "--planet", "plain", "--depth", "1", "--tile", "32", "-q") == STATUS_OK &&
           RUN("bake", "-o", "roots", "--planet", "plain", "--depth", "0", "--tile", "32", "-q") == STATUS_OK &&
           RUN("bake", "-o", "share1", "--planet", "plain", ONE_TILE, "--shard", "1/2") == STATUS_OK &&
           RUN("bake", "-o", "share2", "--planet", "plain", ONE_TILE, "--shard", "2/2") == STATUS_OK &&
           RUN("tile", "whole", "0/0/0/0", "--layer", "height", "--gray16", "-o", "grey.png") == STATUS_OK;
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    const char *wanted = getenv("TERRANE_MEMORY_STRIDE");
    if (wanted && atol(wanted) > 0)
        costly_stride = atol(wanted);
    file_system.fsync = no_sync;
    quiet_begin();
    temp_folder_make(base);
    if (chdir(base) != 0 || !prepare_files()) {
        printf("FAILED to make what is tried: %s\n", status.text);
        return 1;
    }
    CHECK_RUN(a_bake_of_a_built_in_planet_ends_in_order);
    CHECK_RUN(a_bake_of_a_planet_file_ends_in_order);
    CHECK_RUN(a_resume_ends_in_order);
    CHECK_RUN(a_merge_ends_in_order);
    CHECK_RUN(looking_into_packs_ends_in_order);
    CHECK_RUN(pictures_end_in_order);
    temp_folder_remove(base);
    return CHECK_END;
}
