// SPDX-License-Identifier: MIT
// Which cells of a walk's row (crater.h) may have a crater. One in twenty of those that a walk over a small ball looks
// into has one, and four cells at a time can be ruled out in the time that one takes by itself.
#ifndef TERRANE_BAKE_PLANET_CRATER_SIEVE_H
#define TERRANE_BAKE_PLANET_CRATER_SIEVE_H

#include "bake/planet/crater.h"

// The least that a walk's ball is taken for wider, in cells, than it is: places are off by some 1e-8.
#define CRATER_SIEVE_MARGIN 1e-6

// Of count cells, 1 to 64, from at[0] = x on: bit k where cell x + k may have a crater that the walk is to find. The
// others have none.
typedef uint64_t crater_sieve(const struct crater_walk *walk, int64_t x, int count);

// The quickest that this processor has; NULL where it has none.
crater_sieve *crater_sieve_choose(void);

#endif
