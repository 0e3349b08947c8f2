// SPDX-License-Identifier: MIT
#include "bake/planet/rises.h"

#include <math.h>
#include <string.h>

#include "common/stable_math.h"

// A passage that is narrower than this part of what its input ranges over may lie between the points: then all points
// that are so near to it count.
#define NARROW 0.04

static struct bounds bounds_at(const struct rises *rises, uint32_t step)
{
    return rises->bounds[rises->program->steps[step].value];
}

// Whether the points show how large a step can be.
static bool is_seen(const struct rises *rises, uint32_t step)
{
    const struct bounds *seen = &rises->seen[rises->program->steps[step].value];
    return seen->low <= seen->high && bounds_size(*seen) >= BOUNDS_SEEN_PART * bounds_size(bounds_at(rises, step));
}

static double size_at(const struct rises *rises, uint32_t step, int point)
{
    return is_seen(rises, step) ? fabs(rises->values[step][point]) : bounds_size(bounds_at(rises, step));
}

static double curve_slope(const struct curve *curve, double x)
{
    int k = 0, last = curve->count - 1;
    if (x <= curve->x[0] || x >= curve->x[last])
        return curve->slope[x <= curve->x[0] ? 0 : last];
    while (x > curve->x[k + 1])
        k++;
    double t = x - curve->x[k];
    return curve->slope[k] + t * (2 * curve->quadratic[k + 1] + t * 3 * curve->cubic[k + 1]);
}

// Of a passage from low to high of an input x, of which the slope there is exact.
static double passage_slope(const struct rises *rises, uint32_t index, double x, double low, double high, double exact,
                            double steepest)
{
    const struct step *step = &rises->program->steps[index];
    const struct bounds *seen = &rises->seen[rises->program->steps[step->input[0]].value];
    double near = NARROW * (seen->high - seen->low);
    if (!is_seen(rises, index))
        return steepest;
    if (high - low >= near)
        return exact;
    return x >= low - near && x <= high + near ? steepest : 0;
}

static double smoothstep_slope(const struct rises *rises, uint32_t index, double x)
{
    const double *p = rises->program->steps[index].parameter;
    double width = p[1] - p[0], t = (x - p[0]) / width, exact = t > 0 && t < 1 ? 6 * t * (1 - t) / fabs(width) : 0;
    return passage_slope(rises, index, x, fmin(p[0], p[1]), fmax(p[0], p[1]), exact, 1.5 / fabs(width));
}

static double divide_slope(const struct rises *rises, const struct step *step, int k, int point)
{
    double b = rises->values[step->input[1]][point];
    if (!is_seen(rises, step->input[1]))
        return INFINITY;
    return k == 0 ? fabs(1 / b) : size_at(rises, step->input[0], point) / (b * b);
}

static double mix_slope(const struct rises *rises, const struct step *step, int k, int point)
{
    const uint32_t *input = step->input;
    if (k == 2)
        return is_seen(rises, input[0]) && is_seen(rises, input[1])
                   ? fabs(rises->values[input[1]][point] - rises->values[input[0]][point])
                   : bounds_size(bounds_at(rises, input[0])) + bounds_size(bounds_at(rises, input[1]));
    if (!is_seen(rises, input[2]))
        return 1 + bounds_size(bounds_at(rises, input[2]));
    return fabs(k == 1 ? rises->values[input[2]][point] : 1 - rises->values[input[2]][point]);
}

// How much a step changes with its input k at a point; may be not a number where it is infinite and nothing at once.
static double slope_at(const struct rises *rises, uint32_t index, int k, int point)
{
    const struct step *step = &rises->program->steps[index];
    const double *p = step->parameter;
    double x = step->input[0] == STEP_POSITION ? 0 : rises->values[step->input[0]][point];
    switch (step->op) {
    case GRAPH_AFFINE: return fabs(p[0]);
    case GRAPH_ADD:
    case GRAPH_SUBTRACT:
    case GRAPH_MINIMUM:
    case GRAPH_MAXIMUM:
    case GRAPH_ABSOLUTE: return 1;
    case GRAPH_SINE:
    case GRAPH_COSINE: return STABLE_PI / 180;
    case GRAPH_MULTIPLY: return size_at(rises, step->input[1 - k], point);
    case GRAPH_DIVIDE: return divide_slope(rises, step, k, point);
    case GRAPH_SQUARE_ROOT: return x > 0 ? 0.5 / sqrt(x) : INFINITY;
    case GRAPH_EXPONENTIAL: return size_at(rises, index, point);
    case GRAPH_POWER: return x > 0 ? fabs(p[0]) * stable_pow(x, p[0] - 1) : p[0] >= 1 ? 0 : INFINITY;
    case GRAPH_CLAMP: return passage_slope(rises, index, x, p[0], p[1], x >= p[0] && x <= p[1], 1);
    case GRAPH_SMOOTHSTEP: return smoothstep_slope(rises, index, x);
    case GRAPH_MIX: return mix_slope(rises, step, k, point);
    case GRAPH_CURVE:
    case GRAPH_QUANTILE: return fabs(curve_slope(&rises->tables->curves[step->table], x));
    default: return INFINITY;
    }
}

static bool any_above_zero(const double *row)
{
    for (int i = 0; i < PLANET_BLOCK; i++)
        if (row[i] > 0)
            return true;
    return false;
}

void rises_look(const struct rises *rises)
{
    const struct program *program = rises->program;
    uint32_t height = program->output[0].step;
    memset(rises->at_points, 0, program->step_count * sizeof rises->at_points[0]);
    for (int point = 0; point < PLANET_BLOCK; point++)
        rises->at_points[height][point] = 1;
    // From the height to its inputs: the users of a step all come after it.
    for (uint32_t i = height + 1; i-- > 0;) {
        const struct step *step = &program->steps[i];
        int count = any_above_zero(rises->at_points[i]) ? program_input_count(step->op) : 0;
        for (int point = 0; point < PLANET_BLOCK; point++) {
            rises->most[i] = fmax(rises->most[i], rises->at_points[i][point]);
            rises->least[i] = fmin(rises->least[i], rises->at_points[i][point]);
        }
        for (int k = 0; k < count; k++) {
            if (step->input[k] == STEP_POSITION)
                continue;
            double *to = rises->at_points[step->input[k]];
            for (int point = 0; point < PLANET_BLOCK; point++) {
                double rise = rises->at_points[i][point];
                if (rise > 0)
                    to[point] += rise * slope_at(rises, i, k, point);
                if (isnan(to[point]))
                    to[point] = INFINITY;
            }
        }
    }
}
