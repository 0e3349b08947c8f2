// SPDX-License-Identifier: MIT
#include "bake/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"

#define TERMINAL_EVERY_S 0.25
#define JSON_EVERY_S 1.0
#define PLAIN_EVERY_S 30.0

void format_duration(char text[DURATION_TEXT_MAX], double seconds)
{
    // Over a century is as good as never.
    unsigned long s = seconds < 4e9 ? (unsigned long)floor(seconds + 0.5) : 4000000000ul;
    if (s >= 3600)
        snprintf(text, DURATION_TEXT_MAX, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, DURATION_TEXT_MAX, "%lu:%02lu", s / 60, s % 60);
}

void format_bytes(char text[BYTES_TEXT_MAX], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024; unit++)
        value /= 1024;
    snprintf(text, BYTES_TEXT_MAX, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

enum status_code progress_begin(struct progress *progress, enum progress_mode mode, bool quiet, const char *verb,
                                uint64_t planned, uint64_t before_tiles, uint64_t before_bytes, int counter_count,
                                struct status *status)
{
    size_t size = (size_t)counter_count * sizeof progress->counters[0];
    *progress = (struct progress){.mode = mode,
                                  .terminal = isatty(STDERR_FILENO) == 1,
                                  .quiet = quiet,
                                  .out = stderr,
                                  .verb = verb,
                                  .planned = planned,
                                  .before_tiles = before_tiles,
                                  .before_bytes = before_bytes,
                                  .counter_count = counter_count,
                                  .counters = aligned_alloc(64, size),
                                  .start_s = clock_seconds()};
    if (!progress->counters)
        return status_fail_memory(status, "progress counters", size);
    memset(progress->counters, 0, size);
    progress->last_s = progress->start_s;
    return STATUS_OK;
}

void progress_free(struct progress *progress)
{
    free(progress->counters);
    progress->counters = NULL;
}

static uint64_t new_tiles(const struct progress *progress)
{
    uint64_t tiles = 0;
    for (int k = 0; k < progress->counter_count; k++)
        tiles += atomic_load_explicit(&progress->counters[k].tiles, memory_order_relaxed);
    return tiles;
}

uint64_t progress_done(const struct progress *progress)
{
    return progress->before_tiles + new_tiles(progress);
}

static uint64_t bytes_done(const struct progress *progress)
{
    uint64_t bytes = progress->before_bytes;
    for (int k = 0; k < progress->counter_count; k++)
        bytes += atomic_load_explicit(&progress->counters[k].bytes, memory_order_relaxed);
    return bytes;
}

double progress_elapsed_s(const struct progress *progress)
{
    return clock_seconds() - progress->start_s;
}

static void show_json(const struct progress *progress, uint64_t done, double elapsed_s, double eta_s)
{
    fprintf(progress->out, "{\"done\":%" PRIu64 ",\"planned\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"elapsed_s\":%.3f,",
            done, progress->planned, bytes_done(progress), elapsed_s);
    if (eta_s >= 0)
        fprintf(progress->out, "\"eta_s\":%.1f}\n", eta_s);
    else
        fputs("\"eta_s\":null}\n", progress->out);
}

static void show_line(struct progress *progress, uint64_t done, double elapsed_s, double eta_s, double rate)
{
    char left[DURATION_TEXT_MAX] = "?", bytes[BYTES_TEXT_MAX], elapsed[DURATION_TEXT_MAX];
    if (eta_s >= 0)
        format_duration(left, eta_s);
    format_duration(elapsed, elapsed_s);
    format_bytes(bytes, bytes_done(progress));
    // On a terminal the line is written over and the rest of it cleared.
    fprintf(progress->out, "%sterrane: %s: %" PRIu64 " of %" PRIu64 " tiles, %.1f a second, %s, %s gone, %s left%s",
            progress->terminal ? "\r" : "", progress->verb, done, progress->planned, rate, bytes, elapsed, left,
            progress->terminal ? "\033[K" : "\n");
    progress->shown = true;
}

static void show_packing(struct progress *progress)
{
    fprintf(progress->out, "%sterrane: %s: packing, %" PRIu64 " of %" PRIu64 " tiles%s", progress->terminal ? "\r" : "",
            progress->verb, progress->packed, progress->planned, progress->terminal ? "\033[K" : "\n");
    progress->shown = true;
}

static void show(struct progress *progress)
{
    double elapsed_s = progress_elapsed_s(progress);
    uint64_t fresh = new_tiles(progress), done = progress->before_tiles + fresh;
    double rate = elapsed_s > 0 ? (double)fresh / elapsed_s : 0;
    double eta_s = done >= progress->planned ? 0 : fresh > 0 ? (double)(progress->planned - done) / rate : -1;
    if (progress->mode == PROGRESS_JSON)
        show_json(progress, done, elapsed_s, eta_s);
    else if (progress->packed > 0)
        show_packing(progress);
    else
        show_line(progress, done, elapsed_s, eta_s, rate);
    fflush(progress->out);
}

void progress_tick(struct progress *progress)
{
    if (progress->quiet || progress->mode == PROGRESS_NONE)
        return;
    double every_s = progress->mode == PROGRESS_JSON ? JSON_EVERY_S
                     : progress->terminal            ? TERMINAL_EVERY_S
                                                     : PLAIN_EVERY_S;
    double now_s = clock_seconds();
    if (now_s - progress->last_s < every_s)
        return;
    progress->last_s = now_s;
    show(progress);
}

void progress_count_packed(struct progress *progress)
{
    progress->packed++;
    if (progress->mode == PROGRESS_AUTO)
        progress_tick(progress);
}

void progress_end(struct progress *progress, bool done, uint64_t pack_bytes)
{
    if (progress->quiet || progress->mode == PROGRESS_NONE)
        return;
    if (progress->mode == PROGRESS_JSON) {
        show(progress);
        return;
    }
    if (progress->terminal && progress->shown)
        fputs("\r\033[K", progress->out);
    if (done) {
        char bytes[BYTES_TEXT_MAX];
        format_bytes(bytes, pack_bytes);
        fprintf(progress->out, "terrane: %s: %" PRIu64 " tiles, %s, %.1f s\n", progress->verb, progress_done(progress),
                bytes, progress_elapsed_s(progress));
    }
    fflush(progress->out);
}
