// SPDX-License-Identifier: MIT
// The options of `terrane bake`: their table, what they are read into, and the command line that says the same again.
#ifndef TERRANE_BAKE_BAKE_OPTIONS_H
#define TERRANE_BAKE_BAKE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/bake_run.h"
#include "common/verb.h"

struct bake_share {
    uint32_t number, count;
};

struct bake_regions {
    int count;
    struct plan_region items[PLAN_REGIONS_MAX];
    const char *texts[PLAN_REGIONS_MAX];
};

struct bake_options {
    const char *output, *planet, *work, *timings;
    uint64_t seed;
    double radius_m; // 0: the planet's own
    struct option_list overrides;
    int depth;
    struct bake_regions regions;
    unsigned faces;  // 0: all
    int tile_choice; // index into the sizes that there are
    unsigned layers;
    int thread_count; // 0: as many as the process may use
    struct bake_share share;
    bool resume, force, estimate, json, quiet;
    int progress; // enum progress_mode
};

#define BAKE_OPTION_ROW_COUNT 20
extern const struct option_row bake_option_rows[BAKE_OPTION_ROW_COUNT];
extern const struct bake_options bake_option_defaults;
extern const char *const bake_tile_words[]; // "32", "64" ..., NULL; tile_choice counts in it

// The request that the options make. Texts and lists stay the options'. overrides of the form KEY=VALUE are checked.
enum status_code bake_options_request(struct bake_request *request, const struct bake_options *options,
                                      struct status *status);

// resume_command.c: "terrane bake --output=PACK ... --resume", quoted for a shell; false where it does not fit.
bool bake_options_resume_command(char *text, size_t size, const struct bake_options *options);

#endif
