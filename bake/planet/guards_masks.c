// SPDX-License-Identifier: MIT
#include "bake/planet/guards_masks.h"

#include <string.h>

// How many products and scalings a mask is looked for in, one inside the other.
#define RESOLVE_DEPTH 6

static bool is_scaling(const struct step *step)
{
    return step->op == GRAPH_AFFINE && step->parameter[1] == 0;
}

static bool vanishes(const struct mask_finder *finder, const struct step *step)
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
static uint32_t resolve(const struct mask_finder *finder, uint32_t index, uint32_t before, int depth)
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

static void add_mask(struct shared_masks *masks, uint32_t mask)
{
    int at = 0;
    while (at < masks->count && masks->mask[at] < mask)
        at++;
    if (masks->needed || (at < masks->count && masks->mask[at] == mask))
        return;
    if (masks->count == SHARED_MASKS_MAX) {
        *masks = (struct shared_masks){.needed = true};
        return;
    }
    memmove(&masks->mask[at + 1], &masks->mask[at], (size_t)(masks->count - at) * sizeof masks->mask[0]);
    masks->mask[at] = mask;
    masks->count++;
}

// Masks as far as they are known before a step.
static struct shared_masks resolve_all(const struct mask_finder *finder, const struct shared_masks *masks,
                                       uint32_t before)
{
    struct shared_masks resolved = {.needed = masks->needed};
    for (int m = 0; m < masks->count && !resolved.needed; m++) {
        uint32_t mask = resolve(finder, masks->mask[m], before, 0);
        if (mask == GRAPH_NONE)
            resolved = (struct shared_masks){.needed = true};
        else
            add_mask(&resolved, mask);
    }
    return resolved;
}

// Whether a mask can be known earlier than all of some masks.
static bool is_earlier(const struct mask_finder *finder, uint32_t mask, const struct shared_masks *masks)
{
    uint32_t last = 0, earliest = 0;
    for (int m = 0; m < masks->count; m++) {
        last = masks->mask[m];
        earliest = finder->earliest[last] > earliest ? finder->earliest[last] : earliest;
    }
    uint32_t own = finder->earliest[mask];
    return own == earliest ? mask < last : own < earliest;
}

struct shared_masks masks_for(const struct mask_finder *finder, uint32_t reader, int k, uint32_t before)
{
    const struct step *step = &finder->program->steps[reader];
    struct shared_masks masks = resolve_all(finder, &finder->masks[reader], before);
    uint32_t factor = step->op == GRAPH_MULTIPLY ? resolve(finder, step->input[1 - k], before, 0) : GRAPH_NONE;
    if (factor != GRAPH_NONE && (masks.needed || masks.count == 0 || is_earlier(finder, factor, &masks)))
        masks = (struct shared_masks){.count = 1, .mask = {factor}};
    return masks;
}

static void add_reader(const struct mask_finder *finder, uint32_t reader, int k)
{
    uint32_t index = finder->program->steps[reader].input[k];
    const struct shared_masks added = masks_for(finder, reader, k, index);
    if (added.needed)
        finder->masks[index] = added;
    for (int m = 0; m < added.count; m++)
        add_mask(&finder->masks[index], added.mask[m]);
}

static uint32_t earliest(const struct mask_finder *finder, uint32_t index)
{
    const struct step *step = &finder->program->steps[index];
    uint32_t found = index;
    for (int k = 0; k < 2 && (step->op == GRAPH_MULTIPLY || (k == 0 && is_scaling(step))); k++)
        if (finder->vanishes[step->input[k]] && finder->earliest[step->input[k]] < found)
            found = finder->earliest[step->input[k]];
    return found;
}

void masks_find(const struct mask_finder *finder)
{
    const struct program *program = finder->program;
    for (uint32_t i = 0; i < program->step_count; i++) {
        finder->vanishes[i] = vanishes(finder, &program->steps[i]);
        finder->earliest[i] = earliest(finder, i);
    }
    for (int i = 0; i < program->output_count; i++)
        finder->masks[program->output[i].step].needed = true;
    for (uint32_t i = program->step_count; i-- > 0;)
        for (int k = 0; k < program_input_count(program->steps[i].op); k++)
            if (program->steps[i].input[k] != STEP_POSITION)
                add_reader(finder, i, k);
}
