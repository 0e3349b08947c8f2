// SPDX-License-Identifier: MIT
#include "bake/planet/guards_shared.h"

#include <stdlib.h>
#include <string.h>

#include "bake/planet/guards.h"
#include "common/arena.h"

// How many products and scalings a mask is looked for in, one inside the other.
#define RESOLVE_DEPTH 6

// Masks in the order of their steps. Without any: needed, or not read by anyone so far.
struct masks {
    bool needed;
    int count;
    uint32_t mask[SHARED_MASKS_MAX];
};

struct finder {
    struct program *program;
    const struct graph *graph;
    const uint32_t *last_use;
    struct masks *masks; // of each step, by those of its readers that were looked at
    bool *vanishes;      // of each step: whether it may well be exactly 0, without a slope, in whole blocks
    uint32_t *inside;    // of each step: the innermost guard that it stands in, or GRAPH_NONE
    bool *shared;        // of each step: whether it stands in a shared guard
};

// ---- Masks ----------------------------------------------------------------------------------------------

static bool is_scaling(const struct step *step)
{
    return step->op == GRAPH_AFFINE && step->parameter[1] == 0;
}

static bool vanishes(const struct finder *finder, const struct step *step)
{
    const struct step *steps = finder->program->steps;
    const double *p = step->parameter;
    switch (step->op) {
    case GRAPH_SMOOTHSTEP:
    case GRAPH_CURVE:
    case GRAPH_ABOVE:
    case GRAPH_DETAIL: return true;
    case GRAPH_NUMBER: return p[0] == 0;
    case GRAPH_CLAMP: return p[0] <= 0 && p[1] >= 0;
    case GRAPH_MULTIPLY:
    case GRAPH_MINIMUM:
    case GRAPH_MAXIMUM: return finder->vanishes[step->input[0]] || finder->vanishes[step->input[1]];
    case GRAPH_AFFINE:
        return is_scaling(step) ? finder->vanishes[step->input[0]]
                                : p[0] + p[1] == 0 && steps[step->input[0]].op == GRAPH_SMOOTHSTEP;
    default: return false;
    }
}

// A mask that is known before a step, and where it is 0 so is step index; GRAPH_NONE if there is none. What it is a
// factor of is read after that step, so its lanes are kept.
static uint32_t resolve(const struct finder *finder, uint32_t index, uint32_t before, int depth)
{
    if (!finder->vanishes[index] || depth == RESOLVE_DEPTH)
        return GRAPH_NONE;
    if (index < before)
        return index;
    const struct step *step = &finder->program->steps[index];
    if (step->op != GRAPH_MULTIPLY && !is_scaling(step))
        return GRAPH_NONE;
    uint32_t found = resolve(finder, step->input[0], before, depth + 1);
    return found != GRAPH_NONE || step->op != GRAPH_MULTIPLY ? found
                                                             : resolve(finder, step->input[1], before, depth + 1);
}

static void add_mask(struct masks *masks, uint32_t mask)
{
    int at = 0;
    while (at < masks->count && masks->mask[at] < mask)
        at++;
    if (masks->needed || (at < masks->count && masks->mask[at] == mask))
        return;
    if (masks->count == SHARED_MASKS_MAX) {
        *masks = (struct masks){.needed = true};
        return;
    }
    memmove(&masks->mask[at + 1], &masks->mask[at], (size_t)(masks->count - at) * sizeof masks->mask[0]);
    masks->mask[at] = mask;
    masks->count++;
}

// Masks as far as they are known before a step.
static struct masks resolve_all(const struct finder *finder, const struct masks *masks, uint32_t before)
{
    struct masks resolved = {.needed = masks->needed};
    for (int m = 0; m < masks->count && !resolved.needed; m++) {
        uint32_t mask = resolve(finder, masks->mask[m], before, 0);
        if (mask == GRAPH_NONE)
            resolved = (struct masks){.needed = true};
        else
            add_mask(&resolved, mask);
    }
    return resolved;
}

// What a step's reader, which reads it as input k, adds to its masks: the other factor of a product, or the reader's
// own. What is known earlier of the two holds for more of what stands before the step.
static void add_reader(const struct finder *finder, uint32_t reader, int k)
{
    const struct step *step = &finder->program->steps[reader];
    uint32_t index = step->input[k];
    struct masks *masks = &finder->masks[index], added = resolve_all(finder, &finder->masks[reader], index);
    uint32_t factor = step->op == GRAPH_MULTIPLY ? resolve(finder, step->input[1 - k], index, 0) : GRAPH_NONE;
    if (factor != GRAPH_NONE && (added.needed || added.count == 0 || factor < added.mask[added.count - 1]))
        added = (struct masks){.count = 1, .mask = {factor}};
    if (added.needed)
        *masks = added;
    for (int m = 0; m < added.count; m++)
        add_mask(masks, added.mask[m]);
}

static void find_masks(const struct finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t i = 0; i < program->step_count; i++)
        finder->vanishes[i] = vanishes(finder, &program->steps[i]);
    for (int i = 0; i < program->output_count; i++)
        finder->masks[program->output[i].step].needed = true;
    for (uint32_t i = program->step_count; i-- > 0;)
        for (int k = 0; k < program_input_count(program->steps[i].op); k++)
            if (program->steps[i].input[k] != STEP_POSITION)
                add_reader(finder, i, k);
}

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

static bool same_masks(const struct masks *a, const struct masks *b)
{
    return a->count == b->count && memcmp(a->mask, b->mask, (size_t)a->count * sizeof a->mask[0]) == 0;
}

// Whether a guard of the other kind says the same.
static bool is_guarded(const struct finder *finder, const struct masks *masks, uint32_t first, uint32_t end)
{
    uint32_t g = finder->inside[first];
    const struct guard *guard = g == GRAPH_NONE ? NULL : &finder->program->guards[g];
    return guard && guard->test == GUARD_ZERO && guard->end >= end && masks->count == 1 &&
           guard->mask == masks->mask[0];
}

static void add_guard(const struct finder *finder, const struct masks *masks, uint32_t first, uint32_t end)
{
    struct program *program = finder->program;
    uint32_t cost_ns = 0;
    for (uint32_t i = first; i < end; i++)
        cost_ns += guard_cost_ns(finder->graph, &finder->graph->values[program->steps[i].value]);
    bool can = cost_ns >= GUARD_COST_MIN_NS && !is_guarded(finder, masks, first, end);
    for (int m = 0; m < masks->count; m++)
        can = can && can_look(finder, masks->mask[m], first);
    if (!can)
        return;
    struct shared_guard *guard = &program->shared[program->shared_count++];
    *guard = (struct shared_guard){.first = first, .end = end, .mask_count = masks->count};
    memcpy(guard->masks, masks->mask, sizeof guard->masks);
    for (uint32_t i = first; i < end; i++) {
        finder->shared[i] = true;
        program->steps[i].outlives_guard = finder->last_use[i] >= end;
    }
}

static void add_guards(const struct finder *finder)
{
    uint32_t end;
    for (uint32_t first = 0; first < finder->program->step_count; first = end) {
        const struct masks *masks = &finder->masks[first];
        end = first + 1;
        if (masks->needed || masks->count == 0)
            continue;
        while (end < finder->program->step_count && same_masks(masks, &finder->masks[end]))
            end++;
        add_guard(finder, masks, first, end);
    }
}

enum status_code guards_find_shared(struct program *program, const struct graph *graph, const uint32_t *last_use,
                                    struct status *status)
{
    size_t count = program->step_count;
    size_t bytes = arena_bound(count, sizeof(struct masks)) + arena_bound(count, sizeof(uint32_t)) +
                   2 * arena_bound(count, sizeof(bool));
    void *memory = calloc(1, bytes);
    if (!memory)
        return status_fail_memory(status, "planet", bytes);
    struct arena arena = arena_over(memory, bytes);
    struct finder finder = {
        .program = program,
        .graph = graph,
        .last_use = last_use,
        .masks = arena_take(&arena, count, sizeof(struct masks)),
        .vanishes = arena_take(&arena, count, sizeof(bool)),
        .inside = arena_take(&arena, count, sizeof(uint32_t)),
        .shared = arena_take(&arena, count, sizeof(bool)),
    };
    program->shared_count = 0;
    find_masks(&finder);
    find_insides(&finder);
    add_guards(&finder);
    free(memory);
    return STATUS_OK;
}
