// SPDX-License-Identifier: MIT
#include <assert.h>

#include "bake/planet/kernels.h"

// Slope at a knot between two secants: 0 where they differ in sign, else their weighted harmonic mean (Fritsch and
// Butland 1984), which keeps the cubic within Fritsch and Carlson's region of monotone ones.
static double knot_slope(double left_width, double left_slope, double right_width, double right_slope)
{
    if (!(left_slope * right_slope > 0.0))
        return 0.0;
    double left_weight = 2.0 * right_width + left_width, right_weight = right_width + 2.0 * left_width;
    return (left_weight + right_weight) / (left_weight / left_slope + right_weight / right_slope);
}

void curve_prepare(struct curve *curve)
{
    int count = curve->count;
    assert(count >= 2 && count <= CURVE_KNOTS_MAX);
    double width[CURVE_KNOTS_MAX], secant[CURVE_KNOTS_MAX];
    for (int k = 0; k + 1 < count; k++) {
        width[k] = curve->x[k + 1] - curve->x[k];
        assert(width[k] > 0.0);
        secant[k] = (curve->y[k + 1] - curve->y[k]) / width[k];
    }
    curve->slope[0] = secant[0];
    curve->slope[count - 1] = secant[count - 2];
    for (int k = 1; k + 1 < count; k++)
        curve->slope[k] = knot_slope(width[k - 1], secant[k - 1], width[k], secant[k]);
    // Straight beyond the ends.
    curve->quadratic[0] = curve->cubic[0] = 0.0;
    curve->quadratic[count] = curve->cubic[count] = 0.0;
    for (int k = 0; k + 1 < count; k++) {
        double left = curve->slope[k] - secant[k], right = curve->slope[k + 1] - secant[k];
        curve->quadratic[k + 1] = -(2.0 * left + right) / width[k];
        curve->cubic[k + 1] = (left + right) / (width[k] * width[k]);
    }
}
