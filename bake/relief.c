// SPDX-License-Identifier: MIT
#include "bake/relief.h"

#include <math.h>

#define RELIEF_SLOPE 0.45
// Beyond it the steps in which normals are stored would show.
#define RELIEF_EXAGGERATION_MAX 200.0
#define RELIEF_AMBIENT 0.3
// Beyond this many times level ground's slope budget a cliff is not drawn any steeper.
#define RELIEF_STEEPEST 2.0

double relief_exaggeration(double rms_slope)
{
    double exaggeration = rms_slope > 0 ? RELIEF_SLOPE / rms_slope : 1.0;
    return exaggeration < 1.0 ? 1.0 : exaggeration > RELIEF_EXAGGERATION_MAX ? RELIEF_EXAGGERATION_MAX : exaggeration;
}

double relief_shade(double east, double north)
{
    // Soft knee: gentle slopes stay as they are, steep ones approach RELIEF_STEEPEST.
    double steepness2 = east * east + north * north;
    double soften = 1.0 / sqrt(1.0 + steepness2 / (RELIEF_STEEPEST * RELIEF_STEEPEST));
    east *= soften;
    north *= soften;
    // Lambert's cosine with the normal (-east, -north, 1) and the light from the north-west, 45 degrees high:
    // (-1/2, 1/2, 1/sqrt 2), relative to level ground.
    double cosine = (0.5 * east - 0.5 * north) * 1.41421356237309505 + 1.0;
    cosine /= sqrt(1.0 + east * east + north * north);
    cosine = cosine > 0 ? cosine : 0;
    return RELIEF_AMBIENT + (1.0 - RELIEF_AMBIENT) * cosine;
}
