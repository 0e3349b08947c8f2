// SPDX-License-Identifier: MIT
#include "bake/planet/guards_shared.h"

#include <stdlib.h>
#include <string.h>

#include "bake/planet/guards.h"
#include "bake/planet/guards_masks.h"
#include "common/arena.h"

struct finder {
    struct program *program;
    const struct graph *graph;
    const uint32_t *last_use;
    struct mask_finder masks;
    // Of each step:
    uint32_t *inside; // the innermost guard that it stands in, or GRAPH_NONE
    bool *shared;     // whether it stands in a shared guard
    // How many steps read it, and how many of these may have no use for it.
    uint32_t *reader_count, *choosy_count;
};

// ---- Guards ---------------------------------------------------------------------------------------------

static void find_insides(const struct finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t i = 0; i < program->step_count; i++)
        finder->inside[i] = GRAPH_NONE;
    for (uint32_t g = 0; g < program->guard_count; g++) // inner ones come after outer ones
        for (uint32_t i = program->guards[g].first; i < program->guards[g].end; i++)
            finder->inside[i] = g;
}

// Whether a mask has been computed wherever step first is run: it is skipped by no guard, or by one around both.
static bool can_look(const struct finder *finder, uint32_t mask, uint32_t first)
{
    uint32_t g = finder->inside[mask];
    return !finder->shared[mask] && (g == GRAPH_NONE || first < finder->program->guards[g].end);
}

static bool can_look_at_all(const struct finder *finder, const struct shared_masks *masks, uint32_t first)
{
    bool can = !masks->needed;
    for (int m = 0; m < masks->count; m++)
        can = can && can_look(finder, masks->mask[m], first);
    return can;
}

static bool same_masks(const struct shared_masks *a, const struct shared_masks *b)
{
    return a->count == b->count && memcmp(a->mask, b->mask, (size_t)a->count * sizeof a->mask[0]) == 0;
}

// Whether a guard of the other kind says the same.
static bool is_guarded(const struct finder *finder, const struct shared_masks *masks, uint32_t first, uint32_t end)
{
    uint32_t g = finder->inside[first];
    const struct guard *guard = g == GRAPH_NONE ? NULL : &finder->program->guards[g];
    return guard && guard->test == GUARD_ZERO && guard->end >= end && masks->count == 1 &&
           guard->mask == masks->mask[0];
}

static void add_guard(const struct finder *finder, const struct shared_masks *masks, uint32_t first, uint32_t end)
{
    struct program *program = finder->program;
    uint32_t cost_ns = 0;
    for (uint32_t i = first; i < end; i++)
        cost_ns += guard_cost_ns(finder->graph, &finder->graph->values[program->steps[i].value]);
    if (cost_ns < GUARD_COST_MIN_NS || is_guarded(finder, masks, first, end) || !can_look_at_all(finder, masks, first))
        return;
    struct shared_guard *guard = &program->shared[program->shared_count++];
    *guard = (struct shared_guard){first, end, *masks};
    for (uint32_t i = first; i < end; i++) {
        finder->shared[i] = true;
        program->steps[i].outlives_guard = finder->last_use[i] >= end;
    }
}

static void add_guards(const struct finder *finder)
{
    uint32_t end;
    for (uint32_t first = 0; first < finder->program->step_count; first = end) {
        const struct shared_masks *masks = &finder->masks.masks[first];
        end = first + 1;
        if (masks->needed || masks->count == 0)
            continue;
        while (end < finder->program->step_count && same_masks(masks, &finder->masks.masks[end]))
            end++;
        add_guard(finder, masks, first, end);
    }
}

// ---- Lazy steps -----------------------------------------------------------------------------------------

// Calls what for each reader of each step, by its input.
typedef void reader_action(const struct finder *finder, uint32_t reader, int k);
static void for_all_readers(const struct finder *finder, reader_action *action)
{
    for (uint32_t i = 0; i < finder->program->step_count; i++)
        for (int k = 0; k < program_input_count(finder->program->steps[i].op); k++)
            if (finder->program->steps[i].input[k] != STEP_POSITION)
                action(finder, i, k);
}

static struct shared_masks site_for(const struct finder *finder, uint32_t reader, int k)
{
    struct shared_masks masks = masks_for(&finder->masks, reader, k, reader);
    return can_look_at_all(finder, &masks, reader) ? masks : (struct shared_masks){.needed = true};
}

static void count_reader(const struct finder *finder, uint32_t reader, int k)
{
    uint32_t index = finder->program->steps[reader].input[k], g = finder->inside[reader];
    bool in_guard = g != GRAPH_NONE && finder->program->guards[g].first > index;
    finder->reader_count[index]++;
    finder->choosy_count[index] += in_guard || !site_for(finder, reader, k).needed;
}

static void make_site(const struct finder *finder, uint32_t reader, int k)
{
    struct program *program = finder->program;
    struct step *step = &program->steps[reader];
    if (program->steps[step->input[k]].lazy == LAZY_NONE)
        return;
    step->site[k] = program->site_count;
    program->sites[program->site_count++] = site_for(finder, reader, k);
}

// Steps that need nothing but the samples' positions may be run at any time.
static void find_lazy_steps(const struct finder *finder)
{
    struct program *program = finder->program;
    uint32_t lazy_count = 0, sites = 0;
    for (int i = 0; i < program->output_count; i++)
        finder->reader_count[program->output[i].step]++;
    for_all_readers(finder, count_reader);
    for (uint32_t i = 0; i < program->step_count; i++) {
        struct step *step = &program->steps[i];
        uint32_t readers = finder->reader_count[i];
        bool from_position = true; // of what is not, the lanes may have been used again by then
        for (int k = 0; k < program_input_count(step->op); k++)
            from_position = from_position && step->input[k] == STEP_POSITION;
        if (from_position && graph_ops[step->op].shape == SHAPE_FIELD && readers > 1 &&
            finder->choosy_count[i] == readers && lazy_count < LAZY_MAX && sites + readers <= program->step_count &&
            guard_cost_ns(finder->graph, &finder->graph->values[step->value]) >= GUARD_COST_MIN_NS) {
            step->lazy = (uint8_t)lazy_count++;
            sites += readers;
        }
    }
    for_all_readers(finder, make_site);
}

enum status_code guards_find_shared(struct program *program, const struct graph *graph, const uint32_t *last_use,
                                    struct status *status)
{
    size_t count = program->step_count;
    size_t bytes = arena_bound(count, sizeof(struct shared_masks)) + 4 * arena_bound(count, sizeof(uint32_t)) +
                   2 * arena_bound(count, sizeof(bool));
    void *memory = calloc(1, bytes);
    if (!memory)
        return status_fail_memory(status, "planet", bytes);
    struct arena arena = arena_over(memory, bytes);
    struct finder finder = {
        .program = program,
        .graph = graph,
        .last_use = last_use,
        .masks = {program, arena_take(&arena, count, sizeof(struct shared_masks)),
                  arena_take(&arena, count, sizeof(bool)), arena_take(&arena, count, sizeof(uint32_t))},
        .inside = arena_take(&arena, count, sizeof(uint32_t)),
        .shared = arena_take(&arena, count, sizeof(bool)),
        .reader_count = arena_take(&arena, count, sizeof(uint32_t)),
        .choosy_count = arena_take(&arena, count, sizeof(uint32_t)),
    };
    program->shared_count = program->site_count = 0;
    masks_find(&finder.masks);
    find_insides(&finder);
    add_guards(&finder);
    find_lazy_steps(&finder);
    free(memory);
    return STATUS_OK;
}
