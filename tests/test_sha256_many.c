// SPDX-License-Identifier: MIT
// nettle is the judge. Where the processor lacks SHA instructions, sha256_of_many() is nettle as well, and only the
// standard's own values say something.
#include "formats/layer.h"
#include "formats/sha256_many.h"
#include "tests/check.h"
#include "tests/guard_page.h"

#define JOBS_MAX 9
#define BYTES_MAX 4000

static uint8_t bytes[JOBS_MAX * BYTES_MAX];

static void fill_bytes(void)
{
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (uint8_t)check_random();
}

// Each digest has a byte before and behind it that must stay.
static void compare_with_nettle(const char *way, bool (*hash)(const struct sha256_job *, int),
                                const struct sha256_job *wanted, int job_count)
{
    uint8_t digests[JOBS_MAX][1 + SHA256_BYTES + 1];
    struct sha256_job jobs[JOBS_MAX] = {{NULL, 0, NULL}};
    memset(digests, 0xA5, sizeof digests);
    for (int k = 0; k < job_count; k++)
        jobs[k] = (struct sha256_job){wanted[k].bytes, wanted[k].size_bytes, digests[k] + 1};
    if (!hash(jobs, job_count))
        return;
    for (int k = 0; k < job_count; k++) {
        uint8_t right[SHA256_BYTES];
        sha256_of(right, wanted[k].bytes, wanted[k].size_bytes);
        CHECK_TEXT(memcmp(digests[k] + 1, right, SHA256_BYTES) == 0, "%s: job %d of %d, %zu bytes", way, k, job_count,
                   wanted[k].size_bytes);
        CHECK(digests[k][0] == 0xA5 && digests[k][1 + SHA256_BYTES] == 0xA5);
    }
}

static bool many(const struct sha256_job *jobs, int job_count)
{
    sha256_of_many(jobs, job_count);
    return true;
}

static bool one_by_one(const struct sha256_job *jobs, int job_count)
{
    sha256_one_by_one(jobs, job_count);
    return true;
}

static void compare(const struct sha256_job *jobs, int job_count)
{
    compare_with_nettle("side by side", sha256_side_by_side, jobs, job_count);
    compare_with_nettle("one by one", one_by_one, jobs, job_count);
    compare_with_nettle("many", many, jobs, job_count);
}

static void every_length_gives_what_nettle_gives_and_reads_nothing_behind(void)
{
    fill_bytes();
    struct guard_page guard = guard_page_new(BYTES_MAX);
    for (size_t size = 0; size <= 300; size++) {
        struct sha256_job job = {guard_page_copy(&guard, bytes + size, size), size, NULL};
        compare(&job, 1);
    }
    guard_page_free(&guard);
}

static void any_three_or_four_lengths_may_go_together(void)
{
    static const size_t sizes[] = {0, 1, 55, 56, 63, 64, 119, 120, 128, 200, 700};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    fill_bytes();
    for (size_t k = 0; k < SIZES * SIZES * SIZES; k++) {
        struct sha256_job jobs[4] = {{bytes, sizes[k % SIZES], NULL},
                                     {bytes + 1, sizes[k / SIZES % SIZES], NULL},
                                     {bytes + 3, sizes[k / SIZES / SIZES], NULL},
                                     {bytes + 7, sizes[k * 7 % SIZES], NULL}};
        compare(jobs, 2 + (int)(k % 3));
    }
}

static void random_jobs_give_what_nettle_gives(void)
{
    fill_bytes();
    for (int round = 0; round < 400; round++) {
        int job_count = (int)check_random_below(JOBS_MAX + 1);
        struct sha256_job jobs[JOBS_MAX] = {{NULL, 0, NULL}};
        for (int k = 0; k < job_count; k++) {
            size_t size = check_random_below(check_random() % 2 ? 130 : BYTES_MAX);
            jobs[k] =
                (struct sha256_job){size > 0 ? bytes + check_random_below(sizeof bytes - size) : NULL, size, NULL};
        }
        compare(jobs, job_count);
    }
}

// FIPS 180-2, appendix B, and the empty string.
static void the_values_of_the_standard_come_out(void)
{
    static const char long_text[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char *const expected[3] = {"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                                            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                                            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"};
    uint8_t digests[3][SHA256_BYTES];
    const struct sha256_job jobs[3] = {
        {long_text, sizeof long_text - 1, digests[0]}, {"abc", 3, digests[1]}, {NULL, 0, digests[2]}};
    sha256_of_many(jobs, 3);
    for (int k = 0; k < 3; k++) {
        char text[2 * SHA256_BYTES + 1];
        sha256_text(text, digests[k]);
        CHECK_TEXT(strcmp(text, expected[k]) == 0, "%s", text);
    }
}

static void layers_together_have_the_hashes_of_each(void)
{
    enum { SIDE = 33 };
    static int32_t heights[SIDE * SIDE];
    fill_bytes();
    for (int k = 0; k < SIDE * SIDE; k++)
        heights[k] = (int32_t)check_random();
    const void *const all[LAYER_COUNT] = {heights, bytes, bytes + 7000};
    for (unsigned layers = 0; layers < 1u << LAYER_COUNT; layers++) {
        uint8_t digests[LAYER_COUNT][SHA256_BYTES] = {{0}}, right[LAYER_COUNT][SHA256_BYTES] = {{0}};
        const void *samples[LAYER_COUNT] = {NULL};
        size_t sizes_bytes[LAYER_COUNT];
        for (enum layer_kind kind = 0; kind < LAYER_COUNT; kind++) {
            sizes_bytes[kind] = layer_bytes(kind, SIDE, 16);
            if (!(layers >> kind & 1))
                continue;
            samples[kind] = all[kind];
            layer_content(right[kind], kind, all[kind], sizes_bytes[kind]);
        }
        layer_contents(digests, samples, sizes_bytes);
        CHECK_TEXT(memcmp(digests, right, sizeof right) == 0, "layers %u", layers);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(every_length_gives_what_nettle_gives_and_reads_nothing_behind);
    CHECK_RUN(any_three_or_four_lengths_may_go_together);
    CHECK_RUN(random_jobs_give_what_nettle_gives);
    CHECK_RUN(the_values_of_the_standard_come_out);
    CHECK_RUN(layers_together_have_the_hashes_of_each);
    return CHECK_END;
}
