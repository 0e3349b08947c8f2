// SPDX-License-Identifier: MIT
#include "view/frame_stats.h"

#include <stdlib.h>

void frame_stats_add(struct frame_stats *stats, double frame_ms, double cpu_ms)
{
    uint64_t at = stats->frames++ % FRAME_STATS_KEPT;
    stats->frame_ms[at] = (float)frame_ms;
    stats->cpu_ms[at] = (float)cpu_ms;
    if (frame_ms > stats->frame_ms_max)
        stats->frame_ms_max = frame_ms;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double frame_stats_recent(const struct frame_stats *stats, const float *times, int count, double share)
{
    if ((uint64_t)count > stats->frames)
        count = (int)stats->frames;
    if (count == 0)
        return 0;
    float *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        return 0;
    for (int k = 0; k < count; k++)
        sorted[k] = times[(stats->frames - 1 - (uint64_t)k) % FRAME_STATS_KEPT];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    double value = (double)sorted[(int)((count - 1) * share)];
    free(sorted);
    return value;
}

double frame_stats_percentile(const struct frame_stats *stats, const float *times, double share)
{
    return frame_stats_recent(stats, times, FRAME_STATS_KEPT, share);
}
