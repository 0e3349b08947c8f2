// SPDX-License-Identifier: MIT
// Hill shading for maps: how much lighter or darker a slope is than level ground, in soft light from the north-west.
//
// Slopes at the scale of a world map are a few thousandths, so they are exaggerated, by as much as brings the usual
// slope of this planet at this scale to 0.45.
#ifndef TERRANE_BAKE_RELIEF_H
#define TERRANE_BAKE_RELIEF_H

// rms_slope: root of the mean square of the slopes (rise over run) that will be shaded. 1 to 200.
double relief_exaggeration(double rms_slope);

// Factor on linear light, 1 for level ground, 0.3 to about 1.3. east and north: rise over run to the east
// and to the north, already exaggerated.
double relief_shade(double east, double north);

#endif
