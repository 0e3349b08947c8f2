// SPDX-License-Identifier: MIT
#include <math.h>

#include "bake/planet/crater.h"
#include "common/stable_math.h"

static double smooth(double low, double high, double x)
{
    double t = (x - low) / (high - low);
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    return t * t * (3.0 - 2.0 * t);
}

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

// Depth and height of the rim of a fresh crater, in its diameters. After Pike (1977), whose figures are the Moon's with
// a transition at 18 km: depth 0.2 D up to 0.6 transitions, growing with D^0.3 beyond; rim 0.037 D up to 1.18, with
// D^0.4 beyond. Basins (over 16 transitions, 290 km) are shallower still. size is D in transitions.
static double fresh_depth(double size)
{
    double depth = 0.2, over = size / 0.6;
    if (over > 1.0) {
        double root = stable_root5(over);
        depth *= root * sqrt(root) / over;
    }
    return size > 16.0 ? depth * sqrt(sqrt(16.0 / size)) : depth;
}

static double fresh_rim(double size)
{
    double over = size / 1.18;
    if (over <= 1.0)
        return 0.037;
    double root = stable_root5(over);
    return 0.037 * (root * root / over);
}

// A central peak from 1 to 10 transitions, a ring inside larger basins.
static void shape_peak(struct crater_shape *shape, double size, double wear)
{
    double fresh = 1.0 - wear;
    shape->peak_at = size < 10.0 ? 0.0 : 0.5;
    shape->peak_width = size < 10.0 ? 0.27 : 0.15;
    shape->peak = fresh * (size < 10.0 ? 0.26 * smooth(1.1, 2.0, size) * (1.0 - smooth(6.0, 10.0, size))
                                       : 0.11 * smooth(10.0, 14.0, size));
}

// The k-th of three signed numbers in -1..1 from 63 bits.
static double signed_part(uint64_t bits, int k)
{
    return (double)(bits >> 21 * k & 0x1FFFFF) * 0x1p-20 - 1.0;
}

static void shape_waves(struct crater_shape *shape, uint64_t bits)
{
    static const double frequency[CRATER_WAVES] = {0.5, 1.0, 2.3}, wobble[CRATER_WAVES] = {0.035, 0.030, 0.015};
    for (int k = 0; k < CRATER_WAVES; k++) {
        bits = bits * UINT64_C(0x5851F42D4C957F2D) + UINT64_C(0x14057B7EF767814F); // Knuth's, as a stream of its own
        uint64_t mixed = (bits ^ bits >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
        mixed ^= mixed >> 32;
        for (int axis = 0; axis < 3; axis++)
            shape->frequency[k][axis] = frequency[k] * signed_part(mixed, axis);
        shape->phase[k] = (double)(bits >> 40) * 0x1p-24;
        shape->wobble[k] = wobble[k];
    }
}

void crater_shape(struct crater_shape *shape, const struct craters *craters, const struct crater *crater)
{
    double size = crater->diameter / craters->transition, wear = crater->wear, fresh = 1.0 - wear;
    // Wear fills craters up faster than it takes their rims down.
    double depth_left = 0.12 + 0.88 * fresh * fresh * (0.6 + 0.4 * fresh), rim_left = 0.10 + 0.90 * fresh * fresh;
    double depth = fresh_depth(size);
    shape->visible = smooth(CRATER_DIAMETER_MIN_PX, CRATER_DIAMETER_FULL_PX, crater->diameter * 2.0 * craters->f_max);
    shape->height_m = depth * depth_left * crater->diameter * craters->radius_m * craters->depth * shape->visible;
    shape->rim = fresh_rim(size) * rim_left / (depth * depth_left);
    double flat = smooth(0.65, 1.4, size);
    shape->floor = mix(0.35 * wear, 0.55 + 0.15 * smooth(3.0, 16.0, size), flat);
    // A rim is never much sharper than the samples are dense.
    shape->softness = 0.10 + 0.45 * wear + 0.5 / (crater->diameter * 2.0 * craters->f_max);
    shape->erase = 0.95 * shape->visible;
    shape_peak(shape, size, wear);
    shape_waves(shape, crater->bits);
}
