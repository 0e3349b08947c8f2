// SPDX-License-Identifier: MIT
// The test harness: one small program per topic, each test a function named after its claim.
//
//   static void neighbours_are_mutual_over_all_edges(void) { CHECK(a == b); }
//   int main(int argc, char **argv) { CHECK_MAIN(argc, argv); CHECK_RUN(neighbours_are_mutual...); return CHECK_END; }
//
// An argument filters tests by a part of their name. Random tests draw from check_random(), whose seed is printed
// and can be set by TERRANE_TEST_SEED to replay. Output: one line a test, "ok NAME", "FAILED NAME" or "skipped NAME:
// why", which scripts/run-tests counts.
#ifndef TERRANE_TESTS_CHECK_H
#define TERRANE_TESTS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/splitmix64.h"

static int check_failures_here, check_failed_tests;
static const char *check_filter;
static uint64_t check_seed_value, check_state;

// Fails the running test, saying where, and goes on; at most 10 lines a test.
#define CHECK_TEXT(condition, ...)                                                                                     \
    do {                                                                                                               \
        if (!(condition) && check_failures_here++ < 10) {                                                              \
            printf("%s:%d: not true: %s: ", __FILE__, __LINE__, #condition);                                           \
            printf(__VA_ARGS__);                                                                                       \
            putchar('\n');                                                                                             \
        }                                                                                                              \
    } while (0)
#define CHECK(condition) CHECK_TEXT(condition, "%s", "")

#define CHECK_MAIN(argc, argv)                                                                                         \
    do {                                                                                                               \
        setvbuf(stdout, NULL, _IOLBF, 0);                                                                              \
        check_filter = (argc) > 1 ? (argv)[1] : NULL;                                                                  \
        const char *seed_ = getenv("TERRANE_TEST_SEED");                                                               \
        check_seed_value = seed_ ? strtoull(seed_, NULL, 10) : 20261130;                                               \
    } while (0)

#define CHECK_RUN(test)                                                                                                \
    do {                                                                                                               \
        if (!check_filter || strstr(#test, check_filter)) {                                                            \
            check_failures_here = 0;                                                                                   \
            check_state = check_seed_value;                                                                            \
            test();                                                                                                    \
            printf("%s %s\n", check_failures_here ? "FAILED" : "ok", #test);                                           \
            if (check_failures_here) {                                                                                 \
                check_failed_tests++;                                                                                  \
                printf("  replay: TERRANE_TEST_SEED=%llu %s %s\n", (unsigned long long)check_seed_value, __FILE__,     \
                       #test);                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

// The same of a claim that cannot hold under valgrind, whatever the program does; scripts/soak sets the variable there.
#define CHECK_RUN_WITHOUT_VALGRIND(test, why)                                                                          \
    do {                                                                                                               \
        if (!getenv("TERRANE_UNDER_VALGRIND"))                                                                         \
            CHECK_RUN(test);                                                                                           \
        else if (!check_filter || strstr(#test, check_filter))                                                         \
            printf("skipped %s: %s\n", #test, why);                                                                    \
    } while (0)
#define WHY_LONG_DOUBLE "valgrind computes long double with 53 bits, too few for what it is compared with"

#define CHECK_END (check_failed_tests ? 1 : 0)

// Uniform 64 bits.
static inline uint64_t check_random(void)
{
    return splitmix64_next(&check_state);
}

// Uniform in [0, 1).
static inline double check_random_unit(void)
{
    return (double)(check_random() >> 11) * 0x1p-53;
}

// Uniform in [0, count).
static inline uint64_t check_random_below(uint64_t count)
{
    return check_random() % count;
}

// Golden values: a hash of the bits of many doubles (FNV-1a over 64-bit words). Start from CHECK_HASH_START.
#define CHECK_HASH_START UINT64_C(0xCBF29CE484222325)
static inline uint64_t check_hash(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (hash ^ bits) * UINT64_C(0x100000001B3);
}

#endif
