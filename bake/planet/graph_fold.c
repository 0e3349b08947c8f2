// SPDX-License-Identifier: MIT
// Constant expressions, computed with the formulas of the kernels.
#include <math.h>

#include "bake/planet/graph.h"
#include "common/stable_math.h"

static double clamped(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double smooth(double x, double low, double high)
{
    double t = clamped((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

static double turned(double degrees, bool sine)
{
    double s, c;
    stable_sincos_deg(clamped(degrees, -1e9, 1e9), &s, &c);
    return sine ? s : c;
}

static double product_of(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static double mix_of(double a, double b, double t)
{
    return t == 0 ? a : t == 1 ? b : a + t * (b - a);
}

static bool fold_number(double *result, enum graph_op op, double a, double b, double t, const double *p)
{
    switch (op) {
    case GRAPH_AFFINE: *result = product_of(p[0], a) + p[1]; return true;
    case GRAPH_ADD: *result = a + b; return true;
    case GRAPH_SUBTRACT: *result = a - b; return true;
    case GRAPH_MULTIPLY: *result = product_of(a, b); return true;
    case GRAPH_DIVIDE: *result = a / b; return true;
    case GRAPH_MINIMUM: *result = b < a ? b : a; return true;
    case GRAPH_MAXIMUM: *result = b > a ? b : a; return true;
    case GRAPH_ABSOLUTE: *result = fabs(a); return true;
    case GRAPH_SQUARE_ROOT: *result = a > 0 ? sqrt(a) : 0; return true;
    case GRAPH_EXPONENTIAL: *result = stable_exp(a); return true;
    case GRAPH_POWER: *result = stable_pow(a, p[0]); return true;
    case GRAPH_SINE: *result = turned(a, true); return true;
    case GRAPH_COSINE: *result = turned(a, false); return true;
    case GRAPH_CLAMP: *result = clamped(a, p[0], p[1]); return true;
    case GRAPH_SMOOTHSTEP: *result = smooth(a, p[0], p[1]); return true;
    case GRAPH_MIX: *result = mix_of(a, b, t); return true;
    case GRAPH_ABOVE: *result = a >= p[0] + p[1] / 2 ? 1 : clamped(0.5 + (a - p[0]) / p[1], 0, 1); return true;
    case GRAPH_STEEPNESS:
    case GRAPH_QUANTILE: *result = 0; return true; // nowhere is a constant lower than itself
    default: return false;
    }
}

bool graph_fold(double result[3], enum graph_op op, const double *const inputs[GRAPH_INPUTS_MAX],
                const double *parameters)
{
    if (op == GRAPH_COLOR_MIX || op == GRAPH_COLOR_SCALE) {
        for (int channel = 0; channel < 3; channel++) {
            double a = inputs[0][channel];
            result[channel] = op == GRAPH_COLOR_SCALE ? product_of(a, *inputs[1])
                                                      : mix_of(a, inputs[1][channel], clamped(*inputs[2], 0, 1));
        }
        return true;
    }
    return fold_number(result, op, *inputs[0], inputs[1] ? *inputs[1] : 0, inputs[2] ? *inputs[2] : 0, parameters);
}
