// SPDX-License-Identifier: MIT
#include "bake/planet/bounds.h"

#include <math.h>

#include "common/stable_math.h"

// Of one octave of noise: kernels.h says about 1.15.
#define NOISE_MOST 1.3
// Splines overshoot: by less than half for fields that hold no more detail than their nodes can carry.
#define SPLINE_OVERSHOOT 1.5
// What was seen counts where it is at least this part of the interval, and then so much more.
#define SEEN_PART 0.2
#define SEEN_MARGIN 1.5
// Between two knots of a curve it is looked at so many times.
#define CURVE_STEPS 16

static const struct bounds unbounded = {-INFINITY, INFINITY};

double bounds_size(struct bounds bounds)
{
    return fmax(fabs(bounds.low), fabs(bounds.high));
}

static struct bounds hull(struct bounds a, struct bounds b)
{
    return (struct bounds){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct bounds within(struct bounds a, double low, double high)
{
    return (struct bounds){fmin(fmax(a.low, low), high), fmax(fmin(a.high, high), low)};
}

// A factor of 0 makes nothing of anything (kernels.h).
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct bounds multiply(struct bounds a, struct bounds b)
{
    double p = product(a.low, b.low), q = product(a.low, b.high), r = product(a.high, b.low),
           s = product(a.high, b.high);
    return (struct bounds){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

static bool has_zero(struct bounds a)
{
    return a.low <= 0 && a.high >= 0;
}

// Whether value is c times of, and c.
static bool is_multiple(const struct graph *graph, uint32_t value, uint32_t of, double *c)
{
    const struct graph_value *affine = &graph->values[value];
    const double *p = graph->parameters + affine->parameter;
    bool scaled = affine->op == GRAPH_AFFINE && affine->input[0] == of && p[1] == 0;
    *c = scaled ? p[0] : 1;
    return scaled || value == of;
}

// A square, or a multiple of one, has one sign.
static struct bounds product_bounds(const struct bounds *bounds, const struct graph *graph,
                                    const struct graph_value *value)
{
    double c;
    uint32_t a = value->input[0], b = value->input[1], of = b;
    if (is_multiple(graph, b, a, &c))
        of = a;
    else if (!is_multiple(graph, a, b, &c))
        return multiply(bounds[a], bounds[b]);
    double most = c * bounds_size(bounds[of]) * bounds_size(bounds[of]);
    return (struct bounds){fmin(most, 0), fmax(most, 0)};
}

static struct bounds divide(struct bounds a, struct bounds b)
{
    if (has_zero(b))
        return unbounded;
    return multiply(a, (struct bounds){1 / b.high, 1 / b.low});
}

static struct bounds absolute(struct bounds a)
{
    double most = bounds_size(a);
    return (struct bounds){has_zero(a) ? 0 : fmin(fabs(a.low), fabs(a.high)), most};
}

static struct bounds power(struct bounds a, double exponent)
{
    double low = a.low > 0 ? stable_pow(a.low, exponent) : exponent > 0 ? 0 : INFINITY;
    double high = a.high > 0 ? stable_pow(a.high, exponent) : 0;
    return exponent > 0 ? (struct bounds){low, high} : (struct bounds){0, low};
}

static struct bounds mix(struct bounds a, struct bounds b, struct bounds t)
{
    if (t.low >= 0 && t.high <= 1)
        return hull(a, b);
    struct bounds rise = multiply((struct bounds){b.low - a.high, b.high - a.low}, t);
    return (struct bounds){a.low + rise.low, a.high + rise.high};
}

// Beyond its ends a curve is straight.
static struct bounds curve_bounds(const struct curve *curve, struct bounds a)
{
    int last = curve->count - 1;
    struct bounds y = {curve->y[0], curve->y[0]};
    for (int k = 1; k <= last; k++)
        y = hull(y, (struct bounds){curve->y[k], curve->y[k]});
    double first = curve->y[0] - product(curve->slope[0], fmax(curve->x[0] - a.low, 0));
    double end = curve->y[last] + product(curve->slope[last], fmax(a.high - curve->x[last], 0));
    return hull(y, hull((struct bounds){first, first}, (struct bounds){end, end}));
}

static struct bounds fractal_bounds(const struct fractal *fractal, double gain)
{
    double sum = 0, amplitude = 1;
    for (int k = 0; k < fractal->octaves; k++, amplitude *= gain)
        sum += amplitude;
    switch (fractal->kind) {
    case FRACTAL_FBM: return (struct bounds){-NOISE_MOST * sum, NOISE_MOST * sum};
    case FRACTAL_BILLOW: return (struct bounds){-sum, 2 * NOISE_MOST * sum};
    default: return (struct bounds){0, sum};
    }
}

static struct bounds coarse_bounds(struct bounds a)
{
    double middle = 0.5 * (a.low + a.high), half = SPLINE_OVERSHOOT * 0.5 * (a.high - a.low);
    return isfinite(half) ? (struct bounds){middle - half, middle + half} : unbounded;
}

// Belts may overlap a little.
static struct bounds part_bounds(enum plate_part part)
{
    switch (part) {
    case PLATE_BIAS:
    case PLATE_SIDE: return (struct bounds){-1, 1};
    default: return (struct bounds){0, 1.5};
    }
}

static struct bounds bounds_of(const struct bounds *bounds, const struct graph *graph, const struct tables *tables,
                               uint32_t index)
{
    const struct graph_value *value = &graph->values[index];
    const double *p = graph->parameters + value->parameter;
    uint32_t table = tables->table_of[index];
    int count = graph_ops[value->op].input_count;
    struct bounds a = count > 0 ? bounds[value->input[0]] : unbounded;
    struct bounds b = count > 1 ? bounds[value->input[1]] : unbounded;
    switch (value->op) {
    case GRAPH_NUMBER: return (struct bounds){p[0], p[0]};
    case GRAPH_AXIS:
    case GRAPH_SINE:
    case GRAPH_COSINE:
    case GRAPH_CELLULAR: return (struct bounds){-1, 1};
    case GRAPH_LATITUDE: return (struct bounds){-90, 90};
    case GRAPH_LONGITUDE: return (struct bounds){-180, 180};
    case GRAPH_AFFINE:
        a = multiply(a, (struct bounds){p[0], p[0]});
        return (struct bounds){a.low + p[1], a.high + p[1]};
    case GRAPH_ADD: return (struct bounds){a.low + b.low, a.high + b.high};
    case GRAPH_SUBTRACT: return (struct bounds){a.low - b.high, a.high - b.low};
    case GRAPH_MULTIPLY: return product_bounds(bounds, graph, value);
    case GRAPH_DIVIDE: return divide(a, b);
    case GRAPH_MINIMUM: return (struct bounds){fmin(a.low, b.low), fmin(a.high, b.high)};
    case GRAPH_MAXIMUM: return (struct bounds){fmax(a.low, b.low), fmax(a.high, b.high)};
    case GRAPH_ABSOLUTE: return absolute(a);
    case GRAPH_SQUARE_ROOT: return (struct bounds){sqrt(fmax(a.low, 0)), sqrt(fmax(a.high, 0))};
    case GRAPH_EXPONENTIAL: return (struct bounds){stable_exp(a.low), stable_exp(a.high)};
    case GRAPH_POWER: return power(a, p[0]);
    case GRAPH_CLAMP: return within(a, p[0], p[1]);
    case GRAPH_SMOOTHSTEP:
    case GRAPH_ABOVE:
    case GRAPH_CRATER_RAYS:
    case GRAPH_QUANTILE:
    case GRAPH_DETAIL: return (struct bounds){0, 1};
    case GRAPH_MIX: return mix(a, b, bounds[value->input[2]]);
    case GRAPH_CURVE: return curve_bounds(&tables->curves[table], a);
    case GRAPH_STEEPNESS:
    case GRAPH_CLIMATE: return (struct bounds){0, INFINITY};
    case GRAPH_FRACTAL: return fractal_bounds(&tables->fractals[table], tables->fractals[table].gain);
    case GRAPH_FRACTAL_GAIN: return fractal_bounds(&tables->fractals[table], fmin(bounds_size(b), FRACTAL_GAIN_MAX));
    case GRAPH_COARSE: return coarse_bounds(a);
    // An octave is at most as high as its waves are long, and each next one half as long.
    case GRAPH_ERODE: return (struct bounds){-2 * p[0] * p[3], 2 * p[0] * p[3]};
    case GRAPH_PART: return part_bounds((enum plate_part)(int)p[0]);
    default: return unbounded;
    }
}

static struct bounds tightened(struct bounds bounds, struct bounds seen)
{
    if (!(seen.low <= seen.high) || bounds_size(seen) < SEEN_PART * bounds_size(bounds))
        return isinf(bounds_size(bounds)) && bounds_size(seen) > 0 ? seen : bounds;
    double margin = (SEEN_MARGIN - 1) * bounds_size(seen);
    return (struct bounds){fmax(bounds.low, seen.low - margin), fmin(bounds.high, seen.high + margin)};
}

void bounds_find(struct bounds *bounds, const struct graph *graph, const struct tables *tables,
                 const struct bounds *seen)
{
    for (uint32_t i = 0; i < graph->count; i++) {
        bounds[i] = bounds_of(bounds, graph, tables, i);
        // Also where infinities met.
        if (!(bounds[i].low <= bounds[i].high))
            bounds[i] = unbounded;
        bounds[i] = tightened(bounds[i], seen[i]);
    }
}

// ---- Steepness ------------------------------------------------------------------------------------------

static double curve_value(const struct curve *curve, double x)
{
    int k = 0, last = curve->count - 1;
    if (x <= curve->x[0])
        return curve->y[0] + curve->slope[0] * (x - curve->x[0]);
    if (x >= curve->x[last])
        return curve->y[last] + curve->slope[last] * (x - curve->x[last]);
    while (x > curve->x[k + 1])
        k++;
    double t = x - curve->x[k];
    return curve->y[k] + t * (curve->slope[k] + t * (curve->quadratic[k + 1] + t * curve->cubic[k + 1]));
}

// Of a curve, or of outer after inner: the steepest piece.
static double steepest(const struct curve *outer, const struct curve *inner)
{
    const struct curve *curve = inner ? inner : outer;
    double most = 0, x_before = curve->x[0], y_before = inner ? curve_value(outer, curve->y[0]) : curve->y[0];
    for (int k = 0; k + 1 < curve->count; k++)
        for (int step = 1; step <= CURVE_STEPS; step++) {
            double x = curve->x[k] + (curve->x[k + 1] - curve->x[k]) * step / CURVE_STEPS, y = curve_value(curve, x);
            y = inner ? curve_value(outer, y) : y;
            if (x > x_before)
                most = fmax(most, fabs((y - y_before) / (x - x_before)));
            x_before = x;
            y_before = y;
        }
    return most;
}

double bounds_rise_through(const struct curve *curve, const struct curve *quantile)
{
    return steepest(curve, quantile);
}

static double power_rise(struct bounds a, double exponent)
{
    double at = exponent >= 1 ? a.high : a.low;
    return at > 0 ? fabs(exponent) * stable_pow(at, exponent - 1) : exponent >= 1 ? 0 : INFINITY;
}

static double divide_rise(struct bounds a, struct bounds b, int k)
{
    double least = has_zero(b) ? 0 : fmin(fabs(b.low), fabs(b.high));
    if (least == 0)
        return INFINITY;
    return k == 0 ? 1 / least : bounds_size(a) / (least * least);
}

static double mix_rise(struct bounds a, struct bounds b, struct bounds t, int k)
{
    if (k == 2)
        return fmax(b.high - a.low, a.high - b.low);
    return bounds_size(k == 1 ? t : (struct bounds){1 - t.high, 1 - t.low});
}

double bounds_rise(const struct bounds *bounds, const struct graph *graph, const struct tables *tables, uint32_t index,
                   int k)
{
    const struct graph_value *value = &graph->values[index];
    const double *p = graph->parameters + value->parameter;
    int count = graph_ops[value->op].input_count;
    struct bounds a = bounds[value->input[0]], b = count > 1 ? bounds[value->input[1]] : unbounded;
    bool outside = a.high <= p[0] || a.low >= p[1]; // of those with a low and a high end
    switch (value->op) {
    case GRAPH_AFFINE: return fabs(p[0]);
    case GRAPH_ADD:
    case GRAPH_SUBTRACT:
    case GRAPH_MINIMUM:
    case GRAPH_MAXIMUM:
    case GRAPH_ABSOLUTE: return 1;
    case GRAPH_SINE:
    case GRAPH_COSINE: return STABLE_PI / 180;
    case GRAPH_MULTIPLY: return bounds_size(k == 0 ? b : a);
    case GRAPH_DIVIDE: return divide_rise(a, b, k);
    case GRAPH_SQUARE_ROOT: return a.low > 0 ? 0.5 / sqrt(a.low) : INFINITY;
    case GRAPH_EXPONENTIAL: return bounds[index].high;
    case GRAPH_POWER: return power_rise(a, p[0]);
    case GRAPH_CLAMP: return outside ? 0 : 1;
    case GRAPH_SMOOTHSTEP: return outside && p[0] < p[1] ? 0 : 1.5 / fabs(p[1] - p[0]);
    case GRAPH_MIX: return mix_rise(a, b, bounds[value->input[2]], k);
    case GRAPH_CURVE:
    case GRAPH_QUANTILE: return steepest(&tables->curves[tables->table_of[index]], NULL);
    default: return INFINITY;
    }
}
