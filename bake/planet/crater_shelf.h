// SPDX-License-Identifier: MIT
// Craters that a thread keeps from block to block. To walk through the cells around a block (crater.h) takes longer
// than to evaluate the craters that are found there, and the next block, beside it, has nearly the same ones.
//
// Of each level a shelf has all craters that reach a ball; a walk over a ball inside of that one goes through them
// rather than the cells. What it finds is the same, in the same order. A level is put on the shelf when two walks in a
// row come near each other, so that samples all over the planet cost nothing but a look.
#ifndef TERRANE_BAKE_PLANET_CRATER_SHELF_H
#define TERRANE_BAKE_PLANET_CRATER_SHELF_H

#include "bake/planet/crater.h"

// On the average there are 10 heights or 24 rays; where there are more the level is walked through each time.
#define CRATERS_KEPT_MAX 48

struct crater_level {
    double seen[3];           // the middle of the last walk that found nothing here
    double middle[3], radius; // the ball; below 0 while there is none
    double largest;           // of the level's diameters, once it was asked for; else 0
    int count;
    struct crater crater[CRATERS_KEPT_MAX];
};

// Of one field of craters, and of walks of one reach and wear_end. One thread's.
struct crater_shelf {
    struct crater_level levels[CRATER_LEVELS_MAX];
};

void crater_shelf_clear(struct crater_shelf *shelf);

// The craters to go through for a walk that has begun, or NULL where the cells must be walked through.
const struct crater_level *crater_shelf_look(struct crater_shelf *shelf, const struct crater_walk *walk);

#endif
