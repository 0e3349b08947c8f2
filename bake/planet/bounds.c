// SPDX-License-Identifier: MIT
#include "bake/planet/bounds.h"

#include <math.h>

#include "common/stable_math.h"

// Splines overshoot: by less than half for fields that hold no more detail than their nodes can carry.
#define SPLINE_OVERSHOOT 1.5
// How much larger than what was seen a value may be.
#define SEEN_MARGIN 1.5
// The same of an exponential, whose interval is soon far too large; but always as much as a bell has.
#define SEEN_EXPONENTIAL 4
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
    case FRACTAL_FBM: return (struct bounds){-BOUNDS_NOISE_MOST * sum, BOUNDS_NOISE_MOST * sum};
    case FRACTAL_BILLOW: return (struct bounds){-sum, 2 * BOUNDS_NOISE_MOST * sum};
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

static struct bounds tightened(struct bounds bounds, struct bounds seen, enum graph_op op)
{
    if (!(seen.low <= seen.high))
        return bounds;
    if (op == GRAPH_EXPONENTIAL)
        bounds.high = fmin(bounds.high, fmax(SEEN_EXPONENTIAL * seen.high, 1));
    if (bounds_size(seen) < BOUNDS_SEEN_PART * bounds_size(bounds))
        return bounds;
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
        if (seen)
            bounds[i] = tightened(bounds[i], seen[i], graph->values[i].op);
    }
}
