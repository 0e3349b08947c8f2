// SPDX-License-Identifier: MIT
// Which cells of a walk's row (crater.h) may have a crater. One in twenty of those that a walk over a small ball looks
// into has one, and four cells at a time can be ruled out in the time that one takes by itself.
#ifndef TERRANE_BAKE_PLANET_CRATER_SIEVE_H
#define TERRANE_BAKE_PLANET_CRATER_SIEVE_H

#include "bake/planet/crater.h"

// The least that a walk's ball is taken for wider, in cells, than it is: places are off by some 1e-8.
#define CRATER_SIEVE_MARGIN 1e-6

// The quickest that this processor has; NULL where it has none.
crater_sieve *crater_sieve_choose(void);

#endif
