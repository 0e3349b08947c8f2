// SPDX-License-Identifier: MIT
#include "bake/planet/steepest.h"

#include <math.h>

#include "common/stable_math.h"

// Of an octave of noise, in amplitudes a cell: 4.06 was the greatest of 2e8 samples.
#define NOISE_STEEPEST 4.5
// |n| of billow is taken twice; a ridge is (1 - |RIDGE_STRETCH n|)^2, and weighs the next octave: see kernels.h.
#define BILLOW_STEEPEST (2 * NOISE_STEEPEST)
#define RIDGE_STEEPEST (2 * 1.15 * NOISE_STEEPEST)
#define RIDGE_WEIGHT 0.55
// A spline is steeper than its nodes where they turn.
#define SPLINE_STEEPER 1.5

struct finder {
    double *steepest;
    const struct graph *graph;
    const struct tables *tables;
    const struct bounds *bounds;
};

// What is flat stays so whatever it is multiplied with.
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static double size_of(const struct finder *finder, uint32_t value)
{
    return bounds_size(finder->bounds[value]);
}

static double of_input(const struct finder *finder, const struct graph_value *value, int k)
{
    return finder->steepest[value->input[k]];
}

static double of_fractal(const struct fractal *fractal, double gain)
{
    double sum = 0, amplitude = 1, frequency = fractal->frequency, before = 0;
    for (int k = 0; k < fractal->octaves; k++, amplitude *= gain, frequency *= fractal->lacunarity) {
        double own = frequency * (fractal->kind == FRACTAL_FBM      ? NOISE_STEEPEST
                                  : fractal->kind == FRACTAL_BILLOW ? BILLOW_STEEPEST
                                                                    : RIDGE_STEEPEST);
        bool weighed = fractal->kind == FRACTAL_RIDGED;
        sum += amplitude * (own + (weighed ? RIDGE_WEIGHT * before : 0));
        before = 0.5 * (before + own);
    }
    return sum;
}

// How much it changes with its gain; no ridge is higher than 1.
static double by_gain(const struct fractal *fractal, double gain)
{
    double sum = 0, amplitude = 1;
    for (int k = 1; k < fractal->octaves; k++, amplitude *= gain)
        sum += k * amplitude;
    return sum * BOUNDS_NOISE_MOST * (fractal->kind == FRACTAL_BILLOW ? 2 : 1);
}

static double of_fractal_gain(const struct finder *finder, const struct graph_value *value,
                              const struct fractal *fractal)
{
    double gain = fmin(size_of(finder, value->input[1]), FRACTAL_GAIN_MAX);
    return times(of_fractal(fractal, gain), of_input(finder, value, 0)) +
           times(by_gain(fractal, gain), of_input(finder, value, 1));
}

static double of_cellular(const struct cellular *cellular)
{
    switch (cellular->kind) {
    case CELLULAR_DISTANCE: return cellular->frequency;
    case CELLULAR_EDGE: return 2 * cellular->frequency;
    default: return INFINITY; // flat, but it jumps from cell to cell, and `coarse` makes a slope of that
    }
}

// The derivative of a cubic is largest at its ends or where it turns; beyond the knots a curve is straight.
static double of_curve(const struct curve *curve)
{
    int last = curve->count - 1;
    double most = fmax(fabs(curve->slope[0]), fabs(curve->slope[last]));
    for (int k = 0; k < last; k++) {
        double c1 = curve->slope[k], c2 = curve->quadratic[k + 1], c3 = curve->cubic[k + 1];
        double turn = -c2 / (3 * c3);
        most = fmax(most, fmax(fabs(c1), fabs(curve->slope[k + 1])));
        if (turn > 0 && turn < curve->x[k + 1] - curve->x[k])
            most = fmax(most, fabs(c1 + turn * (2 * c2 + 3 * c3 * turn)));
    }
    return most;
}

static double of_divide(const struct finder *finder, const struct graph_value *value)
{
    struct bounds b = finder->bounds[value->input[1]];
    if (b.low <= 0 && b.high >= 0)
        return INFINITY;
    double least = fmin(fabs(b.low), fabs(b.high)), most = size_of(finder, value->input[0]) / least;
    return (of_input(finder, value, 0) + times(most, of_input(finder, value, 1))) / least;
}

// t is not cut to 0..1.
static double of_mix(const struct finder *finder, const struct graph_value *value)
{
    struct bounds a = finder->bounds[value->input[0]], b = finder->bounds[value->input[1]],
                  t = finder->bounds[value->input[2]];
    double apart = fmax(fabs(b.high - a.low), fabs(a.high - b.low)), own;
    if (t.low >= 0 && t.high <= 1)
        own = fmax(of_input(finder, value, 0), of_input(finder, value, 1));
    else
        own = times(fmax(fabs(1 - t.low), fabs(1 - t.high)), of_input(finder, value, 0)) +
              times(bounds_size(t), of_input(finder, value, 1));
    return own + times(apart, of_input(finder, value, 2));
}

static double of_power(const struct finder *finder, const struct graph_value *value, double exponent)
{
    if (exponent < 1)
        return INFINITY;
    double high = fmax(finder->bounds[value->input[0]].high, 0);
    double slope = exponent == 1 ? 1 : high > 0 ? exponent * stable_pow(high, exponent - 1) : 0;
    return times(slope, of_input(finder, value, 0));
}

static double of_warp(const struct finder *finder, const struct graph_value *value, double amount)
{
    double square = 0;
    for (int k = 1; k <= 3; k++)
        square += of_input(finder, value, k) * of_input(finder, value, k);
    return of_input(finder, value, 0) + times(fabs(amount), sqrt(square));
}

static double of_value(const struct finder *finder, uint32_t index)
{
    const struct graph_value *value = &finder->graph->values[index];
    const double *p = finder->graph->parameters + value->parameter;
    uint32_t table = finder->tables->table_of[index];
    const struct tables *tables = finder->tables;
    switch (value->op) {
    case GRAPH_NUMBER:
    case GRAPH_DETAIL: return 0;
    case GRAPH_POSITION:
    case GRAPH_AXIS: return 1;
    case GRAPH_LATITUDE: return 180 / STABLE_PI;
    case GRAPH_AFFINE: return times(fabs(p[0]), of_input(finder, value, 0));
    case GRAPH_ADD:
    case GRAPH_SUBTRACT: return of_input(finder, value, 0) + of_input(finder, value, 1);
    case GRAPH_MULTIPLY:
        return times(size_of(finder, value->input[0]), of_input(finder, value, 1)) +
               times(size_of(finder, value->input[1]), of_input(finder, value, 0));
    case GRAPH_DIVIDE: return of_divide(finder, value);
    case GRAPH_MINIMUM:
    case GRAPH_MAXIMUM: return fmax(of_input(finder, value, 0), of_input(finder, value, 1));
    case GRAPH_ABSOLUTE:
    case GRAPH_CLAMP: return of_input(finder, value, 0);
    case GRAPH_EXPONENTIAL: return times(finder->bounds[index].high, of_input(finder, value, 0));
    case GRAPH_POWER: return of_power(finder, value, p[0]);
    case GRAPH_SINE:
    case GRAPH_COSINE: return times(STABLE_PI / 180, of_input(finder, value, 0));
    case GRAPH_SMOOTHSTEP: return times(1.5 / fabs(p[1] - p[0]), of_input(finder, value, 0));
    case GRAPH_MIX: return of_mix(finder, value);
    case GRAPH_CURVE: return times(of_curve(&tables->curves[table]), of_input(finder, value, 0));
    case GRAPH_FRACTAL:
        return times(of_fractal(&tables->fractals[table], tables->fractals[table].gain), of_input(finder, value, 0));
    case GRAPH_FRACTAL_GAIN: return of_fractal_gain(finder, value, &tables->fractals[table]);
    case GRAPH_WARP: return of_warp(finder, value, p[0]);
    case GRAPH_CELLULAR: return times(of_cellular(&tables->cellulars[table]), of_input(finder, value, 0));
    case GRAPH_COARSE: return SPLINE_STEEPER * of_input(finder, value, 0);
    default: return INFINITY; // what is looked up, ranked, carved or cratered, and what has no gradient
    }
}

void steepest_find(double *steepest, const struct graph *graph, const struct tables *tables,
                   const struct bounds *bounds)
{
    const struct finder finder = {steepest, graph, tables, bounds};
    for (uint32_t i = 0; i < graph->count; i++) {
        steepest[i] = of_value(&finder, i);
        // Where infinities met.
        if (!(steepest[i] >= 0))
            steepest[i] = INFINITY;
    }
}
