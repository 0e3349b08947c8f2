// SPDX-License-Identifier: MIT
// Times of frames: for the HUD's graph and for --stats.
#ifndef TERRANE_VIEW_FRAME_STATS_H
#define TERRANE_VIEW_FRAME_STATS_H

#include <stdint.h>

// Percentiles are over the last FRAME_STATS_KEPT frames.
#define FRAME_STATS_KEPT 65536

struct frame_stats {
    uint64_t frames;
    float frame_ms[FRAME_STATS_KEPT], cpu_ms[FRAME_STATS_KEPT]; // of frame k at k % FRAME_STATS_KEPT
    double frame_ms_max;
    int tiles_drawn, tiles_drawn_max, draw_calls_max, triangles_max;
    double full_after_s; // from the start until all detail was there for the first time; negative until then
};

// cpu_ms: the main thread's own work on the frame, without the drawing itself.
void frame_stats_add(struct frame_stats *stats, double frame_ms, double cpu_ms);

// share 0..1 of the kept times at or below the result; 0 without frames. times is frame_ms or cpu_ms.
double frame_stats_percentile(const struct frame_stats *stats, const float *times, double share);

// The same over the last count frames only (count up to FRAME_STATS_KEPT).
double frame_stats_recent(const struct frame_stats *stats, const float *times, int count, double share);

#endif
