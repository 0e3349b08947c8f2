// SPDX-License-Identifier: MIT
// Clocks. What they say never reaches a file or a plan.
#ifndef TERRANE_COMMON_CLOCK_H
#define TERRANE_COMMON_CLOCK_H

#include <time.h>

static inline double clock_read_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Wall time since some moment before the program's start; never goes back.
static inline double clock_seconds(void)
{
    return clock_read_seconds(CLOCK_MONOTONIC);
}

// Processor time that the calling thread has used.
static inline double clock_thread_seconds(void)
{
    return clock_read_seconds(CLOCK_THREAD_CPUTIME_ID);
}

#endif
