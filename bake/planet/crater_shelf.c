// SPDX-License-Identifier: MIT
#include "bake/planet/crater_shelf.h"

#include <math.h>

// A ball on the shelf is wider than the walk's by so many of the level's largest diameters.
#define WIDER 1.0

static bool is_inside(const double middle[3], double radius, const double of[3], double of_radius)
{
    double room = of_radius - radius, square = 0.0;
    for (int k = 0; k < 3; k++)
        square += (middle[k] - of[k]) * (middle[k] - of[k]);
    return room >= 0.0 && square <= room * room;
}

void crater_shelf_clear(struct crater_shelf *shelf)
{
    for (int level = 0; level < CRATER_LEVELS_MAX; level++) {
        struct crater_level *kept = &shelf->levels[level];
        kept->radius = -1.0;
        kept->largest = 0.0;
        kept->count = 0;
        for (int k = 0; k < 3; k++)
            kept->seen[k] = INFINITY;
    }
}

// Leaves the level without a ball where it has too many craters.
static void fill_level(struct crater_level *kept, const struct crater_walk *walk, double radius)
{
    struct craters craters = *walk->craters;
    struct crater_walk wider;
    craters.shelf = NULL;
    kept->radius = -1.0;
    kept->count = 0;
    crater_walk_begin(&wider, &craters, walk->level, walk->middle, radius, walk->reach, walk->wear_end);
    while (crater_walk_next(&wider, &kept->crater[kept->count]))
        if (++kept->count == CRATERS_KEPT_MAX)
            return;
    for (int k = 0; k < 3; k++)
        kept->middle[k] = walk->middle[k];
    kept->radius = radius;
}

const struct crater_level *crater_shelf_look(struct crater_shelf *shelf, const struct crater_walk *walk)
{
    struct crater_level *kept = &shelf->levels[walk->level];
    if (is_inside(walk->middle, walk->radius, kept->middle, kept->radius))
        return kept;
    double wider = WIDER * walk->largest;
    // What is wide for its level has too many craters, and another walk would hardly be inside.
    if (walk->radius > 0.5 * wider)
        return NULL;
    if (is_inside(walk->middle, walk->radius, kept->seen, walk->radius + wider))
        fill_level(kept, walk, walk->radius + wider);
    for (int k = 0; k < 3; k++)
        kept->seen[k] = walk->middle[k];
    return kept->radius > 0.0 && is_inside(walk->middle, walk->radius, kept->middle, kept->radius) ? kept : NULL;
}
